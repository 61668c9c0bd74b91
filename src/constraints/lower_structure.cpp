#include "delassus/constraints/lower.hpp"

#include "constraints/geometry.hpp"
#include "delassus/math/instantiate.hpp"

namespace delassus {
namespace {

/// Writes the structure of one constraint after another.
template <class T>
class Structure {
 public:
  Structure(const Model& model, ConstraintRows<T>& rows) : model_(model), rows_(rows) {}

  void add(const Constraint& c) {
    const auto kind = static_cast<std::int32_t>(c.index());
    span_ = {kind, rows_.num_rows(), row_count(c), size(rows_.blocks), 0, size(rows_.entries), 0};
    std::visit([this](const auto& x) { this->write(x); }, c);
    span_.blocks = size(rows_.blocks) - span_.first_block;
    span_.entries = size(rows_.entries) - span_.first_entry;
    rows_.spans.push_back(span_);
    rows_.sets.push_back(set_of(c));
  }

 private:
  template <class V>
  static std::int32_t size(const V& v) {
    return static_cast<std::int32_t>(v.size());
  }

  void block(RowBlock::Kind kind, int link, int linear) {
    const int count = kind == RowBlock::Kind::kPoint ? 3 + 3 * span_.rows : 6 * span_.rows;
    rows_.blocks.push_back({link, span_.first_row, span_.rows, linear, size(rows_.values), kind});
    rows_.values.resize(rows_.values.size() + count);
  }
  /// What the world carries does not move: no block.
  void point(int frame, int linear) {
    const int link = model_.frame(frame).link;
    if (link != kWorld) block(RowBlock::Kind::kPoint, link, linear);
  }
  void entry(int row, int v) { rows_.entries.push_back({span_.first_row + row, v, T(0)}); }

  void write(const PointContact& x) {
    const int linear = span_.rows < 3 ? span_.rows : 3;
    point(x.a.frame, linear);
    point(x.b, linear);
  }
  void write(const LoopClosure& x) {
    point(x.first.frame, held_axes(x.free_linear));
    point(x.second.frame, held_axes(x.free_linear));
  }
  void write(const Distance& x) {
    point(x.first.frame, 1);
    point(x.second.frame, 1);
  }
  void write(const JointLimit& x) { entry(0, model_.link(x.link).v + x.dof); }
  void write(const JointFriction& x) { entry(0, model_.link(x.link).v + x.dof); }
  void write(const JointCoupling& x) {
    for (const JointCoupling::Term& t : x.terms) entry(0, model_.link(t.link).v + t.dof);
  }
  void write(const CentreOfMass&) {
    for (int i = 0; i < model_.num_links(); ++i) {
      if (model_.link(i).inertia.mass > 0) block(RowBlock::Kind::kPoint, i, 3);
    }
  }
  void write(const CustomRows& x) {
    for (const CustomRows::BodyTerm& t : x.bodies) {
      const int link = model_.frame(t.frame).link;
      if (link != kWorld) block(RowBlock::Kind::kDense, link, 0);
    }
    for (const CustomRows::DofTerm& t : x.dofs) {
      for (int r = 0; r < x.rows; ++r) entry(r, t.v);
    }
  }

  void write(const JointPolynomial& x) {
    entry(0, model_.link(x.link).v + x.dof);
    if (x.other_link >= 0) entry(0, model_.link(x.other_link).v + x.other_dof);
  }

  const Model& model_;
  ConstraintRows<T>& rows_;
  RowSpan span_{};
};

}  // namespace

template <class T>
void ConstraintRows<T>::reserve(int constraints) {
  spans.reserve(constraints);
  sets.reserve(constraints);
  blocks.reserve(2 * constraints);
  entries.reserve(12 * constraints);
  values.reserve(2 * 36 * constraints);
}

template <class T>
void lower_structure(const Model& model, std::span<const Constraint> constraints, ConstraintRows<T>& rows) {
  for (const Constraint& c : constraints) require_valid(model, c);
  rows.spans.clear();
  rows.sets.clear();
  rows.blocks.clear();
  rows.entries.clear();
  rows.values.clear();
  Structure<T> structure(model, rows);
  for (const Constraint& c : constraints) structure.add(c);
}

#define DELASSUS_INSTANTIATE(T)      \
  template struct ConstraintRows<T>; \
  template void lower_structure<T>(const Model&, std::span<const Constraint>, ConstraintRows<T>&);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
