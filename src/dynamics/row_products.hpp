// Products of what joints felt of rows: all that the world feels through a joint is F D⁻¹ Fᵀ = Yᵀ Y, so Λ⁻¹ = Σ Yᵀ Y over
// the joints.
//
// Two rows meet at one link and travel together from there on, so their product is one sum over the joints between that
// link and the world. Only constraints that both act on several places can meet more than once.
#pragma once

#include "delassus/math/boxed.hpp"
#include "delassus/math/view.hpp"
#include "dynamics/row_carriers.hpp"

namespace delassus {

struct RowProductPlan {
  /// A block of the matrix and the degrees of freedom to be summed over.
  struct Product {
    std::int32_t row, column, rows, columns;
    CarrierPlan::Range dofs;
  };
  std::size_t bytes() const { return heap_bytes(products, dofs); }

  std::vector<Product> products;
  std::vector<std::int32_t> dofs;
};

/// Products of all rows, as long as they have not ended in a node.
RowProductPlan make_row_product_plan(const CarrierPlan& carriers, const RowStructure& rows);

/// Adds them to the lower triangle.
template <class T>
void add_row_products(const RowProductPlan& plan, const RowCarriers<T>& work, LowerView<T> lower);

/// Adds Yᵀ Y over some degrees of freedom to a block whose rows are the columns of Y from `row` on, and whose columns are
/// those from `column` on. With row = column the lower triangle is what counts; what stands above it is not.
template <class T>
void add_product(const RowProductPlan::Product& product, const std::int32_t* dofs, const RowCarriers<T>& work,
                 LowerView<T> to);

}  // namespace delassus
