#include "simulation/free_flight.hpp"

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

Vec3<double> three(const double* x) { return {{x[0], x[1], x[2]}}; }
void put(const Vec3<double>& x, double* to) { std::copy_n(x.a, 3, to); }

Mat3<double> turn_by(const Vec3<double>& rotation) { return rotation_of(quaternion_exp(rotation)); }

/// About the centre of mass, as a full matrix.
Mat3<double> central_inertia(const RigidInertia<double>& inertia) {
  const Sym3<double> I = shifted(inertia, (-1 / inertia.mass) * inertia.moment).rotational;
  Mat3<double> out;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) out(r, c) = r >= c ? I(r, c) : I(c, r);
  }
  return out;
}

/// By cofactors. A matrix without an inverse gives one that is not finite.
Mat3<double> inverse_of(const Mat3<double>& A) {
  const auto row = [&](int r) { return Vec3<double>{{A(r, 0), A(r, 1), A(r, 2)}}; };
  const Vec3<double> columns[3] = {cross(row(1), row(2)), cross(row(2), row(0)), cross(row(0), row(1))};
  const double scale = 1 / dot(row(0), columns[0]);
  Mat3<double> out;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) out(r, c) = scale * columns[c][r];
  }
  return out;
}

bool is_finite(const Mat3<double>& A) {
  return std::ranges::all_of(A.a, [](double x) { return std::isfinite(x); });
}

}  // namespace

FreeFlight::FreeFlight(const Model& model, double dt) : dt_(dt) {
  std::vector<bool> carries(static_cast<std::size_t>(model.num_links()), false);
  for (const Link& link : model.links()) {
    if (link.parent != kWorld) carries[static_cast<std::size_t>(link.parent)] = true;
  }
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    has_trees_ = has_trees_ || link.kind != JointKind::kFree;
    if (link.kind != JointKind::kFree) continue;
    Body body{link.q, link.v, !carries[static_cast<std::size_t>(i)] && link.inertia.mass > 0, {}, {}, {}};
    if (body.alone) {
      body.com = (1 / link.inertia.mass) * link.inertia.moment;
      body.inertia = central_inertia(link.inertia);
      body.mobility = inverse_of(body.inertia);
      body.alone = is_finite(body.mobility);  // a point has no angular momentum
    }
    bodies_.push_back(body);
  }
}

void FreeFlight::take_means(VectorView<const double> v, VectorView<const double> free, VectorView<double> mean) const {
  for (int k = 0; k < mean.size(); ++k) mean[k] = 0.5 * (v[k] + free[k]);
  for (const Body& body : bodies_) {
    if (body.alone) std::copy_n(v.data() + body.v, 6, mean.data() + body.v);
  }
}

/// The angular momentum in axes that have turned with the body, by the mean velocity of each of some parts of the step, short enough for four
/// rounds to find it: what three leave adds up, and shortens a racket's half period by forty times as much. `gain`: what forces give in the whole step.
Vec3<double> FreeFlight::turned_momentum(const Body& body, const Vec3<double>& w, const Vec3<double>& gain) const {
  constexpr double kShort = 0.1;  // rad
  constexpr int kMostParts = 1000;
  const int parts = std::clamp(static_cast<int>(std::ceil(dt_ * norm(w) / kShort)), 1, kMostParts);
  const double h = dt_ / parts, share = 1.0 / parts;
  Vec3<double> L = body.inertia * w;
  for (int k = 0; k < parts; ++k) {
    const Vec3<double> before = body.mobility * L;
    Vec3<double> after = before + share * gain;
    for (int round = 0; round < 4; ++round) {
      after = body.mobility * (turn_by(-0.5 * h * (before + after)) * L) + share * gain;
    }
    L = body.inertia * (after - share * gain);
  }
  return L;
}

/// The acceleration of the centre of mass in axes that stand still is a = v̇ + ω × v + ω̇ × c + ω × (ω × c).
void FreeFlight::stop_turning(VectorView<const double> v, VectorView<const double> mean,
                              VectorView<double> free) const {
  for (const Body& body : bodies_) {
    const Vec3<double> w = three(v.data() + body.v), u = three(v.data() + body.v + 3);
    const Vec3<double> w_mean = three(mean.data() + body.v), u_mean = three(mean.data() + body.v + 3);
    const Vec3<double> gain = three(free.data() + body.v) - w, rate = three(free.data() + body.v + 3) - u;  // times h
    Vec3<double> angular = w + gain;
    if (body.alone) {
      const Vec3<double> L = body.inertia * w, forced = gain + dt_ * (body.mobility * cross(w, L));
      angular = body.mobility * turned_momentum(body, w, forced) + forced;
    }
    const Vec3<double> centre = u + cross(w, body.com);
    const Vec3<double> push =
        rate + dt_ * cross(w_mean, u_mean) + cross(gain, body.com) + dt_ * cross(w, cross(w, body.com));
    put(angular, free.data() + body.v);
    put(centre + push - cross(angular, body.com), free.data() + body.v + 3);
  }
}

/// The centre of mass goes straight, and the body turns about it.
void FreeFlight::move(VectorView<const double> q, VectorView<const double> v, VectorView<double> next_q) const {
  for (const Body& body : bodies_) {
    const double *from = q.data() + body.q, *to = next_q.data() + body.q;
    const Mat3<double> R = rotation_of(Quaternion<double>{{from[3], from[4], from[5], from[6]}});
    const Mat3<double> R_next = rotation_of(Quaternion<double>{{to[3], to[4], to[5], to[6]}});
    const Vec3<double> w = three(v.data() + body.v), u = three(v.data() + body.v + 3);
    const Vec3<double> path = R * (body.com + dt_ * (u + cross(w, body.com))) - R_next * body.com;
    put(three(from) + path, next_q.data() + body.q);
  }
}

void FreeFlight::turn(VectorView<double> v) const {
  for (const Body& body : bodies_) {
    const Vec3<double> w = three(v.data() + body.v), u = three(v.data() + body.v + 3);
    const Vec3<double> centre = turn_by(-dt_ * w) * (u + cross(w, body.com));
    put(centre - cross(w, body.com), v.data() + body.v + 3);
  }
}

}  // namespace delassus
