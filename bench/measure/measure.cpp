#include "bench/measure/measure.hpp"

#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

/// An operator and what was measured of it so far.
struct Entrant {
  OperatorTimes times;
  std::unique_ptr<Contender> contender;    // none if it is left out
  ByVerb<std::optional<TimedCall>> calls;  // none for verbs that it does not have
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

void calibrate(Entrant& entrant, Verb verb, const Effort& effort) {
  Contender* contender = entrant.contender.get();
  if (!contender->has(verb)) return;
  contender->prepare(verb);
  TimedCall call(std::string(name_of(verb)), [=](std::int64_t calls) { contender->call(verb, calls); });
  call.calibrate(effort);
  entrant.calls[verb] = std::move(call);
}

void sample(Entrant& entrant, Verb verb, const Effort& effort) {
  if (!entrant.calls[verb]) return;
  entrant.contender->prepare(verb);
  entrant.calls[verb]->sample(effort);
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
  for (const Verb verb : kAllVerbs) {
    if (entrant.calls[verb]) entrant.times.time_us[verb] = entrant.calls[verb]->median_us();
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
