// Surfaces from STL and OBJ files.
#pragma once

#include <string>
#include <string_view>

#include "delassus/model/surface.hpp"

namespace delassus {

/// Reads an STL file, binary or text, or an OBJ file, by the end of its name. Coordinates are multiplied by the scale, axis by
/// axis; where that mirrors, triangles are turned so that outside stays outside. Of STL, corners with the same coordinates are
/// one vertex; of OBJ, positions and faces are read, and faces with more than three corners are cut from the first.
///
/// Throws an Error that names the file, and the line or the byte, and says what to do.
SurfacePointer load_surface(const std::string& path, const Vec3<double>& scale = {{1, 1, 1}});

/// The same for what is in memory; `file_name` is for messages.
SurfacePointer parse_stl(std::string_view data, const std::string& file_name, const Vec3<double>& scale = {{1, 1, 1}});
SurfacePointer parse_obj(std::string_view text, const std::string& file_name, const Vec3<double>& scale = {{1, 1, 1}});

}  // namespace delassus
