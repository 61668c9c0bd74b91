// What the two formats of results share.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sweep/result_file.hpp"

namespace delassus {

inline constexpr const char* kResultFormat = "delassus-sweep-results-1";
/// Where failures are, in both.
inline constexpr const char* kFailedCases = "failures/index";
inline constexpr const char* kFailureMessages = "failures/message";

/// The part of a result file that takes rows in order.
class RowsInOrder {
 public:
  RowsInOrder(const std::string& path, std::span<const SweepColumn> columns, std::int64_t rows);

  const std::string& path() const { return path_; }
  const std::vector<SweepColumn>& columns() const { return columns_; }
  std::int64_t rows() const { return rows_; }

  /// Throws an Error if these rows are not those that follow.
  void take(const SweepRows& rows);
  /// Throws an Error if rows are missing.
  void require_all() const;

  std::vector<std::int64_t> failed_cases() const;
  std::vector<std::string> messages() const;

 private:
  std::string path_;
  std::vector<SweepColumn> columns_;
  std::int64_t rows_, next_ = 0;
  std::vector<SweepFailure> failures_;
};

/// Of a column of rows: the number of cases, and what a case has.
inline std::vector<std::int64_t> shape_of_rows(const SweepColumn& column, std::int64_t rows) {
  std::vector<std::int64_t> out{rows};
  out.insert(out.end(), column.shape.begin(), column.shape.end());
  return out;
}
/// Of a column that says to have whole numbers; an Error if it has others.
std::vector<std::int64_t> whole_numbers(std::span<const double> values, const SweepColumn& column);

std::unique_ptr<ResultFile> create_hdf5_results(const std::string& path, std::span<const SweepColumn> columns,
                                                std::int64_t rows, const ResultHead& head);
std::unique_ptr<ResultFile> create_npz_results(const std::string& path, std::span<const SweepColumn> columns,
                                               std::int64_t rows, const ResultHead& head);
/// Throws an Error where so many rows do not fit into an archive.
void require_npz_size(const std::string& path, std::span<const SweepColumn> columns, std::int64_t rows);
/// Throws an Error that says what to do if there is no HDF5.
void require_hdf5();
/// Throw an Error of the library that reads, or return nothing where the file is none of results.
std::string hdf5_result_hash(const std::string& path);
std::string npz_result_hash(const std::string& path);

}  // namespace delassus
