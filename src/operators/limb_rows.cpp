#include "operators/limb_rows.hpp"

#include <algorithm>

#include "delassus/math/boxed.hpp"
#include "delassus/operators/condensed.hpp"
#include "math/lane_copy.hpp"
#include "operators/condensed/plan.hpp"

namespace delassus {
namespace {

constexpr LimbSource kNowhere{-1, -1, -1, -1};
constexpr double kMostMassRatio = 1e6;

}  // namespace

std::shared_ptr<const LimbModel> limbs_to_fold(const Model& model) {
  return mass_ratio(model) < kMostMassRatio ? make_limb_model(model) : nullptr;
}

bool can_eliminate_in_lanes(const CondensedPlan& plan) {
  for (const CondensedPlan::Node& node : plan.nodes) {
    if (node.columns == 0) continue;
    if (node.ways.count > 1) return false;
    for (int k = node.neighbours.first; node.trunk && k < node.neighbours.end(); ++k) {
      if (!plan.nodes[plan.neighbours[k].node].trunk) return false;
    }
  }
  return true;
}

/// The lane whose limb a constraint acts on, or -1 if it acts on the trunk alone. False if there are two.
bool LimbRows::find_lane(const LimbModel& limbs, const RowStructure& rows, const RowSpan& span, int& lane,
                         bool& joints_of_trunk) const {
  lane = -1;
  joints_of_trunk = false;
  const auto agrees = [&](int other) {
    if (other == LimbPlace::kTrunk || other == lane) return true;
    if (lane >= 0) return false;
    lane = other;
    return true;
  };
  for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
    if (!agrees(limbs.place[rows.blocks[b].link].lane)) return false;
  }
  for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) {
    const int other = limbs.dof_place[rows.entries[k].v].lane;
    joints_of_trunk = joints_of_trunk || other == LimbPlace::kTrunk;
    if (!agrees(other)) return false;
  }
  return true;
}

/// Whether a constraint acts on the links of the fold as one that is there already, with as many rows of the same kinds.
bool LimbRows::is_like(const LimbModel& limbs, const RowStructure& rows, const RowSpan& span, int folded) const {
  const RowSpan& other = rows_.spans[folded];
  if (other.kind != span.kind || other.rows != span.rows || other.blocks != span.blocks ||
      other.entries != span.entries) {
    return false;
  }
  for (int b = 0; b < span.blocks; ++b) {
    const RowBlock &x = rows.blocks[span.first_block + b], &y = rows_.blocks[other.first_block + b];
    if (limbs.place[x.link].link != y.link || x.first_row - span.first_row != y.first_row - other.first_row ||
        x.rows != y.rows || x.linear != y.linear || x.kind != y.kind) {
      return false;
    }
  }
  for (int k = 0; k < span.entries; ++k) {
    const JointEntry &x = rows.entries[span.first_entry + k], &y = rows_.entries[other.first_entry + k];
    if (limbs.dof_place[x.v].link != y.v || x.row - span.first_row != y.row - other.first_row) return false;
  }
  return true;
}

/// A constraint of the fold with room in the lane; on the trunk alone any lane will do. Rows on a joint of the trunk stay apart:
/// they share that joint, and so are not independent of each other.
int LimbRows::find_place(const LimbModel& limbs, const RowStructure& rows, const RowSpan& span, int& lane) const {
  for (int f = 0; f < static_cast<int>(rows_.spans.size()); ++f) {
    const Origin& origin = origins_[f];
    if (origin.joints_of_trunk || !is_like(limbs, rows, span, f)) continue;
    if (lane >= 0 && origin.constraint[lane] >= 0) continue;
    if (lane < 0) {
      const auto free = std::find(origin.constraint.begin(), origin.constraint.end(), -1);
      if (free == origin.constraint.end()) continue;
      lane = static_cast<int>(free - origin.constraint.begin());
    }
    return f;
  }
  return -1;
}

void LimbRows::add_constraint(const LimbModel& limbs, const RowStructure& rows, const RowSpan& span) {
  RowSpan folded = span;
  folded.first_row = num_rows();
  folded.first_block = static_cast<std::int32_t>(rows_.blocks.size());
  folded.first_entry = static_cast<std::int32_t>(rows_.entries.size());
  for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
    RowBlock block = rows.blocks[b];
    block.link = limbs.place[block.link].link;
    block.first_row += folded.first_row - span.first_row;
    block.value = rows_.num_values();
    block.lanes = 0;
    rows_.blocks.push_back(block);
    block_sources_.push_back(kNowhere);
  }
  for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) {
    const JointEntry& entry = rows.entries[k];
    rows_.entries.push_back({entry.row + folded.first_row - span.first_row, limbs.dof_place[entry.v].link});
    entry_sources_.push_back(kNowhere);
  }
  rows_.spans.push_back(folded);
}

void LimbRows::fill_lane(const RowStructure& rows, const RowSpan& span, int folded, int lane) {
  const RowSpan& to = rows_.spans[folded];
  origins_[folded].first_row[lane] = span.first_row;
  for (int b = 0; b < span.blocks; ++b) {
    block_sources_[to.first_block + b][lane] = rows.blocks[span.first_block + b].value;
    rows_.blocks[to.first_block + b].lanes |= static_cast<LaneSet>(1 << lane);
  }
  for (int k = 0; k < span.entries; ++k) entry_sources_[to.first_entry + k][lane] = span.first_entry + k;
}

bool LimbRows::update_structure(const LimbModel& limbs, const RowStructure& rows) {
  rows_.spans.clear();
  rows_.blocks.clear();
  rows_.entries.clear();
  rows_.renew_identity();
  origins_.clear();
  block_sources_.clear();
  entry_sources_.clear();
  first_entry_of_block_.clear();
  std::int32_t entries = 0;
  for (std::size_t e = 0; e < rows.spans.size(); ++e) {
    const RowSpan& span = rows.spans[e];
    first_entry_of_block_.push_back(entries);
    entries += span.rows * span.rows;
    int lane = 0;
    bool joints_of_trunk = false;
    if (!find_lane(limbs, rows, span, lane, joints_of_trunk)) return false;
    int folded = joints_of_trunk ? -1 : find_place(limbs, rows, span, lane);
    if (folded < 0) {
      folded = static_cast<int>(rows_.spans.size());
      if (lane < 0) lane = 0;
      add_constraint(limbs, rows, span);
      origins_.push_back({kNowhere, kNowhere, joints_of_trunk});
    }
    origins_[folded].constraint[lane] = static_cast<std::int32_t>(e);
    fill_lane(rows, span, folded, lane);
  }
  int most = 0;
  for (const RowBlock& block : rows_.blocks) most = std::max(most, value_count(block));
  for (const RowSpan& span : rows_.spans) most = std::max(most, span.rows);
  zeros_.assign(most, 0.0);
  ones_.assign(most, 1.0);
  return true;
}

void LimbRows::fold_values(const RowValues<double>& rows, RowValues<Limbs>& out) const {
  for (std::size_t b = 0; b < rows_.blocks.size(); ++b) {
    const RowBlock& block = rows_.blocks[b];
    const double* from[kLimbLanes];
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      const std::int32_t value = block_sources_[b][lane];
      from[lane] = value >= 0 ? &rows.values[value] : zeros_.data();
    }
    gather_lanes(from, value_count(block), &out.values[block.value]);
  }
  for (std::size_t k = 0; k < rows_.entries.size(); ++k) {
    const LimbSource& from = entry_sources_[k];
    const auto weight = [&](int lane) { return from[lane] >= 0 ? rows.weights[from[lane]] : 0.0; };
    out.weights[k] = from_four(weight(0), weight(1), weight(2), weight(3));
  }
}

void LimbRows::fold(const double* x, Padding padding, Limbs* out) const {
  const double* const nothing = padding == Padding::kOnes ? ones_.data() : zeros_.data();
  for (std::size_t f = 0; f < origins_.size(); ++f) {
    const LimbSource& first = origins_[f].first_row;
    const double* from[kLimbLanes];
    for (int lane = 0; lane < kLimbLanes; ++lane) from[lane] = first[lane] >= 0 ? x + first[lane] : nothing;
    gather_lanes(from, rows_.spans[f].rows, out + rows_.spans[f].first_row);
  }
}

void LimbRows::unfold(const Limbs* x, double* out) const {
  for (std::size_t f = 0; f < origins_.size(); ++f) {
    const RowSpan& span = rows_.spans[f];
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      const std::int32_t first = origins_[f].first_row[lane];
      if (first < 0) continue;
      for (int r = 0; r < span.rows; ++r) out[first + r] = x[span.first_row + r][lane];
    }
  }
}

int LimbRows::first_source(int row) const {
  const auto holds = [row](const RowSpan& span) { return row >= span.first_row && row < span.first_row + span.rows; };
  const auto span = std::find_if(rows_.spans.begin(), rows_.spans.end(), holds);
  const LimbSource& first = origins_[span - rows_.spans.begin()].first_row;
  const auto used = std::find_if(first.begin(), first.end(), [](std::int32_t r) { return r >= 0; });
  return *used + row - span->first_row;
}

void LimbRows::fold_blocks(const double* blocks, std::vector<Limbs>& out) const {
  out.clear();
  for (std::size_t f = 0; f < rows_.spans.size(); ++f) {
    const int m = rows_.spans[f].rows;
    for (int k = 0; k < m * m; ++k) {
      Limbs entry(k % (m + 1) == 0 ? 1 : 0);
      for (int lane = 0; lane < kLimbLanes; ++lane) {
        const std::int32_t e = origins_[f].constraint[lane];
        if (e >= 0) entry.set(lane, blocks[first_entry_of_block_[e] + k]);
      }
      out.push_back(entry);
    }
  }
}

std::size_t LimbRows::bytes() const {
  return rows_.bytes() + heap_bytes(origins_, block_sources_, entry_sources_, first_entry_of_block_, zeros_, ones_);
}

}  // namespace delassus
