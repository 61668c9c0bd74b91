// Loads a robot, yours (load_my_robot my_robot.urdf) or leg.urdf, and says what is in it. What the library does not
// read of a file, and what in it is doubtful, stands in a report; what is wrong is an exception that says where and
// what to do.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "delassus/scenes/load_named.hpp"

namespace {

using namespace delassus;

void show(const Scene& scene) {
  const Model& model = scene.model;
  std::printf("%s: %zu bodies, nq %d, nv %d, %.3f kg\n", model.name().c_str(), model.description().bodies.size(),
              model.nq(), model.nv(), model.mass());
  for (int link = 0; link < model.num_links(); ++link) {
    const DofProperties& dof = model.dofs()[static_cast<std::size_t>(model.link(link).v)];  // the first of the joint
    std::printf("  v[%d] %s, from %g to %g\n", model.link(link).v, model.joint_name(link).c_str(), dof.lower,
                dof.upper);
  }
  std::fputs(to_text(scene.report).c_str(), stdout);  // report.ignored and report.warnings are the same as lists
}

/// What the library says of a text that is wrong in one place; empty if it says nothing.
std::string mistake(std::string text, const std::string& right, const std::string& wrong, bool strict = false) {
  text.replace(text.find(right), right.size(), wrong);
  UrdfOptions options;
  options.strict = strict;
  try {
    parse_urdf(text, "leg.urdf", options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    try {
      // MJCF, URDF and scenes are told apart by their content. A URDF does not say whether its base moves:
      // NamedOptions::base.
      show(load_named(argv[1]));
    } catch (const Error& error) {
      std::fprintf(stderr, "error: %s\n", error.what());
      return 1;
    }
    return 0;
  }
  const std::string file = "examples/leg.urdf";
  const Scene leg = load(file);
  show(leg);
  const LoadReport& report = leg.report;
  bool good = report.ignored.size() == 1 && report.ignored[0].what == "link/visual";
  good = good && report.warnings.size() == 1 && report.warnings[0].element == "link 'shank'";

  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::string parent = mistake(text, R"(<parent link="thigh"/>)", R"(<parent link="thihg"/>)");
  const std::string type = mistake(text, R"(type="revolute")", R"(type="hinge")");
  const std::string mass = mistake(text, R"(mass value="2")", R"(mass value="2kg")");
  const std::string strict = mistake(text, "shank", "shank", true);  // a warning may be an error
  std::printf("\nMistakes:\n%s\n%s\n%s\n%s\n", parent.c_str(), type.c_str(), mass.c_str(), strict.c_str());
  const auto says = [](const std::string& message, const char* words) {
    return message.find(words) != std::string::npos;
  };
  good = good && says(parent, "did you mean 'thigh'?") && says(type, "joint 'hip_pitch'") && says(mass, ":14:") &&
         says(strict, "triangle inequality");
  return good ? 0 : 1;
}
