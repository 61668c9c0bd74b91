// <geom>: its shape, and the inertia that it brings.
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "io/mjcf_document.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

constexpr double kPi = std::numbers::pi;

/// In the order of kGeomTypes; the rest are not primitive.
constexpr ShapeKind kKinds[] = {ShapeKind::kPlane,     ShapeKind::kSphere,   ShapeKind::kCapsule,
                                ShapeKind::kEllipsoid, ShapeKind::kCylinder, ShapeKind::kBox};
constexpr int kPrimitives = 6, kSphereType = 1, kMeshType = 6;

/// The volume, and the moments of inertia for a mass of one.
struct Solid {
  double volume = 0;
  Vec3<double> moments{{0, 0, 0}};
};

Solid solid_of(ShapeKind kind, const Vec3<double>& s) {
  const double x2 = s[0] * s[0], y2 = s[1] * s[1], z2 = s[2] * s[2];
  switch (kind) {
    case ShapeKind::kSphere:
      return {4 * kPi / 3 * x2 * s[0], {{0.4 * x2, 0.4 * x2, 0.4 * x2}}};
    case ShapeKind::kBox:
      return {8 * s[0] * s[1] * s[2], {{(y2 + z2) / 3, (x2 + z2) / 3, (x2 + y2) / 3}}};
    case ShapeKind::kEllipsoid:
      return {4 * kPi / 3 * s[0] * s[1] * s[2], {{(y2 + z2) / 5, (x2 + z2) / 5, (x2 + y2) / 5}}};
    case ShapeKind::kCylinder: {
      const double across = x2 / 4 + y2 / 3;
      return {2 * kPi * x2 * s[1], {{across, across, x2 / 2}}};
    }
    case ShapeKind::kCapsule: {
      // A cylinder of length h and two half spheres, whose centres lie 3r/8 behind their flat sides.
      const double r = s[0], h = 2 * s[1], caps = 4 * r / (4 * r + 3 * h), tube = 1 - caps;
      const double across = tube * (3 * x2 + h * h) / 12 + caps * (0.4 * x2 + h * (3 * r + 2 * h) / 8);
      return {kPi * x2 * h + 4 * kPi / 3 * x2 * r, {{across, across, tube * x2 / 2 + caps * 0.4 * x2}}};
    }
    default:  // a plane has none, a surface is more than a size
      return {};
  }
}

/// From `fromto`: the pose, and the half length in the place where the kind has it.
void read_fromto(const MjcfElement& element, ShapeDescription& shape) {
  const Vec<double, 6> x = element.vector_or<6>("fromto", {});
  const Vec3<double> from{{x[0], x[1], x[2]}}, to{{x[3], x[4], x[5]}}, along = from - to;
  if (!is_usable(along.a, 3)) element.fail("its fromto has no length; give two points");
  if (element.vector_or<3>("pos", {{0, 0, 0}}) != Vec3<double>{{0, 0, 0}}) {
    element.fail("has both pos and fromto; remove one");
  }
  shape.placement = {mjcf_rotation_from_z(along), 0.5 * (from + to)};
  const double half = norm(along) / 2;
  if (size_count(shape.kind) == 3) {
    shape.size[1] = shape.size[0];
    shape.size[2] = half;
  } else {
    shape.size[1] = half;
  }
}

void read_shape(const MjcfElement& element, const MjcfSettings& settings, ShapeDescription& shape) {
  if (element.has("fromto") && (shape.kind == ShapeKind::kPlane || shape.kind == ShapeKind::kSphere)) {
    element.fail(fmt::format("is a {} and has fromto, which is for longer shapes; give it a pos", name_of(shape.kind)));
  }
  if (shape.kind == ShapeKind::kPlane) {  // its size is for drawing
    shape.placement = element.pose(settings);
    return;
  }
  int given = element.fill("size", shape.size.a, 3);
  int needed = size_count(shape.kind);
  if (element.has("fromto")) {
    if (given > 0) given = needed;
    read_fromto(element, shape);
  } else {
    shape.placement = element.pose(settings);
  }
  if (given < needed)
    element.fail(fmt::format("is a {} and needs {} as size", name_of(shape.kind), counted(needed, "number")));
  for (int i = 0; i < needed; ++i) {
    if (!(shape.size[i] > 0)) element.fail("has a size that is not above zero; sizes are positive");
  }
  for (int i = needed; i < 3; ++i) shape.size[i] = 0;
}

void read_contact(const MjcfElement& element, MjcfGeom& geom) {
  element.fill("friction", geom.shape.friction.a, 3);
  for (const double mu : geom.shape.friction.a) {
    if (mu < 0) element.fail("has a negative coefficient of friction");
  }
  geom.shape.condim = element.integer_or("condim", 3);
  if (geom.shape.condim != 1 && geom.shape.condim != 3 && geom.shape.condim != 4 && geom.shape.condim != 6) {
    element.fail("its condim must be 1, 3, 4 or 6");
  }
  const int type = element.integer_or("contype", 1), affinity = element.integer_or("conaffinity", 1);
  geom.collides = type != 0 || affinity != 0;
  if (!geom.collides) return;
  if (type != 1) element.own().ignore_attribute("contype");
  if (affinity != 1) element.own().ignore_attribute("conaffinity");
}

Inertial inertial_of(const ShapeDescription& shape, std::optional<double> mass, double density) {
  const Solid solid = solid_of(shape.kind, shape.size);
  Inertial out;
  if (shape.kind == ShapeKind::kPlane) return out;
  out.mass = mass.value_or(density * solid.volume);
  out.com = shape.placement.p;
  for (int i = 0; i < 3; ++i) out.inertia(i, i) = out.mass * solid.moments[i];
  out.inertia = congruence(shape.placement.R, out.inertia);
  return out;
}

}  // namespace

MjcfGeom read_mjcf_geom(const MjcfContext& context, const MjcfNode& node, int inherited_class,
                        const std::string& body) {
  const std::string label = mjcf_label(node, body);
  const MjcfElement element(node, label, context.defaults, inherited_class, "geom");
  element.own().ignore_all_but(
      {"name", "class", "type", "size", "mass", "density", "fromto", "pos", "quat", "axisangle", "euler", "xyaxes",
       "zaxis", "friction", "condim", "contype", "conaffinity", "group", "mesh"},
      {});
  MjcfGeom out;
  out.node = node;
  out.shape.name = element.text_or("name", "");
  out.group = element.integer_or("group", 0);
  const int type =
      element.word_or("type", {"plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "hfield", "sdf"},
                      element.has("mesh") ? kMeshType : kSphereType);
  std::optional<double> mass;
  if (element.has("mass")) mass = element.number_or("mass", 0);
  const double density = element.number_or("density", 1000);
  if (mass.value_or(0) < 0 || density < 0) element.fail("has a negative mass or density; it is zero or more");
  out.has_mass = type != 0 && mass.value_or(density) > 0;
  read_contact(element, out);
  if (type >= kPrimitives || element.has("mesh")) {
    out.primitive = out.collides = false;
    node.file->report().ignore("geom (mesh, hfield or sdf)", node.line());
    return out;
  }
  out.shape.kind = kKinds[type];
  read_shape(element, context.settings, out.shape);
  out.inertial = inertial_of(out.shape, mass, density);
  if (!out.collides) node.file->report().ignore("geom (contype 0 and conaffinity 0) as a shape", node.line());
  return out;
}

Inertial sum_of(const std::vector<Inertial>& parts) {
  Inertial out;
  Vec3<double> moment{{0, 0, 0}};
  for (const Inertial& part : parts) {
    out.mass += part.mass;
    moment = moment + part.mass * part.com;
  }
  if (!(out.mass > 0)) return out;
  out.com = (1 / out.mass) * moment;
  for (const Inertial& part : parts) {
    const Vec3<double> d = part.com - out.com;
    out.inertia += part.inertia;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c <= r; ++c) out.inertia(r, c) += part.mass * ((r == c ? dot(d, d) : 0) - d[r] * d[c]);
    }
  }
  return out;
}

}  // namespace delassus::io
