#include "cli/commands/model_json.hpp"

#include <cmath>

namespace delassus::cli {
namespace {

/// JSON has no infinity.
nlohmann::json bound(double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(nullptr); }

nlohmann::json joint_json(const JointDescription& joint) {
  nlohmann::json lower = nlohmann::json::array(), upper = nlohmann::json::array();
  const int nv = sizes_of(joint.kind).nv;
  for (int k = 0; k < nv; ++k) {
    lower.push_back(bound(joint.dofs[k].lower));
    upper.push_back(bound(joint.dofs[k].upper));
  }
  return {{"name", joint.name}, {"type", name_of(joint.kind)}, {"nv", nv}, {"lower", lower}, {"upper", upper}};
}

nlohmann::json bodies_json(const ModelDescription& description) {
  nlohmann::json out = nlohmann::json::array();
  for (const BodyDescription& body : description.bodies) {
    nlohmann::json joints = nlohmann::json::array();
    for (const JointDescription& joint : body.joints) joints.push_back(joint_json(joint));
    const std::string parent = body.parent == kWorld ? "world" : description.bodies[body.parent].name;
    out.push_back({{"name", body.name}, {"parent", parent}, {"mass", body.inertial.mass}, {"joints", joints}});
  }
  return out;
}

nlohmann::json report_json(const LoadReport& report) {
  nlohmann::json warnings = nlohmann::json::array(), ignored = nlohmann::json::array(),
                 missing = nlohmann::json::array();
  for (const ReportWarning& w : report.warnings) {
    warnings.push_back({{"element", w.element}, {"line", w.line}, {"message", w.message}});
  }
  for (const Ignored& i : report.ignored) ignored.push_back({{"what", i.what}, {"line", i.line}, {"count", i.count}});
  for (const MissingFile& m : report.missing)
    missing.push_back({{"name", m.name}, {"line", m.line}, {"tried", m.tried}});
  return {{"file", report.file},
          {"warnings", warnings},
          {"ignored", ignored},
          {"more_warnings", report.more_warnings},
          {"more_ignored", report.more_ignored},
          {"missing", missing},
          {"more_missing", report.more_missing},
          {"files", report.files}};
}

}  // namespace

nlohmann::json constraints_json(const std::vector<Constraint>& constraints) {
  nlohmann::json out = nlohmann::json::array();
  int row = 0;
  for (const Constraint& c : constraints) {
    const int rows = row_count(c);
    out.push_back({{"name", name_of(c)}, {"type", kind_of(c)}, {"first_row", row}, {"rows", rows}});
    row += rows;
  }
  return out;
}

nlohmann::json as_json(const Scene& scene) {
  const Model& model = scene.model;
  int rows = 0;
  for (const Constraint& c : scene.constraints) rows += row_count(c);
  return {{"name", model.name()},
          {"links", model.num_links()},
          {"nq", model.nq()},
          {"nv", model.nv()},
          {"depth", model.depth()},
          {"mass", model.mass()},
          {"shapes", model.description().shapes.size()},
          {"rows", rows},
          {"recipe", scene.recipe},
          {"bodies", bodies_json(model.description())},
          {"constraints", constraints_json(scene.constraints)},
          {"report", report_json(scene.report)}};
}

}  // namespace delassus::cli
