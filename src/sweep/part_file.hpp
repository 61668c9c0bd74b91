// Rows of a part of a sweep as a file: an archive of arrays (io/npz.hpp) that is read back bit by bit.
#pragma once

#include <span>
#include <string>

#include "sweep/sweep.hpp"

namespace delassus {

/// The same rows give the same bytes.
std::string part_bytes(const SweepRows& rows, std::span<const SweepColumn> columns);

/// Throws an Error that names the file and the member, if it has not rows of these columns.
SweepRows parse_part(std::string bytes, const std::string& file_name, std::span<const SweepColumn> columns);

}  // namespace delassus
