#include "cli/demo/box_text.hpp"

#include <fmt/format.h>

#include <functional>

#include "bench/measure/number.hpp"

namespace delassus::cli {
namespace {

using Cell = std::function<std::string(const BoxRun&, const BoxNumbers&)>;

std::string row(std::string_view what, std::string_view first, std::string_view second) {
  return fmt::format("  {:<40}{:>26}{:>30}\n", what, first, second);
}

/// A cell for each run.
std::string row(const BoxResult& result, std::string_view what, const Cell& cell) {
  return row(what, cell(result.runs[0], result.numbers[0]), cell(result.runs[1], result.numbers[1]));
}

/// As fine as a micrometre, and finer where there is nothing else to say.
std::string millimetres(double metres) {
  const double x = 1e3 * metres;
  return x < 1e-3 ? fmt::format("{:.0e} mm", x) : three_digits(x) + " mm";
}

std::string tracking_rows(const BoxResult& result) {
  const auto both = [](double metres, double radians) {
    return fmt::format("{}, {:.1g} deg", millimetres(metres), kDegreesPerRadian * radians);
  };
  return row(result, "largest error of the box",
             [&](const BoxRun&, const BoxNumbers& n) { return both(n.largest_error, n.largest_angle); }) +
         row(result, "after settling",
             [&](const BoxRun&, const BoxNumbers& n) {
               return n.settled_error ? both(*n.settled_error, *n.settled_angle) : "-";
             }) +
         row(result, "above the floor at the end; its speed",
             [](const BoxRun&, const BoxNumbers& n) {
               return fmt::format("{:.3f} mm; {:.0e} mm/s", 1e3 * n.end_height, 1e3 * n.end_speed);
             }) +
         row(result, "carried by hands; by the floor",
             [](const BoxRun&, const BoxNumbers& n) { return fmt::format("{:.2f} N; {:.2f} N", n.held, n.carried); });
}

std::string grip_rows(const BoxResult& result) {
  std::string out;
  for (int hand = 0; hand < kHands; ++hand) {
    const auto add = [&](std::string_view what, const std::function<std::string(const GripNumbers&)>& cell) {
      out += row(result, fmt::format("{} hand: {}", kHandNames[hand], what),
                 [&](const BoxRun&, const BoxNumbers& n) { return cell(n.grips[hand]); });
    };
    add("pressing force",
        [](const GripNumbers& g) { return fmt::format("{:.1f} to {:.1f} N", g.least_normal, g.largest_normal); });
    add("largest moment at the palm", [](const GripNumbers& g) { return fmt::format("{:.2f} Nm", g.largest_moment); });
    add("friction that this needs", [](const GripNumbers& g) { return fmt::format("{:.2f}", g.friction); });
    add("share of the load", [](const GripNumbers& g) { return fmt::format("{:.1f} %", 100 * g.load_share); });
  }
  return out;
}

std::string joint_rows(const BoxResult& result) {
  const Model robot(result.setup.robot);
  const auto torque = [&](const BoxRun&, const BoxNumbers& n) {
    return fmt::format("{:.0f} Nm, {}", n.largest_torque, robot.joint_name(n.torque_dof));
  };
  return row(result, "largest joint torque", torque) +
         row(result, "keeping the posture moves the palms by",
             [](const BoxRun& run, const BoxNumbers&) { return fmt::format("{:.0e} m/s2", run.posture_leak); });
}

std::string time_rows(const BoxTimes& times) {
  const std::string rate =
      fmt::format("{} kHz ({} us)", three_digits(times.servo_hz() / 1e3), three_digits(times.step_us));
  return row("", "here", "paper, PC of 266 MHz") +
         row("inertia matrix of both palms, from q", three_digits(times.inertia_us) + " us", "under 1 ms") +
         row("servo rate: one control step after another", rate, "300 Hz");
}

}  // namespace

std::string as_text(const BoxResult& result) {
  const BoxSetup& setup = result.setup;
  std::string out =
      fmt::format("{}, with {} links and two operational points, puts a box of {:g} kg on the floor in {:g} s.\n\n",
                  setup.robot.name, Model(setup.robot).num_links(), setup.box.mass, setup.moving);
  out += row(result, "", [](const BoxRun& run, const BoxNumbers&) { return run.name; });
  out += tracking_rows(result) + grip_rows(result) + joint_rows(result) + "\n" + time_rows(result.times);
  for (const BoxRun& run : result.runs) {
    if (!run.failure.empty()) out += fmt::format("\n  {}: {}\n", run.name, run.failure);
  }
  return out;
}

}  // namespace delassus::cli
