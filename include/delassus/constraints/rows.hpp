// What every algorithm sees of constraints: RowStructure says which rows act on which links and joints, RowValues with which
// numbers, ForceSet which forces they have. Row order is the order of insertion.
//
//   row r of constraint e:  J_r ν = Σ_blocks (row of the block) · (motion of its link) + Σ_entries weight · ν
//
// Plans follow from the structure alone. It changes with the set of constraints; values change with the configuration (lower.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "delassus/math/boxed.hpp"
#include "delassus/math/pack.hpp"
#include "delassus/math/scalar.hpp"
#include "delassus/math/spatial.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

enum class SetKind : std::uint8_t {
  kEquality,      // any force; the rows' velocity is held
  kNonNegative,   // force >= 0: limits, frictionless contacts
  kBox,           // |force| <= bound: dry friction of joints
  kFrictionCone,  // row 0 is the normal; tangential, torsional and rolling force within the cone of its coefficients
};

/// The set that a constraint's force lies in: the other half of a constraint, kept apart from its kinematic map.
struct ForceSet {
  SetKind kind = SetKind::kEquality;
  double bound = std::numeric_limits<double>::infinity();  // kBox
  double mu = 0;                                           // kFrictionCone: sliding
  double mu_torsion = 0;                                   // metres
  double mu_rolling = 0;                                   // metres
  double mu_across = 0;  // sliding along t2, where it is another than along t1; else 0
  bool operator==(const ForceSet&) const = default;
};

/// Rows that act on one link. A point block holds its lever (from the link's origin to the point) and one direction
/// per row; a dense block holds six numbers per row (moment; force) about the link's origin. World axes.
struct RowBlock {
  enum class Kind : std::uint8_t { kPoint, kDense };
  std::int32_t link;
  std::int32_t first_row;
  std::int32_t rows;
  std::int32_t linear;  // point blocks: the first rows act on the point's velocity, the rest on the angular velocity
  std::int32_t value;   // first entry in RowValues::values
  Kind kind;
  LaneSet lanes = kAllLanes;  // of a fold (src/model/limb_model.hpp): those that have rows
  bool operator==(const RowBlock&) const = default;
};

/// How many entries of RowValues::values a block has.
inline int value_count(const RowBlock& block) {
  return block.kind == RowBlock::Kind::kPoint ? 3 + 3 * block.rows : 6 * block.rows;
}

/// A row acts on one joint velocity, with a weight.
struct JointEntry {
  std::int32_t row;
  std::int32_t v;
  bool operator==(const JointEntry&) const = default;
};

/// Which rows, blocks and entries belong to a constraint.
struct RowSpan {
  std::int32_t kind;  // index in the variant Constraint
  std::int32_t first_row, rows;
  std::int32_t first_block, blocks;
  std::int32_t first_entry, entries;
  bool operator==(const RowSpan&) const = default;
};

struct RowStructure {
  int num_rows() const { return spans.empty() ? 0 : spans.back().first_row + spans.back().rows; }
  int num_values() const { return blocks.empty() ? 0 : blocks.back().value + value_count(blocks.back()); }

  std::size_t bytes() const { return heap_bytes(spans, blocks, entries); }

  /// Gives the structure a number of its own. Whoever has changed it by hand calls this.
  void renew_identity();

  std::vector<RowSpan> spans;  // one per constraint
  std::vector<RowBlock> blocks;
  std::vector<JointEntry> entries;
  /// Structures of one number are equal: copies have that of the original. 0: nobody's.
  std::uint64_t identity = 0;
};

/// Whether two structures are the same; that of a copy is seen at a glance.
inline bool same_structure(const RowStructure& a, const RowStructure& b) {
  if (a.identity == b.identity && a.identity != 0) return true;
  return a.spans == b.spans && a.blocks == b.blocks && a.entries == b.entries;
}

template <class T>
struct RowValues {
  std::vector<T> values;   // of blocks
  std::vector<T> weights;  // one per entry
};

template <class T>
struct ConstraintRows : RowStructure, RowValues<T> {
  /// Structure changes allocate nothing while they stay within this many constraints of at most six rows, on at most
  /// two links or joints each. (More are possible: then memory grows.)
  void reserve(int constraints);

  /// Without its values and sets.
  void take_structure(const RowStructure& structure) {
    static_cast<RowStructure&>(*this) = structure;
    this->values.resize(structure.num_values());
    this->weights.resize(structure.entries.size());
  }
  /// Of rows of the same structure.
  void take_values(const ConstraintRows& other) {
    static_cast<RowValues<T>&>(*this) = other;
    identity = other.identity;
  }

  std::size_t bytes() const { return RowStructure::bytes() + heap_bytes(this->values, this->weights, sets); }

  std::vector<ForceSet> sets;  // one per constraint
};

/// f(row, v, weight) for every entry.
template <class T, class F>
DELASSUS_INLINE void for_each_entry(const ConstraintRows<T>& rows, F&& f) {
  for (std::size_t k = 0; k < rows.entries.size(); ++k) f(rows.entries[k].row, rows.entries[k].v, rows.weights[k]);
}

/// Row `row` of a block as the wrench of a unit force, about a point from which the link's origin lies `to_link` away.
template <class T>
DELASSUS_INLINE Force<T> row_wrench(const ConstraintRows<T>& rows, const RowBlock& block, int row,
                                    const Vec3<T>& to_link) {
  const T* value = &rows.values[block.value];
  if (block.kind == RowBlock::Kind::kDense) {
    const T* k = value + 6 * row;
    return shifted(Force<T>{{{k[0], k[1], k[2]}}, {{k[3], k[4], k[5]}}}, to_link);
  }
  const T* d = value + 3 + 3 * row;
  const Vec3<T> direction{{d[0], d[1], d[2]}};
  if (row >= block.linear) return {direction, Vec3<T>::zero()};
  const Vec3<T> lever{{value[0], value[1], value[2]}};
  return {cross(lever + to_link, direction), direction};
}

/// The size of the terms in a row's product with a motion: what rounding of the product goes with, however much they cancel.
template <class T>
DELASSUS_INLINE T size_of_terms(const Force<T>& row, const Motion<T>& motion) {
  T sum(0);
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) {
    const T turn = row.moment[c] * motion.angular[c], shift = row.force[c] * motion.linear[c];
    sum += max(turn, -turn) + max(shift, -shift);
  }
  return sum;
}

}  // namespace delassus
