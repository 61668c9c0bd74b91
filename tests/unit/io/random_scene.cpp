#include "unit/io/random_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "delassus/model/builder.hpp"

namespace delassus::io_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Numbers of every kind that a double can be and that a model admits: also denormal ones and a negative
/// zero.
class Numbers {
 public:
  explicit Numbers(unsigned seed) : engine_(seed) {}

  double any() {
    switch (engine_() % 8) {
      case 0:
        return -0.0;
      case 1:
        return std::numeric_limits<double>::denorm_min() * static_cast<double>(engine_() % 1000);
      case 2:
        return 1.0 / 3;
      case 3:
        return 1e-300 * uniform();
      default:
        return uniform();
    }
  }
  double positive() { return std::abs(uniform()) + 0.1; }
  Vec3<double> vector() { return {{any(), any(), any()}}; }
  Vec3<double> direction() { return {{uniform(), positive(), uniform()}}; }
  Mat3<double> rotation() { return rotation_from_rpy({{uniform(), uniform(), uniform()}}); }
  Pose<double> pose() { return {rotation(), vector()}; }
  std::vector<double> list(int size) {
    std::vector<double> out(static_cast<std::size_t>(size));
    std::generate(out.begin(), out.end(), [this] { return any(); });
    return out;
  }

 private:
  double uniform() { return std::uniform_real_distribution<double>(-1, 1)(engine_); }
  std::mt19937 engine_;
};

Inertial random_inertial(Numbers& numbers) {
  Inertial out = box_inertial(numbers.positive(), {{numbers.positive(), numbers.positive(), numbers.positive()}},
                              numbers.vector());
  out.inertia = congruence(numbers.rotation(), out.inertia);
  return out;
}

JointDescription random_joint(Numbers& numbers, JointKind kind, const std::string& name) {
  JointDescription out = joint(kind, name, numbers.pose());
  out.axis = numbers.direction();
  if (kind == JointKind::kUniversal) out.axis2 = cross(out.axis, Vec3<double>{{1, 0, 0}});
  if (kind == JointKind::kHelical) out.pitch = numbers.any();
  for (int k = 0; k < sizes_of(kind).nv; ++k) {
    DofProperties& dof = out.dofs[static_cast<std::size_t>(k)];
    dof.lower = k % 2 == 0 ? -numbers.positive() : -kInfinity;
    dof.upper = k % 2 == 0 ? kInfinity : numbers.positive();
    dof.effort_limit = numbers.positive();
    dof.armature = k % 3 == 0 ? -0.0 : numbers.positive();
    dof.damping = std::numeric_limits<double>::denorm_min();
    dof.friction_loss = numbers.positive();
    dof.stiffness = numbers.positive();
    dof.spring_reference = numbers.any();
    dof.reference = -0.0;
  }
  return out;
}

Model random_model(Numbers& numbers) {
  ModelBuilder builder("all kinds \"quoted\" \\ / \n\t \xC3\xBC");
  builder.gravity(numbers.vector());
  int body = builder.add_fixed_body("stand", kWorld, numbers.pose(), random_inertial(numbers));
  for (int k = 0; k < kNumJointKinds; ++k) {
    const auto kind = static_cast<JointKind>(k);
    const std::string name(name_of(kind));
    const int parent = k == 0 ? body : (k % 3 == 0 ? kWorld : body);
    body = builder.add_body(name + " body", parent, random_joint(numbers, kind, name), random_inertial(numbers));
  }
  builder.add_body(
      "two joints", body,
      {random_joint(numbers, JointKind::kRevolute, "inner"), random_joint(numbers, JointKind::kPrismatic, "outer")},
      random_inertial(numbers));
  builder.add_frame("tip", body, numbers.pose());
  builder.add_frame("mark", kWorld, numbers.pose());
  for (int k = 0; k < 6; ++k) {
    const auto kind = static_cast<ShapeKind>(k);
    ShapeDescription shape{k % 2 == 0 ? "shape" : "", k == 5 ? kWorld : body, kind, {{0, 0, 0}}, numbers.pose()};
    for (int i = 0; i < size_count(kind); ++i) shape.size[i] = numbers.positive();
    if (k > 2) shape.friction = {{numbers.positive(), -0.0, numbers.positive()}};
    if (k == 3) shape.condim = 6;
    builder.add_shape(shape);
  }
  const Model plain = builder.make_model();
  ModelDescription description = plain.description();
  description.excludes = {{kWorld, 0}, {2, 1}};
  description.keyframes.push_back({"home", plain.neutral(), numbers.list(plain.nv())});
  description.keyframes.push_back({"", plain.neutral(), numbers.list(plain.nv())});
  return Model(std::move(description));
}

Attachment random_attachment(Numbers& numbers, const Model& model, const std::string& frame) {
  return {model.find_frame(frame), numbers.pose()};
}

std::vector<Constraint> random_constraints(Numbers& numbers, const Model& model) {
  std::vector<Constraint> out;
  for (int k = 0; k < 4; ++k) {
    const Mat3<double> axes = numbers.rotation();
    const ForceSet set{SetKind::kFrictionCone, kInfinity,        numbers.positive(),
                       k > 1 ? 0.01 : -0.0,    k > 2 ? 0.02 : 0, k > 0 ? 0.3 : -0.0};
    out.emplace_back(PointContact{"contact " + std::to_string(k), random_attachment(numbers, model, "tip"),
                                  k % 2 == 0 ? 0 : model.find_frame("stand"), axes, numbers.any(),
                                  static_cast<ContactKind>(k), set});
  }
  for (unsigned linear = 0; linear < 8; ++linear) {
    LoopClosure loop =
        make_weld("loop", random_attachment(numbers, model, "tip"), random_attachment(numbers, model, "mark"));
    loop.free_linear = static_cast<std::uint8_t>(linear);
    loop.free_angular = static_cast<std::uint8_t>(7 - linear);
    out.emplace_back(loop);
  }
  out.emplace_back(
      make_ball("ball", random_attachment(numbers, model, "tip"), random_attachment(numbers, model, "world")));
  out.emplace_back(Distance{"rope",
                            random_attachment(numbers, model, "tip"),
                            random_attachment(numbers, model, "stand"),
                            numbers.positive(),
                            {SetKind::kNonNegative}});
  const int planar = model.find_joint("planar");
  out.emplace_back(JointLimit{"", planar, 2, true, numbers.any()});
  out.emplace_back(JointLimit{"low", planar, 0, false, -0.0, {SetKind::kEquality}});
  out.emplace_back(JointFriction{"dry", model.find_joint("free"), 4, {SetKind::kBox, numbers.positive()}});
  out.emplace_back(JointFriction{"stuck", model.find_joint("spherical")});
  out.emplace_back(JointCoupling{
      "gear", {{planar, 1, numbers.any()}, {model.find_joint("outer"), 0, numbers.any()}}, numbers.any()});
  out.emplace_back(CentreOfMass{"balance", numbers.vector()});
  CustomRows custom{"custom", 2, {}, {}, numbers.list(2)};
  custom.bodies.push_back({model.find_frame("tip"), numbers.list(12)});
  custom.bodies.push_back({0, numbers.list(12)});
  for (int v = 0; v < model.nv(); ++v) custom.dofs.push_back({v, numbers.list(2)});
  out.emplace_back(custom);
  out.emplace_back(CustomRows{"", 1, {}, {{0, {1}}}, {}});
  out.emplace_back(
      JointPolynomial{"curve", planar, 1, model.find_joint("outer"), 0, {numbers.any(), -0.0, 1, numbers.any(), 0}});
  out.emplace_back(JointPolynomial{"locked", planar, 2, -1, 0, {numbers.any()}, {SetKind::kBox, 2}});
  return out;
}

}  // namespace

Scene random_scene(unsigned seed) {
  Numbers numbers(seed);
  Scene scene(random_model(numbers));
  scene.v = numbers.list(scene.model.nv());
  scene.tau = numbers.list(scene.model.nv());
  scene.q[0] = -0.0;
  scene.q[1] = std::numeric_limits<double>::denorm_min();
  scene.q[2] = std::numeric_limits<double>::max();
  scene.constraints = random_constraints(numbers, scene.model);
  return scene;
}

}  // namespace delassus::io_test
