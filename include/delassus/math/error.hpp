// What goes wrong, in two kinds (docs/arguments.md): set-up throws an Error that says what to do; what runs in a loop returns a
// Status, of numbers that have no result as well as of wrong calls (arguments.hpp).
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "delassus/math/scalar.hpp"

namespace delassus {

/// Thrown at the library's boundary. The message names the argument, file or element, and what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Outcome of a numerical step. No allocation, no text until somebody asks (describe, in constraints/describe.hpp). What
/// a step writes is not to be used when its status is not ok, unless it says so. With packs, one bad lane makes the status of all.
struct [[nodiscard]] Status {
  enum class Code : unsigned char {
    kOk,
    kSingularJoint,  // index: the link whose joint moves nothing that has inertia
    kNotPositive,    // index: the row at which a damped Delassus matrix is not positive definite
    kDegenerate,     // index: the constraint whose direction is undefined (a distance of zero)
    kNotFinite,      // index: the entry of the result that is not a number, because one of the inputs is not
    kInaccurate,     // index: the row whose residual is largest, where rounding left more of it than was asked for
    kInfeasible,     // index: the row that is missed most, where constraints contradict each other
    kNotConverged,   // index: the row that is farthest off, where the iterations ran out
    kUnbalanced,     // index: the degree of freedom without a motor that no constraint force holds
    kSingularTask,   // index: the row that lost most, where a task asks for more directions than the mechanism has left
    kBadArgument,  // index: which argument has the wrong size or names nothing, the first being 0; -1: the call comes too early
  };
  Code code = Code::kOk;
  int index = -1;

  bool ok() const { return code == Code::kOk; }
  bool operator==(const Status&) const = default;
};

/// Throws if a vector argument has the wrong size.
[[noreturn]] void throw_wrong_size(std::string_view argument, int size, int expected);
inline void require_size(std::string_view argument, int size, int expected) {
  if (size != expected) throw_wrong_size(argument, size, expected);
}

}  // namespace delassus
