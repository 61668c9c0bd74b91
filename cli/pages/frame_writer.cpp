#include "cli/pages/frame_writer.hpp"

#include <nlohmann/json.hpp>

#include "cli/pages/base64.hpp"
#include "cli/pages/json_text.hpp"
#include "cli/pages/matrix_cells.hpp"

namespace delassus::cli {
namespace {

using nlohmann::json;

std::string floats(std::span<const double> x) { return base64_of(std::vector<float>(x.begin(), x.end())); }

json number_or_null(const std::optional<double>& x) { return x ? number_json(*x) : json(nullptr); }

json contact_json(const TouchingPoint& point) {
  json out{{"a", point.shape_a},
           {"b", point.shape_b},
           {"position", numbers_json(point.position.a)},
           {"normal", numbers_json(point.normal.a)},
           {"force", numbers_json(point.force.a)},
           {"gap", number_json(point.gap)},
           {"row", point.constraint}};
  if (point.mu) out["mu"] = number_json(*point.mu);
  return out;
}

}  // namespace

FrameWriter::FrameWriter(const Model& model, int kept)
    : model_(model), kin_(model), op_(model), structures_(model, kept) {}

std::string FrameWriter::write(const Moment& moment) {
  update_kinematics<double>(model_, moment.q, kin_);
  lower_structure<double>(model_, moment.constraints, rows_);
  json contacts = json::array();
  for (const TouchingPoint& point : moment.contacts) contacts.push_back(contact_json(point));
  json out{{"t", number_json(moment.time)},
           {"poses", poses()},
           {"q", floats(moment.q)},
           {"v", floats(moment.v)},
           {"kinetic", number_json(moment.kinetic)},
           {"potential", number_json(moment.potential)},
           {"velocity_residual", number_or_null(moment.velocity_residual)},
           {"force_residual", number_or_null(moment.force_residual)},
           {"iterations", moment.iterations},
           {"penetration", number_json(moment.penetration)},
           {"contacts", std::move(contacts)},
           {"structure", structures_.find(moment.constraints, moment.names, rows_)}};
  if (std::string text = matrix(moment); !text.empty()) out["matrix"] = std::move(text);
  return to_text(out);
}

std::string FrameWriter::poses() const {
  std::vector<double> out;
  for (int i = 0; i < model_.num_links(); ++i) {
    const Pose<double>& pose = kin_.pose[i];
    const Quaternion<double> turn = quaternion_of(pose.R);
    out.insert(out.end(), pose.p.a, pose.p.a + 3);
    out.insert(out.end(), turn.a, turn.a + 4);
  }
  return floats(out);
}

/// The lower triangle, row by row. Empty without rows, and where a constraint has no direction.
std::string FrameWriter::matrix(const Moment& moment) {
  const int rows = rows_.num_rows();
  if (rows == 0 || !lower_values<double>(model_, kin_, moment.constraints, rows_).ok()) return {};
  if (!op_.factor({model_, kin_, rows_}).ok()) return {};
  std::vector<double> entries(static_cast<std::size_t>(rows) * rows);
  op_.dense(MatrixView<double>(entries.data(), rows, rows));
  const MatrixCells cells = make_matrix_cells(entries, rows, kMostMatrixRows);
  std::vector<double> triangle;
  for (int r = 0; r < cells.size; ++r) {
    const auto first = cells.cells.begin() + static_cast<std::ptrdiff_t>(r) * cells.size;
    triangle.insert(triangle.end(), first, first + r + 1);
  }
  return floats(triangle);
}

}  // namespace delassus::cli
