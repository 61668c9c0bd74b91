#include "sweep/result_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "model/wording.hpp"
#include "sweep/result_formats.hpp"

namespace delassus {
namespace {

enum class Format : std::uint8_t { kHdf5, kNpz };

Format format_of(const std::string& path) {
  if (path.ends_with(".h5") || path.ends_with(".hdf5")) return Format::kHdf5;
  if (path.ends_with(".npz")) return Format::kNpz;
  throw Error(in_quotes(path) +
              " is no name for a file of results: let it end in .h5 or .hdf5 (HDF5), or .npz (NumPy)");
}

/// An archive of NumPy has all of it beside each other.
constexpr std::array<std::string_view, 9> kReserved{"columns",       "commit",       "failures", "format", "hash",
                                                    "specification", "status_words", "units",    "version"};

void require_names(std::span<const SweepColumn> columns) {
  for (const SweepColumn& column : columns) {
    if (is_reserved_column(column.name))
      throw Error("the column " + in_quotes(column.name) +
                  " has the name of something else in a file of results; give it another");
  }
}

}  // namespace

bool is_reserved_column(std::string_view name) {
  const std::string_view folder = name.substr(0, name.find('/'));
  if (folder == "failures") return true;
  return std::ranges::find(kReserved, name) != kReserved.end();
}

void require_result_name(const std::string& path) {
  if (format_of(path) == Format::kHdf5) require_hdf5();
}

void require_result_size(const std::string& path, std::span<const SweepColumn> columns, std::int64_t rows) {
  require_result_name(path);
  if (format_of(path) == Format::kNpz) require_npz_size(path, columns, rows);
}

std::unique_ptr<ResultFile> ResultFile::create(const std::string& path, std::span<const SweepColumn> columns,
                                               std::int64_t rows, const ResultHead& head) {
  const bool is_hdf5 = format_of(path) == Format::kHdf5;
  require_names(columns);
  return (is_hdf5 ? create_hdf5_results : create_npz_results)(path, columns, rows, head);
}

std::string result_hash(const std::string& path) {
  const Format format = format_of(path);
  if (!std::filesystem::exists(path)) throw Error(path + ": there is no such file");
  std::string out = (format == Format::kHdf5 ? hdf5_result_hash : npz_result_hash)(path);
  if (out.empty()) throw Error(path + ": has no results of a sweep; remove it, or give another name");
  return out;
}

// ------------------------------------------------------------------------------------------- both formats

RowsInOrder::RowsInOrder(const std::string& path, std::span<const SweepColumn> columns, std::int64_t rows)
    : path_(path), columns_(columns.begin(), columns.end()), rows_(rows) {}

void RowsInOrder::take(const SweepRows& rows) {
  const SweepRange range = rows.range;
  if (range.first != next_ || range.end < range.first || range.end > rows_)
    throw Error(
        fmt::format("{}: rows {} to {} do not follow row {} of {}", path_, range.first, range.end, next_, rows_));
  if (rows.columns.size() != columns_.size())
    throw Error(fmt::format("{}: rows have {} columns of {}", path_, rows.columns.size(), columns_.size()));
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const auto size = static_cast<std::int64_t>(rows.columns[c].size());
    if (size != range.size() * columns_[c].width())
      throw Error(
          fmt::format("{}: {}: has {} numbers for {} rows", path_, in_quotes(columns_[c].name), size, range.size()));
  }
  failures_.insert(failures_.end(), rows.failures.begin(), rows.failures.end());
  next_ = range.end;
}

void RowsInOrder::require_all() const {
  if (next_ != rows_) throw Error(fmt::format("{}: {} of {} rows are there", path_, next_, rows_));
}

std::vector<std::int64_t> RowsInOrder::failed_cases() const {
  std::vector<std::int64_t> out;
  for (const SweepFailure& failure : failures_) out.push_back(failure.index);
  return out;
}

std::vector<std::string> RowsInOrder::messages() const {
  std::vector<std::string> out;
  for (const SweepFailure& failure : failures_) out.push_back(failure.message);
  return out;
}

std::vector<std::int64_t> whole_numbers(std::span<const double> values, const SweepColumn& column) {
  constexpr double kMost = 0x1p53;  // beyond it a double is not the number that was meant
  std::vector<std::int64_t> out;
  out.reserve(values.size());
  for (const double value : values) {
    if (!(std::abs(value) <= kMost) || value != std::floor(value))
      throw Error(fmt::format("the column {} has {}, and is one of whole numbers", in_quotes(column.name), value));
    out.push_back(static_cast<std::int64_t>(value));
  }
  return out;
}

}  // namespace delassus
