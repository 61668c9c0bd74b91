#include "cli/commands/step_capture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/shell/argument_values.hpp"
#include "io/new_file.hpp"
#include "model/wording.hpp"
#include "simulation/stored_problem.hpp"

namespace delassus::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".npz";

/// The scene's name in letters that every file system takes, without the kind of its file.
std::string file_prefix(const std::string& scene) {
  fs::path name = fs::path(scene).filename();
  const std::string kind = name.extension().string();
  if (kind == ".json" || kind == ".urdf" || kind == ".xml") name.replace_extension();
  std::string out = name.string();
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
  };
  std::ranges::replace_if(
      out, [&](char c) { return !is_plain(c); }, '-');
  return out + "-";
}

void require_free(const std::string& folder, const std::string& prefix) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(kEnding)) continue;
    throw Error(fmt::format("--capture {}: has {} already; remove it, or name another folder", in_quotes(folder),
                            in_quotes(name)));
  }
}

}  // namespace

void CaptureOptions::add_to(Command& app) {
  Option* capture =
      app.add_option("--capture", folder, "also write the contact problems of hard steps into this folder, as .npz")
          ->type_name("FOLDER")
          ->check(file_name());
  app.add_option("--capture-above", above, "iterations beyond which a step is hard (default 50)")
      ->type_name("COUNT")
      ->check(whole_number(0, 1'000'000))
      ->needs(capture);
  app.add_option("--capture-most", most, "most files; later hard steps are counted only (default 100)")
      ->type_name("COUNT")
      ->check(whole_number(1, 1'000'000))
      ->needs(capture);
}

StepCapture::StepCapture(const CaptureOptions& options, const std::string& scene, Simulator& simulation)
    : options_(options), simulation_(simulation), prefix_(file_prefix(scene)) {
  std::error_code failure;
  fs::create_directory(options.folder, failure);
  if (!fs::is_directory(options.folder, failure))
    throw Error(
        fmt::format("--capture {}: the folder cannot be made; check that the one above it exists and may be written",
                    in_quotes(options.folder)));
  require_free(options.folder, prefix_);
  simulation.observe_solves([this](const SolvedProblem& solved) { look_at(solved); });
}

StepCapture::~StepCapture() { simulation_.observe_solves({}); }

/// Of several solves in one step, the last one counts.
void StepCapture::look_at(const SolvedProblem& solved) {
  hard_ = solved.certificate.iterations > options_.above || !solved.certificate.solved();
  problem_.reset();
  if (hard_ && files_ < options_.most && solved.problem.rows() <= io::kMostProblemRows)
    problem_ = make_stored(solved.op, solved.problem, solved.start);
}

void StepCapture::note_step(std::int64_t step) {
  hard_steps_ += hard_;
  hard_ = false;
  if (!problem_) return;
  const fs::path path = fs::path(options_.folder) / fmt::format("{}{:06}{}", prefix_, step, kEnding);
  if (fs::exists(path)) throw Error(fmt::format("--capture: {} is there already", in_quotes(path.string())));
  io::write_file(path.string(), io::write_contact_problem(*problem_));
  problem_.reset();
  ++files_;
}

}  // namespace delassus::cli
