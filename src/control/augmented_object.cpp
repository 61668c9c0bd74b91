#include "delassus/control/grasp_controller.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/math/error.hpp"
#include "math/ldlt.hpp"

namespace delassus {
namespace {

constexpr double kLeastReach = 0.01;  // metres; nearer together, hands cannot turn an object by forces

void require_object(const HeldObject& object) {
  const Inertial& body = object.inertial;
  if (!(body.mass >= 0) || !std::isfinite(body.mass)) throw Error("a held object's mass has to be zero or more");
  for (const double x : {body.com[0], body.com[1], body.com[2]}) {
    if (!std::isfinite(x)) throw Error("a held object's centre of mass has to be finite");
  }
  for (const double x : body.inertia.a) {
    if (!std::isfinite(x)) throw Error("a held object's inertia has to be finite");
  }
  for (int k = 0; k < 3; ++k) {
    if (body.inertia(k, k) < 0) throw Error("a held object's moments of inertia have to be zero or more");
  }
  if (object.hands.empty()) throw Error("a held object needs a hand that holds it");
  for (std::size_t k = 0; k < object.hands.size(); ++k) {
    if (is_pose(object.hands[k])) continue;
    throw Error("a held object: hand " + std::to_string(k) + " has no pose; R has to be a rotation, and p finite");
  }
}

template <class T>
Vec<T, 6> rows_of(const Force<T>& f) {
  return {{f.force[0], f.force[1], f.force[2], f.moment[0], f.moment[1], f.moment[2]}};
}

template <class T>
Motion<T> unit_motion(int row) {
  Motion<T> out = Motion<T>::zero();
  (row < 3 ? out.linear[row] : out.angular[row - 3]) = T(1);
  return out;
}

}  // namespace

template <FloatingPoint T>
AugmentedObject<T>::AugmentedObject(HeldObject object) : object_(std::move(object)) {
  require_object(object_);
  lever_.resize(object_.hands.size());
  find_reach();
  update(Pose<T>::identity(), Motion<T>::zero());
}

template <FloatingPoint T>
void AugmentedObject<T>::find_reach() noexcept {
  Vec3<double> middle = Vec3<double>::zero();
  for (const Pose<double>& hand : object_.hands) middle += (1.0 / num_hands()) * hand.p;
  double square = 0;
  for (const Pose<double>& hand : object_.hands) square += dot(hand.p - middle, hand.p - middle) / num_hands();
  reach_ = static_cast<T>(std::max(kLeastReach, std::sqrt(square)));
}

template <FloatingPoint T>
void AugmentedObject<T>::update(const Pose<T>& pose, const Motion<T>& velocity) noexcept {
  pose_ = pose;
  velocity_ = velocity;
  const Inertial& body = object_.inertial;
  const RigidInertia<T> centred{static_cast<T>(body.mass), Vec3<T>::zero(), cast<T>(body.inertia)};
  inertia_ = rotated(shifted(centred, cast<T>(body.com)), pose.R);
  for (int k = 0; k < num_hands(); ++k) lever_[k] = pose.R * cast<T>(object_.hands[k].p);
  factor_grasp();
}

template <FloatingPoint T>
void AugmentedObject<T>::update_from_hand(int hand, const Pose<T>& pose, const Motion<T>& velocity) noexcept {
  const Pose<T> object = pose * inverse(cast<T>(object_.hands[hand]));
  update(object, shifted(velocity, object.p - pose.p));
}

/// Three linear rows, three angular ones, of the motion at a hand.
template <FloatingPoint T>
void AugmentedObject<T>::hand_rows(int hand, const Motion<T>& motion, T* rows) const noexcept {
  const Motion<T> own = shifted(motion, lever_[hand]);
  for (int k = 0; k < 3; ++k) {
    rows[k] = own.linear[k];
    rows[3 + k] = own.angular[k];
  }
}

template <FloatingPoint T>
void AugmentedObject<T>::add_wrench(int hand, const T* rows, Force<T>& to) const noexcept {
  const Force<T> own{{{rows[3], rows[4], rows[5]}}, {{rows[0], rows[1], rows[2]}}};
  to += shifted(own, lever_[hand]);
}

template <FloatingPoint T>
void AugmentedObject<T>::hand_accelerations(const Motion<T>& acceleration, T* rows) const noexcept {
  const Vec3<T>& w = velocity_.angular;
  for (int k = 0; k < num_hands(); ++k) {
    hand_rows(k, acceleration, rows + 6 * k);
    const Vec3<T> towards = cross(w, cross(w, lever_[k]));
    for (int i = 0; i < 3; ++i) rows[6 * k + i] += towards[i];
  }
}

template <FloatingPoint T>
Force<T> AugmentedObject<T>::wrench(const T* forces) const noexcept {
  Force<T> sum = Force<T>::zero();
  for (int k = 0; k < num_hands(); ++k) add_wrench(k, forces + 6 * k, sum);
  return sum;
}

template <FloatingPoint T>
Force<T> AugmentedObject<T>::load(const Motion<T>& acceleration, const Vec3<T>& gravity) const noexcept {
  return bias_wrench(inertia_, velocity_, acceleration, gravity);
}

template <FloatingPoint T>
void AugmentedObject<T>::factor_grasp() noexcept {
  Sym<T, 6> gram;
  for (int c = 0; c < 6; ++c) {
    Force<T> column = Force<T>::zero();
    for (int k = 0; k < num_hands(); ++k) {
      T rows[6];
      hand_rows(k, unit_motion<T>(c), rows);
      for (int i = 3; i < 6; ++i) rows[i] *= reach_ * reach_;
      add_wrench(k, rows, column);
    }
    const Vec<T, 6> x = rows_of(column);
    for (int r = c; r < 6; ++r) gram(r, c) = x[r];
  }
  T margin;
  grasp_ = factor_ldlt(gram, Vec<T, 6>::zero(), margin).factor;  // positive: any hand can do any wrench
}

template <FloatingPoint T>
void AugmentedObject<T>::distribute(const Force<T>& wrench, const T* wish, T* forces) const noexcept {
  Vec<T, 6> x = rows_of(wish == nullptr ? wrench : wrench - this->wrench(wish));
  Ldlt<T, 6>{grasp_}.solve(x);
  const Motion<T> dual{{{x[3], x[4], x[5]}}, {{x[0], x[1], x[2]}}};
  for (int k = 0; k < num_hands(); ++k) {
    T rows[6];
    hand_rows(k, dual, rows);
    for (int i = 0; i < 6; ++i) {
      const T part = i < 3 ? rows[i] : reach_ * reach_ * rows[i];
      forces[6 * k + i] = wish == nullptr ? part : wish[6 * k + i] + part;
    }
  }
}

template <FloatingPoint T>
void AugmentedObject<T>::squeeze(T force, T* rows) const noexcept {
  Vec3<T> middle = Vec3<T>::zero();
  for (const Vec3<T>& lever : lever_) middle += (T(1) / static_cast<T>(num_hands())) * lever;
  for (int k = 0; k < num_hands(); ++k) {
    const Vec3<T> inwards = middle - lever_[k];
    const T distance = norm(inwards);
    for (int i = 0; i < 3; ++i) {
      rows[6 * k + i] = distance > T(0) ? force / distance * inwards[i] : T(0);
      rows[6 * k + 3 + i] = T(0);
    }
  }
}

template <FloatingPoint T>
void AugmentedObject<T>::inertia(MatrixView<const T> hands, MatrixView<T> out) const noexcept {
  for (int c = 0; c < 6; ++c) {
    const Motion<T> unit = unit_motion<T>(c);
    Force<T> column = inertia_ * unit;
    for (int a = 0; a < num_hands(); ++a) {
      T forces[6] = {};
      for (int b = 0; b < num_hands(); ++b) {
        T motion[6];
        hand_rows(b, unit, motion);
        for (int r = 0; r < 6; ++r) {
          for (int k = 0; k < 6; ++k) forces[r] += hands(6 * a + r, 6 * b + k) * motion[k];
        }
      }
      add_wrench(a, forces, column);
    }
    const Vec<T, 6> x = rows_of(column);
    for (int r = 0; r < 6; ++r) out(r, c) = x[r];
  }
}

template <FloatingPoint T>
Force<T> AugmentedObject<T>::bias(MatrixView<const T> hands, const T* hand_bias,
                                  const Vec3<T>& gravity) const noexcept {
  Force<T> sum = load(Motion<T>::zero(), gravity);
  const Vec3<T>& w = velocity_.angular;
  for (int a = 0; a < num_hands(); ++a) {
    T forces[6];
    std::copy_n(hand_bias + 6 * a, 6, forces);
    for (int b = 0; b < num_hands(); ++b) {
      const Vec3<T> towards = cross(w, cross(w, lever_[b]));
      for (int r = 0; r < 6; ++r) {
        for (int k = 0; k < 3; ++k) forces[r] += hands(6 * a + r, 6 * b + k) * towards[k];
      }
    }
    add_wrench(a, forces, sum);
  }
  return sum;
}

template class AugmentedObject<float>;
template class AugmentedObject<double>;

}  // namespace delassus
