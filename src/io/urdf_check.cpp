// What is wrong or doubtful about the model that a URDF describes, told with the lines of the file.
#include "delassus/math/error.hpp"
#include "io/massless.hpp"
#include "io/urdf_assembly.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

struct Place {
  std::string label;
  int line;
};

/// Finds the element of the file for one that the model's validation names.
class Places {
 public:
  Places(const UrdfDocument& document, const UrdfTree& tree) : document_(document), tree_(tree) {}

  Place of(std::string_view element) const {
    const std::size_t quote = element.find('\'');
    if (quote == std::string_view::npos || !element.ends_with('\'')) return {std::string(element), 1};
    const std::string_view name = element.substr(quote + 1, element.size() - quote - 2);
    if (element.starts_with("body ")) return of_link(name);
    if (element.starts_with("joint ")) return of_joint(name);
    return {printable(element), 1};
  }
  Place of_link(std::string_view name) const {
    const auto found = tree_.links.find(name);
    return {"link " + in_quotes(name),
            found == tree_.links.end() ? 1 : document_.links[static_cast<std::size_t>(found->second)].line};
  }
  Place of_joint(std::string_view name) const {
    const auto found = tree_.joints.find(name);
    return {"joint " + in_quotes(name),
            found == tree_.joints.end() ? 1 : document_.joints[static_cast<std::size_t>(found->second)].line};
  }

 private:
  const UrdfDocument& document_;
  const UrdfTree& tree_;
};

[[noreturn]] void fail_with_all(const XmlFile& file, const Places& places, const std::vector<Finding>& errors) {
  std::string message;
  for (std::size_t i = 0; i < errors.size() && i < LoadReport::kMaxEntries; ++i) {
    const Place place = places.of(errors[i].element);
    message += (i > 0 ? "\n" : "") + file.name() + ":" + std::to_string(place.line) + ": " + place.label + ": " +
               errors[i].message;
  }
  throw Error(message);
}

void warn_of_massless(XmlFile& file, const Places& places, const ModelDescription& description) {
  for (const int i : massless_moving_bodies(description)) {
    const Place place = places.of_link(description.bodies[static_cast<std::size_t>(i)].name);
    file.report().warn(place.label, place.line,
                       "moves but has no mass in its subtree: its joint may be singular; give it an <inertial>");
  }
}

}  // namespace

void check_urdf(XmlFile& file, const UrdfDocument& document, const UrdfTree& tree,
                const ModelDescription& description) {
  const Places places(document, tree);
  const Validation validation = validate(description);
  if (!validation.errors.empty()) fail_with_all(file, places, validation.errors);
  for (const Finding& finding : validation.warnings) {
    const Place place = places.of(finding.element);
    file.report().warn(place.label, place.line, finding.message);
  }
  warn_of_massless(file, places, description);
}

}  // namespace delassus::io
