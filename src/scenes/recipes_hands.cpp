// Atlas and hands: Fig. 5 and 6 of Sathya, Decré and Swevers, "PV-OSIMr". And a hand that holds a ball.
#include <algorithm>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/io/load.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/math/error.hpp"
#include "delassus/model/builder.hpp"
#include "scenes/recipe_parts.hpp"

namespace delassus {
namespace {

using Names = std::vector<std::string>;

const Names kFeet{"l_foot", "r_foot"}, kPalms{"l_palm", "r_palm"};
constexpr const char* kTips[] = {"rh_fftip", "rh_mftip", "rh_rftip", "rh_lftip", "rh_thtip"};

Names tips_of(std::string_view prefix) {
  Names out;
  for (const char* tip : kTips) out.push_back(std::string(prefix) + tip);
  return out;
}

/// Atlas with bent knees.
Scene standing_atlas(const ModelDescription& description) {
  Scene scene{Model(description)};
  set_joints(scene, {"l_leg_", "r_leg_"}, "hpy", -0.3);
  set_joints(scene, {"l_leg_", "r_leg_"}, "kny", 0.6);
  set_joints(scene, {"l_leg_", "r_leg_"}, "aky", -0.3);
  rest_on_ground(scene);
  return scene;
}

Scene standing_atlas() { return standing_atlas(load_embedded_robot("atlas").model.description()); }

/// Two of the same right hand: left or right makes no difference to topology and sizes.
Scene atlas_with_hands(const Names& palms) {
  ModelDescription atlas = load_embedded_robot("atlas").model.description();
  const ModelDescription hand = load_embedded_robot("shadow_like").model.description();
  for (const std::string& palm : palms) append_model(atlas, hand, palm, Pose<double>::identity(), palm + "_");
  Scene scene = standing_atlas(atlas);
  for (const std::string& palm : palms) {
    add_constraints(scene, make_pins_to_world(scene.model, scene.q, tips_of(palm + "_")));
  }
  return scene;
}

// ------------------------------------------------------------------------------------------- grasp

constexpr double kBallRadius = 0.035, kBallMass = 0.2;
/// Where it is held, in the frame of the palm.
constexpr Vec3<double> kBallPlace{{0, -0.055, 0.11}};
/// Angles at which all five fingertips touch it and nothing else does, found by a random search: wrist, first, middle, ring
/// and little finger, thumb.
const std::vector<double> kGrasp{0,         0,                                        //
                                 -0.276747, 0.771804,  0.631885, 0.903127,            //
                                 -0.06688,  0.490652,  0.440436, 0.817979,            //
                                 -0.330011, 0.341886,  0.681385, 0.806114,            //
                                 0.021027,  -0.143107, 0.534497, 0.67553,  0.648365,  //
                                 0.101542,  0.648492,  0.017636, 0.667149, 0.895151};

/// The capsule of a fingertip, and how far it is from a ball.
struct Fingertip {
  int body;
  Pose<double> capsule;
  double radius, half_length;

  /// Of the capsule's axis, the point nearest to `x`.
  Vec3<double> nearest(const Vec3<double>& x) const {
    const Vec3<double> axis = column(capsule.R, 2);
    return capsule.p + std::clamp(dot(axis, x - capsule.p), -half_length, half_length) * axis;
  }
};

Fingertip fingertip(const Scene& scene, std::string_view tip) {
  const int body = scene.model.frame(scene.model.find_frame(tip)).body;
  Kinematics<double> kin(scene.model);
  update_kinematics<double>(scene.model, scene.q, kin);
  for (const ShapeDescription& s : scene.model.description().shapes) {
    if (s.body != body || s.kind != ShapeKind::kCapsule) continue;
    return {body, frame_pose(scene.model, kin, scene.model.body_frame(body)) * s.placement, s.size[0], s.size[1]};
  }
  throw Error("the body of frame '" + std::string(tip) + "' has no capsule to touch with");
}

/// The contact of a fingertip, on the surface of its capsule.
Constraint touch_ball(const Scene& scene, std::string_view tip, const Vec3<double>& ball) {
  const Fingertip f = fingertip(scene, tip);
  const Vec3<double> from_ball = f.nearest(ball) - ball;
  const double distance = norm(from_ball);
  if (distance > kBallRadius + f.radius + kContactMargin) {
    throw Error("the finger of '" + std::string(tip) + "' does not reach the ball");
  }
  const Vec3<double> normal = (1 / distance) * from_ball;
  Kinematics<double> kin(scene.model);
  update_kinematics<double>(scene.model, scene.q, kin);
  PointContact contact;
  contact.name = std::string(tip) + " on ball";
  const int frame = scene.model.body_frame(f.body);
  const Vec3<double> point = f.nearest(ball) - f.radius * normal;
  contact.a = {frame, {Mat3<double>::identity(), inverse(frame_pose(scene.model, kin, frame)) * point}};
  contact.b = scene.model.find_frame("ball");
  contact.axes = contact_axes(normal);
  contact.gap = distance - kBallRadius - f.radius;
  contact.set.kind = SetKind::kFrictionCone;
  contact.set.mu = 1;
  return contact;
}

}  // namespace

Scene make_atlas_feet() {
  Scene scene = standing_atlas();
  add_constraints(scene, make_welds_to_world(scene.model, scene.q, kFeet));
  return scene;
}

Scene make_atlas_feet_points() {
  Scene scene = standing_atlas();
  add_constraints(scene, make_ground_contacts(scene.model, scene.q, {}, kContactMargin));
  return scene;
}

Scene make_atlas_feet_hands() {
  Scene scene = make_atlas_feet();
  add_constraints(scene, make_welds_to_world(scene.model, scene.q, kPalms));
  return scene;
}

Scene make_atlas_hand() { return atlas_with_hands({"l_palm"}); }
Scene make_atlas_hands() { return atlas_with_hands(kPalms); }

Scene make_atlas_hands_feet() {
  Scene scene = make_atlas_hands();
  add_constraints(scene, make_welds_to_world(scene.model, scene.q, kFeet));
  return scene;
}

Scene make_shadow_tips() {
  Scene scene = load_embedded_robot("shadow_like");
  scene.q = make_general_configuration(scene.model);
  add_constraints(scene, make_pins_to_world(scene.model, scene.q, tips_of("")));
  return scene;
}

Scene make_shadow_ball() {
  ModelDescription description = load_embedded_robot("shadow_like").model.description();
  ModelBuilder b("ball");
  ShapeDescription shape;
  shape.name = "ball_shape";
  shape.body =
      b.add_body("ball", kWorld, joint(JointKind::kFree, "ball_free"), sphere_inertial(kBallMass, kBallRadius));
  shape.size = {{kBallRadius, 0, 0}};
  b.add_shape(std::move(shape));
  append_model(description, b.description(), "world", Pose<double>::identity(), "");
  Scene scene{Model(std::move(description))};
  std::copy(kGrasp.begin(), kGrasp.end(), scene.q.begin());
  Kinematics<double> kin(scene.model);
  update_kinematics<double>(scene.model, scene.q, kin);
  const Vec3<double> place = frame_pose(scene.model, kin, scene.model.find_frame("rh_palm")) * kBallPlace;
  std::copy(std::begin(place.a), std::end(place.a), scene.q.begin() + static_cast<std::ptrdiff_t>(kGrasp.size()));
  for (const char* tip : kTips) scene.constraints.push_back(touch_ball(scene, tip, place));
  return scene;
}

}  // namespace delassus
