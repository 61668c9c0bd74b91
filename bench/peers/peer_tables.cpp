// What was measured, in words and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/measure/number.hpp"
#include "bench/peers/compare_peers.hpp"

namespace delassus::bench {
namespace {

/// A time with its ratio to ours; what is wrong where there is none.
std::string cell(const std::vector<PeerMeasurement>& ways, const PeerMeasurement& ours) {
  if (ways.empty()) return "-";
  const PeerMeasurement& m = ways.front();
  if (!m.failure.empty()) return "failed";
  if (!m.us) return fmt::format("{:.0e} off", m.difference);
  return &m == &ours ? cli::three_digits(*m.us) : cli::with_ratio(m.us, ours.us);
}

constexpr int kFirstColumn = 22, kColumn = 18;

/// One cell for each peer that has the robot.
template <class Cell>
std::string line_of(std::string_view title, const PeerComparison& comparison, const Cell& cell_of) {
  std::string text = fmt::format("  {:<{}}", title, kFirstColumn);
  for (const PeerColumn& peer : comparison.peers) {
    if (peer.left_out.empty()) text += fmt::format("{:>{}}", cell_of(peer), kColumn);
  }
  return text + "\n";
}

std::string line_of(const PeerComparison& comparison, PeerCall call) {
  const auto at = static_cast<std::size_t>(call);
  const PeerMeasurement& ours = comparison.peers[0].calls[at].front();
  return line_of(title_of(call), comparison, [&](const PeerColumn& peer) { return cell(peer.calls[at], ours); });
}

/// Of what has a time.
double largest_difference(const PeerColumn& peer) {
  double most = 0;
  for (const auto& ways : peer.calls) {
    if (!ways.empty() && ways.front().us) most = std::max(most, ways.front().difference);
  }
  return most;
}

/// How a call was made, and what came of it.
std::string note_of(const std::vector<PeerMeasurement>& ways) {
  const PeerMeasurement& best = ways.front();
  if (!best.failure.empty()) return best.how + ": " + best.failure;
  if (!best.us) return fmt::format("{}: disagrees by {:.1e}, so it has no time", best.how, best.difference);
  if (ways.size() == 1) return best.how;
  return fmt::format("{}; the fastest of {} ways, {:.0e} off", best.how, ways.size(), best.difference);
}

std::string notes_of(const PeerComparison& comparison) {
  std::string text;
  for (const PeerColumn& peer : comparison.peers) {
    if (!peer.left_out.empty()) text += fmt::format("  {} is not here: {}.\n", peer.name, peer.left_out);
    for (const PeerCall call : kPeerCalls) {
      const auto& ways = peer.calls[static_cast<std::size_t>(call)];
      if (!ways.empty()) text += fmt::format("  {:<10} {:<22}{}\n", peer.name, title_of(call), note_of(ways));
    }
  }
  return text;
}

nlohmann::json as_json(const PeerMeasurement& m) {
  nlohmann::json out{{"how", m.how}};
  if (m.failure.empty()) {
    out["difference"] = m.difference;
    out["us"] = cli::or_null(m.us);
    out["least_us"] = cli::or_null(m.least_us);
  } else {
    out["failure"] = m.failure;
  }
  return out;
}

/// The best, and the others beside it.
nlohmann::json as_json(const std::vector<PeerMeasurement>& ways) {
  if (ways.empty()) return nullptr;
  nlohmann::json out = as_json(ways.front());
  out["slower"] = nlohmann::json::array();
  for (std::size_t k = 1; k < ways.size(); ++k) out["slower"].push_back(as_json(ways[k]));
  return out;
}

}  // namespace

std::string as_text(const PeerComparison& comparison) {
  std::string text = fmt::format("{}: nv {}, {} contacts, {} rows\n", comparison.robot, comparison.nv,
                                 comparison.contacts, comparison.rows);
  text += line_of("microseconds", comparison, [](const PeerColumn& peer) { return peer.name; });
  for (const PeerCall call : kPeerCalls) text += line_of(comparison, call);
  text += line_of("largest difference", comparison,
                  [](const PeerColumn& peer) { return fmt::format("{:.0e}", largest_difference(peer)); });
  return text + notes_of(comparison) + "\n";
}

nlohmann::json as_json(const PeerComparison& comparison) {
  nlohmann::json out{{"robot", comparison.robot},
                     {"nv", comparison.nv},
                     {"contacts", comparison.contacts},
                     {"rows", comparison.rows},
                     {"peers", nlohmann::json::array()}};
  for (const PeerColumn& peer : comparison.peers) {
    nlohmann::json& column = out["peers"].emplace_back();
    column = {{"name", peer.name}, {"version", peer.version}};
    if (!peer.left_out.empty()) column["left_out"] = peer.left_out;
    for (const PeerCall call : kPeerCalls) {
      column["calls"][std::string(name_of(call))] = as_json(peer.calls[static_cast<std::size_t>(call)]);
    }
  }
  return out;
}

}  // namespace delassus::bench
