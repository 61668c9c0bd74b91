#include "cli/tour/drawing.hpp"

#include "cli/pages/rounded.hpp"
#include "cli/tour/tips.hpp"
#include "delassus/constraints/describe.hpp"
#include "delassus/kinematics/frames.hpp"

namespace delassus::cli {
namespace {

using nlohmann::json;

json as_json(const Vec3<double>& v) { return json{rounded(v[0]), rounded(v[1]), rounded(v[2])}; }
json as_json(const Mat3<double>& R) {
  json out = json::array();
  for (int k = 0; k < 9; ++k) out.push_back(rounded(R(k / 3, k % 3)));
  return out;
}

class Drawing {
 public:
  explicit Drawing(const Scene& scene) : scene_(scene), model_(scene.model), kin_(scene.model) {
    update_kinematics<double>(model_, scene.q, kin_);
  }

  json shapes() const {
    json out = json::array();
    for (const ShapeDescription& shape : model_.description().shapes) {
      if (shape.kind == ShapeKind::kPlane) continue;
      const Pose<double> pose = frame_pose(model_, kin_, model_.body_frame(shape.body)) * shape.placement;
      out.push_back({{"kind", name_of(shape.kind)},
                     {"size", as_json(shape.size)},
                     {"R", as_json(pose.R)},
                     {"p", as_json(pose.p)},
                     {"body", model_.frame(model_.body_frame(shape.body)).name}});
    }
    return out;
  }

  /// From joint to joint, and from the last to the end of its link.
  json bones() const {
    json out = json::array();
    for (int i = 0; i < model_.num_links(); ++i) {
      const int parent = model_.link(i).parent;
      if (parent != kWorld) out.push_back(bone(kin_.pose[parent].p, kin_.pose[i].p, parent));
    }
    for (const int tip : tip_links(model_))
      out.push_back(bone(kin_.pose[tip].p, place(furthest_point(model_, tip)), tip));
    return out;
  }

  json contacts() const {
    json out = json::array();
    for_each_constraint([&](const Constraint& c, const std::string& name) {
      const auto* contact = std::get_if<PointContact>(&c);
      if (!contact) return;
      const Mat3<double>& axes = contact->axes;
      out.push_back({{"at", as_json(place(contact->a))},
                     {"normal", as_json(Vec3<double>{{axes(0, 0), axes(0, 1), axes(0, 2)}})},
                     {"name", name}});
    });
    return out;
  }

  json ties() const {
    json out = json::array();
    for_each_constraint([&](const Constraint& c, const std::string& name) {
      const auto tie = [&](const Attachment& a, const Attachment& b) {
        out.push_back({{"from", as_json(place(a))}, {"to", as_json(place(b))}, {"name", name}});
      };
      if (const auto* loop = std::get_if<LoopClosure>(&c)) tie(loop->first, loop->second);
      if (const auto* distance = std::get_if<Distance>(&c)) tie(distance->first, distance->second);
    });
    return out;
  }

  bool touches_world() const {
    bool out = false;
    for (const Constraint& c : scene_.constraints) {
      const auto* contact = std::get_if<PointContact>(&c);
      out |= contact && model_.frame(contact->b).link == kWorld;
    }
    return out;
  }

 private:
  Vec3<double> place(const Attachment& a) const { return frame_pose(model_, kin_, a.frame) * a.offset.p; }

  json bone(const Vec3<double>& from, const Vec3<double>& to, int link) const {
    return {{"from", as_json(from)}, {"to", as_json(to)}, {"joint", model_.joint_name(link)}};
  }

  template <class Work>
  void for_each_constraint(Work&& work) const {
    for (std::size_t k = 0; k < scene_.constraints.size(); ++k) {
      work(scene_.constraints[k], constraint_label(scene_.constraints[k], k));
    }
  }

  const Scene& scene_;
  const Model& model_;
  Kinematics<double> kin_;
};

}  // namespace

json drawing_of(const Scene& scene) {
  const Drawing drawing(scene);
  return {{"shapes", drawing.shapes()},
          {"bones", drawing.bones()},
          {"contacts", drawing.contacts()},
          {"ties", drawing.ties()},
          {"ground", drawing.touches_world()}};
}

}  // namespace delassus::cli
