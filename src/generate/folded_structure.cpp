#include <algorithm>

#include "generate/traced_operator.hpp"
#include "operators/condensed/plan.hpp"

namespace delassus::generation {
namespace {

/// Where a fold puts the entries of a list is seen by folding their numbers. These are above what lanes without one get, 0 or 1.
constexpr int kFirst = 2;

std::vector<double> numbered(int count) {
  std::vector<double> list(count);
  for (int k = 0; k < count; ++k) list[k] = k + kFirst;
  return list;
}

std::vector<FoldSource> sources_in(const std::vector<Limbs>& folded) {
  std::vector<FoldSource> list;
  for (const Limbs& entry : folded) {
    FoldSource source;
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      if (entry[lane] < kFirst) {
        source.otherwise = entry[lane];
      } else {
        source.from[lane] = static_cast<std::int32_t>(entry[lane]) - kFirst;
      }
    }
    list.push_back(source);
  }
  return list;
}

}  // namespace

std::shared_ptr<const FoldedStructure> FoldedStructure::make(const Model& model, const RowStructure& rows) {
  auto fold = std::make_shared<FoldedStructure>();
  LimbRows limb_rows;
  fold->limbs = limbs_to_fold(model);
  if (!fold->limbs || !limb_rows.update_structure(*fold->limbs, rows)) return nullptr;
  fold->rows = limb_rows.structure();
  const CondensedDelassus<Limbs> op(fold->limbs->shape, fold->rows);
  if (!can_eliminate_in_lanes(op.plan())) return nullptr;
  for (const LimbSource& angles : fold->limbs->angles) {
    FoldSource source;
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      if (angles[lane] >= 0) source.from[lane] = model.angle_coordinates()[angles[lane]];
    }
    fold->angles.push_back(source);
  }

  RowValues<double> values{numbered(rows.num_values()), numbered(static_cast<int>(rows.entries.size()))};
  RowValues<Limbs> folded_values;
  folded_values.values.resize(fold->rows.num_values());
  folded_values.weights.resize(fold->rows.entries.size());
  limb_rows.fold_values(values, folded_values);
  fold->values = sources_in(folded_values.values);
  fold->weights = sources_in(folded_values.weights);

  const std::vector<double> row_numbers = numbered(rows.num_rows());
  std::vector<Limbs> folded(limb_rows.num_rows());
  limb_rows.fold(row_numbers.data(), LimbRows::Padding::kZeros, folded.data());
  fold->vector = sources_in(folded);
  limb_rows.fold(row_numbers.data(), LimbRows::Padding::kOnes, folded.data());
  fold->dampings = sources_in(folded);
  int block_entries = 0;
  for (const RowSpan& span : rows.spans) block_entries += span.rows * span.rows;
  const std::vector<double> entry_numbers = numbered(block_entries);
  limb_rows.fold_blocks(entry_numbers.data(), folded);
  fold->blocks = sources_in(folded);
  return fold;
}

}  // namespace delassus::generation
