#include "cli/demo/box_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "delassus/dynamics/inverse_dynamics.hpp"

namespace delassus::cli {
namespace {

constexpr Vec3<double> kUp{{0, 0, 1}};

RecordingTitle title_of(const BoxSetup& setup, int fps) {
  return {"demo box",
          fmt::format("{} puts {:g} kg on the floor; operational-space control at {:g} Hz, the first run",
                      setup.robot.name, setup.box.mass, 1 / kServoStep),
          kServoStep, fps};
}

/// The first shape on the body that a frame belongs to.
int shape_at(const Model& model, const CollisionWorld& world, std::string_view frame) {
  const int body = model.frame(model.find_frame(frame)).body;
  for (std::size_t k = 0; k < world.shapes().size(); ++k) {
    if (world.shapes()[k].body == body) return static_cast<int>(k);
  }
  return -1;
}

double error_in_mm(const BoxSample& sample) { return 1e3 * position_error(sample); }
double floor_force(const BoxSample& sample) { return norm(sample.floor); }
double left_press(const BoxSample& sample) { return normal_force(sample, 0); }
double right_press(const BoxSample& sample) { return normal_force(sample, 1); }

}  // namespace

BoxRecorder::BoxRecorder(const BoxSetup& setup, int fps)
    : setup_(setup),
      model_(make_robot_with_box(setup)),
      world_(model_),
      recording_(make_recording_head(title_of(setup, fps), model_, world_.shapes()), model_),
      clock_(fps) {}

void BoxRecorder::note(double t, const BoxPlant& plant) {
  if (!landed_ && norm(plant.floor().force) > 0) {
    landed_ = true;
    recording_.mark(t, "the box touches the floor");
  }
  if (!clock_.due(t, kServoStep)) return;
  Kinematics<double> kin(model_);
  Velocities<double> vel(model_);
  update_kinematics<double>(model_, plant.all_q(), kin);
  update_velocities<double>(model_, kin, plant.all_v(), vel);
  Moment moment;
  moment.time = t;
  moment.q = plant.all_q();
  moment.v = plant.all_v();
  moment.kinetic = kinetic_energy(model_, kin, vel);
  moment.potential = potential_energy(model_, kin);
  moment.constraints = plant.constraints();
  for (const std::string_view hand : kHandNames) moment.names.push_back(fmt::format("{} hand / box", hand));
  add_forces(plant, moment);
  recording_.add(moment);
  times_.push_back(t);
}

/// Of the hands, which are welded to the box, and of the floor under its corners.
void BoxRecorder::add_forces(const BoxPlant& plant, Moment& moment) const {
  const Pose<double> box = plant.box();
  const int box_shape = shape_at(model_, world_, "box"), ground = static_cast<int>(world_.shapes().size()) - 1;
  for (int hand = 0; hand < kHands; ++hand) {
    const Vec3<double>& palm = setup_.palms[hand].p;
    const Vec3<double> inwards{{0, palm[1] > 0 ? -1.0 : 1.0, 0}};
    moment.contacts.push_back({.shape_a = box_shape,
                               .shape_b = shape_at(model_, world_, kPalms[hand]),
                               .position = box * palm,
                               .normal = box.R * inwards,
                               .force = box.R * plant.grip(hand).force,
                               .constraint = hand});
  }
  for (const BoxFloor::CornerPush& push : plant.corner_pushes()) {
    if (push.height >= 0) continue;
    moment.penetration = std::max(moment.penetration, -push.height);
    moment.contacts.push_back({.shape_a = box_shape,
                               .shape_b = ground,
                               .position = box * push.corner,
                               .normal = kUp,
                               .force = push.force * kUp,
                               .mu = 0,
                               .gap = push.height});
  }
}

/// At the times of the frames; not a number where the run had ended.
std::vector<double> BoxRecorder::values(const BoxRun& run, double (*value)(const BoxSample&)) const {
  std::vector<double> out;
  for (const double t : times_) {
    const auto k = static_cast<std::size_t>(std::lround(t / kServoStep));
    out.push_back(k < run.samples.size() ? value(run.samples[k]) : std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

std::string BoxRecorder::finish(const BoxResult& result) {
  const BoxRun& shown = result.runs.front();
  for (const BoxRun& run : result.runs)
    recording_.add_series(fmt::format("box off its path, {}", run.name), "mm", values(run, error_in_mm));
  recording_.add_series("left hand presses", "N", values(shown, left_press));
  recording_.add_series("right hand presses", "N", values(shown, right_press));
  recording_.add_series("floor carries", "N", values(shown, floor_force));
  recording_.mark(setup_.moving, "the path ends");
  recording_.end(shown.failure.empty() ? Recording::Status::kEnded : Recording::Status::kFailed, shown.failure);
  return recording_.document();
}

}  // namespace delassus::cli
