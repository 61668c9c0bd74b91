// A call that is measured in turns with others.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace delassus::cli {

/// How much time the numbers are worth.
struct Effort {
  int rounds;         // of which the median is taken
  double sample_us;   // calls are bundled until they take this long together
  double verb_us;     // a call that has taken this long gets no more rounds
  double longest_us;  // one that takes longer is left out
};
inline constexpr Effort kQuickEffort{9, 1000, 2e5, 2.5e5};
inline constexpr Effort kFullEffort{21, 4000, 2e6, 2e6};
/// Rounds that every call gets, so that a median is one.
inline constexpr int kFewestRounds = 3;

class TimedCall {
 public:
  /// `work` makes so many calls.
  TimedCall(std::string name, std::function<void(std::int64_t calls)> work)
      : name_(std::move(name)), work_(std::move(work)) {}

  /// Finds how many calls make a sample. The first call is not part of any: it finds caches cold. Throws an Error if it takes
  /// too long.
  void calibrate(const Effort& effort);
  /// Nothing if it has taken its time already.
  void sample(const Effort& effort);

  /// Microseconds of one call, over all samples.
  double median_us() const;
  double least_us() const;

 private:
  double time_us(std::int64_t calls) const;
  double undisturbed_us(std::int64_t calls) const;

  std::string name_;
  std::function<void(std::int64_t)> work_;
  std::int64_t calls_ = 1;  // per sample
  double spent_us_ = 0;
  std::vector<double> samples_;
};

}  // namespace delassus::cli
