// Coordinates of the same robot in another library: where its numbers stand, and what its velocities are.
//
// joint        Pinocchio                               MuJoCo
// revolute     angle; cos, sin if it has no limits     angle + reference
// prismatic    displacement                            displacement + reference
// helical      angle                                   no such joint: an Error
// cylindrical  as here (composite)                     as here (hinge, slide)
// universal    as here                                 as here (hinge, hinge)
// spherical    x y z w                                 w x y z
// planar       x, y, cos, sin; v in the child's axes   as here (slide, slide, hinge)
// free         v = (linear; angular), child's axes     w x y z, pose in the world; v = (linear in world axes; angular)
//
// Between v here and w there stands an orthogonal matrix T(q): v = T w. So forces, for which τᵀv is the same power in
// both, change as velocities do, and accelerations with one term more: v̇ = T ẇ + Ṫ w.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "delassus/math/view.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

enum class Library : std::uint8_t { kPinocchio, kMujoco };

struct LayoutOptions {
  /// The names of the joints in the order of the other library: Pinocchio's model.names, or MuJoCo's joints.
  /// Pinocchio's "universe" is passed over, and its "root_joint" is the free joint of the first body. MuJoCo's three
  /// joints NAME_TX, NAME_TY and NAME_RZ are the planar joint NAME.
  /// Empty: the order that the library gives to the joints of a file. That is depth first; among siblings MuJoCo has the
  /// order of the bodies, and Pinocchio, for a URDF, that of the names of their joints. Fixed joints count there, and a
  /// Model does not keep their names: where they matter, an Error asks for all names.
  std::vector<std::string> joints;
  /// Pinocchio: revolute joints without limits are (cos, sin), as it reads a URDF's continuous joints. In a model made
  /// otherwise they may be angles: false.
  bool cos_sin = true;
};

class CoordinateLayout {
 public:
  /// Throws an Error that names the joint which the library does not have, or which the names leave out or repeat. The
  /// model need not live on.
  CoordinateLayout(const Model& model, Library library, const LayoutOptions& options = {});

  /// Sizes of their q and v.
  int nq() const { return nq_there_; }
  int nv() const { return nv_; }
  /// Where the joint of a link begins in their q and v.
  int q_index(int link) const { return index_[static_cast<std::size_t>(link)].q; }
  int v_index(int link) const { return index_[static_cast<std::size_t>(link)].v; }

  // In what follows x is ours and x_there theirs, and q is always ours. No output may be an input.

  /// Quaternions keep their length. An angle from (cos, sin) is in (-π, π]. Throws an Error if one of either is zero or
  /// not finite.
  void q_from(In<double> q_there, Out<double> q) const;
  void q_to(In<double> q, Out<double> q_there) const;

  void velocity_from(In<double> q, In<double> v_there, Out<double> v) const;
  void velocity_to(In<double> q, In<double> v, Out<double> v_there) const;

  void force_from(In<double> q, In<double> tau_there, Out<double> tau) const;
  void force_to(In<double> q, In<double> tau, Out<double> tau_there) const;

  /// Of a free joint in MuJoCo, the linear acceleration is that of the body's origin.
  void acceleration_from(In<double> q, In<double> v, In<double> a_there, Out<double> a) const;
  void acceleration_to(In<double> q, In<double> v, In<double> a, Out<double> a_there) const;

  /// Each row as a force: J_there = J T. Twice, with a transpose between, it takes M to Tᵀ M T.
  void jacobian_from(In<double> q, MatrixIn<double> J_there, MatrixOut<double> J) const;
  void jacobian_to(In<double> q, MatrixIn<double> J, MatrixOut<double> J_there) const;

 private:
  struct Index {
    int q = -1, v = -1;
  };
  enum class Form : std::uint8_t { kNumbers, kCosSin, kPlanar, kQuaternion, kFree };

  /// A joint, or a part of one where the other library has several joints for it.
  struct Piece {
    std::string joint;  // its name, for messages
    Form form = Form::kNumbers;
    int nv = 0;
    Index here, there;
    Vec3<double> reference = Vec3<double>::zero();      // kNumbers: theirs = ours + reference
    Pose<double> placement = Pose<double>::identity();  // kFree in MuJoCo: of the joint's frame, in the world
  };

  enum class Direction : std::uint8_t { kFrom, kTo };
  template <class T>
  struct Rows {
    std::string_view name;  // of the argument, for messages
    MatrixView<T> rows;
  };

  Form form_of(const Model& model, int link, bool cos_sin) const;
  void add_piece(const Model& model, int link, int part, bool cos_sin);
  Mat<double, 6, 6> block(const Piece& piece, In<double> q) const;
  Vec<double, 6> turn(const Piece& piece, In<double> v) const;
  void change(Direction direction, In<double> q, const Rows<const double>& in, const Rows<double>& out,
              const VectorView<const double>* v = nullptr) const;

  Library library_;
  int nq_, nv_, nq_there_ = 0, nv_there_ = 0;
  std::vector<Piece> pieces_;
  std::vector<Index> index_;  // per link
};

}  // namespace delassus
