// Archives with checksums that are right, without which no change of a number gets past them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/little_endian.hpp"

namespace delassus::fuzz {

inline std::uint32_t checksum(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

/// Writes into the directory what the bytes of stored members amount to.
inline std::string with_checksums(std::string bytes) {
  using io::little_endian;
  for (std::size_t at = bytes.find("PK\1\2"); at != std::string::npos; at = bytes.find("PK\1\2", at + 1)) {
    if (bytes.size() - at < 46) break;
    const std::size_t size = little_endian<std::uint32_t>(bytes, at + 20);
    const std::size_t local = little_endian<std::uint32_t>(bytes, at + 42);
    if (local > bytes.size() || bytes.size() - local < 30) continue;
    const std::size_t start =
        local + 30 + little_endian<std::uint16_t>(bytes, local + 26) + little_endian<std::uint16_t>(bytes, local + 28);
    if (start > bytes.size() || size > bytes.size() - start) continue;
    std::string crc;
    io::append_little_endian(crc, checksum(std::string_view(bytes).substr(start, size)));
    bytes.replace(at + 16, 4, crc);
  }
  return bytes;
}

}  // namespace delassus::fuzz
