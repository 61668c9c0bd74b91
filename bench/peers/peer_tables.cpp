// What was measured, in words and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/peers/compare_peers.hpp"
#include "cli/bench_number.hpp"

namespace delassus::bench {
namespace {

/// A time with its ratio to ours; what is wrong where there is none.
std::string cell(const PeerMeasurement& m, const PeerMeasurement& ours) {
  if (m.how.empty()) return "-";
  if (!m.failure.empty()) return "failed";
  if (!m.us) return fmt::format("{:.0e} off", m.difference);
  return &m == &ours ? cli::three_digits(*m.us) : cli::with_ratio(m.us, ours.us);
}

/// Code points: the terminal's columns of all that stands in these tables.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

constexpr int kFirstColumn = 22, kColumn = 18;

std::string line_of(const PeerComparison& comparison, PeerCall call) {
  const auto at = static_cast<std::size_t>(call);
  const std::string title(title_of(call));
  std::string text = "  " + title + std::string(kFirstColumn - width_of(title), ' ');
  for (const PeerColumn& peer : comparison.peers) {
    if (peer.left_out.empty())
      text += fmt::format("{:>{}}", cell(peer.calls[at], comparison.peers[0].calls[at]), kColumn);
  }
  return text + "\n";
}

double largest_difference(const PeerComparison& comparison) {
  double most = 0;
  for (const PeerColumn& peer : comparison.peers) {
    for (const PeerMeasurement& m : peer.calls) {
      if (m.us) most = std::max(most, m.difference);
    }
  }
  return most;
}

std::string notes_of(const PeerComparison& comparison) {
  std::string text =
      fmt::format("  What has a time differs by at most {:.0e} from the oracle, relative to its largest entry.\n",
                  largest_difference(comparison));
  for (const PeerColumn& peer : comparison.peers) {
    if (!peer.left_out.empty()) text += fmt::format("  {} is not here: {}.\n", peer.name, peer.left_out);
    for (const PeerCall call : kPeerCalls) {
      const PeerMeasurement& m = peer.calls[static_cast<std::size_t>(call)];
      if (!m.failure.empty()) text += fmt::format("  {}, {}: {}.\n", peer.name, title_of(call), m.failure);
      if (m.failure.empty() && !m.how.empty() && !m.us) {
        text +=
            fmt::format("  {}, {}: disagrees by {:.1e}, so it has no time.\n", peer.name, title_of(call), m.difference);
      }
    }
  }
  return text;
}

nlohmann::json as_json(const PeerMeasurement& m) {
  if (m.how.empty()) return nullptr;
  nlohmann::json out{{"how", m.how}};
  if (m.failure.empty()) {
    out["difference"] = m.difference;
    out["us"] = cli::or_null(m.us);
  } else {
    out["failure"] = m.failure;
  }
  return out;
}

}  // namespace

std::string as_text(const PeerComparison& comparison) {
  std::string text = fmt::format("{}: nv {}, {} contacts, {} rows\n{:{}}", comparison.robot, comparison.nv,
                                 comparison.contacts, comparison.rows, "  microseconds", kFirstColumn + 2);
  for (const PeerColumn& peer : comparison.peers) {
    if (peer.left_out.empty()) text += fmt::format("{:>{}}", peer.name, kColumn);
  }
  text += "\n";
  for (const PeerCall call : kPeerCalls) text += line_of(comparison, call);
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
