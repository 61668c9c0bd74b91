// The law by which a parameter of a sweep goes through its cases.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "io/json_reader.hpp"

namespace delassus {

struct Law {
  enum class Kind : std::uint8_t {
    kFixed,       // numbers[0]
    kGrid,        // numbers, each with each of the other grids
    kList,        // numbers, one for each case
    kRange,       // from numbers[0] to numbers[1] in equal steps over all cases
    kUniform,     // between numbers[0] and numbers[1]
    kLogUniform,  // the same with a logarithm that is uniform
    kNormal,      // numbers[0]: mean, numbers[1]: standard deviation
    kChoice,      // one of numbers; `up_to` has the sums of their shares
  };
  Kind kind = Kind::kFixed;
  std::vector<double> numbers, up_to;
  bool logarithmic = false;  // a range in equal ratios

  bool is_random() const { return kind >= Kind::kUniform; }
};

/// A number, or an object with one key that names the law. Throws an Error with the place.
Law read_law(const io::JsonCursor& at);

/// Where a case stands: `step` of the grid, `index` of `size` cases.
struct LawPlace {
  std::uint64_t seed;
  std::int64_t index, size, step;
};
double value_of(const Law& law, std::string_view name, const LawPlace& place);

/// The x below which a normal variable is with probability p, 0 < p < 1.
double inverse_normal(double p);

}  // namespace delassus
