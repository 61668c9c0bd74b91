// One MJCF element with the defaults of its class behind it.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "delassus/math/rotation.hpp"
#include "io/mjcf_source.hpp"

namespace delassus::io {

/// What <compiler> and <option> set.
struct MjcfSettings {
  enum class InertiaFromGeom { kNever, kAuto, kAlways };

  bool degrees = true;
  std::string euler_sequence = "xyz";  // capital letters: fixed axes
  bool autolimits = true;
  InertiaFromGeom inertia_from_geom = InertiaFromGeom::kAuto;
  int first_inertia_group = 0, last_inertia_group = 5;
  double bound_mass = 0, bound_inertia = 0;  // the least that a body has
  bool balance_inertia = false;              // whether impossible moments are replaced by their mean
  double total_mass = -1;                    // none if not positive
  Vec3<double> gravity{{0, 0, -9.81}};
  bool gravity_enabled = true, equalities_enabled = true, constraints_enabled = true;

  std::string mesh_folder;  // of meshes and height fields, seen from the main file
  bool exact_mesh_inertia = false;

  double angle(double x) const;  // in radians
};

MjcfSettings read_mjcf_settings(const MjcfSource& source);

/// The tree of default classes. Class 0 is the outermost, main.
class MjcfDefaults {
 public:
  explicit MjcfDefaults(const MjcfSource& source);

  /// Throws an Error on behalf of the element if there is no such class.
  int find(const XmlElement& element, std::string_view name) const;

 private:
  friend class MjcfElement;
  struct Class {
    int parent;
    int depth;
    std::vector<MjcfNode> elements;
  };

  int open_class(const MjcfNode& node, int parent);
  void keep(const MjcfNode& node, int owner);

  std::vector<Class> classes_;
  std::unordered_map<std::string, int> index_;
};

/// Attributes are looked up in the element, then in its class, then in the classes around that. The owner's
/// string must outlive it.
class MjcfElement {
 public:
  /// Without defaults.
  MjcfElement(const MjcfNode& node, std::string_view owner) : levels_{XmlElement(*node.file, node.node, owner)} {}
  /// With those of its own class attribute, or else of `inherited`.
  MjcfElement(const MjcfNode& node, std::string_view owner, const MjcfDefaults& defaults, int inherited,
              std::string_view tag);

  const XmlElement& own() const { return levels_.front(); }
  [[noreturn]] void fail(std::string_view message) const { own().fail(message); }

  /// The nearest element that has the attribute; null if none.
  const XmlElement* nearest(const char* attribute) const;
  bool has(const char* attribute) const { return nearest(attribute) != nullptr; }
  std::string text_or(const char* attribute, std::string_view fallback) const;
  double number_or(const char* attribute, double fallback) const;
  int integer_or(const char* attribute, int fallback) const;
  /// The position in `words` of the attribute's text.
  int word_or(const char* attribute, std::initializer_list<std::string_view> words, int fallback) const;
  bool flag_or(const char* attribute, bool fallback) const {
    return word_or(attribute, {"false", "true"}, fallback ? 1 : 0) == 1;
  }
  template <int N>
  Vec<double, N> vector_or(const char* attribute, Vec<double, N> fallback) const {
    if (const XmlElement* level = nearest(attribute)) return level->vector<N>(attribute);
    return fallback;
  }
  /// Numbers of which some may be left out: those come from the classes around. Returns the most that any
  /// level has.
  int fill(const char* attribute, double* out, int most) const;

  /// From axisangle, euler, xyaxes or zaxis, else from quat; the nearest of them.
  Mat3<double> orientation(const MjcfSettings& settings) const;
  bool has_orientation() const;
  Pose<double> pose(const MjcfSettings& settings) const;

 private:
  std::vector<XmlElement> levels_;  // the element itself first
};

/// From a quaternion in MuJoCo's order w x y z.
Mat3<double> mjcf_rotation(const XmlElement& element, const char* attribute);
/// The smallest rotation that takes z to a direction, as MuJoCo chooses it: half a turn is about x.
Mat3<double> mjcf_rotation_from_z(const Vec3<double>& direction);
/// Whether there is a direction or a quaternion in the numbers, and not only zeros.
bool is_usable(const double* x, int count);

}  // namespace delassus::io
