// What is wrong or doubtful about the model that an MJCF file describes, told with the lines of the file.
#include <fmt/format.h>

#include "delassus/math/error.hpp"
#include "io/massless.hpp"
#include "io/mjcf_assembly.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

class Places {
 public:
  Places(const MjcfDocument& document, const MjcfAssembly& assembly) : document_(document), assembly_(assembly) {}

  /// The element of the file for one that the model's validation names; the top if it is none with a name.
  MjcfNode of(std::string_view element) const {
    const std::size_t quote = element.find('\'');
    if (quote != std::string_view::npos && element.ends_with('\'')) {
      const std::string name(element.substr(quote + 1, element.size() - quote - 2));
      if (element.starts_with("body ")) return of_body(name);
      if (element.starts_with("joint ")) return of_joint(name);
    }
    return document_.bodies[0].node;
  }

 private:
  MjcfNode of_body(const std::string& name) const {
    const auto found = assembly_.bodies.find(name);
    return document_.bodies[static_cast<std::size_t>(found == assembly_.bodies.end() ? 0 : found->second)].node;
  }
  MjcfNode of_joint(const std::string& name) const {
    const auto found = assembly_.joints.find(name);
    return found == assembly_.joints.end() ? document_.bodies[0].node : found->second->node;
  }

  const MjcfDocument& document_;
  const MjcfAssembly& assembly_;
};

[[noreturn]] void fail_with_all(const Places& places, const std::vector<Finding>& errors) {
  std::string message;
  for (std::size_t i = 0; i < errors.size() && i < LoadReport::kMaxEntries; ++i) {
    const MjcfNode node = places.of(errors[i].element);
    message += fmt::format("{}{}:{}: {}: {}", i > 0 ? "\n" : "", node.file->name(), node.line(),
                           printable(errors[i].element), errors[i].message);
  }
  throw Error(message);
}

}  // namespace

void check_mjcf(const MjcfDocument& document, const MjcfAssembly& assembly) {
  const Places places(document, assembly);
  const Validation validation = validate(assembly.description);
  if (!validation.errors.empty()) fail_with_all(places, validation.errors);
  const auto warn = [&](const std::string& element, const std::string& message) {
    const MjcfNode node = places.of(element);
    node.file->report().warn(printable(element), node.line(), message);
  };
  for (const Finding& finding : validation.warnings) warn(finding.element, finding.message);
  for (const int i : massless_moving_bodies(assembly.description)) {
    warn("body '" + assembly.description.bodies[static_cast<std::size_t>(i)].name + "'",
         "moves but has no mass in its subtree: its joint may be singular; give it an <inertial> or a geom "
         "with mass");
  }
}

}  // namespace delassus::io
