#include <limits>

#include "delassus/constraints/lower.hpp"
#include "delassus/math/instantiate.hpp"
#include "loop_geometry.hpp"

namespace delassus {
namespace {

/// Writes the values of one constraint after another, in the order in which the structure was made.
template <class T>
class Values {
 public:
  Values(const Model& model, const Kinematics<T>& kin, ConstraintRows<T>& rows) : model_(model), kin_(kin), rows_(rows) {}

  bool write(const RowSpan& span, const Constraint& c) {
    span_ = &span;
    block_ = rows_.blocks.data() + span.first_block;
    good_ = true;
    std::visit([this](const auto& x) { this->fill(x); }, c);
    return good_;
  }

 private:
  const Anchor& anchor(int i) const { return rows_.anchors[span_->first_anchor + i]; }
  Vec3<T> lever(const Anchor& a) const { return kin_.pose[a.link].R * cast<T>(a.local.p); }

  /// The next point block, where the link moves: its lever, and a place for its directions.
  T* point(int link, const Vec3<T>& lever) {
    if (link == kWorld) return nullptr;
    T* value = rows_.values.data() + (block_++)->value;
    put(value, lever);
    return value + 3;
  }
  static void put(T* to, const Vec3<T>& v) {
    to[0] = v[0];
    to[1] = v[1];
    to[2] = v[2];
  }
  /// Direction of one row on the first body, and its opposite on the second.
  static void direct(T* first, T* second, int row, const Vec3<T>& d) {
    if (first) put(first + 3 * row, d);
    if (second) put(second + 3 * row, -d);
  }

  /// A direction whose squared length underflows is none.
  void require_positive(T length2) {
    good_ = all_lanes(T(static_cast<double>(std::numeric_limits<Base<T>>::min())) < length2);
  }

  void fill(const PointContact& x) {
    const Anchor& a = anchor(0);
    const int b = anchor(1).link;
    const Vec3<T> r = lever(a);
    T* first = point(a.link, r);
    T* second = point(b, r + (kin_.pose[a.link].p - kin_.pose[b].p));
    for (int row = 0; row < span_->rows; ++row) {
      const int k = row < 3 ? row : row - 3;
      direct(first, second, row, Vec3<T>{{T(x.axes(k, 0)), T(x.axes(k, 1)), T(x.axes(k, 2))}});
    }
  }

  void fill(const LoopClosure& x) {
    const LoopGeometry<T> g(kin_, x, anchor(0), anchor(1));
    T* first = point(g.link1, g.sliding_lever1());
    T* second = point(g.link2, g.lever2);
    int row = 0;
    for_each_held(x.free_linear, [&](int k) { direct(first, second, row++, g.axis(k)); });
    if (const int k = universal_axis(x); k >= 0) {
      const Vec3<T> n = g.universal_direction(k);
      const T length2 = dot(n, n);
      require_positive(length2);
      direct(first, second, row, (T(1) / sqrt(length2)) * n);
    } else {
      for_each_held(x.free_angular, [&](int axis) { direct(first, second, row++, g.axis(axis)); });
    }
  }

  void fill(const Distance&) {
    const Anchor& a = anchor(0);
    const Anchor& b = anchor(1);
    const Vec3<T> r1 = lever(a), r2 = lever(b);
    const Vec3<T> d = kin_.pose[a.link].p - kin_.pose[b.link].p + (r1 - r2);
    const T length2 = dot(d, d);
    require_positive(length2);
    T* first = point(a.link, r1);
    T* second = point(b.link, r2);
    direct(first, second, 0, (T(1) / sqrt(length2)) * d);
  }

  void fill(const CentreOfMass&) {
    for (int i = 0; i < model_.num_links(); ++i) {
      const double mass = model_.link(i).inertia.mass;
      if (!(mass > 0)) continue;
      T* directions = point(i, T(1 / mass) * kin_.inertia[i].moment);
      const T share = T(mass) / T(model_.mass());
      for (int k = 0; k < 3; ++k) put(directions + 3 * k, share * column(Mat3<T>::identity(), k));
    }
  }

  void fill(const CustomRows& x) {
    for (int t = 0; t < static_cast<int>(x.bodies.size()); ++t) {
      const Anchor& a = anchor(t);
      if (a.link == kWorld) continue;
      const Mat3<T> R = kin_.pose[a.link].R * cast<T>(a.local.R);
      const Vec3<T> r = lever(a);
      T* value = rows_.values.data() + (block_++)->value;
      for (int row = 0; row < x.rows; ++row) {
        const double* K = &x.bodies[t].K[6 * row];
        const Force<T> own{R * Vec3<T>{{T(K[0]), T(K[1]), T(K[2])}}, R * Vec3<T>{{T(K[3]), T(K[4]), T(K[5])}}};
        const Force<T> k = shifted(own, r);
        put(value + 6 * row, k.moment);
        put(value + 6 * row + 3, k.force);
      }
    }
  }

  // Joint rows have constant weights, written with the structure.
  void fill(const JointLimit&) {}
  void fill(const JointFriction&) {}
  void fill(const JointCoupling&) {}

  const Model& model_;
  const Kinematics<T>& kin_;
  ConstraintRows<T>& rows_;
  const RowSpan* span_ = nullptr;
  const RowBlock* block_ = nullptr;
  bool good_ = true;
};

}  // namespace

template <class T>
Status lower_values(const Model& model, const Kinematics<T>& kin, std::span<const Constraint> constraints,
                    ConstraintRows<T>& rows) {
  const int n = static_cast<int>(constraints.size());
  require_size("constraints", n, static_cast<int>(rows.spans.size()));
  Values<T> values(model, kin, rows);
  Status status;
  for (int e = 0; e < n; ++e) {
    if (!values.write(rows.spans[e], constraints[e]) && status.ok()) status = {Status::Code::kDegenerate, e};
  }
  return status;
}

#define DELASSUS_INSTANTIATE(T) \
  template Status lower_values<T>(const Model&, const Kinematics<T>&, std::span<const Constraint>, ConstraintRows<T>&);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
