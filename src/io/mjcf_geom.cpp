// <geom>: its shape, and the inertia that it brings.
#include <optional>

#include <fmt/format.h>

#include "io/mjcf_document.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

/// In the order of kGeomTypes; the rest are not primitive.
constexpr ShapeKind kKinds[] = {ShapeKind::kPlane,     ShapeKind::kSphere,   ShapeKind::kCapsule,
                                ShapeKind::kEllipsoid, ShapeKind::kCylinder, ShapeKind::kBox};
constexpr int kPrimitives = 6, kPlaneType = 0, kSphereType = 1, kMeshType = 6, kHeightFieldType = 7;

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

const char* why_not_read(int type) {
  if (type < kPrimitives) return "geom (a primitive that is fitted to a mesh)";
  return type == kMeshType ? "geom (its mesh is not read)"
                           : (type == kHeightFieldType ? "geom (its height field is not read)" : "geom (sdf)");
}

struct Weight {
  std::optional<double> mass;  // else by density
  double density;
};

Weight read_weight(const MjcfElement& element) {
  Weight out{{}, element.number_or("density", 1000)};
  if (element.has("mass")) out.mass = element.number_or("mass", 0);
  if (out.mass.value_or(0) < 0 || out.density < 0) element.fail("has a negative mass or density; it is zero or more");
  return out;
}

Inertial inertial_of(const Solid& solid, const Pose<double>& placement, const Weight& weight) {
  Inertial out;
  if (!(solid.volume > 0)) return out;
  out.mass = weight.mass.value_or(weight.density * solid.volume);
  out.com = placement * solid.com;
  for (std::size_t i = 0; i < std::size(out.inertia.a); ++i) out.inertia.a[i] = out.mass * solid.inertia.a[i];
  out.inertia = congruence(placement.R, out.inertia);
  return out;
}

/// MuJoCo lets the convex hulls of meshes collide, and so do we. One that neither touches nor weighs anything is for
/// display, and its file is not looked at.
void read_mesh_geom(const MjcfContext& context, const MjcfElement& element, const Weight& weight, MjcfGeom& geom) {
  geom.shape.kind = ShapeKind::kHull;
  geom.shape.placement = element.pose(context.settings);
  if (!geom.collides && !geom.has_mass) return;
  const MjcfMesh* mesh = context.assets.mesh(element);
  geom.is_read = mesh != nullptr;
  if (mesh == nullptr) return;
  if (geom.has_mass) geom.inertial = inertial_of(mesh->solid(), geom.shape.placement, weight);
  if (geom.collides) geom.shape.surface = mesh->hull();
}

/// It has no mass, as in MuJoCo.
void read_height_field_geom(const MjcfContext& context, const MjcfElement& element, MjcfGeom& geom) {
  geom.shape.kind = ShapeKind::kHeightField;
  geom.shape.placement = element.pose(context.settings);
  geom.shape.surface = context.assets.height_field(element);
  geom.is_read = geom.shape.surface != nullptr;
}

}  // namespace

MjcfGeom read_mjcf_geom(const MjcfContext& context, const MjcfNode& node, int inherited_class,
                        const std::string& body) {
  const std::string label = mjcf_label(node, body);
  const MjcfElement element(node, label, context.defaults, inherited_class, "geom");
  element.own().ignore_all_but(
      {"name",  "class",  "type",  "size",     "mass",   "density", "fromto",      "pos",   "quat", "axisangle",
       "euler", "xyaxes", "zaxis", "friction", "condim", "contype", "conaffinity", "group", "mesh", "hfield"},
      {});
  MjcfGeom out;
  out.node = node;
  out.shape.name = element.text_or("name", "");
  out.group = element.integer_or("group", 0);
  const int type =
      element.word_or("type", {"plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "hfield", "sdf"},
                      element.has("mesh") ? kMeshType : kSphereType);
  const Weight weight = read_weight(element);
  out.has_mass = type != kPlaneType && type != kHeightFieldType && weight.mass.value_or(weight.density) > 0;
  read_contact(element, out);
  if (type == kMeshType) {
    read_mesh_geom(context, element, weight, out);
  } else if (type == kHeightFieldType) {
    read_height_field_geom(context, element, out);
  } else if (type >= kPrimitives || element.has("mesh")) {
    out.is_read = false;
  } else {
    out.shape.kind = kKinds[type];
    read_shape(element, context.settings, out.shape);
    out.inertial = inertial_of(solid_of(out.shape.kind, out.shape.size), out.shape.placement, weight);
  }
  if (!out.is_read) {
    out.collides = false;
    node.file->report().ignore(why_not_read(type), node.line());
    return out;
  }
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
