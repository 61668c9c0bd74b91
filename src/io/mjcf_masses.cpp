// What <compiler> makes of the masses: boundmass, boundinertia, balanceinertia and settotalmass, in that order.
#include <algorithm>

#include "io/mjcf_assembly.hpp"
#include "model/principal_axes.hpp"

namespace delassus::io {
namespace {

/// Moments that meet the triangle inequality exactly, as those of a flat plate, may break it by rounding.
constexpr double kRounding = 1e-12;

void change_moments(const MjcfSettings& settings, Inertial& inertial) {
  const auto [moments, axes] = principal_axes(inertial.inertia);
  Vec3<double> m = moments;
  for (double& x : m.a) x = std::max(x, settings.bound_inertia);
  const bool impossible = m[0] + m[1] < m[2] * (1 - kRounding);
  if (settings.balance_inertia && impossible) m[0] = m[1] = m[2] = (m[0] + m[1] + m[2]) / 3;
  if (m == moments) return;  // the digits of the file stay
  Sym3<double> diagonal = Sym3<double>::zero();
  for (int i = 0; i < 3; ++i) diagonal(i, i) = m[i];
  inertial.inertia = congruence(axes, diagonal);
}

}  // namespace

void apply_mass_settings(const MjcfDocument& document, MjcfAssembly& assembly) {
  const MjcfSettings& settings = document.settings;
  double total = 0;
  for (std::size_t i = 0; i < assembly.description.bodies.size(); ++i) {
    Inertial& inertial = assembly.description.bodies[i].inertial;
    // Where nothing says where the mass is, MuJoCo takes the numbers of the body's place in its parent.
    if (inertial.mass < settings.bound_mass && !assembly.has_inertial[i]) inertial.com = document.bodies[i + 1].pose.p;
    inertial.mass = std::max(inertial.mass, settings.bound_mass);
    if (settings.bound_inertia > 0 || settings.balance_inertia) change_moments(settings, inertial);
    total += inertial.mass;
  }
  if (!(settings.total_mass > 0) || !(total > 0)) return;
  for (BodyDescription& body : assembly.description.bodies) {
    body.inertial.mass *= settings.total_mass / total;
    for (double& x : body.inertial.inertia.a) x *= settings.total_mass / total;
  }
}

}  // namespace delassus::io
