// An operator on a scene as the benchmark sees it, whatever its type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "bench/measure/rig.hpp"
#include "bench/measure/verb.hpp"
#include "delassus/math/counted.hpp"
#include "delassus/operators/operation_counts.hpp"

namespace delassus::cli {

class Contender {
 public:
  Contender() = default;
  virtual ~Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

  virtual bool has(Verb verb) const = 0;
  /// Does what has to come before the verb and is not part of it.
  virtual void prepare(Verb verb) = 0;
  /// Many calls at once: a virtual call would be a tenth of the shortest product. Throws an Error where the scene is singular.
  virtual void call(Verb verb, std::int64_t times) = 0;
  virtual std::size_t bytes() const = 0;
};

template <template <class> class Op>
class ContenderOf final : public Contender {
 public:
  explicit ContenderOf(const BenchScene& scene) : rig_(scene) { rig_.factor(); }

  bool has(Verb verb) const override {
    return Rig::kDamped || verb == Verb::kProductFromQ || verb == Verb::kProduct || verb == Verb::kMatrixFromQ;
  }

  void prepare(Verb verb) override {
    if constexpr (Rig::kDamped) {
      if (verb == Verb::kSolve && !damped_) {
        rig_.redamp();
        damped_ = true;
      }
    }
  }

  void call(Verb verb, std::int64_t times) override {
    if (verb == Verb::kProductFromQ) {
      repeat(times, [&] {
        rig_.factor();
        rig_.apply();
      });
      damped_ = false;
    }
    if (verb == Verb::kProduct) repeat(times, [&] { rig_.apply(); });
    if (verb == Verb::kMatrixFromQ) {
      repeat(times, [&] {
        rig_.factor();
        rig_.dense();
      });
      damped_ = false;
    }
    if constexpr (Rig::kDamped) call_damped(verb, times);
  }

  std::size_t bytes() const override { return rig_.bytes(); }

 private:
  using Rig = BenchRig<Op<double>, double>;

  void call_damped(Verb verb, std::int64_t times) {
    if (verb == Verb::kSolveFromQ) {
      repeat(times, [&] {
        rig_.factor();
        rig_.redamp();
        rig_.solve();
      });
      damped_ = true;
    }
    if (verb == Verb::kSolve) repeat(times, [&] { rig_.solve(); });
    if (verb == Verb::kRedampSolve) {
      repeat(times, [&] {
        rig_.redamp();
        rig_.solve();
      });
      damped_ = true;
    }
    if (verb == Verb::kRedampContactsSolve) {
      repeat(times, [&] {
        rig_.redamp_contacts();
        rig_.solve();
      });
      damped_ = true;
    }
  }

  template <class Work>
  static void repeat(std::int64_t times, Work&& work) {
    for (std::int64_t k = 0; k < times; ++k) work();
  }

  Rig rig_;
  bool damped_ = false;
};

/// Nothing for the verbs that the operator does not have.
using VerbOperations = ByVerb<std::optional<std::int64_t>>;

/// Every stage is run once on numbers that count.
template <template <class> class Op>
VerbOperations count_verbs(const BenchScene& scene) {
  using Rig = BenchRig<Op<Counted>, Counted>;
  Rig rig(scene);
  VerbOperations out;
  const auto count = [](auto&& work) { return count_operations(work).total(); };
  const std::int64_t from_q = count([&] { rig.factor(); });
  const std::int64_t product = count([&] { rig.apply(); });
  out[Verb::kProductFromQ] = from_q + product;
  out[Verb::kProduct] = product;
  out[Verb::kMatrixFromQ] = from_q + count([&] { rig.dense(); });
  if constexpr (Rig::kDamped) {
    const std::int64_t damping = count([&] { rig.redamp(); });
    const std::int64_t solve = count([&] { rig.solve(); });
    out[Verb::kSolveFromQ] = from_q + damping + solve;
    out[Verb::kSolve] = solve;
    out[Verb::kRedampSolve] = damping + solve;
    rig.redamp_contacts();  // once, so that what is kept is there
    out[Verb::kRedampContactsSolve] = count([&] { rig.redamp_contacts(); }) + solve;
  }
  return out;
}

/// Of an operator that has products only, call by call, without what all operators share.
template <template <class> class Op>
OperatorCount count_calls(const BenchScene& scene) {
  BenchRig<Op<Counted>, Counted> rig(scene);
  rig.place();
  const auto count = [](auto&& work) { return count_operations(work).total(); };
  OperatorCount out;
  out.factor = count([&] { rig.factor_placed(); });
  out.matrix = count([&] { rig.dense(); });
  out.product = count([&] { rig.apply(); });
  return out;
}

/// Λ⁻¹ at the scene's own configuration, row by row.
template <template <class> class Op>
std::vector<double> matrix_of(const BenchScene& scene) {
  BenchRig<Op<double>, double> rig(scene);
  rig.factor();
  return rig.dense();
}

/// Of (Λ⁻¹ + kDampings[0]) z = x there; nothing if the operator has products only.
template <template <class> class Op>
std::optional<std::vector<double>> solution_of(const BenchScene& scene) {
  BenchRig<Op<double>, double> rig(scene);
  rig.factor();
  if constexpr (!decltype(rig)::kDamped)
    return std::nullopt;
  else {
    rig.redamp();
    rig.solve();
    return rig.solution();
  }
}

}  // namespace delassus::cli
