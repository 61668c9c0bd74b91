#include "dynamics/global_rows.hpp"

#include <algorithm>

#include "math/instantiate.hpp"

namespace delassus {
namespace {

/// Motions of all links and joints for a unit force on one row of a constraint.
template <class T>
void respond_to_row(const Model& model, const Articulation<T>& art, const ConstraintRows<T>& rows, const RowSpan& span,
                    int row, Sweep<T>& work) {
  for (int i = 0; i < model.num_links(); ++i) work.force[i] = Force<T>::zero();
  std::fill(work.joint.begin(), work.joint.end(), T(0));
  for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
    const RowBlock& block = rows.blocks[b];
    const int r = row - block.first_row;
    if (r >= 0 && r < block.rows) work.force[block.link] += placed_row(art.frames, rows, b, r);
  }
  for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) {
    if (rows.entries[k].row == row) work.joint[rows.entries[k].v] += rows.weights[k];
  }
  sweep_forces(model, art, work);
  sweep_motions(model, art, work);
}

/// Adds what the rows of a constraint feel of these motions to their entries with `row`; of its own only those up to it.
template <class T>
void add_motion(const Articulation<T>& art, const ConstraintRows<T>& rows, const RowSpan& span, int row,
                const Sweep<T>& work, LowerView<T> lower) {
  const bool own = row >= span.first_row && row < span.first_row + span.rows;
  const auto wanted = [&](int other) { return !own || other <= row; };
  const auto entry = [&](int other) -> T& { return lower(std::max(row, other), std::min(row, other)); };
  for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
    const RowBlock& block = rows.blocks[b];
    for (int r = 0; r < block.rows; ++r) {
      const int other = block.first_row + r;
      if (wanted(other)) entry(other) += dot(work.motion[block.link], placed_row(art.frames, rows, b, r));
    }
  }
  for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) {
    const JointEntry& e = rows.entries[k];
    if (wanted(e.row)) entry(e.row) += rows.weights[k] * work.joint[e.v];
  }
}

}  // namespace

std::vector<bool> find_global_constraints(const Model& model, const RowStructure& rows) {
  std::vector<bool> global;
  for (const RowSpan& span : rows.spans) {
    std::vector<bool> on(model.num_links(), false);
    for (int b = span.first_block; b < span.first_block + span.blocks; ++b) on[rows.blocks[b].link] = true;
    const auto links = std::count(on.begin(), on.end(), true);
    global.push_back(links > 8 && 3 * links > model.num_links());
  }
  return global;
}

template <class T>
void add_global_rows(const Model& model, const Articulation<T>& art, const ConstraintRows<T>& rows,
                     const std::vector<bool>& global, Sweep<T>& work, LowerView<T> lower) {
  for (std::size_t e = 0; e < rows.spans.size(); ++e) {
    if (!global[e]) continue;
    for (int row = rows.spans[e].first_row; row < rows.spans[e].first_row + rows.spans[e].rows; ++row) {
      respond_to_row(model, art, rows, rows.spans[e], row, work);
      for (std::size_t f = 0; f < rows.spans.size(); ++f) {
        if (f > e && global[f]) continue;  // comes with that one
        add_motion(art, rows, rows.spans[f], row, work, lower);
      }
    }
  }
}

#define DELASSUS_INSTANTIATE(T)                                                                 \
  template void add_global_rows(const Model&, const Articulation<T>&, const ConstraintRows<T>&, \
                                const std::vector<bool>&, Sweep<T>&, LowerView<T>);
DELASSUS_FOR_EACH_BATCH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
