#include "delassus/io/urdf.hpp"

#include <utility>

#include "io/noting_files.hpp"
#include "io/report_builder.hpp"
#include "io/text_file.hpp"
#include "io/urdf_assembly.hpp"

namespace delassus {
Scene parse_urdf(std::string_view text, const std::string& file_name, const UrdfOptions& options) {
  io::XmlFile file(text, file_name);
  const io::UrdfDocument document = io::read_urdf_document(file, options.package_paths);
  const io::UrdfTree tree = io::make_urdf_tree(file, document);
  io::UrdfAssembly assembly = io::assemble_urdf(file, document, tree, options);
  io::check_urdf(file, document, tree, assembly.description);
  Scene scene(Model(std::move(assembly.description)));
  scene.constraints = io::urdf_constraints(file, document, tree, assembly, scene.model);
  scene.report = file.report().report();
  if (options.strict) io::require_no_warnings(scene.report);
  return scene;
}

Scene load_urdf(const std::string& path, const UrdfOptions& options) {
  return io::noting_files([&] { return parse_urdf(io::read_text_file(path), path, options); });
}

}  // namespace delassus
