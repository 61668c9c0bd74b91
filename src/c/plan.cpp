// The planner of the C interface.
#include <algorithm>
#include <string>

#include "c/handles.hpp"
#include "delassus/operators/planner.hpp"

namespace delassus::c {
namespace {

int count(int value, const char* field) {
  if (value < 0) throw Error("argument 'workload': " + std::string(field) + " is " + std::to_string(value));
  return value;
}

Workload workload_from(const delassus_workload& w) {
  Workload out{count(w.products, "products"), count(w.dampings, "dampings"), count(w.solves, "solves"), w.matrix != 0};
  if (out.products + out.all_dampings() == 0 && !out.matrix) throw Error("argument 'workload' asks for nothing");
  return out;
}

/// As snprintf: as much as there is room for, and a zero.
void write(const std::string& text, char* out, std::size_t size) {
  if (out == nullptr || size == 0) return;
  const std::size_t length = std::min(text.size(), size - 1);
  std::copy_n(text.data(), length, out);
  out[length] = '\0';
}

}  // namespace
}  // namespace delassus::c

extern "C" {

delassus_status delassus_plan(const delassus_scene* scene, const delassus_workload* workload, const char** algorithm,
                              char* text, size_t size, size_t* length) {
  using namespace delassus;     // NOLINT
  using namespace delassus::c;  // NOLINT
  return guarded([&] {
    const delassus_scene& s = required(scene, "scene");
    const OperatorPlan plan = plan_operator(*s.model, s.constraints, workload_from(required(workload, "workload")));
    const std::string reasons = plan.explain();
    if (algorithm != nullptr) *algorithm = name_of(plan.choice).data();
    if (length != nullptr) *length = reasons.size();
    write(reasons, text, size);
    return DELASSUS_OK;
  });
}

}  // extern "C"
