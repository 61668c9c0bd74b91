#include "delassus/model/model.hpp"

#include <algorithm>

#include "delassus/math/error.hpp"
#include "model/own_values.hpp"
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

/// Fills the data of a model from its description.
class ModelCompiler {
 public:
  explicit ModelCompiler(Model::Data& data) : data_(data) {}

  void compile() {
    add_frame("world", kWorld, Pose<double>::identity(), kWorld);
    for (int b = 0; b < static_cast<int>(data_.description.bodies.size()); ++b) {
      const BodyDescription& body = data_.description.bodies[static_cast<std::size_t>(b)];
      int link = body_frame(body.parent).link;
      Pose<double> placement = body_frame(body.parent).placement;
      for (int k = 0; k < static_cast<int>(body.joints.size()); ++k) {
        const JointDescription& j = body.joints[static_cast<std::size_t>(k)];
        link = add_link(j, link, placement * j.placement);
        data_.joint_places.push_back({b, k});
        // Where the joint's own frame lies in the link's internal one: undo the turns that made the axes z.
        const Mat3<double> turn = alignment(j) * data_.links.back().second;
        placement = {transposed(turn), Vec3<double>::zero()};
      }
      placement = placement * body.placement;
      add_frame(body.name, link, placement, b);
      const RigidInertia<double> inertia = inertia_of(body.inertial, placement);
      data_.mass += inertia.mass;
      if (link == kWorld) {
        data_.fixed_moment += inertia.moment;
      } else {
        data_.links[static_cast<std::size_t>(link)].inertia += inertia;
      }
    }
    compute_inertia_scale();
    for (const FrameDescription& f : data_.description.frames) {
      const Frame& base = body_frame(f.body);
      add_frame(f.name, base.link, base.placement * f.placement, f.body);
    }
  }

 private:
  const Frame& body_frame(int body) const { return data_.frames[static_cast<std::size_t>(body + 1)]; }
  int num_links() const { return static_cast<int>(data_.links.size()); }

  void add_frame(std::string name, int link, const Pose<double>& placement, int body) {
    data_.frame_index.emplace(name, static_cast<int>(data_.frames.size()));
    data_.frames.push_back({std::move(name), link, placement, body});
  }

  int add_link(const JointDescription& j, int parent, const Pose<double>& placement) {
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
    link.q = data_.nq;
    link.v = data_.nv;
    link.angle = static_cast<std::int32_t>(data_.angle_coordinates.size());
    link.factor = data_.factor_size;
    link.kind = j.kind;
    link.nv = static_cast<std::uint8_t>(sizes.nv);
    link.pure_rotation = j.kind == JointKind::kRevolute;
    const int first_angle = j.kind == JointKind::kPlanar ? data_.nq + 2 : data_.nq;
    for (int k = 0; k < sizes.angles; ++k) data_.angle_coordinates.push_back(first_angle + k);
    for (int k = 0; k < sizes.nv; ++k) {
      data_.dofs.push_back(j.dofs[static_cast<std::size_t>(k)]);
      data_.armature.push_back(data_.dofs.back().armature);
    }
    data_.nq += sizes.nq;
    data_.nv += sizes.nv;
    data_.factor_size += sizes.nv * (sizes.nv + 1) / 2;
    data_.links.push_back(link);
    data_.joint_index.emplace(j.name, num_links() - 1);
    return num_links() - 1;
  }

  void compute_inertia_scale() {
    // Mass, length of the first moment and trace of the rotational inertia of each subtree, stretched out as far as its
    // joints let it: a child's trace grows by 4 |r| |moment| + 2 mass |r|² at most.
    struct Reach {
      double mass = 0, moment = 0, trace = 0;
    };
    std::vector<Reach> reach(data_.links.size());
    data_.inertia_scale.resize(data_.nv);
    for (int i = num_links() - 1; i >= 0; --i) {
      const Link& l = data_.links[i];
      Reach& own = reach[i];
      own.mass += l.inertia.mass;
      own.moment += norm(l.inertia.moment);
      for (int k = 0; k < 3; ++k) own.trace += l.inertia.rotational(k, k);
      for (int k = 0; k < l.nv; ++k) {
        const double inertia = is_displacement(l.kind, k) ? own.mass : own.trace + own.mass * l.pitch * l.pitch;
        data_.inertia_scale[l.v + k] = inertia + data_.armature[l.v + k];
      }
      if (l.parent == kWorld) continue;
      Reach& parent = reach[l.parent];
      const double r = norm(l.placement.p);
      parent.mass += own.mass;
      parent.moment += own.moment + own.mass * r;
      parent.trace += own.trace + 4 * r * own.moment + 2 * own.mass * r * r;
    }
  }

  friend Model make_own(const Model& model);
  friend void set_own_values(const Model& own, std::span<const RigidInertia<double>> inertias,
                             std::span<const double> armature, const Vec3<double>& gravity);
  static std::shared_ptr<Model::Data> copy_of(const Model& model) {
    return std::make_shared<Model::Data>(*model.data_);
  }
  static Model model_of(std::shared_ptr<const Model::Data> data) { return Model(std::move(data)); }
  /// All that make_own made is made without const.
  static Model::Data& data_of(const Model& own) { return *std::const_pointer_cast<Model::Data>(own.data_); }

  Model::Data& data_;
};

Model make_own(const Model& model) { return ModelCompiler::model_of(ModelCompiler::copy_of(model)); }

void set_own_values(const Model& own, std::span<const RigidInertia<double>> inertias, std::span<const double> armature,
                    const Vec3<double>& gravity) {
  auto& data = ModelCompiler::data_of(own);
  for (std::size_t i = 0; i < inertias.size(); ++i) data.links[i].inertia = inertias[i];
  data.mass = 0;
  for (const Link& link : data.links) data.mass += link.inertia.mass;
  std::ranges::copy(armature, data.armature.begin());
  data.description.gravity = gravity;
  ModelCompiler(data).compute_inertia_scale();
}

RigidInertia<double> inertia_on_link(const Model& model, int body, const Inertial& inertial) {
  return inertia_of(inertial, model.frame(model.body_frame(body)).placement);
}

Model::Model(ModelDescription description) {
  const Validation validation = validate(description);
  if (!validation.errors.empty()) {
    std::string message = "model '" + description.name + "' cannot be built:";
    for (const Finding& f : validation.errors) message += "\n  " + f.element + " " + f.message;
    throw Error(message);
  }
  const auto data = std::make_shared<Data>();
  data->description = std::move(description);
  ModelCompiler(*data).compile();
  data_ = data;
}

bool Model::branches_like(const Model& other) const {
  const auto alike = [](const Link& a, const Link& b) {
    return a.parent == b.parent && a.kind == b.kind && a.pure_rotation == b.pure_rotation;
  };
  return is(other) || std::equal(links().begin(), links().end(), other.links().begin(), other.links().end(), alike);
}

void Model::require_branches_like(const Model& other) const {
  if (!branches_like(other)) throw Error("argument 'model' is another mechanism than the operator was made for");
}

int Model::find_frame(std::string_view name) const {
  return find_named(data_->frame_index, "frame", name, this->name());
}
int Model::find_joint(std::string_view name) const {
  return find_named(data_->joint_index, "joint", name, this->name());
}

const JointDescription& Model::joint(int link) const {
  const JointPlace& place = data_->joint_places[static_cast<std::size_t>(link)];
  return data_->description.bodies[static_cast<std::size_t>(place.body)].joints[static_cast<std::size_t>(place.joint)];
}

int Model::depth() const {
  std::vector<int> level(data_->links.size());
  int deepest = 0;
  for (std::size_t i = 0; i < data_->links.size(); ++i) {
    level[i] = data_->links[i].parent == kWorld ? 1 : level[static_cast<std::size_t>(data_->links[i].parent)] + 1;
    deepest = std::max(deepest, level[i]);
  }
  return deepest;
}

std::vector<double> Model::neutral() const {
  std::vector<double> q(static_cast<std::size_t>(data_->nq), 0.0);
  for (const Link& l : data_->links) {
    if (l.kind == JointKind::kSpherical) q[static_cast<std::size_t>(l.q) + 3] = 1;
    if (l.kind == JointKind::kFree) q[static_cast<std::size_t>(l.q) + 6] = 1;
  }
  return q;
}

}  // namespace delassus
