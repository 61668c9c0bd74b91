#include "bench/peers/compare_peers.hpp"

#ifdef __AVX__
#include <immintrin.h>
#endif

#include <algorithm>
#include <cmath>

#include "delassus/math/error.hpp"

namespace delassus::bench {
namespace {

/// One way of a call, and what is measured of it.
struct Attempt {
  const Peer::Verb& way;
  PeerMeasurement found;
  std::optional<cli::TimedCall> timed;
};

/// A peer with a robot.
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

  PeerCoordinates coordinates;
  PeerCase in_its_coordinates;
  PeerColumn column;
  std::unique_ptr<Peer> peer;
  std::vector<Attempt> attempts;  // at the call that is measured
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

/// A call at all states, and what it should give.
struct Question {
  Question(const PeerCase& given, PeerCall asked) : states(given.states), call(asked) {
    for (const PeerState& s : states) expected.push_back(expected_result(given, call, s));
  }
  const std::vector<PeerState>& states;
  PeerCall call;
  std::vector<std::vector<double>> expected;
};

/// At every state, and each after another one, so that nothing is left from before.
void check(Attempt& attempt, const Question& question, const PeerCoordinates& coordinates) {
  const std::size_t states = question.states.size();
  PeerMeasurement& m = attempt.found;
  try {
    for (std::size_t s = 0; s < states; ++s) {
      attempt.way.call(static_cast<int>((s + 1) % states));
      attempt.way.call(static_cast<int>(s));
      const std::vector<double> found = coordinates.from_peer(question.call, question.states[s], attempt.way.result());
      m.difference = std::max(m.difference, difference(found, question.expected[s]));
    }
  } catch (const Error& e) {
    m.failure = e.what();
  }
}

bool is_right(const PeerMeasurement& m) { return m.failure.empty() && m.difference <= kAgreement; }

/// Right ways by their least samples, which what else runs on the machine hardly changes; then what disagrees, least first; then what failed.
bool is_better(const PeerMeasurement& a, const PeerMeasurement& b) {
  if (a.us && b.us) return *a.least_us < *b.least_us;
  if (a.us || b.us) return a.us.has_value();
  return a.failure.empty() && (!b.failure.empty() || a.difference < b.difference);
}

/// Code for any x86-64 processor runs slower while wide registers hold something in their upper halves: that of who was measured
/// before must not be on the account of who comes next.
void clear_wide_registers() {
#ifdef __AVX__
  _mm256_zeroupper();
#endif
}

void calibrate(Attempt& attempt, const cli::Effort& effort) {
  const Peer::Verb& way = attempt.way;
  cli::TimedCall timed(way.how, [&way](std::int64_t calls) {
    clear_wide_registers();
    for (std::int64_t k = 0; k < calls; ++k) way.call(static_cast<int>(k % 2));
  });
  timed.calibrate(effort);
  attempt.timed = std::move(timed);
}

void begin(Entrant& entrant, const Question& question, const cli::Effort& effort) {
  entrant.attempts.clear();
  if (!entrant.peer) return;
  for (const Peer::Verb& way : entrant.peer->ways(question.call)) {
    Attempt& attempt = entrant.attempts.emplace_back(Attempt{way, {way.how, 0, {}, {}, {}}, {}});
    check(attempt, question, entrant.coordinates);
    if (is_right(attempt.found)) calibrate(attempt, effort);
  }
}

void finish(Entrant& entrant, PeerCall call) {
  std::vector<PeerMeasurement>& ways = entrant.column.calls[static_cast<std::size_t>(call)];
  for (Attempt& attempt : entrant.attempts) {
    if (attempt.timed) {
      attempt.found.us = attempt.timed->median_us();
      attempt.found.least_us = attempt.timed->least_us();
    }
    ways.push_back(std::move(attempt.found));
  }
  std::ranges::stable_sort(ways, is_better);
}

}  // namespace

PeerComparison compare_peers(const PeerRobot& robot, const std::vector<PeerEntry>& peers, const cli::Effort& effort) {
  PeerComparison out{
      robot.name, robot.model.nv(), static_cast<int>(robot.given.contacts.size()), robot.given.rows(), {}};
  std::vector<std::unique_ptr<Entrant>> entrants;  // that stay where they are: peers refer to their cases
  for (const PeerEntry& entry : peers) entrants.push_back(std::make_unique<Entrant>(entry, robot.given));
  for (const PeerCall call : kPeerCalls) {
    const Question question(robot.given, call);
    for (const auto& entrant : entrants) begin(*entrant, question, effort);
    for (int round = 0; round < effort.rounds; ++round) {
      for (const auto& entrant : entrants) {
        for (Attempt& attempt : entrant->attempts) {
          if (attempt.timed) attempt.timed->sample(effort);
        }
      }
    }
    for (const auto& entrant : entrants) finish(*entrant, call);
  }
  for (const auto& entrant : entrants) out.peers.push_back(std::move(entrant->column));
  return out;
}

bool agrees(const PeerComparison& comparison) {
  return std::ranges::all_of(comparison.peers, [](const PeerColumn& peer) {
    return std::ranges::all_of(peer.calls, [](const auto& ways) { return ways.empty() || is_right(ways.front()); });
  });
}

}  // namespace delassus::bench
