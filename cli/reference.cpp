#include "reference.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "delassus/math/error.hpp"
#include "delassus/math/rotation.hpp"
#include "files_beside.hpp"

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

/// Fills a CoordinateMap joint by joint.
class Mapper {
 public:
  Mapper(const Model& model, const std::vector<double>& qpos, const std::vector<double>& qpos0,
         const std::vector<double>& qvel, CoordinateMap& map)
      : model_(model), qpos_(qpos), qpos0_(qpos0), qvel_(qvel), map_(map) {}

  void add(const ReferenceNode& joint) {
    const std::string type = joint.at("type").text();
    place_ = joint.place();
    const std::string name = name_here(joint);
    q_ = joint.at("q").integer();
    w_ = joint.at("v").integer();
    const bool free = type == "free", ball = type == "ball";
    if (!free && !ball && type != "hinge" && type != "slide") fail(place_, "has the unknown type '" + type + "'");
    const int nq = free ? 7 : ball ? 4 : 1, nv = free ? 6 : ball ? 3 : 1;
    if (q_ < 0 || w_ < 0 || q_ + nq > static_cast<int>(qpos_.size()) || w_ + nv > static_cast<int>(qvel_.size())) {
      fail(place_, "lies outside qpos or qvel");
    }
    if (free) return add_free(find(name, JointKind::kFree));
    if (ball) return add_ball(find(name, JointKind::kSpherical));
    add_scalar(name);
  }

 private:
  /// A joint without a name is told by its place among the joints of its body.
  std::string name_here(const ReferenceNode& joint) {
    std::string name = joint.at("name").text();
    if (!joint.has("body")) return name;
    const std::string body = joint.at("body").text();
    const int number = joints_seen_[body]++;
    if (!name.empty()) return name;
    const int index = model_.frame(model_.find_frame(body)).body;
    if (index == kWorld || number >= static_cast<int>(model_.description().bodies[index].joints.size())) {
      fail(place_, fmt::format("body '{}' does not have that many joints here", body));
    }
    return model_.description().bodies[index].joints[number].name;
  }
  int find(const std::string& name, JointKind kind) const {
    const int link = model_.find_joint(name);
    if (model_.link(link).kind != kind)
      fail(place_, fmt::format("joint '{}' is a {} here", name, name_of(model_.link(link).kind)));
    return link;
  }
  double& T(int row, int col) { return map_.T[row * map_.nv + col]; }
  Quaternion<double> quaternion(int at) const { return {{qpos_[at + 1], qpos_[at + 2], qpos_[at + 3], qpos_[at]}}; }
  void put_quaternion(int at, const Quaternion<double>& x) {
    for (int k = 0; k < 4; ++k) map_.q[at + k] = x[k];
  }

  /// The reference has the pose in the world; here it is in the joint's frame, which stands still on the world.
  void add_free(int link) {
    const Link& l = model_.link(link);
    if (l.parent != kWorld) fail(place_, "a free joint must hang on the world");
    const Mat3<double> R = rotation_of(quaternion(q_ + 3));
    const Pose<double> pose = inverse(l.placement) * Pose<double>{R, {{qpos_[q_], qpos_[q_ + 1], qpos_[q_ + 2]}}};
    for (int k = 0; k < 3; ++k) map_.q[l.q + k] = pose.p[k];
    put_quaternion(l.q + 3, quaternion_of(pose.R));
    Vec3<double> spin, velocity = Vec3<double>::zero();
    for (int r = 0; r < 3; ++r) {
      T(l.v + r, w_ + 3 + r) = 1;
      spin[r] = qvel_[w_ + 3 + r];
      for (int c = 0; c < 3; ++c) {
        T(l.v + 3 + r, w_ + c) = R(c, r);
        velocity[r] += R(c, r) * qvel_[w_ + c];
      }
    }
    const Vec3<double> turn = cross(velocity, spin);  // d/dt(Rᵀ) ẋ = -ω × Rᵀẋ
    for (int r = 0; r < 3; ++r) map_.T_dot_w[l.v + 3 + r] = turn[r];
  }

  void add_ball(int link) {
    const Link& l = model_.link(link);
    put_quaternion(l.q, quaternion(q_));
    for (int k = 0; k < 3; ++k) T(l.v + k, w_ + k) = 1;
  }

  void add_scalar(const std::string& name) {
    int link = 0, dof = 0;
    if (!model_.has_joint(name) && name.size() > 3 && model_.has_joint(name.substr(0, name.size() - 3))) {
      static constexpr std::string_view kSuffixes[] = {"_TX", "_TY", "_RZ"};
      link = find(name.substr(0, name.size() - 3), JointKind::kPlanar);
      while (dof < 3 && !name.ends_with(kSuffixes[dof])) ++dof;
      if (dof == 3) fail(place_, "is no part of a planar joint");
    } else {
      link = model_.find_joint(name);
      if (model_.link(link).nv != 1)
        fail(place_, fmt::format("joint '{}' is a {} here", name, name_of(model_.link(link).kind)));
    }
    const Link& l = model_.link(link);
    map_.q[l.q + dof] = qpos_[q_] - qpos0_[q_];
    T(l.v + dof, w_) = 1;
  }

  const Model& model_;
  const std::vector<double>&qpos_, &qpos0_, &qvel_;
  CoordinateMap& map_;
  std::string place_;
  std::map<std::string, int> joints_seen_;  // by body
  int q_ = 0, w_ = 0;
};

}  // namespace

CoordinateMap::CoordinateMap(const Model& model, const ReferenceNode& joints, const std::vector<double>& qpos,
                             const std::vector<double>& qpos0, const std::vector<double>& qvel)
    : nv(model.nv()), q(model.neutral()), T(static_cast<std::size_t>(nv) * nv), T_dot_w(nv) {
  if (static_cast<int>(qvel.size()) != nv || static_cast<int>(qpos.size()) != model.nq() ||
      qpos0.size() != qpos.size()) {
    fail(joints.place(), fmt::format("the file has nq {} and nv {}, the model nq {} and nv {}", qpos.size(),
                                     qvel.size(), model.nq(), nv));
  }
  Mapper mapper(model, qpos, qpos0, qvel, *this);
  for (int j = 0; j < joints.size(); ++j) mapper.add(joints.at(j));
  v = to_library(qvel);
}

std::vector<double> CoordinateMap::to_library(const std::vector<double>& w) const {
  std::vector<double> out(nv);
  for (int r = 0; r < nv; ++r) {
    for (int c = 0; c < nv; ++c) out[r] += T[r * nv + c] * w[c];
  }
  return out;
}

std::vector<double> CoordinateMap::to_reference(const std::vector<double>& f) const {
  std::vector<double> out(nv);
  for (int r = 0; r < nv; ++r) {
    for (int c = 0; c < nv; ++c) out[c] += T[r * nv + c] * f[r];
  }
  return out;
}

std::vector<double> CoordinateMap::columns_to_reference(const std::vector<double>& J) const {
  const int rows = static_cast<int>(J.size()) / nv;
  std::vector<double> out(J.size());
  for (int r = 0; r < rows; ++r) {
    for (int k = 0; k < nv; ++k) {
      if (J[r * nv + k] == 0) continue;
      for (int c = 0; c < nv; ++c) out[r * nv + c] += J[r * nv + k] * T[k * nv + c];
    }
  }
  return out;
}

}  // namespace delassus::cli
