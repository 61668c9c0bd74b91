// The scenes of the folder scenes/: that each file is what its recipe makes, and that they are what they claim to be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/io/load.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/operators/explicit_operator.hpp"
#include "delassus/operators/oracle.hpp"
#include "scenes/recipes.hpp"
#include "support/compare.hpp"
#include "support/shape_distance.hpp"

namespace delassus {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Json = nlohmann::json;

/// The same but for the last digits of numbers, which depend on whether the processor fuses multiplications and additions.
::testing::AssertionResult same(const Json& a, const Json& b, const std::string& place = "") {
  if (a.is_number() && b.is_number()) {
    const double x = a.get<double>(), y = b.get<double>();
    if (std::abs(x - y) <= 1e-12 * std::max({1.0, std::abs(x), std::abs(y)})) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << place << ": " << x << " is not " << y;
  }
  if (a.type() != b.type() || a.size() != b.size()) return ::testing::AssertionFailure() << place << " differs";
  if (!a.is_structured()) {
    return a == b ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << place << " differs";
  }
  const Json flat_a = a.flatten(), flat_b = b.flatten();
  if (flat_a.size() != flat_b.size()) return ::testing::AssertionFailure() << place << " differs in its keys";
  for (auto x = flat_a.begin(), y = flat_b.begin(); x != flat_a.end(); ++x, ++y) {
    if (x.key() != y.key()) return ::testing::AssertionFailure() << x.key() << " is not " << y.key();
    if (x->is_structured()) continue;  // empty
    if (const auto result = same(*x, *y, x.key()); !result) return result;
  }
  return ::testing::AssertionSuccess();
}

struct Size {
  const char* name;
  int nv, contacts, loops, rows;
};

constexpr Size kSizes[] = {
    {"go2-standing", 18, 4, 0, 12},
    {"go2-standing-friction", 18, 4, 0, 24},
    {"go2-fallen", 18, 9, 0, 27},
    {"go2-fallen-friction", 18, 10, 0, 42},
    {"cassie-standing", 32, 4, 4, 24},
    {"cassie-standing-friction", 32, 4, 4, 50},
    {"g1-standing", 35, 8, 0, 24},
    {"g1-standing-friction", 35, 8, 0, 53},
    {"g1-fallen", 35, 23, 0, 69},
    {"g1-fallen-friction", 35, 24, 0, 101},
    {"g1-maximal", 180, 8, 29, 29 * 5 + 24},
    {"boxes", 180, 120, 0, 360},
    {"pyramid", 180, 288, 0, 864},
    {"pyramid-robots", 285, 108, 0, 324},
    {"atlas-feet", 36, 0, 2, 12},
    {"atlas-feet-points", 36, 8, 0, 24},
    {"atlas-feet-hands", 36, 0, 4, 24},
    {"atlas-hand", 60, 0, 5, 15},
    {"atlas-hands", 84, 0, 10, 30},
    {"atlas-hands-feet", 84, 0, 12, 42},
    {"shadow-tips", 24, 0, 5, 15},
    {"shadow-ball", 30, 5, 0, 15},
};

TEST(Scenes, HaveTheirSizes) {
  ASSERT_EQ(std::size(kSizes), scene_recipes().size());
  for (const Size& size : kSizes) {
    const Scene scene = load_embedded_scene(size.name);
    int contacts = 0, loops = 0, rows = 0;
    for (const Constraint& c : scene.constraints) {
      contacts += std::holds_alternative<PointContact>(c);
      loops += std::holds_alternative<LoopClosure>(c);
      rows += row_count(c);
    }
    EXPECT_EQ(scene.model.nv(), size.nv) << size.name;
    EXPECT_EQ(contacts, size.contacts) << size.name;
    EXPECT_EQ(loops, size.loops) << size.name;
    EXPECT_EQ(rows, size.rows) << size.name;
    EXPECT_EQ(scene.recipe, "delassus scene " + std::string(size.name));
  }
}

/// Those that run the simulator are in tests/oracle/settled_scenes_test.cpp.
TEST(Scenes, FilesAreWhatTheirRecipesMake) {
  for (const SceneRecipe& recipe : scene_recipes()) {
    const EmbeddedFile* file = find_embedded("scenes", recipe.name);
    ASSERT_NE(file, nullptr) << recipe.name << ": run `make scenes`";
    EXPECT_TRUE(same(Json::parse(file->text), Json::parse(write_as(recipe.name, make_scene(recipe.name)))))
        << recipe.name << ": run `make scenes`";
  }
  EXPECT_EQ(embedded_files("scenes").size(), scene_recipes().size()) << "a file without a recipe";
}

TEST(Scenes, ContactsLieOnSurfacesAndOnTheGround) {
  for (const SceneRecipe& recipe : scene_recipes()) {
    const Scene scene = load_embedded_scene(recipe.name);
    Kinematics<double> kin(scene.model);
    update_kinematics<double>(scene.model, scene.q, kin);
    for (const Constraint& c : scene.constraints) {
      const auto* contact = std::get_if<PointContact>(&c);
      if (!contact) continue;
      double off = 1;
      for (const ShapeDescription& s : scene.model.description().shapes) {
        if (scene.model.body_frame(s.body) != contact->a.frame) continue;
        off = std::min(off, std::abs(testing::outside(s, inverse(s.placement) * contact->a.offset.p)));
      }
      EXPECT_LT(off, 1e-12) << recipe.name << " " << contact->name;
      // Up to a millimetre apart counts as touching.
      EXPECT_LE(contact->gap, 1e-3) << recipe.name << " " << contact->name;
      // What rests on each other in a simulation penetrates by less than a nanometre; fingers on a ball have their digits.
      EXPECT_GT(contact->gap, recipe.runs ? -1e-9 : -1e-3) << recipe.name << " " << contact->name;
      if (contact->b != 0) continue;
      const double z = (frame_pose(scene.model, kin, contact->a.frame) * contact->a.offset.p)[2];
      EXPECT_NEAR(z, contact->gap, 1e-12) << recipe.name << " " << contact->name;
    }
  }
}

int touching_links(const Scene& scene) {
  std::set<int> links;
  for (const Constraint& c : scene.constraints) {
    if (const auto* contact = std::get_if<PointContact>(&c)) links.insert(scene.model.frame(contact->a.frame).link);
  }
  return static_cast<int>(links.size());
}

TEST(Scenes, FallenRobotsLieOnManyLinksWithinTheirLimits) {
  for (const auto& [name, links] :
       {std::pair{"go2-fallen", 5}, {"go2-fallen-friction", 5}, {"g1-fallen", 10}, {"g1-fallen-friction", 10}}) {
    const Scene scene = load_embedded_scene(name);
    EXPECT_GE(touching_links(scene), links) << name;
    for (int i = 0; i < scene.model.num_links(); ++i) {
      const Link& link = scene.model.link(i);
      if (link.nv != 1) continue;
      // Limits hold as contacts do: to the tolerance of a step, 1e-8 radians per second.
      EXPECT_GE(scene.q[link.q], scene.model.dofs()[link.v].lower - 1e-9) << name << " " << scene.model.joint_name(i);
      EXPECT_LE(scene.q[link.q], scene.model.dofs()[link.v].upper + 1e-9) << name << " " << scene.model.joint_name(i);
    }
  }
}

TEST(Scenes, RobotsAmongBoxesTouchBoxesAndFloor) {
  const Scene scene = load_embedded_scene("pyramid-robots");
  std::map<std::string, int> count;
  for (const Constraint& c : scene.constraints) {
    const auto& contact = std::get<PointContact>(c);
    const auto kind = [&](int frame) { return scene.model.frame(frame).name.substr(0, 2); };
    ++count[kind(contact.a.frame) + " on " + (contact.b == 0 ? "floor" : kind(contact.b))];
  }
  EXPECT_EQ(count, (std::map<std::string, int>{{"bo on floor", 68},
                                               {"b_ on floor", 13},
                                               {"bo on a_", 11},
                                               {"bo on c_", 8},
                                               {"a_ on a_", 5},
                                               {"b_ on b_", 3}}));
}

TEST(Scenes, LoopsAreClosed) {
  for (const SceneRecipe& recipe : scene_recipes()) {
    const Scene scene = load_embedded_scene(recipe.name);
    Kinematics<double> kin(scene.model);
    ConstraintRows<double> rows;
    update_kinematics<double>(scene.model, scene.q, kin);
    lower_structure<double>(scene.model, scene.constraints, rows);
    std::vector<double> position(static_cast<std::size_t>(rows.num_rows()));
    constraint_positions<double>(scene.model, kin, scene.constraints, rows, position);
    for (std::size_t i = 0; i < scene.constraints.size(); ++i) {
      if (!std::holds_alternative<LoopClosure>(scene.constraints[i])) continue;
      for (int r = 0; r < rows.spans[i].rows; ++r) {
        // Those of Cassie are closed to the rounding of its assembly, 2e-13 m; the others by construction.
        EXPECT_LT(std::abs(position[static_cast<std::size_t>(rows.spans[i].first_row + r)]), 5e-12)
            << recipe.name << " " << name_of(scene.constraints[i]);
      }
    }
  }
}

std::vector<double> dense_matrix(const Scene& s) {
  Kinematics<double> kin(s.model);
  ConstraintRows<double> rows;
  update_kinematics<double>(s.model, s.q, kin);
  lower_structure<double>(s.model, s.constraints, rows);
  EXPECT_TRUE(lower_values<double>(s.model, kin, s.constraints, rows).ok());
  DenseDelassus<double> op(s.model, rows);
  EXPECT_TRUE(op.factor({s.model, kin, rows}).ok());
  std::vector<double> out(static_cast<std::size_t>(rows.num_rows() * rows.num_rows()));
  op.dense(MatrixOut<double>(out.data(), rows.num_rows(), rows.num_rows()));
  return out;
}

TEST(Scenes, DelassusMatricesAreThoseOfTheOracle) {
  for (const char* name : {"go2-fallen-friction", "cassie-standing", "g1-fallen", "shadow-ball"}) {
    const Scene s = load_embedded_scene(name);
    const auto want =
        oracle::delassus_matrix<long double>(s.model, s.constraints, testing::converted<long double>(s.q));
    // Rounding of a Cholesky factor of M; rods and finger joints make its condition about 1e6.
    EXPECT_LT(testing::relative_difference(dense_matrix(s), want.entries()), 1e-10) << name;
  }
}

/// Held rigidly together by its closures, the maximal model answers to forces at the feet as the minimal one does:
/// Λ⁻¹ of the contacts alone equals the Schur complement of the closures in Λ⁻¹ of both.
TEST(Scenes, MaximalCoordinatesGiveTheSameDelassusMatrix) {
  const Scene minimal = load_embedded_scene("g1-standing"), maximal = load_embedded_scene("g1-maximal");
  using Matrix = oracle::Matrix<long double>;
  const Matrix A = oracle::delassus_matrix<long double>(maximal.model, maximal.constraints,
                                                        testing::converted<long double>(maximal.q));
  const int contacts = 24, loops = A.rows() - contacts;
  Matrix LL(loops, loops), LC(loops, contacts), CC(contacts, contacts);
  for (int r = 0; r < A.rows(); ++r) {
    for (int c = 0; c < A.rows(); ++c) {
      if (r < loops && c < loops) LL(r, c) = A(r, c);
      if (r < loops && c >= loops) LC(r, c - loops) = A(r, c);
      if (r >= loops && c >= loops) CC(r - loops, c - loops) = A(r, c);
    }
  }
  const Matrix schur = CC - oracle::transposed(LC) * oracle::solve_positive<long double>(LL, LC);
  const Matrix want = oracle::delassus_matrix<long double>(minimal.model, minimal.constraints,
                                                           testing::converted<long double>(minimal.q));
  // The two descriptions round the bodies' poses in double.
  EXPECT_LT(testing::relative_difference(schur.entries(), want.entries()), 1e-10);
}

TEST(Scenes, UnknownNamesAreErrors) {
  EXPECT_THAT([] { (void)make_scene("go2-falen"); }, ThrowsMessage<Error>(HasSubstr("did you mean 'go2-fallen'?")));
  EXPECT_THAT([] { (void)load_embedded_scene("nowhere"); }, ThrowsMessage<Error>(HasSubstr("carries no scene")));
}

TEST(Scenes, GeneratedOnesCanBeWrittenAndReadBack) {
  const std::string text = write_as("swimmer:4", make_scene("swimmer:4"));
  const Scene again = parse_scene(text, "swimmer.json", "");
  EXPECT_EQ(again.recipe, "delassus scene swimmer:4");
  EXPECT_EQ(write_scene(again), text);
}

TEST(Scenes, RefersToRobotsByName) {
  const Scene scene = parse_scene(R"({"format": "delassus-scene", "version": 1, "model": {"robot": "go2"}})", "s", "");
  EXPECT_EQ(scene.model.nv(), 18);
  const Scene fixed =
      parse_scene(R"({"format": "delassus-scene", "version": 1, "model": {"robot": "go2", "base": "fixed"}})", "s", "");
  EXPECT_EQ(fixed.model.nv(), 12);
  EXPECT_THAT(
      [] { (void)parse_scene(R"({"format": "delassus-scene", "version": 1, "model": {"robot": "go3"}})", "s", ""); },
      ThrowsMessage<Error>(AllOf(HasSubstr("/model/robot"), HasSubstr("go3"), HasSubstr("go2"))));
  EXPECT_THAT([&] { (void)write_scene_on_robot(fixed, "go2"); },
              ThrowsMessage<Error>(HasSubstr("is not on the robot")));
}

TEST(Maximal, RefusesWhatHasNoClosure) {
  ModelBuilder b("screw");
  b.add_body("nut", kWorld, joint(JointKind::kHelical, "thread"), sphere_inertial(1, 0.1));
  const Model m = b.make_model();
  EXPECT_THAT([&] { (void)make_maximal(m, m.neutral()); },
              ThrowsMessage<Error>(AllOf(HasSubstr("'thread'"), HasSubstr("helical"))));
}

}  // namespace
}  // namespace delassus
