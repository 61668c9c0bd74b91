#include "recording_object.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "cli/pages/viewer_page.hpp"
#include "delassus/model/builder.hpp"

namespace delassus::python {
namespace {

int checked(int fps) {
  if (fps < 1) throw Error("argument 'fps' is " + std::to_string(fps) + "; give one or more frames per second");
  return fps;
}

std::string words_of(double step) {
  char text[40];
  std::snprintf(text, sizeof text, "steps of %g ms", 1e3 * step);
  return text;
}

std::vector<CollisionWorld::Shape> shapes_of(const CollisionWorld& world) {
  return {world.shapes().begin(), world.shapes().end()};
}

}  // namespace

/// Copies of the robot. Planes are there once; other ground comes along with each.
RecordingObject::Stage RecordingObject::in_a_row(const BatchSimulator& batch, int count, double spacing) {
  ModelDescription all = batch.model().description(), next = all;
  std::erase_if(next.shapes, [](const ShapeDescription& s) { return s.body == kWorld && s.kind == ShapeKind::kPlane; });
  next.keyframes.clear();
  for (int k = 1; k < count; ++k) {
    const Pose<double> place{Mat3<double>::identity(), {{0, k * spacing, 0}}};
    append_model(all, next, "world", place, std::to_string(k) + "/");
  }
  const Model model(std::move(all));
  return {model, shapes_of(CollisionWorld(model, batch.options().collision)), true};
}

nlohmann::json RecordingObject::head_of(const cli::RecordingTitle& title, const Stage& stage) {
  nlohmann::json out = cli::make_recording_head(title, stage.model, stage.shapes);
  out["motion_only"] = stage.motion_only;
  return out;
}

RecordingObject::RecordingObject(std::string title, const Stage& stage, double step, double look, int fps)
    : title_(std::move(title)),
      model_(stage.model),
      recording_(head_of({title_, words_of(step), step, checked(fps)}, stage), model_),
      clock_(fps),
      painter_(model_, stage.shapes),
      kin_(model_),
      look_(look) {
  clock_.due(0, look_);
}

RecordingObject::RecordingObject(std::string title, Simulator& simulation, int fps)
    : RecordingObject(std::move(title), Stage{simulation.model(), shapes_of(simulation.collision()), false},
                      simulation.options().dt, simulation.options().dt, fps) {
  add(cli::moment_without_step(simulation));
}

RecordingObject::RecordingObject(std::string title, const BatchSimulator& batch, std::vector<int> environments,
                                 double spacing, int every, int fps)
    : RecordingObject(std::move(title), in_a_row(batch, static_cast<int>(environments.size()), spacing),
                      batch.options().dt, every * batch.options().dt, fps) {
  environments_ = std::move(environments);
  add(batch);
}

bool RecordingObject::is_due() {
  if (stopped_) return false;
  ++looks_;
  return clock_.due(static_cast<double>(looks_) * look_, look_);
}

void RecordingObject::add(cli::Moment moment) {
  moment.time = static_cast<double>(looks_) * look_;
  if (recording_.is_full()) return;
  recording_.add(moment);
  frames_.emplace_back(moment.q.begin(), moment.q.end());
  times_.push_back(moment.time);
}

/// Energies are left out: environments may have masses of their own.
void RecordingObject::add(const BatchSimulator& batch) {
  std::vector<double> q, v;
  for (const int e : environments_) {
    for (int k = 0; k < batch.model().nq(); ++k) q.push_back(batch.q()(e, k));
    for (int k = 0; k < batch.model().nv(); ++k) v.push_back(batch.v()(e, k));
  }
  cli::Moment moment;
  moment.q = q;
  moment.v = v;
  moment.kinetic = moment.potential = std::numeric_limits<double>::quiet_NaN();
  add(moment);
}

void RecordingObject::note_step(Simulator& simulation) {
  const std::lock_guard lock(mutex_);
  if (is_due()) add(cli::moment_after_step(simulation));
}

void RecordingObject::note_step(const BatchSimulator& batch) {
  const std::lock_guard lock(mutex_);
  if (is_due()) add(batch);
}

void RecordingObject::note_failure(const std::string& words) {
  const std::lock_guard lock(mutex_);
  failed_ = true;
  recording_.mark(static_cast<double>(looks_) * look_, words);
}

int RecordingObject::num_frames() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(frames_.size());
}

std::vector<double> RecordingObject::times() const {
  const std::lock_guard lock(mutex_);
  return times_;
}

void RecordingObject::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

std::string RecordingObject::page() {
  cli::require_viewer("a page of a recording");
  const std::lock_guard lock(mutex_);
  using Status = cli::Recording::Status;
  recording_.end(recording_.is_full() ? Status::kFull : failed_ ? Status::kFailed : Status::kEnded);
  return cli::make_viewer_page(title_ + " - delassus", recording_.document());
}

void RecordingObject::paint(int frame, int width, int height, const std::optional<cli::Camera>& camera,
                            std::span<std::uint8_t> rgb) {
  const std::lock_guard lock(mutex_);
  update_kinematics<double>(model_, frames_.at(static_cast<std::size_t>(frame)), kin_);
  const double aspect = static_cast<double>(width) / height;
  painter_.paint(kin_, camera ? *camera : painter_.look_at(model_, frames_, aspect), width, height, rgb);
}

}  // namespace delassus::python
