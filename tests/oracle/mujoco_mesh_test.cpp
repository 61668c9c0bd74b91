// Meshes and height fields of MJCF, asked of MuJoCo: where their points are, and what they weigh.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "delassus/io/mjcf.hpp"
#include "delassus/model/surface.hpp"
#include "support/command.hpp"
#include "support/height_file.hpp"

namespace delassus::testing {
namespace {

/// MuJoCo keeps vertices and heights in single precision; the sizes are near one.
constexpr double kSingle = 1e-6;

struct Delete {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};

/// The same file, read by both.
class BothModels {
 public:
  explicit BothModels(const std::string& inside, const std::string& heights = "") {
    if (!heights.empty()) folder_.write("ground.bin", heights);
    const std::string path = folder_.write("model.xml", "<mujoco>" + inside + "</mujoco>");
    char message[1000] = "";
    mujoco.reset(mj_loadXML(path.c_str(), nullptr, message, sizeof message));
    if (mujoco == nullptr) throw std::runtime_error(message);
    ours = load_mjcf(path).model.description();
  }

  std::unique_ptr<mjModel, Delete> mujoco;
  ModelDescription ours;

 private:
  TemporaryFolder folder_;
};

/// A tetrahedron, moved about in every way that there is, and an L with a dent.
const std::string kTip = R"(<mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3" scale="1 0.5 2" refpos="0.1 0.2 0.3"
  refquat="0.7 0.6 -0.2 0.1"/>)";
const std::string kL =
    R"(<mesh name="m" vertex="0 0 0 3 0 0 3 1 0 1 1 0 1 3 0 0 3 0 0 0 1 3 0 1 3 1 1 1 1 1 1 3 1 0 3 1"
  face="0 2 1 0 3 2 0 4 3 0 5 4 6 7 8 6 8 9 6 9 10 6 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9
        4 5 11 4 11 10 5 0 6 5 6 11"/>)";

std::string falling(const std::string& mesh, const std::string& weight, bool exact) {
  return "<compiler exactmeshinertia='" + std::string(exact ? "true" : "false") + "'/><asset>" + mesh +
         "</asset><worldbody><body name='b' pos='0 0 1'><freejoint/><geom type='mesh' mesh='m' pos='0.5 0.1 0' "
         "quat='1 0.5 0.3 0' " +
         weight + "/></body></worldbody>";
}

Pose<double> pose_of(const mjtNum* position, const mjtNum* quaternion) {
  return {rotation_of(Quaternion<double>{{quaternion[1], quaternion[2], quaternion[3], quaternion[0]}}),
          {{position[0], position[1], position[2]}}};
}

TEST(MujocoMeshes, VerticesAreWhereMujocoHasThem) {
  for (const std::string& mesh : {kTip, kL}) {
    const BothModels both(falling(mesh, "mass='2'", false));
    const mjModel& m = *both.mujoco;
    const Pose<double> geom = pose_of(m.geom_pos, m.geom_quat);
    const ShapeDescription& shape = both.ours.shapes.at(0);
    for (const Vec3<double>& vertex : shape.surface->vertices()) {
      double nearest = 1;
      for (int i = 0; i < m.mesh_vertnum[0]; ++i) {
        const float* x = m.mesh_vert + 3 * i;
        nearest = std::min(nearest, norm(shape.placement * vertex - geom * Vec3<double>{{x[0], x[1], x[2]}}));
      }
      EXPECT_LE(nearest, 4 * kSingle) << mesh;
    }
  }
}

TEST(MujocoMeshes, InertiaForAGivenMass) {
  for (const std::string& mesh : {kTip, kL}) {
    for (const bool exact : {false, true}) {
      SCOPED_TRACE(mesh + (exact ? ", exact" : ", legacy"));
      const BothModels both(falling(mesh, "mass='2'", exact));
      const mjModel& m = *both.mujoco;
      const Inertial& ours = both.ours.bodies.at(0).inertial;
      const Pose<double> theirs = pose_of(m.body_ipos + 3, m.body_iquat + 4);
      EXPECT_NEAR(ours.mass, m.body_mass[1], 1e-12);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(ours.com[i], theirs.p[i], kSingle) << i;
      Sym3<double> moments = Sym3<double>::zero();
      for (int i = 0; i < 3; ++i) moments(i, i) = m.body_inertia[3 + i];
      const Sym3<double> I = congruence(theirs.R, moments);
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(ours.inertia.a[i], I.a[i], 10 * kSingle) << i;
    }
  }
}

TEST(MujocoMeshes, MassByDensity) {
  for (const std::string& mesh : {kTip, kL}) {
    const BothModels exact(falling(mesh, "density='2'", true));
    EXPECT_NEAR(exact.ours.bodies.at(0).inertial.mass, exact.mujoco->body_mass[1], 10 * kSingle) << mesh;
    // Without exactmeshinertia MuJoCo 2.2.2 takes the volume of the box with the same moments, which is not that of the
    // mesh: of a tetrahedron it is 1.39 times as much. Here the mass is that of the mesh.
    const BothModels legacy(falling(mesh, "density='2'", false));
    double box = 8;
    const mjtNum* I = legacy.mujoco->body_inertia + 3;
    const double mass = legacy.mujoco->body_mass[1];
    for (int i = 0; i < 3; ++i) box *= std::sqrt(1.5 / mass * (I[0] + I[1] + I[2] - 2 * I[i]));
    EXPECT_NEAR(mass, 2 * box, 20 * kSingle) << mesh;
    EXPECT_LT(legacy.ours.bodies.at(0).inertial.mass, 0.75 * mass) << mesh;
  }
}

TEST(MujocoHeightFields, Heights) {
  std::vector<float> heights;
  for (int i = 0; i < 12; ++i) heights.push_back(std::sin(static_cast<float>(i)));
  const BothModels both(R"(<asset><hfield name="h" file="ground.bin" size="1 2 0.5 0.1"/></asset>
    <worldbody><geom type="hfield" hfield="h" pos="0 1 2" euler="0 0 30"/></worldbody>)",
                        height_file(3, 4, heights));
  const mjModel& m = *both.mujoco;
  const ShapeDescription& shape = both.ours.shapes.at(0);
  const HeightGrid& grid = *shape.surface->grid();
  ASSERT_EQ(grid.rows, m.hfield_nrow[0]);
  ASSERT_EQ(grid.columns, m.hfield_ncol[0]);
  EXPECT_EQ(grid.half_x, m.hfield_size[0]);
  EXPECT_EQ(grid.half_y, m.hfield_size[1]);
  for (std::size_t i = 0; i < grid.heights.size(); ++i)
    EXPECT_NEAR(grid.heights[i], double{m.hfield_data[i]} * m.hfield_size[2], kSingle) << i;
  const Pose<double> geom = pose_of(m.geom_pos, m.geom_quat);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(shape.placement.p[i], geom.p[i], 1e-15);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(shape.placement.R.a[i], geom.R.a[i], 1e-15);
}

/// The contacts of MuJoCo with a ball on a field of two by two points.
std::vector<Vec3<double>> touched(const BothModels& both) {
  const std::unique_ptr<mjData, void (*)(mjData*)> d(mj_makeData(both.mujoco.get()), mj_deleteData);
  mj_forward(both.mujoco.get(), d.get());
  std::vector<Vec3<double>> out;
  for (int i = 0; i < d->ncon; ++i) {
    const mjtNum* x = d->contact[i].pos;
    out.push_back({{x[0], x[1], x[2]}});
  }
  return out;
}

BothModels with_ball(const std::vector<float>& heights, const std::string& position) {
  return BothModels(R"(<asset><hfield name="h" file="ground.bin" size="1 1 1 0.1"/></asset><worldbody>
    <geom type="hfield" hfield="h"/><body pos=")" +
                        position + R"("><freejoint/><geom size="0.1"/></body></worldbody>)",
                    height_file(2, 2, heights));
}

TEST(MujocoHeightFields, RowsRunAlongY) {
  const BothModels both = with_ball({0, 0, 1, 1}, "0 0.5 0.8");
  // The ramp rises along y from 0 to 1 over two metres, and so do our points. The contact is within the ball's radius.
  const std::vector<Vec3<double>> points = touched(both);
  ASSERT_FALSE(points.empty());
  for (const Vec3<double>& x : points) EXPECT_NEAR(x[2], (x[1] + 1) / 2, 0.1);
  for (const Vec3<double>& x : both.ours.shapes.at(0).surface->vertices()) EXPECT_NEAR(x[2], (x[1] + 1) / 2, kSingle);
}

TEST(MujocoHeightFields, CellsAreCutAlongTheSameDiagonal) {
  // Corners at low and at high x and y are up: the cut between them is a ridge; along the other it would be a valley.
  const BothModels both = with_ball({1, 0, 0, 1}, "0 0 1.05");
  EXPECT_FALSE(touched(both).empty());
  for (const Triangle& t : both.ours.shapes.at(0).surface->triangles()) {
    EXPECT_EQ(std::count(t.begin(), t.end(), 0), 1);
    EXPECT_EQ(std::count(t.begin(), t.end(), 3), 1);
  }
}

}  // namespace
}  // namespace delassus::testing
