#include "cli/shell/output_options.hpp"

#include <nlohmann/json.hpp>

#include "cli/pages/json_text.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/output_file.hpp"

namespace delassus::cli {

void add_output(Command& app, std::string& path) {
  app.add_option("-o,--output", path, "write into this file, not to stdout")->type_name("FILE")->check(file_name());
}

void OutputOptions::add_to(Command& app) {
  add_output(app, path);
  app.add_flag("--json", json, "print JSON; so does an --output that ends in .json");
}

void OutputOptions::require_writable() const { cli::require_writable("--output", path); }

void OutputOptions::write(const std::string& text) const { write_output(path, text); }

void OutputOptions::write(const nlohmann::json& value) const { write_output(path, to_text(value) + "\n"); }

}  // namespace delassus::cli
