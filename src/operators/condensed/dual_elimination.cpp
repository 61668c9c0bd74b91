#include "operators/condensed/dual_elimination.hpp"

#include <algorithm>
#include <cstring>

#include "dynamics/joint_crossing.hpp"
#include "kinematics/width.hpp"
#include "math/lu.hpp"

namespace delassus {
namespace {

/// to -= A Bᵀ, where A has as many rows as `to`, B as many as it has columns, and both the same columns.
template <class T>
void subtract_products(LowerView<T> to, int rows, int columns, LowerView<const T> A, LowerView<const T> B, int inner) {
  for_each_block<kColumns<T>>(columns, [&](auto width, int column) {
    for_each_chunk<T>(rows, [&]<class X>(std::type_identity<X>, int row) {
      constexpr int kWidth = width();
      X x[kWidth];
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) x[c] = load<X>(to.at(row, column + c));
      for (int k = 0; k < inner; ++k) {
        const X left = load<X>(A.at(row, k));
        const T* right = B.at(column, k);
        DELASSUS_UNROLL
        for (int c = 0; c < kWidth; ++c) x[c] -= left * right[c];
      }
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) store(to.at(row, column + c), x[c]);
    });
  });
}

/// to(r, c) += Σ_v y_v[row + r] y_v[column + c] over degrees of freedom.
template <class T>
void add_row_products(std::span<const std::int32_t> dofs, const T* y, int stride, int row, int rows, int column,
                      int columns, LowerView<T> to) {
  for_each_block<kColumns<T>>(columns, [&](auto width, int at_column) {
    for_each_chunk<T>(rows, [&]<class X>(std::type_identity<X>, int at) {
      constexpr int kWidth = width();
      X x[kWidth];
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) x[c] = load<X>(to.at(at, at_column + c));
      for (const std::int32_t v : dofs) {
        const T* y_v = y + static_cast<std::ptrdiff_t>(v) * stride;
        const X left = load<X>(y_v + row + at);
        const T* right = y_v + column + at_column;
        DELASSUS_UNROLL
        for (int c = 0; c < kWidth; ++c) x[c] += left * right[c];
      }
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) store(to.at(at, at_column + c), x[c]);
    });
  });
}

/// Columns of A times the inverse of a triangle of D on their right, in place: U, or Lᵀ, whose diagonal is one.
template <bool kUpper, class T>
void divide_panel(LowerView<const T> D, int columns, LowerView<T> A, int rows) {
  const auto entry = [&](int k, int c) { return kUpper ? D(k, c) : D(c, k); };
  for_each_block<kColumns<T>>(columns, [&](auto width, int column) {
    for_each_chunk<T>(rows, [&]<class X>(std::type_identity<X>, int row) {
      constexpr int kWidth = width();
      X x[kWidth];
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) x[c] = load<X>(A.at(row, column + c));
      for (int k = 0; k < column; ++k) {
        const X left = load<X>(A.at(row, k));
        DELASSUS_UNROLL
        for (int c = 0; c < kWidth; ++c) x[c] -= left * entry(k, column + c);
      }
      DELASSUS_UNROLL
      for (int c = 0; c < kWidth; ++c) {
        DELASSUS_UNROLL
        for (int k = 0; k < c; ++k) x[c] -= x[k] * entry(column + k, column + c);
        if constexpr (kUpper) x[c] = x[c] * D(column + c, column + c);
        store(A.at(row, column + c), x[c]);
      }
    });
  });
}

/// G with G Gᵀ = W.
template <class T>
Mat<T, 6, 6> cholesky_root(const Sym<T, 6>& W) {
  Mat<T, 6, 6> G = Mat<T, 6, 6>::zero();
  for (int c = 0; c < 6; ++c) {
    for (int r = c; r < 6; ++r) {
      T sum = W(r, c);
      for (int k = 0; k < c; ++k) sum -= G(r, k) * G(c, k);
      G(r, c) = r == c ? sqrt(max(sum, T(0))) : sum / G(c, c);
    }
  }
  return G;
}

/// Six times `stride` numbers: entries of wrenches, each for all columns of a track.
template <class X, class T>
DELASSUS_INLINE Force<X> load_wrench(const T* at, int stride) {
  Force<X> f;
  DELASSUS_UNROLL
  for (int e = 0; e < 3; ++e) {
    f.moment[e] = load<X>(at + e * stride);
    f.force[e] = load<X>(at + (e + 3) * stride);
  }
  return f;
}
template <class X, class T>
DELASSUS_INLINE void store_wrench(const Force<X>& f, T* at, int stride) {
  DELASSUS_UNROLL
  for (int e = 0; e < 3; ++e) {
    store(at + e * stride, f.moment[e]);
    store(at + (e + 3) * stride, f.force[e]);
  }
}

/// f(constraint, first of its blocks' numbers) for all that have rows.
template <class F>
void for_each_block_of(const RowStructure& rows, F&& f) {
  std::ptrdiff_t at = 0;
  for (std::size_t c = 0; c < rows.spans.size(); ++c) {
    if (rows.spans[c].rows > 0) f(c, at);
    at += static_cast<std::ptrdiff_t>(rows.spans[c].rows) * rows.spans[c].rows;
  }
}

/// Names the row with what is no number.
template <class T>
Status find_not_finite(const RowStructure& rows, const T* value) {
  for (const RowSpan& span : rows.spans) {
    for (int r = 0; r < span.rows; ++r, value += span.rows) {
      for (int k = 0; k < span.rows; ++k) {
        if (!is_finite(value[k])) return {Status::Code::kNotFinite, span.first_row + r};
      }
    }
  }
  return {};
}

}  // namespace

template <class T>
std::size_t DualElimination<T>::bytes() const {
  return heap_bytes(planner_, plan_, damping_, y_, root_, yield_root_, wrenches_, travellers_, rest_square_,
                    rest_panel_, square_, P_, Q_, kept_square_, kept_P_, kept_Q_, x_);
}

template <class T>
void DualElimination<T>::reserve(const Model& model, const CondensedCapacity& capacity) {
  const auto rows = static_cast<std::size_t>(capacity.rows);
  const auto most = std::min(rows, static_cast<std::size_t>(kReservedRows)), square = most * most;
  planner_.reserve(model, capacity, plan_);
  y_.reserve(static_cast<std::size_t>(model.nv()) * (rows + static_cast<std::size_t>(model.nv())));
  root_.reserve(static_cast<std::size_t>(model.nv()));
  yield_root_.reserve(static_cast<std::size_t>(model.num_links()));
  wrenches_.reserve(12 * rows);
  travellers_.reserve(static_cast<std::size_t>(capacity.blocks + capacity.entries));
  for (std::vector<T>* list : {&rest_square_, &square_, &rest_panel_, &P_, &Q_}) list->reserve(square);
  const auto kept = std::min(rows, static_cast<std::size_t>(kReservedKept));
  for (std::vector<T>* list : {&kept_square_, &kept_P_, &kept_Q_}) list->reserve(kept * kept);
  x_.reserve(rows + static_cast<std::size_t>(model.nv()));
  damping_.reserve({}, capacity.rows);
}

template <class T>
void DualElimination<T>::prepare(const Model& model, const ConstraintRows<T>& rows, const CondensedPlan& tree,
                                 const CondensedConfiguration<T>& c) {
  if (!planned_) planner_.run(model, rows, plan_);
  if (!configured_) configure(model, rows, tree, c);
  planned_ = configured_ = true;
}

// ------------------------------------------------------------------------------------- configuration

template <class T>
void DualElimination<T>::configure(const Model& model, const ConstraintRows<T>& rows, const CondensedPlan& tree,
                                   const CondensedConfiguration<T>& c) {
  y_.resize(static_cast<std::size_t>(model.nv()) * plan_.unknowns);
  for (std::vector<T>* list : {&rest_square_, &square_}) list->resize(static_cast<std::size_t>(plan_.square_size));
  for (std::vector<T>* list : {&rest_panel_, &P_, &Q_}) list->resize(static_cast<std::size_t>(plan_.panel_size));
  x_.resize(static_cast<std::size_t>(plan_.unknowns));
  kept_ready_ = false;
  take_roots(model, tree, c);
  for (const Group& group : plan_.groups) clear_y(group);
  for (const DualPlan::Track& track : plan_.tracks) carry(model, rows, tree, c, track);
  std::ranges::fill(rest_square_, T(0));
  std::ranges::fill(rest_panel_, T(0));
  for (const Group& group : plan_.groups) group.trunk < 0 ? couple_rows(group) : couple_trunk(group);
}

template <class T>
void DualElimination<T>::take_roots(const Model& model, const CondensedPlan& tree, const CondensedConfiguration<T>& c) {
  root_.resize(static_cast<std::size_t>(model.nv()));
  yield_root_.resize(c.yield.size());
  for (const std::int32_t i : tree.felt) {
    if (tree.free_of[i] >= 0) {
      yield_root_[tree.free_of[i]] = cholesky_root(c.yield[tree.free_of[i]]);
    } else {
      take_joint_roots(c.art, model.link(i), root_.data());
    }
  }
}

template <class T>
void DualElimination<T>::clear_y(const Group& group) {
  const auto clear = [&](std::span<const std::int32_t> dofs) {
    for (const std::int32_t v : dofs) std::fill_n(y(v, group.first), group.count, T(0));
  };
  for (const std::int32_t limb : DualPlan::part(plan_.places, group.limbs)) clear(plan_.dofs_of_limb(limb));
  for (const std::int32_t trunk : DualPlan::part(plan_.places, group.trunks)) clear(plan_.dofs_of_trunk(trunk));
}

/// Wrenches on all links that the track begins at. Weights on joints go to Y, where crossing the joint finds them.
template <class T>
void DualElimination<T>::begin_track(const ConstraintRows<T>& rows, const CondensedConfiguration<T>& c,
                                     const DualPlan::Track& track) {
  travellers_.clear();
  const auto constraints = DualPlan::part(plan_.constraints, track.constraints);
  const RowSpan& model_span = rows.spans[constraints.front()];
  const int sites = model_span.blocks + model_span.entries;
  wrenches_.assign(static_cast<std::size_t>(6 * sites * track.count), T(0));
  for (int k = 0; k < sites; ++k) {
    const bool on_link = k < model_span.blocks;
    const int link = on_link ? rows.blocks[model_span.first_block + k].link
                             : plan_.dof_link[rows.entries[model_span.first_entry + k - model_span.blocks].v];
    travellers_.push_back({link, 6 * k * track.count});
  }
  for (const std::int32_t constraint : constraints) {
    const RowSpan& span = rows.spans[constraint];
    const int first = plan_.first_unknown[constraint] - span.first_row;
    for (int k = 0; k < span.blocks; ++k) {
      const RowBlock& block = rows.blocks[span.first_block + k];
      T* to = wrenches_.data() + 6 * k * track.count + first + block.first_row - track.first;
      for (int r = 0; r < block.rows; ++r)
        store_wrench(placed_row(c.art.frames, rows, span.first_block + k, r), to + r, track.count);
    }
    for (int k = span.first_entry; k < span.first_entry + span.entries; ++k)
      *y(rows.entries[k].v, first + rows.entries[k].row) += rows.weights[k];
  }
}

/// The rows of a track inwards, joint by joint, the deepest first: those of two links become one where their paths meet.
template <class T>
void DualElimination<T>::carry(const Model& model, const ConstraintRows<T>& rows, const CondensedPlan& tree,
                               const CondensedConfiguration<T>& c, const DualPlan::Track& track) {
  const FreeJoints<T, WorldFrames<T>> joints{c.art, root_.data()};
  const bool weighted = rows.spans[plan_.constraints[track.constraints.first]].entries > 0;
  begin_track(rows, c, track);
  while (!travellers_.empty()) {
    std::swap(*std::ranges::max_element(travellers_, {}, &Traveller::link), travellers_.back());
    const Traveller here = travellers_.back();
    travellers_.pop_back();
    T* wrenches = wrenches_.data() + here.wrenches;
    if (const auto other = std::ranges::find(travellers_, here.link, &Traveller::link); other != travellers_.end()) {
      for (int k = 0; k < 6 * track.count; ++k) wrenches_[other->wrenches + k] += wrenches[k];
      continue;
    }
    const Link& link = model.link(here.link);
    for_each_chunk<T>(track.count, [&]<class X>(std::type_identity<X>, int at) {
      Force<X> K = load_wrench<X>(wrenches + at, track.count);
      if (tree.free_of[here.link] >= 0) {
        const Mat<T, 6, 6>& G = yield_root_[tree.free_of[here.link]];
        for (int k = 0; k < 6; ++k) {
          X sum(0);
          for (int e = k; e < 6; ++e) sum += entry(K.moment, K.force, e) * G(e, k);
          store(y(link.v + k, track.first + at), sum);
        }
        return;
      }
      with_width(link.nv, [&](auto N) {
        Vec<X, N()> felt = subspace_dot<N()>(c.art.frames, link, K);
        if (weighted) {
          for (int k = 0; k < N(); ++k) felt[k] += load<X>(y(link.v + k, track.first + at));
        }
        if (link.parent != kWorld)
          store_wrench(to_parent(c.art.frames, here.link, joints.template rest<N()>(link, K, felt)), wrenches + at,
                       track.count);
        const Vec<X, N()> result = joints.template result<N()>(link, felt);
        for (int k = 0; k < N(); ++k) store(y(link.v + k, track.first + at), result[k]);
      });
    });
    if (link.parent != kWorld) travellers_.push_back({link.parent, here.wrenches});
  }
}

/// Y_lᵀ Y_l of a group of rows and those that it shares limbs with, and Y_t.
template <class T>
void DualElimination<T>::couple_rows(const Group& group) {
  const LowerView<T> D = square(rest_square_, group), P = panel(rest_panel_, group);
  const auto limbs = DualPlan::part(plan_.places, group.limbs);
  for (const std::int32_t limb : limbs) {
    add_row_products(plan_.dofs_of_limb(limb), y_.data(), plan_.unknowns, group.first, group.count, group.first,
                     group.count, D);
  }
  for (const DualPlan::Later& later : DualPlan::part(plan_.later, group.later)) {
    const Group& other = plan_.groups[later.group];
    if (other.trunk >= 0) {
      if (std::ranges::count(DualPlan::part(plan_.places, group.trunks), other.trunk) == 0) continue;
      const auto dofs = plan_.dofs_of_trunk(other.trunk);
      for (int c = 0; c < group.count; ++c) {
        for (int k = 0; k < other.count; ++k) P(later.row + k, c) = *y(dofs[k], group.first + c);
      }
      continue;
    }
    for (const std::int32_t limb : DualPlan::part(plan_.places, other.limbs)) {
      if (std::ranges::count(limbs, limb) == 0) continue;
      add_row_products(plan_.dofs_of_limb(limb), y_.data(), plan_.unknowns, other.first, other.count, group.first,
                       group.count, P.block(later.row, 0));
    }
  }
}

template <class T>
void DualElimination<T>::couple_trunk(const Group& group) {
  const LowerView<T> D = square(rest_square_, group), P = panel(rest_panel_, group);
  const auto dofs = plan_.dofs_of_trunk(group.trunk);
  for (int k = 0; k < group.count; ++k) D(k, k) = T(-1);
  for (const DualPlan::Later& later : DualPlan::part(plan_.later, group.later)) {
    const Group& other = plan_.groups[later.group];
    if (other.trunk >= 0 || std::ranges::count(DualPlan::part(plan_.places, other.trunks), group.trunk) == 0) continue;
    for (int k = 0; k < group.count; ++k) std::copy_n(y(dofs[k], other.first), other.count, P.at(later.row, k));
  }
}

// ------------------------------------------------------------------------------------------- damping

template <class T>
Status DualElimination<T>::damp(const ConstraintRows<T>& rows, const Damping<T>& damping) {
  if (const Status status = find_not_finite(rows, damping.values().data()); !status.ok()) return status;
  as_before_ = kept_ready_ && is_damped_as_before(rows, damping);
  damping_.take(damping, rows.spans, rows.num_rows());
  if (as_before_) {
    begin_behind_kept();
  } else if (const Status status = eliminate_kept(rows); !status.ok()) {
    return status;
  }
  const auto groups = static_cast<int>(plan_.groups.size());
  add_damping(rows, plan_.kept_unknowns, plan_.unknowns);
  return eliminate(rows, plan_.kept, groups);
}

/// Of rows that are kept, to the bit.
template <class T>
bool DualElimination<T>::is_damped_as_before(const RowStructure& rows, const Damping<T>& damping) const {
  const T *now = damping.values().data(), *before = damping_.view().values().data();
  bool same = true;
  for_each_block_of(rows, [&](std::size_t c, std::ptrdiff_t at) {
    const auto size = static_cast<std::size_t>(rows.spans[c].rows);
    if (plan_.first_unknown[c] < plan_.kept_unknowns)
      same = same && std::memcmp(now + at, before + at, size * size * sizeof(T)) == 0;
  });
  return same;
}

/// From the undamped matrix on.
template <class T>
Status DualElimination<T>::eliminate_kept(const RowStructure& rows) {
  kept_ready_ = false;
  std::ranges::copy(rest_square_, square_.begin());
  std::ranges::copy(rest_panel_, P_.begin());
  std::ranges::copy(rest_panel_, Q_.begin());
  if (plan_.kept == 0) return {};
  add_damping(rows, 0, plan_.kept_unknowns);
  if (const Status status = eliminate(rows, 0, plan_.kept); !status.ok()) return status;
  kept_square_.assign(square_.begin() + plan_.kept_squares, square_.end());
  kept_P_.assign(P_.begin() + plan_.kept_panels, P_.end());
  kept_Q_.assign(Q_.begin() + plan_.kept_panels, Q_.end());
  kept_ready_ = true;
  return {};
}

template <class T>
void DualElimination<T>::begin_behind_kept() {
  std::ranges::copy(kept_square_, square_.begin() + plan_.kept_squares);
  std::ranges::copy(kept_P_, P_.begin() + plan_.kept_panels);
  std::ranges::copy(kept_Q_, Q_.begin() + plan_.kept_panels);
}

/// That of damping_, of constraints whose unknowns lie in this range.
template <class T>
void DualElimination<T>::add_damping(const RowStructure& rows, int first, int end) {
  const T* values = damping_.view().values().data();
  // Constraints stand in the order of their groups; their blocks of damping in that of the rows.
  const auto group_of = [&](int unknown) -> const Group& {
    return *(std::ranges::upper_bound(plan_.groups, unknown, {}, &Group::first) - 1);
  };
  for_each_block_of(rows, [&](std::size_t c, std::ptrdiff_t from) {
    if (plan_.first_unknown[c] < first || plan_.first_unknown[c] >= end) return;
    const Group& group = group_of(plan_.first_unknown[c]);
    const int at = plan_.first_unknown[c] - group.first, size = rows.spans[c].rows;
    const LowerView<T> block = square(square_, group).block(at, at);
    for (int r = 0; r < size; ++r) {
      for (int k = 0; k < size; ++k) block(r, k) += values[from + r * size + k];
    }
  });
}

/// Groups from `first` on and before `end`.
template <class T>
Status DualElimination<T>::eliminate(const RowStructure& rows, int first, int end) {
  for (int g = first; g < end; ++g) {
    const Group& group = plan_.groups[static_cast<std::size_t>(g)];
    const int size = group.count;
    const LowerView<T> D = square(square_, group);
    if (const int factored = lu_in_place(D, size, size); factored < size)
      return {Status::Code::kNotPositive, row_of(rows, group.first + factored)};
    take_from_later(group);
  }
  return {};
}

/// What a factored group leaves of those after it.
template <class T>
void DualElimination<T>::take_from_later(const Group& group) {
  const LowerView<const T> D{square_.data() + group.square, group.count};
  const LowerView<T> P = panel(P_, group), Q = panel(Q_, group);
  divide_panel<true>(D, group.count, P, group.below);
  divide_panel<false>(D, group.count, Q, group.below);
  const LowerView<const T> left{P.data, P.stride}, right{Q.data, Q.stride};
  for (const DualPlan::Update& update : DualPlan::part(plan_.updates, group.updates)) {
    const DualPlan::Later &row = plan_.later[update.row], &column = plan_.later[update.column];
    const Group& to = plan_.groups[column.group];
    const int rows = plan_.groups[row.group].count;
    if (update.row == update.column) {
      subtract_products(square(square_, to), rows, rows, left.block(row.row, 0), right.block(row.row, 0), group.count);
      continue;
    }
    subtract_products(panel(P_, to).block(update.to, 0), rows, to.count, left.block(row.row, 0),
                      right.block(column.row, 0), group.count);
    subtract_products(panel(Q_, to).block(update.to, 0), rows, to.count, right.block(row.row, 0),
                      left.block(column.row, 0), group.count);
  }
}

template <class T>
int DualElimination<T>::row_of(const RowStructure& rows, int unknown) const {
  for (std::size_t c = 0; c < rows.spans.size(); ++c) {
    const int row = unknown - plan_.first_unknown[c];
    if (row >= 0 && row < rows.spans[c].rows) return rows.spans[c].first_row + row;
  }
  return 0;  // of a trunk
}

// --------------------------------------------------------------------------------------------- solve

template <class T>
void DualElimination<T>::solve(const RowStructure& rows, const T* b, T* z) {
  std::ranges::fill(x_, T(0));
  for (std::size_t c = 0; c < rows.spans.size(); ++c) {
    std::copy_n(b + rows.spans[c].first_row, rows.spans[c].rows, x_.data() + plan_.first_unknown[c]);
  }
  const auto in_blocks = [](int count, auto&& f) { for_each_block<kColumns<T>>(count, f); };
  for (const Group& group : plan_.groups) {
    const LowerView<const T> D{square_.data() + group.square, group.count}, P{P_.data() + group.panel, group.below};
    T* x = x_.data() + group.first;
    solve_unit_lower<T>(D, group.count, group.count, x);
    in_blocks(group.count, [&](auto width, int column) {
      T part[width()];
      for (int k = 0; k < width(); ++k) part[k] = -x[column + k];
      for (const DualPlan::Later& later : DualPlan::part(plan_.later, group.later)) {
        const Group& other = plan_.groups[later.group];
        add_columns(P.block(later.row, column), other.count, part, x_.data() + other.first);
      }
    });
  }
  for (std::size_t last = plan_.groups.size(); last > 0; --last) {
    const Group& group = plan_.groups[last - 1];
    const LowerView<const T> D{square_.data() + group.square, group.count}, Q{Q_.data() + group.panel, group.below};
    T* x = x_.data() + group.first;
    in_blocks(group.count, [&](auto width, int column) {
      T part[width()];
      for (int k = 0; k < width(); ++k) part[k] = x[column + k];
      for (const DualPlan::Later& later : DualPlan::part(plan_.later, group.later)) {
        const Group& other = plan_.groups[later.group];
        subtract_transposed(Q.block(later.row, column), other.count, x_.data() + other.first, part);
      }
      for (int k = 0; k < width(); ++k) x[column + k] = part[k];
    });
    solve_upper<T>(D, group.count, group.count, x);
  }
  for (std::size_t c = 0; c < rows.spans.size(); ++c) {
    std::copy_n(x_.data() + plan_.first_unknown[c], rows.spans[c].rows, z + rows.spans[c].first_row);
  }
}

template class DualElimination<double>;
template class DualElimination<float>;

}  // namespace delassus
