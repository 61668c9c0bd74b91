// Model: a robot compiled for the kernels. Constant after construction, so threads share it.
//
// Every joint moves one link. A body without joints is merged into the link that carries it, and its name stays as a
// frame; a body with several joints is carried by several links, all but the last without mass. The internal frame of
// a link is turned so that the joint's axis is its z: users meet links only through frames, which have the
// orientation that the file gave them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "delassus/math/pack.hpp"
#include "delassus/math/rotation.hpp"
#include "delassus/math/spatial.hpp"
#include "delassus/model/description.hpp"

namespace delassus {

/// What kernels read of one link and its joint.
struct Link {
  Pose<double> placement;        // internal joint frame at zero, in the parent link's internal frame
  Mat3<double> second;           // universal: rotation between its two axes
  RigidInertia<double> inertia;  // internal axes, about the link's origin
  double pitch;
  std::int32_t parent;  // link index, or kWorld
  std::int32_t q, v;    // first coordinate and first degree of freedom
  std::int32_t angle;   // first entry of angle_coordinates()
  std::int32_t factor;  // first entry of the packed triangle of its D, nv(nv+1)/2 each
  JointKind kind;
  std::uint8_t nv;
  bool pure_rotation;  // a single axis through the link's origin: S has no linear part there
};

/// A place on a link where things can be attached.
struct Frame {
  std::string name;
  int link;                // kWorld if it does not move
  Pose<double> placement;  // in the link's internal frame
  int body;                // index of the body in the description that it belongs to
};

/// A handle: copies share one robot, so who keeps a model keeps a copy, and nothing that a model was given to has to outlive it.
class Model {
 public:
  /// Throws an Error that names every element with an error.
  explicit Model(ModelDescription description);
  // Moves copy, so that no model is empty.
  Model(const Model&) = default;
  Model& operator=(const Model&) = default;
  ~Model() = default;

  /// Whether both are copies of one model.
  bool is(const Model& other) const { return data_ == other.data_; }
  /// Whether links have the same parents and the same joints; masses and placements may differ.
  bool branches_like(const Model& other) const;
  /// Throws an Error unless they do: the memory of an operator depends on that.
  void require_branches_like(const Model& other) const;

  const ModelDescription& description() const { return data_->description; }
  const std::string& name() const { return data_->description.name; }

  int num_links() const { return static_cast<int>(data_->links.size()); }
  int nq() const { return data_->nq; }
  int nv() const { return data_->nv; }
  const std::vector<Link>& links() const { return data_->links; }
  const Link& link(int i) const { return data_->links[static_cast<std::size_t>(i)]; }
  /// Properties per degree of freedom.
  const std::vector<DofProperties>& dofs() const { return data_->dofs; }
  const std::vector<double>& armature() const { return data_->armature; }
  /// Per degree of freedom the largest inertia that what it moves could show to it, whatever the other joints do (but for
  /// displacements, which nothing bounds). Rounding errors of inertias are a multiple of this, so it tells rounding from
  /// inertia.
  const std::vector<double>& inertia_scale() const { return data_->inertia_scale; }
  /// The q indices whose sine and cosine kinematics needs, in link order.
  const std::vector<std::int32_t>& angle_coordinates() const { return data_->angle_coordinates; }
  /// Length of the storage for all packed triangles of D.
  int factor_size() const { return data_->factor_size; }

  const Vec3<double>& gravity() const { return data_->description.gravity; }
  double mass() const { return data_->mass; }
  /// Mass times centre of mass of what is fixed to the world.
  const Vec3<double>& fixed_moment() const { return data_->fixed_moment; }

  /// Frame 0 is the world; then one for each body in order, then the named ones.
  const std::vector<Frame>& frames() const { return data_->frames; }
  const Frame& frame(int i) const { return data_->frames[static_cast<std::size_t>(i)]; }
  int body_frame(int body) const { return body + 1; }
  /// Throws an Error that names close matches if there is no such frame, or joint.
  int find_frame(std::string_view name) const;
  int find_joint(std::string_view name) const;
  bool has_frame(std::string_view name) const { return data_->frame_index.contains(std::string(name)); }
  bool has_joint(std::string_view name) const { return data_->joint_index.contains(std::string(name)); }
  /// The name and description of the joint that moves link i.
  const JointDescription& joint(int link) const;
  const std::string& joint_name(int link) const { return joint(link).name; }

  /// Number of links on the longest path from the world.
  int depth() const;
  /// The coordinates at which every joint is at zero.
  std::vector<double> neutral() const;

 private:
  friend class ModelCompiler;
  friend class LimbFolder;  // which makes smaller mechanisms of parts of a model (src/model/limb_model.hpp)

  struct JointPlace {
    int body;
    int joint;
  };
  struct Data {
    ModelDescription description;
    std::vector<Link> links;
    std::vector<JointPlace> joint_places;
    std::vector<DofProperties> dofs;
    std::vector<double> armature, inertia_scale;
    std::vector<std::int32_t> angle_coordinates;
    std::vector<Frame> frames;
    std::unordered_map<std::string, int> frame_index, joint_index;
    int nq = 0, nv = 0, factor_size = 0;
    double mass = 0;
    Vec3<double> fixed_moment{{0, 0, 0}};
  };

  explicit Model(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

/// Takes over the model that an operator is given, which was made for `kept`. Throws an Error unless it branches alike.
template <class M>
void take_model(const M& model, M& kept) {
  if (model.is(kept)) return;
  model.require_branches_like(kept);
  kept = model;
}

class FoldedModel;  // of Limbs
/// The mechanism that kernels of a scalar work on.
template <class T>
using ModelOf = std::conditional_t<kFolded<T>, FoldedModel, Model>;

}  // namespace delassus
