// What the rows of a contact problem yield: weights for solvers, so that metres and radians, joints and contacts, which differ by orders of
// magnitude, are treated alike.
//
// The whole diagonal of Λ⁻¹ costs as much as many iterations of a solver. So contacts count as alike, and their mean comes from products with
// signs without a pattern: each entry of the product times its sign is that of the diagonal, but for what the other rows add, which vanishes
// on average. Translations and rotations have products of their own, without any other rows: then what comes out is xᵀΛ⁻¹x, and cannot be
// negative. One product is enough where there are many contacts; else a panel of them. Rows that are not of contacts, which differ more,
// get their own entry of the diagonal. Methods that need few steps, of which each costs as much as the diagonal, have each contact's own.
#pragma once

#include <array>
#include <vector>

#include "delassus/operators/delassus_operator.hpp"
#include "delassus/solvers/contact_problem.hpp"

namespace delassus {

class RowMobility {
 public:
  /// Memory for so many rows; find allocates beyond only.
  void reserve(int rows);

  void find(OperatorRef<double> op, const ContactProblem& problem);
  /// The same with each contact's own mean instead of that of all.
  void find_each(OperatorRef<double> op, const ContactProblem& problem);

  /// The size of Λ⁻¹: the mean of its diagonal.
  double scale() const { return scale_; }
  /// Per row, mobility over the scale: one for all where there are but contacts with friction of sliding.
  const std::vector<double>& weights() const { return weights_; }
  /// Per row, metres per second that a unit impulse gives, compliance included.
  const std::vector<double>& mobility() const { return mobility_; }
  /// The same of each row by itself, as certificates take it; of find_each.
  const std::vector<double>& own_mobility() const { return own_; }

 private:
  static constexpr int kColumns = 8;

  void apply_columns(OperatorRef<double> op, int rows);
  /// Entry of columns_ where those begin that this row has signs in.
  std::size_t first_column(std::size_t row, bool translation) const {
    return row * kColumns + static_cast<std::size_t>(translation ? 0 : kColumns - width_);
  }
  void begin(const ContactProblem& problem);
  void draw_signs(const ContactProblem& problem);
  void average(const ContactProblem& problem);
  void average_each(const ContactProblem& problem);
  bool list_columns(const ContactProblem& problem);
  void read_columns();
  void finish(const ContactProblem& problem);

  double scale_ = 1;
  std::vector<double> weights_, mobility_, own_, probe_, product_, columns_, panel_;
  std::array<int, kColumns> rows_{};  // of the columns
  int count_ = 0;                     // of them
  std::size_t constraint_ = 0;        // where to look for the next row
  int row_ = 0;                       // within it
  int width_ = kColumns;              // columns of signs for each of translations and rotations
  bool alike_ = true;                 // all rows are translations of contacts
  bool many_ = false;                 // and there are so many of them that one product is enough
};

}  // namespace delassus
