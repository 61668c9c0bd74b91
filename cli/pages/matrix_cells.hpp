// A matrix as the cells of a drawing.
#pragma once

#include <vector>

namespace delassus::cli {

struct MatrixCells {
  int block = 1;              // a cell stands for block × block entries, and has the one of largest magnitude
  int size = 0;               // cells a side
  std::vector<double> cells;  // row by row
};

/// At most `most` cells a side, whatever the number of rows.
MatrixCells make_matrix_cells(const std::vector<double>& entries, int rows, int most);

}  // namespace delassus::cli
