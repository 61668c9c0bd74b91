// Results as an archive of NumPy: all rows stay in memory until it is written.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "io/new_file.hpp"
#include "io/npz.hpp"
#include "sweep/result_formats.hpp"

namespace delassus {
namespace {

/// An archive ends at 4 GiB, and both it and the rows are in memory.
constexpr double kMostBytes = 0x1p31;

class NpzResults final : public ResultFile {
 public:
  NpzResults(const std::string& path, std::span<const SweepColumn> columns, std::int64_t rows, ResultHead head)
      : rows_(path, columns, rows), head_(std::move(head)), values_(columns.size()) {
    require_npz_size(path, columns, rows);
    file_ = std::make_unique<io::NewFile>(path);
  }

  void put(const SweepRows& rows) override {
    rows_.take(rows);
    for (std::size_t c = 0; c < values_.size(); ++c)
      values_[c].insert(values_[c].end(), rows.columns[c].begin(), rows.columns[c].end());
  }

  void keep() override {
    rows_.require_all();
    io::NpzWriter out;
    add_head(out);
    for (std::size_t c = 0; c < values_.size(); ++c) add_column(out, c);
    out.add(kFailedCases, rows_.failed_cases());
    out.add_texts(kFailureMessages, rows_.messages());
    file_->write(out.finish());
    file_->keep();
  }

 private:
  void add_head(io::NpzWriter& out) const {
    out.add_text("format", kResultFormat);
    out.add_text("specification", head_.specification);
    out.add_text("hash", head_.hash);
    out.add_text("version", head_.version);
    out.add_text("commit", head_.commit);
    out.add_texts("status_words", head_.status_words);
    std::vector<std::string> names, units;
    for (const SweepColumn& column : rows_.columns()) {
      names.push_back(column.name);
      units.push_back(column.unit);
    }
    out.add_texts("columns", names);
    out.add_texts("units", units);
  }

  /// It is in memory once at a time.
  void add_column(io::NpzWriter& out, std::size_t c) {
    const SweepColumn& column = rows_.columns()[c];
    const std::vector<double> values = std::exchange(values_[c], {});
    const std::vector<std::int64_t> shape = shape_of_rows(column, rows_.rows());
    if (column.whole) {
      out.add(column.name, whole_numbers(values, column), shape);
    } else {
      out.add(column.name, values, shape);
    }
  }

  RowsInOrder rows_;
  ResultHead head_;
  std::vector<std::vector<double>> values_;
  std::unique_ptr<io::NewFile> file_;
};

}  // namespace

void require_npz_size(const std::string& path, std::span<const SweepColumn> columns, std::int64_t rows) {
  double bytes = 0;
  for (const SweepColumn& column : columns)
    bytes += static_cast<double>(rows) * static_cast<double>(column.width()) * sizeof(double);
  if (bytes <= kMostBytes) return;
  throw Error(
      fmt::format("{}: {:.1f} GiB of numbers are too many for an .npz file, of which 2 GiB are the most; give the "
                  "results a name that ends in .h5",
                  path, bytes / 0x1p30));
}

std::unique_ptr<ResultFile> create_npz_results(const std::string& path, std::span<const SweepColumn> columns,
                                               std::int64_t rows, const ResultHead& head) {
  return std::make_unique<NpzResults>(path, columns, rows, head);
}

std::string npz_result_hash(const std::string& path) {
  const io::NpzReader file = io::NpzReader::map(path);
  if (!file.has("format") || !file.has("hash")) return "";
  const std::vector<std::string> format = file.read_texts("format"), hash = file.read_texts("hash");
  return format.size() == 1 && format.front() == kResultFormat && hash.size() == 1 ? hash.front() : "";
}

}  // namespace delassus
