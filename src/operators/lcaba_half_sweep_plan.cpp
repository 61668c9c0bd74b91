#include <algorithm>

#include "operators/lcaba_half_sweep.hpp"

namespace delassus {
namespace {

using Node = CondensedPlan::Node;
using Product = RowProductPlan::Product;

template <class V>
std::int32_t length(const V& list) {
  return static_cast<std::int32_t>(list.size());
}

class Planner {
 public:
  Planner(const Model& model, const CondensedPlan& plan, const RowStructure& rows)
      : plan_(plan),
        rows_(rows),
        node_of_(model.num_links(), -1),
        node_of_dof_(model.nv(), -1),
        reached_(plan.nodes.size()) {
    for (int at = 0; at < length(plan.nodes); ++at) {
      const Node& node = plan.nodes[at];
      if (node.link < 0) continue;
      node_of_[node.link] = at;
      std::fill_n(node_of_dof_.begin() + node.v, node.width, at);
    }
  }

  HalfSweepPlan make() {
    for (const Node& node : plan_.nodes) {
      half_.unknown.push_back(half_.unknowns);
      half_.unknowns += node.width;
    }
    start_rows();
    pass_on();
    for (const auto& rows : reached_) add_columns(rows);
    add_products();
    return std::move(half_);
  }

 private:
  /// Rows begin at their multipliers, or at the nodes of their links and joints.
  void start_rows() {
    half_.value_of_link.assign(node_of_.size(), -1);
    for (const Node& node : plan_.nodes) {
      if (node.link >= 0) half_.value_of_link[node.link] = node.value;
    }
    half_.stiff_row.assign(rows_.num_rows(), 1);
    for (const int at : plan_.multipliers.nodes) {
      const Node& node = plan_.nodes[at];
      for (int r = node.first_row; r < node.first_row + node.width; ++r) {
        half_.stiff_row[r] = 0;
        reached_[at].push_back(r);
      }
    }
    for (int b = 0; b < length(rows_.blocks); ++b) {
      const RowBlock& block = rows_.blocks[b];
      if (!half_.stiff_row[block.first_row]) continue;
      half_.stiff_blocks.push_back(b);
      for (int r = 0; r < block.rows; ++r) reached_[node_of_[block.link]].push_back(block.first_row + r);
    }
    std::vector<std::vector<std::int32_t>> weights(plan_.nodes.size());
    for (int k = 0; k < length(rows_.entries); ++k) {
      if (!half_.stiff_row[rows_.entries[k].row]) continue;
      const int at = node_of_dof_[rows_.entries[k].v];
      reached_[at].push_back(rows_.entries[k].row);
      weights[at].push_back(k);
    }
    for (const auto& list : weights) {
      half_.weights.push_back({length(half_.weight_entries), length(list)});
      half_.weight_entries.insert(half_.weight_entries.end(), list.begin(), list.end());
    }
  }

  /// To whom a node passes all its rows: the first to go of those that it is coupled to.
  int next(const Node& node) const {
    const int parent = node.parent;
    if (node.neighbours.count == 0) return parent;
    const int first = plan_.neighbours[node.neighbours.first].node;
    return parent >= 0 ? std::min(first, parent) : first;
  }

  void pass_on() {
    for (const Node& node : plan_.nodes) {
      auto& rows = reached_[&node - plan_.nodes.data()];
      std::sort(rows.begin(), rows.end());
      rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
      const int to = next(node);
      if (to >= 0) reached_[to].insert(reached_[to].end(), rows.begin(), rows.end());
    }
  }

  void add_columns(const std::vector<std::int32_t>& rows) {
    const int first = length(half_.columns);
    for (const int r : rows) {
      if (length(half_.columns) > first && half_.columns.back().first + half_.columns.back().count == r) {
        ++half_.columns.back().count;
      } else {
        half_.columns.push_back({r, 1});
      }
    }
    half_.reached.push_back({first, length(half_.columns) - first});
  }

  /// One sum for each pair of columns over all nodes that follow each other with the same rows.
  void add_products() {
    std::vector<std::vector<std::int32_t>> group(plan_.nodes.size());  // nodes, at the last of each group
    for (int at = 0; at < length(plan_.nodes); ++at) {
      group[at].push_back(at);
      const int to = next(plan_.nodes[at]);
      if (to >= 0 && reached_[to].size() == reached_[at].size()) {
        group[to].insert(group[to].end(), group[at].begin(), group[at].end());
      } else {
        add_products(group[at], half_.reached[at], true, half_.link_products);
        add_products(group[at], half_.reached[at], false, half_.multiplier_products);
      }
      if (to >= 0) group[at].clear();
    }
  }

  void add_products(const std::vector<std::int32_t>& nodes, condensed::Range reached, bool links, RowProductPlan& out) {
    CarrierPlan::Range dofs{length(out.dofs), 0};
    for (const int at : nodes) {
      const Node& node = plan_.nodes[at];
      for (int k = 0; (node.link >= 0) == links && k < node.width; ++k) out.dofs.push_back(half_.unknown[at] + k);
    }
    dofs.count = length(out.dofs) - dofs.first;
    if (dofs.count == 0) return;
    for (int a = reached.first; a < reached.first + reached.count; ++a) {
      for (int b = reached.first; b <= a; ++b) {
        const HalfSweepPlan::Columns &row = half_.columns[a], &column = half_.columns[b];
        out.products.push_back({row.first, column.first, row.count, column.count, dofs});
      }
    }
  }

  const CondensedPlan& plan_;
  const RowStructure& rows_;
  std::vector<std::int32_t> node_of_, node_of_dof_;  // links, degrees of freedom
  std::vector<std::vector<std::int32_t>> reached_;   // per node, ascending rows
  HalfSweepPlan half_;
};

}  // namespace

HalfSweepPlan make_half_sweep_plan(const Model& model, const CondensedPlan& plan, const RowStructure& rows) {
  return Planner(model, plan, rows).make();
}

}  // namespace delassus
