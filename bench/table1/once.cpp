#include "bench/table1/once.hpp"

#include <fmt/format.h>

#include <vector>

#include "delassus/math/error.hpp"

/// A name without mangling, that no compiler inlines away.
extern "C" __attribute__((noinline)) void delassus_measured_call(delassus::cli::Contender* contender,
                                                                 delassus::cli::Verb verb) {
  contender->call(verb, 1);
}

namespace delassus::cli {
namespace {

constexpr std::size_t kLine = 64, kOtherMemory = std::size_t{64} << 20U;

void push_out_of_cache() {
  std::vector<unsigned char> other(kOtherMemory, 1);
  volatile unsigned char sum = 0;
  for (std::size_t k = 0; k < other.size(); k += kLine) sum = static_cast<unsigned char>(sum + other[k]);
}

}  // namespace

void call_once(const BenchOperator& op, const BenchScene& scene, Verb verb) {
  const std::unique_ptr<Contender> contender = op.make(scene);
  if (!contender->has(verb)) throw Error(fmt::format("{} has no {}", op.name, name_of(verb)));
  contender->prepare(verb);
  contender->call(verb, 2);
  push_out_of_cache();
  delassus_measured_call(contender.get(), verb);
}

}  // namespace delassus::cli
