// Numbers in binary files.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace delassus::io {

/// The bytes of an unsigned number from an offset on, the lowest first, on any machine.
template <std::unsigned_integral Number = std::uint32_t>
Number little_endian(std::string_view data, std::size_t at) {
  std::uint64_t out = 0;
  for (std::size_t k = 0; k < sizeof(Number); ++k)
    out |= static_cast<std::uint64_t>(static_cast<unsigned char>(data[at + k])) << (8 * k);
  return static_cast<Number>(out);
}

/// The same in the other direction.
template <std::unsigned_integral Number>
void append_little_endian(std::string& out, Number value) {
  for (std::size_t k = 0; k < sizeof(Number); ++k)
    out += static_cast<char>(static_cast<unsigned char>((std::uint64_t{value} >> (8 * k)) & 0xFFU));
}

}  // namespace delassus::io
