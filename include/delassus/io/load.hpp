// load(): reads whatever format a file has.
#pragma once

#include <string>

#include "delassus/io/mjcf.hpp"
#include "delassus/io/scene.hpp"
#include "delassus/io/urdf.hpp"

namespace delassus {

/// Reads a URDF, an MJCF model or a scene; which of them is told by the content. MJCF and scenes say
/// themselves how their base is held, so of the options only `strict` applies to MJCF, and none to scenes.
Scene load(const std::string& path, const UrdfOptions& options = {});

}  // namespace delassus
