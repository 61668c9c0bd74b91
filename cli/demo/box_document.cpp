#include "cli/demo/box_document.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "cli/pages/rounded.hpp"
#include "cli/shell/build_info.hpp"

namespace delassus::cli {
namespace {

using nlohmann::json;

constexpr int kCurveStep = 10;  // steps of the servo between two points of a curve
constexpr int kJointCurves = 6;

json as_json(const Vec3<double>& x, double scale = 1) {
  return {rounded(scale * x[0]), rounded(scale * x[1]), rounded(scale * x[2])};
}

/// Without the digits that a drawing does not show.
double to_tenths_of_millimetres(double x) { return std::round(1e4 * x) / 1e4 + 0.0; }

json scaled_or_null(const std::optional<double>& x, double scale) {
  return x ? json(rounded(scale * *x)) : json(nullptr);
}
json finite_or_null(double x) { return std::isfinite(x) ? json(rounded(x)) : json(nullptr); }

template <class Value>
json curve(const BoxRun& run, Value&& value) {
  json out = json::array();
  for (std::size_t k = 0; k < run.samples.size(); k += kCurveStep) out.push_back(rounded(value(run.samples[k])));
  return out;
}

json by_axis(const BoxRun& run, Pose<double> BoxSample::*pose) {
  json out = json::array();
  for (int axis = 0; axis < 3; ++axis) out.push_back(curve(run, [&](const BoxSample& s) { return (s.*pose).p[axis]; }));
  return out;
}

json by_hand(const BoxRun& run, double (*force)(const BoxSample&, int)) {
  json out = json::array();
  for (int hand = 0; hand < kHands; ++hand)
    out.push_back(curve(run, [&](const BoxSample& s) { return force(s, hand); }));
  return out;
}

using OfJoint = std::vector<double> BoxSample::*;

/// Degrees of freedom, those first of which it changes most.
std::vector<std::size_t> liveliest(const BoxRun& run, OfJoint what) {
  std::vector<double> low = run.samples.front().*what, high = low;
  for (const BoxSample& s : run.samples) {
    for (std::size_t k = 0; k < low.size(); ++k) {
      low[k] = std::min(low[k], (s.*what)[k]);
      high[k] = std::max(high[k], (s.*what)[k]);
    }
  }
  std::vector<std::size_t> order(low.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t k) { return high[k] - low[k]; });
  order.resize(std::min<std::size_t>(order.size(), kJointCurves));
  return order;
}

json joint_curves(const Model& robot, const BoxRun& run, OfJoint what) {
  json out = json::array();
  for (const std::size_t k : liveliest(run, what)) {
    out.push_back({{"joint", robot.joint_name(static_cast<int>(k))},
                   {"values", curve(run, [&](const BoxSample& s) { return (s.*what)[k]; })}});
  }
  return out;
}

json grips_json(const BoxNumbers& numbers) {
  json out = json::array();
  for (int hand = 0; hand < kHands; ++hand) {
    const GripNumbers& grip = numbers.grips[hand];
    out.push_back({{"hand", kHandNames[hand]},
                   {"largest_normal_n", rounded(grip.largest_normal)},
                   {"least_normal_n", rounded(grip.least_normal)},
                   {"largest_moment_nm", rounded(grip.largest_moment)},
                   {"friction", finite_or_null(grip.friction)},
                   {"load_share", rounded(grip.load_share)}});
  }
  return out;
}

json run_json(const Model& robot, const BoxRun& run, const BoxNumbers& numbers) {
  return {{"name", run.name},
          {"mass_error", run.trouble.mass_error},
          {"delay_s", run.trouble.delay},
          {"failure", run.failure},
          {"largest_error_mm", rounded(1e3 * numbers.largest_error)},
          {"settled_error_mm", scaled_or_null(numbers.settled_error, 1e3)},
          {"largest_angle_deg", rounded(kDegreesPerRadian * numbers.largest_angle)},
          {"settled_angle_deg", scaled_or_null(numbers.settled_angle, kDegreesPerRadian)},
          {"end_height_mm", rounded(1e3 * numbers.end_height)},
          {"end_speed_mm_s", rounded(1e3 * numbers.end_speed)},
          {"weight_n", rounded(numbers.weight, 12)},
          {"held_n", rounded(numbers.held, 12)},
          {"carried_n", rounded(numbers.carried, 12)},
          {"grips", grips_json(numbers)},
          {"largest_torque_nm", rounded(numbers.largest_torque)},
          {"largest_torque_joint", robot.joint_name(numbers.torque_dof)},
          {"posture_leak", rounded(run.posture_leak)},
          {"posture_change_deg", rounded(kDegreesPerRadian * numbers.posture_change)},
          {"step_us", rounded(run.step_us)},
          {"curves",
           {{"t", curve(run, [](const BoxSample& s) { return s.t; })},
            {"desired_m", by_axis(run, &BoxSample::desired)},
            {"box_m", by_axis(run, &BoxSample::box)},
            {"error_mm", curve(run, [](const BoxSample& s) { return 1e3 * position_error(s); })},
            {"angle_deg", curve(run, [](const BoxSample& s) { return kDegreesPerRadian * angle_error(s); })},
            {"normal_n", by_hand(run, normal_force)},
            {"lifting_n", by_hand(run, lifting_force)},
            {"angles_rad", joint_curves(robot, run, &BoxSample::q)},
            {"torques_nm", joint_curves(robot, run, &BoxSample::tau)}}}};
}

json setup_json(const BoxSetup& setup, const Model& robot) {
  return {{"robot", robot.name()},
          {"links", robot.num_links()},
          {"mass_kg", rounded(robot.mass())},
          {"box_kg", rounded(setup.box.mass)},
          {"box_size_m", as_json(setup.half_extents, 2)},
          {"from_m", as_json(setup.start.p)},
          {"to_m", as_json(setup.end.p)},
          {"moving_s", setup.moving},
          {"settling_s", setup.settling},
          {"servo_step_s", kServoStep}};
}

json conditions_json() {
  json out = cli::as_json(build_info());
  out["date"] = fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
  out["timing"] =
      "One thread. Control step: each of the first run, between the steps of the simulation; the median. Λ: from q, "
      "with "
      "kinematics, at postures along the motion; the median of many samples.";
  return out;
}

json frame_json(const std::vector<Pose<double>>& poses) {
  json out = json::array();
  for (const Pose<double>& pose : poses) {
    const Quaternion<double> turn = quaternion_of(pose.R);
    for (int k = 0; k < 3; ++k) out.push_back(to_tenths_of_millimetres(pose.p[k]));
    for (int k = 0; k < 4; ++k) out.push_back(to_tenths_of_millimetres(turn[k]));
  }
  return out;
}

}  // namespace

bool BoxResult::complete() const {
  return std::ranges::all_of(runs, [](const BoxRun& run) { return run.failure.empty(); });
}

json document_of(const BoxResult& result) {
  const Model robot(result.setup.robot);
  json runs = json::array();
  for (std::size_t k = 0; k < result.runs.size(); ++k)
    runs.push_back(run_json(robot, result.runs[k], result.numbers[k]));
  return {{"format", "delassus-demo-box-1"},
          {"setup", setup_json(result.setup, robot)},
          {"inertia_us", rounded(result.times.inertia_us)},
          {"step_us", rounded(result.times.step_us)},
          {"servo_hz", rounded(result.times.servo_hz())},
          {"paper", {{"inertia_us", kPaperInertiaUs}, {"servo_hz", kPaperServoHz}}},
          {"runs", runs},
          {"conditions", conditions_json()}};
}

json drawing_of(const BoxResult& result) {
  json shapes = json::array(), runs = json::array();
  const BoxSetup& setup = result.setup;
  const auto add = [&](const ShapeDescription& shape, int body) {
    json R = json::array();
    for (const double x : shape.placement.R.a) R.push_back(rounded(x));
    shapes.push_back({{"kind", name_of(shape.kind)},
                      {"size", as_json(shape.size)},
                      {"R", R},
                      {"p", as_json(shape.placement.p)},
                      {"body", body}});
  };
  for (const ShapeDescription& shape : setup.robot.shapes) add(shape, shape.body);
  add({.name = "box", .kind = ShapeKind::kBox, .size = setup.half_extents},
      static_cast<int>(setup.robot.bodies.size()));
  for (const BoxRun& run : result.runs) {
    json frames = json::array();
    for (const std::vector<Pose<double>>& poses : run.frames) frames.push_back(frame_json(poses));
    runs.push_back(frames);
  }
  return {{"shapes", shapes}, {"frames_per_second", kFramesPerSecond}, {"runs", runs}};
}

}  // namespace delassus::cli
