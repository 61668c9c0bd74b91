// <keyframe> and <contact>.
#include <fmt/format.h>

#include "io/mjcf_assembly.hpp"
#include "io/number.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

/// All numbers of an attribute, of which there must be `count`.
std::vector<double> read_list(const XmlElement& element, const char* attribute, std::size_t count) {
  std::vector<double> out;
  const std::vector<std::string_view> words = split_words(element.text(attribute), count + 1);
  if (words.size() != count) {
    element.fail(fmt::format("attribute {} has {} numbers than the {} of the model", attribute,
                             words.size() > count ? "more" : "less", count));
  }
  for (const std::string_view word : words) {
    const std::optional<double> number = parse_number(word);
    if (!number) element.fail(fmt::format("attribute {}: {} is not a finite number", attribute, in_quotes(word)));
    out.push_back(*number);
  }
  return out;
}

/// Turns MuJoCo's coordinates into the library's, joint by joint.
class KeyReader {
 public:
  KeyReader(const MjcfAssembly& assembly, const XmlElement& element) : assembly_(assembly), element_(element) {}

  Keyframe run() {
    Keyframe key;
    if (element_.has("name")) key.name = element_.text("name");
    std::size_t nv = 0;
    for (const BodyDescription& body : assembly_.description.bodies) {
      for (const JointDescription& joint : body.joints) nv += static_cast<std::size_t>(sizes_of(joint.kind).nv);
    }
    key.q = assembly_.q0;
    key.v.assign(nv, 0);
    if (element_.has("qpos")) qpos_ = read_list(element_, "qpos", key.q.size());
    if (element_.has("qvel")) qvel_ = read_list(element_, "qvel", nv);
    for (const BodyDescription& body : assembly_.description.bodies) {
      for (const JointDescription& joint : body.joints) add(joint, key);
    }
    return key;
  }

 private:
  void add(const JointDescription& joint, Keyframe& key) {
    const JointSizes sizes = sizes_of(joint.kind);
    double* q = key.q.data() + q_;
    double* v = key.v.data() + v_;
    if (!qpos_.empty()) read_position(joint, qpos_.data() + q_, q);
    if (!qvel_.empty()) read_velocity(joint, qvel_.data() + v_, q, v);
    q_ += sizes.nq;
    v_ += sizes.nv;
  }

  void read_position(const JointDescription& joint, const double* from, double* to) const {
    if (sizes_of(joint.kind).nq == 1) {
      to[0] = from[0] - joint.dofs[0].reference;
      return;
    }
    const int offset = joint.kind == JointKind::kFree ? 3 : 0;
    for (int k = 0; k < offset; ++k) to[k] = from[k];
    if (!is_usable(from + offset, 4)) {
      element_.fail("the quaternion of joint " + in_quotes(joint.name) + " is zero; no rotation is 1 0 0 0");
    }
    for (int k = 0; k < 4; ++k) to[offset + k] = from[offset + (k + 1) % 4];
  }

  /// A free joint's linear velocity is in world axes there, in the body's here.
  static void read_velocity(const JointDescription& joint, const double* from, const double* q, double* to) {
    if (joint.kind != JointKind::kFree) {
      for (int k = 0; k < sizes_of(joint.kind).nv; ++k) to[k] = from[k];
      return;
    }
    const Mat3<double> R = rotation_of(Quaternion<double>{{q[3], q[4], q[5], q[6]}});
    const Vec3<double> linear = transposed_times(R, Vec3<double>{{from[0], from[1], from[2]}});
    for (int k = 0; k < 3; ++k) {
      to[k] = from[3 + k];
      to[3 + k] = linear[k];
    }
  }

  const MjcfAssembly& assembly_;
  const XmlElement& element_;
  std::vector<double> qpos_, qvel_;
  int q_ = 0, v_ = 0;
};

}  // namespace

void add_mjcf_keyframes(const MjcfSource& source, MjcfAssembly& assembly) {
  // Each takes memory as the model does, whatever little text it has.
  constexpr std::size_t kMaxNumbers = 10'000'000;
  for (const MjcfNode& node : source.in_sections("keyframe")) {
    const std::string label = mjcf_label(node, "");
    const XmlElement element(*node.file, node.node, label);
    if (node.tag() != "key") {
      element.ignore();
      continue;
    }
    element.ignore_all_but({"name", "qpos", "qvel"}, {});
    if (assembly.description.keyframes.size() * (assembly.q0.size() + 1) > kMaxNumbers) {
      element.fail("there are too many keyframes for a model of this size; remove some");
    }
    assembly.description.keyframes.push_back(KeyReader(assembly, element).run());
  }
}

void add_mjcf_exclusions(const MjcfSource& source, MjcfAssembly& assembly) {
  for (const MjcfNode& node : source.in_sections("contact")) {
    const std::string label = mjcf_label(node, "");
    const MjcfElement element(node, label);
    if (node.tag() != "exclude") {
      element.own().ignore();
      continue;
    }
    element.own().ignore_all_but({"name", "body1", "body2"}, {});
    const int body1 = assembly.find_body(element, "body1"), body2 = assembly.find_body(element, "body2");
    if (body1 == body2) element.fail("names the same body twice; a body never touches itself");
    assembly.description.excludes.push_back({body1 - 1, body2 - 1});
  }
}

}  // namespace delassus::io
