// The file of all rows of a sweep: HDF5 or an archive of NumPy (docs/sweeps.md says what is in them).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/sweep.hpp"

namespace delassus {

/// What is written beside the columns.
struct ResultHead {
  std::string specification, hash, version, commit;
  std::vector<std::string> status_words;
};

/// The file of all rows, being written: whole under its name when it is kept, or not there at all. The same rows give the same bytes.
class ResultFile {
 public:
  /// By the end of the name: .h5 or .hdf5, .npz. Throws an Error for others, and where this build or this machine has no HDF5.
  static std::unique_ptr<ResultFile> create(const std::string& path, std::span<const SweepColumn> columns,
                                            std::int64_t rows, const ResultHead& head);
  ResultFile() = default;
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;
  virtual ~ResultFile() = default;

  /// Rows in order, all columns; parts follow each other.
  virtual void put(const SweepRows& rows) = 0;
  /// After the last row. Throws an Error if not all of it could be written.
  virtual void keep() = 0;
};

/// Throws the Error of create where it does not take a name, before any work is done.
void require_result_name(const std::string& path);
/// The same for a name and so many rows.
void require_result_size(const std::string& path, std::span<const SweepColumn> columns, std::int64_t rows);

/// Whether a file of results has something else of this name, so that create takes no such column.
bool is_reserved_column(std::string_view name);

/// Hash of the specification in a file of results that is there; an Error if it is none of ours.
std::string result_hash(const std::string& path);

}  // namespace delassus
