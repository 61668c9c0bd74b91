#include "cli/pages/recording.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "cli/pages/json_text.hpp"
#include "cli/pages/stage.hpp"

namespace delassus::cli {
namespace {

using nlohmann::json;

std::string list_of(const std::vector<std::string>& texts) { return fmt::format("[{}]", fmt::join(texts, ",")); }

}  // namespace

json make_recording_head(const RecordingTitle& title, const Model& model,
                         std::span<const CollisionWorld::Shape> shapes) {
  json out{{"format", "delassus-recording"}, {"version", 1},     {"title", title.title}, {"subtitle", title.subtitle},
           {"dt", number_json(title.dt)},    {"fps", title.fps}, {"live", false},        {"up", {0, 0, 1}}};
  add_stage(model, shapes, out);
  return out;
}

bool FrameClock::due(double time, double dt) {
  const double at = (time - start_ + dt / 2) * rate_;
  if (at < next_) return false;
  next_ = std::floor(at) + 1;
  return true;
}

Recording::Recording(json head, const Model& model) : head_(std::move(head)), writer_(model) {
  head_["marks"] = json::array();
  head_["series"] = json::array();
}

void Recording::add(const Moment& moment) {
  if (is_full()) return;
  const std::size_t structures = writer_.structures().texts().size();
  frames_.push_back(writer_.write(moment));
  bytes_ += frames_.back().size();
  for (std::size_t k = structures; k < writer_.structures().texts().size(); ++k)
    bytes_ += writer_.structures().texts()[k].size();
  last_time_ = moment.time;
}

void Recording::mark(double time, std::string text) {
  head_["marks"].push_back({{"t", number_json(time)}, {"text", std::move(text)}});
}

void Recording::add_series(std::string name, std::string unit, const std::vector<double>& values) {
  head_["series"].push_back({{"name", std::move(name)}, {"unit", std::move(unit)}, {"values", numbers_json(values)}});
}

void Recording::end(Status status, const std::string& words) {
  constexpr std::array<std::string_view, 4> kNames{"ended", "failed", "interrupted", "full"};
  head_["status"] = kNames[static_cast<std::size_t>(status)];
  head_["message"] = words;
  if (!words.empty()) mark(last_time_, words);
}

std::string Recording::document() const {
  std::string out = to_text(head_);
  out.pop_back();  // its closing brace
  return out + ",\"structures\":" + list_of(writer_.structures().texts()) + ",\"frames\":" + list_of(frames_) + "}";
}

void require_recordable(std::string_view option, const Model& model, double frames) {
  const double floats = 7.0 * model.num_links() + model.nq() + model.nv();
  const double bytes = frames * (4.0 / 3 * 4 * floats + 200);
  if (bytes <= static_cast<double>(Recording::kMostBytes)) return;
  throw Error(
      fmt::format("{}: {:.0f} frames of {} bodies make a page of more than {:.0f} MB, at most {:.0f} MB are written; "
                  "take a shorter time with --seconds, or fewer frames with --fps",
                  option, frames, model.num_links(), bytes / 1e6, static_cast<double>(Recording::kMostBytes) / 1e6));
}

}  // namespace delassus::cli
