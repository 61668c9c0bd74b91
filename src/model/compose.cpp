#include "delassus/model/builder.hpp"

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus {
namespace {

/// A body of the host, or the world, and a pose in its frame.
struct Mount {
  int body = kWorld;
  Pose<double> pose = Pose<double>::identity();
};

[[noreturn]] void fail_no_frame(const ModelDescription& host, std::string_view frame) {
  ClosestName closest(frame);
  closest.consider("world");
  for (const BodyDescription& body : host.bodies) closest.consider(body.name);
  for (const FrameDescription& f : host.frames) closest.consider(f.name);
  throw Error("model " + in_quotes(host.name) + " has no frame " + in_quotes(frame) + closest.hint());
}

Mount find_mount(const ModelDescription& host, std::string_view frame) {
  if (frame == "world") return {};
  for (std::size_t b = 0; b < host.bodies.size(); ++b) {
    if (host.bodies[b].name == frame) return {static_cast<int>(b), Pose<double>::identity()};
  }
  for (const FrameDescription& f : host.frames) {
    if (f.name == frame) return {f.body, f.placement};
  }
  fail_no_frame(host, frame);
}

struct Neutral {
  std::vector<double> q, v;
};

Neutral neutral_state(const ModelDescription& description) {
  Neutral out;
  for (const BodyDescription& body : description.bodies) {
    for (const JointDescription& joint : body.joints) {
      const JointSizes sizes = sizes_of(joint.kind);
      out.q.insert(out.q.end(), static_cast<std::size_t>(sizes.nq), 0.0);
      out.v.insert(out.v.end(), static_cast<std::size_t>(sizes.nv), 0.0);
      // Only quaternions have more coordinates than velocities, and w is their last.
      if (sizes.nq > sizes.nv) out.q.back() = 1;
    }
  }
  return out;
}

std::vector<double> joined(std::vector<double> first, const std::vector<double>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

void append_keyframes(ModelDescription& host, const ModelDescription& part, const std::string& prefix) {
  if (host.keyframes.empty() && part.keyframes.empty()) return;  // a scene is made of many parts; most have none
  const Neutral before = neutral_state(host), after = neutral_state(part);
  for (Keyframe& key : host.keyframes) {
    key.q = joined(std::move(key.q), after.q);
    key.v = joined(std::move(key.v), after.v);
  }
  for (const Keyframe& key : part.keyframes) {
    host.keyframes.push_back(
        {key.name.empty() ? "" : prefix + key.name, joined(before.q, key.q), joined(before.v, key.v)});
  }
}

}  // namespace

void append_model(ModelDescription& host, const ModelDescription& part, std::string_view frame,
                  const Pose<double>& placement, std::string_view prefix_view) {
  const std::string prefix(prefix_view);
  Mount mount = find_mount(host, frame);
  mount.pose = mount.pose * placement;
  append_keyframes(host, part, prefix);
  const int offset = static_cast<int>(host.bodies.size());
  const auto moved = [&](int body) { return body == kWorld ? mount.body : body + offset; };
  const auto placed = [&](int body, const Pose<double>& pose) { return body == kWorld ? mount.pose * pose : pose; };
  for (BodyDescription body : part.bodies) {
    Pose<double>& first = body.joints.empty() ? body.placement : body.joints.front().placement;
    first = placed(body.parent, first);
    body.parent = moved(body.parent);
    body.name = prefix + body.name;
    for (JointDescription& joint : body.joints) joint.name = prefix + joint.name;
    host.bodies.push_back(std::move(body));
  }
  for (const FrameDescription& f : part.frames) {
    host.frames.push_back({prefix + f.name, moved(f.body), placed(f.body, f.placement)});
  }
  for (ShapeDescription shape : part.shapes) {
    if (!shape.name.empty()) shape.name = prefix + shape.name;
    shape.placement = placed(shape.body, shape.placement);
    shape.body = moved(shape.body);
    host.shapes.push_back(std::move(shape));
  }
  for (const ContactExclusion& pair : part.excludes) host.excludes.push_back({moved(pair.body1), moved(pair.body2)});
}

}  // namespace delassus
