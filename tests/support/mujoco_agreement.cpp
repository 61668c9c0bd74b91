#include "support/mujoco_agreement.hpp"

#include <filesystem>
#include <optional>

namespace delassus::testing {
namespace {

/// The largest error of a quantity, over the algorithms if there are several.
double largest_error(const nlohmann::json& error) {
  if (error.is_number()) return error.get<double>();
  double worst = 0;
  for (const nlohmann::json& e : error) worst = std::max(worst, e.get<double>());
  return worst;
}

}  // namespace

void expect_agreement(const std::string& path, UrdfOptions::Base base, const ReferenceOptions& options,
                      double tolerance, const std::vector<std::string>& wanted) {
  SCOPED_TRACE(path + ", seed " + std::to_string(options.seed) + ", condim " + std::to_string(options.condim) +
               (options.pyramidal ? ", pyramidal" : ", elliptic"));
  const std::filesystem::path file = std::filesystem::absolute(path);
  std::optional<MujocoModel> read;
  try {
    read.emplace(path, base);
  } catch (const MujocoRefuses& reason) {
    FAIL() << "MuJoCo refuses it: " << reason.what();
  }
  MujocoModel& robot = *read;
  const TemporaryFolder folder;
  const nlohmann::json reference = record_reference(robot, file.filename().string(), options);
  const std::string recorded = folder.write("reference.json", reference.dump());
  const CommandResult result =
      run_command("check --json --models '" + file.parent_path().string() + "' '" + recorded + "'");
  const nlohmann::json output = nlohmann::json::parse(result.output, nullptr, false);
  ASSERT_TRUE(output.is_object()) << result.output;
  const nlohmann::json& check = output.at("files").at(0);
  ASSERT_FALSE(check.contains("message")) << check.at("message");
  const nlohmann::json& errors = check.at("errors");
  for (const auto& [quantity, error] : errors.items()) EXPECT_LE(largest_error(error), tolerance) << quantity;
  for (const std::string& quantity : wanted) EXPECT_TRUE(errors.contains(quantity)) << quantity << " is missing";
}

}  // namespace delassus::testing
