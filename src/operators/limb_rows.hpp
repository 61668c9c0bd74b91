// Rows of constraints in the lanes of a fold (model/limb_model.hpp): constraints of one kind that act on the same links of the
// fold, each on its own limb, become one. On the trunk any like constraints do. Lanes without one have rows of zeros.
#pragma once

#include <memory>
#include <vector>

#include "delassus/constraints/rows.hpp"
#include "model/limb_model.hpp"

namespace delassus {

struct CondensedPlan;

/// The fold of a robot; null where it does not pay, or where solves are checked because masses differ much: a fold knows no masses of
/// its own.
std::shared_ptr<const LimbModel> limbs_to_fold(const Model& model);

/// Whether elimination can go lane by lane: what all lanes share goes last, and a limb whose lanes have different parents is
/// coupled to nothing else.
bool can_eliminate_in_lanes(const CondensedPlan& plan);

class LimbRows {
 public:
  /// False if some constraint acts on limbs in different lanes: then there is no such form.
  bool update_structure(const LimbModel& limbs, const RowStructure& rows);
  /// Into values of structure().
  void fold_values(const RowValues<double>& rows, RowValues<Limbs>& out) const;

  const RowStructure& structure() const { return rows_; }
  int num_rows() const { return rows_.num_rows(); }
  /// The first row of the robot that a row of the fold stands for.
  int first_source(int row) const;

  /// What lanes without a row get.
  enum class Padding : std::uint8_t { kZeros, kOnes };
  /// Vectors with one entry per row of the robot, and with one per row of the fold.
  void fold(const double* x, Padding padding, Limbs* out) const;
  void unfold(const Limbs* x, double* out) const;
  /// Blocks of damping, as Damping::blocks has them; lanes without a constraint get the unit matrix.
  void fold_blocks(const double* blocks, std::vector<Limbs>& out) const;

  std::size_t bytes() const;

 private:
  /// Of a constraint of the fold: where its lanes come from.
  struct Origin {
    LimbSource constraint{-1, -1, -1, -1};
    LimbSource first_row{-1, -1, -1, -1};
    bool joints_of_trunk = false;
  };

  bool find_lane(const LimbModel& limbs, const RowStructure& rows, const RowSpan& span, int& lane,
                 bool& joints_of_trunk) const;
  bool is_like(const LimbModel& limbs, const RowStructure& rows, const RowSpan& span, int folded) const;
  int find_place(const LimbModel& limbs, const RowStructure& rows, const RowSpan& span, int& lane) const;
  void add_constraint(const LimbModel& limbs, const RowStructure& rows, const RowSpan& span);
  void fill_lane(const RowStructure& rows, const RowSpan& span, int folded, int lane);

  RowStructure rows_;                               // of the fold
  std::vector<Origin> origins_;                     // per constraint of the fold
  std::vector<LimbSource> block_sources_;           // per block: first value
  std::vector<LimbSource> entry_sources_;           // per entry
  std::vector<std::int32_t> first_entry_of_block_;  // per constraint of the robot, in a list of blocks of damping
  std::vector<double> zeros_, ones_;                // values of lanes without
};

}  // namespace delassus
