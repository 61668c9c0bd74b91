// load(): reads whatever format a file has.
#pragma once

#include <string>

#include "delassus/io/scene.hpp"
#include "delassus/io/urdf.hpp"

namespace delassus {

/// Reads a URDF or a scene; which of them is told by the content. A scene says itself how its base is held,
/// so the options are for URDF only. MJCF is not supported in this version, and the Error says so.
Scene load(const std::string& path, const UrdfOptions& options = {});

}  // namespace delassus
