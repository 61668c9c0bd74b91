#include "delassus/model/model.hpp"

#include <algorithm>

#include "delassus/math/error.hpp"
#include "delassus/model/limb_model.hpp"
#include "model/wording.hpp"

namespace delassus {
namespace {

/// The rotation from the internal, z-aligned frame of a joint to the frame its description has.
Mat3<double> alignment(const JointDescription& j) {
  if (j.kind == JointKind::kSpherical || j.kind == JointKind::kFree) return Mat3<double>::identity();
  return rotation_from_z_to((1 / norm(j.axis)) * j.axis);
}

RigidInertia<double> inertia_of(const Inertial& in, const Pose<double>& placement) {
  RigidInertia<double> I{in.mass, Vec3<double>::zero(), congruence(placement.R, in.inertia)};
  return shifted(I, placement * in.com);
}

int find_named(const std::unordered_map<std::string, int>& index, std::string_view what, std::string_view name,
               const std::string& model) {
  if (const auto found = index.find(std::string(name)); found != index.end()) return found->second;
  ClosestName closest(name);
  for (const auto& [candidate, i] : index) closest.consider(candidate);
  throw Error("model " + in_quotes(model) + " has no " + std::string(what) + " named " + in_quotes(name) +
              closest.hint());
}

}  // namespace

Model::Model(ModelDescription description) : description_(std::move(description)) {
  const Validation validation = validate(description_);
  if (!validation.errors.empty()) {
    std::string message = "model '" + description_.name + "' cannot be built:";
    for (const Finding& f : validation.errors) message += "\n  " + f.element + " " + f.message;
    throw Error(message);
  }
  compile();
}

void Model::add_frame(std::string name, int link, const Pose<double>& placement, int body) {
  frame_index_.emplace(name, static_cast<int>(frames_.size()));
  frames_.push_back({std::move(name), link, placement, body});
}

int Model::add_link(const JointDescription& j, int parent, const Pose<double>& placement) {
  const JointSizes sizes = sizes_of(j.kind);
  const Mat3<double> align = alignment(j);
  Link link{};
  link.placement = placement * Pose<double>{align, Vec3<double>::zero()};
  link.second = Mat3<double>::identity();
  if (j.kind == JointKind::kUniversal) {
    link.second = rotation_from_z_to(transposed_times(align, (1 / norm(j.axis2)) * j.axis2));
  }
  link.inertia = RigidInertia<double>::zero();
  link.pitch = j.kind == JointKind::kHelical ? j.pitch : 0;
  link.parent = parent;
  link.q = nq_;
  link.v = nv_;
  link.angle = static_cast<std::int32_t>(angle_coordinates_.size());
  link.factor = factor_size_;
  link.kind = j.kind;
  link.nv = static_cast<std::uint8_t>(sizes.nv);
  link.pure_rotation = j.kind == JointKind::kRevolute;
  const int first_angle = j.kind == JointKind::kPlanar ? nq_ + 2 : nq_;
  for (int k = 0; k < sizes.angles; ++k) angle_coordinates_.push_back(first_angle + k);
  for (int k = 0; k < sizes.nv; ++k) {
    dofs_.push_back(j.dofs[static_cast<std::size_t>(k)]);
    armature_.push_back(dofs_.back().armature);
  }
  nq_ += sizes.nq;
  nv_ += sizes.nv;
  factor_size_ += sizes.nv * (sizes.nv + 1) / 2;
  links_.push_back(link);
  joint_index_.emplace(j.name, num_links() - 1);
  return num_links() - 1;
}

void Model::compile() {
  add_frame("world", kWorld, Pose<double>::identity(), kWorld);
  for (int b = 0; b < static_cast<int>(description_.bodies.size()); ++b) {
    const BodyDescription& body = description_.bodies[static_cast<std::size_t>(b)];
    int link = frame(body_frame(body.parent)).link;
    Pose<double> placement = frame(body_frame(body.parent)).placement;
    for (int k = 0; k < static_cast<int>(body.joints.size()); ++k) {
      const JointDescription& j = body.joints[static_cast<std::size_t>(k)];
      link = add_link(j, link, placement * j.placement);
      joint_places_.push_back({b, k});
      // Where the joint's own frame lies in the link's internal one: undo the turns that made the axes z.
      const Mat3<double> turn = alignment(j) * links_.back().second;
      placement = {transposed(turn), Vec3<double>::zero()};
    }
    placement = placement * body.placement;
    add_frame(body.name, link, placement, b);
    const RigidInertia<double> inertia = inertia_of(body.inertial, placement);
    mass_ += inertia.mass;
    if (link == kWorld) {
      fixed_moment_ += inertia.moment;
    } else {
      links_[static_cast<std::size_t>(link)].inertia += inertia;
    }
  }
  compute_inertia_scale();
  for (const FrameDescription& f : description_.frames) {
    const Frame& base = frame(body_frame(f.body));
    add_frame(f.name, base.link, base.placement * f.placement, f.body);
  }
  limbs_ = make_limb_model(*this);
}

void Model::compute_inertia_scale() {
  // Mass, length of the first moment and trace of the rotational inertia of each subtree, stretched out as far as its
  // joints let it: a child's trace grows by 4 |r| |moment| + 2 mass |r|² at most.
  struct Reach {
    double mass = 0, moment = 0, trace = 0;
  };
  std::vector<Reach> reach(links_.size());
  inertia_scale_.resize(nv_);
  for (int i = num_links() - 1; i >= 0; --i) {
    const Link& l = links_[i];
    Reach& own = reach[i];
    own.mass += l.inertia.mass;
    own.moment += norm(l.inertia.moment);
    for (int k = 0; k < 3; ++k) own.trace += l.inertia.rotational(k, k);
    for (int k = 0; k < l.nv; ++k) {
      const double inertia = is_displacement(l.kind, k) ? own.mass : own.trace + own.mass * l.pitch * l.pitch;
      inertia_scale_[l.v + k] = inertia + armature_[l.v + k];
    }
    if (l.parent == kWorld) continue;
    Reach& parent = reach[l.parent];
    const double r = norm(l.placement.p);
    parent.mass += own.mass;
    parent.moment += own.moment + own.mass * r;
    parent.trace += own.trace + 4 * r * own.moment + 2 * own.mass * r * r;
  }
}

int Model::find_frame(std::string_view name) const { return find_named(frame_index_, "frame", name, this->name()); }
int Model::find_joint(std::string_view name) const { return find_named(joint_index_, "joint", name, this->name()); }

const JointDescription& Model::joint(int link) const {
  const JointPlace& place = joint_places_[static_cast<std::size_t>(link)];
  return description_.bodies[static_cast<std::size_t>(place.body)].joints[static_cast<std::size_t>(place.joint)];
}

int Model::depth() const {
  std::vector<int> level(links_.size());
  int deepest = 0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    level[i] = links_[i].parent == kWorld ? 1 : level[static_cast<std::size_t>(links_[i].parent)] + 1;
    deepest = std::max(deepest, level[i]);
  }
  return deepest;
}

std::vector<double> Model::neutral() const {
  std::vector<double> q(static_cast<std::size_t>(nq_), 0.0);
  for (const Link& l : links_) {
    if (l.kind == JointKind::kSpherical) q[static_cast<std::size_t>(l.q) + 3] = 1;
    if (l.kind == JointKind::kFree) q[static_cast<std::size_t>(l.q) + 6] = 1;
  }
  return q;
}

}  // namespace delassus
