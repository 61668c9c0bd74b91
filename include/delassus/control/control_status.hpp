// How a control step ended: whether there are joint forces, and whether contacts can give the forces that they ask of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "delassus/constraints/constraint.hpp"
#include "delassus/math/error.hpp"

namespace delassus {

/// What the force of a held contact would need that a contact has not, in the order in which they are reported.
enum class ContactFault : std::uint8_t {
  kNone,
  kTwists,  // it turns about its normal: more torsion than friction gives
  kSlips,   // it slides: a force along the ground beyond its cone
  kTips,    // it turns over an edge: the centre of pressure lies outside of its sole
  kPulls,   // it leaves the ground: a normal force below zero
};

/// The worst of a step.
struct ContactExcess {
  ContactFault fault = ContactFault::kNone;
  int held = -1;      // which held constraint, the first being 0
  double beyond = 0;  // by how much: N of a pull or a slip, Nm of a twist or about the edge of a sole

  bool ok() const { return fault == ContactFault::kNone; }
  bool operator==(const ContactExcess&) const = default;
};

/// A Status, and what contacts say to it. Forces are there with kSingularTask and kUnbalanced as well, and with any fault.
struct [[nodiscard]] ControlStatus {
  ControlStatus() = default;
  ControlStatus(const Status& status, const ContactExcess& excess = {})  // NOLINT: a Status is one without contacts
      : code(status.code), index(status.index), contact(excess) {}
  ControlStatus(Status::Code c, int i) : code(c), index(i) {}

  bool ok() const { return code == Status::Code::kOk && contact.ok(); }
  /// Whether joint forces were written.
  bool leaves_forces() const;
  Status numerics() const { return {code, index}; }
  bool operator==(const ControlStatus&) const = default;

  Status::Code code = Status::Code::kOk;
  int index = -1;  // as that of Status
  ContactExcess contact;
};

/// What happened and what to do; `constraints` are those of the controller, held ones first.
std::string describe(const ControlStatus& status, const Model& model, std::span<const Constraint> constraints = {});

}  // namespace delassus
