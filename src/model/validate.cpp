// What a description must satisfy before it becomes a Model.
#include <algorithm>
#include <cmath>
#include <set>

#include "delassus/model/description.hpp"
#include "delassus/model/surface.hpp"
#include "model/principal_axes.hpp"

namespace delassus {
namespace {

/// Relative slack of the triangle inequality: files print inertias with about six digits.
constexpr double kTriangleSlack = 1e-5;
/// Tools print a zero moment of inertia as a tiny number of either sign: that one is only warned of.
constexpr double kRoundedMoment = 1e-12;
/// A zero axis, up to the rounding of a file that writes 1e-12 for zero.
constexpr double kShortestAxis = 1e-9;
/// How far R Rᵀ may be from the identity before a placement is not a rotation.
constexpr double kOrthogonality = 1e-9;

template <class Container>
bool all_finite(const Container& values) {
  return std::all_of(std::begin(values), std::end(values), [](double x) { return std::isfinite(x); });
}

class Validator {
 public:
  Validation run(const ModelDescription& d) {
    if (!all_finite(d.gravity.a)) error("model", "gravity is not finite");
    for (int i = 0; i < static_cast<int>(d.bodies.size()); ++i) check_body(d.bodies[static_cast<std::size_t>(i)], i);
    for (const FrameDescription& f : d.frames) check_frame(f, static_cast<int>(d.bodies.size()));
    for (const ShapeDescription& s : d.shapes) check_shape(s, static_cast<int>(d.bodies.size()));
    for (const ContactExclusion& e : d.excludes) check_exclusion(e, static_cast<int>(d.bodies.size()));
    for (const Keyframe& k : d.keyframes) check_keyframe(k);
    return std::move(result_);
  }

 private:
  void error(std::string element, std::string message) {
    result_.errors.push_back({std::move(element), std::move(message)});
  }
  void warning(std::string element, std::string message) {
    result_.warnings.push_back({std::move(element), std::move(message)});
  }

  void check_name(const std::string& element, const std::string& name, std::set<std::string>& taken) {
    if (name.empty()) return error(element, "has no name; give it one");
    if (!taken.insert(name).second) error(element, "has the name of another one; names must differ");
  }

  void check_pose(const std::string& element, const Pose<double>& pose) {
    if (!all_finite(pose.R.a) || !all_finite(pose.p.a)) return error(element, "has a placement that is not finite");
    if (!is_rotation(pose.R, kOrthogonality)) error(element, "has a placement whose matrix is not a rotation");
  }

  void check_body(const BodyDescription& b, int index) {
    const std::string element = "body '" + b.name + "'";
    check_name(element, b.name, frames_);
    if (b.parent < kWorld || b.parent >= index) error(element, "has a parent that does not stand before it");
    check_pose(element, b.placement);
    for (const JointDescription& j : b.joints) {
      check_joint(j);
      nq_ += static_cast<std::size_t>(sizes_of(j.kind).nq);
      nv_ += static_cast<std::size_t>(sizes_of(j.kind).nv);
    }
    check_inertial(element, b.inertial);
  }

  void check_joint(const JointDescription& j) {
    const std::string element = "joint '" + j.name + "'";
    check_name(element, j.name, joints_);
    check_pose(element, j.placement);
    check_axis(element, j.axis);
    if (j.kind == JointKind::kUniversal) {
      check_axis(element, j.axis2);
      if (norm(cross(j.axis, j.axis2)) < kShortestAxis * norm(j.axis) * norm(j.axis2))
        error(element, "has two parallel axes; a universal joint needs two directions");
    }
    if (j.kind == JointKind::kHelical && !std::isfinite(j.pitch)) error(element, "has a pitch that is not finite");
    for (int k = 0; k < sizes_of(j.kind).nv; ++k) check_dof(element, j.dofs[static_cast<std::size_t>(k)]);
  }

  void check_axis(const std::string& element, const Vec3<double>& axis) {
    if (!all_finite(axis.a)) return error(element, "has an axis that is not finite");
    if (norm(axis) < kShortestAxis) error(element, "has a zero axis; give a direction, such as 0 0 1");
  }

  void check_dof(const std::string& element, const DofProperties& d) {
    if (std::isnan(d.lower) || std::isnan(d.upper)) error(element, "has a limit that is not a number");
    if (d.lower > d.upper) warning(element, "has a lower limit above its upper limit");
    if (std::isnan(d.velocity_limit) || std::isnan(d.effort_limit))
      error(element, "has a velocity or effort limit that is not a number");
    const auto check = [&](double x, const char* what) {
      if (!(x >= 0) || !std::isfinite(x))
        error(element, std::string("has a ") + what + " that is negative or not finite");
    };
    check(d.armature, "armature");
    check(d.damping, "damping");
    check(d.friction_loss, "friction loss");
    check(d.stiffness, "stiffness");
    if (!std::isfinite(d.spring_reference) || !std::isfinite(d.reference))
      error(element, "has a reference that is not finite");
  }

  void check_inertial(const std::string& element, const Inertial& in) {
    if (!std::isfinite(in.mass) || !all_finite(in.com.a) || !all_finite(in.inertia.a)) {
      return error(element, "has a mass, centre of mass or inertia that is not finite");
    }
    if (in.mass < 0) return error(element, "has a negative mass");
    for (int i = 0; i < 3; ++i) {
      if (in.inertia(i, i) < -kRoundedMoment) return error(element, "has a negative moment of inertia");
    }
    const Vec3<double> e = principal_axes(in.inertia).moments;
    if (in.mass == 0 && e[2] > 0) warning(element, "has rotational inertia but no mass");
    if (e[0] < -kTriangleSlack * e[2]) {
      warning(element, "has an inertia matrix that is not positive semidefinite");
    } else if (e[0] + e[1] < e[2] * (1 - kTriangleSlack)) {
      warning(element, "has moments of inertia that break the triangle inequality: no distribution of mass has them");
    }
  }

  void check_frame(const FrameDescription& f, int bodies) {
    const std::string element = "frame '" + f.name + "'";
    check_name(element, f.name, frames_);
    check_pose(element, f.placement);
    if (f.body < kWorld || f.body >= bodies) error(element, "is attached to a body that does not exist");
  }

  void check_shape(const ShapeDescription& s, int bodies) {
    const std::string element = std::string(name_of(s.kind)) + " '" + s.name + "'";
    check_pose(element, s.placement);
    if (s.body < kWorld || s.body >= bodies) error(element, "is attached to a body that does not exist");
    for (int i = 0; i < size_count(s.kind); ++i) {
      if (!(s.size[i] > 0) || !std::isfinite(s.size[i])) error(element, "has a size that is not positive and finite");
    }
    check_surface(element, s);
    for (const double mu : s.friction.a) {
      if (!(mu >= 0) || !std::isfinite(mu))
        error(element, "has a coefficient of friction that is negative or not finite");
    }
    if (s.condim != 1 && s.condim != 3 && s.condim != 4 && s.condim != 6)
      error(element, "has a condim other than 1, 3, 4 or 6");
  }

  void check_surface(const std::string& element, const ShapeDescription& s) {
    if (!has_surface(s.kind)) {
      if (s.surface) error(element, "has a surface, which is for hulls, meshes and height fields; leave it out");
    } else if (!s.surface) {
      error(element, "has no surface; give it one, such as make_surface(vertices, triangles)");
    } else if ((s.surface->grid() != nullptr) != (s.kind == ShapeKind::kHeightField)) {
      error(element, s.surface->grid() ? "has a height field as its surface; make its kind heightfield"
                                       : "has a surface of triangles; give it heights, or make its kind mesh");
    }
  }

  void check_exclusion(const ContactExclusion& e, int bodies) {
    for (const int body : {e.body1, e.body2}) {
      if (body < kWorld || body >= bodies) error("exclusion", "names a body that does not exist");
    }
    if (e.body1 == e.body2) error("exclusion", "names the same body twice; a body never touches itself");
  }

  void check_keyframe(const Keyframe& k) {
    const std::string element = "keyframe '" + k.name + "'";
    if (k.q.size() != nq_ || k.v.size() != nv_) error(element, "has q or v of another size than the model's");
    if (!all_finite(k.q) || !all_finite(k.v)) error(element, "has an entry that is not finite");
  }

  Validation result_;
  std::size_t nq_ = 0, nv_ = 0;
  std::set<std::string> frames_{"world"}, joints_;
};

}  // namespace

Validation validate(const ModelDescription& description) { return Validator().run(description); }

}  // namespace delassus
