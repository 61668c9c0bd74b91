// Scenes of the C interface: reading them, and what they have.
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "c/handles.hpp"
#include "delassus/scenes/load_named.hpp"

namespace delassus::c {
namespace {

std::optional<UrdfOptions::Base> base_from(const delassus_base& base) {
  switch (const int number = static_cast<int>(number_of(base))) {
    case DELASSUS_BASE_DEFAULT:
      return std::nullopt;
    case DELASSUS_BASE_FIXED:
      return UrdfOptions::Base::kFixed;
    case DELASSUS_BASE_FLOATING:
      return UrdfOptions::Base::kFloating;
    default:
      throw Error("argument 'base' is " + std::to_string(number) + "; it is one of the DELASSUS_BASE_ constants");
  }
}

delassus_scene* make_handle(Scene scene) {
  auto model = std::make_shared<const Model>(scene.model);
  return new delassus_scene{std::move(model), std::move(scene.q), std::move(scene.v), std::move(scene.constraints)};
}

/// The element of a list that an argument counts.
template <class List>
const auto& element(const List& list, int index, std::string_view argument) {
  if (index >= 0 && index < static_cast<int>(list.size())) return list[static_cast<std::size_t>(index)];
  throw Error("argument '" + std::string(argument) + "' is " + std::to_string(index) + "; there are " +
              std::to_string(list.size()) + ", counted from 0");
}

/// A number of a scene, or -1.
template <class Number>
int number_of(const delassus_scene* scene, Number&& number) {
  return guarded_or(-1, [&] { return static_cast<int>(number(required(scene, "scene"))); });
}

/// A name of a scene, or NULL.
template <class Name>
const char* name_in(const delassus_scene* scene, Name&& name) {
  return guarded_or<const char*>(nullptr, [&] { return name(required(scene, "scene")).c_str(); });
}

void copy(const std::vector<double>& values, double* out, int size, std::string_view argument) {
  std::ranges::copy(values, output(out, size, static_cast<int>(values.size()), argument).data());
}

}  // namespace
}  // namespace delassus::c

using namespace delassus;     // NOLINT: this file defines functions of C alone
using namespace delassus::c;  // NOLINT

extern "C" {

delassus_status delassus_scene_load(const char* name, delassus_base base, delassus_scene** scene) {
  return hand_out(scene, "scene", [&] {
    NamedOptions options;
    options.base = base_from(base);
    options.base_choice = "argument 'base' (DELASSUS_BASE_DEFAULT)";
    options.list = "`delassus list`";
    return make_handle(load_named(&required(name, "name"), options));
  });
}

delassus_status delassus_scene_parse(const char* text, const char* file_name, delassus_base base,
                                     delassus_scene** scene) {
  return hand_out(scene, "scene", [&] {
    UrdfOptions options;
    options.base = base_from(base).value_or(UrdfOptions::Base::kFixed);
    return make_handle(parse_text(&required(text, "text"), &required(file_name, "file_name"), options));
  });
}

void delassus_scene_free(delassus_scene* scene) { delete scene; }

int delassus_scene_nq(const delassus_scene* scene) {
  return number_of(scene, [](const delassus_scene& s) { return s.model->nq(); });
}
int delassus_scene_nv(const delassus_scene* scene) {
  return number_of(scene, [](const delassus_scene& s) { return s.model->nv(); });
}
int delassus_scene_frames(const delassus_scene* scene) {
  return number_of(scene, [](const delassus_scene& s) { return s.model->frames().size(); });
}
int delassus_scene_joints(const delassus_scene* scene) {
  return number_of(scene, [](const delassus_scene& s) { return s.model->num_links(); });
}
int delassus_scene_constraints(const delassus_scene* scene) {
  return number_of(scene, [](const delassus_scene& s) { return s.constraints.size(); });
}
int delassus_scene_rows(const delassus_scene* scene) {
  return number_of(scene, [](const delassus_scene& s) {
    return std::transform_reduce(s.constraints.begin(), s.constraints.end(), 0, std::plus<>(),
                                 [](const Constraint& c) { return row_count(c); });
  });
}
int delassus_scene_keyframes(const delassus_scene* scene) {
  return number_of(scene, [](const delassus_scene& s) { return s.model->description().keyframes.size(); });
}

const char* delassus_scene_name(const delassus_scene* scene) {
  return name_in(scene, [](const delassus_scene& s) -> const std::string& { return s.model->name(); });
}
const char* delassus_scene_frame_name(const delassus_scene* scene, int frame) {
  return name_in(scene, [&](const delassus_scene& s) -> const std::string& {
    return element(s.model->frames(), frame, "frame").name;
  });
}
const char* delassus_scene_joint_name(const delassus_scene* scene, int joint) {
  return name_in(scene, [&](const delassus_scene& s) -> const std::string& {
    element(s.model->links(), joint, "joint");
    return s.model->joint_name(joint);
  });
}
const char* delassus_scene_constraint_name(const delassus_scene* scene, int constraint) {
  return name_in(scene, [&](const delassus_scene& s) -> const std::string& {
    return name_of(element(s.constraints, constraint, "constraint"));
  });
}
const char* delassus_scene_keyframe_name(const delassus_scene* scene, int keyframe) {
  return name_in(scene, [&](const delassus_scene& s) -> const std::string& {
    return element(s.model->description().keyframes, keyframe, "keyframe").name;
  });
}

delassus_status delassus_scene_neutral(const delassus_scene* scene, double* q, int nq) {
  return guarded([&] {
    copy(required(scene, "scene").model->neutral(), q, nq, "q");
    return DELASSUS_OK;
  });
}

delassus_status delassus_scene_keyframe(const delassus_scene* scene, int keyframe, double* q, int nq) {
  return guarded([&] {
    const auto& keyframes = required(scene, "scene").model->description().keyframes;
    copy(element(keyframes, keyframe, "keyframe").q, q, nq, "q");
    return DELASSUS_OK;
  });
}

delassus_status delassus_scene_state(const delassus_scene* scene, double* q, int nq, double* v, int nv) {
  return guarded([&] {
    const delassus_scene& s = required(scene, "scene");
    (void)output(v, nv, static_cast<int>(s.v.size()), "v");  // before anything is written
    copy(s.q, q, nq, "q");
    copy(s.v, v, nv, "v");
    return DELASSUS_OK;
  });
}

}  // extern "C"
