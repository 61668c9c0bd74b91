#include "constraints/contact_rows.hpp"
#include "constraints/geometry.hpp"
#include "delassus/constraints/lower.hpp"
#include "kinematics/link_inertia.hpp"
#include "math/chunks.hpp"
#include "math/instantiate.hpp"

namespace delassus {
namespace {

/// Writes the values of one constraint after another, in the order in which the structure was made.
template <class T>
class Values {
 public:
  Values(const Model& model, const Kinematics<T>& kin, ConstraintRows<T>& rows)
      : model_(model), kin_(kin), rows_(rows) {}

  /// Any constraint but a contact. False if a direction of it is undefined.
  bool write(const RowSpan& span, const Constraint& c) {
    begin(span);
    std::visit(
        [this]<class X>(const X& x) {
          if constexpr (!std::same_as<X, PointContact>) this->fill(x);
        },
        c);
    end();
    return good_;
  }

  /// All contacts that follow each other from e on: they are many, and with nothing else in the loop it stays in registers.
  /// Returns where they end.
  int write_contacts(std::span<const Constraint> constraints, int e) {
    for (; e < static_cast<int>(constraints.size()); ++e) {
      const auto* contact = std::get_if<PointContact>(&constraints[e]);
      if (contact == nullptr) break;
      require_same_rows(constraints[e], rows_.spans[e]);
      begin(rows_.spans[e]);
      fill(*contact);
      end();
    }
    return e;
  }

 private:
  DELASSUS_INLINE void begin(const RowSpan& span) {
    row_count_ = span.rows;
    block_ = rows_.blocks.data() + span.first_block;
    blocks_end_ = block_ + span.blocks;
    entry_ = span.first_entry;
    entries_end_ = entry_ + span.entries;
    good_ = true;
  }
  DELASSUS_INLINE void end() const {
    if (block_ != blocks_end_ || entry_ != entries_end_) throw_other_structure();
  }

  const RowBlock& next_block(int link, int linear) {
    if (block_ == blocks_end_ || block_->link != link || block_->linear != linear) throw_other_structure();
    return *block_++;
  }
  void weigh(int v, T weight) {
    if (entry_ == entries_end_ || rows_.entries[entry_].v != v) throw_other_structure();
    rows_.weights[entry_++] = weight;
  }

  /// The next point block, where the link moves.
  T* point_block(int link, int linear) {
    return link == kWorld ? nullptr : rows_.values.data() + next_block(link, linear).value;
  }
  /// The same with its lever written; returns the place for its directions.
  T* point(int link, const Vec3<T>& lever, int linear) {
    T* value = point_block(link, linear);
    if (value == nullptr) return nullptr;
    put_vector(value, lever);
    return value + 3;
  }
  /// Direction of one row on the first body, and its opposite on the second.
  static void direct(T* first, T* second, int row, const Vec3<T>& d) {
    if (first) put_vector(first + 3 * row, d);
    if (second) put_vector<T>(second + 3 * row, -d);
  }
  static void require_entries(const std::vector<double>& x, int count) {
    if (static_cast<int>(x.size()) != count) throw_other_structure();
  }
  void require_direction(T length2, T from2) { good_ = all_lanes(direction_tolerance<T>() * from2 < length2); }

  DELASSUS_INLINE void fill(const PointContact& x) {
    const PlacedPoint<T> a(model_, kin_, x.a);
    const int b = frame_of(model_, x.b).link;
    const int linear = row_count_ < 3 ? row_count_ : 3;
    T* first = point_block(a.link, linear);
    T* second = point_block(b, linear);
    fill_contact(kin_, a.link, b, a.lever, first, second, [&](T* to, bool opposite) {
      for (int row = 0; row < row_count_; row += 3) {
        put_axes(to + 3 * row, x.axes, row_count_ - row < 3 ? row_count_ - row : 3, opposite);
      }
    });
  }

  /// The first axes of a contact, or their opposites.
  static void put_axes(T* to, const Mat3<double>& axes, int count, bool opposite) {
    if constexpr (std::same_as<T, double>) {
      if (count == 3) {
        return for_each_chunk<double>(9, [&]<class X>(std::type_identity<X>, int at) {
          const X x = load<X>(axes.a + at);
          store(to + at, opposite ? -x : x);
        });
      }
    }
    for (int k = 0; k < 3 * count; ++k) to[k] = opposite ? -T(axes.a[k]) : T(axes.a[k]);
  }

  void fill(const LoopClosure& x) {
    const LoopGeometry<T> g(model_, kin_, x);
    const int linear = held_axes(x.free_linear);
    T* first = point(g.first.link, g.lever1(), linear);
    T* second = point(g.second.link, g.second.lever, linear);
    int row = 0;
    for_each_held(x.free_linear, [&](int k) { direct(first, second, row++, g.axis(k)); });
    if (const int k = universal_axis(x); k >= 0) {
      const Vec3<T> n = cross(g.arm1(k), g.arm2(k));
      const T length2 = dot(n, n);
      require_direction(length2, T(1));
      direct(first, second, row, (T(1) / sqrt(length2)) * n);
    } else {
      for_each_held(x.free_angular, [&](int axis) { direct(first, second, row++, g.axis(axis)); });
    }
  }

  void fill(const Distance& x) {
    const PlacedPoint<T> a(model_, kin_, x.first), b(model_, kin_, x.second);
    const Vec3<T> d = separation(kin_, a, b);
    const T length2 = dot(d, d);
    const Vec3<T> between = kin_.pose[a.link].p - kin_.pose[b.link].p;
    require_direction(length2, dot(a.lever, a.lever) + dot(b.lever, b.lever) + dot(between, between));
    T* first = point(a.link, a.lever, 1);
    T* second = point(b.link, b.lever, 1);
    direct(first, second, 0, (T(1) / sqrt(length2)) * d);
  }

  void fill(const CentreOfMass&) {
    for (int i = 0; i < model_.num_links(); ++i) {
      const double mass = model_.link(i).inertia.mass;
      if (!(mass > 0)) continue;
      T* directions = point(i, T(1 / mass) * link_moment(model_, kin_, i), 3);
      const T share = T(mass) / T(model_.mass());
      for (int k = 0; k < 3; ++k) put_vector<T>(directions + 3 * k, share * column(Mat3<T>::identity(), k));
    }
  }

  void fill(const CustomRows& x) {
    for (const CustomRows::BodyTerm& term : x.bodies) {
      const Frame& frame = frame_of(model_, term.frame);
      require_entries(term.K, 6 * x.rows);
      if (frame.link == kWorld) continue;
      const Pose<T> local = cast<T>(frame.placement);
      const Mat3<T> R = kin_.pose[frame.link].R * local.R;
      const Vec3<T> r = kin_.pose[frame.link].R * local.p;
      T* value = rows_.values.data() + next_block(frame.link, 0).value;
      for (int row = 0; row < x.rows; ++row) {
        const double* K = &term.K[6 * row];
        const Force<T> own{R * Vec3<T>{{T(K[0]), T(K[1]), T(K[2])}}, R * Vec3<T>{{T(K[3]), T(K[4]), T(K[5])}}};
        const Force<T> k = shifted(own, r);
        put_vector(value + 6 * row, k.moment);
        put_vector(value + 6 * row + 3, k.force);
      }
    }
    for (const CustomRows::DofTerm& term : x.dofs) {
      require_entries(term.weights, x.rows);
      for (int row = 0; row < x.rows; ++row) weigh(term.v, T(term.weights[row]));
    }
  }

  void fill(const JointLimit& x) { weigh(link_of(model_, x.link).v + x.dof, T(x.upper ? -1 : 1)); }
  void fill(const JointFriction& x) { weigh(link_of(model_, x.link).v + x.dof, T(1)); }
  void fill(const JointCoupling& x) {
    for (const JointCoupling::Term& t : x.terms) weigh(link_of(model_, t.link).v + t.dof, T(t.weight));
  }

  void fill(const JointPolynomial& x) {
    weigh(link_of(model_, x.link).v + x.dof, T(1));
    if (x.other_link < 0) return;
    const Link& other = link_of(model_, x.other_link);
    if (x.other_dof < 0 || x.other_dof >= other.nv) throw_other_structure();
    weigh(other.v + x.other_dof, -polynomial_slope(x, kin_.q[other.q + x.other_dof]));
  }

  const Model& model_;
  const Kinematics<T>& kin_;
  ConstraintRows<T>& rows_;
  int row_count_ = 0;
  const RowBlock *block_ = nullptr, *blocks_end_ = nullptr;
  int entry_ = 0, entries_end_ = 0;
  bool good_ = true;
};

template <class T>
[[gnu::noinline]] int lower_contacts(const Model& model, const Kinematics<T>& kin,
                                     std::span<const Constraint> constraints, int e, ConstraintRows<T>& rows) {
  return Values<T>(model, kin, rows).write_contacts(constraints, e);
}

}  // namespace

template <class T>
Status lower_values(const Model& model, const Kinematics<T>& kin, std::span<const Constraint> constraints,
                    ConstraintRows<T>& rows) {
  require_size("constraints", static_cast<int>(constraints.size()), static_cast<int>(rows.spans.size()));
  const int n = static_cast<int>(constraints.size());
  Values<T> values(model, kin, rows);
  Status status;
  for (int e = 0; (e = lower_contacts(model, kin, constraints, e, rows)) < n; ++e) {
    require_same_rows(constraints[e], rows.spans[e]);
    if (!values.write(rows.spans[e], constraints[e]) && status.ok()) status = {Status::Code::kDegenerate, e};
  }
  return status;
}

#define DELASSUS_INSTANTIATE(T) \
  template Status lower_values<T>(const Model&, const Kinematics<T>&, std::span<const Constraint>, ConstraintRows<T>&);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
