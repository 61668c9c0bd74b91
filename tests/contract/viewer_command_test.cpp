// Pages for the viewer: what stands in a recording (docs/viewer.md), and that recording changes nothing. What the page draws is a matter of
// tests/browser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "delassus/kinematics/frames.hpp"
#include "delassus/operators/oracle.hpp"
#include "delassus/scenes/classic.hpp"
#include "support/command.hpp"
#include "support/recording.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using testing::floats_of;
using ::testing::HasSubstr;
using testing::run_command;
using testing::run_shell;
using testing::TemporaryFolder;
using Json = nlohmann::json;

class Viewer : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::has_viewer()) GTEST_SKIP() << "the command was built without the viewer: npm is missing";
  }

  /// What the command prints, and the recording of its page.
  std::pair<Json, Json> record(const std::string& arguments, int exit_code = 0) const {
    const std::string page = folder_.path("page.html");
    const CommandResult result = run_shell("delassus " + arguments + " --json --html " + page + " 2>/dev/null");
    EXPECT_EQ(result.exit_code, exit_code) << arguments;
    return {Json::parse(result.output), testing::read_recording(page)};
  }

  const TemporaryFolder folder_;
};

Vec3<double> vector_of(const Json& x) { return {{x.at(0), x.at(1), x.at(2)}}; }

Vec3<double> sum_of_forces(const Json& frame) {
  Vec3<double> out = Vec3<double>::zero();
  for (const Json& contact : frame.at("contacts")) out += vector_of(contact.at("force"));
  return out;
}

double mass_of(const Json& recording) {
  double out = 0;
  for (const Json& body : recording.at("bodies")) out += body.at("mass").get<double>();
  return out;
}

/// All indices point to something, and all arrays have the lengths that follow from it.
void expect_well_formed(const Json& recording) {
  const int bodies = static_cast<int>(recording.at("bodies").size());
  const int shapes = static_cast<int>(recording.at("shapes").size());
  const int structures = static_cast<int>(recording.at("structures").size());
  std::size_t nq = 0, nv = 0;
  for (int k = 0; k < bodies; ++k) {
    const Json& body = recording["bodies"][k];
    EXPECT_LT(body.at("parent"), k);
    nq += body.at("q")[1].get<std::size_t>(), nv += body.at("v")[1].get<std::size_t>();
  }
  for (const Json& shape : recording["shapes"]) {
    EXPECT_LT(shape.at("body"), bodies);
    EXPECT_EQ(shape.at("size").size(), 3U);
    EXPECT_EQ(shape.at("position").size(), 3U);
    EXPECT_EQ(shape.at("quaternion").size(), 4U);
  }
  double before = -1;
  for (const Json& frame : recording.at("frames")) {
    EXPECT_GT(frame.at("t"), before);
    before = frame["t"];
    EXPECT_EQ(floats_of(frame.at("poses")).size(), 7U * static_cast<std::size_t>(bodies));
    EXPECT_EQ(floats_of(frame.at("q")).size(), nq);
    EXPECT_EQ(floats_of(frame.at("v")).size(), nv);
    const int structure = frame.at("structure");
    ASSERT_LT(structure, structures);
    for (const Json& contact : frame.at("contacts")) {
      EXPECT_LT(contact.at("a"), shapes);
      EXPECT_LT(contact.at("b"), shapes);
      EXPECT_NEAR(norm(vector_of(contact.at("normal"))), 1, 1e-6);  // seven digits are written
      EXPECT_LT(contact.at("row"),
                structure < 0 ? 0 : static_cast<int>(recording["structures"][structure]["rows"].size()));
    }
    if (structure < 0) continue;
    const Json& rows = recording["structures"][structure].at("rows");
    const int count = rows.back().at("first").get<int>() + rows.back().at("count").get<int>();
    const int block = recording["structures"][structure].at("block"), cells = (count + block - 1) / block;
    EXPECT_EQ(floats_of(frame.at("matrix")).size(), static_cast<std::size_t>(cells * (cells + 1) / 2));
  }
}

/// Rows follow each other, and each is felt by a node or carried to one.
void expect_whole(const Json& structure) {
  int next = 0;
  for (const Json& row : structure.at("rows")) {
    EXPECT_EQ(row.at("first"), next);
    EXPECT_EQ(row.at("labels").size(), row.at("count").get<std::size_t>());
    EXPECT_FALSE(row.at("name").get<std::string>().empty());
    next += row["count"].get<int>();
  }
  std::set<int> felt;
  for (std::size_t k = 0; k < structure.at("nodes").size(); ++k) {
    const Json& node = structure["nodes"][k];
    EXPECT_LT(node.at("parent"), static_cast<int>(k));
    for (const Json& row : node.at("rows")) felt.insert(row.get<int>());
  }
  EXPECT_EQ(static_cast<int>(felt.size()), next);
}

TEST_F(Viewer, ARecordingIsWellFormed) {
  const auto [json, recording] = record("simulate g1-standing --seconds 0.5");
  EXPECT_EQ(recording.at("format"), "delassus-recording");
  EXPECT_EQ(recording.at("version"), 1);
  EXPECT_EQ(recording.at("title"), "g1-standing");
  EXPECT_EQ(recording.at("status"), "ended");
  EXPECT_EQ(recording.at("live"), false);
  // Sixty a second from 0 to 0.5 s, both included.
  ASSERT_EQ(recording.at("frames").size(), 31U);
  expect_well_formed(recording);
  for (const Json& structure : recording.at("structures")) expect_whole(structure);
  // The end is what the command says of it, in floats.
  const std::vector<float> q = floats_of(recording["frames"].back().at("q"));
  for (std::size_t k = 0; k < q.size(); ++k) EXPECT_EQ(q[k], json.at("q")[k].get<float>());
  EXPECT_NEAR(mass_of(recording), 33.3411, 1e-3);  // what `delassus info g1` says, with as many digits
}

TEST_F(Viewer, FramesAreAsManyAsAskedFor) {
  EXPECT_EQ(record("simulate incline --seconds 0.5 --fps 10").second.at("frames").size(), 6U);
  // Never more than steps: 100 of them, and the start.
  EXPECT_EQ(record("simulate incline --seconds 0.1 --fps 5000").second.at("frames").size(), 101U);
  // The end is a frame wherever it falls.
  const Json recording = record("simulate incline --seconds 0.13 --fps 10").second;
  ASSERT_EQ(recording.at("frames").size(), 3U);
  EXPECT_EQ(recording["frames"].back().at("t"), 0.13);
}

TEST_F(Viewer, RecordingChangesNoBit) {
  const Json recorded = record("simulate g1-standing --seconds 0.3 --hold 100,5").first;
  const Json plain =
      Json::parse(run_shell("delassus simulate g1-standing --seconds 0.3 --hold 100,5 --json 2>/dev/null").output);
  EXPECT_EQ(recorded.at("q"), plain.at("q"));
  EXPECT_EQ(recorded.at("v"), plain.at("v"));
  EXPECT_EQ(recorded.at("iterations"), plain.at("iterations"));
}

TEST_F(Viewer, ForcesCarryWhatIsAtRest) {
  for (const char* scene : {"incline:10", "arch", "box-stack:4"}) {
    const auto [json, recording] = record(std::string("simulate --tolerance 1e-8 --seconds 0.3 ") + scene);
    const double weight = 9.81 * mass_of(recording);
    Vec3<double> on_world = Vec3<double>::zero();
    for (const Json& contact : recording.at("frames").back().at("contacts")) {
      if (recording["shapes"][contact.at("b").get<int>()].at("body") == -1) on_world += vector_of(contact.at("force"));
    }
    // A step changes momentum by what is left of the residual, and of motion while things come to rest: micrometres per second in a
    // millisecond.
    const double bound = 1e-5 * weight + json.at("force_residual_n").get<double>();
    EXPECT_NEAR(on_world[0], 0, bound) << scene;
    EXPECT_NEAR(on_world[1], 0, bound) << scene;
    EXPECT_NEAR(on_world[2], weight, bound) << scene;
  }
}

/// Constraints as someone makes them who has nothing but the recording: points, normals, bodies.
std::vector<Constraint> contacts_of(const Model& model, const std::vector<double>& q, const Json& recording,
                                    const Json& frame) {
  Kinematics<double> kin(model);
  update_kinematics<double>(model, q, kin);
  const auto frame_of = [&](const Json& shape) {
    const int body = recording.at("shapes")[shape.get<int>()].at("body");
    return body < 0 ? 0 : model.find_frame(recording.at("bodies")[body].at("name").get<std::string>());
  };
  std::vector<Constraint> out;
  for (const Json& contact : frame.at("contacts")) {
    PointContact c;
    c.a.frame = frame_of(contact.at("a"));
    c.b = frame_of(contact.at("b"));
    c.a.offset.p = inverse(frame_pose(model, kin, c.a.frame)) * vector_of(contact.at("position"));
    c.axes = contact_axes(vector_of(contact.at("normal")));
    out.emplace_back(c);
  }
  return out;
}

/// Entry by entry, or the largest of each block.
void expect_lower_triangle(const std::vector<float>& triangle, const oracle::Matrix<double>& expected, int block) {
  const int cells = (expected.rows() + block - 1) / block;
  ASSERT_EQ(triangle.size(), static_cast<std::size_t>(cells * (cells + 1) / 2));
  oracle::Matrix<double> largest(cells, cells);
  double most = 0;
  for (int r = 0; r < expected.rows(); ++r) {
    for (int c = 0; c < expected.cols(); ++c) {
      double& cell = largest(r / block, c / block);
      if (std::abs(expected(r, c)) > std::abs(cell)) cell = expected(r, c);
      most = std::max(most, std::abs(expected(r, c)));
    }
  }
  std::size_t at = 0;
  for (int r = 0; r < cells; ++r) {
    for (int c = 0; c <= r; ++c) {
      const double found = triangle[at++], wanted = largest(r, c);
      // Seven digits of positions of some metres are off by up to 5e-7 m, which levers of two decimetres feel twice in their square. Of two entries of a block
      // that differ in nothing but their sign, rounding says which is the larger.
      EXPECT_NEAR(block == 1 ? found : std::abs(found), block == 1 ? wanted : std::abs(wanted), 1e-5 * most)
          << r << " " << c;
    }
  }
}

TEST_F(Viewer, MatricesAreThoseOfTheContacts) {
  const std::pair<const char*, int> cases[] = {{"incline:10", 1}, {"arch", 2}};
  for (const auto& [scene, block] : cases) {
    SCOPED_TRACE(scene);
    const auto [json, recording] = record(std::string("simulate --seconds 0.05 ") + scene);
    const SimulationSetup setup = make_classic_scene(scene);
    const Json& frame = recording.at("frames").back();
    const auto q = json.at("q").get<std::vector<double>>();
    const std::vector<Constraint> contacts = contacts_of(setup.model, q, recording, frame);
    ASSERT_GE(contacts.size(), 4U);
    const Json& structure = recording.at("structures")[frame.at("structure").get<int>()];
    ASSERT_EQ(structure.at("rows").size(), contacts.size());
    EXPECT_EQ(structure.at("block"), block);
    expect_lower_triangle(floats_of(frame.at("matrix")), oracle::delassus_matrix<double>(setup.model, contacts, q),
                          block);
  }
}

TEST_F(Viewer, AStepThatFailsIsTheEndOfThePage) {
  const auto [json, recording] = record("simulate arch:0.2 --capacity 41 --seconds 2", 1);
  EXPECT_EQ(recording.at("status"), "failed");
  EXPECT_EQ(recording.at("message"), json.at("failure"));
  EXPECT_EQ(recording.at("marks").back().at("text"), json.at("failure"));
  EXPECT_NEAR(recording["frames"].back().at("t").get<double>(), json.at("time_s").get<double>(), 1e-6);
  expect_well_formed(recording);
}

TEST_F(Viewer, AnInterruptionKeepsWhatThereIs) {
  const std::string page = folder_.path("page.html"), csv = folder_.path("motion.csv");
  const CommandResult result =
      run_shell("delassus simulate incline --seconds 100 --quiet --json --html " + page + " --csv " + csv +
                " >/dev/null & P=$!; while ! grep -q ^1, " + folder_.path(".delassus-*") +
                " 2>/dev/null; do sleep 0.05; done; kill -INT $P; wait $P; echo $?");
  EXPECT_EQ(result.output, "130\n");  // as a shell names what SIGINT ended
  const Json recording = testing::read_recording(page);
  EXPECT_EQ(recording.at("status"), "interrupted");
  EXPECT_GT(recording.at("frames").size(), 60U);
  expect_well_formed(recording);
}

TEST_F(Viewer, NamesFromFilesEndNoScript) {
  const std::string model =
      folder_.write("odd.xml", R"(<mujoco><worldbody><body name="&lt;/script&gt;&lt;b&gt;" pos="0 0 1">
      <freejoint/><geom size="0.1"/></body></worldbody></mujoco>)");
  const Json recording = record("simulate --seconds 0.01 " + model).second;
  EXPECT_EQ(recording.at("bodies")[0].at("name"), "</script><b>");
}

TEST_F(Viewer, TheBoxIsRecordedWithItsForces) {
  const auto [json, recording] = record("demo box --quick");
  expect_well_formed(recording);
  for (const Json& structure : recording.at("structures")) expect_whole(structure);
  ASSERT_EQ(recording.at("frames").size(), 181U);  // 3 s
  for (const Json& series : recording.at("series")) EXPECT_EQ(series.at("values").size(), 181U);
  // At the end hands and floor together carry the box, as far as it has come to rest: the command says of both how much.
  const Json& run = json.at("runs")[0];
  EXPECT_NEAR(sum_of_forces(recording["frames"].back())[2], run.at("weight_n").get<double>(), 0.01);
  double floor = 0;
  for (const Json& contact : recording["frames"].back().at("contacts")) {
    if (recording["shapes"][contact.at("b").get<int>()].at("body") == -1) floor += contact.at("force")[2].get<double>();
  }
  EXPECT_NEAR(floor, run.at("carried_n").get<double>(), 1e-3);  // both have more digits than that
  EXPECT_EQ(recording.at("marks")[0].at("text"), "the box touches the floor");
}

TEST_F(Viewer, MistakesAreExplained) {
  const auto expect = [](const std::string& arguments, const std::string& message) {
    const CommandResult result = run_command(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_THAT(result.output, HasSubstr(message)) << arguments;
  };
  const std::string page = folder_.path("page.html");
  expect("simulate g1-standing --seconds 10000 --html " + page,
         "take a shorter time with --seconds, or fewer frames with --fps");
  EXPECT_FALSE(std::filesystem::exists(page));
  expect("simulate incline --html same --csv same", "--csv and --html name the same file");
  expect("simulate incline --html same -o same", "--html and --output name the same file");
  expect("demo box --html same -o same", "--html and --output name the same file");
  expect("simulate incline --html " + folder_.path("none/a.html"), "there is no folder");
  expect("simulate incline --fps 0 --html " + page, "--fps");
}

}  // namespace
}  // namespace delassus
