// A kube-scheduler configuration in which nothing is wrong, for tests that break one thing of it.
#ifndef GANGPACK_TESTS_UNIT_SERVER_DOCTOR_RIGHT_CONFIG_H_
#define GANGPACK_TESTS_UNIT_SERVER_DOCTOR_RIGHT_CONFIG_H_

#include "server/doctor/scheduler_config.h"

namespace gangpack::server {

inline SchedulerConfig RightConfig() {
  SchedulerExtender filter;
  filter.path = "extenders[0]";
  filter.url_prefix = "http://127.0.0.1:8888";
  filter.filter_verb = "filter";
  filter.prioritize_verb = "prioritize";
  filter.weight = 10;
  filter.node_cache_capable = true;
  filter.http_timeout = absl::Seconds(2);
  filter.timeout_is_default = false;
  SchedulerExtender bind;
  bind.path = "extenders[1]";
  bind.url_prefix = "http://127.0.0.1:8889";
  bind.bind_verb = "bind";
  bind.node_cache_capable = true;
  bind.http_timeout = absl::Hours(24);
  bind.timeout_is_default = false;
  SchedulerProfile profile;
  profile.path = "profiles[0]";
  profile.name = "ome-scheduler";
  profile.plugins["multiPoint"].disabled = {"DefaultPreemption"};
  profile.plugins["preFilter"].disabled = {"InterPodAffinity", "PodTopologySpread"};
  profile.plugins["filter"].disabled = {"InterPodAffinity", "PodTopologySpread"};
  SchedulerConfig config;
  config.extenders = {filter, bind};
  config.profiles = {profile};
  config.percentage_of_nodes_to_score = 100;
  config.pod_max_backoff_seconds = 2;
  config.client_qps = 1000;
  config.client_burst = 2000;
  config.lease_name = "ome-scheduler";
  return config;
}

}  // namespace gangpack::server

#endif  // GANGPACK_TESTS_UNIT_SERVER_DOCTOR_RIGHT_CONFIG_H_
