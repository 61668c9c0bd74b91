// Random numbers by counting: any of them can be had by itself, in any order, on any machine.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace delassus {

/// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011): four words from a counter of four and a key of two.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kFirst = 0xD2511F53U, kSecond = 0xCD9E8D57U;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = kFirst * counter[0], b = kSecond * counter[2];
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32U); };
    counter = {high(b) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b), high(a) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

/// FNV-1a, 64 bits: tells names apart.
constexpr std::uint64_t hash_of_name(std::string_view name) {
  std::uint64_t out = 0xCBF29CE484222325U;
  for (const char c : name) out = (out ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return out;
}

/// 64 random bits that belong to a seed, to the index of a case and to a name, and to nothing else: a further parameter changes no other.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index, std::string_view name) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32U); };
  const std::uint64_t stream = hash_of_name(name);
  const auto out = philox({low(index), high(index), low(stream), high(stream)}, {low(seed), high(seed)});
  return out[0] | std::uint64_t{out[1]} << 32U;
}

}  // namespace delassus
