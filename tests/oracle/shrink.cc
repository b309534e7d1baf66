#include "tests/oracle/shrink.h"

#include <cstddef>
#include <utility>

namespace gangpack {
namespace {

// Works on `part`, a piece of `whole`. True if anything was taken out.
bool ShrinkPart(const JsonTree& whole, JsonTree* part,
                const std::function<bool(const JsonTree&)>& fails) {
  bool changed = false;
  for (size_t i = part->size(); i > 0; --i) {
    JsonTree before = *part;
    part->Erase(i - 1);
    if (fails(whole)) {
      changed = true;
      continue;
    }
    *part = std::move(before);
    changed |= ShrinkPart(whole, &part->at(i - 1), fails);
  }
  return changed;
}

}  // namespace

JsonTree Shrink(JsonTree test_case, const std::function<bool(const JsonTree&)>& fails) {
  while (ShrinkPart(test_case, &test_case, fails)) {
  }
  return test_case;
}

}  // namespace gangpack
