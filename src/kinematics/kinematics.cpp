#include "delassus/kinematics/kinematics.hpp"

#include "delassus/math/error.hpp"
#include "kinematics/link_inertia.hpp"
#include "math/chunks.hpp"
#include "math/kernel_scalars.hpp"
#include "model/link_lanes.hpp"

namespace delassus {
namespace {

/// Sine and cosine of all angles. Plain floating point goes eight at a time through the vector kernel instead of one
/// joint at a time through the C library.
template <class T>
void sincos_angles(const Model& model, In<T> q, Kinematics<T>& kin) {
  const std::vector<std::int32_t>& at = model.angle_coordinates();
  const int n = static_cast<int>(at.size());
  if constexpr (FloatingPoint<T>) {
    using P = Pack<T, 8>;
    for (int first = 0; first < n; first += 8) {
      const int count = n - first < 8 ? n - first : 8;
      P x(0.0), s, c;
      // Mostly eight that stand next to each other.
      if (count == 8 && at[first + 7] - at[first] == 7) {
        sincos(load<P>(&q[at[first]]), s, c);
        store(&kin.sine[first], s);
        store(&kin.cosine[first], c);
        continue;
      }
      for (int k = 0; k < count; ++k) x.set(k, q[at[first + k]]);
      sincos(x, s, c);
      for (int k = 0; k < count; ++k) {
        kin.sine[first + k] = s[k];
        kin.cosine[first + k] = c[k];
      }
    }
  } else {
    for (int k = 0; k < n; ++k) sincos(q[at[k]], kin.sine[k], kin.cosine[k]);
  }
}

template <class T>
DELASSUS_INLINE Quaternion<T> quaternion_at(In<T> q, int i) {
  return {{q[i], q[i + 1], q[i + 2], q[i + 3]}};
}

/// What a joint adds to the frame R it starts in: turns R, returns the displacement of the origin, writes S. This one turns about
/// an axis, as most do.
template <class T>
DELASSUS_INLINE void turn_joint(const T* sine, const T* cosine, Mat3<T>& R, Motion<T>* S) {
  S[0] = {column(R, 2), Vec3<T>::zero()};
  R = rotated_about_z(R, sine[0], cosine[0]);
}
template <class T>
DELASSUS_INLINE Vec3<T> move_joint(const ModelOf<T>& model, int i, In<T> q, const T* sine, const T* cosine, Mat3<T>& R,
                                   Motion<T>* S) {
  const Link& link = model.link(i);
  const Vec3<T> none = Vec3<T>::zero();
  const Vec3<T> z = column(R, 2);
  switch (link.kind) {
    case JointKind::kRevolute:
      turn_joint(sine, cosine, R, S);
      return none;
    case JointKind::kPrismatic:
      S[0] = {none, z};
      return q[link.q] * z;
    case JointKind::kHelical: {
      const Vec3<T> rise = pitch_of<T>(model, i) * z;
      S[0] = {z, rise};
      R = rotated_about_z(R, sine[0], cosine[0]);
      return q[link.q] * rise;
    }
    case JointKind::kCylindrical:
      S[0] = {z, none};
      S[1] = {none, z};
      R = rotated_about_z(R, sine[0], cosine[0]);
      return q[link.q + 1] * z;
    case JointKind::kUniversal:
      S[0] = {z, none};
      R = rotated_about_z(R, sine[0], cosine[0]) * second_of<T>(model, i);
      S[1] = {column(R, 2), none};
      R = rotated_about_z(R, sine[1], cosine[1]);
      return none;
    case JointKind::kSpherical:
      R = R * rotation_of(quaternion_at<T>(q, link.q));
      for (int k = 0; k < 3; ++k) S[k] = {column(R, k), none};
      return none;
    case JointKind::kPlanar: {
      const Vec3<T> x = column(R, 0), y = column(R, 1);
      S[0] = {none, x};
      S[1] = {none, y};
      S[2] = {z, none};
      R = rotated_about_z(R, sine[0], cosine[0]);
      return q[link.q] * x + q[link.q + 1] * y;
    }
    case JointKind::kFree: {
      const Vec3<T> p = R * Vec3<T>{{q[link.q], q[link.q + 1], q[link.q + 2]}};
      R = R * rotation_of(quaternion_at<T>(q, link.q + 3));
      for (int k = 0; k < 3; ++k) {
        S[k] = {column(R, k), none};
        S[k + 3] = {none, column(R, k)};
      }
      return p;
    }
  }
  return none;
}

template <bool kRevolute, class T>
DELASSUS_INLINE void place_link(const ModelOf<T>& model, int i, In<T> q, Kinematics<T>& kin) {
  const Link& link = model.link(i);
  Pose<T> room;
  const Pose<T>& parent = LinkExchange<T>::from_parent(model, i, kin.pose, room);
  const auto& placement = placement_of<T>(model, i);
  Mat3<T> R = parent.R * placement.R;
  Vec3<T> r = parent.R * placement.p;
  const T *sine = kin.sine.data() + link.angle, *cosine = kin.cosine.data() + link.angle;
  if constexpr (kRevolute) {
    turn_joint(sine, cosine, R, kin.S.data() + link.v);
  } else {
    r += move_joint<T>(model, i, q, sine, cosine, R, kin.S.data() + link.v);
  }
  kin.offset[i] = r;
  kin.pose[i] = {R, parent.p + r};
  if constexpr (kStoresInertia<T>) kin.inertia[i] = rotated<T>(inertia_of<T>(model, i), R);
}

}  // namespace

template <class T>
Kinematics<T>::Kinematics(const Model& model)
    : q(model.nq(), unwritten<T>()),
      pose(model, {Mat3<T>::filled(unwritten<T>()), Vec3<T>::filled(unwritten<T>())}),
      offset(model, Vec3<T>::filled(unwritten<T>())),
      inertia(model, {unwritten<T>(), Vec3<T>::filled(unwritten<T>()), Sym3<T>::filled(unwritten<T>())}),
      S(model.nv(), Motion<T>::filled(unwritten<T>())),
      sine(model.angle_coordinates().size()),
      cosine(model.angle_coordinates().size()) {
  pose[kWorld] = Pose<T>::identity();
  offset[kWorld] = Vec3<T>::zero();
}

template <class T>
void take_coordinates(const Model& model, In<T> q, Kinematics<T>& kin) {
  for (int k = 0; k < model.nq(); ++k) kin.q[k] = q[k];
  sincos_angles(model, q, kin);
}

template <class T>
void place_links(const ModelOf<T>& model, Kinematics<T>& kin) {
  const VectorView<const T> q(kin.q);
  for (int i = 0; i < model.num_links(); ++i) {
    model.link(i).kind == JointKind::kRevolute ? place_link<true, T>(model, i, q, kin)
                                               : place_link<false, T>(model, i, q, kin);
  }
}

template <class T>
void update_kinematics(const ModelOf<T>& model, In<T> q, Kinematics<T>& kin) {
  require_size("q", q.size(), model.nq());
  require_size("kin (a workspace of another model?)", static_cast<int>(kin.S.size()), model.nv());
  take_coordinates<T>(model, q, kin);
  place_links(model, kin);
}

#define DELASSUS_INSTANTIATE(T) template struct Kinematics<T>;
DELASSUS_FOR_EACH_TREE_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_KERNEL(T)                                    \
  template void take_coordinates<T>(const Model&, In<T>, Kinematics<T>&); \
  template void place_links<T>(const ModelOf<T>&, Kinematics<T>&);        \
  template void update_kinematics<T>(const ModelOf<T>&, In<T>, Kinematics<T>&);
DELASSUS_FOR_EACH_KERNEL_SCALAR(DELASSUS_INSTANTIATE_KERNEL)

}  // namespace delassus
