#include "cli/pages/stage.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "cli/pages/base64.hpp"
#include "cli/pages/json_text.hpp"
#include "delassus/model/surface.hpp"

namespace delassus::cli {
namespace {

using nlohmann::json;

json bodies_json(const Model& model) {
  json out = json::array();
  const std::vector<std::string> names = link_names(model);
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    out.push_back({{"name", names[static_cast<std::size_t>(i)]},
                   {"parent", link.parent},
                   {"joint", name_of(link.kind)},
                   {"joint_name", model.joint_name(i)},
                   {"mass", number_json(link.inertia.mass)},
                   {"q", {link.q, sizes_of(link.kind).nq}},
                   {"v", {link.v, link.nv}}});
  }
  return out;
}

json surface_json(const Surface& surface) {
  std::vector<float> vertices;
  std::vector<std::int32_t> triangles;
  for (const Vec3<double>& vertex : surface.vertices()) vertices.insert(vertices.end(), vertex.a, vertex.a + 3);
  for (const Triangle& t : surface.triangles()) triangles.insert(triangles.end(), t.begin(), t.end());
  return {{"vertices", base64_of(vertices)}, {"triangles", base64_of(triangles)}};
}

/// The surfaces of a recording, each once.
class Surfaces {
 public:
  int find(const Surface& surface) {
    const auto [at, is_new] = index_.emplace(&surface, static_cast<int>(index_.size()));
    if (is_new) all_.push_back(surface_json(surface));
    return at->second;
  }
  const json& all() const { return all_; }

 private:
  std::map<const Surface*, int> index_;
  json all_ = json::array();
};

json shape_json(const CollisionWorld::Shape& shape) {
  const Quaternion<double> turn = quaternion_of(shape.placement.R);
  return {{"name", shape.name},
          {"body", shape.link},
          {"kind", name_of(shape.kind)},
          {"size", numbers_json(shape.size.a)},
          {"position", numbers_json(shape.placement.p.a)},
          {"quaternion", numbers_json(turn.a)}};
}

}  // namespace

std::vector<std::string> link_names(const Model& model) {
  std::vector<std::string> out(static_cast<std::size_t>(model.num_links()));
  const std::vector<BodyDescription>& bodies = model.description().bodies;
  for (int b = 0; b < static_cast<int>(bodies.size()); ++b) {
    const int link = model.frame(model.body_frame(b)).link;
    if (link == kWorld) continue;
    std::string& name = out[static_cast<std::size_t>(link)];
    if (name.empty()) name = bodies[static_cast<std::size_t>(b)].name;
  }
  for (int i = 0; i < model.num_links(); ++i) {
    std::string& name = out[static_cast<std::size_t>(i)];
    if (name.empty()) name = model.joint_name(i);
  }
  return out;
}

void add_stage(const Model& model, std::span<const CollisionWorld::Shape> shapes, json& document) {
  json list = json::array();
  Surfaces surfaces;
  const std::vector<ShapeDescription>& described = model.description().shapes;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    json shape = shape_json(shapes[k]);
    if (k < described.size() && described[k].surface) shape["surface"] = surfaces.find(*described[k].surface);
    list.push_back(std::move(shape));
  }
  document["bodies"] = bodies_json(model);
  document["shapes"] = std::move(list);
  document["surfaces"] = surfaces.all();
}

}  // namespace delassus::cli
