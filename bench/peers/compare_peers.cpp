#include "bench/peers/compare_peers.hpp"

#ifdef __AVX__
#include <immintrin.h>
#endif

#include <algorithm>
#include <cmath>

#include "delassus/math/error.hpp"

namespace delassus::bench {
namespace {

/// A peer with a robot, and what is measured of it.
struct Entrant {
  Entrant(const PeerEntry& entry, const PeerCase& given)
      : coordinates(given, entry.layout),
        in_its_coordinates(coordinates.to_peer()),
        column{entry.name, entry.version, "", {}} {
    try {
      peer = entry.make(in_its_coordinates);
    } catch (const Error& e) {
      column.left_out = e.what();
    }
  }
  /// Nothing if it cannot have the robot, or has no such call.
  const std::optional<Peer::Verb>& verb(PeerCall call) const {
    static const std::optional<Peer::Verb> kNone;
    return peer ? peer->verb(call) : kNone;
  }
  PeerMeasurement& of(PeerCall call) { return column.calls[static_cast<std::size_t>(call)]; }

  PeerCoordinates coordinates;
  PeerCase in_its_coordinates;
  PeerColumn column;
  std::unique_ptr<Peer> peer;
  std::array<std::optional<cli::TimedCall>, kPeerCalls.size()> timed;
};

double difference(const std::vector<double>& found, const std::vector<double>& expected) {
  if (found.size() != expected.size()) throw Error("the result has another size");
  double most = 0, size = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (!std::isfinite(found[k])) throw Error("the result is not finite");
    most = std::max(most, std::abs(found[k] - expected[k]));
    size = std::max(size, std::abs(expected[k]));
  }
  return most / size;
}

void check(Entrant& entrant, PeerCall call, const std::vector<double>& expected) {
  const std::optional<Peer::Verb>& verb = entrant.verb(call);
  if (!verb) return;
  PeerMeasurement& m = entrant.of(call);
  m.how = verb->how;
  try {
    verb->call(1);  // so that nothing of the first state is left from before
    verb->call(0);
    m.difference = difference(entrant.coordinates.from_peer(call, verb->result()), expected);
  } catch (const Error& e) {
    m.failure = e.what();
  }
}

bool is_right(const PeerMeasurement& m) { return !m.how.empty() && m.failure.empty() && m.difference <= kAgreement; }

/// Code for any x86-64 processor runs slower while wide registers hold something in their upper halves: that of who was measured
/// before must not be on the account of who comes next.
void clear_wide_registers() {
#ifdef __AVX__
  _mm256_zeroupper();
#endif
}

void calibrate(Entrant& entrant, PeerCall call, const cli::Effort& effort) {
  const Peer::Verb& verb = *entrant.verb(call);
  cli::TimedCall timed(std::string(name_of(call)), [&verb](std::int64_t calls) {
    clear_wide_registers();
    for (std::int64_t k = 0; k < calls; ++k) verb.call(static_cast<int>(k % 2));
  });
  timed.calibrate(effort);
  entrant.timed[static_cast<std::size_t>(call)] = std::move(timed);
}

}  // namespace

PeerComparison compare_peers(const PeerRobot& robot, const std::vector<PeerEntry>& peers, const cli::Effort& effort) {
  PeerComparison out{
      robot.name, robot.model.nv(), static_cast<int>(robot.given.contacts.size()), robot.given.rows(), {}};
  std::vector<std::unique_ptr<Entrant>> entrants;  // that stay where they are: peers refer to their cases
  for (const PeerEntry& entry : peers) entrants.push_back(std::make_unique<Entrant>(entry, robot.given));
  for (const PeerCall call : kPeerCalls) {
    const std::vector<double> expected = expected_result(robot.given, call);
    for (const auto& entrant : entrants) {
      check(*entrant, call, expected);
      if (is_right(entrant->of(call))) calibrate(*entrant, call, effort);
    }
    for (int round = 0; round < effort.rounds; ++round) {
      for (const auto& entrant : entrants) {
        if (auto& timed = entrant->timed[static_cast<std::size_t>(call)]) timed->sample(effort);
      }
    }
    for (const auto& entrant : entrants) {
      const auto& timed = entrant->timed[static_cast<std::size_t>(call)];
      if (!timed) continue;
      entrant->of(call).us = timed->median_us();
      entrant->of(call).least_us = timed->least_us();
    }
  }
  for (const auto& entrant : entrants) out.peers.push_back(std::move(entrant->column));
  return out;
}

bool agrees(const PeerComparison& comparison) {
  return std::ranges::all_of(comparison.peers, [](const PeerColumn& peer) {
    return std::ranges::all_of(peer.calls, [](const PeerMeasurement& m) { return m.how.empty() || is_right(m); });
  });
}

}  // namespace delassus::bench
