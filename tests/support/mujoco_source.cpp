#include "support/mujoco_source.hpp"

#include <filesystem>
#include <set>
#include <stdexcept>

namespace delassus::testing {
namespace {

constexpr const char* kFloor = "the floor under the robot";

void set(pugi::xml_node node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute) = value.c_str();
}

std::string root_of(pugi::xml_node robot) {
  std::set<std::string> children;
  for (pugi::xml_node joint : robot.children("joint")) children.insert(joint.child("child").attribute("link").value());
  for (pugi::xml_node link : robot.children("link")) {
    if (!children.contains(link.attribute("name").value())) return link.attribute("name").value();
  }
  throw std::runtime_error("the URDF has no root");
}

/// Where the file itself has a floating joint below its root, that root is the world.
bool floats_by_itself(pugi::xml_node robot, const std::string& root) {
  for (pugi::xml_node joint : robot.children("joint")) {
    if (std::string_view(joint.attribute("type").value()) == "floating" &&
        root == joint.child("parent").attribute("link").value()) {
      return true;
    }
  }
  return false;
}

void rename_root(pugi::xml_node robot, const std::string& root) {
  for (pugi::xml_node link : robot.children("link")) {
    if (root == link.attribute("name").value()) link.attribute("name") = "world";
  }
  for (pugi::xml_node joint : robot.children("joint")) {
    pugi::xml_attribute parent = joint.child("parent").attribute("link");
    if (root == parent.value()) parent = "world";
  }
}

/// What MuJoCo refuses: points drawn as spheres of no size, and capsules. Contacts are compared where MuJoCo finds them,
/// so that other shapes do as well.
void change_shapes(pugi::xml_node robot) {
  for (const pugi::xpath_node& capsule : robot.select_nodes("//capsule")) capsule.node().set_name("cylinder");
  for (pugi::xml_node link : robot.children("link")) {
    for (pugi::xml_node shape = link.child("collision"); shape;) {
      const pugi::xml_node next = shape.next_sibling("collision");
      const pugi::xml_attribute radius = shape.child("geometry").child("sphere").attribute("radius");
      if (radius && radius.as_double() == 0) link.remove_child(shape);
      shape = next;
    }
  }
}

void put_world_above(pugi::xml_node robot, const std::string& root, UrdfOptions::Base base) {
  set(robot.prepend_child("link"), "name", "world");
  pugi::xml_node joint = robot.append_child("joint");
  set(joint, "name", UrdfOptions{}.floating_joint_name);
  set(joint, "type", base == UrdfOptions::Base::kFloating ? "floating" : "fixed");
  set(joint.append_child("parent"), "link", "world");
  set(joint.append_child("child"), "link", root);
}

}  // namespace

MujocoSource::MujocoSource(const std::string& path, UrdfOptions::Base base) {
  read(path);
  if (is_urdf()) {
    edit_urdf(base);
  } else {
    edit_mjcf();
  }
}

void MujocoSource::read(const std::string& path) {
  auto document = std::make_unique<pugi::xml_document>();
  if (!document->load_file(path.c_str())) throw std::runtime_error(path + " is not XML");
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const pugi::xpath_node_set includes = document->select_nodes("//include");
  documents_.push_back(std::move(document));
  for (const pugi::xpath_node& include : includes) {
    read((folder / include.node().attribute("file").value()).string());
  }
}

std::vector<pugi::xml_node> MujocoSource::all(const char* tag) const {
  std::vector<pugi::xml_node> out;
  for (const auto& document : documents_) {
    for (const pugi::xpath_node& found : document->select_nodes((std::string("//") + tag).c_str())) {
      out.push_back(found.node());
    }
  }
  return out;
}

/// Links that are fixed stay bodies, and links without mass are no error: their small values go when the file's inertias
/// are put back. A URDF has no plane: a box in the world stands for it until the model is there.
void MujocoSource::edit_urdf(UrdfOptions::Base base) {
  pugi::xml_node robot = documents_.front()->document_element();
  change_shapes(robot);
  const std::string root = root_of(robot);
  if (floats_by_itself(robot, root)) {
    rename_root(robot, root);
  } else if (root != "world") {
    put_world_above(robot, root, base);
  }
  pugi::xml_node world = robot.find_child_by_attribute("link", "name", "world");
  pugi::xml_node box = world.append_child("collision").append_child("geometry").append_child("box");
  set(box, "size", "1 1 1");
  robot.remove_child("mujoco");
  pugi::xml_node compiler = robot.append_child("mujoco").append_child("compiler");
  set(compiler, "fusestatic", "false");
  set(compiler, "balanceinertia", "true");
  set(compiler, "boundmass", "1e-6");
  set(compiler, "boundinertia", "1e-6");
}

void MujocoSource::edit_mjcf() {
  pugi::xml_node floor = documents_.front()->document_element().append_child("worldbody").append_child("geom");
  set(floor, "name", kFloor);
  set(floor, "type", "plane");
  set(floor, "size", "1 1 1");
  set(floor, "pos", "0 0 0");
  set(floor, "quat", "1 0 0 0");
}

int make_plane(mjModel& model) {
  int floor = mj_name2id(&model, mjOBJ_GEOM, kFloor);
  for (int i = 0; floor < 0 && i < model.ngeom; ++i) {
    if (model.geom_bodyid[i] == 0) floor = i;  // the box of a URDF
  }
  model.geom_type[floor] = mjGEOM_PLANE;
  model.geom_rbound[floor] = 0;     // none: it has no end
  model.geom_sameframe[floor] = 0;  // it will be moved
  model.geom_contype[floor] = 1;
  model.geom_conaffinity[floor] = 15;
  for (int k = 0; k < 2; ++k) model.geom_size[3 * floor + k] = 0;
  return floor;
}

}  // namespace delassus::testing
