#include "bench/batch/batch.hpp"
#include "delassus/math/error.hpp"
#include "model/splitmix.hpp"

namespace delassus::cli {
namespace {

std::vector<double> random_numbers(std::size_t count, double size, SplitMix& random) {
  std::vector<double> out(count);
  for (double& x : out) x = random.uniform(-size, size);
  return out;
}

/// An entry and what was measured of it so far.
struct Entrant {
  BatchEntry entry;
  BatchPoint point;
  ByBatchVerb<TimedCall> calls;  // none for verbs that it does not have, or that failed
};

/// A verb that fails has no time.
template <class Work>
void try_on(Entrant& entrant, BatchVerb verb, Work&& work) {
  try {
    work(entrant, verb);
  } catch (const Error& e) {
    entrant.point.left_out[std::string(name_of(verb))] = e.what();
    entrant.calls[verb].reset();
  }
}

void calibrate(Entrant& entrant, BatchVerb verb, const Effort& effort) {
  BatchContender* contender = entrant.entry.contender.get();
  if (!contender->has(verb)) return;
  TimedCall call(std::string(name_of(verb)), [=](std::int64_t calls) {
    for (std::int64_t k = 0; k < calls; ++k) contender->call(verb);
  });
  call.calibrate(effort);
  entrant.calls[verb] = std::move(call);
}

Entrant make_entrant(BatchEntry entry, int size) {
  BatchPoint point{size, entry.name, entry.scalar, entry.threads, {}, {}};
  return {std::move(entry), std::move(point), {}};
}

/// Loops of other libraries that were there for the build.
std::vector<BatchEntry> peer_entries([[maybe_unused]] const BatchStates& states) {
  std::vector<BatchEntry> out;
  [[maybe_unused]] const auto add = [&](BatchEntry (*make)(const BatchStates&)) {
    try {
      out.push_back(make(states));
    } catch (const Error&) {
      // It has no joints of some kind: then there is nothing to compare with.
    }
  };
#ifdef DELASSUS_HAS_MUJOCO
  add(mujoco_entry);
#endif
#ifdef DELASSUS_HAS_PINOCCHIO
  add(pinocchio_entry);
#endif
  return out;
}

std::vector<Entrant> make_entrants(const BatchStates& states, const BatchBenchOptions& options) {
  std::vector<Entrant> out;
  for (BatchEntry& entry : lane_entries(states, options)) out.push_back(make_entrant(std::move(entry), states.size()));
  for (BatchEntry& entry : loop_entries(states)) out.push_back(make_entrant(std::move(entry), states.size()));
  for (BatchEntry& entry : peer_entries(states)) out.push_back(make_entrant(std::move(entry), states.size()));
  return out;
}

/// Takes turns between all, so that a disturbance meets all of them.
std::vector<BatchPoint> measure_size(const BatchStates& states, const BatchBenchOptions& options,
                                     const Effort& effort) {
  std::vector<Entrant> entrants = make_entrants(states, options);
  const auto on_all = [&](auto&& work) {
    for (const BatchVerb verb : kBatchVerbs) {
      for (Entrant& entrant : entrants) try_on(entrant, verb, work);
    }
  };
  on_all([&](Entrant& entrant, BatchVerb verb) { calibrate(entrant, verb, effort); });
  for (int round = 0; round < effort.rounds; ++round) {
    on_all([&](Entrant& entrant, BatchVerb verb) {
      if (entrant.calls[verb]) entrant.calls[verb]->sample(effort);
    });
  }
  std::vector<BatchPoint> out;
  for (Entrant& entrant : entrants) {
    for (const BatchVerb verb : kBatchVerbs) {
      if (entrant.calls[verb]) entrant.point.environment_us[verb] = entrant.calls[verb]->median_us() / states.size();
    }
    out.push_back(std::move(entrant.point));
  }
  return out;
}

}  // namespace

BatchStates::BatchStates(const std::string& name, const Scene& from, int size) : scene(name, from, size) {
  SplitMix random(2);
  const std::size_t joints = static_cast<std::size_t>(size) * scene.model.nv();
  v = random_numbers(joints, 0.1, random);
  tau = random_numbers(joints, 1, random);
  x = random_numbers(static_cast<std::size_t>(size) * scene.rows, 1, random);
}

BatchResult measure_batch(const std::string& name, const Scene& scene, const BatchBenchOptions& options,
                          const Effort& effort, double peak_gflops) {
  const BatchStates one(name, scene, 1);
  BatchResult out{name, scene.model.nv(), one.scene.rows, peak_gflops, count_batch(one), {}};
  for (const int size : options.sizes) {
    const BatchStates states(name, scene, size);
    for (BatchPoint& point : measure_size(states, options, effort)) out.points.push_back(std::move(point));
  }
  return out;
}

}  // namespace delassus::cli
