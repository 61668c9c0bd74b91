// Which checks a kernel asks, in the order in which it acts on them, and how often it runs until that is known.
#include "generate/explore.hpp"

#include <gtest/gtest.h>

#include "math/traced.hpp"

namespace delassus::generation {
namespace {

using T = Traced<double>;

/// Ends with its number where one of some inputs is not positive. The one in the middle is asked first, and told last.
class Kernel {
 public:
  explicit Kernel(int count) {
    for (int k = 0; k < count; ++k) inputs_.push_back(T::input());
  }

  Status operator()() {
    ++runs;
    const int last = static_cast<int>(inputs_.size()) / 2;
    const bool good = is_positive(last);
    for (int k = 0; k < static_cast<int>(inputs_.size()); ++k) {
      if (k != last && !is_positive(k)) return {Status::Code::kNotPositive, k};
    }
    if (!good) return {Status::Code::kNotPositive, last};
    return {};
  }

  int runs = 0;

 private:
  bool is_positive(int k) const { return all_lanes(T(0) < inputs_[static_cast<std::size_t>(k)]); }
  std::vector<T> inputs_;
};

TEST(Explore, ChecksStandInTheOrderInWhichTheKernelActs) {
  Tape tape;
  const Tape::Recording recording(tape);
  Kernel kernel(5);
  std::vector<int> told;
  for (const Check& check : explore(tape, kernel)) told.push_back(check.status.index);
  EXPECT_EQ(told, (std::vector<int>{0, 1, 3, 4, 2}));
}

// Kernels with hundreds of rows ask thousands: pairs would take minutes. One run as it should be, one with each denied, and one with each and
// the next; the one that is told last is compared with all.
TEST(Explore, RunsInProportionToTheChecks) {
  constexpr int kChecks = 400;
  Tape tape;
  const Tape::Recording recording(tape);
  Kernel kernel(kChecks);
  EXPECT_EQ(explore(tape, kernel).size(), kChecks);
  EXPECT_LE(kernel.runs, 1 + 3 * kChecks);
}

}  // namespace
}  // namespace delassus::generation
