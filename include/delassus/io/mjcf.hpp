// Reading robots and their surroundings from MJCF, the XML format of MuJoCo.
#pragma once

#include <string>
#include <string_view>

#include "delassus/io/scene.hpp"

namespace delassus {

struct MjcfOptions {
  /// Whether what would be a warning in the report is an Error.
  bool strict = false;
};

/// Reads an MJCF model with the files that it includes. Bodies and joints stand depth first as in the file,
/// which is MuJoCo's order. The state is MuJoCo's qpos0, at rest.
///
/// Coordinates: that of a hinge or a slide is its displacement, MuJoCo's qpos less the joint's `ref`, which
/// is kept as DofProperties::reference; limits and spring references are displacements too. A free joint
/// stands on the world itself, so its q is the pose in the world. Quaternions are x y z w.
///
/// Names: a body without one is called body_<n>, with n its number in MuJoCo (the world is 0); a joint
/// without one <body>_joint<k>, k from 0 among the joints of its body; a site without one site_<n>, n from 0.
/// Underscores are appended while a name is taken. Sites are frames; one that is named as a body is called
/// <name>_site.
///
/// Inertia comes from <inertial>, or from the body's geoms as <compiler inertiafromgeom> says; then
/// boundmass, boundinertia, balanceinertia and settotalmass change it. Shapes are the geoms that can touch
/// something. `autolimits` is true unless the file says otherwise, as in MuJoCo 3.
///
/// A mesh, from an STL or OBJ file in <compiler meshdir> or from `vertex` and `face`, collides as its convex
/// hull, as in MuJoCo. Its mass is its volume times the density, summed as `inertia` or <compiler
/// exactmeshinertia> says (legacy, exact, convex; a shell counts as a solid, with a warning). MuJoCo 2.2.2 has the
/// volume of the box with the same moments instead, unless exactmeshinertia is set. Files that are missing or of
/// another kind are listed in the report, and those of meshes that neither touch nor weigh anything are not opened.
/// A height field, from `elevation` or a binary file but no picture, stands on the world or on what is fixed to
/// it. Ground is solid below it, however deep.
///
/// Constraints are the active equalities in the order of the file: connect as three rows in world axes; weld
/// as six, whose last three are the difference of angular velocities in world axes (MuJoCo has half of that
/// in the axes of body 2, times torquescale); joint (JointPolynomial); and distance between spheres, which
/// MuJoCo has up to 2.2.1. Not read and listed in the report: primitives that are fitted to meshes, signed
/// distances, tendons, actuators, sensors, contact pairs, solver settings and whatever else the library has no
/// place for. Elements that would make other bodies (frame, composite, replicate, attach, flexcomp) are Errors.
///
/// Throws an Error of the form `robot.xml:12: joint 'knee': what is wrong; what to do`.
Scene load_mjcf(const std::string& path, const MjcfOptions& options = {});
/// The same for a text; `file_name` is for messages, and included files are looked for in `base_directory`.
Scene parse_mjcf(std::string_view text, const std::string& file_name, const std::string& base_directory,
                 const MjcfOptions& options = {});

}  // namespace delassus
