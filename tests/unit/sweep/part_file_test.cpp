// Parts of a sweep as files: what is read is what was written, bit by bit, and what does not fit is named.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>

#include "delassus/math/error.hpp"
#include "io/npz.hpp"
#include "sweep/part_file.hpp"
#include "unit/io/corpus.hpp"

namespace delassus {
namespace {

constexpr const char* kPartAdvice =
    "; remove it and its manifest (.json), and the same command computes its cases anew";

const std::vector<SweepColumn> kPartColumns{{"case", "", {}, true},
                                            {"parameters/friction", "", {}, false},
                                            {"end/q", "m", {2, 2}, false},
                                            {"nothing", "", {0}, false}};

SweepRows part_rows() {
  const auto odd = std::bit_cast<double>(std::uint64_t{0x7FF4000000000123});
  SweepRows out;
  out.range = {5, 7};
  out.columns = {{5, 6}, {0.5, odd}, {1, 2, 3, 4, -0.0, std::numeric_limits<double>::infinity(), odd, -1e-310}, {}};
  out.failures = {{5, std::string("ends with zeros\0\0", 17)}, {6, std::string("\0", 1)}};
  return out;
}

std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> out;
  for (const double value : values) out.push_back(std::bit_cast<std::uint64_t>(value));
  return out;
}

std::string part_complaint(const std::string& bytes, const std::vector<SweepColumn>& columns = kPartColumns) {
  return io_test::error_of([&] { parse_part(bytes, "5-7.npz", columns); });
}

TEST(PartFile, KeepsEveryBit) {
  const SweepRows rows = part_rows();
  const SweepRows out = parse_part(part_bytes(rows, kPartColumns), "5-7.npz", kPartColumns);
  EXPECT_EQ(out.range, rows.range);
  EXPECT_EQ(out.failures, rows.failures);
  ASSERT_EQ(out.columns.size(), rows.columns.size());
  for (std::size_t c = 0; c < rows.columns.size(); ++c)
    EXPECT_EQ(bits_of(out.columns[c]), bits_of(rows.columns[c])) << c;
  EXPECT_EQ(part_bytes(out, kPartColumns), part_bytes(rows, kPartColumns));
}

TEST(PartFile, TakesNoRowsAndNoFailures) {
  SweepRows rows;
  rows.range = {3, 3};
  rows.columns.resize(kPartColumns.size());
  const SweepRows out = parse_part(part_bytes(rows, kPartColumns), "3-3.npz", kPartColumns);
  EXPECT_EQ(out.range, rows.range);
  EXPECT_TRUE(out.failures.empty());
  EXPECT_EQ(out.columns, rows.columns);
}

TEST(PartFile, SaysWhatDoesNotFit) {
  const std::string bytes = part_bytes(part_rows(), kPartColumns);
  std::vector<SweepColumn> columns = kPartColumns;
  columns[2].shape = {4};
  EXPECT_EQ(part_complaint(bytes, columns),
            std::string("5-7.npz: 'columns/end/q': has not the shape that the column has") + kPartAdvice);
  columns[2].name = "other";
  EXPECT_EQ(part_complaint(bytes, columns), std::string("5-7.npz: 'columns/other': is not in the file") + kPartAdvice);
  EXPECT_EQ(part_complaint("PK"),
            std::string("5-7.npz: is no .npz file as numpy.savez writes it, or cut short") + kPartAdvice);
}

TEST(PartFile, SaysWhichFailureIsWrong) {
  SweepRows rows = part_rows();
  rows.failures = {{7, "beyond"}};
  EXPECT_EQ(
      part_complaint(part_bytes(rows, kPartColumns)),
      std::string("5-7.npz: 'failures/index': has case 7, which is not in the range or not in order") + kPartAdvice);
  rows.failures = {{6, "one"}, {6, "again"}};
  EXPECT_NE(part_complaint(part_bytes(rows, kPartColumns)).find("case 6"), std::string::npos);
}

/// What is wrong with failures and ranges that other programs could have written.
TEST(PartFile, DistrustsItsMembers) {
  const auto archive = [](std::int64_t first, std::int64_t end, std::int64_t length, const std::string& text) {
    io::NpzWriter out;
    out.add("range", std::vector<std::int64_t>{first, end});
    out.add("failures/index", std::vector<std::int64_t>{0});
    out.add("failures/length", std::vector<std::int64_t>{length});
    out.add_text("failures/text", text);
    return out.finish();
  };
  EXPECT_EQ(parse_part(archive(0, 1, 3, "abc."), "a.npz", {}).failures, (std::vector<SweepFailure>{{0, "abc"}}));
  for (const std::int64_t length : {-1, 2, 4, 5, 1000}) {
    EXPECT_NE(part_complaint(archive(0, 1, length, "abc."), {}).find("5-7.npz: 'failures/"), std::string::npos);
  }
  EXPECT_NE(part_complaint(archive(2, 1, 3, "abc."), {}).find("'range': is no range of cases"), std::string::npos);
  EXPECT_NE(part_complaint(archive(-2, 1, 3, "abc."), {}).find("'range': is no range of cases"), std::string::npos);
}

/// Each byte of a part counts.
TEST(PartFile, RefusesEveryBeginning) {
  const std::string bytes = part_bytes(part_rows(), kPartColumns);
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    EXPECT_THROW(parse_part(bytes.substr(0, size), "a.npz", kPartColumns), Error) << size;
  }
}

}  // namespace
}  // namespace delassus
