// Any bytes as what a sweep reads: the law of a parameter, a manifest, the head of a folder, and the rows of a part. What is accepted gives numbers within
// what was written, or is the same once written and read.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "delassus/math/error.hpp"
#include "io/json_reader.hpp"
#include "sweep/law.hpp"
#include "sweep/manifest.hpp"
#include "sweep/part_file.hpp"
#include "tests/fuzz/zip_checksums.hpp"

namespace {

using delassus::Law;
using delassus::SweepRows;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Of all laws but the normal one: between the numbers of the law, or one of them.
bool is_of(const Law& law, double value) {
  const auto [least, most] = std::ranges::minmax_element(law.numbers);
  switch (law.kind) {
    case Law::Kind::kNormal:
      return !std::isnan(value);
    case Law::Kind::kRange:
    case Law::Kind::kUniform:
    case Law::Kind::kLogUniform:
      return value >= *least && value <= *most;
    default:
      return std::ranges::find(law.numbers, value) != law.numbers.end();
  }
}

void draw(const Law& law) {
  const auto steps = static_cast<std::int64_t>(law.numbers.size());
  // A list has as many cases as numbers.
  const std::int64_t size = law.kind == Law::Kind::kList ? steps : 1'000'000'000'000;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1} << 53U}) {
    for (const std::int64_t index : {std::int64_t{0}, std::int64_t{1}, size / 3, size / 2, size - 2, size - 1}) {
      if (index < 0 || index >= size) continue;
      require(is_of(law, value_of(law, "friction", {seed, index, size, index % steps})));
    }
  }
}

void read_as_law(const std::string& text) {
  try {
    const std::string file = "fuzz.json";
    const nlohmann::json document = delassus::io::parse_json(text, file);
    const Law law = delassus::read_law(delassus::io::JsonCursor(document, "", file, text));
    require(!law.numbers.empty());
    draw(law);
  } catch (const delassus::Error&) {
  }
}

void read_as_manifest(const std::string& text) {
  constexpr delassus::SweepRange kRange{128, 256};
  static const std::string kHash = "c0ffee";
  try {
    const delassus::SweepPart part = delassus::parse_manifest(text, "fuzz.json", kRange, kHash);
    const delassus::SweepPart again = delassus::parse_manifest(manifest_text(part, kHash), "again.json", kRange, kHash);
    require(again.range == part.range && again.file == part.file && again.sha256 == part.sha256 &&
            again.machine == part.machine && again.bytes == part.bytes && again.failed == part.failed &&
            again.seconds == part.seconds);
  } catch (const delassus::Error&) {
  }
}

void read_as_head(const std::string& text) {
  try {
    const delassus::FolderHead head = delassus::parse_head(text, "fuzz.json");
    const delassus::FolderHead again = delassus::parse_head(head_text(head), "again.json");
    require(again.specification == head.specification && again.base_directory == head.base_directory &&
            again.hash == head.hash && again.maker == head.maker);
  } catch (const delassus::Error&) {
  }
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(
      a, b, [](double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); });
}

void read_as_part(const std::string& bytes) {
  static const std::vector<delassus::SweepColumn> kColumns{{"case", "", {}, true},
                                                           {"status", "", {}, true},
                                                           {"parameters/friction", "", {}, false},
                                                           {"final/q", "m", {2, 2}, false}};
  try {
    const SweepRows rows = delassus::parse_part(bytes, "fuzz.npz", kColumns);
    const SweepRows again = delassus::parse_part(delassus::part_bytes(rows, kColumns), "again.npz", kColumns);
    require(again.range == rows.range && again.failures == rows.failures &&
            std::ranges::equal(again.columns, rows.columns, same_bits));
    require(delassus::part_bytes(again, kColumns) == delassus::part_bytes(rows, kColumns));
  } catch (const delassus::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  read_as_law(bytes);
  read_as_manifest(bytes);
  read_as_head(bytes);
  read_as_part(bytes);
  read_as_part(delassus::fuzz::with_checksums(bytes));
  return 0;
}
