#include "delassus/constraints/lower.hpp"

#include <atomic>

#include "constraints/geometry.hpp"

namespace delassus {
namespace {

/// Writes over a list, and knows whether that changed it.
template <class X>
class ListWriter {
 public:
  explicit ListWriter(std::vector<X>& list) : list_(list) {}

  std::int32_t size() const { return static_cast<std::int32_t>(size_); }
  void add(const X& x) {
    if (size_ == list_.size()) {
      list_.push_back(x);
      changed_ = true;
    } else if (list_[size_] != x) {
      list_[size_] = x;
      changed_ = true;
    }
    ++size_;
  }
  /// Whether the list is another now.
  bool end() {
    changed_ = changed_ || size_ != list_.size();
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(size_), list_.end());
    return changed_;
  }

 private:
  std::vector<X>& list_;
  std::size_t size_ = 0;
  bool changed_ = false;
};

/// Writes the structure of one constraint after another.
class StructureWriter {
 public:
  StructureWriter(const Model& model, RowStructure& rows)
      : model_(model), spans_(rows.spans), blocks_(rows.blocks), entries_(rows.entries) {}

  void add(const Constraint& c) {
    const auto kind = static_cast<std::int32_t>(c.index());
    span_ = {kind, span_.first_row + span_.rows, row_count(c), blocks_.size(), 0, entries_.size(), 0};
    std::visit([this](const auto& x) { this->write(x); }, c);
    span_.blocks = blocks_.size() - span_.first_block;
    span_.entries = entries_.size() - span_.first_entry;
    spans_.add(span_);
  }
  /// Whether the structure is another now.
  bool end() {
    const bool spans = spans_.end(), blocks = blocks_.end(), entries = entries_.end();
    return spans || blocks || entries;
  }

 private:
  void block(RowBlock::Kind kind, int link, int linear) {
    const RowBlock block{link, span_.first_row, span_.rows, linear, values_, kind};
    blocks_.add(block);
    values_ += value_count(block);
  }
  /// What the world carries does not move: no block.
  void point(int frame, int linear) {
    const int link = model_.frame(frame).link;
    if (link != kWorld) block(RowBlock::Kind::kPoint, link, linear);
  }
  void entry(int row, int v) { entries_.add({span_.first_row + row, v}); }

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
  ListWriter<RowSpan> spans_;
  ListWriter<RowBlock> blocks_;
  ListWriter<JointEntry> entries_;
  RowSpan span_{};
  std::int32_t values_ = 0;
};

}  // namespace

void RowStructure::renew_identity() {
  static std::atomic<std::uint64_t> last{0};
  identity = last.fetch_add(1, std::memory_order_relaxed) + 1;
}

void lower_structure(const Model& model, std::span<const Constraint> constraints, RowStructure& rows) {
  for (const Constraint& c : constraints) require_valid(model, c);
  StructureWriter writer(model, rows);
  for (const Constraint& c : constraints) writer.add(c);
  if (writer.end() || rows.identity == 0) rows.renew_identity();
}

}  // namespace delassus
