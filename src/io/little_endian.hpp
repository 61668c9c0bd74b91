// Numbers in binary files.
#pragma once

#include <cstdint>
#include <string_view>

namespace delassus::io {

/// The four bytes from an offset on, the lowest first, on any machine.
inline std::uint32_t little_endian(std::string_view data, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t k = 0; k < 4; ++k)
    out |= static_cast<std::uint32_t>(static_cast<unsigned char>(data[at + k])) << (8 * k);
  return out;
}

}  // namespace delassus::io
