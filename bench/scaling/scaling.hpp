// Time and memory against the size of a scene.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure/measure.hpp"

namespace delassus::cli {

struct ScalingCase {
  std::string_view name;
  std::string_view family;  // the generated scene that takes the size
  std::string_view size;    // what is counted
  std::vector<int> sizes;   // ascending
};

/// Links of the paper's Fig. 2, and boxes on top of each other.
const ScalingCase& swimmer_case();
const ScalingCase& boxes_case();

struct ScalingPoint {
  int size, nv, contacts, rows;
  std::vector<OperatorTimes> times;
};

struct ScalingStudy {
  const ScalingCase& about;
  std::vector<ScalingPoint> points;
};

/// `on_point` hears of each size before it is measured. An operator is left out from the size on at which a call would take
/// too long.
ScalingStudy measure_scaling(const ScalingCase& about, const Effort& effort,
                             const std::function<void(std::size_t at, std::size_t of)>& on_point);

/// What is drawn and fitted: the times by verb, and the bytes.
struct Quantity {
  std::string name;   // as in JSON
  std::string title;  // with its unit
  std::function<std::optional<double>(const OperatorTimes&)> value;
};
const std::vector<Quantity>& scaling_quantities();

/// The exponent of a power of the size, fitted over the last decade of the sizes that the operator has; nothing if there are
/// fewer than two.
std::optional<double> slope_of(const ScalingStudy& study, std::size_t op, const Quantity& quantity);

}  // namespace delassus::cli
