// What an MJCF model says, element by element: numbers are read and defaults filled in, but names are not
// resolved yet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "delassus/model/description.hpp"
#include "io/mjcf_assets.hpp"
#include "io/mjcf_element.hpp"

namespace delassus::io {

struct MjcfJoint {
  JointDescription joint;  // without placement
  Vec3<double> position{{0, 0, 0}};
  MjcfNode node;
};

struct MjcfGeom {
  ShapeDescription shape;
  Inertial inertial;  // in the body's frame
  int group = 0;
  bool is_read = true;  // else shape and inertial are empty
  bool collides = true;
  bool has_mass = true;  // in MuJoCo, whether or not we can compute it
  MjcfNode node;
};

struct MjcfSite {
  std::string name;
  Pose<double> pose;
  MjcfNode node;
};

struct MjcfBody {
  std::string name;
  int parent = -1;                               // in the list of bodies
  Pose<double> pose = Pose<double>::identity();  // in the parent
  std::optional<Inertial> inertial;
  std::vector<MjcfJoint> joints;
  std::vector<MjcfGeom> geoms;
  std::vector<MjcfSite> sites;
  MjcfNode node;
};

/// Body 0 is the world; the others stand depth first.
struct MjcfDocument {
  std::string name;
  MjcfSettings settings;
  std::vector<MjcfBody> bodies;
};

/// Throws an Error for what is not MJCF. What is not read is listed in the report of its file.
MjcfDocument read_mjcf_document(const MjcfSource& source, const MjcfDefaults& defaults);

// The parts of it. A class is one of `defaults`.
struct MjcfContext {
  const MjcfSource& source;
  const MjcfDefaults& defaults;
  const MjcfSettings& settings;
  MjcfAssets& assets;
};
void read_mjcf_bodies(const MjcfContext& context, std::vector<MjcfBody>& bodies);
MjcfJoint read_mjcf_joint(const MjcfContext& context, const MjcfNode& node, int inherited_class,
                          const std::string& body);
MjcfGeom read_mjcf_geom(const MjcfContext& context, const MjcfNode& node, int inherited_class, const std::string& body);
Inertial read_mjcf_inertial(const MjcfContext& context, const MjcfNode& node, const std::string& body);

/// The inertia of several solids together.
Inertial sum_of(const std::vector<Inertial>& parts);

/// "joint 'knee'", or "joint of body 'leg'" if it has no name.
std::string mjcf_label(const MjcfNode& node, const std::string& body);

}  // namespace delassus::io
