// Symbols are those of FIPS 180-4, sections 4.1.2, 5.1.1 and 6.2.2.
#include "io/sha256.hpp"

#include <array>
#include <bit>
#include <cstdint>

#include <fmt/format.h>

namespace delassus::io {
namespace {

constexpr std::size_t kBlock = 64, kWords = 16, kRounds = 64, kLengthBytes = 8;

using State = std::array<std::uint32_t, 8>;

/// Fractions of the square roots of the first eight primes.
constexpr State kStart{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/// Fractions of the cube roots of the first 64.
constexpr std::array<std::uint32_t, kRounds> kRoots{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr std::uint32_t rotated(std::uint32_t x, int n) { return std::rotr(x, n); }

/// The first bytes of a block as words, the highest byte first, and what follows from them.
std::array<std::uint32_t, kRounds> schedule(std::string_view block) {
  std::array<std::uint32_t, kRounds> W{};
  for (std::size_t k = 0; k < kBlock; ++k) W[k / 4] = W[k / 4] << 8U | static_cast<unsigned char>(block[k]);
  for (std::size_t t = kWords; t < kRounds; ++t) {
    const std::uint32_t x = W[t - 15], y = W[t - 2];
    const std::uint32_t s0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >> 3U);
    const std::uint32_t s1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >> 10U);
    W[t] = s1 + W[t - 7] + s0 + W[t - 16];
  }
  return W;
}

void take_block(std::string_view block, State& H) {
  const std::array<std::uint32_t, kRounds> W = schedule(block);
  auto [a, b, c, d, e, f, g, h] = H;
  for (std::size_t t = 0; t < kRounds; ++t) {
    const std::uint32_t S1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const std::uint32_t T1 = h + S1 + ((e & f) ^ (~e & g)) + kRoots[t] + W[t];
    const std::uint32_t S0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const std::uint32_t T2 = S0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + T1;
    d = c, c = b, b = a, a = T1 + T2;
  }
  const State step{a, b, c, d, e, f, g, h};
  for (std::size_t k = 0; k < H.size(); ++k) H[k] += step[k];
}

/// What is left of the text after its whole blocks, a one, zeros, and the length in bits: one block or two.
std::string last_blocks(std::string_view rest, std::uint64_t bytes) {
  std::string out(rest);
  out += '\x80';
  while (out.size() % kBlock != kBlock - kLengthBytes) out += '\0';
  for (std::size_t k = kLengthBytes; k-- > 0;) out += static_cast<char>(bytes * 8 >> (8 * k) & 0xFFU);
  return out;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  State H = kStart;
  const std::size_t whole = bytes.size() - bytes.size() % kBlock;
  for (std::size_t at = 0; at < whole; at += kBlock) take_block(bytes.substr(at, kBlock), H);
  const std::string last = last_blocks(bytes.substr(whole), bytes.size());
  for (std::size_t at = 0; at < last.size(); at += kBlock) take_block(std::string_view(last).substr(at, kBlock), H);
  std::string out;
  for (const std::uint32_t word : H) out += fmt::format("{:08x}", word);
  return out;
}

}  // namespace delassus::io
