// <compiler>, <option> and the classes of <default>.
#include <algorithm>

#include <fmt/format.h>

#include "io/mjcf_element.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

/// Every element looks through its class and those around it, so their number is bounded.
constexpr int kMaxClassDepth = 64;
constexpr std::size_t kMaxClassElements = 32;

void read_compiler(const MjcfNode& node, MjcfSettings& settings) {
  const MjcfElement element(node, "compiler");
  element.own().ignore_all_but(
      {"angle", "eulerseq", "autolimits", "inertiafromgeom", "inertiagrouprange", "coordinate", "boundmass",
       "boundinertia", "balanceinertia", "settotalmass", "meshdir", "assetdir", "exactmeshinertia"},
      {"include"});
  settings.degrees = element.word_or("angle", {"radian", "degree"}, settings.degrees ? 1 : 0) == 1;
  settings.euler_sequence = element.text_or("eulerseq", settings.euler_sequence);
  if (settings.euler_sequence.size() != 3 || settings.euler_sequence.find_first_not_of("xyzXYZ") != std::string::npos) {
    element.fail(fmt::format("attribute eulerseq is {}, but must be three of the letters xyzXYZ",
                             in_quotes(settings.euler_sequence)));
  }
  settings.autolimits = element.flag_or("autolimits", settings.autolimits);
  settings.inertia_from_geom = static_cast<MjcfSettings::InertiaFromGeom>(
      element.word_or("inertiafromgeom", {"false", "auto", "true"}, static_cast<int>(settings.inertia_from_geom)));
  if (element.word_or("coordinate", {"local", "global"}, 0) == 1) {
    element.fail("global coordinates are not supported; save the model in local coordinates");
  }
  settings.bound_mass = element.number_or("boundmass", settings.bound_mass);
  settings.bound_inertia = element.number_or("boundinertia", settings.bound_inertia);
  settings.balance_inertia = element.flag_or("balanceinertia", settings.balance_inertia);
  settings.total_mass = element.number_or("settotalmass", settings.total_mass);
  settings.mesh_folder = element.text_or("meshdir", element.text_or("assetdir", settings.mesh_folder));
  settings.exact_mesh_inertia = element.flag_or("exactmeshinertia", settings.exact_mesh_inertia);
  if (!element.has("inertiagrouprange")) return;
  const Vec<double, 2> range = element.vector_or<2>("inertiagrouprange", {});
  settings.first_inertia_group = static_cast<int>(std::min(std::max(range[0], -1.0), 1e6));
  settings.last_inertia_group = static_cast<int>(std::min(std::max(range[1], -1.0), 1e6));
}

void read_flags(const MjcfNode& node, MjcfSettings& settings) {
  const MjcfElement element(node, "flag");
  element.own().ignore_all_but({"gravity", "equality", "constraint"}, {});
  const auto read = [&](const char* flag, bool& enabled) {
    enabled = element.word_or(flag, {"disable", "enable"}, enabled ? 1 : 0) == 1;
  };
  read("gravity", settings.gravity_enabled);
  read("equality", settings.equalities_enabled);
  read("constraint", settings.constraints_enabled);
}

}  // namespace

MjcfSettings read_mjcf_settings(const MjcfSource& source) {
  MjcfSettings settings;
  for (const MjcfNode& node : source.children(source.top())) {
    if (node.tag() == "compiler") {
      read_compiler(node, settings);
    } else if (node.tag() == "option") {
      const MjcfElement element(node, "option");
      element.own().ignore_all_but({"gravity"}, {"include", "flag"});
      settings.gravity = element.vector_or<3>("gravity", settings.gravity);
      for (const MjcfNode& child : source.children(node)) {
        if (child.tag() == "flag") read_flags(child, settings);
      }
    }
  }
  if (!settings.gravity_enabled) settings.gravity = {{0, 0, 0}};
  return settings;
}

MjcfDefaults::MjcfDefaults(const MjcfSource& source) : classes_{{-1, 0, {}}} {
  index_.emplace("main", 0);
  struct Open {
    MjcfNode node;
    int parent;
  };
  std::vector<Open> open;
  for (const MjcfNode& node : source.children(source.top())) {
    if (node.tag() == "default") open.push_back({node, -1});
  }
  std::reverse(open.begin(), open.end());
  while (!open.empty()) {
    const Open current = open.back();
    open.pop_back();
    const int c = open_class(current.node, current.parent);
    const std::size_t mark = open.size();
    for (const MjcfNode& child : source.children(current.node)) {
      if (child.tag() == "default") {
        open.push_back({child, c});
      } else {
        keep(child, c);
      }
    }
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(mark), open.end());
  }
}

int MjcfDefaults::open_class(const MjcfNode& node, int parent) {
  const XmlElement element(*node.file, node.node, "default");
  element.ignore_attributes_but({"class"});
  if (parent < 0) {
    if (!element.has("class") || element.text("class") == "main") return 0;
    if (const auto found = index_.find(std::string(element.text("class"))); found != index_.end()) return found->second;
    index_.emplace(element.text("class"), 0);  // the outermost class under a name of its own
    return 0;
  }
  std::string name(element.text("class"));
  if (name.empty()) element.fail("the class has no name; give it one");
  if (!index_.emplace(name, static_cast<int>(classes_.size())).second) {
    element.fail("there is a class " + in_quotes(name) + " already; rename one of them");
  }
  const int depth = classes_[static_cast<std::size_t>(parent)].depth + 1;
  if (depth > kMaxClassDepth) element.fail(fmt::format("classes are nested more than {} deep", kMaxClassDepth));
  classes_.push_back({parent, depth, {}});
  return static_cast<int>(classes_.size()) - 1;
}

void MjcfDefaults::keep(const MjcfNode& node, int owner) {
  const XmlElement element(*node.file, node.node, "default");
  if (node.tag() == "joint") {
    element.ignore_all_but({"type", "axis", "pos", "ref", "range", "limited", "armature", "damping", "frictionloss",
                            "stiffness", "springref"},
                           {});
  } else if (node.tag() == "geom") {
    element.ignore_all_but({"type", "size", "mass", "density", "fromto", "pos", "quat", "axisangle", "euler", "xyaxes",
                            "zaxis", "friction", "condim", "contype", "conaffinity", "group", "mesh", "hfield"},
                           {});
  } else if (node.tag() == "site") {
    element.ignore_all_but({"pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"}, {});
  } else if (node.tag() == "mesh") {
    element.ignore_all_but({"scale", "inertia"}, {});
  } else if (node.tag() == "equality") {
    element.ignore_all_but({"active"}, {});
  } else {
    return element.ignore();
  }
  std::vector<MjcfNode>& elements = classes_[static_cast<std::size_t>(owner)].elements;
  if (elements.size() >= kMaxClassElements) element.fail("its class has too many elements; merge them");
  elements.push_back(node);
}

int MjcfDefaults::find(const XmlElement& element, std::string_view name) const {
  if (const auto found = index_.find(std::string(name)); found != index_.end()) return found->second;
  ClosestName closest(name);
  for (const auto& [candidate, i] : index_) closest.consider(candidate);
  element.fail("there is no default class " + in_quotes(name) + closest.hint());
}

}  // namespace delassus::io
