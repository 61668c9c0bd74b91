// Which branches are carried as a whole, with all rows on them: those with loops, which joint by joint would couple their links.
#include <algorithm>

#include "operators/condensed/lasting_rows.hpp"
#include "operators/condensed/scratch.hpp"

namespace delassus {
namespace {

using Scratch = CondensedPlanner::Scratch;
using Places = Scratch::Places;
using Branches = condensed::Branches;
using Branch = Branches::Branch;
using Step = Branches::Step;

/// Multiply-adds of a damping: of a branch with so many rows, and of a link as a node, where loops couple it and where not. Those of
/// a branch go in lanes from end to end, which the others do in part.
constexpr double kNode = 96, kCoupledNode = 250, kLanes = 0.4;
double branch_cost(double rows) { return kLanes * rows * (rows * rows / 6 + 3 * rows + 21); }

int common_link(const Model& model, int a, int b) {
  while (a != b) {
    if (a < b) std::swap(a, b);
    a = model.link(a).parent;
  }
  return a;
}

class BranchSearch {
 public:
  BranchSearch(const Model& model, const RowStructure& rows, Scratch& s, CondensedPlan& plan)
      : model_(model), rows_(rows), s_(s), out_(plan.branches) {}

  void run() {
    if (!find_tops()) return;
    reserve();
    weigh();
    for (int i = 0; i < model_.num_links(); ++i) {
      const int parent = model_.link(i).parent;
      Scratch::LinkPlace& place = s_.places[i];
      if (parent != kWorld && s_.places[parent].branch >= 0) {
        place.branch = s_.places[parent].branch;
      } else if (place.whole) {
        place.branch = length(out_.list);
        out_.list.push_back({});
        out_.list.back().link = out_.list.back().node = parent == kWorld ? -1 : parent;
      }
      place.carried = place.branch >= 0 && place.live;
    }
    for (int k = 0; k < length(out_.list); ++k) {
      add_rows(k);
      add_steps(k);
      lay_out(out_.list[k]);
    }
  }

 private:
  /// Room for all rows within one tree, so that fewer never need more.
  void reserve() {
    const auto rows = static_cast<std::size_t>(out_.inner_rows);
    out_.inner_carried = condensed::kMostBranchRows * (6 * (model_.num_links() + 1) + 2 * model_.nv());
    out_.list.reserve(rows_.spans.size());  // each has a loop of its own
    out_.rows.reserve(rows);
    out_.steps.reserve(static_cast<std::size_t>(model_.num_links()));
    out_.blocks.reserve(rows_.blocks.size());
    out_.entries.reserve(rows_.entries.size());
  }

  template <class F>
  void for_each_place(const Places& p, F&& f) const {
    for (const int i : s_.links_of(p)) f(i);
    for (const int i : s_.joints_of(p)) f(i);
  }

  /// The link on which all of a constraint meets, and which branches it leaves on the way. Whether one holds links of a tree together; bodies
  /// that touch do so for a while only, and are no loop.
  bool find_tops() {
    bool any = false;
    for (std::size_t e = 0; e < rows_.spans.size(); ++e) {
      Places& p = s_.constraints[e];
      if (p.links + p.joints < 2) continue;
      p.top = p.links > 0 ? s_.link_list[p.first_link] : s_.joint_list[p.first_joint];
      for_each_place(p, [&](int i) { p.top = common_link(model_, p.top, i); });
      any = any || (p.top != kWorld && tends_to_stay(rows_.spans[e]));
    }
    if (!any) return false;
    for (std::size_t e = 0; e < rows_.spans.size(); ++e) {
      Places& p = s_.constraints[e];
      if (p.links + p.joints == 0) continue;
      if (p.links + p.joints == 1) p.top = p.links > 0 ? s_.link_list[p.first_link] : s_.joint_list[p.first_joint];
      for_each_place(p, [&](int i) {
        for (; i != p.top; i = model_.link(i).parent) s_.places[i].open = true;
      });
      if (p.top == kWorld) continue;
      out_.inner_rows += rows_.spans[e].rows;
      s_.places[p.top].inner_rows += rows_.spans[e].rows;
      s_.places[p.top].loops |= p.links + p.joints > 1 && tends_to_stay(rows_.spans[e]);
    }
    return true;
  }

  /// From the tips inwards: as one branch, or as a node with what hangs on it.
  void weigh() {
    for (int i = model_.num_links() - 1; i >= 0; --i) {
      Scratch::LinkPlace& p = s_.places[i];
      if (!p.live) continue;
      const Link& link = model_.link(i);
      p.cost += p.open || p.loops ? kCoupledNode : kNode;
      const bool floats = link.kind == JointKind::kFree && link.parent == kWorld;
      if (!p.open && p.loops && !floats && p.inner_rows <= condensed::kMostBranchRows) {
        const double whole = branch_cost(p.inner_rows);
        p.whole = whole < p.cost;
        p.cost = std::min(whole, p.cost);
      }
      if (link.parent == kWorld) continue;
      Scratch::LinkPlace& above = s_.places[link.parent];
      above.cost += p.cost;
      above.inner_rows += p.inner_rows;
      above.loops |= p.loops;
    }
  }

  /// Those that tend to stay first.
  void add_rows(int branch) {
    Branch& b = out_.list[branch];
    b.rows.first = length(out_.rows);
    for (const bool stays : {true, false}) {
      for (std::size_t e = 0; e < rows_.spans.size(); ++e) {
        Places& p = s_.constraints[e];
        const RowSpan& span = rows_.spans[e];
        if (p.links + p.joints == 0 || p.top == kWorld || s_.places[p.top].branch != branch) continue;
        if (tends_to_stay(span) != stays) continue;
        p.branch = branch;
        p.branch_row = length(out_.rows) - b.rows.first;
        for (int r = 0; r < span.rows; ++r) out_.rows.push_back(span.first_row + r);
      }
      if (stays) b.kept = length(out_.rows) - b.rows.first;
    }
    b.rows.count = length(out_.rows) - b.rows.first;
  }

  /// Joints from the tips inwards, each with the rows on it and further out.
  void add_steps(int branch) {
    Branch& b = out_.list[branch];
    b.steps.first = length(out_.steps);
    for (int i = model_.num_links() - 1; i >= 0; --i) {
      Scratch::LinkPlace& place = s_.places[i];
      if (place.branch != branch || !place.live) continue;
      place.step = length(out_.steps) - b.steps.first;
      out_.steps.push_back({i, -1, b.rows.count, 0, b.dofs, {}, {}});
      b.dofs += model_.link(i).nv;
      add_parts(branch, i, out_.steps.back());
    }
    b.steps.count = length(out_.steps) - b.steps.first;
    for (int k = b.steps.first; k < b.steps.end(); ++k) {
      Step& step = out_.steps[k];
      if (model_.link(step.link).parent == b.link || model_.link(step.link).parent == kWorld) continue;
      step.above = s_.places[model_.link(step.link).parent].step;
      Step& above = out_.steps[b.steps.first + step.above];
      above.first = std::min(above.first, step.first);
      above.end = std::max(above.end, step.end);
    }
  }

  void add_parts(int branch, int link, Step& step) {
    step.blocks.first = length(out_.blocks);
    step.entries.first = length(out_.entries);
    const auto extend = [&](int row, int rows) {
      step.first = std::min(step.first, row);
      step.end = std::max(step.end, row + rows);
    };
    for (std::size_t e = 0; e < rows_.spans.size(); ++e) {
      const Places& p = s_.constraints[e];
      if (p.branch != branch) continue;
      const RowSpan& span = rows_.spans[e];
      for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
        const RowBlock& block = rows_.blocks[b];
        if (block.link != link) continue;
        out_.blocks.push_back({b, p.branch_row + block.first_row - span.first_row});
        extend(out_.blocks.back().row, block.rows);
      }
      for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) {
        const JointEntry& entry = rows_.entries[k];
        if (s_.dof_link[entry.v] != link) continue;
        out_.entries.push_back({k, entry.v - model_.link(link).v, p.branch_row + entry.row - span.first_row});
        extend(out_.entries.back().row, 1);
      }
    }
    step.blocks.count = length(out_.blocks) - step.blocks.first;
    step.entries.count = length(out_.entries) - step.entries.first;
  }

  void lay_out(Branch& b) {
    constexpr int kLane = 4, kWrench = 8;
    b.columns = (b.rows.count + kLane - 1) / kLane * kLane;
    b.stride = b.columns + kWrench;
    b.front = out_.size;
    b.lower = out_.lower;
    b.value = out_.values;
    out_.size += b.rows.count * b.stride;
    out_.lower += b.rows.count * b.columns;
    out_.values += b.columns;
    out_.most_rows = std::max(out_.most_rows, b.rows.count);
    out_.carried = std::max(out_.carried, b.columns * (6 * (b.steps.count + 1) + 2 * b.dofs));
  }

  const Model& model_;
  const RowStructure& rows_;
  Scratch& s_;
  Branches& out_;
};

}  // namespace

void find_branches(const Model& model, const RowStructure& rows, Scratch& s, CondensedPlan& plan) {
  Branches& b = plan.branches;
  clear_all(b.list, b.rows, b.steps, b.blocks, b.entries);
  b.size = b.values = b.lower = b.most_rows = b.carried = b.inner_rows = b.inner_carried = 0;
  if (s.fold == nullptr) BranchSearch(model, rows, s, plan).run();
}

}  // namespace delassus
