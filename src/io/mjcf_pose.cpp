// The five ways in which MJCF writes an orientation.
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "io/mjcf_element.hpp"

namespace delassus::io {
namespace {

constexpr std::array<const char*, 5> kOrientations{"quat", "axisangle", "euler", "xyaxes", "zaxis"};
/// MuJoCo's smallest length of a direction.
constexpr double kShortest = 1e-10;

Mat3<double> rotation_about(const Vec3<double>& axis, double angle) {
  return rotation_of(quaternion_exp<double>(angle * axis));
}

Vec3<double> unit(const XmlElement& element, const char* attribute, const Vec3<double>& x) {
  if (!is_usable(x.a, 3)) element.fail(fmt::format("attribute {} has a direction of no length", attribute));
  double largest = 0;
  for (const double e : x.a) largest = std::max(largest, std::abs(e));
  const Vec3<double> scaled = (1 / largest) * x;
  return (1 / norm(scaled)) * scaled;
}

Mat3<double> from_axis_and_angle(const XmlElement& element, const MjcfSettings& settings) {
  const Vec<double, 4> x = element.vector<4>("axisangle");
  return rotation_about(unit(element, "axisangle", {{x[0], x[1], x[2]}}), settings.angle(x[3]));
}

/// Small letters turn about the axes that the rotations before have moved, capital ones about the first axes.
Mat3<double> from_euler(const XmlElement& element, const MjcfSettings& settings) {
  const Vec3<double> angles = element.vector<3>("euler");
  Mat3<double> R = Mat3<double>::identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = settings.euler_sequence[static_cast<std::size_t>(i)];
    Vec3<double> axis{{0, 0, 0}};
    axis[(letter | 0x20) - 'x'] = 1;
    const Mat3<double> turn = rotation_about(axis, settings.angle(angles[i]));
    R = letter >= 'x' ? R * turn : turn * R;
  }
  return R;
}

Mat3<double> from_two_axes(const XmlElement& element) {
  const Vec<double, 6> a = element.vector<6>("xyaxes");
  const Vec3<double> x = unit(element, "xyaxes", {{a[0], a[1], a[2]}});
  const Vec3<double> along = unit(element, "xyaxes", {{a[3], a[4], a[5]}});
  const Vec3<double> across = along - dot(along, x) * x;
  if (norm(across) < kShortest) element.fail("attribute xyaxes has two parallel axes; give two directions");
  const Vec3<double> y = (1 / norm(across)) * across;
  const Vec3<double> z = cross(x, y);
  return {{x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]}};
}

/// The one way in which an element itself says its orientation; empty if it does not.
std::string_view orientation_of(const XmlElement& element) {
  std::string_view found;
  for (const char* attribute : kOrientations) {
    if (!element.has(attribute)) continue;
    if (!found.empty()) element.fail(fmt::format("has both {} and {}; remove one", found, attribute));
    found = attribute;
  }
  return found;
}

Mat3<double> read_orientation(const XmlElement& element, std::string_view attribute, const MjcfSettings& settings) {
  if (attribute == "quat") return mjcf_rotation(element, "quat");
  if (attribute == "axisangle") return from_axis_and_angle(element, settings);
  if (attribute == "euler") return from_euler(element, settings);
  if (attribute == "xyaxes") return from_two_axes(element);
  return mjcf_rotation_from_z(unit(element, "zaxis", element.vector<3>("zaxis")));
}

}  // namespace

Mat3<double> mjcf_rotation(const XmlElement& element, const char* attribute) {
  const Vec<double, 4> wxyz = element.vector<4>(attribute);
  if (!is_usable(wxyz.a, 4)) {
    element.fail(fmt::format("attribute {} is zero, or far from length 1; no rotation is 1 0 0 0", attribute));
  }
  return rotation_of(Quaternion<double>{{wxyz[1], wxyz[2], wxyz[3], wxyz[0]}});
}

double MjcfSettings::angle(double x) const { return degrees ? x * (std::numbers::pi / 180) : x; }

bool is_usable(const double* x, int count) {
  double largest = 0;
  for (int i = 0; i < count; ++i) largest = std::max(largest, std::abs(x[i]));
  return largest > kShortest && largest < 1 / kShortest;
}

Mat3<double> mjcf_rotation_from_z(const Vec3<double>& direction) {
  const double length = norm(direction);
  const Vec3<double> z = (1 / length) * direction;
  const double sine = std::hypot(z[0], z[1]);
  if (sine < kShortest) {
    const double sign = z[2] < 0 ? -1 : 1;
    return {{1, 0, 0, 0, sign, 0, 0, 0, sign}};
  }
  return rotation_about({{-z[1] / sine, z[0] / sine, 0}}, std::atan2(sine, z[2]));
}

bool MjcfElement::has_orientation() const {
  for (const char* attribute : kOrientations) {
    if (has(attribute)) return true;
  }
  return false;
}

/// In MuJoCo a quat gives way to any of the others, even to that of a class further out. Among the others the
/// nearest counts here; MuJoCo's versions differ in that, so that a mixture is doubtful.
Mat3<double> MjcfElement::orientation(const MjcfSettings& settings) const {
  const XmlElement *quat = nullptr, *other = nullptr;  // the nearest of each
  std::string_view way;
  for (const XmlElement& level : levels_) {
    const std::string_view found = orientation_of(level);
    if (found == "quat") {
      if (quat == nullptr) quat = &level;
    } else if (!found.empty() && other == nullptr) {
      other = &level;
      way = found;
    } else if (!found.empty() && found != way) {
      own().warn(fmt::format("takes {} and not {}, which a class around has; versions of MuJoCo differ", way, found));
    }
  }
  if (other != nullptr) return read_orientation(*other, way, settings);
  return quat != nullptr ? mjcf_rotation(*quat, "quat") : Mat3<double>::identity();
}

Pose<double> MjcfElement::pose(const MjcfSettings& settings) const {
  return {orientation(settings), vector_or<3>("pos", {{0, 0, 0}})};
}

}  // namespace delassus::io
