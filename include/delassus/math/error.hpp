// What goes wrong, in two kinds: bad arguments and files throw an Error that says what to do; numerical outcomes are
// values of type Status.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace delassus {

/// Thrown at the library's boundary. The message names the argument, file or element, and what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Outcome of a numerical step. No allocation, no text until somebody asks.
struct [[nodiscard]] Status {
  enum class Code : unsigned char {
    kOk,
    kSingularJoint,     // index: the joint whose D = SᵀHS + armature is not positive definite
    kNotPositive,       // index: the row of a matrix at which a Cholesky pivot is not positive
    kDegenerate,        // index: the constraint whose direction is undefined (a distance of zero)
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
