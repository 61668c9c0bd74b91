#include "cli/commands/motion_file.hpp"

#include <fmt/format.h>

#include <iterator>

#include "model/coordinate_names.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

/// In quotes, since names come from files: quotes in them are doubled.
std::string column(char symbol, const std::string& name) {
  std::string out = fmt::format(",\"{}.", symbol);
  for (const char c : printable(name)) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string head(const Model& model) {
  std::string out = "time";
  for (const std::string& name : coordinate_names(model)) out += column('q', name);
  for (const std::string& name : velocity_names(model)) out += column('v', name);
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
