#include "delassus/constraints/constraint.hpp"

#include <array>
#include <bit>
#include <cmath>

#include "delassus/math/error.hpp"

namespace delassus {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // clang 14 does not deduce it for aggregates

constexpr unsigned kAllAxes = 7;

/// How far a matrix that a user gives as axes may be from right-handed and orthonormal.
constexpr double kAxesTolerance = 1e-6;

bool is_rotation(const Mat3<double>& R) {
  const Mat3<double> E = R * transposed(R) - Mat3<double>::identity();
  for (double e : E.a) {
    if (!(std::abs(e) < kAxesTolerance)) return false;
  }
  return dot(cross(column(R, 0), column(R, 1)), column(R, 2)) > 0;
}

class Checker {
 public:
  Checker(const Model& model, const Constraint& c) : model_(model), c_(c) {}

  void operator()(const PointContact& x) const {
    require_frame(x.a);
    require_frame(x.b);
    if (!is_rotation(x.axes)) fail("needs axes n, t1, t2 that are orthogonal unit vectors and right-handed");
    require_finite(x.gap, "gap");
  }
  void operator()(const LoopClosure& x) const {
    require_frame(x.first);
    require_frame(x.second);
    if (x.free_linear > kAllAxes || x.free_angular > kAllAxes) fail("frees an axis other than x, y, z");
    if (x.free_linear == kAllAxes && x.free_angular == kAllAxes) fail("frees every axis; remove it");
    if (x.axes == LoopAxes::kWorldAxes && !(whole(x.free_linear) && whole(x.free_angular))) {
      fail("has free axes, which move with frame 1: use the axes of frame 1");
    }
  }
  void operator()(const Distance& x) const {
    require_frame(x.first);
    require_frame(x.second);
    if (!(x.length > 0) || !std::isfinite(x.length)) fail("needs a length above zero; a loop closure holds points together");
  }
  void operator()(const JointLimit& x) const {
    require_dof(x.link, x.dof);
    require_finite(x.bound, "bound");
  }
  void operator()(const JointFriction& x) const { require_link(x.link); }
  void operator()(const JointCoupling& x) const {
    if (x.terms.empty()) fail("couples no joints");
    for (const JointCoupling::Term& t : x.terms) {
      require_dof(t.link, t.dof);
      require_finite(t.weight, "weight");
    }
    require_finite(x.offset, "offset");
  }
  void operator()(const CentreOfMass&) const {
    if (!(model_.mass() > 0)) fail("needs a model with mass");
  }
  void operator()(const CustomRows& x) const {
    if (x.rows <= 0) fail("needs at least one row");
    for (const CustomRows::BodyTerm& t : x.bodies) {
      require_frame(t.frame);
      if (static_cast<int>(t.K.size()) != 6 * x.rows) fail("needs six entries of K for each row");
    }
    for (const CustomRows::DofTerm& t : x.dofs) {
      if (t.v < 0 || t.v >= model_.nv()) fail("names a degree of freedom that does not exist");
      if (static_cast<int>(t.weights.size()) != x.rows) fail("needs one weight for each row");
    }
    if (!x.position.empty() && static_cast<int>(x.position.size()) != x.rows) fail("needs one position for each row, or none");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(std::string(kind_of(c_)) + " constraint '" + name_of(c_) + "' " + what);
  }
  static bool whole(unsigned free) { return free == 0 || free == kAllAxes; }
  void require_finite(double x, const char* what) const {
    if (!std::isfinite(x)) fail(std::string("has a ") + what + " that is not finite");
  }
  void require_frame(int frame) const {
    if (frame < 0 || frame >= static_cast<int>(model_.frames().size())) fail("is attached to a frame that does not exist");
  }
  void require_frame(const Attachment& a) const {
    require_frame(a.frame);
    for (double x : a.offset.p.a) require_finite(x, "point");
    if (!is_rotation(a.offset.R)) fail("has an attachment whose matrix is not a rotation");
  }
  void require_link(int link) const {
    if (link < 0 || link >= model_.num_links()) fail("names a joint that does not exist");
  }
  void require_dof(int link, int dof) const {
    require_link(link);
    const Link& l = model_.link(link);
    if (l.kind == JointKind::kSpherical || l.kind == JointKind::kFree) {
      fail("acts on a coordinate of joint '" + model_.joint_name(link) + "', whose velocity is not the rate of its coordinates");
    }
    if (dof < 0 || dof >= l.nv) fail("names a degree of freedom that joint '" + model_.joint_name(link) + "' does not have");
  }

  const Model& model_;
  const Constraint& c_;
};

}  // namespace

Attachment attach(const Model& model, std::string_view frame, const Vec3<double>& point) {
  return {model.find_frame(frame), {Mat3<double>::identity(), point}};
}

Mat3<double> contact_axes(const Vec3<double>& normal) {
  const double length = norm(normal);
  if (!(length > 0) || !std::isfinite(length)) throw Error("argument 'normal' is zero or not finite");
  // The rotation takes z to the normal, x and y to the tangents.
  const Mat3<double> R = rotation_from_z_to((1 / length) * normal);
  return {{R(0, 2), R(1, 2), R(2, 2), R(0, 0), R(1, 0), R(2, 0), R(0, 1), R(1, 1), R(2, 1)}};
}

LoopClosure make_weld(std::string name, const Attachment& first, const Attachment& second) {
  return {std::move(name), first, second, 0, 0, LoopAxes::kFrame1, {}};
}

LoopClosure make_ball(std::string name, const Attachment& first, const Attachment& second) {
  return {std::move(name), first, second, 0, kAllAxes, LoopAxes::kWorldAxes, {}};
}

const std::string& name_of(const Constraint& c) {
  return std::visit([](const auto& x) -> const std::string& { return x.name; }, c);
}

const ForceSet& set_of(const Constraint& c) {
  return std::visit([](const auto& x) -> const ForceSet& { return x.set; }, c);
}

std::string_view kind_of(const Constraint& c) {
  static constexpr std::array<std::string_view, std::variant_size_v<Constraint>> kKinds{
      "contact", "loop", "distance", "limit", "friction", "coupling", "centre_of_mass", "custom"};
  return kKinds[c.index()];
}

int row_count(const Model& model, const Constraint& c) {
  return std::visit(Overloaded{[](const PointContact& x) { return row_count(x.kind); },
                               [](const LoopClosure& x) {
                                 return 6 - std::popcount(unsigned{x.free_linear}) - std::popcount(unsigned{x.free_angular});
                               },
                               [&](const JointFriction& x) { return int{model.link(x.link).nv}; },
                               [](const CentreOfMass&) { return 3; }, [](const CustomRows& x) { return x.rows; },
                               [](const auto&) { return 1; }},
                    c);
}

void require_valid(const Model& model, const Constraint& c) { std::visit(Checker(model, c), c); }

}  // namespace delassus
