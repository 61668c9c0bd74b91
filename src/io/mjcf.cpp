#include "delassus/io/mjcf.hpp"

#include <filesystem>
#include <utility>

#include "io/mjcf_assembly.hpp"
#include "io/noting_files.hpp"
#include "io/report_builder.hpp"
#include "io/text_file.hpp"

namespace delassus {

Scene parse_mjcf(std::string_view text, const std::string& file_name, const std::string& base_directory,
                 const MjcfOptions& options) {
  const io::MjcfSource source(text, file_name, base_directory);
  const io::MjcfDefaults defaults(source);
  const io::MjcfDocument document = io::read_mjcf_document(source, defaults);
  io::MjcfAssembly assembly = io::assemble_mjcf(document);
  io::apply_mass_settings(document, assembly);
  io::add_mjcf_exclusions(source, assembly);
  io::add_mjcf_keyframes(source, assembly);
  io::check_mjcf(document, assembly);
  Scene scene{Model(assembly.description)};
  scene.q = assembly.q0;
  scene.constraints = io::mjcf_constraints(source, defaults, document, assembly, scene.model);
  scene.report = source.report();
  if (options.strict) io::require_no_warnings(scene.report);
  return scene;
}

Scene load_mjcf(const std::string& path, const MjcfOptions& options) {
  return io::noting_files([&] {
    return parse_mjcf(io::read_text_file(path), path, std::filesystem::path(path).parent_path().string(), options);
  });
}

}  // namespace delassus
