// Go2 on its feet, twice: held by the library in double, and by examples/firmware/stand_controller.c at the other end of two pipes.
//
//   delassus_stand TO_BOARD FROM_BOARD
//
// Prints, as JSON, how far the two are apart and what they did. Both bases go up and down, and are pushed from the side.
#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>

#include "delassus/delassus.hpp"

namespace delassus {
namespace {

constexpr int kSteps = 2000;  // of 1 ms
constexpr int kRows = 12, kBase = 6;
constexpr double kStiffness = 400, kDamping = 40, kFootRadius = 0.022, kCompliance = 0.1;

struct Target {
  Vec3<double> position{}, velocity{}, acceleration{};
};

/// Two centimetres up and down, once in a second.
Target target(const Vec3<double>& start, double t) {
  const double rate = 2 * std::acos(-1.0), size = -0.01;
  return {start + Vec3<double>{{0, 0, size * (1 - std::cos(rate * t))}},
          {{0, 0, size * rate * std::sin(rate * t)}},
          {{0, 0, size * rate * rate * std::cos(rate * t)}}};
}

using Controller = std::function<bool(const Simulator&, const Target&, std::span<double> torques)>;

/// The law of stand_controller.c by the library: Jacobians are its own, and so are inverse dynamics and the damped solve.
class LibraryController {
 public:
  LibraryController(const Model& model, std::vector<Constraint> contacts)
      : contacts_(std::move(contacts)), op_(model, contacts_), inverse_(model) {}

  bool operator()(const Simulator& sim, const Target& wanted, std::span<double> torques) {
    const Model& model = op_.model();
    if (!place_contacts(sim.q()) || !op_.update_velocity(sim.v()).ok() || !op_.update_damping(kCompliance).ok())
      return false;
    std::vector<double> force(model.nv()), carried(model.nv()), z(kRows);
    rnea<double>(model, op_.state().kinematics(), op_.state().velocities(), acceleration(sim, wanted), force, inverse_);
    Eigen::MatrixXd J(kRows, kBase), Y(kRows, kBase);
    for (int k = 0; k < kBase; ++k) {
      std::vector<double> v(model.nv());
      v[k] = 1;
      if (!op_.apply_jacobian(v, {J.col(k).data(), kRows}).ok()) return false;
      if (!op_.solve({J.col(k).data(), kRows}, {Y.col(k).data(), kRows}).ok()) return false;
    }
    const Eigen::VectorXd load = Eigen::Map<Eigen::VectorXd>(force.data(), kBase);
    Eigen::Map<Eigen::VectorXd>(z.data(), kRows) = Y * J.transpose().lazyProduct(Y).eval().fullPivLu().solve(load);
    if (!op_.apply_jacobian_transpose(z, carried).ok()) return false;
    for (std::size_t k = 0; k < torques.size(); ++k) torques[k] = force[kBase + k] - carried[kBase + k];
    return true;
  }

 private:
  bool place_contacts(const std::vector<double>& q) {
    if (!op_.update(q).ok()) return false;
    for (Constraint& constraint : contacts_) {
      auto& contact = std::get<PointContact>(constraint);
      const Pose<double> foot = frame_pose(op_.model(), op_.state().kinematics(), contact.a.frame);
      contact.a.offset.p = transposed(foot.R) * Vec3<double>{{0, 0, -kFootRadius}};
    }
    return op_.move_constraints(contacts_).ok() && op_.update(q).ok();
  }

  static std::vector<double> acceleration(const Simulator& sim, const Target& wanted) {
    const std::vector<double>&q = sim.q(), &v = sim.v();
    const Mat3<double> R = rotation_of(Quaternion<double>{{q[3], q[4], q[5], q[6]}});
    const Vec3<double> spin{{v[0], v[1], v[2]}}, way{{v[3], v[4], v[5]}}, at{{q[0], q[1], q[2]}};
    const Vec3<double> world =
        wanted.acceleration + kStiffness * (wanted.position - at) + kDamping * (wanted.velocity - R * way);
    const Vec3<double> linear = transposed(R) * world - cross(spin, way);
    std::vector<double> a(v.size());
    for (int k = 0; k < 3; ++k) {
      a[k] = -kStiffness * 2 * q[6] * q[3 + k] - kDamping * spin[k];
      a[3 + k] = linear[k];
    }
    return a;
  }

  std::vector<Constraint> contacts_;
  Operator<double> op_;
  InverseDynamics<double> inverse_;
};

/// What the board reads and writes, as stand.c has it.
struct Question {
  float q[19], v[18], position[3], velocity[3], acceleration[3];
};
struct Answer {
  float torques[12];
  std::uint32_t status, ticks;
};

class Board {
 public:
  Board(const char* to, const char* from)
      : to_(std::fopen(to, "wb"), &std::fclose), from_(std::fopen(from, "rb"), &std::fclose) {}

  bool operator()(const Simulator& sim, const Target& wanted, std::span<double> torques) {
    Question out{};
    std::copy(sim.q().begin(), sim.q().end(), out.q);
    std::copy(sim.v().begin(), sim.v().end(), out.v);
    std::copy_n(wanted.position.a, 3, out.position);
    std::copy_n(wanted.velocity.a, 3, out.velocity);
    std::copy_n(wanted.acceleration.a, 3, out.acceleration);
    Answer in{};
    if (!to_ || !from_ || std::fwrite(&out, sizeof out, 1, to_.get()) != 1 || std::fflush(to_.get()) != 0 ||
        std::fread(&in, sizeof in, 1, from_.get()) != 1 || in.status != 0)
      return false;
    std::copy_n(in.torques, 12, torques.begin());
    most_ticks_ = std::max(most_ticks_, in.ticks);
    return true;
  }
  std::uint32_t most_ticks() const { return most_ticks_; }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> to_, from_;
  std::uint32_t most_ticks_ = 0;
};

/// Positions of the base, step by step; as many as went well.
struct Run {
  std::vector<Vec3<double>> base;
  double off = 0;  // its target, at most
  std::vector<double> torques;
};

Run stand(const Scene& go2, const Controller& control) {
  Simulator sim(go2.model, {}, {}, make_motors(go2.model));
  sim.set_state(go2.q, std::vector<double>(go2.model.nv()));
  const Vec3<double> start{{go2.q[0], go2.q[1], go2.q[2]}};
  Run run;
  for (int k = 0; k < kSteps; ++k) {
    const Target wanted = target(start, sim.time());
    sim.forces()[4] = k >= 500 && k < 600 ? 20 : 0;  // N, to the left
    if (!control(sim, wanted, sim.control())) break;
    run.torques.insert(run.torques.end(), sim.control().begin(), sim.control().end());
    if (const StepStatus status = sim.step(); !status.ok()) {
      fmt::print(stderr, "{}\n", sim.describe(status));
      break;
    }
    run.base.push_back({{sim.q()[0], sim.q()[1], sim.q()[2]}});
    const Vec3<double> off = run.base.back() - target(start, sim.time()).position;
    run.off = std::max(run.off, std::sqrt(dot(off, off)));
  }
  return run;
}

int main_of(const char* to_board, const char* from_board) {
  const Scene go2 = load_named("go2-standing");
  LibraryController library(go2.model, make_point_contacts(go2.model, {"FL_foot", "FR_foot", "RL_foot", "RR_foot"}));
  Board board(to_board, from_board);
  const Run wanted = stand(go2, std::ref(library)), got = stand(go2, std::ref(board));
  double apart = 0, lowest = 1, highest = 0, torques_apart = 0;
  for (std::size_t k = 0; k < std::min(wanted.base.size(), got.base.size()); ++k) {
    const Vec3<double> way = got.base[k] - wanted.base[k];
    apart = std::max(apart, std::sqrt(dot(way, way)));
    lowest = std::min(lowest, got.base[k][2]);
    highest = std::max(highest, got.base[k][2]);
  }
  for (std::size_t k = 0; k < std::min(wanted.torques.size(), got.torques.size()); ++k)
    torques_apart = std::max(torques_apart, std::abs(got.torques[k] - wanted.torques[k]));
  fmt::print(
      "{{\"steps\": {}, \"steps_in_double\": {}, \"apart\": {}, \"torques_apart\": {}, \"height\": {}, \"off_target\": "
      "{}, "
      "\"most_ticks\": {}}}\n",
      got.base.size(), wanted.base.size(), apart, torques_apart, highest - lowest, got.off, board.most_ticks());
  return 0;
}

}  // namespace
}  // namespace delassus

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("usage: delassus_stand TO_BOARD FROM_BOARD\n", stderr);
    return 2;
  }
  return delassus::main_of(arguments[1], arguments[2]);
}
