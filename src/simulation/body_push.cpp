#include "simulation/body_push.hpp"

namespace delassus {

void add_push(const Model& model, const Kinematics<double>& kin, const BodyPush& push, std::span<double> forces,
              std::vector<double>& jacobian) {
  jacobian.resize(6 * static_cast<std::size_t>(model.nv()));
  const MatrixView<double> J(jacobian.data(), 6, model.nv());
  const int frame = model.body_frame(push.body);
  const Vec3<double>& com = model.description().bodies[static_cast<std::size_t>(push.body)].inertial.com;
  const Force<double> f = shifted(push.wrench, frame_pose(model, kin, frame).R * com);
  frame_jacobian<double>(model, kin, frame, JacobianAxes::kWorldAxes, J);
  for (int k = 0; k < J.cols(); ++k) {
    double& to = forces[static_cast<std::size_t>(k)];
    for (int i = 0; i < 3; ++i) to += J(i, k) * f.moment[i] + J(i + 3, k) * f.force[i];
  }
}

}  // namespace delassus
