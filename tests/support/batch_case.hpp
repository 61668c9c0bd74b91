// Many states of one mechanism, as arrays of a batch.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "delassus/batch/batch.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/scenes/load_named.hpp"
#include "support/compare.hpp"
#include "support/random_system.hpp"

namespace delassus::testing {

/// Mechanisms by name: scenes, "chain", and "random N" with constraints of all kinds.
struct Mechanism {
  explicit Mechanism(const std::string& name) : Mechanism(make(name)) {}
  Mechanism(const Model& m, std::vector<Constraint> list, std::vector<double> at)
      : model(m), constraints(std::move(list)), q(std::move(at)) {}

  static Mechanism make(const std::string& name) {
    if (name.starts_with("random ")) {
      const auto seed = static_cast<std::uint64_t>(std::stoi(name.substr(7)));
      Model model = samples::random_model(seed);
      std::vector<Constraint> constraints = samples::random_constraints(model, seed, 4);
      std::vector<double> q = samples::random_state(model, seed).q;
      return {model, std::move(constraints), std::move(q)};
    }
    if (name == "chain") {
      samples::System chain = samples::straight_chain_with_end_contact(12);
      return {chain.model, std::move(chain.constraints), std::move(chain.state.q)};
    }
    Scene scene = load_named(name);
    return {scene.model, std::move(scene.constraints), std::move(scene.q)};
  }

  Model model;
  std::vector<Constraint> constraints;
  std::vector<double> q;
};

/// Dense arrays, one row per environment. What environment e holds depends on e alone, not on how many there are.
template <class T>
struct BatchCase : Mechanism {
  BatchCase(const std::string& name, int count) : Mechanism(name), size(count) {
    batch_rows = 0;
    for (const Constraint& c : constraints) batch_rows += row_count(c);
    for (int e = 0; e < size; ++e) add_environment(e);
  }

  void add_environment(int e) {
    samples::Random random(static_cast<std::uint64_t>(e), 77);
    std::vector<double> step(model.nv()), at(model.nq());
    for (double& s : step) s = random.uniform(-0.3, 0.3);
    integrate(model, VectorView<const double>(q), VectorView<const double>(step), VectorView<double>(at));
    for (const double s : at) qs.push_back(static_cast<T>(s));
    for (std::vector<T>* list : {&vs, &as, &taus}) {
      for (int k = 0; k < model.nv(); ++k) list->push_back(static_cast<T>(random.uniform(-2, 2)));
    }
    for (int r = 0; r < batch_rows; ++r) xs.push_back(static_cast<T>(random.uniform(-1, 1)));
    for (int r = 0; r < batch_rows; ++r) dampings.push_back(static_cast<T>(random.uniform(0.01, 0.1)));
  }

  BatchView<const T> in(const std::vector<T>& list) const {
    return {list.data(), size, static_cast<int>(list.size()) / size};
  }
  BatchView<T> out(std::vector<T>& list, int components) const {
    list.assign(static_cast<std::size_t>(size) * components, T(-7));
    return {list.data(), size, components};
  }
  BatchMatrixView<T> matrix(std::vector<T>& list, int side) const {
    list.assign(static_cast<std::size_t>(size) * side * side, T(-7));
    return {list.data(), size, side, side};
  }
  /// The numbers of one environment, as doubles.
  std::vector<double> of(const std::vector<T>& list, int e) const {
    const auto n = static_cast<std::ptrdiff_t>(list.size()) / size;
    return {list.begin() + e * n, list.begin() + (e + 1) * n};
  }

  int size;
  int batch_rows;
  std::vector<T> qs, vs, as, taus, xs, dampings;
};

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace delassus::testing
