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
/// More rows in one constraint are a mistake, not a robot.
constexpr int kMostRows = 1'000'000;

/// How far a matrix that a user gives as axes may be from right-handed and orthonormal.
constexpr double kAxesTolerance = 1e-6;

class Checker {
 public:
  Checker(const Model& model, const Constraint& c) : model_(model), c_(c) {}

  void operator()(const PointContact& x) const {
    require_frame(x.a);
    require_frame(x.b);
    if (!is_rotation(x.axes, kAxesTolerance))
      fail("needs axes n, t1, t2 that are orthogonal unit vectors and right-handed");
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
    if (!(x.length > 0) || !std::isfinite(x.length))
      fail("needs a length above zero; a loop closure holds points together");
  }
  void operator()(const JointLimit& x) const {
    require_dof(x.link, x.dof);
    require_finite(x.bound, "bound");
  }
  void operator()(const JointFriction& x) const {
    require_link(x.link);
    require_dof_of(x.link, x.dof);
  }
  void operator()(const JointCoupling& x) const {
    if (x.terms.empty()) fail("couples no joints");
    for (const JointCoupling::Term& t : x.terms) {
      require_dof(t.link, t.dof);
      require_finite(t.weight, "weight");
    }
    require_finite(x.offset, "offset");
  }
  void operator()(const CentreOfMass& x) const {
    if (!(model_.mass() > 0)) fail("needs a model with mass");
    for (double t : x.target.a) require_finite(t, "target");
  }
  void operator()(const CustomRows& x) const {
    if (x.rows <= 0 || x.rows > kMostRows) fail("needs at least one row, and not millions");
    for (const CustomRows::BodyTerm& t : x.bodies) {
      require_frame(t.frame);
      if (static_cast<int>(t.K.size()) != 6 * x.rows) fail("needs six entries of K for each row");
      for (double k : t.K) require_finite(k, "K");
    }
    for (const CustomRows::DofTerm& t : x.dofs) {
      if (t.v < 0 || t.v >= model_.nv()) fail("names a degree of freedom that does not exist");
      if (static_cast<int>(t.weights.size()) != x.rows) fail("needs one weight for each row");
      for (double w : t.weights) require_finite(w, "weight");
    }
    if (!x.position.empty() && static_cast<int>(x.position.size()) != x.rows)
      fail("needs one position for each row, or none");
    for (double p : x.position) require_finite(p, "position");
  }

  void operator()(const JointPolynomial& x) const {
    require_dof(x.link, x.dof);
    for (double c : x.coefficients) require_finite(c, "coefficient");
    if (x.other_link == -1) return;
    require_dof(x.other_link, x.other_dof);
    if (x.link == x.other_link && x.dof == x.other_dof)
      fail("makes a coordinate a function of itself; name another joint");
  }

  void check(const ForceSet& set) const {
    if (!(set.bound >= 0)) fail("has a set whose bound is negative or not a number");
    for (double mu : {set.mu, set.mu_across, set.mu_torsion, set.mu_rolling}) {
      if (!(mu >= 0) || !std::isfinite(mu)) fail("has a coefficient of friction that is negative or not finite");
    }
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
    if (frame < 0 || frame >= static_cast<int>(model_.frames().size()))
      fail("is attached to a frame that does not exist");
  }
  void require_frame(const Attachment& a) const {
    require_frame(a.frame);
    for (double x : a.offset.p.a) require_finite(x, "point");
    if (!is_rotation(a.offset.R, kAxesTolerance)) fail("has an attachment whose matrix is not a rotation");
  }
  void require_link(int link) const {
    if (link < 0 || link >= model_.num_links()) fail("names a joint that does not exist");
  }
  void require_dof(int link, int dof) const {
    require_link(link);
    const Link& l = model_.link(link);
    if (l.kind == JointKind::kSpherical || l.kind == JointKind::kFree) {
      fail("acts on a coordinate of joint '" + model_.joint_name(link) +
           "', whose velocity is not the rate of its coordinates");
    }
    require_dof_of(link, dof);
  }
  void require_dof_of(int link, int dof) const {
    if (dof < 0 || dof >= model_.link(link).nv) {
      fail("names a degree of freedom that joint '" + model_.joint_name(link) + "' does not have");
    }
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

namespace {

/// "knee", or "hip[1]" where a joint has several degrees of freedom.
std::string dof_name(const Model& model, int link, int dof) {
  const std::string& joint = model.joint_name(link);
  return model.link(link).nv == 1 ? joint : joint + "[" + std::to_string(dof) + "]";
}

}  // namespace

std::vector<Constraint> make_joint_limits(const Model& model) {
  std::vector<Constraint> out;
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    if (link.kind == JointKind::kSpherical || link.kind == JointKind::kFree) continue;
    for (int dof = 0; dof < link.nv; ++dof) {
      const DofProperties& d = model.dofs()[link.v + dof];
      const std::string name = dof_name(model, i, dof);
      if (std::isfinite(d.lower)) out.emplace_back(JointLimit{name + " lower", i, dof, false, d.lower});
      if (std::isfinite(d.upper)) out.emplace_back(JointLimit{name + " upper", i, dof, true, d.upper});
    }
  }
  return out;
}

std::vector<Constraint> make_joint_friction(const Model& model, double otherwise) {
  std::vector<Constraint> out;
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    for (int dof = 0; dof < link.nv; ++dof) {
      const double own = model.dofs()[link.v + dof].friction_loss;
      const double loss = own > 0 || link.kind == JointKind::kFree ? own : otherwise;
      if (loss > 0)
        out.emplace_back(JointFriction{dof_name(model, i, dof) + " friction", i, dof, {SetKind::kBox, loss}});
    }
  }
  return out;
}

const std::string& name_of(const Constraint& c) {
  return std::visit([](const auto& x) -> const std::string& { return x.name; }, c);
}

const ForceSet& set_of(const Constraint& c) {
  return std::visit([](const auto& x) -> const ForceSet& { return x.set; }, c);
}

std::string_view kind_of(const Constraint& c) {
  static constexpr std::array<std::string_view, std::variant_size_v<Constraint>> kKinds{
      "contact", "loop", "distance", "limit", "friction", "coupling", "centre_of_mass", "custom", "polynomial"};
  return kKinds[c.index()];
}

int row_count(const Constraint& c) {
  return std::visit(Overloaded{[](const PointContact& x) { return row_count(x.kind); },
                               [](const LoopClosure& x) {
                                 return 6 - std::popcount(unsigned{x.free_linear}) -
                                        std::popcount(unsigned{x.free_angular});
                               },
                               [](const CentreOfMass&) { return 3; }, [](const CustomRows& x) { return x.rows; },
                               [](const auto&) { return 1; }},
                    c);
}

void require_valid(const Model& model, const Constraint& c) {
  const Checker checker(model, c);
  std::visit(checker, c);
  checker.check(set_of(c));
}

}  // namespace delassus
