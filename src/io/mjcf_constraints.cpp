// <equality>: connect, weld, joint and distance as constraints.
#include <algorithm>

#include <fmt/format.h>

#include "delassus/math/error.hpp"
#include "io/mjcf_assembly.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

Pose<double> at_point(const Vec3<double>& p) { return {Mat3<double>::identity(), p}; }

class EqualityReader {
 public:
  EqualityReader(const MjcfDocument& document, const MjcfAssembly& assembly, const Model& model)
      : document_(document), assembly_(assembly), model_(model) {}

  /// Nothing if the library has no such constraint; then it is listed.
  std::optional<Constraint> read(const MjcfElement& element, const std::string& name) const {
    const std::string_view tag = element.own().tag();
    if (tag == "connect") return connect(element, name);
    if (tag == "weld") return weld(element, name);
    if (tag == "joint") return polynomial(element, name);
    if (tag == "distance") return distance(element, name);
    element.own().ignore();
    return std::nullopt;
  }

 private:
  const Pose<double>& pose(int body) const { return assembly_.body_poses[static_cast<std::size_t>(body)]; }

  int second_body(const MjcfElement& element) const {
    return element.has("body2") ? assembly_.find_body(element, "body2") : 0;
  }

  Attachment at_site(const MjcfElement& element, const char* attribute) const {
    const std::string name(element.own().text(attribute));
    const auto found = assembly_.sites.find(name);
    if (found == assembly_.sites.end()) {
      ClosestName closest(name);
      for (const auto& [candidate, i] : assembly_.sites) closest.consider(candidate);
      element.fail("there is no site " + in_quotes(name) + closest.hint());
    }
    return {found->second};
  }

  LoopClosure between_sites(LoopClosure loop, const MjcfElement& element) const {
    loop.first = at_site(element, "site1");
    loop.second = at_site(element, "site2");
    return loop;
  }

  static void ignore_others(const MjcfElement& element, std::initializer_list<std::string_view> attributes) {
    element.own().ignore_all_but(attributes, {});
  }

  Constraint connect(const MjcfElement& element, const std::string& name) const {
    ignore_others(element, {"name", "class", "active", "body1", "body2", "anchor", "site1", "site2"});
    if (element.has("site1")) return between_sites(make_ball(name, {}, {}), element);
    const int one = assembly_.find_body(element, "body1"), two = second_body(element);
    require_two(element, one, two);
    const Vec3<double> anchor = element.own().vector<3>("anchor");
    const Vec3<double> partner = inverse(pose(two)) * (pose(one) * anchor);
    return make_ball(name, {one, at_point(anchor)}, {two, at_point(partner)});
  }

  /// Body 2 keeps its pose in body 1, given or that of qpos0. As MuJoCo has it, a given relpose says where
  /// the anchor lies in body 1, and not the origin of body 2; they differ if both are given.
  Constraint weld(const MjcfElement& element, const std::string& name) const {
    ignore_others(element, {"name", "class", "active", "body1", "body2", "anchor", "relpose", "site1", "site2"});
    if (element.has("site1")) return between_sites(world_weld(name, {}, {}), element);
    const int one = assembly_.find_body(element, "body1"), two = second_body(element);
    require_two(element, one, two);
    const Pose<double> anchor = at_point(element.vector_or<3>("anchor", {{0, 0, 0}}));
    const Vec<double, 7> given = element.vector_or<7>("relpose", {{0, 1, 0, 0, 0, 0, 0}});
    const double* x = given.a + 3;
    if (x[0] == 0 && x[1] == 0 && x[2] == 0 && x[3] == 0) {
      return world_weld(name, {one, inverse(pose(one)) * pose(two) * anchor}, {two, anchor});
    }
    if (!is_usable(x, 4)) element.fail("the quaternion of its relpose is far from length 1");
    const Pose<double> relative{rotation_of(Quaternion<double>{{x[1], x[2], x[3], x[0]}}),
                                {{given[0], given[1], given[2]}}};
    return world_weld(name, {one, relative}, {two, anchor});
  }

  static LoopClosure world_weld(const std::string& name, const Attachment& first, const Attachment& second) {
    LoopClosure loop = make_weld(name, first, second);
    loop.axes = LoopAxes::kWorldAxes;
    return loop;
  }

  static void require_two(const MjcfElement& element, int one, int two) {
    if (one == two) element.fail("joins a body to itself; name another body");
  }

  Constraint polynomial(const MjcfElement& element, const std::string& name) const {
    ignore_others(element, {"name", "class", "active", "joint1", "joint2", "polycoef"});
    JointPolynomial out;
    out.name = name;
    out.link = find_joint(element, "joint1");
    if (element.has("joint2")) out.other_link = find_joint(element, "joint2");
    element.fill("polycoef", out.coefficients.data(), 5);
    return out;
  }

  int find_joint(const MjcfElement& element, const char* attribute) const {
    const std::string name(element.own().text(attribute));
    if (!model_.has_joint(name)) {
      ClosestName closest(name);
      for (const auto& [candidate, joint] : assembly_.joints) closest.consider(candidate);
      element.fail("there is no joint " + in_quotes(name) + closest.hint());
    }
    const int link = model_.find_joint(name);
    if (model_.link(link).nv != 1)
      element.fail("joint " + in_quotes(name) + " is no hinge and no slide; name one that is");
    return link;
  }

  /// Between surfaces in MuJoCo; that of spheres is the distance of their centres less the radii.
  std::optional<Constraint> distance(const MjcfElement& element, const std::string& name) const {
    ignore_others(element, {"name", "class", "active", "geom1", "geom2", "distance"});
    Distance out;
    out.name = name;
    out.length = element.number_or("distance", 0);
    for (const auto& [attribute, end] : {std::pair{"geom1", &out.first}, {"geom2", &out.second}}) {
      const MjcfAssembly::GeomPlace place = find_geom(element, attribute);
      const MjcfGeom& geom =
          document_.bodies[static_cast<std::size_t>(place.body)].geoms[static_cast<std::size_t>(place.geom)];
      if (!geom.is_read || geom.shape.kind != ShapeKind::kSphere) {
        element.own().ignore();
        return std::nullopt;
      }
      *end = {place.body, geom.shape.placement};
      out.length += geom.shape.size[0];
    }
    return out;
  }

  MjcfAssembly::GeomPlace find_geom(const MjcfElement& element, const char* attribute) const {
    const std::string name(element.own().text(attribute));
    if (const auto found = assembly_.geoms.find(name); found != assembly_.geoms.end()) return found->second;
    ClosestName closest(name);
    for (const auto& [candidate, place] : assembly_.geoms) closest.consider(candidate);
    element.fail("there is no geom " + in_quotes(name) + closest.hint());
  }

  const MjcfDocument& document_;
  const MjcfAssembly& assembly_;
  const Model& model_;
};

}  // namespace

std::vector<Constraint> mjcf_constraints(const MjcfSource& source, const MjcfDefaults& defaults,
                                         const MjcfDocument& document, const MjcfAssembly& assembly,
                                         const Model& model) {
  const EqualityReader reader(document, assembly, model);
  const bool enabled = document.settings.equalities_enabled && document.settings.constraints_enabled;
  std::vector<Constraint> out;
  int number = 0;
  for (const MjcfNode& node : source.in_sections("equality")) {
    const std::string label = mjcf_label(node, "");
    const MjcfElement element(node, label, defaults, 0, "equality");
    const std::string name = element.own().has("name") ? std::string(element.own().text("name"))
                                                       : fmt::format("{} {}", printable(node.tag()), number);
    ++number;
    std::optional<Constraint> constraint = reader.read(element, name);
    if (!constraint) continue;
    const bool active = element.flag_or("active", true);
    if (!active || !enabled) {
      const char* reason = active ? "disabled by a flag" : "active is false";
      node.file->report().ignore(fmt::format("equality/{} ({})", node.tag(), reason), node.line());
      continue;
    }
    try {
      require_valid(model, *constraint);
    } catch (const Error& error) {
      element.fail(error.what());
    }
    out.push_back(std::move(*constraint));
  }
  return out;
}

}  // namespace delassus::io
