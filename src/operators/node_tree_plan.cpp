#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "operators/node_tree.hpp"

namespace delassus {
namespace {

using Product = NodeTreePlan::Product;

/// A constraint's rows at one node, on one way (an arrival) or on all together (a share).
struct Rows {
  std::int32_t constraint, place, places;
  std::int32_t child;  // the node below through which they came, or -1
};

class Planner {
 public:
  Planner(const CarrierPlan& carriers, const RowStructure& rows)
      : carriers_(carriers), rows_(rows), arrived_(carriers.nodes.size()), shares_(carriers.nodes.size()) {}

  NodeTreePlan make() {
    for (int b = 0; b < static_cast<int>(carriers_.nodes.size()); ++b) {
      plan_.nodes.push_back({});
      gather_arrivals(b);
      add_up_shares(b);
    }
    place_couplings();
    responds_.assign(plan_.columns, false);
    for (int b = 0; b < static_cast<int>(carriers_.nodes.size()); ++b) list_products(b);
    for (int b = 0; b < static_cast<int>(carriers_.nodes.size()); ++b) list_shares(b);
    join_products(plan_.products);
    return std::move(plan_);
  }

 private:
  template <class V>
  static std::int32_t size(const V& v) {
    return static_cast<std::int32_t>(v.size());
  }
  int count(int constraint) const { return rows_.spans[constraint].rows; }
  int first_row(int constraint) const { return rows_.spans[constraint].first_row; }

  static const Rows* find(const std::vector<Rows>& list, int constraint) {
    const auto at = std::find_if(list.begin(), list.end(), [&](const Rows& r) { return r.constraint == constraint; });
    return at == list.end() ? nullptr : &*at;
  }

  std::int32_t take(int columns) {
    const std::int32_t place = plan_.columns;
    plan_.columns += columns;
    return place;
  }

  void gather_arrivals(int b) {
    const CarrierPlan::Node& node = carriers_.nodes[b];
    NodeTreePlan::NodeLists& lists = plan_.nodes[b];
    lists.tracks.first = size(plan_.arrivals);
    for (int t = node.tracks.first; t < node.tracks.first + node.tracks.count; ++t) {
      const CarrierPlan::Track& track = carriers_.ended[t];
      if (track.node >= 0) continue;
      arrived_[b].push_back({track.constraint, take(track.count), track.places, -1});
      plan_.arrivals.push_back({arrived_[b].back().place, track.count, track.column});
    }
    lists.tracks.count = size(plan_.arrivals) - lists.tracks.first;
    lists.carried.first = size(plan_.arrivals);
    lists.below.first = size(plan_.below);
    for (int t = node.tracks.first; t < node.tracks.first + node.tracks.count; ++t) {
      const int c = carriers_.ended[t].node;
      if (c >= 0) carry(b, c);
    }
    lists.carried.count = size(plan_.arrivals) - lists.carried.first;
    lists.below.count = lists.carried.count;
  }

  /// All shares of node c, in as few pieces as they stand in.
  void carry(int b, int c) {
    for (const Rows& share : shares_[c]) {
      const std::int32_t place = take(count(share.constraint));
      arrived_[b].push_back({share.constraint, place, share.places, c});
      NodeTreePlan::Arrival* last = plan_.below.empty() || size(plan_.arrivals) == plan_.nodes[b].carried.first
                                        ? nullptr
                                        : &plan_.arrivals.back();
      if (last != nullptr && plan_.below.back() == c && last->from + last->count == share.place) {
        last->count += count(share.constraint);
      } else {
        plan_.arrivals.push_back({place, count(share.constraint), share.place});
        plan_.below.push_back(c);
      }
    }
  }

  void add_up_shares(int b) {
    plan_.nodes[b].sums.first = size(plan_.sums);
    for (const Rows& a : arrived_[b]) {
      if (carriers_.places[a.constraint] == a.places) {  // all of it: there is no other way
        shares_[b].push_back(a);
        continue;
      }
      if (find(shares_[b], a.constraint) != nullptr) continue;
      std::vector<Rows> ways;
      std::copy_if(arrived_[b].begin(), arrived_[b].end(), std::back_inserter(ways),
                   [&](const Rows& r) { return r.constraint == a.constraint; });
      Rows share = a;
      if (ways.size() > 1) {
        share.place = take(count(a.constraint));
        share.places = 0;
        for (std::size_t k = 0; k < ways.size(); ++k) {
          plan_.sums.push_back({share.place, ways[k].place, count(a.constraint), k > 0});
          share.places += ways[k].places;
        }
      }
      shares_[b].push_back(share);
    }
    plan_.nodes[b].sums.count = size(plan_.sums) - plan_.nodes[b].sums.first;
  }

  /// Joint rows that cross a joint together with a node.
  void place_couplings() {
    for (int s = 0; s < size(carriers_.segments); ++s) {
      const CarrierPlan::Segment& segment = carriers_.segments[s];
      if (segment.node < 0) continue;
      for (int r = segment.first_run; r < segment.first_run + segment.runs - 1; ++r) {
        plan_.coupled.push_back({s, r, plan_.coupled_columns});
        plan_.coupled_columns += carriers_.runs[r].count;
      }
    }
  }

  /// Where the rows of a constraint that cross together with node b stand in C, or -1.
  int coupled_place(int b, int constraint) const {
    for (const NodeTreePlan::Coupled& c : plan_.coupled) {
      const CarrierPlan::Run& run = carriers_.runs[c.run];
      const int at = first_row(constraint) - run.y;
      if (carriers_.segments[c.segment].node == b && at >= 0 && at < run.count) return c.place + at;
    }
    return -1;
  }

  /// Those whose W somebody asks for: a product here, or the same rows at a node further out, which comes before.
  void list_shares(int b) {
    NodeTreePlan::NodeLists& lists = plan_.nodes[b];
    lists.shares.first = size(plan_.shares);
    const int parent = carriers_.nodes[b].parent;
    for (const Rows& share : shares_[b]) {
      if (!responds_[share.place]) continue;
      const bool complete = share.places == carriers_.places[share.constraint];
      const Rows* above = complete || parent < 0 ? nullptr : find(shares_[parent], share.constraint);
      if (above != nullptr) responds_[above->place] = true;
      const NodeTreePlan::Shares next{share.place, count(share.constraint), above == nullptr ? -1 : above->place,
                                      complete ? -1 : coupled_place(b, share.constraint)};
      NodeTreePlan::Shares* last = lists.shares.first == size(plan_.shares) ? nullptr : &plan_.shares.back();
      const bool plain = next.above < 0 && next.coupled < 0;
      if (last != nullptr && plain && last->above < 0 && last->coupled < 0 && last->place + last->count == next.place) {
        last->count += next.count;
      } else {
        plan_.shares.push_back(next);
      }
    }
    lists.shares.count = size(plan_.shares) - lists.shares.first;
  }

  /// Rows that have arrived on one way feel W of all that did not come the same way; that pair has met further out.
  void list_products(int b) {
    for (const Rows& e : arrived_[b]) {
      for (const Rows& f : shares_[b]) {
        if (f.constraint > e.constraint) continue;
        if (e.child >= 0 && find_in(e.child, f)) continue;
        plan_.products.push_back({first_row(e.constraint), first_row(f.constraint), count(e.constraint),
                                  count(f.constraint), e.place, f.place});
        responds_[f.place] = true;
      }
    }
    for (const NodeTreePlan::Coupled& c : plan_.coupled) {
      if (carriers_.segments[c.segment].node == b) list_coupling(b, c);
    }
  }

  /// Whether a share has rows at the node c below.
  bool find_in(int c, const Rows& f) const {
    if (f.child == c) return true;
    return f.places < 2 ? false : find(shares_[c], f.constraint) != nullptr;
  }

  void list_coupling(int b, const NodeTreePlan::Coupled& c) {
    const CarrierPlan::Run& run = carriers_.runs[c.run];
    for (int q = 0; q < size(rows_.spans); ++q) {
      const int at = first_row(q) - run.y;
      if (at < 0 || at >= run.count) continue;
      const bool here = find(shares_[b], q) != nullptr;
      for (const Rows& f : shares_[b]) {
        const int row = first_row(f.constraint);
        if (f.constraint <= q) {
          plan_.left_couplings.push_back({first_row(q), row, count(q), count(f.constraint), c.place + at, f.place});
        } else if (!here) {
          plan_.right_couplings.push_back({row, first_row(q), count(f.constraint), count(q), f.place, c.place + at});
        }
      }
    }
  }

  /// Products side by side become one, first in rows, then in columns.
  static void join_products(std::vector<Product>& products) {
    std::sort(products.begin(), products.end(), [](const Product& a, const Product& b) {
      return std::tuple(a.right, a.column, a.row, a.left) < std::tuple(b.right, b.column, b.row, b.left);
    });
    std::vector<Product> tall;
    for (const Product& p : products) {
      Product* last = tall.empty() ? nullptr : &tall.back();
      if (last != nullptr && last->right == p.right && last->column == p.column && last->columns == p.columns &&
          last->row + last->rows == p.row && last->left + last->rows == p.left) {
        last->rows += p.rows;
      } else {
        tall.push_back(p);
      }
    }
    std::vector<Product> joined;
    std::map<std::array<std::int32_t, 5>, std::size_t> ending;  // where columns end that the next may be joined to
    for (const Product& p : tall) {
      const auto before = ending.find({p.right, p.column, p.left, p.row, p.rows});
      std::size_t at = joined.size();
      if (before != ending.end() && p.column + p.columns <= p.row && joined[before->second].column != p.row) {
        at = before->second;
        joined[at].columns += p.columns;
      } else {
        joined.push_back(p);
      }
      ending[{p.right + p.columns, p.column + p.columns, p.left, p.row, p.rows}] = at;
    }
    products = std::move(joined);
  }

  const CarrierPlan& carriers_;
  const RowStructure& rows_;
  std::vector<std::vector<Rows>> arrived_, shares_;  // per node
  std::vector<bool> responds_;                       // per place: whether W is needed there
  NodeTreePlan plan_;
};

}  // namespace

NodeTreePlan make_node_tree_plan(const CarrierPlan& carriers, const RowStructure& rows) {
  return Planner(carriers, rows).make();
}

}  // namespace delassus
