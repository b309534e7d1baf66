#include "core/gang_plan.h"

#include <algorithm>
#include <utility>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "absl/strings/str_cat.h"
#include "core/expectations.h"
#include "core/explain.h"
#include "core/packing.h"
#include "core/plan_fit.h"
#include "core/shortage.h"
#include "core/sibling_order.h"
#include "core/sibling_rules.h"

namespace gangpack {
namespace {

// What one attempt in one domain starts from.
struct Attempt {
  std::vector<PodRecord*> members;       // to be planned, by preference
  std::vector<const PodRecord*> placed;  // siblings that have a node
  std::vector<FixedSibling> fixed;       // aligned with `placed`; kinds are filled in by Plan
  int need = 0;
};

Attempt FreshAttempt(const Gang& gang) {
  Attempt attempt;
  attempt.members = gang.summary.eligible;
  attempt.placed.assign(gang.summary.placed_live.begin(), gang.summary.placed_live.end());
  for (const PodRecord* placed : attempt.placed) attempt.fixed.push_back({0, placed->node, false});
  attempt.need = static_cast<int>(gang.min_member() - gang.summary.placed);
  return attempt;
}

// Plans exactly `need` members in the domain.
std::optional<Plan> PlanIn(const EngineState& state, const GangShape& shape, const Attempt& attempt,
                           const PackingProblem& problem, DomainIndex domain, int need) {
  const PackingPlan packed = PlanPacking(problem, shape.kind_of_member, need, state.Limits());
  if (!packed.found) return std::nullopt;
  Plan plan;
  plan.domain = domain;
  const std::vector<NodeIndex>& nodes = state.cluster.topology().domain(domain).nodes;
  for (size_t i = 0; i < attempt.members.size(); ++i) {
    const int node = packed.node_of_member[i];
    if (node >= 0) plan.nodes[attempt.members[i]->pod.uid] = nodes[static_cast<size_t>(node)];
  }
  plan.waits_for = SiblingOrder(shape, problem, attempt.members, packed.node_of_member);
  return plan;
}

// How many members are to be planned: the fewest, from `least` to `most`, that can be.
struct MemberCounts {
  int least = 0;
  int most = 0;
};

// Without rules between siblings fewer fit wherever more do, so one try decides; members that need
// each other may fit in a greater number only.
std::optional<Plan> PlanFewest(const EngineState& state, const GangShape& shape,
                               const Attempt& attempt, const PackingProblem& problem,
                               DomainIndex domain, MemberCounts counts) {
  const int most = shape.problem.rules.empty() ? counts.least : counts.most;
  std::optional<Plan> plan;
  for (int count = counts.least; !plan.has_value() && count <= most; ++count) {
    plan = PlanIn(state, shape, attempt, problem, domain, count);
  }
  return plan;
}

// Plans all members, else the fewest that are enough.
std::optional<Plan> PlanAllOrEnough(const EngineState& state, const GangShape& shape,
                                    const Attempt& attempt, const PackingProblem& problem,
                                    DomainIndex domain) {
  const int all = static_cast<int>(attempt.members.size());
  std::optional<Plan> plan = PlanFewest(state, shape, attempt, problem, domain, {all, all});
  if (plan.has_value() || attempt.need >= all) return plan;
  return PlanFewest(state, shape, attempt, problem, domain, {attempt.need, all - 1});
}

std::vector<FixedSibling> WithKinds(const Attempt& attempt, const GangShape& shape) {
  std::vector<FixedSibling> fixed = attempt.fixed;
  for (size_t i = 0; i < fixed.size(); ++i) fixed[i].kind = shape.kind_of_placed[i];
  return fixed;
}

DomainRanking* RankingFor(EngineState* state, GangShape shape) {
  std::unique_ptr<DomainRanking>& ranking = state->rankings[shape.signature];
  if (ranking == nullptr) {
    const std::string signature = shape.signature;
    ranking = std::make_unique<DomainRanking>(std::move(shape), &state->cluster);
    DomainRanking* const made = ranking.get();
    state->ranking_order.push_back(signature);
    if (state->ranking_order.size() > static_cast<size_t>(state->policy.shapes_max)) {
      state->rankings.erase(state->ranking_order.front());
      state->ranking_order.pop_front();
    }
    return made;
  }
  ranking->Renew(std::move(shape));
  return ranking.get();
}

PlanChoice ChooseFresh(EngineState* state, Gang* gang) {
  const Attempt attempt = FreshAttempt(*gang);
  GangShape shape =
      MakeShape(attempt.members, attempt.placed, attempt.need, gang->summary.key, state->cluster);
  DomainRanking* const ranking = RankingFor(state, shape);
  ranking->CatchUp(state->Limits());
  PlanChoice choice;
  for (const bool all : {true, false}) {
    for (const auto& [room, domain] : all ? ranking->fits_all() : ranking->fits_need()) {
      const TopologyIndex& topology = state->cluster.topology();
      if (state->ledger.HolderOverlapping(domain, gang, topology) != nullptr) continue;
      const PackingProblem problem =
          ProblemFor(shape, topology.domain(domain).nodes, {}, false, state->cluster);
      const int members = static_cast<int>(attempt.members.size());
      const MemberCounts counts =
          all ? MemberCounts{members, members}
              : MemberCounts{attempt.need, std::max(attempt.need, ranking->fit(domain).most)};
      choice.plan = PlanFewest(*state, shape, attempt, problem, domain, counts);
      if (choice.plan.has_value()) return choice;
    }
  }
  choice.reason = WhyNoDomain(*state, *gang, *ranking);
  return choice;
}

PlanChoice ChooseAdopted(EngineState* state, Gang* gang) {
  PlanChoice choice;
  const DomainIndex domain = gang->summary.domain;
  const Attempt attempt = FreshAttempt(*gang);
  const GangShape shape =
      MakeShape(attempt.members, attempt.placed, attempt.need, gang->summary.key, state->cluster);
  const TopologyIndex& topology = state->cluster.topology();
  const PackingProblem problem = ProblemFor(shape, topology.domain(domain).nodes,
                                            WithKinds(attempt, shape), false, state->cluster);
  choice.plan = PlanAllOrEnough(*state, shape, attempt, problem, domain);
  if (!choice.plan.has_value()) {
    choice.reason = WhyDomainTooSmall(*state, *gang, ReasonCode::kAdoptedDomainTooSmall, domain,
                                      attempt.need, shape, problem);
  } else if (const Gang* holder = state->ledger.HolderOverlapping(domain, gang, topology)) {
    choice.plan.reset();
    choice.reason = WhyReserved(*state, *gang, {{domain, holder}});
  }
  return choice;
}

// The order between siblings of a plan that is given by its nodes alone; nullopt if it breaks a
// rule between them. The nodes must be in the plan's domain, the members eligible.
std::optional<absl::btree_map<PodUid, std::vector<PodUid>>> OrderOf(const EngineState& state,
                                                                    const Gang& gang) {
  const Plan& plan = *gang.plan;
  Attempt attempt = FreshAttempt(gang);
  attempt.members.clear();
  for (const auto& [uid, node] : plan.nodes) attempt.members.push_back(gang.members.at(uid));
  const auto has_terms = [](const PodRecord* pod) { return pod->terms_id != 0; };
  if (std::none_of(attempt.members.begin(), attempt.members.end(), has_terms) &&
      std::none_of(attempt.placed.begin(), attempt.placed.end(), has_terms)) {
    return absl::btree_map<PodUid, std::vector<PodUid>>();
  }
  const GangShape shape =
      MakeShape(attempt.members, attempt.placed, attempt.need, gang.summary.key, state.cluster);
  const std::vector<NodeIndex>& nodes = state.cluster.topology().domain(plan.domain).nodes;
  const PackingProblem problem =
      ProblemFor(shape, nodes, WithKinds(attempt, shape), false, state.cluster);
  std::vector<int> node_of_member;
  for (const PodRecord* member : attempt.members) {
    const auto node = std::find(nodes.begin(), nodes.end(), plan.nodes.at(member->pod.uid));
    node_of_member.push_back(static_cast<int>(node - nodes.begin()));
  }
  if (!SiblingRulesHold(problem, shape.kind_of_member, node_of_member)) return std::nullopt;
  return SiblingOrder(shape, problem, attempt.members, node_of_member);
}

// A relabelled node can end up in two held domains of different keys. It stays with the gang whose
// plan uses it, and no other plans it.
bool HeldByOther(const EngineState& state, const Gang& gang, NodeIndex node) {
  const TopologyIndex& topology = state.cluster.topology();
  for (size_t key = 0; key < topology.keys(); ++key) {
    const DomainIndex domain = topology.DomainOf(static_cast<TopologyKeyIndex>(key), node);
    if (domain == kNoDomain) continue;
    const Gang* const holder = state.ledger.HolderOf(domain);
    if (holder != nullptr && holder != &gang) return true;
  }
  return false;
}

// Splits the eligible members into those that wait, which keep their nodes, and those to be
// planned. Returns why one of those that wait cannot stay where it is; empty if all can.
std::string KeepWaiting(const EngineState& state, const Gang& gang, Attempt* attempt) {
  PodsByNode waiting;
  for (const AwaitedSibling& awaited : gang.summary.awaiting) {
    if (state.permits.FindWaiter(awaited.member->pod.uid) == nullptr) continue;
    return absl::StrCat(awaited.member->pod.name.ToString(), " needs ",
                        awaited.sibling->pod.name.ToString(), " to be placed first");
  }
  attempt->members.clear();
  for (PodRecord* member : gang.summary.eligible) {
    const Waiter* waiter = state.permits.FindWaiter(member->pod.uid);
    if (waiter == nullptr) {
      attempt->members.push_back(member);
      continue;
    }
    const DomainIndex domain = state.cluster.topology().DomainOf(gang.summary.key, waiter->node);
    const NodeRecord& node = state.cluster.node(waiter->node);
    if (domain != gang.plan->domain && node.exists) {
      return absl::StrCat(node.object.name, " left the domain");
    }
    waiting[waiter->node].push_back(member);
    attempt->placed.push_back(member);
    attempt->fixed.push_back({0, waiter->node, true});
    --attempt->need;
  }
  attempt->need = std::max(attempt->need, 0);
  return FirstMisfit(state, waiting);
}

// Takes nodes out of the problem that the gang may not use, and those that `restriction` excludes
// for its member. False if that member is not to be planned at all.
bool Restrict(const EngineState& state, const Gang& gang, const Attempt& attempt,
              const GangShape& shape, const MemberRestriction* restriction,
              PackingProblem* problem) {
  const std::vector<NodeIndex>& nodes = state.cluster.topology().domain(gang.plan->domain).nodes;
  absl::btree_set<NodeIndex> own;
  for (const auto& [uid, node] : gang.plan->nodes) own.insert(node);
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (own.contains(nodes[i]) || !HeldByOther(state, gang, nodes[i])) continue;
    std::fill(problem->nodes[i].feasible.begin(), problem->nodes[i].feasible.end(), 0);
  }
  if (restriction == nullptr) return true;
  const auto member =
      std::find(attempt.members.begin(), attempt.members.end(), restriction->member);
  if (member == attempt.members.end()) return false;
  const size_t kind = static_cast<size_t>(
      shape.kind_of_member[static_cast<size_t>(member - attempt.members.begin())]);
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!std::binary_search(restriction->nodes.begin(), restriction->nodes.end(), nodes[i])) {
      problem->nodes[i].feasible[kind] = 0;
    }
  }
  return true;
}

}  // namespace

PlanChoice ChoosePlan(EngineState* state, Gang* gang) {
  for (PodRecord* const member : gang->summary.eligible) ForgetAnswer(state, member);
  return gang->summary.domain != kNoDomain ? ChooseAdopted(state, gang) : ChooseFresh(state, gang);
}

std::optional<Plan> CompletePlan(EngineState* state, Gang* gang, Plan plan) {
  gang->plan = std::move(plan);
  ExpectPlan(state, *gang, nullptr);
  const bool fits = PlanStillFits(state, *gang);
  ExpectNoLonger(state, *gang->plan);
  const auto order = fits ? OrderOf(*state, *gang) : std::nullopt;
  std::optional<Plan> complete = std::exchange(gang->plan, std::nullopt);
  if (!order.has_value()) return std::nullopt;
  complete->waits_for = *order;
  return complete;
}

std::optional<Plan> ReplanInHeldDomain(EngineState* state, const Gang& gang,
                                       const MemberRestriction* restriction) {
  const Plan& old = *gang.plan;
  const TopologyIndex& topology = state->cluster.topology();
  if (topology.domain(old.domain).key != gang.summary.key) return std::nullopt;
  if (gang.summary.domain != kNoDomain && gang.summary.domain != old.domain) return std::nullopt;
  Attempt attempt = FreshAttempt(gang);
  if (!KeepWaiting(*state, gang, &attempt).empty()) return std::nullopt;
  const LiftedPlan lifted(state, old, LiftedPlan::Which::kNotWaiting);
  if (attempt.need > static_cast<int>(attempt.members.size())) return std::nullopt;
  // A member with a restriction is a kind of its own.
  const int64_t spec_id = restriction != nullptr ? restriction->member->spec_id : 0;
  if (restriction != nullptr) restriction->member->spec_id = -1;
  const GangShape shape =
      MakeShape(attempt.members, attempt.placed, attempt.need, gang.summary.key, state->cluster);
  if (restriction != nullptr) restriction->member->spec_id = spec_id;
  PackingProblem problem = ProblemFor(shape, topology.domain(old.domain).nodes,
                                      WithKinds(attempt, shape), false, state->cluster);
  if (!Restrict(*state, gang, attempt, shape, restriction, &problem)) return std::nullopt;
  std::optional<Plan> plan = PlanAllOrEnough(*state, shape, attempt, problem, old.domain);
  if (!plan.has_value()) return std::nullopt;
  if (restriction != nullptr && !plan->nodes.contains(restriction->member->pod.uid))
    return std::nullopt;
  for (size_t i = 0; i < attempt.placed.size(); ++i) {
    if (attempt.fixed[i].uses_free) plan->nodes[attempt.placed[i]->pod.uid] = attempt.fixed[i].node;
  }
  plan->number = old.number;
  plan->since = old.since;
  plan->last_call = old.last_call;
  plan->waiting = old.waiting;
  plan->arrivals = old.arrivals;
  return plan;
}

Reason WhyNotKept(EngineState* engine, const Gang& gang) {
  const EngineState& state = *engine;
  const TopologyIndex& topology = state.cluster.topology();
  const Domain& held = topology.domain(gang.plan->domain);
  const DomainIndex adopted = gang.summary.domain;
  Reason why;
  why.code = ReasonCode::kPinnedDomainTooSmall;
  why.gang = gang.name;
  why.domain = held.name;
  Attempt attempt = FreshAttempt(gang);
  if (held.key != gang.summary.key) {
    why.note = absl::StrCat("the topology key is ", topology.KeyName(gang.summary.key), " now");
  } else if (adopted != kNoDomain && adopted != gang.plan->domain) {
    why.note = absl::StrCat("members run in ", topology.domain(adopted).name);
  } else if (const std::string misfit = KeepWaiting(state, gang, &attempt); !misfit.empty()) {
    why.note = absl::StrCat("a member that waits cannot stay: ", misfit);
  }
  if (!why.note.empty()) return why;
  const LiftedPlan lifted(engine, *gang.plan, LiftedPlan::Which::kNotWaiting);
  const GangShape shape =
      MakeShape(attempt.members, attempt.placed, attempt.need, gang.summary.key, state.cluster);
  PackingProblem problem =
      ProblemFor(shape, held.nodes, WithKinds(attempt, shape), false, state.cluster);
  Restrict(state, gang, attempt, shape, nullptr, &problem);
  why = WhyDomainTooSmall(state, gang, why.code, gang.plan->domain, attempt.need, shape, problem);
  why.domains[0].room += gang.plan->waiting;
  why.domains[0].of += gang.plan->waiting;
  return why;
}

const PodRecord* SiblingToWaitFor(const EngineState& state, const Plan& plan,
                                  const PodUid& member) {
  auto it = plan.waits_for.find(member);
  if (it == plan.waits_for.end()) return nullptr;
  for (const PodUid& uid : it->second) {
    const PodRecord* sibling = state.cluster.FindPod(uid);
    if (sibling == nullptr || sibling->placed()) continue;
    if (state.permits.FindWaiter(uid) == nullptr) return sibling;
  }
  return nullptr;
}

}  // namespace gangpack
