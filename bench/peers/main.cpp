// `delassus-peers`: this library and others that are installed, side by side (docs/peers.md).
#include <fmt/format.h>

#include <cstdio>
#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/peers/compare_peers.hpp"
#include "bench/peers/load_peers.hpp"
#include "cli/shell/build_info.hpp"
#include "delassus/math/error.hpp"

namespace delassus::bench {
namespace {

constexpr const char* kUsage =
    "usage: delassus-peers [ROBOT...] [--quick] [--json FILE] [--help]\n"
    "\n"
    "Times of this library and of others that were there when it was built, on the same robots and states.\n"
    "Numbers are compared first: what disagrees has no time.\n"
    "\n"
    "  ROBOT        {}; all of them if none is given\n"
    "  --quick      fewer samples\n"
    "  --json FILE  the same for programs\n"
    "\n"
    "Exit status: 0; 1 if numbers disagree or a call fails; 2 if an argument is wrong.\n";

struct Arguments {
  std::vector<std::string> robots;
  std::string json;
  bool quick = false, help = false;
};

Arguments read_arguments(std::span<char* const> given) {
  Arguments out;
  for (std::size_t k = 0; k < given.size(); ++k) {
    const std::string_view argument = given[k];
    if (argument == "--quick") {
      out.quick = true;
    } else if (argument == "--help") {
      out.help = true;
    } else if (argument == "--json") {
      if (++k == given.size()) throw Error("--json needs the name of a file");
      out.json = given[k];
    } else if (argument.starts_with("-")) {
      throw Error(fmt::format("no option '{}'; see --help", argument));
    } else {
      out.robots.emplace_back(argument);
    }
  }
  if (out.robots.empty()) out.robots.assign(peer_robots().begin(), peer_robots().end());
  return out;
}

std::string head_of(const LoadedPeers& peers) {
  std::string text = as_text(cli::build_info()) + "\n";
  for (const PeerEntry& peer : peers.found) text += fmt::format("{:<10} {}\n", peer.name, peer.version);
  for (const auto& [name, why] : peers.missing) text += fmt::format("{:<10} {}\n", name, why);
  return text +
         "\nMedians, each call from q; peers take turns. In brackets: how many times ours.\n"
         "Where a peer has several ways to make a call, the fastest that is right counts.\n"
         "Differences: of results that have a time, from an oracle in long double, over the largest entry.\n\n";
}

nlohmann::json begin_report(const LoadedPeers& peers) {
  nlohmann::json out{{"conditions", as_json(cli::build_info())}, {"missing", nlohmann::json::array()}};
  for (const auto& [name, why] : peers.missing) out["missing"].push_back({{"name", name}, {"why", why}});
  out["robots"] = nlohmann::json::array();
  return out;
}

int run(const Arguments& arguments) {
  std::deque<PeerRobot> robots;  // a name that is none is an error before the first is measured
  for (const std::string& name : arguments.robots) robots.emplace_back(name);
  std::ofstream file;
  if (!arguments.json.empty()) {
    file.open(arguments.json);
    if (!file) throw Error(fmt::format("--json: cannot write '{}'", arguments.json));
  }
  const LoadedPeers peers = load_peers();
  nlohmann::json report = begin_report(peers);
  fmt::print("{}", head_of(peers));
  bool agree = true;
  for (const PeerRobot& robot : robots) {
    const PeerComparison comparison =
        compare_peers(robot, peers.found, arguments.quick ? cli::kQuickEffort : cli::kFullEffort);
    fmt::print("{}", as_text(comparison));
    std::fflush(stdout);
    report["robots"].push_back(as_json(comparison));
    agree = agree && agrees(comparison);
  }
  if (file.is_open()) file << report.dump(2) << "\n";
  return agree ? 0 : 1;
}

}  // namespace
}  // namespace delassus::bench

int main(int argc, char** argv) {
  using namespace delassus::bench;
  try {
    const Arguments arguments = read_arguments({argv + 1, static_cast<std::size_t>(argc - 1)});
    if (!arguments.help) return run(arguments);
    fmt::print(fmt::runtime(kUsage), fmt::join(peer_robots(), ", "));
    return 0;
  } catch (const delassus::Error& e) {
    fmt::print(stderr, "delassus-peers: {}\n", e.what());
    return 2;
  }
}
