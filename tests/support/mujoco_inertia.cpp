#include "support/mujoco_inertia.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <sstream>

namespace delassus::testing {
namespace {

Eigen::VectorXd numbers(const char* text, int count) {
  std::istringstream stream(text);
  Eigen::VectorXd out = Eigen::VectorXd::Zero(count);
  for (int i = 0; i < count && stream >> out[i]; ++i) {
  }
  return out;
}

Eigen::Matrix3d symmetric(double xx, double yy, double zz, double xy, double xz, double yz) {
  Eigen::Matrix3d out;
  out << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return out;
}

/// R are the axes in which I is given.
void put_back(mjModel& m, int body, const Eigen::Matrix3d& R, const Eigen::Matrix3d& I) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(I);
  Eigen::Matrix3d axes = principal.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) *= -1;
  const Eigen::Quaterniond q(R * axes);
  const double wxyz[4] = {q.w(), q.x(), q.y(), q.z()};
  for (int k = 0; k < 3; ++k) m.body_inertia[3 * body + k] = principal.eigenvalues()[k];
  for (int k = 0; k < 4; ++k) m.body_iquat[4 * body + k] = wxyz[k];
  m.body_sameframe[body] = 0;
}

void put_back_link(pugi::xml_node link, mjModel& m) {
  const int body = mj_name2id(&m, mjOBJ_BODY, link.attribute("name").value());
  if (body <= 0) return;
  const pugi::xml_node inertial = link.child("inertial"), inertia = inertial.child("inertia");
  m.body_mass[body] = inertial.child("mass").attribute("value").as_double();
  const auto I = [&](const char* entry) { return inertia.attribute(entry).as_double(); };
  const pugi::xml_node origin = inertial.child("origin");
  const Eigen::Vector3d rpy = numbers(origin.attribute("rpy").value(), 3);
  const Eigen::Vector3d com = numbers(origin.attribute("xyz").value(), 3);
  for (int k = 0; k < 3; ++k) m.body_ipos[3 * body + k] = com[k];
  const Eigen::Matrix3d R =
      (Eigen::AngleAxisd(rpy[2], Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy[1], Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(rpy[0], Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  put_back(m, body, R, symmetric(I("ixx"), I("iyy"), I("izz"), I("ixy"), I("ixz"), I("iyz")));
}

bool changes_masses(const MujocoSource& source) {
  for (pugi::xml_node compiler : source.all("compiler")) {
    for (const char* attribute : {"settotalmass", "boundmass", "boundinertia", "balanceinertia"}) {
      if (compiler.attribute(attribute)) return true;
    }
    if (std::string_view(compiler.attribute("inertiafromgeom").value()) == "true") return true;
  }
  return false;
}

/// MuJoCo has shortcuts for bodies whose inertia is diagonal, and sums of masses, both made from the values before.
void refresh(mjModel& m) {
  std::fill_n(m.body_simple, m.nbody, mjtByte{0});
  std::fill_n(m.dof_simplenum, m.nv, 0);
  std::copy_n(m.body_mass, m.nbody, m.body_subtreemass);
  for (int i = m.nbody - 1; i > 0; --i) m.body_subtreemass[m.body_parentid[i]] += m.body_subtreemass[i];
}

}  // namespace

void put_back_inertias(const MujocoSource& source, mjModel& model) {
  if (source.is_urdf()) {
    for (pugi::xml_node link : source.all("link")) put_back_link(link, model);
  } else if (!changes_masses(source)) {
    for (pugi::xml_node inertial : source.all("inertial")) {
      const int body = mj_name2id(&model, mjOBJ_BODY, inertial.parent().attribute("name").value());
      if (body <= 0 || !inertial.attribute("fullinertia")) continue;
      const Eigen::VectorXd I = numbers(inertial.attribute("fullinertia").value(), 6);
      put_back(model, body, Eigen::Matrix3d::Identity(), symmetric(I[0], I[1], I[2], I[3], I[4], I[5]));
    }
  }
  refresh(model);
}

}  // namespace delassus::testing
