#include "server/simulate/report.h"

#include <string>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

SimulationResult Example() {
  SimulationResult result;
  result.time = absl::Seconds(30);
  PodView bound;
  bound.pod = {"ns", "w-0"};
  bound.gang = "ns/g";
  bound.state = PodState::kBound;
  bound.node = "n1";
  PodView pending;
  pending.pod = {"ns", "w-1"};
  pending.message = "no \"room\"";
  result.pods = {{bound, 1}, {pending, 12}};
  GangView gang;
  gang.gang = {"ns", "g"};
  gang.state = GangState::kComplete;
  gang.topology_key = "rack";
  gang.domain = "a";
  gang.min_member = gang.members = gang.placed = 2;
  result.gangs = {gang};
  DomainView domain;
  domain.topology_key = "rack";
  domain.name = "a";
  domain.nodes = 3;
  result.domains = {domain};
  result.trace = {{absl::Seconds(1), "Assumed", "ns/w-0", "n1", "", ""}};
  return result;
}

TEST(ReportTest, JsonHasOneItemALineInTheContractsKeys) {
  EXPECT_EQ(JsonReport(Example(), {}),
            R"({
  "time": "30s",
  "pods": [
    {"namespace": "ns", "name": "w-0", "gang": "ns/g", "state": "Bound", "node": "n1", "message": "", "attempts": 1},
    {"namespace": "ns", "name": "w-1", "gang": "", "state": "Pending", "node": "", "message": "no \"room\"", "attempts": 12}
  ],
  "gangs": [
    {"namespace": "ns", "name": "g", "state": "Complete", "topologyKey": "rack", "domain": "a", "minMember": 2, "members": 2, "placed": 2, "need": 0, "message": ""}
  ],
  "domains": [
    {"topologyKey": "rack", "name": "a", "nodes": 3, "heldBy": ""}
  ]
}
)");
}

TEST(ReportTest, JsonPutsTheTraceBeforeTheResult) {
  const std::string json = JsonReport(Example(), {.trace = true});
  EXPECT_EQ(json.rfind("{\n  \"trace\": [\n    {\"time\": \"1s\", \"event\": \"Assumed\"", 0), 0u);
  EXPECT_LT(json.find("\"trace\""), json.find("\"pods\""));
}

TEST(ReportTest, EmptyListsAreEmptyInJsonAndLeftOutOfTheTable) {
  EXPECT_EQ(JsonReport({}, {}),
            "{\n  \"time\": \"0s\",\n  \"pods\": [],\n  \"gangs\": [],\n  \"domains\": []\n}\n");
  EXPECT_EQ(TableReport({}, {.trace = true}), "TIME  0s\n");
}

TEST(ReportTest, TheTableSaysTheSame) {
  EXPECT_EQ(TableReport(Example(), {.trace = true}),
            R"(AT  EVENT    OBJECT  NODE  DOMAIN  MESSAGE
1s  Assumed  ns/w-0  n1    -

TIME  30s

NAMESPACE  POD  GANG  STATE    NODE  ATTEMPTS  MESSAGE
ns         w-0  ns/g  Bound    n1    1
ns         w-1  -     Pending  -     12        no "room"

NAMESPACE  GANG  STATE     TOPOLOGY-KEY  DOMAIN  MIN-MEMBER  MEMBERS  PLACED  NEED  MESSAGE
ns         g     Complete  rack          a       2           2        2       0

TOPOLOGY-KEY  DOMAIN  NODES  HELD-BY
rack          a       3
)");
}

}  // namespace
}  // namespace gangpack::server
