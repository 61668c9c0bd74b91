#include "dynamics/articulate.hpp"

#include "dynamics/link_step.hpp"
#include "math/instantiate.hpp"

namespace delassus {
namespace {

template <class T>
DELASSUS_INLINE T eliminate(const ModelOf<T>& model, int i, const Kinematics<T>& kin, Articulation<T>& art) {
  ArticulatedInertia<T> handed;
  const T margin = eliminate_link(model, i, kin, art, handed);
  const int parent = model.link(i).parent;
  if (parent != kWorld) art.H[parent] += handed;
  return margin;
}

// The same in the axes of the links, where S picks entries.

/// H - U Ûᵀ for a turning joint without armature: Û has a one at the axis, so row and column of the axis vanish.
template <class T>
void downdate_about_axis(ArticulatedInertia<T>& H, const Force<T>& U, const Force<T>& U_hat) {
  Sym3<T> A(H.A), M(H.M);
  Mat3<T> B(H.B);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < r + 1; ++c) {
      if (r < 2) A(r, c) -= U.moment[r] * U_hat.moment[c];
      M(r, c) -= U.force[r] * U_hat.force[c];
    }
    for (int c = 0; c < 3; ++c) {
      if (r < 2) B(r, c) -= U.moment[r] * U_hat.force[c];
    }
    A(2, r) = B(2, r) = T(0);
  }
  H = {A, B, M};
}

template <int N, class T>
T eliminate_joint(const Model& model, int i, const Kinematics<T>& kin, Articulation<T, LinkFrames<T>>& art) {
  const Link& link = model.link(i);
  const LinkFrames<T>& frames = art.frames;
  const RigidInertia<double>& body = link.inertia;
  ArticulatedInertia<T> H = articulated(RigidInertia<T>{T(body.mass), cast<T>(body.moment), cast<T>(body.rotational)});
  H += art.H[i];
  Force<T> U[N], U_hat[N];
  for (int k = 0; k < N; ++k) {
    U[k] = unit_subspace(link.kind) ? column(H, unit_entry(link.kind, k)) : H * frames.S[link.v + k];
  }
  Sym<T, N> D;
  for (int c = 0; c < N; ++c) {
    const Vec<T, N> felt = subspace_dot<N>(frames, link, U[c]);
    for (int r = c; r < N; ++r) D(r, c) = felt[r];
  }
  Ldlt<T, N> factor;
  const T margin = factor_joint<N>(model, link, i, D, art, factor);
  if (link.parent == kWorld) return margin;
  divide<N>(U, factor, U_hat);
  const bool bare_axis = link.kind == JointKind::kRevolute && model.armature()[link.v] == 0;
  for (int k = 0; k < N; ++k) {
    bare_axis ? downdate_about_axis(H, U[k], U_hat[k]) : downdate(H, U[k], U_hat[k]);
    art.U_hat[link.v + k] = U_hat[k];
  }
  if (bare_axis) art.U_hat[link.v].moment[2] = T(1);  // which D⁻¹ D is but for rounding
  art.H[link.parent] += to_parent(frames, kin, i, H);
  return margin;
}

template <class T>
T eliminate(const Model& model, int i, const Kinematics<T>& kin, Articulation<T, LinkFrames<T>>& art) {
  return with_width(model.link(i).nv, [&](auto N) { return eliminate_joint<N()>(model, i, kin, art); });
}

}  // namespace

template <class T, class F>
Articulation<T, F>::Articulation(const Model& model, F frames_)
    : frames(std::move(frames_)),
      U_hat(model.nv(), Force<T>::filled(unwritten<T>())),
      D_factor(model.factor_size(), unwritten<T>()),
      H(model, ArticulatedInertia<T>::zero()),
      felt(model, T(0)) {}

template <class T, class F>
void begin_articulation(const Model& model, Articulation<T, F>& art) {
  for (int i = 0; i < model.num_links(); ++i) {
    art.H[i] = ArticulatedInertia<T>::zero();
    if constexpr (kFewDigits<T>) art.felt[i] = T(0);
  }
}

template <class T, class F>
Status articulate_placed(const Model& model, const Kinematics<T>& kin, Articulation<T, F>& art) {
  begin_articulation(model, art);
  Status status;
  for (int i = model.num_links() - 1; i >= 0; --i) note_margin(i, eliminate(model, i, kin, art), status);
  return explained(model, kin, status);
}

template <class T>
Status articulate_links(const Model& model, const Kinematics<T>& kin, std::span<const std::int32_t> links,
                        Articulation<T>& art) {
  Status status;
  for (std::size_t k = links.size(); k-- > 0;) note_margin(links[k], eliminate(model, links[k], kin, art), status);
  return explained(model, kin, status);
}

template <class T>
Status articulate(const Model& model, const Kinematics<T>& kin, Articulation<T>& art) {
  require_size("art (a workspace of another model?)", static_cast<int>(art.U_hat.size()), model.nv());
  place_frames(model, kin, art.frames);
  return articulate_placed(model, kin, art);
}

#define DELASSUS_INSTANTIATE(T)                                                                       \
  template struct Articulation<T>;                                                                    \
  template void begin_articulation(const Model&, Articulation<T>&);                                   \
  template Status articulate_placed(const Model&, const Kinematics<T>&, Articulation<T>&);            \
  template Status articulate_links(const Model&, const Kinematics<T>&, std::span<const std::int32_t>, \
                                   Articulation<T>&);                                                 \
  template Status articulate(const Model&, const Kinematics<T>&, Articulation<T>&);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_FOLD(T) template struct Articulation<T>;
DELASSUS_FOR_EACH_FOLD(DELASSUS_INSTANTIATE_FOLD)

#define DELASSUS_INSTANTIATE_LINK_FRAMES(T)       \
  template struct Articulation<T, LinkFrames<T>>; \
  template Status articulate_placed(const Model&, const Kinematics<T>&, Articulation<T, LinkFrames<T>>&);
DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
