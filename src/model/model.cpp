#include "delassus/model/model.hpp"

#include <algorithm>

#include "delassus/math/error.hpp"

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

/// Number of edits between two names, for suggestions; long names are compared by their beginnings.
int edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, 64);
  b = b.substr(0, 64);
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

int find_named(const std::unordered_map<std::string, int>& index, std::string_view what, std::string_view name,
               const std::string& model) {
  if (const auto found = index.find(std::string(name)); found != index.end()) return found->second;
  std::string_view closest;
  int distance = static_cast<int>(name.size() / 2) + 2;
  for (const auto& [candidate, i] : index) {
    const int d = edit_distance(name, candidate);
    if (d < distance || (d == distance && candidate < closest)) closest = candidate, distance = d;
  }
  throw Error("model '" + model + "' has no " + std::string(what) + " named '" + std::string(name.substr(0, 200)) + "'" +
              (closest.empty() ? "" : "; did you mean '" + std::string(closest) + "'?"));
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
  link.pitch = j.pitch;
  link.parent = parent;
  link.q = nq_;
  link.v = nv_;
  link.angle = static_cast<std::int32_t>(angle_coordinates_.size());
  link.factor = factor_size_;
  link.kind = j.kind;
  link.nv = static_cast<std::uint8_t>(sizes.nv);
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
  for (const FrameDescription& f : description_.frames) {
    const Frame& base = frame(body_frame(f.body));
    add_frame(f.name, base.link, base.placement * f.placement, f.body);
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
