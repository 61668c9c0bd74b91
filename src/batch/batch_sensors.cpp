// What environments can be asked for: poses, velocities, accelerations, heights of the ground.
#include <algorithm>
#include <cmath>
#include <limits>

#include "batch/batch_simulator_parts.hpp"
#include "collision/collision_surface.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/model/surface.hpp"

namespace delassus {
namespace {

void require_frame(const Model& model, int frame) {
  if (frame >= 0 && frame < static_cast<int>(model.frames().size())) return;
  throw Error("there is no frame " + std::to_string(frame) + "; model '" + model.name() + "' has 0 to " +
              std::to_string(model.frames().size() - 1));
}

template <int N>
void put(const Vec<double, N>& x, const BatchView<double>& out, int e, int at) {
  for (int c = 0; c < N; ++c) out(e, at + c) = x[c];
}

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Where the vertical line through a point meets a triangle of the grid; not a number beside it.
double height_of_grid(const CollisionWorld::Shape& s, double x, double y) {
  const HeightGrid& grid = *s.surface->surface().grid();
  const Vec3<double> local = transposed_times(s.placement.R, Vec3<double>{{x, y, 0}} - s.placement.p);
  const double column = (local[0] / grid.half_x + 1) / 2 * (grid.columns - 1);
  const double row = (local[1] / grid.half_y + 1) / 2 * (grid.rows - 1);
  if (!(column >= 0 && column <= grid.columns - 1 && row >= 0 && row <= grid.rows - 1)) return kNothing;
  const int c = std::min(static_cast<int>(column), grid.columns - 2),
            r = std::min(static_cast<int>(row), grid.rows - 2);
  const auto height = [&](int dr, int dc) {
    return grid.heights[static_cast<std::size_t>((r + dr) * grid.columns + c + dc)];
  };
  const double a = column - c, b = row - r, low = height(0, 0), high = height(1, 1);
  const double inside = a >= b ? low + a * (height(0, 1) - low) + b * (high - height(0, 1))
                               : low + b * (height(1, 0) - low) + a * (high - height(1, 0));
  return s.placement.p[2] + inside;
}

/// World z of a plane or height field at x, y.
double height_at(const CollisionWorld::Shape& s, double x, double y) {
  if (s.kind == ShapeKind::kHeightField) return height_of_grid(s, x, y);
  const Vec3<double> n{{s.placement.R(0, 2), s.placement.R(1, 2), s.placement.R(2, 2)}};
  return (dot(n, s.placement.p) - n[0] * x - n[1] * y) / n[2];
}

/// The highest of all grounds; not a number if there is none.
double ground_height(std::span<const CollisionWorld::Shape> shapes, double x, double y) {
  double highest = kNothing;
  for (const CollisionWorld::Shape& s : shapes) {
    const bool ground = s.kind == ShapeKind::kHeightField || (s.kind == ShapeKind::kPlane && s.placement.R(2, 2) > 0);
    if (s.link == kWorld && ground) highest = std::fmax(highest, height_at(s, x, y));
  }
  return highest;
}

}  // namespace

BatchSimulator::Parts::Place& BatchSimulator::Parts::place(int thread, int e) {
  auto& here = places_[static_cast<std::size_t>(thread)];
  if (!here) here = std::make_unique<Place>(model());
  update_kinematics<double>(model(), VectorView<const double>(all.q.row(e), model().nq()), here->kin);
  update_velocities<double>(model(), here->kin, VectorView<const double>(all.v.row(e), model().nv()), here->vel);
  return *here;
}

/// Before a call of step (0 s) and after it.
void BatchSimulator::Parts::watch(int thread, int e, double seconds) {
  const Place& at = place(thread, e);
  const Vec3<double> now = frame_velocity(model(), at.kin, at.vel, watched).linear;
  for (int c = 0; c < 3; ++c) {
    double& before = watched_velocity.row(e)[c];
    if (seconds > 0) watched_acceleration.row(e)[c] = (now[c] - before) / seconds;
    before = now[c];
  }
}

void BatchSimulator::frame_poses(std::span<const int> frames, BatchView<double> out) const {
  require_shape("out", out, size(), 7 * static_cast<int>(frames.size()), "position and quaternion per frame");
  for (const int frame : frames) require_frame(model(), frame);
  parts_->threads.for_each(size(), 8, [&](int thread, int e) {
    const Parts::Place& at = parts_->place(thread, e);
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const Pose<double> pose = frame_pose(model(), at.kin, frames[k]);
      put(pose.p, out, e, 7 * static_cast<int>(k));
      put(quaternion_of(pose.R), out, e, 7 * static_cast<int>(k) + 3);
    }
  });
}

void BatchSimulator::frame_velocities(std::span<const int> frames, BatchView<double> out) const {
  require_shape("out", out, size(), 6 * static_cast<int>(frames.size()), "linear and angular velocity per frame");
  for (const int frame : frames) require_frame(model(), frame);
  parts_->threads.for_each(size(), 8, [&](int thread, int e) {
    const Parts::Place& at = parts_->place(thread, e);
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const Motion<double> m = frame_velocity(model(), at.kin, at.vel, frames[k]);
      put(m.linear, out, e, 6 * static_cast<int>(k));
      put(m.angular, out, e, 6 * static_cast<int>(k) + 3);
    }
  });
}

void BatchSimulator::watch_acceleration(int frame) {
  require_frame(model(), frame);
  parts_->watched = frame;
  parts_->watched_velocity = parts_->watched_acceleration = RowsOf<double>(size(), 3);
}

void BatchSimulator::imu(BatchView<double> out) const {
  require_shape("out", out, size(), 6, "angular velocity and acceleration");
  if (parts_->watched < 0)
    throw Error("no frame is watched: call watch_acceleration before the steps that are measured");
  parts_->threads.for_each(size(), 8, [&](int thread, int e) {
    const Parts::Place& at = parts_->place(thread, e);
    const Pose<double> pose = frame_pose(model(), at.kin, parts_->watched);
    const RowsOf<double>& own = parts_->all.own.gravity;
    Vec3<double> felt;
    for (int c = 0; c < 3; ++c)
      felt[c] = parts_->watched_acceleration.row(e)[c] - (own.empty() ? model().gravity()[c] : own.row(e)[c]);
    put(transposed_times(pose.R, frame_velocity(model(), at.kin, at.vel, parts_->watched).angular), out, e, 0);
    put(transposed_times(pose.R, felt), out, e, 3);
  });
}

void BatchSimulator::height_scan(int frame, std::span<const double> points, BatchView<double> out) const {
  require_frame(model(), frame);
  if (points.size() % 2 != 0) throw Error("argument 'points' has an odd number of entries; give x, y pairs");
  require_shape("out", out, size(), static_cast<int>(points.size() / 2), "one height per point");
  parts_->threads.for_each(size(), 8, [&](int thread, int e) {
    const Pose<double> pose = frame_pose(model(), parts_->place(thread, e).kin, frame);
    const double yaw = std::atan2(pose.R(1, 0), pose.R(0, 0)), c = std::cos(yaw), s = std::sin(yaw);
    for (std::size_t k = 0; k < points.size() / 2; ++k) {
      const double x = points[2 * k], y = points[2 * k + 1];
      out(e, static_cast<int>(k)) =
          ground_height(parts_->world.shapes(), pose.p[0] + c * x - s * y, pose.p[1] + s * x + c * y);
    }
  });
}

}  // namespace delassus
