#include "delassus/constraints/lower.hpp"

#include "delassus/math/instantiate.hpp"

namespace delassus {
namespace {

/// Writes the structure of one constraint after another.
template <class T>
class Structure {
 public:
  Structure(const Model& model, ConstraintRows<T>& rows) : model_(model), rows_(rows) {}

  void add(const Constraint& c) {
    span_ = {rows_.num_rows(), row_count(model_, c), size(rows_.blocks), 0, size(rows_.entries), 0, size(rows_.anchors)};
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

  int anchor(int frame, const Pose<double>& offset) {
    const Frame& f = model_.frame(frame);
    rows_.anchors.push_back({f.link, f.placement * offset});
    return f.link;
  }
  int anchor(const Attachment& a) { return anchor(a.frame, a.offset); }

  void block(RowBlock::Kind kind, int link, int linear) {
    const int count = kind == RowBlock::Kind::kPoint ? 3 + 3 * span_.rows : 6 * span_.rows;
    rows_.blocks.push_back({link, span_.first_row, span_.rows, linear, size(rows_.values), kind});
    rows_.values.resize(rows_.values.size() + count);
  }
  /// What the world carries does not move: no block.
  void point(int link, int linear) {
    if (link != kWorld) block(RowBlock::Kind::kPoint, link, linear);
  }
  void entry(int row, int link, int dof, double weight) {
    rows_.entries.push_back({span_.first_row + row, model_.link(link).v + dof, T(weight)});
  }

  void write(const PointContact& x) {
    const int linear = span_.rows < 3 ? span_.rows : 3;
    point(anchor(x.a), linear);
    point(anchor(x.b, Pose<double>::identity()), linear);
  }
  void write(const LoopClosure& x) {
    int linear = 3;
    for (int k = 0; k < 3; ++k) linear -= x.free_linear >> k & 1;
    const int first = anchor(x.first), second = anchor(x.second);
    point(first, linear);
    point(second, linear);
  }
  void write(const Distance& x) {
    const int first = anchor(x.first), second = anchor(x.second);
    point(first, 1);
    point(second, 1);
  }
  void write(const JointLimit& x) { entry(0, x.link, x.dof, x.upper ? -1 : 1); }
  void write(const JointFriction& x) {
    for (int k = 0; k < span_.rows; ++k) entry(k, x.link, k, 1);
  }
  void write(const JointCoupling& x) {
    for (const JointCoupling::Term& t : x.terms) entry(0, t.link, t.dof, t.weight);
  }
  void write(const CentreOfMass&) {
    for (int i = 0; i < model_.num_links(); ++i) {
      if (model_.link(i).inertia.mass > 0) point(i, 3);
    }
  }
  void write(const CustomRows& x) {
    for (const CustomRows::BodyTerm& t : x.bodies) {
      const int link = anchor(t.frame, Pose<double>::identity());
      if (link != kWorld) block(RowBlock::Kind::kDense, link, 0);
    }
    for (const CustomRows::DofTerm& t : x.dofs) {
      for (int r = 0; r < x.rows; ++r) rows_.entries.push_back({span_.first_row + r, t.v, T(t.weights[r])});
    }
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
  entries.reserve(6 * constraints);
  anchors.reserve(2 * constraints);
  values.reserve(2 * 36 * constraints);
}

template <class T>
void lower_structure(const Model& model, std::span<const Constraint> constraints, ConstraintRows<T>& rows) {
  for (const Constraint& c : constraints) require_valid(model, c);
  rows.spans.clear();
  rows.sets.clear();
  rows.blocks.clear();
  rows.entries.clear();
  rows.anchors.clear();
  rows.values.clear();
  Structure<T> structure(model, rows);
  for (const Constraint& c : constraints) structure.add(c);
}

#define DELASSUS_INSTANTIATE(T)      \
  template struct ConstraintRows<T>; \
  template void lower_structure<T>(const Model&, std::span<const Constraint>, ConstraintRows<T>&);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
