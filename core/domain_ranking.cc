#include "core/domain_ranking.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "core/room.h"

namespace gangpack {

RoomAnswer EvaluateFor(int need, const PackingProblem& problem, PackingLimits limits) {
  limits.enough = need;
  const PackingAnswer settled = EvaluatePacking(problem, limits);
  RoomAnswer answer{settled.most_placed, settled.fits_all, settled.limit_reached};
  if (answer.most_placed >= need) return answer;
  limits.enough = 0;
  limits.states_max = std::min(limits.states_max, limits.shown_states_max);
  const PackingAnswer shown = EvaluatePacking(problem, limits);
  answer.most_placed = std::max(answer.most_placed, shown.most_placed);
  answer.fits_all = shown.fits_all;
  answer.at_least = shown.limit_reached && !answer.limit_reached && answer.most_placed < need - 1;
  return answer;
}

bool DomainRanking::ByRoom::operator()(const std::pair<int64_t, DomainIndex>& a,
                                       const std::pair<int64_t, DomainIndex>& b) const {
  if (a.first != b.first) return a.first < b.first;
  if (a.second == b.second) return false;
  return topology->domain(a.second).name < topology->domain(b.second).name;
}

DomainRanking::DomainRanking(GangShape shape, const ClusterState* cluster)
    : shape_(std::move(shape)),
      cluster_(cluster),
      fits_all_(ByRoom{&cluster->topology()}),
      fits_need_(ByRoom{&cluster->topology()}),
      short_now_(ByRoom{&cluster->topology()}),
      short_when_empty_(ByRoom{&cluster->topology()}) {}

void DomainRanking::Renew(GangShape shape) {
  CORE_CHECK(shape.signature == shape_.signature);
  if (position_ >= 0 && !(shape.outside == shape_.outside)) {
    const TopologyIndex& topology = cluster_->topology();
    size_t nodes_max = 0;
    for (const auto& [name, domain] : topology.DomainsByName(shape_.key)) {
      nodes_max = std::max(nodes_max, topology.domain(domain).nodes.size());
    }
    AddDifferences(Compare(shape_.outside, shape.outside, static_cast<int>(nodes_max)));
  }
  shape_ = std::move(shape);
}

void DomainRanking::AddDifferences(const OutsideDifferences& differences) {
  if (differences.everywhere) {
    position_ = -1;
    return;
  }
  for (const auto& [key, value] : differences.values) {
    for (const NodeIndex node : cluster_->rules().values().NodesWith(key, value)) {
      const DomainIndex domain = cluster_->topology().DomainOf(shape_.key, node);
      if (domain != kNoDomain) differing_.push_back(domain);
    }
  }
}

int DomainRanking::CatchUp(const PackingLimits& limits) {
  const TopologyIndex& topology = cluster_->topology();
  const DomainChangeLog& log = topology.Changes(shape_.key);
  std::vector<DomainIndex> changed = std::exchange(differing_, {});
  if (position_ == log.end() && changed.empty()) return 0;
  if (position_ < 0 || !log.Since(position_, &changed)) {
    changed.clear();
    for (const auto& [name, domain] : topology.DomainsByName(shape_.key)) changed.push_back(domain);
  }
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  for (const DomainIndex domain : changed) Look(domain, limits);
  position_ = log.end();
  ++version_;
  return static_cast<int>(changed.size());
}

const DomainFit& DomainRanking::fit(DomainIndex domain) const {
  return fits_[static_cast<size_t>(domain)];
}

void DomainRanking::Forget(DomainIndex domain) {
  const size_t d = static_cast<size_t>(domain);
  if (known_[d] == 0) return;
  known_[d] = 0;
  const DomainFit fit = std::exchange(fits_[d], DomainFit{});
  fits_all_.erase({fit.room, domain});
  fits_need_.erase({fit.room, domain});
  short_now_.erase({-fit.most, domain});
  short_when_empty_.erase({-fit.most_when_empty, domain});
}

void DomainRanking::Look(DomainIndex domain, const PackingLimits& limits) {
  const size_t d = static_cast<size_t>(domain);
  if (fits_.size() <= d) {
    fits_.resize(d + 1);
    known_.resize(d + 1, 0);
  }
  Forget(domain);
  const Domain& record = cluster_->topology().domain(domain);
  if (record.nodes.empty()) return;
  const PackingProblem problem =
      ProblemFor(shape_, record.nodes, {}, /*when_empty=*/false, *cluster_);
  const RoomAnswer answer = EvaluateFor(shape_.need, problem, limits);
  DomainFit& fit = fits_[d];
  fit.most = answer.most_placed;
  fit.limit_reached = answer.limit_reached;
  fit.at_least = answer.at_least;
  fit.room = DomainRoom(problem);
  known_[d] = 1;
  if (fit.most >= shape_.need) {
    fit.room = std::max<int64_t>(fit.room, shape_.need);
    (answer.fits_all ? fits_all_ : fits_need_).insert({fit.room, domain});
    return;
  }
  const PackingProblem empty = ProblemFor(shape_, record.nodes, {}, /*when_empty=*/true, *cluster_);
  const RoomAnswer answer_when_empty = EvaluateFor(shape_.need, empty, limits);
  fit.most_when_empty = answer_when_empty.most_placed;
  fit.limit_reached_when_empty = answer_when_empty.limit_reached;
  fit.at_least_when_empty = answer_when_empty.at_least;
  short_now_.insert({-fit.most, domain});
  short_when_empty_.insert({-fit.most_when_empty, domain});
}

}  // namespace gangpack
