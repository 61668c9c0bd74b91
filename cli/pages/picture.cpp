#include "cli/pages/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

using Corner = Facets::Corner;

constexpr double kNear = 0.01;  // metres; nothing nearer is drawn
constexpr Vec3<double> kLight{{0.35, -0.45, 0.82}};
constexpr Colour kSky{0.93F, 0.95F, 0.97F}, kGround{0.80F, 0.82F, 0.84F}, kFixed{0.62F, 0.62F, 0.60F};

Colour scaled(const Colour& c, double s) {
  const auto by = static_cast<float>(s);
  return {c.red * by, c.green * by, c.blue * by};
}

Colour mixed(const Colour& a, const Colour& b, double share_of_b) {
  const auto s = static_cast<float>(share_of_b);
  return {a.red + s * (b.red - a.red), a.green + s * (b.green - a.green), a.blue + s * (b.blue - a.blue)};
}

Vec3<double> direction_of(const Vec3<double>& x) { return (1 / norm(x)) * x; }

/// Half a sky's light from everywhere, and what the lamp adds to sides that face it.
double brightness(const Vec3<double>& normal) {
  return 0.55 + 0.1 * normal[2] + 0.4 * std::max(0.0, dot(normal, direction_of(kLight)));
}

/// Hues far apart for any number of limbs, as viewer/src/body_colours.js has them: HSL with saturation 0.4.
Colour colour_of(int limb, int place) {
  const double hue = std::fmod(250 - 35 + 137.5 * limb + 360, 360), lightness = place % 2 ? 0.62 : 0.5;
  const double half_range = 0.4 * std::min(lightness, 1 - lightness);
  const auto channel = [&](double offset) {
    const double k = std::fmod(offset + hue / 30, 12);
    return static_cast<float>(lightness - half_range * std::max(-1.0, std::min({k - 3, 9 - k, 1.0})));
  };
  return {channel(0), channel(8), channel(4)};
}

/// A link that is the only child of its parent goes on with its limb.
std::vector<Colour> colours_of_links(const Model& model) {
  const auto n = static_cast<std::size_t>(model.num_links());
  std::vector<int> children(n), limb(n), place(n);
  for (const Link& link : model.links()) {
    if (link.parent != kWorld) ++children[static_cast<std::size_t>(link.parent)];
  }
  std::vector<Colour> out(n);
  int count = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const auto parent = static_cast<std::size_t>(model.links()[k].parent);
    const bool goes_on = model.links()[k].parent != kWorld && children[parent] == 1;
    limb[k] = goes_on ? limb[parent] : count++;
    place[k] = goes_on ? place[parent] + 1 : 0;
    out[k] = colour_of(limb[k], place[k]);
  }
  return out;
}

Corner between(const Corner& a, const Corner& b, double share_of_b) {
  return {a.point + share_of_b * (b.point - a.point), a.normal + share_of_b * (b.normal - a.normal)};
}

}  // namespace

/// A corner as the camera sees it.
struct DepthBuffer::Seen {
  double x, y, nearness;
  Vec3<double> normal;
};

DepthBuffer::DepthBuffer(const Camera& camera, int width, int height)
    : width_(2 * width), height_(2 * height), eye_(camera.eye) {
  ahead_ = camera.target - camera.eye;
  right_ = cross(ahead_, Vec3<double>{{0, 0, 1}});
  const bool sees = std::isfinite(norm(ahead_) + norm(eye_)) && norm(right_) > 1e-9 * (norm(ahead_) + norm(eye_));
  if (!sees) throw Error("the camera's eye and target have to be finite and apart, and not straight above each other");
  ahead_ = direction_of(ahead_);
  right_ = direction_of(right_);
  up_ = cross(right_, ahead_);
  scale_ = height_ / 2.0 / std::tan(camera.opening * std::numbers::pi / 360);
  nearness_.assign(static_cast<std::size_t>(width_) * height_, 0.0F);
  colours_.assign(nearness_.size(), kSky);
}

Vec3<double> DepthBuffer::direction(int x, int y) const {
  return ahead_ + ((x + 0.5 - width_ / 2.0) / scale_) * right_ + ((height_ / 2.0 - y - 0.5) / scale_) * up_;
}

/// Calls put(sample, nearness, normal) for each sample of the triangle, whatever is nearer.
template <class Put>
void DepthBuffer::fill(std::span<const Corner, 3> corners, const Put& put) const {
  // What lies behind the camera is cut off: three or four corners stay.
  std::array<Seen, 4> seen;
  std::size_t count = 0;
  const auto add = [&](const Corner& c) {
    const Vec3<double> r = c.point - eye_;
    const double nearness = 1 / dot(ahead_, r);
    seen[count++] = {width_ / 2.0 + scale_ * nearness * dot(right_, r), height_ / 2.0 - scale_ * nearness * dot(up_, r),
                     nearness, c.normal};
  };
  for (std::size_t k = 0; k < 3; ++k) {
    const Corner &a = corners[k], &b = corners[(k + 1) % 3];
    const double depth_a = dot(ahead_, a.point - eye_) - kNear, depth_b = dot(ahead_, b.point - eye_) - kNear;
    if (depth_a > 0) add(a);
    if ((depth_a > 0) != (depth_b > 0)) add(between(a, b, depth_a / (depth_a - depth_b)));
  }
  for (std::size_t k = 2; k < count; ++k) fill_clipped(seen[0], seen[k - 1], seen[k], put);
}

template <class Put>
void DepthBuffer::fill_clipped(const Seen& a, const Seen& b, const Seen& c, const Put& put) const {
  const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (!(std::abs(area) > 1e-9)) return;
  const auto first = [](double low, int size) {
    return static_cast<int>(std::clamp(std::ceil(low - 0.5), 0.0, double(size)));
  };
  const int left = first(std::min({a.x, b.x, c.x}), width_), top = first(std::min({a.y, b.y, c.y}), height_);
  const int right = first(std::max({a.x, b.x, c.x}), width_), bottom = first(std::max({a.y, b.y, c.y}), height_);
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      const double px = x + 0.5, py = y + 0.5;
      const double wb = ((px - a.x) * (c.y - a.y) - (c.x - a.x) * (py - a.y)) / area;
      const double wc = ((b.x - a.x) * (py - a.y) - (px - a.x) * (b.y - a.y)) / area;
      const double wa = 1 - wb - wc;
      if (wa < 0 || wb < 0 || wc < 0) continue;
      const double nearness = wa * a.nearness + wb * b.nearness + wc * c.nearness;
      const auto normal = wa * a.nearness * a.normal + wb * b.nearness * b.normal + wc * c.nearness * c.normal;
      put(static_cast<std::size_t>(y) * width_ + x, nearness, normal);
    }
  }
}

void DepthBuffer::draw(std::span<const Corner, 3> corners, const Colour& colour) {
  fill(corners, [&](std::size_t sample, double nearness, const Vec3<double>& normal) {
    const auto near = static_cast<float>(nearness);
    if (near <= nearness_[sample]) return;
    nearness_[sample] = near;
    const int x = static_cast<int>(sample % width_), y = static_cast<int>(sample / width_);
    // The side that is seen: surfaces may be open, or turned inside out.
    const double towards = dot(normal, direction(x, y)) > 0 ? -1 : 1;
    colours_[sample] = scaled(colour, brightness((towards / std::max(norm(normal), 1e-300)) * normal));
  });
}

void DepthBuffer::draw_plane(const Pose<double>& plane, std::span<const Vec3<double>> shadows) {
  const Vec3<double> normal = column(plane.R, 2);
  const Vec3<double> light = direction_of(kLight);
  const double facing = dot(normal, light);
  std::vector<bool> dark(nearness_.size());
  for (std::size_t k = 0; facing > 0.1 && k + 2 < shadows.size(); k += 3) {
    std::array<Corner, 3> corners;
    bool above = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const double height = dot(normal, shadows[k + i] - plane.p);
      above = above && height > -1e-3;
      corners[i].point = shadows[k + i] - (height / facing) * light;
      corners[i].normal = normal;
    }
    if (above) fill(corners, [&](std::size_t sample, double, const Vec3<double>&) { dark[sample] = true; });
  }
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      const std::size_t sample = static_cast<std::size_t>(y) * width_ + x;
      const Vec3<double> ray = direction(x, y);
      const double depth = dot(normal, plane.p - eye_) / dot(normal, ray);
      const auto near = static_cast<float>(1 / depth);
      if (!(depth > kNear) || near <= nearness_[sample]) continue;
      nearness_[sample] = near;
      const Vec3<double> at = transposed_times(plane.R, eye_ + depth * ray - plane.p);
      const bool odd = std::fmod(std::floor(at[0]) + std::floor(at[1]), 2) != 0;
      const Colour ground = scaled(kGround, (odd ? 0.94 : 1.0) * (dark[sample] ? 0.72 : 1.0));
      colours_[sample] = mixed(ground, kSky, std::clamp(depth / 40, 0.0, 1.0));
    }
  }
}

void DepthBuffer::resolve(std::span<std::uint8_t> rgb) const {
  std::size_t at = 0;
  for (int y = 0; y < height_; y += 2) {
    for (int x = 0; x < width_; x += 2) {
      Colour sum{0, 0, 0};
      for (const int next : {0, 1, width_, width_ + 1}) {
        const Colour& c = colours_[static_cast<std::size_t>(y) * width_ + x + next];
        sum = {sum.red + c.red, sum.green + c.green, sum.blue + c.blue};
      }
      for (const float channel : {sum.red, sum.green, sum.blue})
        rgb[at++] = static_cast<std::uint8_t>(std::clamp(255.0F / 4 * channel + 0.5F, 0.0F, 255.0F));
    }
  }
}

void Painter::Box::add(const Vec3<double>& point) {
  for (int i = 0; i < 3; ++i) {
    low[i] = std::min(low[i], point[i]);
    high[i] = std::max(high[i], point[i]);
  }
}

Painter::Painter(const Model& model, std::span<const CollisionWorld::Shape> shapes) {
  const std::vector<Colour> colours = colours_of_links(model);
  const std::vector<ShapeDescription>& described = model.description().shapes;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const CollisionWorld::Shape& s = shapes[k];
    const bool moves = s.link != kWorld;
    if (s.kind == ShapeKind::kPlane && !moves) planes_.push_back(s.placement);
    const Surface* surface = k < described.size() ? described[k].surface.get() : nullptr;
    const Colour colour = moves ? colours[static_cast<std::size_t>(s.link)] : kFixed;
    parts_.push_back({make_facets(s.kind, s.size, surface), {}, s.placement, s.link, colour});
    for (const Corner& corner : parts_.back().facets.corners) parts_.back().bounds.add(corner.point);
  }
}

void Painter::paint(const Kinematics<double>& kin, const Camera& camera, int width, int height,
                    std::span<std::uint8_t> rgb) const {
  DepthBuffer buffer(camera, width, height);
  std::vector<Vec3<double>> shadows;
  std::array<Corner, 3> corners;
  for (const Part& part : parts_) {
    const bool moves = part.link != kWorld;
    const Pose<double> pose = moves ? kin.pose[part.link] * part.placement : part.placement;
    for (std::size_t k = 0; k < part.facets.corners.size(); k += 3) {
      for (std::size_t i = 0; i < 3; ++i) {
        const Corner& c = part.facets.corners[k + i];
        corners[i] = {pose * c.point, pose.R * c.normal};
        if (moves) shadows.push_back(corners[i].point);
      }
      buffer.draw(corners, part.colour);
    }
  }
  for (const Pose<double>& plane : planes_) buffer.draw_plane(plane, shadows);
  buffer.resolve(rgb);
}

/// Corners of boxes around all that moves.
std::vector<Vec3<double>> Painter::outline(const Model& model,
                                           std::span<const std::vector<double>> configurations) const {
  std::vector<Vec3<double>> out;
  Kinematics<double> kin(model);
  for (const std::vector<double>& q : configurations) {
    update_kinematics<double>(model, q, kin);
    for (const Part& part : parts_) {
      if (part.link == kWorld || part.facets.corners.empty()) continue;
      for (unsigned corner = 0; corner < 8; ++corner) {
        Vec3<double> at;
        for (int i = 0; i < 3; ++i) at[i] = (corner >> i & 1U) != 0 ? part.bounds.high[i] : part.bounds.low[i];
        out.push_back(kin.pose[part.link] * (part.placement * at));
      }
    }
  }
  return out;
}

Camera Painter::look_at(const Model& model, std::span<const std::vector<double>> configurations, double aspect) const {
  Camera out;
  const std::vector<Vec3<double>> points = outline(model, configurations);
  if (points.empty()) return out;  // nothing that moves has a shape
  Box all;
  for (const Vec3<double>& point : points) all.add(point);
  out.target = 0.5 * (all.low + all.high);
  const Vec3<double> back = direction_of(Vec3<double>{{0.8, -0.5, 0.4}});
  const Vec3<double> right = direction_of(cross(Vec3<double>{{0, 0, 1}}, back)), up = cross(back, right);
  const double slope = std::tan(out.opening * std::numbers::pi / 360);
  double distance = 0.1;
  for (const Vec3<double>& point : points) {
    const Vec3<double> r = point - out.target;
    const double wide = std::max(std::abs(dot(right, r)) / aspect, std::abs(dot(up, r)));
    distance = std::max(distance, wide / slope + dot(back, r));
  }
  out.eye = out.target + 1.1 * distance * back;
  return out;
}

}  // namespace delassus::cli
