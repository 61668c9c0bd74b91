// The robots of others, against the table that comes with their files: bodies, coordinates, masses, loops.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "delassus/io/load.hpp"
#include "unit/io/corpus.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;

/// One line of the table: robot | file | nbody | nq/nv | depth | leaves | loops / equalities | mass | ...
struct Row {
  std::string file, loops;
  int bodies, nq, nv;
  double mass;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' ');
    out.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return out;
}

std::vector<Row> read_table(const fs::path& manifest) {
  std::vector<Row> out;
  std::istringstream stream(io_test::read_file(manifest));
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> cells = cells_of(line);
    int nq = 0, nv = 0;
    if (cells.size() < 9 || std::sscanf(cells[4].c_str(), "%d/%d", &nq, &nv) != 2) continue;
    out.push_back({cells[2], cells[7], std::stoi(cells[3]), nq, nv, std::stod(cells[8])});
  }
  return out;
}

/// "4 connect + 9 joint" is 13.
int sum_of_numbers(const std::string& text) {
  int sum = 0;
  std::istringstream stream(text);
  for (std::string word; stream >> word;)
    sum += std::isdigit(static_cast<unsigned char>(word[0])) ? std::stoi(word) : 0;
  return sum;
}

/// The base as the table has it; its coordinates tell.
Scene load_as(const Row& row, const fs::path& robots) {
  UrdfOptions options;
  Scene fixed = load((robots / row.file).string(), options);
  if (fixed.model.nq() == row.nq) return fixed;
  options.base = UrdfOptions::Base::kFloating;
  return load((robots / row.file).string(), options);
}

/// Bodies as the table counts them: a root that carries the file's own floating joint is the world there.
int bodies(const Scene& scene) {
  const std::vector<BodyDescription>& all = scene.model.description().bodies;
  const bool own =
      all.size() > 1 && all[0].joints.empty() && !all[1].joints.empty() && all[1].joints[0].kind == JointKind::kFree;
  return static_cast<int>(all.size()) - (own ? 1 : 0);
}

int equalities(const Scene& scene) {
  int count = static_cast<int>(scene.constraints.size());
  for (const Ignored& ignored : scene.report.ignored) {
    if (ignored.what.find("(active is false)") != std::string::npos) count += ignored.count;
  }
  return count;
}

TEST(Manifest, AllRobotsAreAsTheTableSays) {
  const fs::path robots{DELASSUS_TEST_ROBOTS_DIR};
  if (!fs::exists(robots / "MANIFEST.md")) GTEST_SKIP() << "no robot files here (see CONTRIBUTING.md)";
  const std::vector<Row> table = read_table(robots / "MANIFEST.md");
  EXPECT_GE(table.size(), 74U);
  for (const Row& row : table) {
    SCOPED_TRACE(row.file);
    const Scene scene = load_as(row, robots);
    EXPECT_EQ(scene.model.nq(), row.nq);
    EXPECT_EQ(scene.model.nv(), row.nv);
    EXPECT_EQ(bodies(scene), row.bodies);
    EXPECT_NEAR(scene.model.mass(), row.mass, 0.5001e-3) << "the table has three decimals";
    const bool states_loops = io_test::read_file(robots / row.file).find("<loop ") != std::string::npos;
    if (row.file.ends_with(".xml") || states_loops) {
      EXPECT_EQ(equalities(scene), sum_of_numbers(row.loops));
    }
  }
}

/// Fingers without mass whose joints mimic others: the joints are there, and so are the couplings.
TEST(Manifest, RomeoHasItsMimicJoints) {
  const fs::path file = fs::path{DELASSUS_TEST_ROBOTS_DIR} / "example-robot-data" / "romeo" / "romeo.urdf";
  if (!fs::exists(file)) GTEST_SKIP() << "no robot files here (see CONTRIBUTING.md)";
  const Scene scene = load(file.string());
  EXPECT_EQ(scene.constraints.size(), 22U) << "as many again stand in comments";
  for (const Constraint& c : scene.constraints) EXPECT_TRUE(std::holds_alternative<JointCoupling>(c));
}

}  // namespace
}  // namespace delassus
