#include "delassus/kinematics/frames.hpp"

#include "delassus/math/error.hpp"
#include "kinematics/link_inertia.hpp"
#include "math/instantiate.hpp"

namespace delassus {
namespace {

const Frame& checked_frame(const Model& model, int frame) {
  const int count = static_cast<int>(model.frames().size());
  if (frame >= 0 && frame < count) return model.frame(frame);
  throw Error("argument 'frame' is " + std::to_string(frame) + ", but model '" + model.name() + "' has frames 0 to " +
              std::to_string(count - 1) + "; find_frame gives the number of a name");
}

/// 1 / mass
double inverse_mass(const Model& model) {
  if (!(model.mass() > 0)) throw Error("model '" + model.name() + "' has no mass, and so no centre of mass");
  return 1 / model.mass();
}

/// From the origin of the frame's link to the frame's own.
template <class T>
Vec3<T> lever(const Model& model, const Kinematics<T>& kin, int frame) {
  const Frame& f = checked_frame(model, frame);
  return kin.pose[f.link].R * cast<T>(f.placement.p);
}

template <class T>
void fill_zero(MatrixOut<T> J) {
  for (int r = 0; r < J.rows(); ++r) {
    for (int c = 0; c < J.cols(); ++c) J(r, c) = T(0);
  }
}

template <class T>
void require_shape(const char* name, const MatrixView<T>& J, int rows, int cols) {
  if (J.rows() == rows && J.cols() == cols) return;
  throw Error(std::string("argument '") + name + "' is " + std::to_string(J.rows()) + " x " + std::to_string(J.cols()) +
              ", but " + std::to_string(rows) + " x " + std::to_string(cols) + " is needed");
}

}  // namespace

template <class T>
Pose<T> frame_pose(const Model& model, const Kinematics<T>& kin, int frame) {
  const Frame& f = checked_frame(model, frame);
  return kin.pose[f.link] * cast<T>(f.placement);
}

template <class T>
Motion<T> frame_velocity(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel, int frame) {
  return shifted(vel.velocity[checked_frame(model, frame).link], lever(model, kin, frame));
}

template <class T>
Motion<T> frame_drift(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel, int frame) {
  const int link = checked_frame(model, frame).link;
  const Vec3<T> r = lever(model, kin, frame);
  const Vec3<T>& w = vel.velocity[link].angular;
  Motion<T> a = shifted(vel.bias_acceleration[link], r);
  a.linear += cross(w, cross(w, r));
  return a;
}

template <class T>
void frame_jacobian(const Model& model, const Kinematics<T>& kin, int frame, JacobianAxes axes, MatrixOut<T> J) {
  require_shape("J", J, 6, model.nv());
  fill_zero<T>(J);
  const Mat3<T> R = frame_pose(model, kin, frame).R;
  Vec3<T> r = lever(model, kin, frame);
  for (int i = model.frame(frame).link; i != kWorld; i = model.link(i).parent) {
    const Link& link = model.link(i);
    for (int k = link.v; k < link.v + link.nv; ++k) {
      Motion<T> m = shifted(kin.S[k], r);
      if (axes == JacobianAxes::kFrameAxes) m = {transposed_times(R, m.angular), transposed_times(R, m.linear)};
      for (int row = 0; row < 3; ++row) {
        J(row, k) = m.angular[row];
        J(row + 3, k) = m.linear[row];
      }
    }
    r += kin.offset[i];
  }
}

template <class T>
Vec3<T> centre_of_mass(const Model& model, const Kinematics<T>& kin) {
  const T scale = T(inverse_mass(model));
  Vec3<T> moment = cast<T>(model.fixed_moment());
  for (int i = 0; i < model.num_links(); ++i)
    moment += link_moment(model, kin, i) + link_mass(model, kin, i) * kin.pose[i].p;
  return scale * moment;
}

template <class T>
SubtreeMasses<T>::SubtreeMasses(const Model& model) : mass(model, T(0)), moment(model, Vec3<T>::zero()) {}

template <class T>
void centre_of_mass_jacobian(const Model& model, const Kinematics<T>& kin, MatrixOut<T> J, SubtreeMasses<T>& work) {
  require_shape("J", J, 3, model.nv());
  const T scale = T(inverse_mass(model));
  // A joint moves its whole subtree: gather mass and first moment from the leaves inwards.
  for (int i = kWorld; i < model.num_links(); ++i) {
    work.mass[i] = T(0);
    work.moment[i] = Vec3<T>::zero();
  }
  for (int i = model.num_links() - 1; i >= 0; --i) {
    const Link& link = model.link(i);
    const T mass = work.mass[i] + link_mass(model, kin, i);
    const Vec3<T> moment = work.moment[i] + link_moment(model, kin, i);
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const Vec3<T> column = scale * (mass * kin.S[k].linear - cross(moment, kin.S[k].angular));
      for (int row = 0; row < 3; ++row) J(row, k) = column[row];
    }
    work.mass[link.parent] += mass;
    work.moment[link.parent] += moment + mass * kin.offset[i];
  }
}

#define DELASSUS_INSTANTIATE(T)                                                                         \
  template Pose<T> frame_pose<T>(const Model&, const Kinematics<T>&, int);                              \
  template Motion<T> frame_velocity<T>(const Model&, const Kinematics<T>&, const Velocities<T>&, int);  \
  template Motion<T> frame_drift<T>(const Model&, const Kinematics<T>&, const Velocities<T>&, int);     \
  template void frame_jacobian<T>(const Model&, const Kinematics<T>&, int, JacobianAxes, MatrixOut<T>); \
  template Vec3<T> centre_of_mass<T>(const Model&, const Kinematics<T>&);                               \
  template struct SubtreeMasses<T>;                                                                     \
  template void centre_of_mass_jacobian<T>(const Model&, const Kinematics<T>&, MatrixOut<T>, SubtreeMasses<T>&);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
