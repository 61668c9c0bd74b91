// Numbers as text that a page can hold: base64 (RFC 4648) of their bytes, the lowest first.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace delassus::cli {

std::string base64_of(std::span<const float> numbers);
std::string base64_of(std::span<const std::int32_t> numbers);

}  // namespace delassus::cli
