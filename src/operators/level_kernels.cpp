// Kernels that are chosen by instruction set level (docs/isa.md): the table that a level hands out, and the library's own
// functions of the same names, which go through the table of the level in use.
#include "math/kernel_scalars.hpp"
#include "operators/condensed/sweeps.hpp"

#if DELASSUS_HAS_ISA_LEVELS

#define DELASSUS_LEVEL_TABLE_TYPE CoreKernels
#define DELASSUS_LEVEL_TABLE(N) delassus_core_level_v##N
#include "math/level_table.hpp"

namespace delassus {

template <class T, class X>
struct LevelSweeps {
  decltype(&condensed_product<T, X>) product;
  decltype(&condensed_solve<T, X>) solve;
};

/// Right-hand sides that go through the sweeps at once, as in CondensedDelassus.
template <class T>
using Panel = std::conditional_t<FloatingPoint<T>, Pack<T, 8>, T>;

/// What a level has for one scalar. All arguments are references, pointers and views: each level would pass vectors by value in
/// other registers.
template <class T>
struct LevelKernels {
  decltype(&take_coordinates<T>) coordinates;
  decltype(&place_links<T>) links;
  decltype(&update_kinematics<T>) update;
  decltype(&configure_tree<T>) tree;
  decltype(&configure_rows<T>) rows;
  decltype(&damp<T>) damping;
  LevelSweeps<T, T> one;
  LevelSweeps<T, Panel<T>> panel;
};

struct NoKernels {};
#define DELASSUS_BASE(T) , LevelKernels<T>
struct CoreKernels : NoKernels DELASSUS_FOR_EACH_LEVEL_SCALAR(DELASSUS_BASE) {};

DELASSUS_DECLARE_LEVEL_TABLES()

#ifdef DELASSUS_ISA_LEVEL

template <class T>
constexpr LevelKernels<T> kernels_of() {
  return {&take_coordinates<T>,
          &place_links<T>,
          &update_kinematics<T>,
          &configure_tree<T>,
          &configure_rows<T>,
          &damp<T>,
          {&condensed_product<T, T>, &condensed_solve<T, T>},
          {&condensed_product<T, Panel<T>>, &condensed_solve<T, Panel<T>>}};
}

#define DELASSUS_KERNELS(T) , kernels_of<T>()
constinit const CoreKernels DELASSUS_THIS_LEVEL_TABLE = {NoKernels{} DELASSUS_FOR_EACH_LEVEL_SCALAR(DELASSUS_KERNELS)};

#else

namespace {

DELASSUS_DEFINE_ACTIVE_LEVEL_TABLE()

template <class T>
const LevelKernels<T>& kernels() {
  static const CoreKernels& table = active_level_table();
  return table;
}

template <class T, class X>
const LevelSweeps<T, X>& sweeps() {
  if constexpr (std::same_as<T, X>) {
    return kernels<T>().one;
  } else {
    return kernels<T>().panel;
  }
}

}  // namespace

// For each scalar of the levels these are the only definitions: the sources of the kernels leave them out.

template <class T>
void take_coordinates(const Model& model, In<T> q, Kinematics<T>& kin) {
  kernels<T>().coordinates(model, q, kin);
}

template <class T>
void place_links(const ModelOf<T>& model, Kinematics<T>& kin) {
  kernels<T>().links(model, kin);
}

template <class T>
void update_kinematics(const ModelOf<T>& model, In<T> q, Kinematics<T>& kin) {
  kernels<T>().update(model, q, kin);
}

template <class T>
Status configure_tree(const ModelOf<T>& model, const Kinematics<T>& kin, const CondensedPlan& plan,
                      CondensedConfiguration<T>& c) {
  return kernels<T>().tree(model, kin, plan, c);
}

template <class T>
void configure_rows(const ModelOf<T>& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                    const CondensedPlan& plan, CondensedConfiguration<T>& c) {
  kernels<T>().rows(model, kin, rows, plan, c);
}

template <class T>
Status damp(const ModelOf<T>& model, const ConstraintRows<T>& rows, const CondensedPlan& plan,
            const CondensedConfiguration<T>& c, CondensedDamping<T>& d) {
  return kernels<T>().damping(model, rows, plan, c, d);
}

template <class T, class X>
void condensed_product(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                       const X* x, X* y, NodeSweep<X>& work) {
  sweeps<T, X>().product(rows, plan, c, x, y, work);
}

template <class T, class X>
void condensed_solve(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                     const CondensedDamping<T>& d, const X* b, X* z, NodeSweep<X>& work) {
  sweeps<T, X>().solve(rows, plan, c, d, b, z, work);
}

#define DELASSUS_INSTANTIATE_SWEEPS(T, X)                                                                           \
  template void condensed_product(const ConstraintRows<T>&, const CondensedPlan&, const CondensedConfiguration<T>&, \
                                  const X*, X*, NodeSweep<X>&);                                                     \
  template void condensed_solve(const ConstraintRows<T>&, const CondensedPlan&, const CondensedConfiguration<T>&,   \
                                const CondensedDamping<T>&, const X*, X*, NodeSweep<X>&);
#define DELASSUS_INSTANTIATE(T)                                                                   \
  template void take_coordinates<T>(const Model&, In<T>, Kinematics<T>&);                         \
  template void place_links<T>(const ModelOf<T>&, Kinematics<T>&);                                \
  template void update_kinematics<T>(const ModelOf<T>&, In<T>, Kinematics<T>&);                   \
  template Status configure_tree(const ModelOf<T>&, const Kinematics<T>&, const CondensedPlan&,   \
                                 CondensedConfiguration<T>&);                                     \
  template void configure_rows(const ModelOf<T>&, const Kinematics<T>&, const ConstraintRows<T>&, \
                               const CondensedPlan&, CondensedConfiguration<T>&);                 \
  template Status damp(const ModelOf<T>&, const ConstraintRows<T>&, const CondensedPlan&,         \
                       const CondensedConfiguration<T>&, CondensedDamping<T>&);                   \
  DELASSUS_INSTANTIATE_SWEEPS(T, T)
#define DELASSUS_INSTANTIATE_PANEL(T) DELASSUS_INSTANTIATE_SWEEPS(T, Panel<T>)
DELASSUS_FOR_EACH_LEVEL_SCALAR(DELASSUS_INSTANTIATE)
DELASSUS_FOR_EACH_LEVEL_NUMBER(DELASSUS_INSTANTIATE_PANEL)

#endif  // DELASSUS_ISA_LEVEL

}  // namespace delassus

#endif  // DELASSUS_HAS_ISA_LEVELS
