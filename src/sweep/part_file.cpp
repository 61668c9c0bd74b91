// Whole numbers are stored as the doubles that rows have of them, and messages as one text with their lengths: nothing is changed or cut on the way.
#include "sweep/part_file.hpp"

#include <array>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "io/npz.hpp"
#include "model/wording.hpp"
#include "sweep/result_formats.hpp"

namespace delassus {
namespace {

constexpr const char* kRange = "range";
constexpr const char* kMessageLengths = "failures/length";
constexpr const char* kMessageTexts = "failures/text";
constexpr std::string_view kEnd = ".";  // of the texts, since the array does not keep zeros at its end

/// Columns may have the names of all others.
std::string member_of(const SweepColumn& column) { return "columns/" + column.name; }

/// A file whose members have to fit to the columns.
class PartReader {
 public:
  PartReader(std::string bytes, const std::string& file_name)
      : name_(file_name), file_(open(std::move(bytes), file_name)) {}

  SweepRange range() const {
    const std::vector<std::int64_t> ends = whole(kRange);
    if (ends.size() != 2 || ends[0] < 0 || ends[1] < ends[0]) fail(kRange, "is no range of cases");
    return {ends[0], ends[1]};
  }

  std::vector<double> column(const SweepColumn& column, std::int64_t rows) const {
    const std::string member = member_of(column);
    io::NpzArray array = read(member);
    if (!array.is_real || array.shape != shape_of_rows(column, rows))
      fail(member, "has not the shape that the column has");
    return std::move(array.real);
  }

  std::vector<SweepFailure> failures(SweepRange range) const {
    const std::vector<std::int64_t> cases = whole(kFailedCases), lengths = whole(kMessageLengths);
    if (lengths.size() != cases.size()) fail(kMessageLengths, "has not as many entries as there are failures");
    const std::string text = message_texts();
    std::vector<SweepFailure> out;
    std::size_t start = 0;
    for (std::size_t k = 0; k < cases.size(); ++k) {
      if (cases[k] < (out.empty() ? range.first : out.back().index + 1) || cases[k] >= range.end)
        fail(kFailedCases, fmt::format("has case {}, which is not in the range or not in order", cases[k]));
      const auto length = static_cast<std::size_t>(lengths[k]);
      if (lengths[k] < 0 || length > text.size() - start) fail(kMessageLengths, "is not as the texts are");
      out.push_back({cases[k], text.substr(start, length)});
      start += length;
    }
    if (text.substr(start) != kEnd) fail(kMessageTexts, "is not as the lengths say");
    return out;
  }

 private:
  static constexpr const char* kAdvice =
      "; remove it and its manifest (.json), and the same command computes its cases anew";

  [[noreturn]] void fail(const std::string& member, const std::string& what) const {
    throw Error(fmt::format("{}: {}: {}{}", name_, in_quotes(member), what, kAdvice));
  }

  /// What the reader finds wrong, with what to do.
  template <class Function>
  static auto advised(const Function& function) {
    try {
      return function();
    } catch (const Error& error) {
      throw Error(std::string(error.what()) + kAdvice);
    }
  }
  static io::NpzReader open(std::string bytes, const std::string& file_name) {
    return advised([&] { return io::NpzReader(std::move(bytes), file_name, io::kMostZipBytes); });
  }
  io::NpzArray read(const std::string& member) const {
    return advised([&] { return file_.read(member); });
  }
  std::vector<std::int64_t> whole(const std::string& member) const {
    io::NpzArray array = read(member);
    if (array.is_real || array.shape.size() != 1) fail(member, "is no list of whole numbers");
    return std::move(array.whole);
  }
  std::string message_texts() const {
    std::vector<std::string> texts = advised([&] { return file_.read_texts(kMessageTexts); });
    if (texts.size() != 1) fail(kMessageTexts, "is not one text");
    return std::move(texts.front());
  }

  const std::string& name_;
  io::NpzReader file_;
};

}  // namespace

std::string part_bytes(const SweepRows& rows, std::span<const SweepColumn> columns) {
  io::NpzWriter out;
  out.add(kRange, std::array{rows.range.first, rows.range.end});
  for (std::size_t c = 0; c < columns.size(); ++c)
    out.add(member_of(columns[c]), rows.columns[c], shape_of_rows(columns[c], rows.range.size()));
  std::vector<std::int64_t> cases, lengths;
  std::string text;
  for (const SweepFailure& failure : rows.failures) {
    cases.push_back(failure.index);
    lengths.push_back(static_cast<std::int64_t>(failure.message.size()));
    text += failure.message;
  }
  out.add(kFailedCases, cases);
  out.add(kMessageLengths, lengths);
  out.add_text(kMessageTexts, text.append(kEnd));
  return out.finish();
}

SweepRows parse_part(std::string bytes, const std::string& file_name, std::span<const SweepColumn> columns) {
  const PartReader file(std::move(bytes), file_name);
  SweepRows out;
  out.range = file.range();
  for (const SweepColumn& column : columns) out.columns.push_back(file.column(column, out.range.size()));
  out.failures = file.failures(out.range);
  return out;
}

}  // namespace delassus
