#include "cli/commands/reference.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "delassus/math/error.hpp"
#include "io/files_beside.hpp"

namespace delassus::cli {
namespace {

[[noreturn]] void fail(const std::string& place, const std::string& what) {
  throw Error(fmt::format("{}: {}", place, what));
}

void collect(const nlohmann::json& json, const std::string& place, std::vector<double>& out, int depth) {
  if (json.is_number()) return out.push_back(json.get<double>());
  if (!json.is_array() || depth == 0) fail(place, "numbers are needed here");
  for (const auto& item : json) collect(item, place, out, depth - 1);
}

}  // namespace

ReferenceNode ReferenceNode::at(const char* key) const {
  if (!has(key)) fail(place_, fmt::format("has no '{}'", key));
  return {json_.at(key), place_ + "/" + key};
}

ReferenceNode ReferenceNode::at(int index) const {
  if (!json_.is_array() || index >= size()) fail(place_, fmt::format("has no entry {}", index));
  return {json_.at(static_cast<std::size_t>(index)), fmt::format("{}/{}", place_, index)};
}

std::string ReferenceNode::text() const {
  if (!json_.is_string()) fail(place_, "a text is needed here");
  return json_.get<std::string>();
}

double ReferenceNode::number() const {
  if (!json_.is_number()) fail(place_, "a number is needed here");
  return json_.get<double>();
}

int ReferenceNode::integer() const {
  if (!json_.is_number_integer()) fail(place_, "a whole number is needed here");
  return json_.get<int>();
}

std::vector<double> ReferenceNode::numbers() const {
  constexpr int kDeepest = 3;  // rows of a matrix; deeper nesting is not this format
  std::vector<double> out;
  collect(json_, place_, out, kDeepest);
  return out;
}

Vec3<double> ReferenceNode::vector() const {
  const std::vector<double> x = numbers();
  if (x.size() != 3) fail(place_, "three numbers are needed here");
  return {{x[0], x[1], x[2]}};
}

nlohmann::json read_reference_file(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none)) {
    throw Error(fmt::format("{}: there is no such file{}", path, nearest_file_hint(path)));
  }
  if (!std::filesystem::is_regular_file(path, none))  // a pipe would be waited for
    throw Error(fmt::format("{}: is not a regular file; save the reference to one", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(fmt::format("{}: cannot be opened; check its permissions", path));
  nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  if (json.is_discarded()) throw Error(fmt::format("{}: is not JSON", path));
  if (!json.is_object()) throw Error(fmt::format("{}: is not a reference file: an object is needed at the top", path));
  return json;
}

namespace {

/// What the reference's types are here, and how many numbers they have there.
struct ReferenceType {
  std::string_view word;
  int nq, nv;
};
constexpr ReferenceType kTypes[] = {{"free", 7, 6}, {"ball", 4, 3}, {"hinge", 1, 1}, {"slide", 1, 1}};

const ReferenceType& type_of(const ReferenceNode& joint) {
  const std::string word = joint.at("type").text();
  for (const ReferenceType& type : kTypes) {
    if (type.word == word) return type;
  }
  fail(joint.place(), "has the unknown type '" + word + "'");
}

/// The names of the reference's joints, in its order, as they are here.
class JointNames {
 public:
  explicit JointNames(const Model& model) : model_(model) {}

  std::vector<std::string> all(const ReferenceNode& joints) {
    std::vector<std::string> out;
    for (int j = 0; j < joints.size(); ++j) out.push_back(next(joints.at(j)));
    return out;
  }

 private:
  std::string next(const ReferenceNode& joint) {
    const ReferenceType& type = type_of(joint);
    std::string name = name_here(joint);
    // Parts of planar joints have names that the model does not have.
    if (model_.has_joint(name) && model_.link(model_.find_joint(name)).nv != type.nv) {
      fail(joint.place(),
           fmt::format("joint '{}' is a {} here", name, name_of(model_.link(model_.find_joint(name)).kind)));
    }
    if (joint.at("q").integer() != q_ || joint.at("v").integer() != v_) {
      fail(joint.place(), "its coordinates do not follow those of the joint before");
    }
    q_ += type.nq;
    v_ += type.nv;
    return name;
  }

  /// A joint without a name is told by its place among the joints of its body.
  std::string name_here(const ReferenceNode& joint) {
    std::string name = joint.at("name").text();
    if (!joint.has("body")) return name;
    const std::string body = joint.at("body").text();
    const int number = joints_seen_[body]++;
    if (!name.empty()) return name;
    const int index = model_.frame(model_.find_frame(body)).body;
    if (index == kWorld || number >= static_cast<int>(model_.description().bodies[index].joints.size())) {
      fail(joint.place(), fmt::format("body '{}' does not have that many joints here", body));
    }
    return model_.description().bodies[index].joints[number].name;
  }

  const Model& model_;
  std::map<std::string, int> joints_seen_;  // by body
  int q_ = 0, v_ = 0;
};

}  // namespace

CoordinateLayout make_reference_layout(const Model& model, const ReferenceNode& joints) {
  const LayoutOptions options{.joints = JointNames(model).all(joints)};
  try {
    return {model, Library::kMujoco, options};
  } catch (const Error& error) {
    fail(joints.place(), error.what());
  }
}

CoordinateMap::CoordinateMap(const Model& model, const ReferenceNode& joints, const std::vector<double>& qpos,
                             const std::vector<double>& qvel)
    : layout(make_reference_layout(model, joints)), q(model.nq()), v(model.nv()), T_dot_w(model.nv()) {
  if (static_cast<int>(qvel.size()) != layout.nv() || static_cast<int>(qpos.size()) != layout.nq()) {
    fail(joints.place(), fmt::format("the file has nq {} and nv {}, the model nq {} and nv {}", qpos.size(),
                                     qvel.size(), layout.nq(), layout.nv()));
  }
  layout.q_from(qpos, q);
  layout.velocity_from(q, qvel, v);
  layout.acceleration_from(q, v, std::vector<double>(model.nv()), T_dot_w);
}

std::vector<double> CoordinateMap::force_to_library(const std::vector<double>& tau) const {
  std::vector<double> out(tau.size());
  layout.force_from(q, tau, out);
  return out;
}

std::vector<double> CoordinateMap::force_to_reference(const std::vector<double>& tau) const {
  std::vector<double> out(tau.size());
  layout.force_to(q, tau, out);
  return out;
}

std::vector<double> CoordinateMap::acceleration_to_reference(const std::vector<double>& a) const {
  std::vector<double> out(a.size());
  layout.acceleration_to(q, v, a, out);
  return out;
}

std::vector<double> CoordinateMap::columns_to_reference(const std::vector<double>& J) const {
  const int nv = layout.nv(), rows = static_cast<int>(J.size()) / nv;
  std::vector<double> out(J.size());
  layout.jacobian_to(q, MatrixView<const double>(J.data(), rows, nv), MatrixView<double>(out.data(), rows, nv));
  return out;
}

std::vector<double> CoordinateMap::inertia_to_reference(const std::vector<double>& M) const {
  const int nv = layout.nv();
  const std::vector<double> MT = columns_to_reference(M);
  std::vector<double> out(M.size());
  const MatrixView<const double> transposed(MT.data(), nv, nv, 1, nv);  // Tᵀ M
  layout.jacobian_to(q, transposed, MatrixView<double>(out.data(), nv, nv));
  return out;
}

}  // namespace delassus::cli
