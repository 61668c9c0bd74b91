#include "delassus/control/held_contacts.hpp"

#include <cstdio>

#include "delassus/constraints/describe.hpp"

namespace delassus {
namespace {

/// "12.3 N"
std::string amount(double value, const char* unit) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g %s", value, unit);
  return text;
}

std::string fault_text(const ContactExcess& excess) {
  switch (excess.fault) {
    case ContactFault::kNone:
      break;
    case ContactFault::kTwists:
      return "twists: " + amount(excess.beyond, "Nm") + " about its normal beyond what friction holds";
    case ContactFault::kSlips:
      return "slips: " + amount(excess.beyond, "N") + " beyond what friction holds";
    case ContactFault::kTips:
      return "tips: " + amount(excess.beyond, "Nm") + " beyond what the edge of its sole holds";
    case ContactFault::kPulls:
      return "pulls with " + amount(excess.beyond, "N");
  }
  return "holds";
}

std::string contact_text(const ContactExcess& excess, std::span<const Constraint> constraints) {
  const bool known = excess.held >= 0 && excess.held < static_cast<int>(constraints.size());
  const std::string who = known ? "'" + name_of(constraints[static_cast<std::size_t>(excess.held)]) + "'"
                                : "held constraint " + std::to_string(excess.held);
  return who + " " + fault_text(excess) +
         "; the forces are there, but no ground gives them: ask for less, or wish for other held forces";
}

}  // namespace

bool ControlStatus::leaves_forces() const {
  return code == Status::Code::kOk || code == Status::Code::kSingularTask || code == Status::Code::kUnbalanced;
}

std::string describe(const ControlStatus& status, const Model& model, std::span<const Constraint> constraints) {
  std::string numbers = describe(status.numerics(), model, constraints);
  if (status.contact.ok()) return numbers;
  const std::string contact = contact_text(status.contact, constraints);
  return status.numerics().ok() ? contact : contact + ". " + numbers;
}

}  // namespace delassus
