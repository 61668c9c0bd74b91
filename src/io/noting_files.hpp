// Reading a scene with account of the files that it is made of.
#pragma once

#include "delassus/io/scene.hpp"
#include "io/text_file.hpp"

namespace delassus::io {

/// What read() gives, with the names of the files that it read in the report.
template <class Read>
Scene noting_files(const Read& read) {
  const FilesRead noted;
  Scene scene = read();
  scene.report.files = noted.files();
  return scene;
}

}  // namespace delassus::io
