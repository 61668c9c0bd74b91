#include "cli/commands/check_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/commands/check_mjcf.hpp"
#include "cli/commands/compare.hpp"
#include "cli/commands/reference.hpp"
#include "cli/shell/delassus_matrix.hpp"
#include "cli/shell/output_file.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/io/load.hpp"
#include "delassus/kinematics/frames.hpp"

namespace delassus::cli {
namespace {

/// Compares one configuration after another.
class Comparison {
 public:
  /// The equalities are those that the model's file states.
  Comparison(const Model& model, std::vector<Constraint> equalities, const ReferenceNode& file,
             const std::vector<std::string>& algorithms, FileCheck& check)
      : model_(model),
        file_(file),
        algorithms_(algorithms),
        check_(check),
        work_(model),
        inverse_(model),
        composite_(model),
        points_(points(file)),
        loops_(loops(file)),
        equalities_(std::move(equalities)) {}

  void header() {
    note("mass", relative_error({model_.mass()}, {file_.at("mass").number()}));
    std::vector<double> got, want;
    const ReferenceNode bodies = file_.at("bodies");
    for (int b = 0; b < bodies.size(); ++b) {
      const Inertial in = inertial(frame_of(bodies, b));
      got.push_back(in.mass);
      want.push_back(bodies.at(b).at("mass").number());
      const std::vector<double> I = bodies.at(b).at("inertia").numbers();
      static constexpr int kOrder[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
      for (const auto& [r, c] : kOrder) got.push_back(in.inertia(r, c));
      want.insert(want.end(), I.begin(), I.end());
      if (in.mass == 0) continue;  // nothing has no centre
      append(got, in.com);
      append(want, bodies.at(b).at("com").vector());
    }
    note("bodies", relative_error(got, want));
  }

  void configuration(const ReferenceNode& config) {
    const std::vector<double> qvel = config.at("qvel").numbers();
    const CoordinateMap map(model_, file_.at("joints"), config.at("qpos").numbers(), qvel);
    update_kinematics(model_, map.q, work_.kin);
    update_velocities(model_, work_.kin, map.v, work_.vel);
    dynamics(config, map);
    poses(config);
    speed2_ = std::pow(std::max(1.0, largest(qvel)), 2);
    if (!points_.empty()) rows(config, map, points_, "points");
    if (!loops_.empty()) rows(config, map, loops_, "loops");
    if (config.has("eq_J")) compare_equalities(model_, equalities_, file_, config, map, algorithms_, check_);
  }

 private:
  void note(const std::string& quantity, double error) { delassus::cli::note(check_, quantity, error); }

  /// A body without a name is told by its number, which is the same here.
  int frame_of(const ReferenceNode& bodies, int b) const {
    const std::string name = bodies.at(b).at("name").text();
    if (!name.empty()) return model_.find_frame(name);
    if (b >= static_cast<int>(model_.description().bodies.size()))
      throw Error(bodies.at(b).place() + ": there are less bodies here");
    return model_.body_frame(b);
  }

  Inertial inertial(int frame_index) const {
    const Frame& frame = model_.frame(frame_index);
    return frame.body == kWorld ? Inertial{} : model_.description().bodies[frame.body].inertial;
  }

  std::vector<Constraint> points(const ReferenceNode& file) const {
    std::vector<Constraint> out;
    const ReferenceNode list = file.at("points");
    for (int i = 0; i < list.size(); ++i) {
      PointContact c;
      c.name = fmt::format("point {}", i);
      c.a = attach(model_, list.at(i).at("body").text(), list.at(i).at("local").vector());
      c.axes = Mat3<double>::identity();  // rows along x, y, z
      out.emplace_back(c);
    }
    return out;
  }

  std::vector<Constraint> loops(const ReferenceNode& file) const {
    std::vector<Constraint> out;
    if (!file.has("loops")) return out;
    const ReferenceNode list = file.at("loops");
    for (int i = 0; i < list.size(); ++i) {
      const ReferenceNode loop = list.at(i);
      LoopClosure c =
          make_ball(fmt::format("loop {}", i), attach(model_, loop.at("body1").text(), loop.at("p1").vector()),
                    attach(model_, loop.at("body2").text(), loop.at("p2").vector()));
      if (loop.at("dim").integer() == 6) c.free_angular = 0;
      out.emplace_back(c);
    }
    return out;
  }

  void dynamics(const ReferenceNode& config, const CoordinateMap& map) {
    const int nv = model_.nv();
    std::vector<double> M(static_cast<std::size_t>(nv) * nv), h(nv), qdd(nv);
    crba(model_, work_.kin, MatrixView<double>(M.data(), nv, nv), composite_);
    // In the reference's coordinates: TᵀMT, and Tᵀ(h + M Ṫw), because v̇ = Tẇ + Ṫw.
    note("M", relative_error(upper_triangle(map.inertia_to_reference(M), nv), config.at("M_upper").numbers()));

    bias_forces(model_, work_.kin, work_.vel, h, inverse_);
    for (int r = 0; r < nv; ++r) {
      for (int c = 0; c < nv; ++c) h[r] += M[r * nv + c] * map.T_dot_w[c];
    }
    const double weight = model_.mass() * norm(model_.gravity());
    note("bias", relative_error(map.force_to_reference(h), config.at("qfrc_bias").numbers(), 1e-3 * weight));

    require_ok(articulate(model_, work_.kin, work_), model_, {});
    const std::vector<double> tau = map.force_to_library(config.at("tau").numbers());
    forward_dynamics<double>(model_, work_.kin, work_.vel, tau, qdd, work_);
    note("qacc", relative_error(map.acceleration_to_reference(qdd), config.at("qacc_tau").numbers()));
  }

  void poses(const ReferenceNode& config) {
    const ReferenceNode bodies = file_.at("bodies"), xquat = config.at("xquat");
    std::vector<double> positions, quaternions;
    for (int b = 0; b < bodies.size(); ++b) {
      const Pose<double> pose = frame_pose(model_, work_.kin, frame_of(bodies, b));
      append(positions, pose.p);
      const Quaternion<double> x = quaternion_of(pose.R);
      const std::vector<double> want = xquat.at(b).numbers();
      double sign = 0;  // a quaternion and its negative are the same rotation
      for (int k = 0; k < 4 && want.size() == 4; ++k) sign += want[k] * x[(k + 3) % 4];
      for (int k = 0; k < 4; ++k) quaternions.push_back(sign < 0 ? -x[(k + 3) % 4] : x[(k + 3) % 4]);
    }
    note("xpos", relative_error(positions, config.at("xpos").numbers(), kMillimetre));
    note("xquat", relative_error(quaternions, xquat.numbers()));
    std::vector<double> com;
    append(com, centre_of_mass(model_, work_.kin));
    note("com", relative_error(com, config.at("com").numbers(), kMillimetre));
  }

  void rows(const ReferenceNode& config, const CoordinateMap& map, const std::vector<Constraint>& constraints,
            const std::string& what) {
    const int nv = model_.nv();
    lower_structure(model_, constraints, rows_);
    require_ok(lower_values(model_, work_.kin, constraints, rows_), model_, constraints);
    const int m = rows_.num_rows();
    std::vector<double> J(static_cast<std::size_t>(m) * nv), drift(m), turned(m);
    constraint_jacobian(model_, work_.kin, rows_, MatrixView<double>(J.data(), m, nv));
    note(what + "_J", relative_error(map.columns_to_reference(J), config.at((what + "_J").c_str()).numbers()));

    constraint_drift(model_, work_.kin, work_.vel, constraints, rows_, drift);
    LinkMotions<double> motions(model_);
    apply_jacobian(model_, work_.kin, rows_, map.T_dot_w, turned, motions);
    for (int r = 0; r < m; ++r) drift[r] += turned[r];
    note(what + "_Jdotv", relative_error(drift, config.at((what + "_Jdotv").c_str()).numbers(), kMillimetre * speed2_));

    if (what == "points") {
      point_positions(config, constraints);
    } else {
      std::vector<double> residual(m);
      constraint_positions(model_, work_.kin, constraints, rows_, residual);
      const std::vector<double> want = config.at("loops_residual").numbers();
      choose_half_turns(constraints, want, residual);
      note("loops_residual", relative_error(residual, want, 1.0));
    }
    for (const std::string& algorithm : algorithms_) {
      const MatrixResult A = delassus_matrix(algorithm, model_, map.q, constraints);
      double& worst = check_.algorithm_errors[what + "_Linv"][algorithm];
      worst = std::max(
          worst, relative_error(upper_triangle(A.entries, m), config.at((what + "_Linv_upper").c_str()).numbers()));
    }
  }

  /// A half turn about an axis is one about the opposite axis, too: takes the one that the reference took.
  static void choose_half_turns(const std::vector<Constraint>& loops, const std::vector<double>& want,
                                std::vector<double>& residual) {
    constexpr double kNearlyHalf = 3.14159;
    if (want.size() != residual.size()) return;
    int row = 0;
    for (const Constraint& c : loops) {
      const int rows = row_count(c);
      Vec3<double> here{}, there{};
      for (int k = 0; k < 3 && rows == 6; ++k) {
        here[k] = residual[row + 3 + k];
        there[k] = want[row + 3 + k];
      }
      for (int k = 0; k < 3 && norm(here) > kNearlyHalf && dot(here, there) < 0; ++k) residual[row + 3 + k] = -here[k];
      row += rows;
    }
  }

  void point_positions(const ReferenceNode& config, const std::vector<Constraint>& constraints) {
    std::vector<double> positions;
    for (const Constraint& c : constraints) {
      const Attachment& a = std::get<PointContact>(c).a;
      append(positions, frame_pose(model_, work_.kin, a.frame) * a.offset.p);
    }
    note("points_pos", relative_error(positions, config.at("points_pos").numbers(), kMillimetre));
  }

  /// Positions smaller than this (in metres) are compared with it: a robot at the origin has no size of its own there.
  static constexpr double kMillimetre = 1e-3;

  const Model& model_;
  const ReferenceNode& file_;
  const std::vector<std::string>& algorithms_;
  FileCheck& check_;
  ForwardDynamics<double> work_;
  InverseDynamics<double> inverse_;
  CompositeInertia<double> composite_;
  ConstraintRows<double> rows_;
  std::vector<Constraint> points_, loops_, equalities_;
  double speed2_ = 1;
};

/// The reference puts a free joint named __root__ above the root where the URDF itself has none.
UrdfOptions base_of(const ReferenceNode& file) {
  UrdfOptions options;
  const ReferenceNode joints = file.at("joints");
  for (int j = 0; j < joints.size(); ++j) {
    if (joints.at(j).at("name").text() == options.floating_joint_name) options.base = UrdfOptions::Base::kFloating;
  }
  return options;
}

void compare(const std::string& path, const std::string& models, const std::vector<std::string>& algorithms,
             FileCheck& check) {
  const nlohmann::json json = read_reference_file(path);
  const ReferenceNode file(json, path);
  check.name = file.at("name").text();
  const std::string model_path = (std::filesystem::path(models) / file.at("model").text()).string();
  require_unread(model_path);  // it is read only if the reference is in order
  const Scene scene = load(model_path, base_of(file));
  require_unread(scene.report);
  ModelDescription description = scene.model.description();
  description.gravity = file.at("gravity").vector();
  const Model model(std::move(description));
  // A URDF has no state; what it holds together (mimic joints, loops) the reference leaves free.
  const bool mjcf = model_path.ends_with(".xml");
  const std::vector<Constraint> equalities = mjcf ? scene.constraints : std::vector<Constraint>{};
  Comparison comparison(model, equalities, file, algorithms, check);
  comparison.header();
  if (mjcf) compare_initial_state(model, scene.q, file, check);
  if (file.has("floor_scene")) compare_floor_scene(model, equalities, file, algorithms, check);
  const ReferenceNode configs = file.at("configs");
  if (configs.size() == 0) throw Error(configs.place() + ": has no configuration to compare");
  if (file.at("bodies").size() == 0) throw Error(file.at("bodies").place() + ": has no body to compare");
  for (int c = 0; c < configs.size(); ++c) comparison.configuration(configs.at(c));
}

}  // namespace

FileCheck check_file(const std::string& path, const std::string& models, const std::vector<std::string>& algorithms) {
  FileCheck check;
  check.name = std::filesystem::path(path).stem().string();
  try {
    compare(path, models, algorithms, check);
  } catch (const std::exception& e) {  // a file that is none at all can make any part of the reading throw
    check.message = e.what();
    return check;
  }
  check.ok = true;
  for (const auto& [quantity, error] : check.errors) check.ok = check.ok && error <= tolerance_of(quantity);
  for (const auto& [quantity, by_algorithm] : check.algorithm_errors) {
    for (const auto& [algorithm, error] : by_algorithm) check.ok = check.ok && error <= tolerance_of(quantity);
  }
  return check;
}

}  // namespace delassus::cli
