// The hash SHA-256, as FIPS 180-4 defines it: names what a file was made from.
#pragma once

#include <string>
#include <string_view>

namespace delassus::io {

/// 64 hexadecimal digits, in small letters.
std::string sha256_hex(std::string_view bytes);

}  // namespace delassus::io
