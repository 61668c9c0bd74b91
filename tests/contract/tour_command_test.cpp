// `delassus tour` as a user meets it: tables, JSON, the report, messages. Nothing here asserts a time. What the report
// draws is a matter of tests/browser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "delassus/io/load.hpp"
#include "delassus/operators/planner.hpp"
#include "support/command.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_command;
using testing::TemporaryFolder;
using Json = nlohmann::json;

const std::set<std::string> kOperators{"condensed",    "limbs",   "lcaba",    "kkt", "matrix-free",
                                       "three-maps",   "pv-osim", "pv-osimr", "ltl", "efpa",
                                       "chang-khatib", "kjr",     "dense"};

Json tour(const std::string& model) {
  const CommandResult result = run_command("tour " + model + " --quick --json");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  // Lines of progress, which go to stderr, come first.
  return Json::parse(result.output.substr(std::min(result.output.find('{'), result.output.size())), nullptr, false);
}

const Json& find(const Json& list, const std::string& name) {
  for (const Json& entry : list) {
    if (entry.at("name") == name) return entry;
  }
  throw std::runtime_error("there is no " + name);
}

/// An arm of two links, whose names are given as XML has them.
std::string two_links(const std::string& name, const std::string& tip) {
  return R"(<robot name=")" + name + R"("><link name="base"/>
    <link name="upper"><inertial><origin xyz="0 0 -0.2"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0"
      ixz="0" iyz="0"/></inertial></link>
    <link name=")" +
         tip + R"("><inertial><origin xyz="0 0 -0.3"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"
      ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
    <joint name="elbow" type="revolute"><parent link="upper"/><child link=")" +
         tip + R"("/><axis xyz="0 1 0"/>
      <origin xyz="0 0 -0.4"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>)";
}

TEST(TourCommand, EveryOperatorAgreesInBothContactSets) {
  const Json json = tour("go2");
  EXPECT_EQ(json.at("model").at("name"), "go2");
  EXPECT_EQ(json.at("model").at("dofs"), 18);
  EXPECT_TRUE(json.at("agrees"));
  ASSERT_EQ(json.at("sets").size(), 2U);
  for (const Json& set : json.at("sets")) {
    std::set<std::string> names;
    for (const Json& op : set.at("operators")) {
      const std::string name = op.at("name");
      SCOPED_TRACE(set.at("name").get<std::string>() + ", " + name);
      names.insert(name);
      EXPECT_EQ(op.at("left_out"), "");
      EXPECT_LE(op.at("difference").get<double>(), set.at("bounds").at("difference").get<double>());
      EXPECT_GT(op.at("bytes"), 0);
      const bool solves = name != "matrix-free" && name != "three-maps";
      EXPECT_EQ(op.at("solves"), solves);
      EXPECT_EQ(op.at("residual").is_null(), !solves);
      for (const std::string verb : {"matrix_from_q", "product_from_q", "product"}) {
        EXPECT_GT(op.at("time_us").at(verb), 0.0) << verb;
        EXPECT_GT(op.at("operations").at(verb), 0) << verb;
      }
      for (const std::string verb : {"solve_from_q", "solve", "redamp_solve"}) {
        EXPECT_EQ(op.at("time_us").at(verb).is_null(), !solves) << verb;
        EXPECT_EQ(op.at("operations").at(verb).is_null(), !solves) << verb;
      }
    }
    EXPECT_EQ(names, kOperators);
    double held = 0;
    for (const Json& form : set.at("motion").at("forms")) {
      EXPECT_EQ(form.at("trouble"), "");
      // What the solvers promise, over the weight and gravity at least.
      EXPECT_LT(form.at("force_residual"), 1e-10);
      EXPECT_LT(form.at("row_residual"), 1e-10);
    }
    for (const Json& force : set.at("motion").at("forces")) held += force.at("newtons").get<double>();
    // Together they carry the robot, and lean on each other a little.
    EXPECT_GT(held, 0.999 * set.at("motion").at("weight").get<double>());
    const Json& health = set.at("health");
    EXPECT_EQ(health.at("rank"), set.at("spectrum").at("rank"));
    EXPECT_EQ(health.at("mobility"), 18 - health.at("rank").get<int>());
    EXPECT_EQ(health.at("eigenvalues").size(), set.at("rows").size());
    EXPECT_EQ(health.at("health") == "healthy", health.at("findings").empty());
  }
}

/// What the planner says of a workload, when asked directly.
struct Asked {
  std::string name;
  Workload workload;
};

TEST(TourCommand, OperationsAndChoicesAreThePlanners) {
  const Json json = tour("go2");
  const std::vector<Asked> workloads{
      {"matrix", kMatrixAlone}, {"product", kOneProduct}, {"products", kHundredProducts}, {"admm", kThirtyIterations}};
  for (const std::string set_name : {"standing", "fallen"}) {
    const Json& set = find(json.at("sets"), set_name);
    const Scene scene = load_embedded_scene("go2-" + set_name);
    ASSERT_EQ(set.at("plans").size(), workloads.size());
    for (std::size_t k = 0; k < workloads.size(); ++k) {
      SCOPED_TRACE(set_name + ", " + workloads[k].name);
      const Workload& w = workloads[k].workload;
      const OperatorPlan plan = plan_operator(scene.model, scene.constraints, w);
      EXPECT_EQ(set.at("plans")[k].at("workload"), workloads[k].name);
      EXPECT_EQ(set.at("plans")[k].at("choice"), name_of(plan.choice));
      EXPECT_THAT(plan.explain(), HasSubstr(set.at("plans")[k].at("reason").get<std::string>()));
      for (const OperatorPlan::Candidate& c : plan.candidates) {
        if (!c.exact) continue;
        const Json& calls = find(set.at("operators"), std::string(name_of(c.algorithm))).at("calls");
        const auto count = [&](const char* call) { return calls.at(call).get<std::int64_t>(); };
        std::int64_t total = count("factor") + w.products * count("product") + w.solves * count("solve");
        if (w.matrix) total += count("matrix");
        if (w.all_dampings() > 0) total += count("damping") + (w.all_dampings() - 1) * count("redamping");
        EXPECT_EQ(total, c.operations) << name_of(c.algorithm);
      }
    }
  }
}

TEST(TourCommand, WhatIsDrawnIsThere) {
  const Json json = tour("cassie");
  const Json& set = json.at("sets")[0];
  const std::size_t rows = set.at("rows").size();
  EXPECT_EQ(rows, 24U);  // four contacts and four loops of three rows
  EXPECT_EQ(set.at("rows")[0].at("unit"), "m/s");
  const Json& matrix = set.at("matrix");
  ASSERT_EQ(matrix.at("cells").size(), rows * rows);
  for (std::size_t r = 0; r < rows; ++r) {
    EXPECT_GT(matrix.at("cells")[r * rows + r], 0.0);
    EXPECT_EQ(matrix.at("cells")[r], matrix.at("cells")[r * rows]);
  }
  EXPECT_EQ(set.at("drawing").at("contacts").size(), 4U);
  EXPECT_EQ(set.at("drawing").at("ties").size(), 4U);
  EXPECT_FALSE(set.at("drawing").at("shapes").empty());
  int rows_on_links = 0;
  for (const Json& link : set.at("tree").at("links")) rows_on_links += link.at("rows").get<int>();
  EXPECT_EQ(rows_on_links, 4 * 3 + 4 * 2 * 3);  // a loop acts on two links
  const Json& points = json.at("growth").at("points");
  ASSERT_GE(points.size(), 2U);
  for (std::size_t k = 1; k < points.size(); ++k) EXPECT_GT(points[k].at("rows"), points[k - 1].at("rows"));
  for (const char* fact : {"version", "commit", "compiler", "flags", "cpu", "date", "timing"}) {
    EXPECT_NE(json.at("conditions").at(fact), "") << fact;
  }
}

TEST(TourCommand, LargeMatricesAreDrawnInBlocks) {
  const Json json = tour("box-stack:15");
  const Json& set = json.at("sets")[0];
  EXPECT_EQ(set.at("rows").size(), 180U);
  EXPECT_EQ(set.at("matrix").at("block"), 2);
  EXPECT_EQ(set.at("matrix").at("cells").size(), 90U * 90U);
}

TEST(TourCommand, ShowsGo2UnlessToldOtherwise) { EXPECT_EQ(tour("").at("model").at("name"), "go2"); }

TEST(TourCommand, TablesAndPathOfTheReport) {
  const TemporaryFolder folder;
  const std::string report = folder.path("report.html");
  const CommandResult result = run_command("tour panda --quick -o " + report);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(
      result.output,
      AllOf(HasSubstr("panda, tips: 7 rows of 3 constraints"), HasSubstr("panda, tips and middles"),
            HasSubstr("residuals within 1e-07: yes"), HasSubstr("The planner, by predicted times"),
            HasSubstr("  The doctor: redundant; rank 5 of 7, "), HasSubstr("  Constrained dynamics from q: condensed "),
            HasSubstr("1 of 3: tips"), EndsWith("report: " + report + "\n")));
  for (const std::string& name : kOperators) EXPECT_THAT(result.output, HasSubstr("\n  " + name + " "));
  EXPECT_THAT(result.output, Not(HasSubstr("\x1b")));  // no bar and no colours into a pipe
}

/// Robots walk, arms reach, mechanisms have loops: each has its own kind of contact sets, and none is left out.
class EveryRobot : public ::testing::TestWithParam<std::string> {};
TEST_P(EveryRobot, HasATour) {
  const Json json = tour(GetParam());
  ASSERT_GE(json.at("sets").size(), 1U);
  EXPECT_TRUE(json.at("agrees"));
  if (json.at("sets").size() < 2) return;
  EXPECT_GT(json.at("sets")[1].at("rows").size(), json.at("sets")[0].at("rows").size());
}
INSTANTIATE_TEST_SUITE_P(TourCommand, EveryRobot, ::testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const EmbeddedFile& f : embedded_files("robots")) names.emplace_back(f.name);
                           return names;
                         }()),
                         [](const auto& about) { return about.param; });

TEST(TourCommand, ScenesAreTakenAsTheyAre) {
  const Json json = tour("shadow-ball");
  ASSERT_EQ(json.at("sets").size(), 2U);
  EXPECT_EQ(json.at("sets")[0].at("name"), "as given");
  EXPECT_EQ(json.at("sets")[0].at("rows").size(), 15U);
  EXPECT_EQ(json.at("sets")[1].at("rows").size(), 15U + 24U);  // a friction row for every joint
  EXPECT_EQ(tour("box-stack:2").at("sets").size(), 1U);        // which has none
}

TEST(TourCommand, NamesCannotLeaveTheirPlaceInTheReport) {
  const TemporaryFolder folder;
  const std::string model =
      folder.write("arm.urdf", two_links("&lt;/script&gt;&lt;b&gt;Ärm 机", "&lt;/script&gt;&lt;!--"));
  const std::string report = folder.path("report.html");
  const CommandResult result = run_command("tour " + model + " --quick -o " + report);
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const std::string page = testing::read_bytes(report);
  int ends = 0;
  for (std::size_t at = page.find("</script"); at != std::string::npos; at = page.find("</script", at + 1)) ++ends;
  EXPECT_EQ(ends, 2);  // of the document, and of what draws it
  const std::string mark = "id=\"document\">";
  const std::size_t begin = page.find(mark) + mark.size();
  const Json json = Json::parse(page.substr(begin, page.find("</script>", begin) - begin), nullptr, false);
  EXPECT_EQ(json.at("model").at("name"), "</script><b>Ärm 机");
  EXPECT_EQ(json.at("sets")[0].at("constraints")[0].at("name"), "</script><!--");
  EXPECT_THAT(page, HasSubstr("<title>&lt;/script>&lt;b>Ärm 机"));
}

TEST(TourCommand, NamesAreNoMarksOfThePage) {
  const TemporaryFolder folder;
  const std::string model = folder.write("arm.urdf", two_links("/* document */ /* scripts */ /* styles */", "fore"));
  const std::string report = folder.path("report.html");
  ASSERT_EQ(run_command("tour " + model + " --quick -o " + report).exit_code, 0);
  const std::string page = testing::read_bytes(report), mark = "id=\"document\">";
  EXPECT_THAT(page, HasSubstr("<title>/* document */ /* scripts */ /* styles */"));
  const std::size_t begin = page.find(mark) + mark.size();
  EXPECT_TRUE(Json::accept(page.substr(begin, page.find("</script>", begin) - begin)));
}

TEST(TourCommand, ContactsOfTheUserAreInBothSets) {
  const CommandResult result = run_command("tour go2 --contact base --quick --json");
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const Json document = Json::parse(result.output.substr(result.output.find('{')));
  for (const Json& set : document.at("sets")) {
    const Json& constraints = set.at("constraints");
    EXPECT_TRUE(std::any_of(constraints.begin(), constraints.end(), [](const Json& c) {
      return c.at("name") == "base";
    })) << set.at("name");
  }
}

TEST(TourCommand, TheReportNeedsNoNetwork) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_command("tour four_bar --quick -o " + folder.path("report.html")).exit_code, 0);
  std::string page = testing::read_bytes(folder.path("report.html"));
  const std::string name_of_svg = "http://www.w3.org/2000/svg";  // a name, which nobody fetches
  page.replace(page.find(name_of_svg), name_of_svg.size(), "");
  EXPECT_THAT(page, AllOf(Not(HasSubstr("http")), Not(HasSubstr("src=")), Not(HasSubstr("@import")),
                          Not(HasSubstr("fetch(")), Not(HasSubstr("url("))));
}

TEST(TourCommand, MistakesAreExplained) {
  const TemporaryFolder folder;
  const auto expect = [](const std::string& arguments, const std::string& message) {
    const CommandResult result = run_command("tour " + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_THAT(result.output, HasSubstr(message)) << arguments;
  };
  expect("g11", "did you mean 'g1'?");
  expect("four_bar -o " + folder.path("none/report.html"), "there is no folder '" + folder.path("none") + "'");
  expect("four_bar -o " + folder.path(""), "is a folder; give the name of a file");
  const std::string arm = folder.write("arm.urdf", two_links("arm", "fore"));
  expect(arm + " -o " + arm, "--output names the model's own file");
  expect(folder.write("rock.urdf", R"(<robot name="rock"><link name="a"/></robot>)"),
         "model 'rock' has no point that its joints move");
  expect("swimmer:2000", "too large for a tour");
}

}  // namespace
}  // namespace delassus
