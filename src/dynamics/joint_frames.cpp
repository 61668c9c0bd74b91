#include "dynamics/joint_frames.hpp"

#include "math/kernel_scalars.hpp"
#include "model/link_lanes.hpp"

namespace delassus {

template <class T>
WorldFrames<T>::WorldFrames(const ModelOf<T>& model, int hops)
    : plan(make_reference_plan(model, hops)),
      S(model.nv(), Motion<T>::filled(unwritten<T>())),
      lever(model, Vec3<T>::zero()),
      step(model, Vec3<T>::zero()) {}

template <class T>
void place_frames(const ModelOf<T>& model, const Kinematics<T>& kin, WorldFrames<T>& frames) {
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    if (frames.plan.shares_parent[i]) {
      frames.lever[i] = frames.lever[link.parent] + kin.offset[i];
    } else {
      frames.lever[i] = Vec3<T>::zero();
      Vec3<T> room;
      frames.step[i] = LinkExchange<T>::from_parent(model, i, frames.lever, room) + kin.offset[i];
    }
    if (!frames.plan.shares_parent[i]) {  // about its own origin
      for (int k = link.v; k < link.v + link.nv; ++k) frames.S[k] = kin.S[k];
    } else if (link.pure_rotation) {
      const Vec3<T>& axis = kin.S[link.v].angular;
      frames.S[link.v] = {axis, cross(frames.lever[i], axis)};
    } else if (frames.plan.shares_parent[i]) {
      for (int k = link.v; k < link.v + link.nv; ++k) frames.S[k] = shifted(kin.S[k], -frames.lever[i]);
    } else {
      for (int k = link.v; k < link.v + link.nv; ++k) frames.S[k] = kin.S[k];  // the link's origin is the point
    }
  }
}

namespace {

/// Entries that rounding alone keeps from 0 or ±1 become that: whoever counts sees them by their values.
template <class M>
M settled(M x) {
  constexpr double kRounding = 1e-13;
  for (auto& entry : x.a) {
    for (const double exact : {0.0, 1.0, -1.0}) {
      const auto off = entry - exact;
      if (off < kRounding && -off < kRounding) entry = exact;
    }
  }
  return x;
}

}  // namespace

template <class T>
LinkFrames<T>::LinkFrames(const Model& model)
    : S(model.nv(), Motion<T>::filled(unwritten<T>())),
      R(model, Mat3<T>::filled(unwritten<T>())),
      r(model, Vec3<T>::filled(unwritten<T>())),
      pose(model, Mat3<T>::identity()) {}

template <class T>
void place_frames(const Model& model, const Kinematics<T>& kin, LinkFrames<T>& frames) {
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    const Mat3<T>&here = kin.pose[i].R, &parent = kin.pose[link.parent].R;
    frames.pose[i] = here;
    frames.R[i] = settled(transposed_times(parent, here));
    frames.r[i] = settled(transposed_times(parent, kin.offset[i]));
    for (int k = link.v; k < link.v + link.nv; ++k) {
      frames.S[k] = {settled(transposed_times(here, kin.S[k].angular)),
                     settled(transposed_times(here, kin.S[k].linear))};
    }
  }
}

template <class T>
void place_rows(const ConstraintRows<T>& rows, LinkFrames<T>& frames) {
  frames.wrench.clear();
  frames.first_wrench.clear();
  for (const RowBlock& block : rows.blocks) {
    frames.first_wrench.push_back(static_cast<std::int32_t>(frames.wrench.size()));
    for (int r = 0; r < block.rows; ++r) {
      const Force<T> f = row_wrench(rows, block, r, Vec3<T>::zero());
      const Mat3<T>& R = frames.pose[block.link];
      frames.wrench.push_back({settled(transposed_times(R, f.moment)), settled(transposed_times(R, f.force))});
    }
  }
}

#define DELASSUS_INSTANTIATE(T)   \
  template struct WorldFrames<T>; \
  template void place_frames<T>(const ModelOf<T>&, const Kinematics<T>&, WorldFrames<T>&);
DELASSUS_FOR_EACH_TREE_SCALAR(DELASSUS_INSTANTIATE)

#define DELASSUS_INSTANTIATE_LINK_FRAMES(T)                                          \
  template struct LinkFrames<T>;                                                     \
  template void place_frames<T>(const Model&, const Kinematics<T>&, LinkFrames<T>&); \
  template void place_rows<T>(const ConstraintRows<T>&, LinkFrames<T>&);
DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
