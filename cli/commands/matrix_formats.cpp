#include "cli/commands/matrix_formats.hpp"

#include <fmt/format.h>

#include "cli/commands/model_json.hpp"

namespace delassus::cli {

std::string as_text(const MatrixResult& m) {
  std::string text;
  for (int r = 0; r < m.rows; ++r) {
    for (int c = 0; c < m.rows; ++c) text += fmt::format("{}{:.17g}", c ? " " : "", m.entries[r * m.rows + c]);
    text += '\n';
  }
  return text;
}

nlohmann::json as_json(const MatrixResult& m, const Scene& scene) {
  nlohmann::json matrix = nlohmann::json::array();
  for (int r = 0; r < m.rows; ++r) {
    matrix.push_back(std::vector<double>(m.entries.begin() + r * m.rows, m.entries.begin() + (r + 1) * m.rows));
  }
  return {{"model", scene.model.name()},
          {"algorithm", m.algorithm},
          {"rows", m.rows},
          {"constraints", constraints_json(scene.constraints)},
          {"delassus", matrix}};
}

/// Magic, version, length of the header, header padded to 64 bytes, data.
std::string as_npy(const MatrixResult& m) {
  std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", m.rows, m.rows);
  const std::size_t prefix = 10;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char*>(m.entries.data()), m.entries.size() * sizeof(double));
  return out;
}

}  // namespace delassus::cli
