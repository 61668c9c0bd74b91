// Random numbers for generated code, and how what it answers is compared.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "delassus/constraints/state.hpp"
#include "delassus/io/scene.hpp"
#include "delassus/operators/condensed.hpp"
#include "generate/generate.hpp"
#include "support/random_system.hpp"

namespace delassus::test {

using DampingForm = GenerateOptions::DampingForm;

inline GenerateOptions with(GenerateOptions::Scalar scalar, GenerateOptions::Contacts contacts, DampingForm damping) {
  GenerateOptions options;
  options.name = "tested";
  options.scalar = scalar;
  options.contacts = contacts;
  options.damping = damping;
  return options;
}
/// Numbers that the code's hold.
class GeneratedNumbers {
 public:
  explicit GeneratedNumbers(bool is_float) : is_float_(is_float) {}

  double held(double x) const { return is_float_ ? static_cast<double>(static_cast<float>(x)) : x; }
  std::vector<double> list(int count, double bound) {
    std::vector<double> out(count);
    for (double& x : out) x = held(random_.uniform(-bound, bound));
    return out;
  }
  /// Up to `far` from that of the scene.
  std::vector<double> configuration(const Scene& scene, double far = 0.6) {
    const std::vector<double> way = list(scene.model.nv(), far);
    std::vector<double> q(scene.q.size());
    integrate(scene.model, VectorView<const double>(scene.q), VectorView<const double>(way), VectorView<double>(q));
    for (double& x : q) x = held(x);
    return q;
  }
  /// Between 1e-4 and 1; blocks that are positive definite, since off the diagonal is a tenth.
  std::vector<double> damping(const Scene& scene, DampingForm form) {
    const auto one = [&] { return held(std::pow(10.0, random_.uniform(-4, 0))); };
    if (form == DampingForm::kNumber) return {one()};
    std::vector<double> out;
    for (const Constraint& c : scene.constraints) {
      const int n = row_count(c);
      const double size = one();
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < (form == DampingForm::kRows ? 1 : n); ++j)
          out.push_back(form == DampingForm::kRows ? one() : held(i == j ? size : 0.1 * size));
      }
    }
    return out;
  }
  /// Contacts that have moved and turned, as the code takes them.
  std::vector<double> move_contacts(std::vector<Constraint>& constraints) {
    std::vector<double> given;
    for (Constraint& constraint : constraints) {
      auto* contact = std::get_if<PointContact>(&constraint);
      if (contact == nullptr) continue;
      for (double& x : contact->a.offset.p.a) given.push_back(x = held(x + random_.uniform(-0.02, 0.02)));
      contact->axes = random_.rotation() * contact->axes;
      for (double& x : contact->axes.a) given.push_back(x = held(x));
    }
    return given;
  }

 private:
  bool is_float_;
  samples::Random random_{11};
};

/// Largest difference relative to the largest number, none where all are zero; no number if one is none.
inline double difference(std::span<const double> a, std::span<const double> b) {
  double most = 0, error = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    most = std::max(most, std::abs(b[k]));
    const double e = std::abs(a[k] - b[k]);
    if (!(e <= error)) error = e;
  }
  return error == 0 ? 0 : error / most;
}

inline Damping<double> as_damping(const std::vector<double>& numbers, DampingForm form) {
  if (form == DampingForm::kNumber) return {numbers.front()};
  return form == DampingForm::kBlocks ? Damping<double>::blocks(numbers) : Damping<double>(numbers);
}

}  // namespace delassus::test
