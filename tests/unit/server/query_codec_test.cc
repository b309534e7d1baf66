#include "server/query_codec.h"

#include <string>

#include "absl/time/time.h"
#include "core/views.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

const absl::Time kNow = absl::FromUnixSeconds(1'800'000'000);

TEST(QueryCodec, PodsAreListedAsDocumented) {
  PodView waiting;
  waiting.pod = {"ns", "w-0"};
  waiting.gang = "ns/g";
  waiting.state = PodState::kWaiting;
  waiting.node = "n1";
  PodView pending;
  pending.pod = {"ns", "w-1"};
  pending.message = "no \"room\"";
  EXPECT_EQ(PodsJson({waiting, pending}),
            R"({"pods": [{"namespace": "ns", "name": "w-0", "gang": "ns/g", "state": "Waiting", )"
            R"("node": "n1", "message": ""},)"
            "\n "
            R"({"namespace": "ns", "name": "w-1", "gang": "", "state": "Pending", )"
            R"("node": "", "message": "no \"room\""}]})"
            "\n");
}

TEST(QueryCodec, GangsAreListedAsDocumented) {
  GangView gang;
  gang.gang = {"ns", "g"};
  gang.state = GangState::kComplete;
  gang.topology_key = "rack";
  gang.domain = "a";
  gang.min_member = 2;
  gang.members = 3;
  gang.placed = 2;
  EXPECT_EQ(GangsJson({gang}),
            R"({"gangs": [{"namespace": "ns", "name": "g", "state": "Complete", )"
            R"("topologyKey": "rack", "domain": "a", "minMember": 2, "members": 3, "placed": 2, )"
            R"("need": 0, "message": ""}]})"
            "\n");
}

TEST(QueryCodec, DomainsAreListedAsDocumented) {
  EXPECT_EQ(DomainsJson({{.topology_key = "rack", .name = "a", .nodes = 3, .held_by = "ns/g"}}),
            R"({"domains": [{"topologyKey": "rack", "name": "a", "nodes": 3, "heldBy": "ns/g"}]})"
            "\n");
}

TEST(QueryCodec, ReservationsAreListedWithTheirWaitersAndTimes) {
  ReservationView reservation;
  reservation.topology_key = "rack";
  reservation.domain = "a";
  reservation.gang = {"ns", "g"};
  reservation.group_uid = "u-g";
  reservation.plan_number = 4;
  reservation.since = kNow;
  reservation.ends = kNow + absl::Seconds(600) + absl::Milliseconds(250);
  reservation.waiters = {{{"ns", "w-0"}, "n1", kNow, absl::InfiniteFuture()}};
  EXPECT_EQ(ReservationsJson({reservation}),
            R"({"reservations": [{"topologyKey": "rack", "domain": "a", "gang": "ns/g", )"
            R"("owner": "u-g", "planNumber": 4, "since": "2027-01-15T08:00:00Z", )"
            R"("ends": "2027-01-15T08:10:00.25Z", "waiters": [{"namespace": "ns", "name": "w-0", )"
            R"("node": "n1", "since": "2027-01-15T08:00:00Z", "ends": ""}], "planned": []}]})"
            "\n");
}

TEST(QueryCodec, NothingIsAnEmptyList) {
  EXPECT_EQ(PodsJson({}), "{\"pods\": []}\n");
  EXPECT_EQ(GangsJson({}), "{\"gangs\": []}\n");
  EXPECT_EQ(DomainsJson({}), "{\"domains\": []}\n");
  EXPECT_EQ(ReservationsJson({}), "{\"reservations\": []}\n");
}

}  // namespace
}  // namespace gangpack::server
