// Vertices and triangles while a file is read.
#pragma once

#include <array>
#include <map>

#include "delassus/math/error.hpp"
#include "delassus/model/surface.hpp"

namespace delassus::io {

class SurfaceCollector {
 public:
  explicit SurfaceCollector(const Vec3<double>& scale) : scale_(scale) {}

  std::int32_t add_vertex(const Vec3<double>& x) {
    vertices_.push_back({{scale_[0] * x[0], scale_[1] * x[1], scale_[2] * x[2]}});
    return static_cast<std::int32_t>(vertices_.size()) - 1;
  }
  /// The vertex that is there already, if there is one.
  std::int32_t weld_vertex(const Vec3<double>& x) {
    const std::array<double, 3> key{x[0], x[1], x[2]};
    const auto [place, is_new] = known_.try_emplace(key, static_cast<std::int32_t>(vertices_.size()));
    if (is_new) add_vertex(x);
    return place->second;
  }
  void add_triangle(std::int32_t a, std::int32_t b, std::int32_t c) {
    const bool mirrors = scale_[0] * scale_[1] * scale_[2] < 0;
    triangles_.push_back(mirrors ? Triangle{a, c, b} : Triangle{a, b, c});
  }
  std::int32_t num_vertices() const { return static_cast<std::int32_t>(vertices_.size()); }

  SurfacePointer make(const std::string& file_name) {
    if (triangles_.empty()) throw Error(file_name + ": has no triangles; export the mesh again, as STL or OBJ");
    return make_surface(std::move(vertices_), std::move(triangles_), file_name);
  }

 private:
  Vec3<double> scale_;
  std::map<std::array<double, 3>, std::int32_t> known_;
  std::vector<Vec3<double>> vertices_;
  std::vector<Triangle> triangles_;
};

}  // namespace delassus::io
