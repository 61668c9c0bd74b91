// Nodes in the order in which they go, their panels, and what each does when it goes.
#include <algorithm>
#include <limits>
#include <string>

#include "delassus/math/boxed.hpp"
#include "delassus/math/error.hpp"
#include "operators/condensed/scratch.hpp"

namespace delassus {
namespace {

using Scratch = CondensedPlanner::Scratch;
using Neighbour = CondensedPlan::Neighbour;
using Node = CondensedPlan::Node;
using Kind = CondensedPlan::Kind;

/// Nodes with their sizes and places, and what each does when it goes. A node is known by its position in the order.
class NodeLayout {
 public:
  NodeLayout(const Model& model, const Scratch& s, CondensedPlan& plan) : model_(model), s_(s), plan_(plan) {
    for (const int k : s.elimination.order) add_node(k);
    for (int at = 0; at < length(plan.nodes); ++at) {
      add_neighbours(s.elimination.neighbours_of(s.elimination.order[at]), plan.nodes[at]);
    }
    check_size();
    for (int at = 0; at + 1 < length(plan.nodes); ++at) {
      Node &node = plan.nodes[at], &next = plan.nodes[at + 1];
      node.hands_on = next.receives = node.parent == at + 1 && node.ways.count == 0 && node.trunk == next.trunk;
    }
    plan.runs.reserve(plan.neighbours.size());  // fewer couplings may have more runs, but never more than so
    for (Node& node : plan.nodes) {
      if (node.columns == 0) continue;
      add_runs(node);
      if (node.parent >= 0) add_moves(node);
      add_updates(node);
    }
  }

 private:
  void add_node(int k) {
    Node node{};
    node.parent = node.parent_column = -1;
    node.value = plan_.values;
    if (k < s_.num_links) {
      node.link = plan_.slot_links[k];
      const Link& link = model_.link(node.link);
      node.kind = link.pure_rotation ? Kind::kAxis : plan_.free_of[node.link] >= 0 ? Kind::kFree : Kind::kJoint;
      node.v = link.v;
      node.factor = link.factor;
      node.width = link.nv;
      node.dimension = 6;
      node.first_row = -1;
      node.slot = k;
      node.trunk = s_.is_trunk(node.link);
      if (const int above = s_.parent_of(model_, node.link); above != kWorld) node.parent = s_.node_of(above);
      add_ways(node);
    } else {
      const Scratch::Piece& piece = s_.pieces[k - s_.num_links];
      node.link = node.v = node.factor = -1;
      node.kind = Kind::kMultiplier;
      node.first_row = piece.first_row;
      node.width = node.dimension = static_cast<std::uint8_t>(piece.rows);
      node.slot = plan_.multipliers.size;
      plan_.multipliers.size += piece.rows * (piece.rows + 1) / 2;
      plan_.multipliers.nodes.push_back(length(plan_.nodes));
    }
    plan_.values += node.dimension;
    plan_.nodes.push_back(node);
  }

  void add_ways(Node& node) {
    node.ways.first = length(plan_.ways.nodes);
    for (const Way& way : s_.ways_of(node.link)) {
      if (s_.places[way.parent].slot >= 0) plan_.ways.nodes.push_back({s_.node_of(way.parent), way.lanes});
    }
    node.ways.count = length(plan_.ways.nodes) - node.ways.first;
  }

  void add_neighbours(std::span<const std::int32_t> list, Node& node) {
    node.neighbours = {length(plan_.neighbours), length(list)};
    for (const int j : list) {
      const int at = s_.position[j];
      if (at == node.parent) node.parent_column = node.columns;
      plan_.neighbours.push_back({at, node.columns});
      node.columns += plan_.nodes[at].dimension;
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
      plan_.moves.push_back({n.column, plan_.nodes[n.node].dimension, coupling_of(plan_, owner, other),
                             plan_.nodes[owner].columns, transposed});
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
        const int to = coupling_of(plan_, row.node, column.node), count = plan_.nodes[column.node].dimension;
        CondensedPlan::Update* last = length(plan_.updates) > first_of_row ? &plan_.updates.back() : nullptr;
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
  const Scratch& s_;
  CondensedPlan& plan_;
};

bool same_graph(const EliminationGraph& a, const EliminationGraph& b) {
  const auto same_node = [](const auto& x, const auto& y) {
    return x.dimension == y.dimension && x.width == y.width && x.parent == y.parent && x.multiplier == y.multiplier;
  };
  const auto same_coupling = [](const auto& x, const auto& y) { return x.a == y.a && x.b == y.b; };
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), same_node) &&
         std::equal(a.couplings.begin(), a.couplings.end(), b.couplings.begin(), b.couplings.end(), same_coupling);
}

/// Without couplings any order is as good, but the deepest first is fastest: neighbours in it rarely wait for each other.
void eliminate_tree(const EliminationGraph& graph, std::vector<std::int32_t>& depth, Elimination& out) {
  const int n = length(graph.nodes);
  out.neighbours.clear();
  out.first.assign(n, 0);
  out.end.assign(n, 0);
  out.order.resize(n);
  depth.assign(n + 1, 0);  // how many nodes are at a depth, then at least that deep
  int deepest = 0;
  for (int k = 0; k < n; ++k) {
    const int parent = graph.nodes[k].parent;
    out.first[k] = parent < 0 ? 0 : out.first[parent] + 1;
    deepest = std::max(deepest, out.first[k]);
    ++depth[out.first[k]];
  }
  for (int d = deepest; d > 0; --d) depth[d - 1] += depth[d];
  for (int k = 0; k < n; ++k) out.order[--depth[out.first[k]]] = k;
  std::fill(out.first.begin(), out.first.end(), 0);
}

/// Where constraints go, others may come to be carried that were not: room for all of them, so that fewer never need more.
void reserve_groups(const Model& model, const RowStructure& rows, CondensedPlan& plan) {
  const std::size_t blocks = rows.blocks.size();
  condensed::Groups& groups = plan.groups;
  groups.list.reserve(rows.spans.size());
  groups.rows.reserve(rows.num_rows());
  groups.chain_links.reserve(model.num_links());
  groups.carriers.reserve(blocks);
  groups.blocks.reserve(blocks);
  groups.sides.reserve(blocks);
  groups.pairs.reserve(2 * blocks);  // at most six of four sides
}

void require_couplings(int couplings, const CondensedCapacity& capacity) {
  if (couplings <= capacity.couplings) return;
  throw Error("these constraints couple " + std::to_string(couplings) +
              " pairs of nodes, and the operator has room for " + std::to_string(capacity.couplings) +
              "; raise CondensedCapacity::couplings");
}

void find_order(const CondensedOptions& options, Scratch& s) {
  ++s.symbolic_runs;
  if (s.graph.couplings.empty() && options.order != NodeOrder::kRandom) {
    eliminate_tree(s.graph, s.position, s.elimination);
  } else {
    s.eliminator.run(s.graph, options.order, options.seed, s.elimination);
  }
}

/// Couplings of long loops as stiffness, or by multipliers if those are cheaper: compared once for the same couplings.
void choose_form(const Model& model, const RowStructure& rows, const CondensedOptions& options,
                 const CondensedPlan& plan, Scratch& s) {
  const bool known = same_graph(s.graph, s.compared);
  if (known && !s.multipliers_cheaper) return;
  if (!known) {
    s.compared = s.graph;
    s.eliminator.run(s.graph, options.order, options.seed, s.other);
  }
  const double stiffness = s.other.cost;
  find_couplings(model, rows, ConstraintForm::kLoopMultipliers, plan, s);
  if (known) return;
  s.eliminator.run(s.graph, options.order, options.seed, s.other);
  s.multipliers_cheaper = s.other.cost < stiffness;
  if (!s.multipliers_cheaper) find_couplings(model, rows, ConstraintForm::kStiffness, plan, s);
}

}  // namespace

std::int32_t coupling_of(const CondensedPlan& plan, int earlier, int later) {
  const Node& node = plan.nodes[earlier];
  const Neighbour* first = plan.neighbours.data() + node.neighbours.first;
  const Neighbour* found = std::lower_bound(first, first + node.neighbours.count, later,
                                            [](const Neighbour& n, int at) { return n.node < at; });
  return node.panel + found->column;
}

void lay_out_nodes(const Model& model, const Scratch& s, CondensedPlan& plan) {
  clear_all(plan.nodes, plan.neighbours, plan.runs, plan.moves, plan.updates, plan.multipliers.nodes, plan.ways.nodes);
  plan.values = plan.multipliers.size = plan.widest = 0;
  NodeLayout(model, s, plan);
}

std::size_t CondensedPlan::bytes() const {
  return heap_bytes(base_of, free_of, felt, slot_links, nodes, neighbours, runs, moves, updates, weights, ways, groups,
                    branches, points, strips, wrenches, joints, lone, multipliers, differences);
}

CondensedPlanner::CondensedPlanner(const Model& model) : scratch_(std::make_unique<Scratch>()) {
  scratch_->dof_link.resize(model.nv());
  for (int i = 0; i < model.num_links(); ++i) {
    std::fill_n(scratch_->dof_link.begin() + model.link(i).v, model.link(i).nv, i);
  }
  scratch_->places.resize(model.num_links());
  scratch_->seen.assign(model.num_links(), 0);
}
CondensedPlanner::CondensedPlanner(CondensedPlanner&&) noexcept = default;
CondensedPlanner& CondensedPlanner::operator=(CondensedPlanner&&) noexcept = default;
CondensedPlanner::CondensedPlanner(const CondensedPlanner& other)
    : scratch_(std::make_unique<Scratch>(*other.scratch_)) {}
CondensedPlanner& CondensedPlanner::operator=(const CondensedPlanner& other) {
  if (this != &other) scratch_ = std::make_unique<Scratch>(*other.scratch_);  // ours may have been moved away
  return *this;
}
CondensedPlanner::~CondensedPlanner() = default;

void CondensedPlanner::run(const Model& model, const RowStructure& rows, const CondensedOptions& options,
                           CondensedPlan& plan, RowPacking packing, const FoldLanes* fold) {
  Scratch& s = *scratch_;
  s.fold = fold;
  reserve_groups(model, rows, plan);
  find_places(model, rows, s);
  find_groups(model, rows, options.condense, s, plan);
  const bool choose = options.form == ConstraintForm::kCheapest;
  find_couplings(model, rows, choose ? ConstraintForm::kStiffness : options.form, plan, s);
  if (choose && has_long_loops(s)) choose_form(model, rows, options, plan, s);
  if (s.symbolic_runs == 0 || !same_graph(s.graph, s.last_graph)) {
    find_order(options, s);
    s.position.resize(s.graph.nodes.size());
    for (int at = 0; at < length(s.position); ++at) s.position[s.elimination.order[at]] = at;
    s.last_graph = s.graph;
  }
  if (options.capacity.limited()) require_couplings(length(s.elimination.neighbours), options.capacity);
  lay_out_nodes(model, s, plan);
  lay_out_rows(model, rows, packing, s, plan);
}

int CondensedPlanner::symbolic_runs() const { return scratch_->symbolic_runs; }

std::size_t CondensedPlanner::bytes() const {
  const Scratch& s = *scratch_;
  return sizeof(Scratch) +
         heap_bytes(s.dof_link, s.places, s.constraints, s.link_list, s.joint_list, s.seen, s.pieces, s.position,
                    s.weights) +
         s.graph.bytes() + s.last_graph.bytes() + s.compared.bytes() + s.eliminator.bytes() + s.elimination.bytes() +
         s.other.bytes();
}

}  // namespace delassus
