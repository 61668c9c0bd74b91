#include "bench/lanes/lanes_peak.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "delassus/math/isa.hpp"

namespace delassus::cli {
namespace {

/// More than the latency of a multiply-add times how many begin in a cycle, and less than there are registers.
constexpr int kChains = 12;

using Lanes2 [[gnu::vector_size(16)]] = double;
using Lanes4 [[gnu::vector_size(32)]] = double;
using Lanes8 [[gnu::vector_size(64)]] = double;

/// A sum of the chains, so that none is left out. They stay near one: no number is subnormal or infinite.
template <class Lanes>
[[gnu::always_inline]] inline double multiply_adds(std::int64_t rounds, double start) {
  const Lanes factor = Lanes{} + (1 - 1e-3 * start), term = Lanes{} + 1e-3 * start;
  Lanes chains[kChains];
#pragma GCC unroll 12
  for (int k = 0; k < kChains; ++k) chains[k] = Lanes{} + (start + 0.01 * k);
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (Lanes& chain : chains) chain = chain * factor + term;
  }
  Lanes sum{};
#pragma GCC unroll 12
  for (const Lanes& chain : chains) sum += chain;
  return sum[0];
}

/// Registers of 16 bytes are in every level, and on other architectures.
double in_16_bytes(std::int64_t rounds, double start) { return multiply_adds<Lanes2>(rounds, start); }
#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] double in_32_bytes(std::int64_t rounds, double start) {
  return multiply_adds<Lanes4>(rounds, start);
}
[[gnu::target("avx512f,fma")]] double in_64_bytes(std::int64_t rounds, double start) {
  return multiply_adds<Lanes8>(rounds, start);
}
#endif

struct Loop {
  double (*run)(std::int64_t rounds, double start);
  int lanes;
};

Loop widest_loop(int lanes) {
#if defined(__x86_64__)
  const IsaLevel level = active_isa() == IsaLevel::kBase ? processor_isa() : active_isa();
  if (lanes >= 8 && level >= IsaLevel::kV4) return {in_64_bytes, 8};
  if (lanes >= 4 && level >= IsaLevel::kV3) return {in_32_bytes, 4};
#endif
  return {in_16_bytes, std::min(lanes, 2)};
}

}  // namespace

/// The best of several runs: other programs make one longer and never shorter.
double core_peak_gflops(int lanes) {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t kRounds = 200'000;
  constexpr int kRuns = 20;
  const Loop loop = widest_loop(lanes);
  const double flops = 2.0 * static_cast<double>(kRounds * kChains * loop.lanes);
  volatile double kept = 1;
  double best = 0;
  for (int k = 0; k < kRuns; ++k) {
    const auto start = Clock::now();
    kept = loop.run(kRounds, 1 + 0 * kept);
    best = std::max(best, flops / std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  return best;
}

}  // namespace delassus::cli
