#include "cli/commands/motion_file.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>

#include "model/wording.hpp"

namespace delassus::cli {
namespace {

/// What stands behind the name of a joint with several coordinates.
std::string_view coordinate(JointKind kind, int k) {
  constexpr std::array<std::string_view, 7> kFree{"x", "y", "z", "qx", "qy", "qz", "qw"};
  constexpr std::array<std::string_view, 3> kPlanar{"x", "y", "angle"};
  constexpr std::array<std::string_view, 2> kCylindrical{"angle", "way"}, kUniversal{"angle1", "angle2"};
  const auto at = static_cast<std::size_t>(k);
  switch (kind) {
    case JointKind::kFree:
      return kFree[at];
    case JointKind::kSpherical:
      return kFree[at + 3];
    case JointKind::kPlanar:
      return kPlanar[at];
    case JointKind::kCylindrical:
      return kCylindrical[at];
    case JointKind::kUniversal:
      return kUniversal[at];
    default:
      return "";
  }
}

std::string_view velocity(JointKind kind, int k) {
  constexpr std::array<std::string_view, 6> kTwist{"wx", "wy", "wz", "vx", "vy", "vz"};
  const bool turns = kind == JointKind::kFree || kind == JointKind::kSpherical;
  return turns ? kTwist[static_cast<std::size_t>(k)] : coordinate(kind, k);
}

/// In quotes, since names come from files: quotes in them are doubled.
std::string column(char symbol, const std::string& joint, std::string_view part) {
  std::string out = fmt::format("\"{}.", symbol);
  for (const char c : printable(joint)) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + (part.empty() ? "" : ".") + std::string(part) + "\"";
}

std::string head(const Model& model) {
  std::string out = "time";
  for (int i = 0; i < model.num_links(); ++i) {
    const JointKind kind = model.link(i).kind;
    for (int k = 0; k < sizes_of(kind).nq; ++k) out += "," + column('q', model.joint_name(i), coordinate(kind, k));
  }
  for (int i = 0; i < model.num_links(); ++i) {
    const JointKind kind = model.link(i).kind;
    for (int k = 0; k < sizes_of(kind).nv; ++k) out += "," + column('v', model.joint_name(i), velocity(kind, k));
  }
  return out + ",kinetic_energy,potential_energy,contacts,penetration,iterations,velocity_residual,force_residual\n";
}

}  // namespace

MotionFile::MotionFile(const std::string& path, const Model& model) {
  if (path.empty()) return;
  file_.emplace(path);
  file_->write(head(model));
}

void MotionFile::add(Simulator& simulation) {
  if (!file_) return;
  std::string row = fmt::format("{}", simulation.time());
  const auto put = [&row](auto x) { fmt::format_to(std::back_inserter(row), ",{}", x); };
  for (const double x : simulation.q()) put(x);
  for (const double x : simulation.v()) put(x);
  const StepReport& report = simulation.report();
  put(simulation.kinetic_energy());
  put(simulation.potential_energy());
  put(report.contacts);
  put(report.penetration);
  put(report.certificate.iterations);
  put(report.certificate.worst());
  put(report.certificate.force);
  file_->write(row + "\n");
}

void MotionFile::keep() {
  if (file_) file_->keep();
}

}  // namespace delassus::cli
