#include "cli/commands/check_mjcf.hpp"

#include <fmt/format.h>

#include "cli/commands/compare.hpp"
#include "cli/commands/row_layout.hpp"
#include "cli/shell/delassus_matrix.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/math/error.hpp"

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

/// The factors that the reference has on the angular rows of welds: the last number of an equality's data. The list is
/// in the order of the model's file, with what is not active.
class TorqueScales {
 public:
  TorqueScales(const ReferenceNode& file, const Model& model) : file_(file), model_(model) {}

  /// To be asked for one weld after the other.
  double next(const LoopClosure& weld) {
    if (!file_.has("equalities")) return 1;
    const ReferenceNode list = file_.at("equalities");
    while (at_ < list.size()) {
      const ReferenceNode equality = list.at(at_++);
      const std::vector<double> data = equality.at("data").numbers();
      if (equality.at("type").text() == "weld" && equality.at("obj1").text() == body(weld.first) &&
          equality.at("obj2").text() == body(weld.second) && data.size() > kPlace) {
        return data[kPlace];
      }
    }
    return 1;
  }

 private:
  static constexpr std::size_t kPlace = 10;

  std::string body(const Attachment& a) const {
    const int index = model_.frame(a.frame).body;
    return index == kWorld ? "world" : model_.description().bodies[index].name;
  }

  const ReferenceNode& file_;
  const Model& model_;
  int at_ = 0;
};

/// The equalities' rows as the reference has them at a state.
RowLayout layout_of(const Model& model, const std::vector<Constraint>& equalities, const ReferenceNode& file,
                    const Kinematics<double>& kin) {
  RowLayout out;
  TorqueScales scales(file, model);
  for (const Constraint& c : equalities) {
    const auto* loop = std::get_if<LoopClosure>(&c);
    if (loop != nullptr && row_count(c) == 6) {
      const auto axes = [&](const Attachment& a) { return frame_pose(model, kin, a.frame).R * a.offset.R; };
      out.add_weld(axes(loop->first), axes(loop->second), scales.next(*loop));
    } else {
      out.add_same(row_count(c));
    }
  }
  return out;
}

class FloorScene {
 public:
  FloorScene(const Model& model, const std::vector<Constraint>& equalities, const ReferenceNode& file)
      : model_(model),
        scene_(file.at("floor_scene")),
        constraints_(equalities),
        map_(model, file.at("joints"), scene_.at("qpos").numbers(), scene_.at("qvel").numbers()) {
    const std::string cone = scene_.at("cone").text();
    if (cone != "elliptic" && cone != "pyramidal")
      throw Error(scene_.place() + ": the cone is neither elliptic nor pyramidal");
    Kinematics<double> kin(model);
    update_kinematics(model, map_.q, kin);
    layout_ = layout_of(model, equalities, file, kin);
    const ReferenceNode contacts = scene_.at("contacts");
    for (int i = 0; i < contacts.size(); ++i) add_contact(contacts.at(i), kin, cone == "pyramidal");
  }

  void compare(const std::vector<std::string>& algorithms, FileCheck& check) {
    const Rows rows(model_, constraints_, map_);
    const std::vector<double> J = scene_.at("efc_J").numbers(), R = scene_.at("efc_R").numbers();
    layout_.choose_quaternions(rows.J, J, model_.nv());
    note(check, "floor_J", relative_error(layout_.rows(rows.J, model_.nv()), J));
    note(check, "floor_pos", relative_error(layout_.positions(rows.position), scene_.at("efc_pos").numbers(), 1.0));
    const int n = layout_.size();
    for (const std::string& algorithm : algorithms) {
      std::vector<double> A = layout_.both_sides(delassus_matrix(algorithm, model_, map_.q, constraints_).entries);
      for (int i = 0; i < n && static_cast<int>(R.size()) == n; ++i) A[i * n + i] += R[i];
      note(check, "floor_AR", algorithm, relative_error(upper_triangle(A, n), scene_.at("efc_AR_upper").numbers()));
    }
  }

 private:
  void add_contact(const ReferenceNode& contact, const Kinematics<double>& kin, bool pyramidal) {
    const int address = contact.at("efc_address").integer(), dim = contact.at("dim").integer();
    if (address < 0) return;  // within the margin, but without rows
    if (address != layout_.size()) throw Error(contact.place() + ": its rows do not follow those before");
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
    if (pyramidal && dim > 1) {
      layout_.add_pyramid(dim, friction);
    } else {
      layout_.add_same(dim);
    }
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
  RowLayout layout_;
};

}  // namespace

void compare_initial_state(const Model& model, const std::vector<double>& q, const ReferenceNode& file,
                           FileCheck& check) {
  const CoordinateLayout layout = make_reference_layout(model, file.at("joints"));
  std::vector<double> qpos(layout.nq());
  layout.q_to(q, qpos);
  note(check, "qpos0", relative_error(qpos, file.at("qpos0").numbers()));
}

void compare_equalities(const Model& model, const std::vector<Constraint>& equalities, const ReferenceNode& file,
                        const ReferenceNode& config, const CoordinateMap& map,
                        const std::vector<std::string>& algorithms, FileCheck& check) {
  const Rows rows(model, equalities, map);
  Kinematics<double> kin(model);
  update_kinematics(model, map.q, kin);
  RowLayout layout = layout_of(model, equalities, file, kin);
  const std::vector<double> J = config.at("eq_J").numbers();
  layout.choose_quaternions(rows.J, J, model.nv());
  note(check, "eq_J", relative_error(layout.rows(rows.J, model.nv()), J));
  note(check, "eq_pos", relative_error(layout.positions(rows.position), config.at("eq_pos").numbers(), 1.0));
  for (const std::string& algorithm : algorithms) {
    const std::vector<double> A = layout.both_sides(delassus_matrix(algorithm, model, map.q, equalities).entries);
    note(check, "eq_A", algorithm, relative_error(upper_triangle(A, layout.size()), config.at("eq_A_upper").numbers()));
  }
}

void compare_floor_scene(const Model& model, const std::vector<Constraint>& equalities, const ReferenceNode& file,
                         const std::vector<std::string>& algorithms, FileCheck& check) {
  FloorScene(model, equalities, file).compare(algorithms, check);
}

}  // namespace delassus::cli
