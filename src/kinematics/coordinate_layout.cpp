#include "delassus/kinematics/coordinate_layout.hpp"

#include <algorithm>
#include <cmath>

#include "delassus/math/error.hpp"
#include "kinematics/joint_order.hpp"
#include "model/wording.hpp"

namespace delassus {
namespace {

Vec3<double> vector_at(In<double> x, int i) { return {{x[i], x[i + 1], x[i + 2]}}; }

template <int N>
void write(Out<double> x, int i, const Vec<double, N>& value) {
  for (int k = 0; k < N; ++k) x[i + k] = value[k];
}

bool is_limited(const DofProperties& dof) { return std::isfinite(dof.lower) || std::isfinite(dof.upper); }

void require_in_mujoco(const Link& link, const std::string& joint) {
  if (link.kind == JointKind::kHelical) {
    throw Error("joint " + in_quotes(joint) + " is helical, and MuJoCo has no such joint");
  }
  if (link.kind == JointKind::kFree && link.parent != kWorld) {
    throw Error("joint " + in_quotes(joint) +
                " is free and hangs on a body that moves; MuJoCo has free joints on the world only");
  }
}

/// Throws where no direction can be read from numbers of the other library.
void require_direction(In<double> q_there, int first, int count, const std::string& joint) {
  double length2 = 0;
  for (int k = 0; k < count; ++k) length2 += q_there[first + k] * q_there[first + k];
  if (length2 > 0 && std::isfinite(length2)) return;
  throw Error(std::string(count == 4 ? "the quaternion" : "the pair of cosine and sine") + " of joint " +
              in_quotes(joint) + " (q_there[" + std::to_string(first) + "] to q_there[" +
              std::to_string(first + count - 1) +
              "]) is zero or not finite; give a configuration of the other library");
}

/// MuJoCo has w first.
Quaternion<double> read_quaternion(In<double> x, int i, Library library) {
  if (library == Library::kMujoco) return {{x[i + 1], x[i + 2], x[i + 3], x[i]}};
  return {{x[i], x[i + 1], x[i + 2], x[i + 3]}};
}
Quaternion<double> stored(const Quaternion<double>& x, Library library) {
  if (library == Library::kMujoco) return {{x[3], x[0], x[1], x[2]}};
  return x;
}

void put(Mat<double, 6, 6>& T, int row, int col, const Mat3<double>& R) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) T(row + r, col + c) = R(r, c);
  }
}

MatrixView<const double> one_row(In<double> x) { return {x.data(), 1, x.size()}; }
MatrixView<double> one_row(Out<double> x) { return {x.data(), 1, x.size()}; }

}  // namespace

CoordinateLayout::CoordinateLayout(const Model& model, Library library, const LayoutOptions& options)
    : library_(library), nq_(model.nq()), nv_(model.nv()), index_(model.links().size()) {
  const std::vector<JointPart> order =
      options.joints.empty() ? make_file_order(model, library) : make_named_order(model, library, options.joints);
  for (const JointPart& p : order) add_piece(model, p.link, p.part, options.cos_sin);
}

CoordinateLayout::Form CoordinateLayout::form_of(const Model& model, int link, bool cos_sin) const {
  const Link& l = model.link(link);
  if (l.kind == JointKind::kFree) return Form::kFree;
  if (l.kind == JointKind::kSpherical) return Form::kQuaternion;
  if (library_ == Library::kMujoco) return Form::kNumbers;
  if (l.kind == JointKind::kPlanar) return Form::kPlanar;
  const bool turns_freely = l.kind == JointKind::kRevolute && !is_limited(model.dofs()[l.v]);
  return turns_freely && cos_sin ? Form::kCosSin : Form::kNumbers;
}

void CoordinateLayout::add_piece(const Model& model, int link, int part, bool cos_sin) {
  const Link& l = model.link(link);
  Piece piece;
  piece.joint = model.joint_name(link);
  piece.form = form_of(model, link, cos_sin);
  piece.nv = part < 0 ? l.nv : 1;
  const int first = std::max(part, 0);
  piece.here = {l.q + first, l.v + first};
  piece.there = {nq_there_, nv_there_};
  if (library_ == Library::kMujoco) {
    require_in_mujoco(l, piece.joint);
    if (piece.form == Form::kFree) piece.placement = l.placement;
    for (int k = 0; piece.form == Form::kNumbers && k < piece.nv; ++k) {
      piece.reference[k] = model.dofs()[piece.here.v + k].reference;
    }
  }
  if (part <= 0) index_[static_cast<std::size_t>(link)] = piece.there;
  const bool angle_is_two = piece.form == Form::kCosSin || piece.form == Form::kPlanar;
  nq_there_ += (part < 0 ? sizes_of(l.kind).nq : 1) + (angle_is_two ? 1 : 0);
  nv_there_ += piece.nv;
  pieces_.push_back(std::move(piece));
}

void CoordinateLayout::q_from(In<double> q_there, Out<double> q) const {
  require_size("q_there", q_there.size(), nq_there_);
  require_size("q", q.size(), nq_);
  for (const Piece& p : pieces_) {
    const int from = p.there.q, to = p.here.q;
    switch (p.form) {
      case Form::kNumbers:
        for (int k = 0; k < p.nv; ++k) q[to + k] = q_there[from + k] - p.reference[k];
        break;
      case Form::kCosSin:
        require_direction(q_there, from, 2, p.joint);
        q[to] = std::atan2(q_there[from + 1], q_there[from]);
        break;
      case Form::kPlanar:
        require_direction(q_there, from + 2, 2, p.joint);
        for (int k = 0; k < 2; ++k) q[to + k] = q_there[from + k];
        q[to + 2] = std::atan2(q_there[from + 3], q_there[from + 2]);
        break;
      case Form::kQuaternion:
        require_direction(q_there, from, 4, p.joint);
        write(q, to, read_quaternion(q_there, from, library_));
        break;
      case Form::kFree: {
        require_direction(q_there, from + 3, 4, p.joint);
        const Quaternion<double> turn = conjugate(quaternion_of(p.placement.R));
        write(q, to, inverse(p.placement) * vector_at(q_there, from));
        write(q, to + 3, quaternion_product(turn, read_quaternion(q_there, from + 3, library_)));
        break;
      }
    }
  }
}

void CoordinateLayout::q_to(In<double> q, Out<double> q_there) const {
  require_size("q", q.size(), nq_);
  require_size("q_there", q_there.size(), nq_there_);
  for (const Piece& p : pieces_) {
    const int from = p.here.q, to = p.there.q;
    switch (p.form) {
      case Form::kNumbers:
        for (int k = 0; k < p.nv; ++k) q_there[to + k] = q[from + k] + p.reference[k];
        break;
      case Form::kCosSin:
        write(q_there, to, Vec<double, 2>{{std::cos(q[from]), std::sin(q[from])}});
        break;
      case Form::kPlanar:
        write(q_there, to, Vec<double, 4>{{q[from], q[from + 1], std::cos(q[from + 2]), std::sin(q[from + 2])}});
        break;
      case Form::kQuaternion:
        write(q_there, to, stored(read_quaternion(q, from, Library::kPinocchio), library_));
        break;
      case Form::kFree: {
        const Quaternion<double> x = read_quaternion(q, from + 3, Library::kPinocchio);
        write(q_there, to, p.placement * vector_at(q, from));
        write(q_there, to + 3, stored(quaternion_product(quaternion_of(p.placement.R), x), library_));
        break;
      }
    }
  }
}

/// The part of T that belongs to a piece.
Mat<double, 6, 6> CoordinateLayout::block(const Piece& piece, In<double> q) const {
  Mat<double, 6, 6> T = Mat<double, 6, 6>::identity();
  if (piece.form == Form::kPlanar) {
    const double angle = q[piece.here.q + 2], s = std::sin(angle), c = std::cos(angle);
    T(0, 0) = c, T(0, 1) = -s;
    T(1, 0) = s, T(1, 1) = c;
  } else if (piece.form == Form::kFree) {
    Mat3<double> turn = Mat3<double>::identity();
    if (library_ == Library::kMujoco) {
      const Quaternion<double> x = read_quaternion(q, piece.here.q + 3, Library::kPinocchio);
      turn = transposed(piece.placement.R * rotation_of(x));
    }
    T = Mat<double, 6, 6>::zero();
    put(T, 0, 3, Mat3<double>::identity());
    put(T, 3, 0, turn);
  }
  return T;
}

/// Ṫ w of a piece: while the axes turn in which one side writes a velocity, the other side sees it change.
Vec<double, 6> CoordinateLayout::turn(const Piece& piece, In<double> v) const {
  Vec<double, 6> out = Vec<double, 6>::zero();
  const int i = piece.here.v;
  if (piece.form == Form::kPlanar) {
    out[0] = -v[i + 2] * v[i + 1];
    out[1] = v[i + 2] * v[i];
  } else if (piece.form == Form::kFree && library_ == Library::kMujoco) {
    const Vec3<double> x = cross(vector_at(v, i + 3), vector_at(v, i));  // d/dt(Rᵀ) ẋ = -ω × Rᵀẋ
    for (int k = 0; k < 3; ++k) out[3 + k] = x[k];
  }
  return out;
}

/// The vectors that are the rows of `in`: on the way from there T x, on the way there Tᵀ x; accelerations, which come
/// with v, with Ṫ w in addition.
void CoordinateLayout::change(Direction direction, In<double> q, const Rows<const double>& in, const Rows<double>& out,
                              const VectorView<const double>* v) const {
  require_size("q", q.size(), nq_);
  if (v != nullptr) require_size("v", v->size(), nv_);
  require_size(in.name, in.rows.cols(), nv_);
  require_size(out.name, out.rows.cols(), nv_);
  const bool there = direction == Direction::kTo;
  for (const Piece& p : pieces_) {
    const Mat<double, 6, 6> T = there ? transposed(block(p, q)) : block(p, q);
    const Vec<double, 6> extra = v == nullptr ? Vec<double, 6>::zero() : turn(p, *v);
    const int from = there ? p.here.v : p.there.v, to = there ? p.there.v : p.here.v;
    for (int row = 0; row < in.rows.rows(); ++row) {
      Vec<double, 6> x = Vec<double, 6>::zero();
      for (int k = 0; k < p.nv; ++k) x[k] = in.rows(row, from + k) - (there ? extra[k] : 0);
      for (int r = 0; r < p.nv; ++r) {
        double sum = there ? 0 : extra[r];
        for (int c = 0; c < p.nv; ++c) sum += T(r, c) * x[c];
        out.rows(row, to + r) = sum;
      }
    }
  }
}

void CoordinateLayout::velocity_from(In<double> q, In<double> v_there, Out<double> v) const {
  change(Direction::kFrom, q, {"v_there", one_row(v_there)}, {"v", one_row(v)});
}
void CoordinateLayout::velocity_to(In<double> q, In<double> v, Out<double> v_there) const {
  change(Direction::kTo, q, {"v", one_row(v)}, {"v_there", one_row(v_there)});
}

void CoordinateLayout::force_from(In<double> q, In<double> tau_there, Out<double> tau) const {
  change(Direction::kFrom, q, {"tau_there", one_row(tau_there)}, {"tau", one_row(tau)});
}
void CoordinateLayout::force_to(In<double> q, In<double> tau, Out<double> tau_there) const {
  change(Direction::kTo, q, {"tau", one_row(tau)}, {"tau_there", one_row(tau_there)});
}

void CoordinateLayout::acceleration_from(In<double> q, In<double> v, In<double> a_there, Out<double> a) const {
  change(Direction::kFrom, q, {"a_there", one_row(a_there)}, {"a", one_row(a)}, &v);
}
void CoordinateLayout::acceleration_to(In<double> q, In<double> v, In<double> a, Out<double> a_there) const {
  change(Direction::kTo, q, {"a", one_row(a)}, {"a_there", one_row(a_there)}, &v);
}

void CoordinateLayout::jacobian_from(In<double> q, MatrixIn<double> J_there, MatrixOut<double> J) const {
  require_size("J (rows)", J.rows(), J_there.rows());
  change(Direction::kFrom, q, {"J_there (columns)", J_there}, {"J (columns)", J});
}
void CoordinateLayout::jacobian_to(In<double> q, MatrixIn<double> J, MatrixOut<double> J_there) const {
  require_size("J_there (rows)", J_there.rows(), J.rows());
  change(Direction::kTo, q, {"J (columns)", J}, {"J_there (columns)", J_there});
}

}  // namespace delassus
