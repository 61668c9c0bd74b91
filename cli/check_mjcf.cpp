#include "check_mjcf.hpp"

#include <fmt/format.h>

#include "compare.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/constraints/maps.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/math/error.hpp"
#include "delassus_matrix.hpp"

namespace delassus::cli {
namespace {

/// J in the reference's coordinates, and the positions of the rows.
struct Rows {
  Rows(const Model& model, const std::vector<Constraint>& constraints, const CoordinateMap& map) {
    Kinematics<double> kin(model);
    update_kinematics(model, map.q, kin);
    ConstraintRows<double> rows;
    lower_structure(model, constraints, rows);
    require_ok(lower_values(model, kin, constraints, rows), model, constraints);
    count = rows.num_rows();
    position.resize(count);
    J.resize(static_cast<std::size_t>(count) * model.nv());
    constraint_jacobian(model, kin, rows, MatrixView<double>(J.data(), count, model.nv()));
    constraint_positions(model, kin, constraints, rows, position);
    J = map.columns_to_reference(J);
  }
  int count = 0;
  std::vector<double> J, position;
};

/// Rows of the reference as sums of rows here: one entry is (row here, factor).
using Layout = std::vector<std::vector<std::pair<int, double>>>;

/// L A, where A has `columns` columns.
std::vector<double> laid_out(const Layout& L, const std::vector<double>& A, int columns) {
  std::vector<double> out(L.size() * columns);
  for (std::size_t r = 0; r < L.size(); ++r) {
    for (const auto& [row, factor] : L[r]) {
      for (int c = 0; c < columns; ++c) out[r * columns + c] += factor * A[static_cast<std::size_t>(row) * columns + c];
    }
  }
  return out;
}

std::vector<double> transposed(const std::vector<double>& A, int columns) {
  const int rows = columns == 0 ? 0 : static_cast<int>(A.size()) / columns;
  std::vector<double> out(A.size());
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) out[c * rows + r] = A[r * columns + c];
  }
  return out;
}

class FloorScene {
 public:
  FloorScene(const Model& model, const std::vector<Constraint>& equalities, const ReferenceNode& file)
      : model_(model),
        scene_(file.at("floor_scene")),
        constraints_(equalities),
        map_(model, file.at("joints"), scene_.at("qpos").numbers(), file.at("qpos0").numbers(),
             scene_.at("qvel").numbers()) {
    for (const Constraint& c : equalities) add_rows(row_count(c));
    const std::string cone = scene_.at("cone").text();
    if (cone != "elliptic" && cone != "pyramidal")
      throw Error(scene_.place() + ": the cone is neither elliptic nor pyramidal");
    Kinematics<double> kin(model);
    update_kinematics(model, map_.q, kin);
    const ReferenceNode contacts = scene_.at("contacts");
    for (int i = 0; i < contacts.size(); ++i) add_contact(contacts.at(i), kin, cone == "pyramidal");
  }

  void compare(const std::vector<std::string>& algorithms, FileCheck& check) const {
    const Rows rows(model_, constraints_, map_);
    note(check, "floor_J", relative_error(laid_out(layout_, rows.J, model_.nv()), scene_.at("efc_J").numbers()));
    note(check, "floor_pos", relative_error(laid_out(layout_, rows.position, 1), scene_.at("efc_pos").numbers(), 1.0));
    const std::vector<double> R = scene_.at("efc_R").numbers();
    const int n = static_cast<int>(layout_.size());
    for (const std::string& algorithm : algorithms) {
      const MatrixResult A = delassus_matrix(algorithm, model_, map_.q, constraints_);
      // L A Lᵀ: A is symmetric, so L (L A)ᵀ.
      std::vector<double> LALt = laid_out(layout_, transposed(laid_out(layout_, A.entries, rows.count), rows.count), n);
      for (int i = 0; i < n && R.size() == layout_.size(); ++i) LALt[i * n + i] += R[i];
      note(check, "floor_AR", algorithm, relative_error(upper_triangle(LALt, n), scene_.at("efc_AR_upper").numbers()));
    }
  }

 private:
  void add_rows(int count) {
    for (int k = 0; k < count; ++k) layout_.push_back({{rows_++, 1.0}});
  }

  void add_contact(const ReferenceNode& contact, const Kinematics<double>& kin, bool pyramidal) {
    const int address = contact.at("efc_address").integer(), dim = contact.at("dim").integer();
    if (address < 0) return;  // within the margin, but without rows
    if (address != static_cast<int>(layout_.size()))
      throw Error(contact.place() + ": its rows do not follow those before");
    PointContact c;
    c.name = contact.place();
    c.a.frame = model_.find_frame(contact.at("body2").text());
    c.a.offset.p = inverse(frame_pose(model_, kin, c.a.frame)) * contact.at("pos").vector();
    c.b = model_.find_frame(contact.at("body1").text());
    const std::vector<double> frame = contact.at("frame").numbers(), friction = contact.at("friction").numbers();
    if (frame.size() != 9 || friction.size() != 5)
      throw Error(contact.place() + ": needs a frame of 9 numbers and 5 of friction");
    std::copy(frame.begin(), frame.end(), std::begin(c.axes.a));
    c.gap = contact.at("dist").number();
    c.kind = kind_of(contact, dim);
    constraints_.emplace_back(c);
    if (!pyramidal || dim == 1) return add_rows(dim);
    for (int k = 1; k < dim; ++k) {
      layout_.push_back({{rows_, 1.0}, {rows_ + k, friction[k - 1]}});
      layout_.push_back({{rows_, 1.0}, {rows_ + k, -friction[k - 1]}});
    }
    rows_ += dim;
  }

  static ContactKind kind_of(const ReferenceNode& contact, int dim) {
    for (const ContactKind kind :
         {ContactKind::kFrictionless, ContactKind::kSliding, ContactKind::kTorsional, ContactKind::kRolling}) {
      if (row_count(kind) == dim) return kind;
    }
    throw Error(contact.place() + ": its dim is not 1, 3, 4 or 6");
  }

  const Model& model_;
  const ReferenceNode scene_;
  std::vector<Constraint> constraints_;
  CoordinateMap map_;
  Layout layout_;
  int rows_ = 0;
};

}  // namespace

void compare_initial_state(const Model& model, std::vector<double> q, const ReferenceNode& file, FileCheck& check) {
  for (const Link& l : model.links()) {
    if (l.nv == 1) q[l.q] += model.dofs()[l.v].reference;
  }
  const std::vector<double> qpos0 = file.at("qpos0").numbers();
  const CoordinateMap map(model, file.at("joints"), qpos0, std::vector<double>(qpos0.size()),
                          std::vector<double>(model.nv()));
  note(check, "qpos0", relative_error(q, map.q));
}

void compare_equalities(const Model& model, const std::vector<Constraint>& equalities, const ReferenceNode& config,
                        const CoordinateMap& map, const std::vector<std::string>& algorithms, FileCheck& check) {
  const Rows rows(model, equalities, map);
  note(check, "eq_J", relative_error(rows.J, config.at("eq_J").numbers()));
  note(check, "eq_pos", relative_error(rows.position, config.at("eq_pos").numbers(), 1.0));
  for (const std::string& algorithm : algorithms) {
    const MatrixResult A = delassus_matrix(algorithm, model, map.q, equalities);
    note(check, "eq_A", algorithm,
         relative_error(upper_triangle(A.entries, rows.count), config.at("eq_A_upper").numbers()));
  }
}

void compare_floor_scene(const Model& model, const std::vector<Constraint>& equalities, const ReferenceNode& file,
                         const std::vector<std::string>& algorithms, FileCheck& check) {
  FloorScene(model, equalities, file).compare(algorithms, check);
}

}  // namespace delassus::cli
