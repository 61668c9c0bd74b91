#include "delassus/constraints/constrained_model.hpp"

#include "delassus/kinematics/frames.hpp"
#include "delassus/math/error.hpp"
#include "delassus/model/builder.hpp"
#include "model/wording.hpp"

namespace delassus {
namespace {

constexpr std::uint8_t kX = 1, kY = 2, kZ = 4;

/// Which axes a joint leaves free, with its own axis as z.
LoopClosure freedom_of(const JointDescription& joint) {
  LoopClosure loop;
  loop.name = joint.name;
  switch (joint.kind) {
    case JointKind::kRevolute:
      loop.free_angular = kZ;
      break;
    case JointKind::kPrismatic:
      loop.free_linear = kZ;
      break;
    case JointKind::kCylindrical:
      loop.free_linear = loop.free_angular = kZ;
      break;
    case JointKind::kSpherical:
      loop.free_angular = kX | kY | kZ;
      break;
    case JointKind::kPlanar:
      loop.free_linear = kX | kY;
      loop.free_angular = kZ;
      break;
    default:
      throw Error("joint " + in_quotes(joint.name) + " is " + std::string(name_of(joint.kind)) +
                  ", which has no form as a loop closure");
  }
  return loop;
}

/// The closure of the joint between a body and its parent: the frames on either side of it, turned so that its axis is z.
LoopClosure closure_of(const Model& model, int body) {
  const BodyDescription& b = model.description().bodies[static_cast<std::size_t>(body)];
  const JointDescription& joint = b.joints.front();
  LoopClosure loop = freedom_of(joint);
  const Pose<double> axis_up{rotation_from_z_to((1 / norm(joint.axis)) * joint.axis), {{0, 0, 0}}};
  loop.first = {model.body_frame(body), inverse(b.placement) * axis_up};
  loop.second = {model.body_frame(b.parent), joint.placement * axis_up};
  return loop;
}

ModelDescription freed(const ModelDescription& description) {
  ModelDescription out = description;
  out.name += " in maximal coordinates";
  out.keyframes.clear();
  for (BodyDescription& body : out.bodies) {
    if (body.joints.empty()) continue;
    if (body.joints.size() > 1) throw Error("body " + in_quotes(body.name) + " has several joints; it needs one");
    body.parent = kWorld;
    body.placement = Pose<double>::identity();
    body.joints = {joint(JointKind::kFree, body.name + " free")};
  }
  return out;
}

}  // namespace

ConstrainedModel make_maximal(const Model& model, const std::vector<double>& q) {
  Kinematics<double> kin(model);
  update_kinematics<double>(model, q, kin);
  ConstrainedModel out{Model(freed(model.description()))};
  for (int b = 0; b < static_cast<int>(model.description().bodies.size()); ++b) {
    const BodyDescription& body = model.description().bodies[static_cast<std::size_t>(b)];
    if (body.joints.empty()) continue;
    const Pose<double> pose = frame_pose(model, kin, model.body_frame(b));
    const Quaternion<double> turn = quaternion_of(pose.R);
    double* coordinates = &out.q[static_cast<std::size_t>(out.model.link(out.model.find_joint(body.name + " free")).q)];
    for (int k = 0; k < 3; ++k) coordinates[k] = pose.p[k];
    for (int k = 0; k < 4; ++k) coordinates[3 + k] = turn[k];
    if (body.joints.front().kind != JointKind::kFree) out.constraints.emplace_back(closure_of(model, b));
  }
  return out;
}

}  // namespace delassus
