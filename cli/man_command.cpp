// `delassus man`: the manual page.
#include <memory>

#include "command.hpp"
#include "help.hpp"
#include "man_page.hpp"
#include "output_file.hpp"
#include "output_options.hpp"

namespace delassus::cli {

void add_man(Command& app) {
  auto output = std::make_shared<std::string>();
  Command* sub = app.add_subcommand("man", "Prints the manual page, as roff");
  add_output(*sub, *output);
  set_examples(*sub, {{"delassus man | man -l -", "read it"}, {"delassus man -o delassus.1", "keep it"}});
  sub->callback([&app, output] {
    require_writable("--output", *output);
    write_output(*output, man_page(app));
  });
}

}  // namespace delassus::cli
