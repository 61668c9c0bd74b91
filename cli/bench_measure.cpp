#include "bench_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

double time_us(Contender& contender, Verb verb, std::int64_t calls) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  contender.call(verb, calls);
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// An operator and what was measured of it so far.
struct Entrant {
  OperatorTimes times;
  std::unique_ptr<Contender> contender;  // none if it is left out
  ByVerb<std::int64_t> calls{};          // per sample; 0 if it does not have the verb
  ByVerb<double> spent_us{};
  ByVerb<std::vector<double>> samples;
};

Entrant make_entrant(const BenchOperator& op, const BenchScene& scene, const LeftOut& left_out) {
  Entrant out;
  out.times.name = op.name;
  if (const auto found = left_out.find(op.name); found != left_out.end()) {
    out.times.left_out = found->second;
    return out;
  }
  try {
    out.contender = op.make(scene);
  } catch (const Error& e) {
    out.times.left_out = e.what();
  }
  return out;
}

/// The shortest of three tries, as other programs make calls longer and never shorter; of one, if that is so long that they do
/// not matter.
double undisturbed_us(Contender& contender, Verb verb, std::int64_t calls) {
  constexpr double kLong = 2e4;
  double best = time_us(contender, verb, calls);
  for (int k = 0; k < 2 && best < kLong; ++k) best = std::min(best, time_us(contender, verb, calls));
  return best;
}

/// Finds how many calls make a sample. The first call is not part of any: it finds caches cold. Throws an Error if it takes
/// too long.
void calibrate(Entrant& entrant, Verb verb, const Effort& effort) {
  if (!entrant.contender->has(verb)) return;
  entrant.contender->prepare(verb);
  const double first = time_us(*entrant.contender, verb, 1);
  if (first > effort.longest_us) throw Error(fmt::format("one call of {} takes {:.1f} s", name_of(verb), first / 1e6));
  std::int64_t calls = 1;
  while (undisturbed_us(*entrant.contender, verb, calls) < effort.sample_us / 2) calls *= 2;
  entrant.calls[verb] = calls;
}

void sample(Entrant& entrant, Verb verb, const Effort& effort) {
  const std::int64_t calls = entrant.calls[verb];
  if (calls == 0) return;
  const bool enough = entrant.samples[verb].size() >= kFewestRounds;
  if (enough && entrant.spent_us[verb] > effort.verb_us) return;
  entrant.contender->prepare(verb);
  const double us = time_us(*entrant.contender, verb, calls);
  entrant.spent_us[verb] += us;
  entrant.samples[verb].push_back(us / static_cast<double>(calls));
}

/// An operator that fails on the way has no times at all.
template <class Work>
void try_on(Entrant& entrant, Work&& work) {
  if (!entrant.contender) return;
  try {
    work(entrant);
  } catch (const Error& e) {
    entrant.times.left_out = e.what();
    entrant.contender.reset();
  }
}

OperatorTimes finish(Entrant& entrant) {
  if (!entrant.contender) return entrant.times;
  for (const Verb verb : kVerbs) {
    if (entrant.calls[verb] > 0) entrant.times.time_us[verb] = median(entrant.samples[verb]);
  }
  entrant.times.bytes = entrant.contender->bytes();
  return entrant.times;
}

}  // namespace

std::vector<OperatorTimes> measure(const BenchScene& scene, const Effort& effort, const LeftOut& left_out,
                                   const Field& field) {
  std::vector<Entrant> entrants;
  for (const BenchOperator& op : field.operators) entrants.push_back(make_entrant(op, scene, left_out));
  const auto on_all = [&](auto&& work) {
    for (const Verb verb : field.verbs) {
      for (Entrant& e : entrants) try_on(e, [&](Entrant& entrant) { work(entrant, verb, effort); });
    }
  };
  on_all(calibrate);
  for (int round = 0; round < effort.rounds; ++round) on_all(sample);
  std::vector<OperatorTimes> out;
  out.reserve(entrants.size());
  for (Entrant& e : entrants) out.push_back(finish(e));
  return out;
}

}  // namespace delassus::cli
