// Any bytes as a file of a contact problem: a problem or an Error comes out, and what comes out is the same once written and read. Also with checksums
// that are right, without which no change of a number gets past them; and as one array alone.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "delassus/math/error.hpp"
#include "io/contact_file.hpp"
#include "io/little_endian.hpp"
#include "io/npy.hpp"

namespace {

using delassus::io::StoredProblem;

std::uint32_t checksum(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

/// Writes into the directory what the bytes of stored members amount to.
std::string with_checksums(std::string bytes) {
  using delassus::io::little_endian;
  for (std::size_t at = bytes.find("PK\1\2"); at != std::string::npos; at = bytes.find("PK\1\2", at + 1)) {
    if (bytes.size() - at < 46) break;
    const std::size_t size = little_endian<std::uint32_t>(bytes, at + 20);
    const std::size_t local = little_endian<std::uint32_t>(bytes, at + 42);
    if (local > bytes.size() || bytes.size() - local < 30) continue;
    const std::size_t start =
        local + 30 + little_endian<std::uint16_t>(bytes, local + 26) + little_endian<std::uint16_t>(bytes, local + 28);
    if (start > bytes.size() || size > bytes.size() - start) continue;
    std::string crc;
    delassus::io::append_little_endian(crc, checksum(std::string_view(bytes).substr(start, size)));
    bytes.replace(at + 16, 4, crc);
  }
  return bytes;
}

void read(const std::string& bytes) {
  try {
    const StoredProblem problem = delassus::io::parse_contact_problem(bytes, "fuzz.npz");
    const StoredProblem again =
        delassus::io::parse_contact_problem(delassus::io::write_contact_problem(problem), "again.npz");
    if (again.matrix != problem.matrix || again.spans != problem.spans || again.start != problem.start) std::abort();
  } catch (const delassus::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  read(bytes);
  read(with_checksums(bytes));
  try {
    delassus::io::parse_npy(bytes, "fuzz.npy");
  } catch (const delassus::Error&) {
  }
  return 0;
}
