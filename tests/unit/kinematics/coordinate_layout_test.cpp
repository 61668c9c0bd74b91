// Layouts of other libraries against what these libraries say of their coordinates: rates by finite differences, power
// and energy, orders of joints.
#include "delassus/kinematics/coordinate_layout.hpp"

#include <gtest/gtest.h>

#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/error.hpp"
#include "delassus/model/builder.hpp"
#include "support/compare.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using samples::Random;
using samples::State;
using testing::relative_difference;

const Inertial kBox = box_inertial(1, {{0.1, 0.2, 0.3}});

JointDescription limited(JointDescription joint) {
  joint.dofs[0].lower = -2;
  joint.dofs[0].upper = 2;
  return joint;
}

/// All kinds, so that q and v do not run in step, with placements and references. MuJoCo has no helical joints.
Model zoo(Library library) {
  Random random(3);
  ModelBuilder b("zoo");
  const auto placed = [&](JointDescription j) {
    j.placement = random.pose(0.5);
    if (j.kind != JointKind::kSpherical && j.kind != JointKind::kFree) j.axis = random.direction();
    for (DofProperties& dof : j.dofs) dof.reference = random.uniform(-1, 1);
    return j;
  };
  const int cart = b.add_body("cart", kWorld, placed(joint(JointKind::kPlanar, "planar")), kBox);
  const int wheel = b.add_body("wheel", cart, placed(joint(JointKind::kRevolute, "wheel")), kBox);
  b.add_body("arm", cart, limited(placed(joint(JointKind::kRevolute, "arm"))), kBox);
  b.add_body("ball", wheel, placed(joint(JointKind::kSpherical, "ball")), kBox);
  const int body = b.add_body("body", kWorld, placed(joint(JointKind::kFree, "free")), kBox);
  JointDescription universal = placed(joint(JointKind::kUniversal, "universal"));
  universal.axis2 = random.direction();
  b.add_body("hook", body, universal, kBox);
  b.add_body("piston", body, placed(joint(JointKind::kCylindrical, "cylindrical")), kBox);
  b.add_body("slide", body, {placed(joint(JointKind::kPrismatic, "prismatic")), placed(revolute("last", {{1, 0, 0}}))},
             kBox);
  if (library == Library::kPinocchio) {
    JointDescription helical = placed(joint(JointKind::kHelical, "helical"));
    helical.pitch = 0.1;
    b.add_body("screw", body, helical, kBox);
  }
  return b.make_model();
}

struct Case {
  explicit Case(Library which, int seed)
      : library(which), model(zoo(which)), layout(model, which), state(samples::random_state(model, seed)) {}

  std::vector<double> q_there(const std::vector<double>& q) const {
    std::vector<double> out(layout.nq());
    layout.q_to(q, out);
    return out;
  }
  std::vector<double> v_there(const std::vector<double>& q, const std::vector<double>& v) const {
    std::vector<double> out(layout.nv());
    layout.velocity_to(q, v, out);
    return out;
  }
  /// q after the time t, from the state with the accelerations a; t⁵ and the like are left out.
  std::vector<double> q_after(double t, const std::vector<double>& a) const {
    std::vector<double> step(model.nv()), out(model.nq());
    for (int k = 0; k < model.nv(); ++k) step[k] = t * state.v[k] + t * t / 2 * a[k];
    integrate(model, state.q, step, out);
    return out;
  }

  Library library;
  Model model;
  CoordinateLayout layout;
  State state;
};

class Layouts : public ::testing::TestWithParam<Library> {
 protected:
  template <class F>
  void for_seeds(F&& f) const {
    for (int seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(seed);
      f(Case(GetParam(), seed));
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Libraries, Layouts, ::testing::Values(Library::kPinocchio, Library::kMujoco),
                         [](const auto& i) { return i.param == Library::kMujoco ? "Mujoco" : "Pinocchio"; });

/// A few operations on numbers of about one.
constexpr double kRounding = 1e-14;
/// Central differences over this time: 1e-10 of the third derivatives, and rounding over 1e-5.
constexpr double kStep = 1e-5, kDifferences = 1e-8;

TEST_P(Layouts, ThereAndBack) {
  for_seeds([](const Case& c) {
    const Model& m = c.model;
    const auto& [q, v, tau] = c.state;
    std::vector<double> q_back(m.nq()), x(m.nv()), back(m.nv());
    c.layout.q_from(c.q_there(q), q_back);
    std::vector<double> distance(m.nv());
    difference(m, q, q_back, distance);
    for (const Link& l : m.links()) {  // angles come back without whole turns
      const int angle = l.kind == JointKind::kPlanar ? 2 : 0;
      if (l.kind == JointKind::kRevolute || l.kind == JointKind::kPlanar)
        distance[l.v + angle] = std::remainder(distance[l.v + angle], 2 * std::numbers::pi);
    }
    EXPECT_LT(relative_difference(distance, std::vector<double>(m.nv()), 1), kRounding);
    c.layout.velocity_to(q, v, x);
    c.layout.velocity_from(q, x, back);
    EXPECT_LT(relative_difference(back, v), kRounding);
    c.layout.force_to(q, tau, x);
    c.layout.force_from(q, x, back);
    EXPECT_LT(relative_difference(back, tau), kRounding);
    c.layout.acceleration_to(q, v, tau, x);
    c.layout.acceleration_from(q, v, x, back);
    EXPECT_LT(relative_difference(back, tau), kRounding);
    std::vector<double> J = tau, J_there(m.nv()), J_back(m.nv());
    c.layout.jacobian_to(q, MatrixView<const double>(J.data(), 1, m.nv()),
                         MatrixView<double>(J_there.data(), 1, m.nv()));
    c.layout.jacobian_from(q, MatrixView<const double>(J_there.data(), 1, m.nv()),
                           MatrixView<double>(J_back.data(), 1, m.nv()));
    EXPECT_LT(relative_difference(J_back, J), kRounding);
  });
}

TEST_P(Layouts, PowerAndEnergyAreTheSame) {
  for_seeds([](const Case& c) {
    const int nv = c.model.nv();
    const auto& [q, v, tau] = c.state;
    const std::vector<double> w = c.v_there(q, v);
    std::vector<double> tau_there(nv), M(nv * nv), MT(nv * nv), M_there(nv * nv);
    c.layout.force_to(q, tau, tau_there);
    double power = 0, power_there = 0, energy = 0, energy_there = 0;
    Kinematics<double> kin(c.model);
    CompositeInertia<double> work(c.model);
    update_kinematics(c.model, q, kin);
    crba(c.model, kin, MatrixView<double>(M.data(), nv, nv), work);
    c.layout.jacobian_to(q, MatrixView<const double>(M.data(), nv, nv), MatrixView<double>(MT.data(), nv, nv));
    c.layout.jacobian_to(q, MatrixView<const double>(MT.data(), nv, nv, 1, nv),
                         MatrixView<double>(M_there.data(), nv, nv));
    for (int r = 0; r < nv; ++r) {
      power += tau[r] * v[r];
      power_there += tau_there[r] * w[r];
      for (int k = 0; k < nv; ++k) {
        energy += v[r] * M[r * nv + k] * v[k];
        energy_there += w[r] * M_there[r * nv + k] * w[k];
      }
    }
    // Sums of up to 400 terms of about one.
    EXPECT_NEAR(power_there, power, 1e-12);
    EXPECT_NEAR(energy_there, energy, 1e-12 * energy);
  });
}

Quaternion<double> quaternion_at(const std::vector<double>& x, int i, Library library) {
  if (library == Library::kMujoco) return {{x[i + 1], x[i + 2], x[i + 3], x[i]}};
  return {{x[i], x[i + 1], x[i + 2], x[i + 3]}};
}

/// Angular velocity in the axes of the body: q̇ = q ω / 2.
void put_spin(const std::vector<double>& q, const std::vector<double>& rate, int i, Library library, double* out) {
  const Quaternion<double> x =
      quaternion_product(conjugate(quaternion_at(q, i, library)), quaternion_at(rate, i, library));
  for (int k = 0; k < 3; ++k) out[k] = 2 * x[k];
}

/// What the library calls velocity, from its own q and the rate of that, for one joint.
void put_peer_velocity(const Case& c, int link, const std::vector<double>& q, const std::vector<double>& rate,
                       std::vector<double>& w) {
  const JointKind kind = c.model.link(link).kind;
  const int i = c.layout.q_index(link);
  double* out = w.data() + c.layout.v_index(link);
  const bool pinocchio = c.library == Library::kPinocchio;
  if (kind == JointKind::kSpherical) return put_spin(q, rate, i, c.library, out);
  if (kind == JointKind::kFree) {
    put_spin(q, rate, i + 3, c.library, out + 3);
    Vec3<double> velocity{{rate[i], rate[i + 1], rate[i + 2]}};
    if (pinocchio) velocity = transposed_times(rotation_of(quaternion_at(q, i + 3, c.library)), velocity);
    for (int k = 0; k < 3; ++k) out[k] = velocity[k];
    return;
  }
  const bool unlimited = c.model.joint_name(link) == "wheel" || c.model.joint_name(link) == "last";
  if (pinocchio && kind == JointKind::kPlanar) {
    const double cosine = q[i + 2], sine = q[i + 3];
    out[0] = cosine * rate[i] + sine * rate[i + 1];
    out[1] = cosine * rate[i + 1] - sine * rate[i];
    out[2] = cosine * rate[i + 3] - sine * rate[i + 2];
  } else if (pinocchio && unlimited) {
    out[0] = q[i] * rate[i + 1] - q[i + 1] * rate[i];
  } else {
    for (int k = 0; k < c.model.link(link).nv; ++k) out[k] = rate[i + k];
  }
}

TEST_P(Layouts, VelocitiesAreRatesAsTheLibraryTakesThem) {
  for_seeds([](const Case& c) {
    const std::vector<double> none(c.model.nv());
    const std::vector<double> q = c.q_there(c.state.q), after = c.q_there(c.q_after(kStep, none)),
                              before = c.q_there(c.q_after(-kStep, none));
    std::vector<double> rate(q.size()), w(c.layout.nv());
    for (std::size_t k = 0; k < q.size(); ++k) rate[k] = (after[k] - before[k]) / (2 * kStep);
    for (int link = 0; link < c.model.num_links(); ++link) put_peer_velocity(c, link, q, rate, w);
    EXPECT_LT(relative_difference(c.v_there(c.state.q, c.state.v), w), kDifferences);
  });
}

TEST_P(Layouts, AccelerationsAreRatesOfVelocities) {
  for_seeds([](const Case& c) {
    const std::vector<double>& a = c.state.tau;
    const auto v_there_after = [&](double t) {
      std::vector<double> v = c.state.v;
      for (std::size_t k = 0; k < v.size(); ++k) v[k] += t * a[k];
      return c.v_there(c.q_after(t, a), v);
    };
    const std::vector<double> after = v_there_after(kStep), before = v_there_after(-kStep);
    std::vector<double> want(after.size()), got(after.size());
    for (std::size_t k = 0; k < want.size(); ++k) want[k] = (after[k] - before[k]) / (2 * kStep);
    c.layout.acceleration_to(c.state.q, c.state.v, a, got);
    EXPECT_LT(relative_difference(got, want), kDifferences);
  });
}

TEST(PinocchioLayout, FormsOfJoints) {
  const Model model = zoo(Library::kPinocchio);
  const auto size_with = [&](bool cos_sin) {
    return CoordinateLayout(model, Library::kPinocchio, {.joints = {}, .cos_sin = cos_sin}).nq();
  };
  EXPECT_EQ(size_with(false), model.nq() + 1);  // the planar joint
  EXPECT_EQ(size_with(true), model.nq() + 3);   // the wheel and the last joint, which have no limits
}

TEST(MujocoLayout, NumbersByHand) {
  ModelBuilder b("box");
  JointDescription hinge = revolute("hinge", {{0, 0, 1}});
  hinge.dofs[0].reference = 0.25;
  const int box = b.add_body("box", kWorld, joint(JointKind::kFree, "free", translation(10, 0, 0)), kBox);
  b.add_body("lid", box, hinge, kBox);
  const Model model = b.make_model();
  const CoordinateLayout layout(model, Library::kMujoco);
  const double h = std::sqrt(0.5);  // a quarter turn about z: the body's x is the world's y
  const std::vector<double> q{1, 2, 3, 0, 0, h, h, 0.5};
  std::vector<double> qpos(8), qvel(7);
  layout.q_to(q, qpos);
  EXPECT_LT(relative_difference(qpos, std::vector<double>{11, 2, 3, h, 0, 0, h, 0.75}), kRounding);
  layout.velocity_to(q, std::vector<double>{1, 2, 3, 4, 5, 6, 7}, qvel);
  EXPECT_LT(relative_difference(qvel, std::vector<double>{-5, 4, 6, 1, 2, 3, 7}), kRounding);
}

/// Two arms of two joints each; the second one stands first by name.
Model two_arms() {
  ModelBuilder b("two arms");
  const int base = b.add_body("base", kWorld, joint(JointKind::kFree, "__root__"), kBox);
  const int right = b.add_body("right", base, limited(revolute("right_1", {{0, 0, 1}})), kBox);
  const int left = b.add_body("left", base, limited(revolute("left_1", {{0, 0, 1}})), kBox);
  b.add_body("right_hand", right, limited(revolute("right_2", {{0, 0, 1}})), kBox);
  b.add_body("left_hand", left, limited(revolute("left_2", {{0, 0, 1}})), kBox);
  return b.make_model();
}

std::vector<int> places(const Model& model, const CoordinateLayout& layout) {
  std::vector<int> out;
  for (const char* name : {"right_1", "right_2", "left_1", "left_2"}) {
    out.push_back(layout.v_index(model.find_joint(name)));
  }
  return out;
}

TEST(LayoutOrder, DepthFirstAndByName) {
  const Model model = two_arms();
  EXPECT_EQ(places(model, CoordinateLayout(model, Library::kMujoco)), (std::vector<int>{6, 7, 8, 9}));
  EXPECT_EQ(places(model, CoordinateLayout(model, Library::kPinocchio)), (std::vector<int>{8, 9, 6, 7}));
}

TEST(LayoutOrder, AsNamed) {
  const Model model = two_arms();
  const CoordinateLayout layout(model, Library::kPinocchio,
                                {.joints = {"universe", "root_joint", "left_2", "left_1", "right_1", "right_2"}});
  EXPECT_EQ(places(model, layout), (std::vector<int>{8, 9, 7, 6}));
  const std::vector<double> q = samples::random_state(model, 1).q, v{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  std::vector<double> w(10);
  layout.velocity_to(q, v, w);  // here: right_1, left_1, right_2, left_2
  EXPECT_EQ(w, (std::vector<double>{4, 5, 6, 1, 2, 3, 10, 8, 7, 9}));
}

TEST(LayoutOrder, PlanarJointInParts) {
  ModelBuilder b("cart");
  b.add_body("cart", kWorld, joint(JointKind::kPlanar, "base"), kBox);
  const Model model = b.make_model();
  const CoordinateLayout layout(model, Library::kMujoco, {.joints = {"base_RZ", "base_TX", "base_TY"}});
  std::vector<double> qpos(3);
  layout.q_to(std::vector<double>{1, 2, 3}, qpos);
  EXPECT_EQ(qpos, (std::vector<double>{3, 1, 2}));
}

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(LayoutOrder, FixedJointsWhoseNamesDecide) {
  ModelBuilder b("mounted");
  const int base = b.add_body("base", kWorld, joint(JointKind::kFree, "free"), kBox);
  const int mount = b.add_fixed_body("mount", base, translation(1, 0, 0), kBox);
  b.add_body("arm", mount, limited(revolute("arm", {{0, 0, 1}})), kBox);
  EXPECT_EQ(CoordinateLayout(b.make_model(), Library::kPinocchio).nq(), 8);  // one branch: nothing to decide
  b.add_body("head", base, limited(revolute("head", {{0, 0, 1}})), kBox);
  const Model model = b.make_model();
  EXPECT_EQ(message_of([&] { CoordinateLayout(model, Library::kPinocchio); }),
            "model 'mounted': Pinocchio orders what hangs on body 'base' by names of joints, and that of 'mount' is "
            "fixed, so its name is not kept; give the names of the joints (LayoutOptions::joints, Pinocchio's "
            "model.names)");
  EXPECT_EQ(CoordinateLayout(model, Library::kPinocchio, {.joints = {"free", "head", "arm"}}).v_index(2), 6);
}

TEST(LayoutErrors, NameWhatIsWrong) {
  const Model model = two_arms();
  const auto named = [&](std::vector<std::string> names) {
    return message_of([&] { CoordinateLayout(model, Library::kMujoco, {.joints = names}); });
  };
  EXPECT_EQ(named({"__root__", "left_1", "left_2", "right_1"}),
            "argument 'joints' leaves out 'right_2' of model 'two arms'; name every joint, in the order of the other "
            "library");
  EXPECT_EQ(named({"__root__", "left_1", "left_1"}), "argument 'joints' names 'left_1' twice; remove one");
  EXPECT_EQ(named({"lef_1"}), "model 'two arms' has no joint named 'lef_1' (did you mean 'left_1'?)");

  const CoordinateLayout layout(model, Library::kMujoco);
  std::vector<double> q = model.neutral(), v(10), there(11);
  EXPECT_EQ(message_of([&] { layout.q_from(v, q); }), "argument 'q_there' has 10 entries, but 11 are needed");
  EXPECT_EQ(message_of([&] { layout.velocity_from(q, there, v); }),
            "argument 'v_there' has 11 entries, but 10 are needed");
  EXPECT_EQ(message_of([&] { layout.q_from(there, q); }),
            "the quaternion of joint '__root__' (q_there[3] to q_there[6]) is zero or not finite; give a configuration "
            "of the other library");
  EXPECT_EQ(message_of([&] { CoordinateLayout(zoo(Library::kPinocchio), Library::kMujoco); }),
            "joint 'helical' is helical, and MuJoCo has no such joint");
}

}  // namespace
}  // namespace delassus
