#include "bench/simulation/environments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "bench/measure/number.hpp"
#include "bench/simulation/bench_engine.hpp"
#include "delassus/batch/batch_simulator.hpp"

namespace delassus::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// An engine with all its environments.
class Crowd {
 public:
  virtual ~Crowd() = default;
  /// Steps of all. Returns how many of them that were.
  virtual long step(int count) = 0;
  virtual void describe(EnvironmentsRow& row) const = 0;

  EnvironmentsRow row;
  std::vector<double> rates;
};

class OwnCrowd final : public Crowd {
 public:
  OwnCrowd(const StepScene& scene, const SimulationSetup& setup, const EnvironmentsOptions& options, int threads)
      : batch_(setup, options.environments, {.threads = threads}) {
    const int size = batch_.size(), nv = setup.model.nv();
    std::vector<double> v(static_cast<std::size_t>(size) * static_cast<std::size_t>(nv));
    for (int e = 0; e < size; ++e) std::ranges::copy(push(scene, e), v.begin() + static_cast<std::ptrdiff_t>(e) * nv);
    const BatchView<const double> q(setup.q.data(), size, setup.model.nq(), 0, 1);
    batch_.reset({}, q, BatchView<const double>(v.data(), size, nv));
  }

  long step(int count) override {
    long steps = 0;
    for (int k = 0; k < count; ++k) {
      failed_ = batch_.step();
      for (const StepSummary& s : batch_.summaries()) {
        ++steps;
        in_lanes_ += s.in_lanes;
        iterations_ += s.iterations;
        residual_ = std::max(residual_, s.residual);
      }
    }
    steps_ += steps;
    return steps;
  }

  void describe(EnvironmentsRow& out) const override {
    const auto n = static_cast<double>(std::max(steps_, 1L));
    out.kilobytes = static_cast<double>(batch_.bytes()) / 1e3 / batch_.size();
    out.residual = residual_;
    out.share_in_lanes = static_cast<double>(in_lanes_) / n;
    out.iterations = static_cast<double>(iterations_) / n;
    out.failed = failed_;
  }

 private:
  BatchSimulator batch_;
  long steps_ = 0, in_lanes_ = 0, iterations_ = 0;
  double residual_ = 0;
  int failed_ = 0;
};

/// Some of MuJoCo's on each thread: its rate does not depend on how many there are.
class RivalCrowd final : public Crowd {
 public:
  static constexpr int kEach = 16;

  template <class Make>
  RivalCrowd(const StepScene& scene, const SimulationSetup& setup, int threads, Make&& make)
      : setup_(setup), threads_(threads) {
    for (int e = 0; e < kEach * threads; ++e) {
      engines_.push_back(make());
      engines_.back()->begin(setup.q, push(scene, e));
    }
  }

  long step(int count) override {
    const auto work = [&](int thread) {
      for (int e = thread * kEach; e < (thread + 1) * kEach; ++e) {
        for (int k = 0; k < count; ++k) engines_[static_cast<std::size_t>(e)]->step();
      }
    };
    std::vector<std::jthread> others;
    for (int t = 1; t < threads_; ++t) others.emplace_back(work, t);
    work(0);
    return static_cast<long>(count) * kEach * threads_;
  }

  void describe(EnvironmentsRow& out) const override {
    for (const auto& engine : engines_)
      out.residual = std::max(out.residual, judge_step(setup_.model, engine->last_step()).worst());
  }

 private:
  const SimulationSetup& setup_;
  const int threads_;
  std::vector<std::unique_ptr<BenchEngine>> engines_;
};

void finish(Crowd& crowd) {
  crowd.describe(crowd.row);
  std::ranges::sort(crowd.rates);
  crowd.row.steps_per_second = crowd.rates[crowd.rates.size() / 2];
}

}  // namespace

EnvironmentsResult measure_environments(const StepScene& scene, double dt, const EnvironmentsOptions& options) {
  const int threads =
      options.threads > 0 ? options.threads : static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  SimulationSetup setup = scene.setup;
  setup.options.dt = dt;
  std::vector<std::unique_ptr<Crowd>> crowds;
  const auto add = [&](const std::string& name, auto make) {
    const Clock::time_point begin = Clock::now();
    crowds.push_back(make());
    crowds.back()->row.engine = name;
    crowds.back()->row.construction_s = seconds_since(begin);
  };
  for (const double tolerance : options.tolerances) {
    SimulationSetup own = setup;
    own.options.tolerance = tolerance;
    add(fmt::format("delassus, {:.0e}", tolerance),
        [&] { return std::make_unique<OwnCrowd>(scene, own, options, threads); });
  }
#ifdef DELASSUS_HAS_MUJOCO
  add("MuJoCo, Newton", [&] {
    return std::make_unique<RivalCrowd>(scene, setup, threads,
                                        [&] { return make_mujoco_engine(setup, MujocoMethod::kNewton); });
  });
#endif
  const int turns = options.quick ? 3 : 15, steps = 20;
  for (int turn = 0; turn < turns; ++turn) {
    for (const auto& crowd : crowds) {
      const Clock::time_point begin = Clock::now();
      const long made = crowd->step(steps);
      crowd->rates.push_back(static_cast<double>(made) / seconds_since(begin));
    }
  }
  EnvironmentsResult out{scene.name, dt, options.environments, threads, {}};
  for (const auto& crowd : crowds) {
    finish(*crowd);
    out.engines.push_back(crowd->row);
  }
  return out;
}

std::string environments_head() {
  return "steps per second of all environments together, engines in turns; times MuJoCo's; worst residual of the law "
         "of contact\n";
}

std::string as_text(const EnvironmentsResult& result) {
  std::string out = fmt::format("\n{}, {:g} ms, {} environments, {} threads\n", result.scene, 1e3 * result.dt,
                                result.environments, result.threads);
  const auto rival = std::ranges::find(result.engines, "MuJoCo, Newton", &EnvironmentsRow::engine);
  for (const EnvironmentsRow& row : result.engines) {
    out += fmt::format("  {:<18}{:>12.0f}", row.engine, row.steps_per_second);
    const bool own = row.engine != "MuJoCo, Newton";
    out += own && rival != result.engines.end()
               ? fmt::format("{:>8.2f}x", row.steps_per_second / rival->steps_per_second)
               : fmt::format("{:>9}", "");
    out += fmt::format("  {:.1e} m/s", row.residual);
    if (own)
      out += fmt::format("  {:.1f} % in lanes, {:.1f} iterations, made in {:.2f} s, {:.1f} kB each, {} failed",
                         100 * row.share_in_lanes, row.iterations, row.construction_s, row.kilobytes, row.failed);
    out += "\n";
  }
  return out;
}

nlohmann::json as_json(const EnvironmentsResult& result) {
  nlohmann::json out{{"name", result.scene},
                     {"dt", result.dt},
                     {"environments", result.environments},
                     {"threads", result.threads},
                     {"engines", nlohmann::json::array()}};
  for (const EnvironmentsRow& row : result.engines) {
    out["engines"].push_back({{"engine", row.engine},
                              {"steps_per_second", row.steps_per_second},
                              {"construction_s", row.construction_s},
                              {"kilobytes_each", row.kilobytes},
                              {"residual", row.residual},
                              {"share_in_lanes", row.share_in_lanes},
                              {"iterations", row.iterations},
                              {"failed", row.failed}});
  }
  return out;
}

}  // namespace delassus::cli
