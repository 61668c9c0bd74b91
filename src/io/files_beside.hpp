// What somebody may have meant who named a file that is not there.
#pragma once

#include <string>
#include <vector>

namespace delassus {

/// The files in the folder of this path, spelled as the path is. Empty if there is no such folder.
std::vector<std::string> files_beside(const std::string& path);

/// " (did you mean 'robots/go2.urdf'?)", or nothing if no file there has such a name.
std::string nearest_file_hint(const std::string& path);

}  // namespace delassus
