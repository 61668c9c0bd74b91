// Pictures of a mechanism, for videos: drawn by the processor, with no window and no graphics card.
//
// Triangles go into a buffer of depths, four samples for each pixel. One light shines from above; what stands in it throws a shadow on planes.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cli/pages/facets.hpp"
#include "delassus/collision/collision_world.hpp"
#include "delassus/kinematics/kinematics.hpp"

namespace delassus::cli {

/// World axes, z up.
struct Camera {
  Vec3<double> eye{{2, -3, 1.5}}, target{{0, 0, 0.5}};
  double opening = 40;  // degrees between the upper and the lower edge of the picture
};

struct Colour {
  float red, green, blue;
};

/// What is seen from one place, in samples of one picture.
class DepthBuffer {
 public:
  DepthBuffer(const Camera& camera, int width, int height);

  int width() const { return width_; }
  int height() const { return height_; }

  /// A triangle in the world, with a normal for each corner.
  void draw(std::span<const Facets::Corner, 3> corners, const Colour& colour);
  /// The plane z = 0 of a pose, with squares of a metre, dark where the shadows of these triangles fall (three points each).
  void draw_plane(const Pose<double>& plane, std::span<const Vec3<double>> shadows);
  /// Three bytes for each pixel, rows from the top; width and height are half of those of the samples.
  void resolve(std::span<std::uint8_t> rgb) const;

 private:
  struct Seen;
  template <class Put>
  void fill(std::span<const Facets::Corner, 3> corners, const Put& put) const;
  template <class Put>
  void fill_clipped(const Seen& a, const Seen& b, const Seen& c, const Put& put) const;
  Vec3<double> direction(int x, int y) const;

  int width_, height_;
  Vec3<double> eye_, right_, up_, ahead_;
  double scale_;                 // samples for each unit of slope
  std::vector<float> nearness_;  // 1 / depth; zero: the sky
  std::vector<Colour> colours_;
};

class Painter {
 public:
  Painter(const Model& model, std::span<const CollisionWorld::Shape> shapes);

  /// Into width × height × 3 bytes. Throws an Error for a camera that looks nowhere.
  void paint(const Kinematics<double>& kin, const Camera& camera, int width, int height,
             std::span<std::uint8_t> rgb) const;

  /// A camera from which the mechanism is seen as a whole in all of these configurations; aspect: width over height.
  Camera look_at(const Model& model, std::span<const std::vector<double>> configurations, double aspect) const;

 private:
  struct Box {
    static constexpr double kInfinite = std::numeric_limits<double>::infinity();
    Vec3<double> low = Vec3<double>::filled(kInfinite), high = Vec3<double>::filled(-kInfinite);
    void add(const Vec3<double>& point);
  };
  struct Part {
    Facets facets;
    Box bounds;  // around them
    Pose<double> placement;
    int link;
    Colour colour;
  };

  std::vector<Vec3<double>> outline(const Model& model, std::span<const std::vector<double>> configurations) const;

  std::vector<Part> parts_;
  std::vector<Pose<double>> planes_;
};

}  // namespace delassus::cli
