#include "collision/seen_along.hpp"

#include <algorithm>

namespace delassus::collision {
namespace {

/// The sine of an angle at which segments still run along each other.
constexpr double kAlong = 0.02;
/// Numbers of the polygon's edges begin here; those of the subject's are below.
constexpr std::uint32_t kClipEdge = Feature::kMost;

/// The plane of a polygon: height over a place.
struct Slope {
  explicit Slope(const Seen& polygon) : origin(polygon.point[0]) {
    // Corners a quarter and a half round; of a triangle the other two.
    const SeenPoint u = polygon.point[std::max(1, polygon.count / 4)] - origin,
                    v = polygon.point[std::max(2, polygon.count / 2)] - origin;
    const double area = cross(u, v);
    turn = area < 0 ? -1 : 1;
    if (area == 0) return;
    gx = (u.height * v.y - v.height * u.y) / area;
    gy = (u.x * v.height - v.x * u.height) / area;
  }
  double at(const SeenPoint& p) const { return origin.height + gx * (p.x - origin.x) + gy * (p.y - origin.y); }

  SeenPoint origin;
  double gx = 0, gy = 0;
  double turn = 1;  // whether the corners go round to the left or to the right
};

/// One edge of the polygon, as a line that has the polygon on its left.
struct Border {
  SeenPoint from, along;
  double factor;
  std::uint32_t edge;

  double inside(const SeenPoint& p) const { return factor * cross(along, p - from); }
};

/// False for an edge without length, which bounds nothing.
bool find_border(const Seen& polygon, int k, double turn, Border& out) {
  const SeenPoint& from = polygon.point[k];
  const SeenPoint along = polygon.point[(k + 1) % polygon.count] - from;
  const double length2 = along.x * along.x + along.y * along.y;
  if (!(length2 > 0)) return false;
  out = {from, along, turn / std::sqrt(length2), kClipEdge + static_cast<std::uint32_t>(k)};
  return true;
}

/// A corner of the clipped polygon, and which line leads on from it.
struct Corner {
  SeenPoint p;
  std::uint32_t edge;
};

struct Ring {
  Corner corner[2 * Feature::kMost];
  int count = 0;

  void add(const SeenPoint& p, std::uint32_t edge) {
    if (count < 2 * Feature::kMost) corner[count++] = {p, edge};
  }
};

/// Sutherland and Hodgman (Communications of the ACM 17, 1974), one line. A corner that is outside by no more than the
/// tolerance stays where it is, so that faces which coincide keep the corners of the subject.
void clip(const Ring& in, const Border& line, double tolerance, Ring& out) {
  out.count = 0;
  for (int k = 0; k < in.count; ++k) {
    const Corner& here = in.corner[k];
    const Corner& next = in.corner[k + 1 == in.count ? 0 : k + 1];
    const double d0 = line.inside(here.p), d1 = line.inside(next.p);
    const bool in0 = d0 >= -tolerance, in1 = d1 >= -tolerance;
    const SeenPoint cut = in0 == in1 ? here.p : mix(here.p, next.p, d0 / (d0 - d1));
    if (in0) out.add(here.p, in1 || d0 > 0 ? here.edge : line.edge);
    if (in0 && !in1 && d0 > 0) out.add(cut, line.edge);
    if (!in0 && in1 && d1 > 0) out.add(cut, here.edge);
  }
}

/// The corner of a feature at p, or -1.
int corner_at(const Seen& s, const SeenPoint& p, double tolerance) {
  for (int k = 0; k < s.count; ++k) {
    if (distance2(s.point[k], p) <= 4 * tolerance * tolerance) return k;
  }
  return -1;
}

/// A corner of the subject, else one of the polygon, else a crossing: of what meets at one place, rounding does not choose.
std::uint32_t name_at(const Seen& subject, const Seen& polygon, const SeenPoint& p, double tolerance,
                      std::uint32_t crossing) {
  if (const int k = corner_at(subject, p, tolerance); k >= 0) return corner_name(subject, k);
  if (const int k = corner_at(polygon, p, tolerance); k >= 0) return corner_name(polygon, k);
  return crossing_name(subject, polygon, crossing);
}

/// Adds a point unless there is one of that name.
int add_touch(Touch* out, int count, const Touch& touch) {
  for (int k = 0; k < count; ++k) {
    if (out[k].feature == touch.feature) return count;
  }
  out[count] = touch;
  return count + 1;
}

int clip_ring(const Seen& subject, const Seen& polygon, const Slope& slope, double tolerance, Touch* out) {
  Ring rings[2];
  int latest = 0;
  for (int k = 0; k < subject.count; ++k) rings[0].add(subject.point[k], static_cast<std::uint32_t>(k));
  Border line;
  for (int k = 0; k < polygon.count; ++k) {
    if (!find_border(polygon, k, slope.turn, line)) continue;
    clip(rings[latest], line, tolerance, rings[1 - latest]);
    latest = 1 - latest;
  }
  const Ring& ring = rings[latest];
  double size2 = 0;
  for (int k = 1; k < ring.count; ++k) size2 = std::max(size2, distance2(ring.corner[0].p, ring.corner[k].p));
  if (!(size2 > tolerance * tolerance)) return 0;  // corner to corner, and as much by rounding as not
  int count = 0;
  for (int k = 0; k < ring.count; ++k) {
    const Corner& c = ring.corner[k];
    const std::uint32_t before = ring.corner[k == 0 ? ring.count - 1 : k - 1].edge;
    const std::uint32_t name = name_at(subject, polygon, c.p, tolerance, before << 4 | c.edge);
    count = add_touch(out, count, {c.p, slope.at(c.p), name});
  }
  return count;
}

int clip_segment(const Seen& subject, const Seen& polygon, const Slope& slope, double tolerance, Touch* out) {
  double t[2] = {0, 1};
  std::uint32_t cut_by[2] = {0, 0};
  Border line;
  for (int k = 0; k < polygon.count; ++k) {
    if (!find_border(polygon, k, slope.turn, line)) continue;
    const double d0 = line.inside(subject.point[0]), d1 = line.inside(subject.point[1]);
    if (d0 < -tolerance && d1 < -tolerance) return 0;
    const int end = d0 < -tolerance ? 0 : 1;
    if (end == 1 && d1 >= -tolerance) continue;
    const double cut = std::clamp(d0 / (d0 - d1), 0.0, 1.0);
    const double slack = tolerance / std::abs(d0 - d1);  // near a corner the first of two edges stays
    if (end == 0 ? cut <= t[0] + slack : cut >= t[1] - slack) continue;
    t[end] = cut;
    cut_by[end] = line.edge << 4 | static_cast<std::uint32_t>(end);
  }
  if (t[0] > t[1]) return 0;
  Touch ends[2];
  for (const int end : {0, 1}) {
    const SeenPoint p = mix(subject.point[0], subject.point[1], t[end]);
    ends[end] = {p, slope.at(p), name_at(subject, polygon, p, tolerance, cut_by[end])};
  }
  if (distance2(ends[0].at, ends[1].at) > tolerance * tolerance)
    return add_touch(out, add_touch(out, 0, ends[0]), ends[1]);
  // One end is on the border, or the segment passes by a corner, and as much by rounding as not.
  out[0] = ends[t[0] == 0 ? 0 : 1];
  return t[0] == 0 || t[1] == 1 ? 1 : 0;
}

int clip_point(const Seen& subject, const Seen& polygon, const Slope& slope, double tolerance, Touch* out) {
  const SeenPoint& p = subject.point[0];
  Border line;
  for (int k = 0; k < polygon.count; ++k) {
    if (find_border(polygon, k, slope.turn, line) && line.inside(p) < -tolerance) return 0;
  }
  out[0] = {p, slope.at(p), corner_name(subject, 0)};
  return 1;
}

}  // namespace

int clip_to_polygon(const Seen& subject, const Seen& polygon, double tolerance, Touch (&out)[2 * Feature::kMost]) {
  const Slope slope(polygon);
  if (subject.count == 1) return clip_point(subject, polygon, slope, tolerance, out);
  if (subject.count == 2) return clip_segment(subject, polygon, slope, tolerance, out);
  return clip_ring(subject, polygon, slope, tolerance, out);
}

int meet_segments(const Seen& s, const Seen& o, double tolerance, Touch (&out)[2 * Feature::kMost]) {
  const SeenPoint u = s.point[1] - s.point[0], v = o.point[1] - o.point[0], w = o.point[0] - s.point[0];
  const double u2 = u.x * u.x + u.y * u.y, v2 = v.x * v.x + v.y * v.y, area = cross(u, v);
  if (!(u2 > 0 && v2 > 0)) return 0;
  const auto put = [&](int k, double along_s, double along_o, std::uint32_t name) {
    out[k] = {mix(s.point[0], s.point[1], along_s), mix(o.point[0], o.point[1], along_o).height, name};
  };
  if (std::abs(area) > kAlong * std::sqrt(u2 * v2)) {
    const double at_s = cross(w, v) / area, at_o = cross(w, u) / area;
    put(0, std::clamp(at_s, 0.0, 1.0), std::clamp(at_o, 0.0, 1.0), crossing_name(s, o, 0));
    return 1;
  }
  // Where the ends of the other lie along this one.
  const double first = (w.x * u.x + w.y * u.y) / u2, step = (v.x * u.x + v.y * u.y) / u2, last = first + step;
  const double slack = tolerance / std::sqrt(u2);
  const bool backwards = step < 0;
  const double low = backwards ? last : first, high = backwards ? first : last;
  const double from = low > slack ? low : 0, to = high < 1 - slack ? high : 1;
  const auto along_other = [&](double t) { return std::clamp((t - first) / step, 0.0, 1.0); };
  if (!(to - from > slack)) {  // end to end
    const double t = std::clamp(0.5 * (from + to), 0.0, 1.0);
    put(0, t, along_other(t), corner_name(s, t < 0.5 ? 0 : 1));
    return 1;
  }
  put(0, from, along_other(from), from > 0 ? corner_name(o, backwards ? 1 : 0) : corner_name(s, 0));
  put(1, to, along_other(to), to < 1 ? corner_name(o, backwards ? 0 : 1) : corner_name(s, 1));
  return 2;
}

}  // namespace delassus::collision
