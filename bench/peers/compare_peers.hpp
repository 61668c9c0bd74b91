// Every call of every peer on one robot: first whether the numbers agree, then how long it takes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/timed_call.hpp"
#include "bench/peers/peer.hpp"
#include "bench/peers/peer_cases.hpp"

namespace delassus::bench {

/// Relative to the largest entry, what results may differ by and count as the same. MuJoCo takes inertias apart into principal
/// axes and keeps about ten digits of them, of which damped solves lose as many as Λ⁻¹ is larger than the damping.
inline constexpr double kAgreement = 1e-6;

/// One way to make a call.
struct PeerMeasurement {
  std::string how;
  double difference = 0;               // from the oracle, over the largest entry, at the worst state
  std::optional<double> us, least_us;  // median and least sample; nothing unless the numbers agree
  std::string failure;                 // what it threw
};

struct PeerColumn {
  std::string name, version;
  std::string left_out;  // why the peer cannot have this robot; empty if it can
  std::array<std::vector<PeerMeasurement>, kPeerCalls.size()> calls;  // the fastest right way first; none: no such call
};

struct PeerComparison {
  std::string robot;
  int nv = 0, contacts = 0, rows = 0;
  std::vector<PeerColumn> peers;
};

/// Peers take turns, so that a disturbance meets all of them.
PeerComparison compare_peers(const PeerRobot& robot, const std::vector<PeerEntry>& peers, const cli::Effort& effort);

/// Whether every call that a peer has agrees, by one of its ways.
bool agrees(const PeerComparison& comparison);
std::string as_text(const PeerComparison& comparison);
nlohmann::json as_json(const PeerComparison& comparison);

}  // namespace delassus::bench
