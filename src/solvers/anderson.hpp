// Extrapolation of a fixed-point iteration u ← u + f(u) from its last steps: Anderson's method (type II of Walker, Ni, "Anderson
// acceleration for fixed-point iterations", 2011). The next point is the combination of the last ones whose steps f, combined likewise,
// nearly cancel.
#pragma once

#include <cstddef>
#include <vector>

#include "delassus/math/view.hpp"
#include "math/aligned_vector.hpp"

namespace delassus {

class Anderson {
 public:
  /// Steps that are remembered; 0: plain steps.
  explicit Anderson(int memory) : memory_(memory) {}

  /// Memory for vectors of that size; begin allocates beyond only.
  void reserve(int size);
  /// Forgets everything; vectors have that size from now on.
  void begin(int size);
  void forget() { count_ = 0, fresh_ = true; }

  /// u ← the next point. `weights` are those of the norm in which steps should cancel: squares of entries count so much. Forgets what
  /// is older where the step is more than twice as long as the last one: then extrapolating led astray.
  void advance(VectorView<double> u, VectorView<const double> step, VectorView<const double> weights);

 private:
  double keep(VectorView<const double> u, VectorView<const double> step, VectorView<const double> weights);
  void multiply();
  bool find_combination();
  double* column(AlignedVector<double>& store, int k) {
    return store.data() + static_cast<std::ptrdiff_t>(k) * stride_;
  }

  int memory_ = 0, size_ = 0;
  int stride_ = 0;            // entries from one vector to the next: whole chunks, with zeros at the end
  int count_ = 0, next_ = 0;  // differences that are there, and where the next one goes
  bool fresh_ = true;         // no step is known
  double last_norm_ = 0;
  AlignedVector<double> step_, target_;                    // of the last call: f, and u + f
  AlignedVector<double> weighted_step_, weighted_change_;  // times their weights: f, and the newest difference
  AlignedVector<double> steps_, targets_;  // differences of those of calls that follow each other, one after the other
  std::vector<double> products_;           // of differences of steps with each other
  std::vector<double> right_;              // their products with the step, then the combination
  AlignedVector<double> factor_;           // both, while the combination is found
};

}  // namespace delassus
