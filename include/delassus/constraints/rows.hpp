// ConstraintRows: what every algorithm sees of constraints. Row order is the order of insertion.
//
//   row r of constraint e:  J_r ν = Σ_blocks (row of the block) · (motion of its link) + Σ_entries weight · ν
//
// Structure (which links, how many rows) and values (which numbers) are filled by separate calls (lower.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "delassus/constraints/set.hpp"
#include "delassus/math/heap_bytes.hpp"
#include "delassus/math/spatial.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

/// Rows that act on one link. A point block holds its lever (from the link's origin to the point) and one direction
/// per row; a dense block holds six numbers per row (moment; force) about the link's origin. World axes.
struct RowBlock {
  enum class Kind : std::uint8_t { kPoint, kDense };
  std::int32_t link;
  std::int32_t first_row;
  std::int32_t rows;
  std::int32_t linear;  // point blocks: the first rows act on the point's velocity, the rest on the angular velocity
  std::int32_t value;   // first entry in ConstraintRows::values
  Kind kind;
  LaneSet lanes = kAllLanes;  // of a fold (model/limb_model.hpp): those that have rows
  bool operator==(const RowBlock&) const = default;
};

/// One weight on one joint velocity.
template <class T>
struct JointEntry {
  std::int32_t row;
  std::int32_t v;
  T weight;
};

/// Which rows, blocks and entries belong to a constraint.
struct RowSpan {
  std::int32_t kind;  // index in the variant Constraint
  std::int32_t first_row, rows;
  std::int32_t first_block, blocks;
  std::int32_t first_entry, entries;
  bool operator==(const RowSpan&) const = default;
};

template <class T>
struct ConstraintRows {
  int num_rows() const { return spans.empty() ? 0 : spans.back().first_row + spans.back().rows; }

  /// Structure changes allocate nothing while they stay within this many constraints of at most six rows, on at most
  /// two links or joints each. (More are possible: then memory grows.)
  void reserve(int constraints);

  std::size_t bytes() const { return heap_bytes(spans, sets, blocks, entries, values); }

  // Structure.
  std::vector<RowSpan> spans;  // one per constraint
  std::vector<ForceSet> sets;  // one per constraint
  std::vector<RowBlock> blocks;
  std::vector<JointEntry<T>> entries;
  // Values, beside the weights of the entries.
  std::vector<T> values;
};

/// Whether two sets of rows differ in nothing but values and sets.
template <class T>
bool same_structure(const ConstraintRows<T>& a, const ConstraintRows<T>& b) {
  if (a.spans != b.spans || a.blocks != b.blocks || a.entries.size() != b.entries.size()) return false;
  for (std::size_t k = 0; k < a.entries.size(); ++k) {
    if (a.entries[k].row != b.entries[k].row || a.entries[k].v != b.entries[k].v) return false;
  }
  return true;
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

}  // namespace delassus
