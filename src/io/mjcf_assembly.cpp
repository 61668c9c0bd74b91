#include "io/mjcf_assembly.hpp"

#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "model/wording.hpp"

namespace delassus::io {
namespace {

class Assembler {
 public:
  explicit Assembler(const MjcfDocument& document) : document_(document) {}

  MjcfAssembly run() {
    out_.description.name = document_.name;
    out_.description.gravity = document_.settings.gravity;
    take_names();
    out_.body_poses.push_back(Pose<double>::identity());
    for (int i = 1; i < num_bodies(); ++i) add_body(i);
    for (int i = 0; i < num_bodies(); ++i) {
      add_shapes(i);
      add_sites(i);
    }
    return std::move(out_);
  }

 private:
  int num_bodies() const { return static_cast<int>(document_.bodies.size()); }
  const MjcfBody& body(int i) const { return document_.bodies[static_cast<std::size_t>(i)]; }

  template <class Set>
  static void take(const MjcfNode& node, const std::string& name, std::string_view what, Set& taken) {
    if (name.empty() || taken.insert(name).second) return;
    node.fail(fmt::format("{} {}", what, in_quotes(name)), "its name is taken already; rename one of them");
  }
  template <class Set>
  static std::string free_name(std::string name, Set& taken) {
    while (!taken.insert(name).second) name += '_';
    return name;
  }

  /// Names that the file gives go first, so that those made up can avoid them.
  void take_names() {
    frame_names_.insert("world");
    std::unordered_set<std::string> sites;
    for (int i = 1; i < num_bodies(); ++i) take(body(i).node, body(i).name, "body", frame_names_);
    for (int i = 0; i < num_bodies(); ++i) {
      for (const MjcfJoint& joint : body(i).joints) take(joint.node, joint.joint.name, "joint", joint_names_);
      for (const MjcfSite& site : body(i).sites) take(site.node, site.name, "site", sites);
    }
    out_.bodies.emplace("world", 0);
    for (int i = 1; i < num_bodies(); ++i) {
      std::string name = body(i).name;
      if (name.empty()) name = free_name("body_" + std::to_string(i), frame_names_);
      out_.bodies.emplace(name, i);
      body_names_.push_back(std::move(name));
    }
  }

  void add_body(int i) {
    const MjcfBody& from = body(i);
    BodyDescription to;
    to.name = body_names_[static_cast<std::size_t>(i) - 1];
    to.parent = from.parent - 1;
    out_.body_poses.push_back(out_.body_poses[static_cast<std::size_t>(from.parent)] * from.pose);
    // Each joint turns or shifts what the one before it moved, about its own point of the body.
    Pose<double> placement = from.pose;
    Vec3<double> last{{0, 0, 0}};
    for (std::size_t k = 0; k < from.joints.size(); ++k) {
      JointDescription joint = from.joints[k].joint;
      if (joint.name.empty()) joint.name = free_name(to.name + "_joint" + std::to_string(k), joint_names_);
      if (joint.kind == JointKind::kFree) {
        add_q0(from.pose);
      } else {
        const Vec3<double>& p = from.joints[k].position;
        joint.placement = placement * Pose<double>{Mat3<double>::identity(), p - last};
        placement = Pose<double>::identity();
        last = p;
        add_q0(joint.kind);
      }
      out_.joints.emplace(joint.name, &from.joints[k]);
      to.joints.push_back(std::move(joint));
    }
    to.placement = from.joints.empty() ? from.pose : Pose<double>{Mat3<double>::identity(), -last};
    const std::optional<Inertial> inertial = inertial_of(from);
    to.inertial = inertial.value_or(Inertial{});
    out_.has_inertial.push_back(inertial.has_value());
    out_.description.bodies.push_back(std::move(to));
  }

  void add_q0(const Pose<double>& pose) {
    out_.q0.insert(out_.q0.end(), std::begin(pose.p.a), std::end(pose.p.a));
    const Quaternion<double> x = quaternion_of(pose.R);
    out_.q0.insert(out_.q0.end(), std::begin(x.a), std::end(x.a));
  }
  void add_q0(JointKind kind) {
    out_.q0.insert(out_.q0.end(), static_cast<std::size_t>(sizes_of(kind).nq), 0.0);
    if (kind == JointKind::kSpherical) out_.q0.back() = 1;
  }

  /// Nothing if neither an <inertial> nor a geom gives it one.
  std::optional<Inertial> inertial_of(const MjcfBody& from) const {
    using Mode = MjcfSettings::InertiaFromGeom;
    const MjcfSettings& settings = document_.settings;
    const Mode mode = settings.inertia_from_geom;
    if (mode == Mode::kNever || (mode == Mode::kAuto && from.inertial)) return from.inertial;
    std::vector<Inertial> parts;
    bool missing = false;
    for (const MjcfGeom& geom : from.geoms) {
      if (geom.group < settings.first_inertia_group || geom.group > settings.last_inertia_group) continue;
      if (geom.is_read) parts.push_back(geom.inertial);
      missing = missing || (geom.has_mass && !(geom.inertial.mass > 0));
    }
    if (missing) {
      from.node.file->report().warn(
          mjcf_label(from.node, ""), from.node.line(),
          "gets its inertia from its geoms, but some of their meshes are not read, or enclose "
          "nothing, and add no mass; give it an <inertial>");
    }
    if (parts.empty()) return from.inertial;
    return parts.size() == 1 ? parts[0] : sum_of(parts);
  }

  void add_shapes(int i) {
    const MjcfBody& from = body(i);
    for (std::size_t k = 0; k < from.geoms.size(); ++k) {
      const MjcfGeom& geom = from.geoms[k];
      const std::string& name = geom.shape.name;
      if (!name.empty() && !out_.geoms.emplace(name, MjcfAssembly::GeomPlace{i, static_cast<int>(k)}).second) {
        geom.node.fail("geom " + in_quotes(name), "its name is taken already; rename one of them");
      }
      if (!geom.is_read || !geom.collides) continue;
      ShapeDescription shape = geom.shape;
      shape.body = i - 1;
      out_.description.shapes.push_back(std::move(shape));
    }
  }

  void add_sites(int i) {
    for (const MjcfSite& site : body(i).sites) {
      const int frame = num_bodies() + static_cast<int>(out_.description.frames.size());
      std::string name = site.name;
      if (name.empty()) {
        name = free_name("site_" + std::to_string(out_.description.frames.size()), frame_names_);
      } else {
        out_.sites.emplace(name, frame);
        if (!frame_names_.insert(name).second) name = free_name(name + "_site", frame_names_);
      }
      out_.description.frames.push_back({std::move(name), i - 1, site.pose});
    }
  }

  const MjcfDocument& document_;
  MjcfAssembly out_;
  std::vector<std::string> body_names_;
  std::unordered_set<std::string> frame_names_, joint_names_;
};

}  // namespace

MjcfAssembly assemble_mjcf(const MjcfDocument& document) { return Assembler(document).run(); }

int MjcfAssembly::find_body(const MjcfElement& element, const char* attribute) const {
  const std::string name(element.own().text(attribute));
  if (const auto found = bodies.find(name); found != bodies.end()) return found->second;
  ClosestName closest(name);
  for (const auto& [candidate, i] : bodies) closest.consider(candidate);
  element.fail("there is no body " + in_quotes(name) + closest.hint());
}

}  // namespace delassus::io
