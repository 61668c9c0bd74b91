#include "delassus/operators/lcaba_plan.hpp"

#include <algorithm>
#include <limits>

#include "delassus/math/error.hpp"
#include "operators/lcaba_graph.hpp"

namespace delassus {
namespace {

using Neighbour = LcabaPlan::Neighbour;
using Node = LcabaPlan::Node;
using Piece = LcabaGraph::Piece;

template <class V>
std::int32_t length(const V& list) {
  return static_cast<std::int32_t>(list.size());
}

/// Nodes with their sizes and places, and what each does when it goes. A node is known by its position in the order.
class NodeLayout {
 public:
  NodeLayout(const Model& model, const LcabaGraph& graph, const Elimination& elimination, LcabaPlan& plan)
      : model_(model), graph_(graph), plan_(plan) {
    position.resize(elimination.order.size());
    for (int at = 0; at < length(position); ++at) position[elimination.order[at]] = at;
    for (const int k : elimination.order) add_node(k);
    for (int at = 0; at < length(plan.nodes); ++at)
      add_neighbours(elimination.neighbours_of(elimination.order[at]), at);
    check_size();
    for (Node& node : plan.nodes) {
      add_runs(node);
      if (node.parent >= 0) add_moves(node);
      add_updates(node);
    }
  }

  /// Where the couplings of two nodes begin: in the panel of the one that goes first.
  int coupling(int earlier, int later) const {
    const Node& node = plan_.nodes[earlier];
    const Neighbour* first = neighbours(node);
    const Neighbour* found = std::lower_bound(first, first + node.neighbours.count, later,
                                              [](const Neighbour& n, int at) { return n.node < at; });
    return node.panel + found->column;
  }
  int of_link(int i) const { return position[graph_.link_node[i]]; }

  std::vector<std::int32_t> position;  // of nodes of the graph

 private:
  void add_node(int k) {
    Node node{};
    node.parent = node.parent_column = -1;
    node.value = plan_.values;
    if (k < length(graph_.live)) {
      const Link& link = model_.link(graph_.live[k]);
      node.link = graph_.live[k];
      node.first_row = -1;
      node.width = link.nv;
      node.dimension = 6;
      node.diagonal = k;
      if (link.parent != kWorld) node.parent = of_link(link.parent);
    } else {
      const Piece& piece = graph_.pieces[k - length(graph_.live)];
      node.link = -1;
      node.first_row = piece.first_row;
      node.width = node.dimension = piece.rows;
      node.diagonal = plan_.triangle_size;
      plan_.triangle_size += piece.rows * (piece.rows + 1) / 2;
    }
    plan_.values += node.dimension;
    plan_.nodes.push_back(node);
  }

  void add_neighbours(std::span<const std::int32_t> list, int at) {
    Node& node = plan_.nodes[at];
    node.neighbours = {length(plan_.neighbours), length(list)};
    for (const int j : list) {
      if (position[j] == node.parent) node.parent_column = node.columns;
      plan_.neighbours.push_back({position[j], node.columns});
      node.columns += plan_.nodes[position[j]].dimension;
    }
    plan_.widest = std::max(plan_.widest, node.columns);
  }

  void check_size() {
    std::int64_t panel = 0, hat = 0;
    for (Node& node : plan_.nodes) {
      node.panel = static_cast<std::int32_t>(panel);
      node.hat = static_cast<std::int32_t>(hat);
      panel += static_cast<std::int64_t>(node.dimension) * node.columns;
      hat += static_cast<std::int64_t>(node.width) * node.columns;
      if (panel > std::numeric_limits<std::int32_t>::max()) {
        throw Error("the loops of these constraints are coupled so much that their factor has over 2^31 entries");
      }
    }
    plan_.panel_size = static_cast<std::int32_t>(panel);
    plan_.hat_size = static_cast<std::int32_t>(hat);
  }

  const Neighbour* neighbours(const Node& node) const { return plan_.neighbours.data() + node.neighbours.first; }

  void add_runs(Node& node) {
    node.runs.first = length(plan_.runs);
    for (int k = 0; k < node.neighbours.count; ++k) {
      const Neighbour& n = neighbours(node)[k];
      const Node& other = plan_.nodes[n.node];
      if (length(plan_.runs) > node.runs.first && plan_.runs.back().value + plan_.runs.back().count == other.value) {
        plan_.runs.back().count += other.dimension;
      } else {
        plan_.runs.push_back({n.column, other.dimension, other.value});
      }
    }
    node.runs.count = length(plan_.runs) - node.runs.first;
  }

  void add_moves(Node& node) {
    node.moves.first = length(plan_.moves);
    for (int k = 0; k < node.neighbours.count; ++k) {
      const Neighbour n = neighbours(node)[k];
      if (n.node == node.parent) continue;
      const bool transposed = n.node < node.parent;
      const int owner = transposed ? n.node : node.parent, other = transposed ? node.parent : n.node;
      plan_.moves.push_back(
          {n.column, plan_.nodes[n.node].dimension, coupling(owner, other), plan_.nodes[owner].columns, transposed});
    }
    node.moves.count = length(plan_.moves) - node.moves.first;
  }

  void add_updates(Node& node) {
    node.updates.first = length(plan_.updates);
    for (int a = 0; a < node.neighbours.count; ++a) {
      const Neighbour row = neighbours(node)[a];
      const Node& target = plan_.nodes[row.node];
      const int first_of_row = length(plan_.updates);
      for (int b = a + 1; b < node.neighbours.count; ++b) {
        const Neighbour column = neighbours(node)[b];
        const int to = coupling(row.node, column.node), count = plan_.nodes[column.node].dimension;
        LcabaPlan::Update* last = length(plan_.updates) > first_of_row ? &plan_.updates.back() : nullptr;
        if (last != nullptr && last->column + last->count == column.column && last->to + last->count == to) {
          last->count += count;
        } else {
          plan_.updates.push_back({row.column, target.dimension, column.column, count, to, target.columns});
        }
      }
    }
    node.updates.count = length(plan_.updates) - node.updates.first;
  }

  const Model& model_;
  const LcabaGraph& graph_;
  LcabaPlan& plan_;
};

/// How rows get from constraints into inertias, panels and joints.
class RowLayout {
 public:
  RowLayout(const Model& model, const RowStructure& rows, const LcabaGraph& graph, const NodeLayout& layout,
            LcabaPlan& plan)
      : model_(model), rows_(rows), graph_(graph), layout_(layout), plan_(plan) {
    const int constraints = length(rows.spans);
    first_attachment_.resize(constraints);
    for (const bool stiff : {true, false}) {
      for (int e = 0; e < constraints; ++e) {
        if (graph.is_stiff(e) == stiff) add_attachments(e);
      }
      if (stiff) plan.stiff_attachments = length(plan.attachments);
    }
    plan.stiff_row.assign(rows.num_rows(), 0);
    for (int e = 0; e < constraints; ++e) graph.is_stiff(e) ? add_stiffness(e) : add_multiplier(e);
    sort_weights();
  }

 private:
  void add_attachments(int e) {
    const RowSpan& span = rows_.spans[e];
    first_attachment_[e] = length(plan_.attachments);
    for (const int i : graph_.places[e].links) {
      plan_.attachments.push_back(
          {i, plan_.nodes[layout_.of_link(i)].value, span.first_row, span.rows, plan_.wrenches});
      plan_.wrenches += span.rows;
    }
    for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
      const RowBlock& block = rows_.blocks[b];
      plan_.placings.push_back({b, wrench(e, block.link) + block.first_row - span.first_row});
    }
  }

  /// The first wrench of a constraint on a link.
  int wrench(int e, int link) const {
    const std::vector<std::int32_t>& links = graph_.places[e].links;
    const auto at = std::lower_bound(links.begin(), links.end(), link) - links.begin();
    return plan_.attachments[first_attachment_[e] + at].wrench;
  }

  void add_stiffness(int e) {
    const RowSpan& span = rows_.spans[e];
    std::fill_n(plan_.stiff_row.begin() + span.first_row, span.rows, std::uint8_t{1});
    for (const int i : graph_.places[e].links) {
      plan_.stiff_inertias.push_back({wrench(e, i), span.first_row, span.rows, graph_.link_node[i]});
      for (const int j : graph_.places[e].links) {
        const int earlier = layout_.of_link(i), later = layout_.of_link(j);
        if (earlier >= later) continue;
        plan_.stiff_couplings.push_back({wrench(e, i), wrench(e, j), span.first_row, span.rows,
                                         layout_.coupling(earlier, later), plan_.nodes[earlier].columns});
      }
    }
    const int end = span.first_entry + span.entries;
    for (int k = span.first_entry; k < end; ++k) {
      plan_.stiff_entries.push_back(k);
      for (int l = span.first_entry; l < end; ++l) add_stiff_joint(k, l);
    }
  }

  /// The lower triangle of 𝒦ᵀ R 𝒦 on one joint.
  void add_stiff_joint(int k, int l) {
    const JointEntry &left = rows_.entries[k], &right = rows_.entries[l];
    if (left.v < right.v) return;
    const Link& link = model_.link(graph_.dof_link[left.v]);
    plan_.stiff_joints.push_back({k, l, link.factor + Sym<double, 6>::index(left.v - link.v, right.v - link.v)});
  }

  void add_multiplier(int e) {
    const RowSpan& span = rows_.spans[e];
    for (int p = graph_.first_piece[e]; p < graph_.first_piece[e + 1]; ++p) {
      const Piece& piece = graph_.pieces[p];
      const int later = layout_.position[graph_.piece_node(p)];
      for (const int i : graph_.places[e].links) {
        const int earlier = layout_.of_link(i);
        plan_.multiplier_rows.push_back({wrench(e, i) + piece.first_row - span.first_row, piece.rows,
                                         layout_.coupling(earlier, later), plan_.nodes[earlier].columns});
      }
      for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) {
        const int row = rows_.entries[k].row - piece.first_row;
        if (row >= 0 && row < piece.rows) add_weight(k, later, row);
      }
    }
  }

  void add_weight(int entry, int later, int row) {
    const int i = graph_.dof_link[rows_.entries[entry].v], earlier = layout_.of_link(i);
    const int column = layout_.coupling(earlier, later) - plan_.nodes[earlier].panel + row;
    weights_.push_back({earlier, {entry, rows_.entries[entry].v - model_.link(i).v, column}});
  }

  void sort_weights() {
    std::stable_sort(weights_.begin(), weights_.end(), [](const auto& a, const auto& b) { return a.node < b.node; });
    for (const NodeWeight& w : weights_) {
      LcabaPlan::Range& range = plan_.nodes[w.node].weights;
      if (range.count++ == 0) range.first = length(plan_.weights);
      plan_.weights.push_back(w.weight);
    }
  }

  struct NodeWeight {
    std::int32_t node;
    LcabaPlan::Weight weight;
  };

  const Model& model_;
  const RowStructure& rows_;
  const LcabaGraph& graph_;
  const NodeLayout& layout_;
  LcabaPlan& plan_;
  std::vector<std::int32_t> first_attachment_;  // per constraint
  std::vector<NodeWeight> weights_;
};

LcabaPlan make_plan(const Model& model, const RowStructure& rows, LcabaForm form, const LcabaOptions& options) {
  const LcabaGraph graph = make_lcaba_graph(model, rows, form);
  Elimination elimination;
  Eliminator().run(make_elimination_graph(model, graph), options.order, options.seed, elimination);
  LcabaPlan plan;
  plan.live = graph.live;
  plan.quiet = graph.quiet;
  plan.cost = elimination.cost;
  const NodeLayout layout(model, graph, elimination, plan);
  const RowLayout row_layout(model, rows, graph, layout, plan);
  return plan;
}

}  // namespace

LcabaPlan make_lcaba_plan(const Model& model, const RowStructure& rows, const LcabaOptions& options) {
  if (options.form != LcabaForm::kCheapest) return make_plan(model, rows, options.form, options);
  LcabaPlan stiff = make_plan(model, rows, LcabaForm::kStiffness, options);
  if (stiff.stiff_couplings.empty()) return stiff;
  LcabaPlan loops = make_plan(model, rows, LcabaForm::kLoopMultipliers, options);
  return loops.cost < stiff.cost ? std::move(loops) : std::move(stiff);
}

}  // namespace delassus
