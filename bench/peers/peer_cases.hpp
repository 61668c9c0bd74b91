// Robots in contact that peers are asked about, and the answers that they should give.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/peers/peer.hpp"
#include "delassus/constraints/constraint.hpp"
#include "delassus/kinematics/kinematics.hpp"

namespace delassus::bench {

/// Names of the robots, in the order of the tables.
std::span<const std::string_view> peer_robots();

/// A robot in a posture without symmetry, with its contacts, in this library's coordinates.
struct PeerRobot {
  /// Throws an Error that lists the robots if it is none of them.
  explicit PeerRobot(std::string_view name);
  PeerRobot(const PeerRobot&) = delete;  // its case refers to its model
  PeerRobot& operator=(const PeerRobot&) = delete;

  std::string name;
  Model model;
  PeerCase given;
};

/// Three rows each, along the axes of the world.
std::vector<Constraint> contact_constraints(const PeerCase& given);
std::vector<double> contact_positions(const PeerCase& given, const Kinematics<double>& kin);

/// By the oracle in long double.
std::vector<double> expected_result(const PeerCase& given, PeerCall call, const PeerState& s);

/// The same case in the coordinates of a peer, and results of a state back from them.
class PeerCoordinates {
 public:
  PeerCoordinates(const PeerCase& given, const std::optional<Library>& library);

  PeerCase to_peer() const;
  std::vector<double> from_peer(PeerCall call, const PeerState& s, const std::vector<double>& result) const;

 private:
  const PeerCase& given_;
  std::optional<CoordinateLayout> layout_;  // nothing: the same
};

}  // namespace delassus::bench
