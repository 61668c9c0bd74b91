// Writing JSON: values that read back to the same bits, and a layout for people.
#pragma once

#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "delassus/math/rotation.hpp"

namespace delassus::io {

/// Infinities as "inf" and "-inf". Throws an Error for what is not a number.
nlohmann::ordered_json json_number(double x);
nlohmann::ordered_json json_numbers(std::span<const double> values);

/// Tells zeros of different sign apart, which == does not.
bool same_bits(std::span<const double> a, std::span<const double> b);
inline bool same_bits(double a, double b) { return same_bits(std::span(&a, 1), std::span(&b, 1)); }

/// Sets a key unless the value is the default to the bit.
void put_unless(nlohmann::ordered_json& out, const char* key, double value, double fallback);
void put_unless(nlohmann::ordered_json& out, const char* key, std::span<const double> value,
                std::span<const double> fallback);
/// Sets the keys of a pose, both left out if they are those of the identity.
void put_pose(nlohmann::ordered_json& out, const char* position_key, const Pose<double>& pose);

/// Short objects and arrays of numbers on one line, the others indented. Throws an Error for a string that is
/// not UTF-8.
std::string to_text(const nlohmann::ordered_json& value);

}  // namespace delassus::io
