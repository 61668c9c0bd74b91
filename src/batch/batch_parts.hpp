// What a Batch is made of, and how its verbs run over blocks.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "batch/blocks.hpp"
#include "batch/engine.hpp"
#include "batch/kept_factors.hpp"
#include "batch/scalar_solvers.hpp"
#include "batch/shapes.hpp"
#include "batch/threads.hpp"
#include "delassus/batch/batch.hpp"

namespace delassus {

template <class T>
std::unique_ptr<BatchEngine<T>> make_engine(const Model& model, const BatchSets& sets, const BatchOptions& options) {
  if constexpr (std::is_same_v<T, float>) {
    return make_engine_float(model, sets, options);
  } else {
    return make_engine_double(model, sets, options);
  }
}

template <class T>
class Batch<T>::Parts {
 public:
  using In = BatchView<const T>;
  using Out = BatchView<T>;

  Parts(const Model& model, int size, const BatchOptions& options);

  /// Blocks of the constraints at hand, with engines that are ready for them.
  const BlockList& prepare();
  /// Solvers for each thread; contacts with these options.
  void make_solvers(const std::optional<AdmmOptions>& contacts);

  /// Runs verb(engine, block, index of the block) on all blocks, and again with each environment alone where those of a block do not
  /// go together. spoil(environment) writes what stands for no result. Returns how many statuses are not ok.
  template <class Verb, class Spoil>
  int run(const BlockList& blocks, Verb&& verb, Spoil&& spoil) {
    threads.for_each(blocks.size(), kGrain, [&](int thread, int index) {
      BatchEngine<T>& engine = *engines[static_cast<std::size_t>(thread)];
      const BatchBlock block = blocks[index];
      if (const Outcome outcome = verb(engine, block, index); outcome.together()) {
        for (int lane = 0; lane < block.count; ++lane) {
          statuses[block.environment[lane]] = outcome.each ? outcome.each[lane] : Status{};
        }
        return;
      }
      for (int lane = 0; lane < block.count; ++lane) {
        std::array<std::int32_t, kMostLanes> same;
        same.fill(block.environment[lane]);
        const Status status = verb(engine, BatchBlock{block.structure, same.data(), 1, false, true}, index).status;
        if (!has_result(status)) spoil(same[0]);
        statuses[same[0]] = status;
      }
    });
    return count_failures();
  }
  /// Runs verb(solvers, environment) on all environments.
  template <class Verb, class Spoil>
  int run_each(Verb&& verb, Spoil&& spoil_one);
  int count_failures() const {
    return static_cast<int>(
        std::count_if(statuses.begin(), statuses.end(), [](const Status& status) { return !status.ok(); }));
  }

  /// Writes NaN for an environment; rows beyond its own stay zero.
  void spoil(const Out& out, int environment, int components) const {
    for (int c = 0; c < out.components(); ++c) {
      out(environment, c) = c < components ? std::numeric_limits<T>::quiet_NaN() : T(0);
    }
  }
  void spoil(const BatchMatrixView<T>& out, int environment, int side) const {
    for (int r = 0; r < out.rows(); ++r) spoil(out.row(r), environment, r < side ? side : 0);
  }
  int rows(int environment) const { return constraints.structure_of(environment).rows; }

  void require_joint(std::string_view argument, const In& view) const {
    require_shape(argument, view, size, model.nv(), "one number per degree of freedom");
  }
  void require_q(const In& view) const { require_shape("q", view, size, model.nq(), "nq coordinates each"); }
  void require_rows(std::string_view argument, const In& view) const {
    require_shape(argument, view, size, constraints.sizes().rows, "as many numbers as max_rows()");
  }
  void require_damping(const BatchDamping<T>& damping) const;
  void require_update(const char* verb) const;

  Model model;
  int size;
  BatchOptions options;
  BatchThreads threads;
  BatchSets sets;
  std::vector<std::unique_ptr<BatchEngine<T>>> engines;  // one per thread
  BatchConstraints constraints;
  BlockList everyone;  // blocks for what has no constraints
  std::vector<Status> statuses;
  std::vector<ContactCertificate> certificates;
  KeptFactors<T> kept;
  std::vector<std::unique_ptr<ScalarSolvers<T>>> solvers;  // one per thread

 private:
  std::vector<std::unique_ptr<BatchEngine<T>>> make_engines() const;

  static constexpr int kMostLanes = 16;
  /// Blocks that stay on one thread at least: some microseconds of work.
  static constexpr int kGrain = 2;
};

}  // namespace delassus
