// The engine's views as JSON, for the query API, the pages and the simulator: one spelling of each
// object.
//
// Ownership: values in, text out.
// Determinism: fields in a fixed order, items in that of the views. Times are RFC 3339 in UTC with
// what fraction they have; "" stands for never.
// Cost: O(bytes).
// Not here: who may ask for what, and where (http_server.h).
#ifndef GANGPACK_SERVER_QUERY_CODEC_H_
#define GANGPACK_SERVER_QUERY_CODEC_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/views.h"

namespace gangpack::server {

// One object, on one line: {"namespace": "ns", "name": "w-0", ...}
std::string PodJson(const PodView& pod);
std::string GangJson(const GangView& gang);
std::string DomainJson(const DomainView& domain);
std::string ReservationJson(const ReservationView& reservation);

// {"pods": [...]}, one item a line, ending with a line feed.
std::string PodsJson(const std::vector<PodView>& pods);
std::string GangsJson(const std::vector<GangView>& gangs);
std::string DomainsJson(const std::vector<DomainView>& domains);
std::string ReservationsJson(const std::vector<ReservationView>& reservations);

std::string TimeText(absl::Time time);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_QUERY_CODEC_H_
