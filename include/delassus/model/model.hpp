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
#include <unordered_map>
#include <vector>

#include "delassus/math/inertia.hpp"
#include "delassus/math/limbs.hpp"
#include "delassus/math/rotation.hpp"
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
  // Of a fold (limb_model.hpp).
  bool trunk = false;  // the same link in every lane
  struct {
    std::int32_t first = 0, count = 0;
  } ways = {};  // where lanes hang on different links; then `parent` is the deepest of these
};

/// Lanes of a link of a fold, and the link of the trunk that they hang on.
struct Way {
  std::int32_t parent;
  LaneSet lanes;
};

/// The constants of a fold, with a number for each lane.
struct FoldConstants {
  struct LinkLanes {
    Pose<Limbs> placement;
    Mat3<Limbs> second;
    RigidInertia<Limbs> inertia;
    Limbs pitch;
  };
  std::vector<LinkLanes> links;
  std::vector<Limbs> armature, inertia_scale;  // per degree of freedom
  std::vector<Way> ways;
};
struct LimbModel;

/// A place on a link where things can be attached.
struct Frame {
  std::string name;
  int link;                // kWorld if it does not move
  Pose<double> placement;  // in the link's internal frame
  int body;                // index of the body in the description that it belongs to
};

class Model {
 public:
  /// Throws an Error that names every element with an error.
  explicit Model(ModelDescription description);

  const ModelDescription& description() const { return description_; }
  const std::string& name() const { return description_.name; }

  int num_links() const { return static_cast<int>(links_.size()); }
  int nq() const { return nq_; }
  int nv() const { return nv_; }
  const std::vector<Link>& links() const { return links_; }
  const Link& link(int i) const { return links_[static_cast<std::size_t>(i)]; }
  /// Properties per degree of freedom.
  const std::vector<DofProperties>& dofs() const { return dofs_; }
  const std::vector<double>& armature() const { return armature_; }
  /// Per degree of freedom the largest inertia that what it moves could show to it, whatever the other joints do (but for
  /// displacements, which nothing bounds). Rounding errors of inertias are a multiple of this, so it tells rounding from
  /// inertia.
  const std::vector<double>& inertia_scale() const { return inertia_scale_; }
  /// The q indices whose sine and cosine kinematics needs, in link order.
  const std::vector<std::int32_t>& angle_coordinates() const { return angle_coordinates_; }
  /// Length of the storage for all packed triangles of D.
  int factor_size() const { return factor_size_; }

  const Vec3<double>& gravity() const { return description_.gravity; }
  double mass() const { return mass_; }
  /// Mass times centre of mass of what is fixed to the world.
  const Vec3<double>& fixed_moment() const { return fixed_moment_; }

  /// Frame 0 is the world; then one for each body in order, then the named ones.
  const std::vector<Frame>& frames() const { return frames_; }
  const Frame& frame(int i) const { return frames_[static_cast<std::size_t>(i)]; }
  int body_frame(int body) const { return body + 1; }
  /// Throws an Error that names close matches if there is no such frame, or joint.
  int find_frame(std::string_view name) const;
  int find_joint(std::string_view name) const;
  bool has_frame(std::string_view name) const { return frame_index_.contains(std::string(name)); }
  bool has_joint(std::string_view name) const { return joint_index_.contains(std::string(name)); }
  /// The name and description of the joint that moves link i.
  const JointDescription& joint(int link) const;
  const std::string& joint_name(int link) const { return joint(link).name; }

  /// The robot with its limbs side by side, or null where lanes do not pay (limb_model.hpp).
  const LimbModel* limbs() const { return limbs_.get(); }
  /// Of the shape of a LimbModel.
  const FoldConstants& fold() const { return *fold_; }

  /// Number of links on the longest path from the world.
  int depth() const;
  /// The coordinates at which every joint is at zero.
  std::vector<double> neutral() const;

 private:
  friend class LimbFolder;
  Model() = default;

  struct JointPlace {
    int body;
    int joint;
  };

  void compile();
  void compute_inertia_scale();
  void add_frame(std::string name, int link, const Pose<double>& placement, int body);
  int add_link(const JointDescription& joint, int parent, const Pose<double>& placement);

  ModelDescription description_;
  std::vector<Link> links_;
  std::vector<JointPlace> joint_places_;
  std::vector<DofProperties> dofs_;
  std::vector<double> armature_, inertia_scale_;
  std::vector<std::int32_t> angle_coordinates_;
  std::vector<Frame> frames_;
  std::unordered_map<std::string, int> frame_index_, joint_index_;
  int nq_ = 0, nv_ = 0, factor_size_ = 0;
  double mass_ = 0;
  Vec3<double> fixed_moment_{{0, 0, 0}};
  std::shared_ptr<const LimbModel> limbs_;
  std::shared_ptr<const FoldConstants> fold_;
};

}  // namespace delassus
