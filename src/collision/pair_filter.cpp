#include "collision/pair_filter.hpp"

namespace delassus::collision {
namespace {

using Shape = CollisionWorld::Shape;

/// For each link the one below it that carries a body: a body with several joints has links of its own, without mass.
std::vector<int> make_carriers(const Model& model) {
  std::vector<char> carries(static_cast<std::size_t>(model.num_links()));
  for (int body = 0; body < static_cast<int>(model.description().bodies.size()); ++body) {
    const int link = model.frame(model.body_frame(body)).link;
    if (link != kWorld) carries[static_cast<std::size_t>(link)] = 1;
  }
  std::vector<int> carrier;
  for (int link = 0; link < model.num_links(); ++link) {
    int parent = model.link(link).parent;
    while (parent != kWorld && carries[static_cast<std::size_t>(parent)] == 0) parent = model.link(parent).parent;
    carrier.push_back(parent);
  }
  return carrier;
}

bool are_excluded(const Model& model, int body1, int body2) {
  for (const ContactExclusion& e : model.description().excludes) {
    if ((e.body1 == body1 && e.body2 == body2) || (e.body1 == body2 && e.body2 == body1)) return true;
  }
  return false;
}

}  // namespace

std::vector<int> trees_of(const Model& model, std::span<const Shape> shapes) {
  std::vector<int> of_body;
  for (const BodyDescription& body : model.description().bodies) {
    const int own = static_cast<int>(of_body.size());
    of_body.push_back(body.parent == kWorld ? own : of_body[static_cast<std::size_t>(body.parent)]);
  }
  std::vector<int> out;
  for (const Shape& shape : shapes) {
    out.push_back(shape.body == kWorld ? kWorld : of_body[static_cast<std::size_t>(shape.body)]);
  }
  return out;
}

PairTable make_touchable(const Model& model, std::span<const Shape> shapes, bool self) {
  const std::vector<int> carrier = make_carriers(model);
  // As in MuJoCo, what the world carries may touch what is fixed to the world.
  const auto carries = [&](int link, int other) {
    return link != kWorld && other != kWorld && carrier[static_cast<std::size_t>(other)] == link;
  };
  const int count = static_cast<int>(shapes.size());
  const std::vector<int> trees = trees_of(model, shapes);
  PairTable table(count);
  for (int i = 0; i < count; ++i) {
    const Shape& a = shapes[static_cast<std::size_t>(i)];
    const int tree = trees[static_cast<std::size_t>(i)];
    for (int j = i + 1; j < count; ++j) {
      const Shape& b = shapes[static_cast<std::size_t>(j)];
      const bool one_tree = tree != kWorld && tree == trees[static_cast<std::size_t>(j)];
      const bool never = a.link == b.link || carries(a.link, b.link) || carries(b.link, a.link) ||
                         (one_tree && !self) || are_excluded(model, a.body, b.body) ||
                         (a.kind == ShapeKind::kPlane && b.kind == ShapeKind::kPlane);
      table.set(i, j, !never);
    }
  }
  return table;
}

}  // namespace delassus::collision
