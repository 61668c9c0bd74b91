#include "support/random_system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "delassus/model/builder.hpp"
#include "delassus/operators/oracle.hpp"

namespace delassus::samples {

// -------------------------------------------------------------------------------------------- numbers

namespace {

/// Spreads neighbouring seeds over all bits (the finaliser of splitmix64).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

enum Stream : std::uint64_t { kModelStream, kOptionStream, kStateStream, kConstraintStream };

double length(const Vec3<double>& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

Mat3<double> rotation_matrix(const Quaternion<double>& q) {
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  return {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),  //
           2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),  //
           2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) : engine_(mixed(mixed(seed + 1) + stream)) {}

double Random::uniform(double lower, double upper) {
  return lower + (upper - lower) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
}

int Random::integer(int first, int last) {
  return first + static_cast<int>(engine_() % static_cast<std::uint64_t>(last - first + 1));
}

Vec3<double> Random::vector(double bound) {
  const double x = uniform(-bound, bound), y = uniform(-bound, bound), z = uniform(-bound, bound);
  return {{x, y, z}};
}

Vec3<double> Random::direction() {
  Vec3<double> a = vector(1);
  double n = length(a);
  for (; n > 1 || n < 0.1; n = length(a)) a = vector(1);
  for (double& x : a.a) x /= n;
  return a;
}

Quaternion<double> Random::quaternion() {
  Quaternion<double> q{};
  double n2 = 0;
  while (n2 > 1 || n2 < 0.01) {
    n2 = 0;
    for (double& x : q.a) x = uniform(-1, 1), n2 += x * x;
  }
  for (double& x : q.a) x /= std::sqrt(n2);
  return q;
}

Mat3<double> Random::rotation() { return rotation_matrix(quaternion()); }

// --------------------------------------------------------------------------------------------- models

namespace {

const std::vector<JointKind> kAllKinds{JointKind::kRevolute,    JointKind::kPrismatic, JointKind::kHelical,
                                       JointKind::kCylindrical, JointKind::kUniversal, JointKind::kSpherical,
                                       JointKind::kPlanar,      JointKind::kFree};

class ModelMaker {
 public:
  ModelMaker(std::uint64_t seed, const ModelOptions& options) : random_(seed, kModelStream), options_(options) {
    for (const JointKind kind : options.kinds) {
      if (sizes_of(kind).nv == 1) single_.push_back(kind);
    }
  }

  ModelDescription run() {
    d_.name = "random";
    if (random_.chance(0.5)) d_.gravity = random_.vector(9.81);
    if (random_.chance(options_.fixed_body)) add_fixed_body(kWorld);
    while (links_ < options_.links) add_moving_body();
    for (int k = random_.integer(2, 4); k > 0; --k) {
      const int body = random_.integer(kWorld, num_bodies() - 1);
      d_.frames.push_back({"frame" + std::to_string(k), body, random_.pose(0.3)});
    }
    return std::move(d_);
  }

 private:
  int num_bodies() const { return static_cast<int>(d_.bodies.size()); }

  void add_moving_body() {
    int parent = choose_parent();
    if (random_.chance(options_.fixed_body)) parent = add_fixed_body(parent);
    BodyDescription body;
    body.name = "body" + std::to_string(num_bodies());
    body.parent = parent;
    body.joints = make_joints();
    if (random_.chance(0.3)) body.placement = random_.pose(0.2);
    body.inertial = make_inertial();
    d_.bodies.push_back(body);
  }

  /// The first body is a root in any case.
  int choose_parent() {
    is_root_ = links_ == 0 || (options_.base == Base::kSeveralRoots && random_.chance(0.3));
    if (is_root_) return num_bodies() > 0 && random_.chance(0.5) && links_ == 0 ? 0 : kWorld;
    return random_.chance(options_.branching) ? random_.integer(0, num_bodies() - 1) : num_bodies() - 1;
  }

  int add_fixed_body(int parent) {
    d_.bodies.push_back({"fixed" + std::to_string(num_bodies()), parent, {}, random_.pose(0.3), make_inertial()});
    return num_bodies() - 1;
  }

  std::vector<JointDescription> make_joints() {
    const bool floats =
        is_root_ && (options_.base == Base::kFloating || (options_.base == Base::kSeveralRoots && random_.chance(0.5)));
    if (floats) return {make_joint(JointKind::kFree)};
    if (single_.empty() || !random_.chance(options_.several_joints)) return {make_joint(random_.pick(options_.kinds))};
    return make_several_joints();
  }

  /// Two that are never parallel are independent in every configuration. Three can come to lie in one plane,
  /// so they get rotors.
  std::vector<JointDescription> make_several_joints() {
    const int room = options_.links - links_;
    const int count = std::min(room, random_.integer(2, 3));
    std::vector<JointDescription> joints;
    for (int i = 0; i < count; ++i) {
      JointDescription j = make_joint(random_.pick(single_));
      const Pose<double> straight{Mat3<double>::identity(), j.placement.p};
      if (i > 0) j.placement = straight, j.axis = across(joints.back().axis);
      if (count == 3) j.dofs[0].armature = random_.uniform(0.05, 0.3);
      joints.push_back(j);
    }
    return joints;
  }

  JointDescription make_joint(JointKind kind) {
    JointDescription j;
    j.name = "joint" + std::to_string(links_++);
    j.kind = kind;
    j.placement = random_.chance(0.7) ? random_.pose(0.5) : Pose<double>{Mat3<double>::identity(), random_.vector(0.5)};
    j.axis = make_axis();
    j.axis2 = across(j.axis);
    j.pitch = random_.uniform(-0.3, 0.3);
    for (DofProperties& dof : j.dofs) {
      if (random_.chance(options_.armature)) dof.armature = random_.uniform(0.01, 0.5);
    }
    return j;
  }

  /// Along a coordinate half of the time, either way; the length of an axis has no meaning.
  Vec3<double> make_axis() {
    Vec3<double> axis = random_.direction();
    if (random_.chance(0.5)) {
      axis = {{0, 0, 0}};
      axis[random_.integer(0, 2)] = random_.chance(0.5) ? 1 : -1;
    }
    const double scale = random_.chance(0.3) ? random_.uniform(0.5, 2) : 1;
    for (double& x : axis.a) x *= scale;
    return axis;
  }

  /// At least 37 degrees away from an axis.
  Vec3<double> across(const Vec3<double>& axis) {
    for (;;) {
      const Vec3<double> other = make_axis();
      const double cosine =
          (axis[0] * other[0] + axis[1] * other[1] + axis[2] * other[2]) / (length(axis) * length(other));
      if (std::abs(cosine) < 0.8) return other;
    }
  }

  Inertial make_inertial() {
    const double mass = random_.uniform(0.3, 4);
    double square[3];
    for (double& x : square) x = random_.uniform(0.05, 0.3), x *= x;
    const Mat3<double> R = random_.rotation();
    Inertial in{mass, random_.vector(0.15), Sym3<double>::zero()};
    for (int k = 0; k < 3; ++k) {
      const double moment = mass / 3 * (square[(k + 1) % 3] + square[(k + 2) % 3]);
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c <= r; ++c) in.inertia(r, c) += moment * R(r, k) * R(c, k);
      }
    }
    return in;
  }

  Random random_;
  const ModelOptions& options_;
  std::vector<JointKind> single_;  // those of one degree of freedom
  ModelDescription d_;
  int links_ = 0;
  bool is_root_ = false;
};

}  // namespace

ModelOptions random_options(std::uint64_t seed) {
  Random random(seed, kOptionStream);
  ModelOptions options;
  options.links = random.integer(1, 22);
  options.base = static_cast<Base>(random.integer(0, 2));
  options.branching = random.pick<double>({0, 0.2, 0.5, 1});
  options.armature = random.pick<double>({0, 0.3, 1});
  options.fixed_body = random.pick<double>({0, 0.2, 0.5});
  options.several_joints = random.pick<double>({0, 0.2, 0.5});
  if (random.chance(0.3)) options.kinds = {JointKind::kRevolute};
  if (random.chance(0.2)) options.kinds = kAllKinds;
  return options;
}

Model random_model(std::uint64_t seed, const ModelOptions& options) { return Model(ModelMaker(seed, options).run()); }

State random_state(const Model& model, std::uint64_t seed) {
  Random random(seed, kStateStream);
  State state;
  const auto turn = [&](int count) {
    for (int i = 0; i < count; ++i) state.q.push_back(random.uniform(-std::numbers::pi, std::numbers::pi));
  };
  const auto slide = [&](int count) {
    for (int i = 0; i < count; ++i) state.q.push_back(random.uniform(-0.5, 0.5));
  };
  const auto orient = [&] {
    for (const double x : random.quaternion().a) state.q.push_back(x);
  };
  for (const Link& link : model.links()) {
    switch (link.kind) {
      case JointKind::kRevolute:
      case JointKind::kHelical:
        turn(1);
        break;
      case JointKind::kPrismatic:
        slide(1);
        break;
      case JointKind::kCylindrical:
        turn(1), slide(1);
        break;
      case JointKind::kUniversal:
        turn(2);
        break;
      case JointKind::kSpherical:
        orient();
        break;
      case JointKind::kPlanar:
        slide(2), turn(1);
        break;
      case JointKind::kFree:
        slide(3), orient();
        break;
    }
  }
  for (int i = 0; i < model.nv(); ++i) {
    state.v.push_back(random.uniform(-1, 1));
    state.tau.push_back(random.uniform(-10, 10));
  }
  return state;
}

// ---------------------------------------------------------------------------------------- constraints

namespace {

class ConstraintMaker {
 public:
  ConstraintMaker(const Model& model, std::uint64_t seed) : model_(model), random_(seed, kConstraintStream) {
    for (int f = 0; f < static_cast<int>(model.frames().size()); ++f) {
      if (model.frame(f).link != kWorld) moving_.push_back(f);
    }
    for (int i = 0; i < model.num_links(); ++i) {
      if (sizes_of(model.link(i).kind).nq == sizes_of(model.link(i).kind).nv) rated_.push_back(i);
    }
    favourite_ = random_.pick(moving_);
  }

  JointFriction make_friction(const std::string& name) {
    const int link = random_.integer(0, model_.num_links() - 1);
    return {name, link, random_.integer(0, model_.link(link).nv - 1), {SetKind::kBox, 1}};
  }

  Constraint make(int index) {
    const std::string name = "c" + std::to_string(index);
    switch (random_.integer(0, rated_.empty() ? 6 : 9)) {
      case 0:
        return make_contact(name);
      case 1:
      case 2:
        return make_loop(name);
      case 3:
        return Distance{name, attachment(first()), attachment(partner()), random_.uniform(0.1, 1), {}};
      case 4:
        return make_friction(name);
      case 5:
        return CentreOfMass{name, random_.vector(1), {}};
      case 6:
        return make_custom(name);
      case 7:
        return make_limit(name);
      case 8:
        return make_polynomial(name);
      default:
        return make_coupling(name);
    }
  }

 private:
  /// A frame that moves. One of them is chosen again and again, so that some link bears several constraints.
  int first() { return first_ = random_.chance(0.25) ? favourite_ : random_.pick(moving_); }

  /// A frame on another link than the first one: the world, the parent link, or any.
  int partner() {
    const int link = model_.frame(first_).link;
    const int choice = random_.integer(0, 2);
    std::vector<int> others;
    for (int f = 0; f < static_cast<int>(model_.frames().size()); ++f) {
      const int other = model_.frame(f).link;
      const bool fits = choice == 0 ? other == kWorld : choice == 1 ? other == model_.link(link).parent : true;
      if (fits && other != link) others.push_back(f);
    }
    return others.empty() ? 0 : random_.pick(others);
  }

  Attachment attachment(int frame) { return {frame, random_.pose(0.3)}; }

  PointContact make_contact(const std::string& name) {
    PointContact c;
    c.name = name;
    c.a = attachment(first());
    c.b = partner();
    if (random_.chance(0.7)) c.axes = random_.rotation();
    c.gap = random_.uniform(-0.01, 0.01);
    c.kind = static_cast<ContactKind>(random_.integer(0, 3));
    return c;
  }

  LoopClosure make_loop(const std::string& name) {
    const Attachment one = attachment(first()), two = attachment(partner());
    if (random_.chance(0.2)) return make_weld(name, one, two);
    if (random_.chance(0.2)) return make_ball(name, one, two);
    LoopClosure c{name, one, two, 0, 0, LoopAxes::kFrame1, {}};
    c.axes = random_.chance(0.2) ? LoopAxes::kWorldAxes : LoopAxes::kFrame1;
    do {
      c.free_linear = make_mask(c.axes);
      c.free_angular = make_mask(c.axes);
    } while (c.free_linear == 7 && c.free_angular == 7);
    return c;
  }

  /// World axes are all free or all held.
  std::uint8_t make_mask(LoopAxes axes) {
    const int mask = axes == LoopAxes::kFrame1 ? random_.integer(0, 7) : 7 * random_.integer(0, 1);
    return static_cast<std::uint8_t>(mask);
  }

  CustomRows make_custom(const std::string& name) {
    CustomRows c;
    c.name = name;
    c.rows = random_.integer(1, 4);
    for (int k = random_.integer(1, 4); k > 0; --k) {
      c.bodies.push_back({random_.pick(moving_), uniform_numbers(6 * c.rows)});
    }
    for (int k = random_.integer(0, 2); k > 0; --k) {
      c.dofs.push_back({random_.integer(0, model_.nv() - 1), uniform_numbers(c.rows)});
    }
    if (random_.chance(0.5)) c.position = uniform_numbers(c.rows);
    return c;
  }

  JointLimit make_limit(const std::string& name) {
    const int link = random_.pick(rated_);
    return {name,
            link,
            random_.integer(0, model_.link(link).nv - 1),
            random_.chance(0.5),
            random_.uniform(-1, 1),
            {SetKind::kNonNegative}};
  }

  JointCoupling make_coupling(const std::string& name) {
    JointCoupling c{name, {}, random_.uniform(-1, 1), {}};
    for (int k = random_.integer(1, 3); k > 0; --k) {
      const int link = random_.pick(rated_);
      c.terms.push_back({link, random_.integer(0, model_.link(link).nv - 1), random_.uniform(0.5, 2)});
    }
    return c;
  }

  JointPolynomial make_polynomial(const std::string& name) {
    JointPolynomial c;
    c.name = name;
    c.link = random_.pick(rated_);
    c.dof = random_.integer(0, model_.link(c.link).nv - 1);
    for (double& x : c.coefficients) x = random_.uniform(-1, 1);
    const int other = random_.pick(rated_), dof = random_.integer(0, model_.link(other).nv - 1);
    if ((other != c.link || dof != c.dof) && random_.chance(0.8)) c.other_link = other, c.other_dof = dof;
    return c;
  }

  std::vector<double> uniform_numbers(int count) {
    std::vector<double> numbers(static_cast<std::size_t>(count));
    for (double& x : numbers) x = random_.uniform(-1, 1);
    return numbers;
  }

  const Model& model_;
  Random random_;
  std::vector<int> moving_;  // frames
  std::vector<int> rated_;   // links whose velocities are the rates of their coordinates
  int favourite_ = 0;
  int first_ = 0;
};

}  // namespace

std::vector<Constraint> random_constraints(const Model& model, std::uint64_t seed, int count) {
  ConstraintMaker maker(model, seed);
  std::vector<Constraint> constraints;
  constraints.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) constraints.push_back(maker.make(i));
  return constraints;
}

LoopClosure closed(const Model& model, const std::vector<double>& q, LoopClosure loop) {
  const auto k = oracle::kinematics<double>(model, q);
  const auto& one = k.places[static_cast<std::size_t>(loop.first.frame)];
  const auto& two = k.places[static_cast<std::size_t>(loop.second.frame)];
  const oracle::Matrix<double> R(3, 3, {std::begin(loop.first.offset.R.a), std::end(loop.first.offset.R.a)});
  const oracle::Matrix<double> p(3, 1, {std::begin(loop.first.offset.p.a), std::end(loop.first.offset.p.a)});
  const auto R2 = transposed(two.R) * (one.R * R), p2 = transposed(two.R) * (one.p + one.R * p - two.p);
  for (int i = 0; i < 9; ++i) loop.second.offset.R[i] = R2(i / 3, i % 3);
  for (int i = 0; i < 3; ++i) loop.second.offset.p[i] = p2(i, 0);
  return loop;
}

// ------------------------------------------------------------------------------------------ rank loss

System straight_chain_with_end_contact(int links) {
  ModelBuilder builder("straight chain");
  int body = kWorld;
  for (int i = 0; i < links; ++i) {
    const std::string number = std::to_string(i);
    const Pose<double> placement = translation(i == 0 ? 0 : 0.5, 0, 0);
    body = builder.add_body("link" + number, body, revolute("joint" + number, {{0, 1, 0}}, placement),
                            box_inertial(1, {{0.25, 0.05, 0.05}}, {{0.25, 0, 0}}));
  }
  Model model = builder.make_model();
  PointContact contact;
  contact.name = "tip";
  contact.a = {model.body_frame(body), translation(0.5, 0, 0)};
  State state = random_state(model, 1);
  state.q = model.neutral();
  return {model, {contact}, std::move(state), 1};
}

System duplicated_constraint() {
  ModelOptions options;
  options.links = 6;
  options.branching = options.fixed_body = options.several_joints = 0;
  options.kinds = {JointKind::kRevolute};
  Model model = random_model(7, options);
  const Attachment tip{model.body_frame(static_cast<int>(model.description().bodies.size()) - 1)};
  State state = random_state(model, 7);
  const LoopClosure weld = closed(model, state.q, make_weld("weld", tip, {}));
  LoopClosure again = weld;
  again.name = "weld again";
  return {model, {weld, again}, std::move(state), 6};
}

System foot_with_four_points() {
  ModelBuilder builder("leg");
  const int trunk =
      builder.add_body("trunk", kWorld, joint(JointKind::kFree, "base"), box_inertial(8, {{0.2, 0.15, 0.1}}));
  const int thigh = builder.add_body("thigh", trunk, revolute("hip", {{0, 1, 0}}, translation(0, 0, -0.1)),
                                     cylinder_inertial(2, 0.05, 0.2, {{0, 0, -0.2}}));
  const int shank = builder.add_body("shank", thigh, revolute("knee", {{0, 1, 0}}, translation(0, 0, -0.4)),
                                     cylinder_inertial(1.5, 0.04, 0.2, {{0, 0, -0.2}}));
  const int foot = builder.add_body("foot", shank, revolute("ankle", {{0, 1, 0}}, translation(0, 0, -0.4)),
                                    box_inertial(0.8, {{0.1, 0.05, 0.02}}, {{0.03, 0, -0.02}}));
  Model model = builder.make_model();
  std::vector<Constraint> corners;
  for (const double x : {-0.07, 0.13}) {
    for (const double y : {-0.05, 0.05}) {
      PointContact c;
      c.name = "corner" + std::to_string(corners.size());
      c.a = {model.body_frame(foot), translation(x, y, -0.04)};
      corners.emplace_back(c);
    }
  }
  State state = random_state(model, 3);
  return {model, std::move(corners), std::move(state), 6};
}

}  // namespace delassus::samples
