#include "operators/lcaba_graph.hpp"

#include <algorithm>

namespace delassus {
namespace {

/// A constraint on more links than this would couple each with each.
constexpr std::size_t kMostStiffLinks = 4;

void sort_once(std::vector<std::int32_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

ConstraintPlaces places_of(const RowSpan& span, const RowStructure& rows, const std::vector<std::int32_t>& dof_link) {
  ConstraintPlaces places;
  for (int b = 0; b < span.blocks; ++b) places.links.push_back(rows.blocks[span.first_block + b].link);
  for (int k = 0; k < span.entries; ++k) places.joints.push_back(dof_link[rows.entries[span.first_entry + k].v]);
  sort_once(places.links);
  sort_once(places.joints);
  return places;
}

/// A link feels a constraint if there is one on it, on its joint, or further out.
void find_live(const Model& model, LcabaGraph& graph) {
  std::vector<std::uint8_t> live(model.num_links(), 0);
  for (const ConstraintPlaces& places : graph.places) {
    for (const int i : places.links) live[i] = 1;
    for (const int i : places.joints) live[i] = 1;
  }
  for (int i = model.num_links() - 1; i >= 0; --i) {
    const int parent = model.link(i).parent;
    if (live[i] && parent != kWorld) live[parent] = 1;
  }
  for (int i = 0; i < model.num_links(); ++i) {
    graph.link_node.push_back(live[i] ? static_cast<std::int32_t>(graph.live.size()) : -1);
    (live[i] ? graph.live : graph.quiet).push_back(i);
  }
}

bool is_multiplier(const ConstraintPlaces& p, LcabaForm form) {
  const bool mixed = !p.links.empty() && !p.joints.empty();
  if (p.links.size() > kMostStiffLinks || p.joints.size() > 1 || mixed) return true;
  if (form == LcabaForm::kAllMultipliers) return !p.links.empty() || !p.joints.empty();
  return form == LcabaForm::kLoopMultipliers && p.links.size() > 1;
}

/// Of the widths that joints have, so that one set of kernels serves both.
void add_pieces(const RowSpan& span, std::vector<LcabaGraph::Piece>& pieces) {
  for (int done = 0; done < span.rows;) {
    const int left = span.rows - done;
    const int width = left >= 6 ? 6 : std::min(left, 3);
    pieces.push_back({span.first_row + done, width});
    done += width;
  }
}

void join_links(const LcabaGraph& graph, int e, EliminationGraph& g) {
  for (const int i : graph.places[e].links) {
    for (const int j : graph.places[e].links) {
      if (i < j) g.couplings.push_back({graph.link_node[i], graph.link_node[j]});
    }
  }
}

void join_pieces(const LcabaGraph& graph, int e, EliminationGraph& g) {
  std::vector<std::int32_t> all = graph.places[e].links;
  all.insert(all.end(), graph.places[e].joints.begin(), graph.places[e].joints.end());
  sort_once(all);
  for (int p = graph.first_piece[e]; p < graph.first_piece[e + 1]; ++p) {
    for (const int i : all) g.couplings.push_back({graph.link_node[i], graph.piece_node(p)});
  }
}

}  // namespace

LcabaGraph make_lcaba_graph(const Model& model, const RowStructure& rows, LcabaForm form) {
  LcabaGraph graph;
  graph.dof_link.resize(model.nv());
  for (int i = 0; i < model.num_links(); ++i) {
    std::fill_n(graph.dof_link.begin() + model.link(i).v, model.link(i).nv, i);
  }
  for (const RowSpan& span : rows.spans) {
    graph.places.push_back(places_of(span, rows, graph.dof_link));
    graph.first_piece.push_back(static_cast<std::int32_t>(graph.pieces.size()));
    if (is_multiplier(graph.places.back(), form)) add_pieces(span, graph.pieces);
  }
  graph.first_piece.push_back(static_cast<std::int32_t>(graph.pieces.size()));
  find_live(model, graph);
  return graph;
}

EliminationGraph make_elimination_graph(const Model& model, const LcabaGraph& graph) {
  EliminationGraph g;
  for (const int i : graph.live) {
    const Link& link = model.link(i);
    g.nodes.push_back({6, link.nv, link.parent == kWorld ? -1 : graph.link_node[link.parent], false});
  }
  for (const LcabaGraph::Piece& piece : graph.pieces) g.nodes.push_back({piece.rows, piece.rows, -1, true});
  for (int e = 0; e < static_cast<int>(graph.places.size()); ++e) {
    graph.is_stiff(e) ? join_links(graph, e, g) : join_pieces(graph, e, g);
  }
  return g;
}

}  // namespace delassus
