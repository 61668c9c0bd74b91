#include "dynamics/carrier_plan.hpp"

#include <algorithm>

namespace delassus {
namespace {

using Track = CarrierPlan::Track;

/// What a constraint attaches to one link.
struct Attachment {
  std::int32_t constraint;
  std::vector<std::int32_t> blocks;
  std::vector<std::int32_t> entries;  // on the joint of the link
};

/// Per link the attachments of all constraints, in their order.
std::vector<std::vector<Attachment>> attachments_of(const Model& model, const RowStructure& rows,
                                                    const std::vector<bool>& left_out) {
  std::vector<std::vector<Attachment>> at(model.num_links());
  std::vector<int> link_of_dof(model.nv());
  for (int i = 0; i < model.num_links(); ++i) {
    for (int k = 0; k < model.link(i).nv; ++k) link_of_dof[model.link(i).v + k] = i;
  }
  const auto attachment = [&](int link, int constraint) -> Attachment& {
    if (at[link].empty() || at[link].back().constraint != constraint) at[link].push_back({constraint, {}, {}});
    return at[link].back();
  };
  for (int e = 0; e < static_cast<int>(rows.spans.size()); ++e) {
    const RowSpan& span = rows.spans[e];
    if (span.rows == 0 || (!left_out.empty() && left_out[e])) continue;
    for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
      attachment(rows.blocks[b].link, e).blocks.push_back(b);
    }
    for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) {
      attachment(link_of_dof[rows.entries[k].v], e).entries.push_back(k);
    }
  }
  return at;
}

class Planner {
 public:
  Planner(const Model& model, const RowStructure& rows, Meeting meeting, const std::vector<bool>& left_out,
          int node_columns)
      : model_(model),
        rows_(rows),
        meeting_(meeting),
        node_columns_(node_columns),
        attachments_(attachments_of(model, rows, left_out)),
        live_(model.num_links()),
        segment_of_(model.num_links(), -1),
        has_columns_(rows.spans.size(), false) {
    plan_.columns = plan_.y_columns = rows.num_rows();
    plan_.places.resize(rows.spans.size());
    for (const std::vector<Attachment>& at : attachments_) {
      for (const Attachment& a : at) plan_.places[a.constraint] += !a.blocks.empty() + !a.entries.empty();
    }
  }

  CarrierPlan make() {
    for (int i = model_.num_links() - 1; i >= 0; --i) visit(i);
    link_segments();
    return std::move(plan_);
  }

 private:
  void visit(int link) {
    std::vector<Track>& tracks = live_[link];
    if (tracks.empty() && attachments_[link].empty()) return;
    CarrierPlan::Step step{
        link, -1, {size(plan_.merges)}, {size(plan_.starts)}, {size(plan_.empty)}, {size(plan_.weights)}, -1};
    merge_same_constraints(tracks);
    for (const Attachment& a : attachments_[link]) start_blocks(a, tracks);
    if (meeting_ == Meeting::kAlwaysEnds && tracks.size() > 1) step.node = end_in_node(link, tracks);
    for (const Attachment& a : attachments_[link]) start_weights(a, tracks);
    step.merges.count = size(plan_.merges) - step.merges.first;
    step.starts.count = size(plan_.starts) - step.starts.first;
    step.empty.count = size(plan_.empty) - step.empty.first;
    step.weights.count = size(plan_.weights) - step.weights.first;
    std::sort(tracks.begin(), tracks.end(), [](const Track& a, const Track& b) {
      return std::pair(a.node, a.column) < std::pair(b.node, b.column);  // nodes last
    });
    step.segment = join_segment(link, tracks, step);
    plan_.steps.push_back(step);
    const int parent = model_.link(link).parent;
    if (parent != kWorld) {
      arrived_from_[parent] = live_[parent].empty() ? link : -1;
      live_[parent].insert(live_[parent].end(), tracks.begin(), tracks.end());
    }
  }

  void link_segments() {
    std::vector<bool> ends(model_.num_links(), false);
    for (const CarrierPlan::Node& node : plan_.nodes) ends[node.link] = true;
    for (const CarrierPlan::Step& step : plan_.steps) {
      const int parent = model_.link(step.link).parent;
      if (parent != kWorld && !ends[parent] && segment_of_[parent] != step.segment) {
        plan_.segments[step.segment].next = segment_of_[parent];
      }
    }
  }

  template <class V>
  static std::int32_t size(const V& v) {
    return static_cast<std::int32_t>(v.size());
  }

  /// The track of a constraint among others; one that acts on a single place meets itself nowhere.
  Track* find(std::vector<Track>& tracks, int constraint) const {
    if (plan_.places[constraint] < 2) return nullptr;
    for (Track& t : tracks) {
      if (t.constraint == constraint) return &t;
    }
    return nullptr;
  }

  /// A constraint's first track has the columns of its rows, so that these stand together where all has come together.
  Track new_track(int constraint) {
    const RowSpan& span = rows_.spans[constraint];
    Track track{constraint, -1, span.first_row, span.rows, 1};
    if (has_columns_[constraint]) {
      track.column = plan_.columns;
      plan_.columns += span.rows;
    }
    has_columns_[constraint] = true;
    return track;
  }

  void merge_same_constraints(std::vector<Track>& tracks) {
    std::vector<Track> kept;
    for (const Track& t : tracks) {
      Track* same = t.constraint < 0 ? nullptr : find(kept, t.constraint);
      if (same == nullptr) {
        kept.push_back(t);
        continue;
      }
      const bool first_is_home = same->column < rows_.num_rows();
      Track into = first_is_home ? *same : t;
      const Track from = first_is_home ? t : *same;
      into.places += from.places;
      plan_.merges.push_back({into.column, from.column, into.count});
      *same = into;
    }
    tracks = std::move(kept);
  }

  void start_blocks(const Attachment& a, std::vector<Track>& tracks) {
    if (a.blocks.empty()) return;
    Track* there = find(tracks, a.constraint);
    const bool is_new = there == nullptr;
    if (!is_new) ++there->places;
    const Track track = is_new ? new_track(a.constraint) : *there;
    const RowSpan& span = rows_.spans[a.constraint];
    // Blocks may hold some of the rows only; a track has all of them.
    const bool whole = rows_.blocks[a.blocks[0]].rows == span.rows;
    if (is_new && !whole) plan_.empty.push_back({track.column, track.count});
    for (std::size_t k = 0; k < a.blocks.size(); ++k) {
      const RowBlock& block = rows_.blocks[a.blocks[k]];
      plan_.starts.push_back(
          {a.blocks[k], track.column + block.first_row - span.first_row, !is_new || !whole || k > 0});
    }
    if (is_new) tracks.push_back(track);
  }

  void start_weights(const Attachment& a, std::vector<Track>& tracks) {
    if (a.entries.empty()) return;
    if (Track* there = find(tracks, a.constraint); there != nullptr) {
      ++there->places;
    } else {
      tracks.push_back(new_track(a.constraint));
      plan_.empty.push_back({tracks.back().column, tracks.back().count});
    }
    for (const int k : a.entries) plan_.weights.push_back({k, rows_.entries[k].row});
  }

  int end_in_node(int link, std::vector<Track>& tracks) {
    const std::int32_t index = size(plan_.nodes);
    CarrierPlan::Node node{link, plan_.columns, plan_.y_columns, -1, {size(plan_.ended), size(tracks)}};
    for (const Track& t : tracks) {
      plan_.ended.push_back(t);
      if (t.node >= 0) plan_.nodes[t.node].parent = index;
    }
    plan_.nodes.push_back(node);
    plan_.columns += node_columns_;
    plan_.y_columns += node_columns_;
    tracks = {Track{-1, index, node.column, node_columns_, 0}};
    return index;
  }

  std::vector<CarrierPlan::Run> runs_of(const std::vector<Track>& tracks) const {
    std::vector<CarrierPlan::Run> runs;
    for (const Track& t : tracks) {
      const std::int32_t y = t.node < 0 ? rows_.spans[t.constraint].first_row : plan_.nodes[t.node].y;
      if (!runs.empty() && t.node < 0 && runs.back().column + runs.back().count == t.column &&
          runs.back().y + runs.back().count == y) {
        runs.back().count += t.count;
      } else {
        runs.push_back({t.column, y, t.count});
      }
    }
    return runs;
  }

  /// The segment of the only child if the same tracks go on and nothing happens here, else a new one.
  int join_segment(int link, const std::vector<Track>& tracks, const CarrierPlan::Step& step) {
    const std::vector<CarrierPlan::Run> runs = runs_of(tracks);
    int segment = arrived_from_[link] >= 0 ? segment_of_[arrived_from_[link]] : -1;
    const bool plain =
        step.merges.count == 0 && step.starts.count == 0 && step.empty.count == 0 && step.weights.count == 0;
    const bool same = segment >= 0 && plain &&
                      std::equal(runs.begin(), runs.end(), plan_.runs.begin() + plan_.segments[segment].first_run,
                                 plan_.runs.begin() + plan_.segments[segment].first_run + plan_.segments[segment].runs);
    const Link& l = model_.link(link);
    if (!same || plan_.segments[segment].first_dof + plan_.segments[segment].dofs != size(plan_.dofs)) {
      const Track& last = tracks.back();
      segment = size(plan_.segments);
      plan_.segments.push_back(
          {size(plan_.steps), 0, size(plan_.runs), size(runs), size(plan_.dofs), 0, last.node, -1});
      plan_.runs.insert(plan_.runs.end(), runs.begin(), runs.end());
    }
    for (int k = 0; k < l.nv; ++k) plan_.dofs.push_back(l.v + k);
    plan_.segments[segment].dofs += l.nv;
    ++plan_.segments[segment].steps;
    return segment_of_[link] = segment;
  }

  const Model& model_;
  const RowStructure& rows_;
  Meeting meeting_;
  int node_columns_;
  std::vector<std::vector<Attachment>> attachments_;
  std::vector<std::vector<Track>> live_;  // tracks at each link
  std::vector<int> segment_of_;
  std::vector<bool> has_columns_;
  std::vector<int> arrived_from_ = std::vector<int>(model_.num_links(), -1);  // the only child with tracks, or -1
  CarrierPlan plan_;
};

}  // namespace

CarrierPlan make_carrier_plan(const Model& model, const RowStructure& rows, Meeting meeting,
                              const std::vector<bool>& left_out, int node_columns) {
  return Planner(model, rows, meeting, left_out, node_columns).make();
}

}  // namespace delassus
