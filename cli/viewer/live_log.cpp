#include "cli/viewer/live_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/pages/json_text.hpp"

namespace delassus::cli {

void LiveLog::add(std::string frame) {
  bytes_ += frame.size();
  frames_.push_back(std::move(frame));
  while (std::ssize(frames_) > kMostFrames || (bytes_ > kMostBytes && frames_.size() > 1)) {
    bytes_ -= frames_.front().size();
    frames_.pop_front();
    ++first_;
  }
}

void LiveLog::restart() {
  first_ += static_cast<std::int64_t>(frames_.size());
  frames_.clear();
  bytes_ = 0;
  ++run_;
}

void LiveLog::set_status(std::string status, std::string message, double speed) {
  status_ = std::move(status);
  message_ = std::move(message);
  speed_ = speed;
  ++version_;
}

std::string LiveLog::next_event(Reader& reader) const {
  const std::int64_t end = first_ + static_cast<std::int64_t>(frames_.size());
  const bool restarted = reader.run != run_;
  if (!restarted && reader.next == end && reader.version == version_) return {};
  std::int64_t begin = std::max(first_, reader.next);
  if (reader.run >= 0) begin = std::max(begin, end - kMostAtOnce);
  const std::vector<std::string> frames(frames_.begin() + (begin - first_), frames_.end());
  std::vector<std::string_view> structures;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < structures_.texts().size(); ++k) {
    if (structures_.number(k) < reader.structures) continue;
    structures.push_back(structures_.texts()[k]);
    places.push_back(k);
  }
  reader = {run_, version_, end, structures_.next_number()};
  return fmt::format(
      "data: "
      "{{\"frames\":[{}],\"structures\":[{}],\"structures_at\":[{}],\"status\":{},\"message\":{},\"speed\":{}{}}}\n\n",
      fmt::join(frames, ","), fmt::join(structures, ","), fmt::join(places, ","), to_text(status_), to_text(message_),
      speed_, restarted ? ",\"restart\":true" : "");
}

}  // namespace delassus::cli
