#include "delassus/model/shape.hpp"

#include <tuple>

#include "delassus/model/surface.hpp"

namespace delassus {
namespace {

bool same_surface(const std::shared_ptr<const Surface>& a, const std::shared_ptr<const Surface>& b) {
  return a == b || (a && b && *a == *b);
}

/// All but the surface. The binding stops compiling when a field is added that is not compared here.
auto values(const ShapeDescription& shape) {
  const auto& [name, body, kind, size, placement, friction, condim, surface] = shape;
  return std::tie(name, body, kind, size, placement, friction, condim);
}

}  // namespace

bool ShapeDescription::operator==(const ShapeDescription& other) const {
  return values(*this) == values(other) && same_surface(surface, other.surface);
}

}  // namespace delassus
