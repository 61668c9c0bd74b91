// `delassus demo`: a quadruped stands on four feet; what the library says about it.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "command.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/delassus/dense.hpp"
#include "delassus/delassus/oracle.hpp"
#include "delassus/delassus/spectrum.hpp"
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/io/load.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus_matrix.hpp"
#include "heat_map.hpp"
#include "summary.hpp"

namespace delassus::cli {
namespace {

constexpr const char* kFeet[] = {"FL_foot", "FR_foot", "RL_foot", "RR_foot"};

void set_joint(Scene& scene, const std::string& name, double angle) {
  scene.q[scene.model.link(scene.model.find_joint(name)).q] = angle;
}

/// The lowest point of the sphere that a foot carries, in the foot's frame.
Vec3<double> lowest_point(const Model& model, const Kinematics<double>& kin, int foot) {
  for (const ShapeDescription& s : model.description().shapes) {
    if (model.body_frame(s.body) != foot || s.kind != ShapeKind::kSphere) continue;
    return s.placement.p + transposed_times(frame_pose(model, kin, foot).R, Vec3<double>{{0, 0, -s.size[0]}});
  }
  return {{0, 0, 0}};
}

/// Go2 standing on four point contacts.
Scene standing_quadruped() {
  UrdfOptions options;
  options.base = UrdfOptions::Base::kFloating;
  Scene scene = load_embedded_robot("go2", options);
  for (const char* leg : {"FL", "FR", "RL", "RR"}) {
    set_joint(scene, fmt::format("{}_thigh_joint", leg), 0.9);
    set_joint(scene, fmt::format("{}_calf_joint", leg), -1.8);
  }
  Kinematics<double> kin(scene.model);
  update_kinematics(scene.model, scene.q, kin);
  double lowest = INFINITY;
  for (const char* name : kFeet) {
    PointContact contact;
    contact.name = name;
    const int foot = scene.model.find_frame(name);
    contact.a = attach(scene.model, name, lowest_point(scene.model, kin, foot));
    contact.set = {SetKind::kFrictionCone, 0, 0.8};
    lowest = std::min(lowest, (frame_pose(scene.model, kin, foot) * contact.a.offset.p)[2]);
    scene.constraints.emplace_back(contact);
  }
  scene.q[2] -= lowest;  // onto the ground
  return scene;
}

double largest_difference(const std::vector<double>& a, const oracle::Matrix<long double>& b) {
  long double difference = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b.entries()[i]));
    scale = std::max(scale, std::abs(b.entries()[i]));
  }
  return static_cast<double>(difference / scale);
}

/// Median over batches of the mean time of a call, in microseconds.
template <class Work>
double time_us(Work&& work) {
  using Clock = std::chrono::steady_clock;
  constexpr int kBatches = 51, kCalls = 200;
  std::vector<double> times;
  for (int batch = 0; batch < kBatches; ++batch) {
    const auto start = Clock::now();
    for (int k = 0; k < kCalls; ++k) work();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count() / kCalls);
  }
  std::nth_element(times.begin(), times.begin() + kBatches / 2, times.end());
  return times[kBatches / 2];
}

void print_timing(const Scene& scene) {
  const Model& model = scene.model;
  ForwardDynamics<double> work(model);
  ConstraintRows<double> rows;
  lower_structure(model, scene.constraints, rows);
  DenseDelassus<double> op(model, rows.num_rows());
  std::vector<double> qdd(model.nv());
  const auto lower = [&] {
    require_ok(lower_values(model, work.kin, scene.constraints, rows), model, scene.constraints);
  };
  const double kinematics = time_us([&] { update_kinematics(model, scene.q, work.kin); });
  const double lowering = time_us(lower);
  const double factor = time_us([&] { require_ok(op.factor(model, work.kin, rows), model, scene.constraints); });
  const double forward =
      time_us([&] { require_ok(aba(model, scene.q, scene.v, scene.tau, qdd, work), model, scene.constraints); });
  fmt::print("Time on this machine, one core, median:\n");
  fmt::print(
      "  kinematics {:.2f} us, lowering {:.0f} ns per contact, dense Λ⁻¹ {:.2f} us, articulated-body algorithm "
      "{:.2f} us\n",
      kinematics, 1e3 * lowering / static_cast<double>(scene.constraints.size()), factor, forward);
}

int run() {
  const Scene scene = standing_quadruped();
  const MatrixResult result = delassus_matrix("dense", scene.model, scene.q, scene.constraints);
  std::vector<HeatMapLabel> labels;
  int row = 0;
  for (const Constraint& c : scene.constraints) {
    labels.push_back({row, fmt::format("{} (n, t1, t2)", name_of(c))});
    row += row_count(c);
  }
  fmt::print("{}, standing on {} point contacts\n\n", one_line_summary(scene), scene.constraints.size());
  fmt::print(
      "Delassus matrix Λ⁻¹ = J M⁻¹ Jᵀ, {} × {}, 1/kg. Shades from the largest entry down, three to a decade; {}\n",
      result.rows, result.rows,
      stdout_has_colour() ? "red: positive, blue: negative" : "# largest, a leading '-': negative");
  fmt::print("{}\n", heat_map(result.entries, result.rows, labels, stdout_has_colour()));

  const Spectrum spectrum = make_spectrum(MatrixView<const double>(result.entries.data(), result.rows, result.rows));
  fmt::print("Eigenvalues {:.4g} to {:.4g}, rank {} of {}, condition number {:.3g}\n", spectrum.smallest,
             spectrum.largest, spectrum.rank, result.rows, spectrum.condition);

  const std::vector<long double> q(scene.q.begin(), scene.q.end());
  const double error =
      largest_difference(result.entries, oracle::delassus_matrix<long double>(scene.model, scene.constraints, q));
  constexpr double kAgreement = 1e-12;
  fmt::print("Against the slow oracle in long double: relative difference {:.1e} ({})\n", error,
             error < kAgreement ? "agrees" : "DOES NOT AGREE");
  print_timing(scene);
  return error < kAgreement ? 0 : 1;
}

}  // namespace

void add_demo(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("demo", "Shows what the library does: a quadruped on four feet");
  sub->callback([&exit_code] { exit_code = run(); });
}

}  // namespace delassus::cli
