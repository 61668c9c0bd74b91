// A height field in MuJoCo's binary format.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace delassus::testing {

inline std::string height_file(std::int32_t rows, std::int32_t columns, const std::vector<float>& heights) {
  std::string out;
  const auto add = [&](std::uint32_t x) {
    for (int k = 0; k < 4; ++k) out += static_cast<char>(x >> (8 * k) & 0xFFU);
  };
  add(static_cast<std::uint32_t>(rows));
  add(static_cast<std::uint32_t>(columns));
  for (const float h : heights) add(std::bit_cast<std::uint32_t>(h));
  return out;
}

}  // namespace delassus::testing
