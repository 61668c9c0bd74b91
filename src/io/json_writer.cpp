#include "io/json_writer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "delassus/math/error.hpp"

namespace delassus::io {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kLineWidth = 110;

std::string compact(const ordered_json& value) {
  if (!value.is_structured()) return value.dump();
  std::string out;
  for (const auto& [key, child] : value.items()) {
    if (!out.empty()) out += ", ";
    if (value.is_object()) out += ordered_json(key).dump() + ": ";
    out += compact(child);
  }
  return value.is_object() ? "{" + out + "}" : "[" + out + "]";
}

bool holds_only_scalars(const ordered_json& value) {
  return std::none_of(value.begin(), value.end(), [](const ordered_json& x) { return x.is_structured(); });
}

/// The depth is that of our own format, so recursion is safe.
void append(std::string& out, const ordered_json& value, std::size_t indent) {
  const bool row = !value.is_object() && holds_only_scalars(value);
  if (std::string line = compact(value); row || line.size() + indent <= kLineWidth) {
    out += line;
    return;
  }
  const std::string margin(indent + 2, ' ');
  bool first = true;
  out += value.is_object() ? "{" : "[";
  for (const auto& [key, child] : value.items()) {
    out += (first ? "\n" : ",\n") + margin;
    if (value.is_object()) out += ordered_json(key).dump() + ": ";
    append(out, child, indent + 2);
    first = false;
  }
  out += "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

}  // namespace

ordered_json json_number(double x) {
  if (std::isnan(x)) throw Error("the scene holds a value that is not a number, and cannot be written");
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}

ordered_json json_numbers(std::span<const double> values) {
  ordered_json out = ordered_json::array();
  for (const double x : values) out.push_back(json_number(x));
  return out;
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

void put_unless(ordered_json& out, const char* key, double value, double fallback) {
  if (!same_bits(value, fallback)) out[key] = json_number(value);
}

void put_unless(ordered_json& out, const char* key, std::span<const double> value, std::span<const double> fallback) {
  if (!same_bits(value, fallback)) out[key] = json_numbers(value);
}

void put_pose(ordered_json& out, const char* position_key, const Pose<double>& pose) {
  const Pose<double> identity = Pose<double>::identity();
  put_unless(out, position_key, pose.p.a, identity.p.a);
  put_unless(out, "rotation", pose.R.a, identity.R.a);
}

std::string to_text(const ordered_json& value) {
  std::string out;
  try {
    append(out, value, 0);
  } catch (const ordered_json::exception&) {
    throw Error("the scene holds a name that is not UTF-8, and cannot be written");
  }
  return out + "\n";
}

}  // namespace delassus::io
