#include "bench/measure/timed_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "delassus/math/error.hpp"

namespace delassus::cli {

double TimedCall::time_us(std::int64_t calls) const {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  work_(calls);
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// The shortest of three tries, as other programs make calls longer and never shorter; of one, if that is so long that they do
/// not matter.
double TimedCall::undisturbed_us(std::int64_t calls) const {
  constexpr double kLong = 2e4;
  double best = time_us(calls);
  for (int k = 0; k < 2 && best < kLong; ++k) best = std::min(best, time_us(calls));
  return best;
}

void TimedCall::calibrate(const Effort& effort) {
  const double first = time_us(1);
  // Twice: on a busy machine one call may have to wait.
  if (first > effort.longest_us && time_us(1) > effort.longest_us) {
    throw Error(fmt::format("one call of {} takes {:.1f} s", name_, first / 1e6));
  }
  while (undisturbed_us(calls_) < effort.sample_us / 2) calls_ *= 2;
}

void TimedCall::sample(const Effort& effort) {
  if (samples_.size() >= kFewestRounds && spent_us_ > effort.verb_us) return;
  const double us = time_us(calls_);
  spent_us_ += us;
  samples_.push_back(us / static_cast<double>(calls_));
}

double TimedCall::median_us() const {
  std::vector<double> values = samples_;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double TimedCall::least_us() const { return *std::ranges::min_element(samples_); }

}  // namespace delassus::cli
