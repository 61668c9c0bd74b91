// An operator whose algorithm is chosen at run time.
#pragma once

#include <utility>
#include <variant>

#include "delassus/operators/algorithm.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/operators/explicit_operator.hpp"
#include "delassus/operators/generated_delassus.hpp"
#include "delassus/operators/kkt.hpp"
#include "delassus/operators/lcaba.hpp"
#include "delassus/operators/matrix_free.hpp"

namespace delassus {

/// The verbs of operator.hpp, and those that make it ready, handed on to the algorithm.
template <class T>
class AnyDelassus {
 public:
  // In the order of Algorithm.
  using Operator =
      std::variant<DenseDelassus<T>, LtlDelassus<T>, KjrDelassus<T>, ChangKhatibDelassus<T>, EfpaDelassus<T>,
                   PvOsimDelassus<T>, PvOsimrDelassus<T>, KktDelassus<T>, LcabaDelassus<T>, CondensedDelassus<T>,
                   LimbDelassus<T>, MatrixFreeDelassus<T>, ThreeMapsDelassus<T>, GeneratedDelassus<T>>;
  static_assert(std::variant_size_v<Operator> == kAllAlgorithms.size() + 1);

  AnyDelassus(Algorithm algorithm, const Model& model) : operator_(make(algorithm, model)) {}
  AnyDelassus(Algorithm algorithm, const Model& model, const RowStructure& rows) : AnyDelassus(algorithm, model) {
    update_structure(model, rows);
  }
  explicit AnyDelassus(const State<T>& state, Algorithm algorithm = Algorithm::kCondensed)
      : AnyDelassus(algorithm, state.model(), state.rows()) {}
  /// One that is there already: with options of its own.
  explicit AnyDelassus(Operator op) : operator_(std::move(op)) {}

  Algorithm algorithm() const { return static_cast<Algorithm>(operator_.index()); }
  /// The operator itself, for what only its algorithm has.
  const Operator& held() const { return operator_; }
  Operator& held() { return operator_; }

  void update_structure(const Model& model, const RowStructure& rows) {
    std::visit([&](auto& op) { op.update_structure(model, rows); }, operator_);
  }
  Status factor(const StateView<T>& at) {
    return std::visit([&](auto& op) { return op.factor(at); }, operator_);
  }
  int rows() const {
    return std::visit([](const auto& op) { return op.rows(); }, operator_);
  }
  CallStatus apply(In<T> x, Out<T> y) const {
    return std::visit([&](const auto& op) { return op.apply(x, y); }, operator_);
  }
  CallStatus apply_panel(MatrixIn<T> x, MatrixOut<T> y) const {
    return std::visit([&](const auto& op) { return op.apply_panel(x, y); }, operator_);
  }
  CallStatus joint_response(In<T> x, Out<T> acceleration) const {
    return std::visit([&](const auto& op) { return op.joint_response(x, acceleration); }, operator_);
  }
  Status update_damping(const Damping<T>& damping) {
    return std::visit([&](auto& op) { return op.update_damping(damping); }, operator_);
  }
  Status solve(In<T> b, Out<T> z) const {
    return std::visit([&](const auto& op) { return op.solve(b, z); }, operator_);
  }
  Status solve_panel(MatrixIn<T> b, MatrixOut<T> z) const {
    return std::visit([&](const auto& op) { return op.solve_panel(b, z); }, operator_);
  }
  CallStatus dense(MatrixOut<T> matrix) const {
    return std::visit([&](const auto& op) { return op.dense(matrix); }, operator_);
  }
  CallStatus diagonal(Out<T> out) const {
    return std::visit([&](const auto& op) { return op.diagonal(out); }, operator_);
  }
  std::size_t bytes() const {
    return std::visit([](const auto& op) { return op.bytes(); }, operator_);
  }

 private:
  template <std::size_t kIndex = 0>
  static Operator make(Algorithm algorithm, const Model& model) {
    if constexpr (kIndex + 1 < std::variant_size_v<Operator>) {
      if (static_cast<std::size_t>(algorithm) != kIndex) return make<kIndex + 1>(algorithm, model);
    }
    return Operator(std::in_place_index<kIndex>, model);
  }

  Operator operator_;
};

static_assert(DelassusOperator<AnyDelassus<double>, double>);

}  // namespace delassus
