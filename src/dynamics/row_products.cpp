#include "dynamics/row_products.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "math/chunks.hpp"
#include "math/instantiate.hpp"

namespace delassus {
namespace {

using Product = RowProductPlan::Product;

/// Degrees of freedom of a segment and of all in which its rows go on.
std::vector<CarrierPlan::Range> append_paths(const CarrierPlan& carriers, std::vector<std::int32_t>& dofs) {
  std::vector<CarrierPlan::Range> paths;
  for (std::size_t s = 0; s < carriers.segments.size(); ++s) {
    const auto first = static_cast<std::int32_t>(dofs.size());
    for (int t = static_cast<int>(s); t >= 0; t = carriers.segments[t].next) {
      const CarrierPlan::Segment& segment = carriers.segments[t];
      dofs.insert(dofs.end(), carriers.dofs.begin() + segment.first_dof,
                  carriers.dofs.begin() + segment.first_dof + segment.dofs);
    }
    paths.push_back({first, static_cast<std::int32_t>(dofs.size()) - first});
  }
  return paths;
}

/// The constraints whose rows pass a segment, in their order.
std::vector<std::int32_t> constraints_in(const CarrierPlan& carriers, const CarrierPlan::Segment& segment,
                                         const RowStructure& rows) {
  std::vector<std::int32_t> list;
  const auto starts_before = [](const RowSpan& span, int row) { return span.first_row < row; };
  for (int r = segment.first_run; r < segment.first_run + segment.runs; ++r) {
    const CarrierPlan::Run& run = carriers.runs[r];
    auto e = std::lower_bound(rows.spans.begin(), rows.spans.end(), run.y, starts_before);
    for (; e != rows.spans.end() && e->first_row < run.y + run.count; ++e) {
      if (e->rows > 0) list.push_back(static_cast<std::int32_t>(e - rows.spans.begin()));
    }
  }
  std::sort(list.begin(), list.end());
  return list;
}

class Planner {
 public:
  Planner(const CarrierPlan& carriers, const RowStructure& rows) : carriers_(carriers), rows_(rows) {
    paths_ = append_paths(carriers, plan_.dofs);
  }

  RowProductPlan make() {
    const std::size_t n = rows_.spans.size();
    std::vector<bool> met(n * n, false);
    std::map<std::pair<int, int>, std::vector<int>> often;  // pairs that may meet more than once, and where
    for (int s = 0; s < static_cast<int>(carriers_.segments.size()); ++s) {
      const std::vector<std::int32_t> present = constraints_in(carriers_, carriers_.segments[s], rows_);
      for (const int e : present) {
        for (const int f : present) {
          if (f > e) break;
          if (carriers_.places[e] > 1 && carriers_.places[f] > 1) {
            often[{e, f}].push_back(s);
          } else if (!met[e * n + f]) {
            met[e * n + f] = true;
            add(e, f, paths_[s]);
          }
        }
      }
    }
    for (const auto& [pair, segments] : often) add_tree(pair.first, pair.second, segments);
    join();
    return std::move(plan_);
  }

 private:
  void add(int e, int f, CarrierPlan::Range dofs) {
    plan_.products.push_back(
        {rows_.spans[e].first_row, rows_.spans[f].first_row, rows_.spans[e].rows, rows_.spans[f].rows, dofs});
  }

  /// Each segment once: a path as far as no other has been.
  void add_tree(int e, int f, const std::vector<int>& segments) {
    std::vector<int> left = segments;  // from the tips inwards
    while (!left.empty()) {
      CarrierPlan::Range dofs{paths_[left.front()].first, 0};
      int s = left.front();
      for (auto at = left.begin(); at != left.end(); at = std::find(left.begin(), left.end(), s)) {
        dofs.count += carriers_.segments[s].dofs;
        left.erase(at);
        s = carriers_.segments[s].next;
      }
      add(e, f, dofs);
    }
  }

  /// Blocks side by side with the same degrees of freedom become one, first in rows, then in columns.
  void join() {
    const auto key = [](const Product& p) {
      return std::tuple(p.dofs.first, p.dofs.count, p.column, p.columns, p.row);
    };
    std::vector<Product>& products = plan_.products;
    std::sort(products.begin(), products.end(), [&](const Product& a, const Product& b) { return key(a) < key(b); });
    std::vector<Product> tall;
    for (const Product& p : products) {
      Product* last = tall.empty() ? nullptr : &tall.back();
      if (last != nullptr &&
          std::tuple(last->dofs.first, last->dofs.count, last->column, last->columns) ==
              std::tuple(p.dofs.first, p.dofs.count, p.column, p.columns) &&
          last->row + last->rows == p.row) {
        last->rows += p.rows;
      } else {
        tall.push_back(p);
      }
    }
    products.clear();
    for (const Product& p : tall) {
      Product* last = products.empty() ? nullptr : &products.back();
      const bool follows = last != nullptr && last->dofs.first == p.dofs.first && last->dofs.count == p.dofs.count &&
                           last->column + last->columns == p.column;
      // A triangle grows by the next column block, which begins on the diagonal; a rectangle by one of the same rows.
      const bool triangle =
          follows && last->row == last->column && p.row == p.column && last->row + last->rows == p.row + p.rows;
      const bool rectangle = follows && last->row == p.row && last->rows == p.rows && last->row > last->column &&
                             p.row >= p.column + p.columns;
      if (triangle || rectangle) {
        last->columns += p.columns;
      } else {
        products.push_back(p);
      }
    }
  }

  const CarrierPlan& carriers_;
  const RowStructure& rows_;
  std::vector<CarrierPlan::Range> paths_;
  RowProductPlan plan_;
};

/// How many columns of a product are worked on at once, so that a loaded chunk of rows serves them all.
template <class T>
constexpr int kColumnsAtOnce = FloatingPoint<T> ? 4 : 1;

template <int kColumns, class X, class T>
DELASSUS_INLINE void add_tile(const std::int32_t* dofs, int count, const RowCarriers<T>& work, int a, int b, T* to,
                              std::ptrdiff_t stride) {
  X sum[kColumns];
  DELASSUS_UNROLL
  for (int c = 0; c < kColumns; ++c) sum[c] = load<X>(to + c * stride);
  for (int k = 0; k < count; ++k) {
    const X left = load<X>(work.y(dofs[k], a));
    const T* right = work.y(dofs[k], b);
    DELASSUS_UNROLL
    for (int c = 0; c < kColumns; ++c) sum[c] += right[c] * left;
  }
  DELASSUS_UNROLL
  for (int c = 0; c < kColumns; ++c) store(to + c * stride, sum[c]);
}

}  // namespace

RowProductPlan make_row_product_plan(const CarrierPlan& carriers, const RowStructure& rows) {
  return Planner(carriers, rows).make();
}

template <class T>
void add_product(const Product& p, const std::int32_t* dofs, const RowCarriers<T>& work, LowerView<T> to) {
  for_each_block<kColumnsAtOnce<T>>(p.columns, [&]<int kColumns>(std::integral_constant<int, kColumns>, int column) {
    const int first = p.row == p.column ? column : 0;
    for_each_chunk<T>(p.rows - first, [&]<class X>(std::type_identity<X>, int at) {
      const int row = first + at;
      add_tile<kColumns, X>(dofs + p.dofs.first, p.dofs.count, work, p.row + row, p.column + column, to.at(row, column),
                            to.stride);
    });
  });
}

template <class T>
void add_row_products(const RowProductPlan& plan, const RowCarriers<T>& work, LowerView<T> lower) {
  for (const Product& p : plan.products) add_product(p, plan.dofs.data(), work, lower.block(p.row, p.column));
}

#define DELASSUS_INSTANTIATE(T)                                                                        \
  template void add_product(const Product&, const std::int32_t*, const RowCarriers<T>&, LowerView<T>); \
  template void add_row_products(const RowProductPlan&, const RowCarriers<T>&, LowerView<T>);
DELASSUS_FOR_EACH_BATCH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
