// Other libraries as `delassus-peers` sees them: the same links, contacts and states, and calls that all of them have.
//
// Each peer is a module of its own, loaded with its symbols to itself. Libraries that were compiled with other vector
// instructions disagree about how Eigen allocates, and in one program the linker would keep one of the two ways for all.
// So a peer may use of this library what headers define, unless it is compiled with the same instructions.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "delassus/kinematics/coordinate_layout.hpp"
#include "delassus/model/model.hpp"

namespace delassus::bench {

/// All from q, with the kinematics that they need.
enum class PeerCall : std::uint8_t {
  kKinematics,          // positions of the contact points; of all links where the library has no less
  kInverseDynamics,     // τ of q, v, ν̇
  kInertia,             // M, both triangles
  kForwardDynamics,     // ν̇ of q, v, τ
  kJacobian,            // of the contact points
  kDelassus,            // Λ⁻¹ as a matrix
  kDampedSolve,         // (Λ⁻¹ + damping) z = right side
  kConstrainedDynamics  // ν̇ of q, v, τ with contact points that do not accelerate
};
inline constexpr std::array kPeerCalls{PeerCall::kKinematics,      PeerCall::kInverseDynamics,    PeerCall::kInertia,
                                       PeerCall::kForwardDynamics, PeerCall::kJacobian,           PeerCall::kDelassus,
                                       PeerCall::kDampedSolve,     PeerCall::kConstrainedDynamics};

/// As files spell it, and in tables.
constexpr std::string_view name_of(PeerCall call) {
  constexpr std::array<std::string_view, kPeerCalls.size()> kNames{
      "kinematics", "inverse_dynamics", "inertia",      "forward_dynamics",
      "jacobian",   "delassus",         "damped_solve", "constrained_dynamics"};
  return kNames[static_cast<std::size_t>(call)];
}
constexpr std::string_view title_of(PeerCall call) {
  constexpr std::array<std::string_view, kPeerCalls.size()> kTitles{
      "kinematics",       "inverse dynamics", "inertia matrix", "forward dynamics",
      "contact Jacobian", "Λ⁻¹ dense",        "damped solve",   "constrained dynamics"};
  return kTitles[static_cast<std::size_t>(call)];
}

/// A point of a link, in its internal frame. Its rows are its velocity along the axes of the world.
struct PeerContact {
  int link;
  Vec3<double> point;
};

struct PeerState {
  std::vector<double> q, v, qdd, tau;
};

/// Lives as long as what is made of it.
struct PeerCase {
  const Model& model;  // free and revolute joints; no armature, which not all peers have
  std::vector<PeerContact> contacts;
  std::vector<PeerState> states;  // to be taken in turns, in the coordinates that the peer's entry names
  std::vector<double> right_side;
  double damping;

  int rows() const { return 3 * static_cast<int>(contacts.size()); }
};

/// A library with one robot.
class Peer {
 public:
  /// One way to make a call.
  struct Verb {
    std::string how;                // by which of its functions, with which settings
    std::function<void(int)> call;  // at one of the states; throws an Error if it fails
    /// Of the last call, in the peer's coordinates; matrices row by row.
    std::function<std::vector<double>()> result;
  };

  Peer() = default;
  virtual ~Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  /// The fastest that is right counts. None if the peer has no such call.
  const std::vector<Verb>& ways(PeerCall call) const { return ways_[static_cast<std::size_t>(call)]; }

 protected:
  void add(PeerCall call, Verb way) { ways_[static_cast<std::size_t>(call)].push_back(std::move(way)); }

 private:
  std::array<std::vector<Verb>, kPeerCalls.size()> ways_;
};

struct PeerEntry {
  std::string name, version;
  std::optional<Library> layout;  // of its coordinates; nothing: those of this library
  /// Throws an Error if it cannot have this model.
  std::unique_ptr<Peer> (*make)(const PeerCase& given);
};

}  // namespace delassus::bench

/// What a module has for others to see.
extern "C" __attribute__((visibility("default"))) const delassus::bench::PeerEntry* delassus_peer();
