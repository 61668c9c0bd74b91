#include "delassus/kinematics/limb_kinematics.hpp"

#include "delassus/math/error.hpp"
#include "delassus/math/lane_copy.hpp"
#include "delassus/model/limb_model.hpp"

namespace delassus {
namespace {

/// q in lanes. Lanes without a source hold what their padding says.
void fold_coordinates(const LimbModel& limbs, In<double> q, std::vector<Limbs>& out) {
  for (std::size_t k = 0; k < limbs.coordinates.size(); ++k) {
    const LimbSource& from = limbs.coordinates[k];
    const Limbs& padding = limbs.padding[k];
    const auto lane = [&](int l) { return from[l] >= 0 ? q[from[l]] : padding[l]; };
    out[k] = from_four(lane(0), lane(1), lane(2), lane(3));
  }
}

/// `count` numbers of each lane of a link of the fold go to the links that it stands for.
template <class X, class Where>
DELASSUS_INLINE void unfold(const LimbSource& links, const X& from, Where&& where) {
  constexpr int kCount = sizeof(X) / sizeof(Limbs);
  double nowhere[kCount + 4];
  double* to[kLimbLanes];
  for (int lane = 0; lane < kLimbLanes; ++lane) {
    to[lane] = links[lane] >= 0 ? reinterpret_cast<double*>(&where(links[lane])) : nowhere;
  }
  scatter_lanes(reinterpret_cast<const Limbs*>(&from), kCount, to);
}

void unfold_link(const Model& model, const LimbModel& limbs, int folded, Kinematics<double>& kin) {
  const Kinematics<Limbs>& from = kin.limbs[0];
  const Link& link = limbs.shape.link(folded);
  LimbSource links = limbs.links[folded];
  if (link.trunk) links = {links[0], -1, -1, -1};
  unfold(links, from.pose[folded], [&](int i) -> auto& { return kin.pose[i]; });
  unfold(links, from.offset[folded], [&](int i) -> auto& { return kin.offset[i]; });
  unfold(links, from.inertia[folded], [&](int i) -> auto& { return kin.inertia[i]; });
  for (int k = 0; k < link.nv; ++k) {
    unfold(links, from.S[link.v + k], [&](int i) -> auto& { return kin.S[model.link(i).v + k]; });
  }
  for (int k = 0; k < sizes_of(link.kind).angles; ++k) {
    unfold(links, from.sine[link.angle + k], [&](int i) -> auto& { return kin.sine[model.link(i).angle + k]; });
    unfold(links, from.cosine[link.angle + k], [&](int i) -> auto& { return kin.cosine[model.link(i).angle + k]; });
  }
}

}  // namespace

void update_through_limbs(const Model& model, In<double> q, Kinematics<double>& kin) {
  const LimbModel& limbs = *model.limbs();
  Kinematics<Limbs>& folded = kin.limbs[0];
  require_size("kin (a workspace of another model?)", static_cast<int>(folded.S.size()), limbs.shape.nv());
  for (int k = 0; k < model.nq(); ++k) kin.q[k] = q[k];
  fold_coordinates(limbs, q, folded.q);
  update_kinematics<Limbs>(limbs.shape, folded.q, folded);
  for (int i = 0; i < limbs.shape.num_links(); ++i) unfold_link(model, limbs, i, kin);
}

}  // namespace delassus
