// Whether any forces can do what a contact problem asks. They cannot if there is a push that nothing feels against what has to be
// stopped:
//
//   y in the sets, (Λ⁻¹ + R) y = 0, gᵀy < 0
//
// since then yᵀσ = gᵀy for any forces, and velocities that obey the law have yᵀσ >= 0. Solvers that run into it approach velocities σ of
// which a part is left over that no force changes, and that part is y. One constraint in y is one that nothing moves; several contradict
// each other. With Coulomb's law y has normals alone, whose velocities are all that it bounds.
#pragma once

#include <bit>
#include <span>
#include <vector>

#include "delassus/operators/delassus_operator.hpp"
#include "delassus/solvers/contact_problem.hpp"

namespace delassus {

/// Where a solver stands.
struct ContactStand {
  std::span<const ForceBlock> blocks;
  VectorView<const double> weights;  // W, the metric that it works in, one per row
  double scale;                      // the size of Λ⁻¹, over that of W
  VectorView<const double> sigma;    // velocities of its forces
  double tolerance;                  // m/s
};

class ContactContradiction {
 public:
  /// Memory for so many rows; find allocates beyond only.
  void reserve(int rows);

  /// Whether velocities that are as good as they get show one. One product, and the diagonal of Λ⁻¹ if that says yes. False where no proof
  /// was found.
  bool find(OperatorRef<double> op, const ContactProblem& problem, const ContactStand& at);
  /// The same where a solver gives up, and others may be as far off: the diagonal says which constraints nothing moves.
  bool find_last(OperatorRef<double> op, const ContactProblem& problem, const ContactStand& at);

  /// Whether to look for one, with find, after so many iterations: after `first`, twice as many, four times, ...
  static bool is_due(int iterations, int first) {
    return iterations > 0 && iterations % first == 0 && std::has_single_bit(static_cast<unsigned>(iterations / first));
  }

  /// Of the last that was found: the constraint with the largest part in it, and the next; -1: there is no other.
  int constraint() const { return constraint_; }
  int against() const { return against_; }

 private:
  bool begin(const ContactProblem& problem, const ContactStand& at);
  double name_parts(const ContactStand& at);
  bool yields_little(const ContactProblem& problem, const ContactStand& at);
  bool holds(const ContactProblem& problem, const ContactStand& at) const;
  bool has_immovable(const ContactProblem& problem, const ContactStand& at);
  double mobility_of(const ContactProblem& problem, const ForceBlock& block) const;

  int constraint_ = -1, against_ = -1;
  double square_ = 0, yielded_ = 0;                // yᵀWy, yᵀ (Λ⁻¹ + R) y
  std::vector<double> push_, product_, mobility_;  // y, Λ⁻¹ y, diagonal
};

/// The status of a solve that ended for the certificate's reason, which becomes another where rounding may hide more than the tolerance. An
/// infeasible one has the constraints of the contradiction.
Status conclude(ContactCertificate& certificate, double tolerance, const ContactContradiction& contradiction,
                std::span<const ForceBlock> blocks);

}  // namespace delassus
