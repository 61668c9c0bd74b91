#include "operators/anchored_rows.hpp"

#include <algorithm>

#include "dynamics/site_rows.hpp"
#include "math/instantiate.hpp"

namespace delassus {

template <class T, class F>
void AnchoredRows<T, F>::plan(const Model& model, const RowStructure& rows) {
  sites_.plan(model, rows);
  const auto anchor_of = [&](std::int32_t s) {
    const RowSites::Site& site = sites_.sites()[s];
    return site.joint ? model.link(site.link).parent : site.link;
  };
  anchored_sites_.clear();
  joint_sites_.clear();
  for (std::int32_t s = 0; s < static_cast<std::int32_t>(sites_.sites().size()); ++s) {
    if (sites_.sites()[s].joint) joint_sites_.push_back(s);
    if (anchor_of(s) != kWorld) anchored_sites_.push_back(s);
  }
  std::sort(anchored_sites_.begin(), anchored_sites_.end(), [&](std::int32_t a, std::int32_t b) {
    return anchor_of(a) != anchor_of(b) ? anchor_of(a) < anchor_of(b) : a < b;
  });
  anchors_.clear();
  order_.clear();
  for (const std::int32_t s : anchored_sites_) {
    const auto first = static_cast<std::int32_t>(order_.size());
    if (anchors_.empty() || anchors_.back().link != anchor_of(s)) anchors_.push_back({anchor_of(s), first, first});
    for (std::int32_t e = sites_.sites()[s].first; e < sites_.sites()[s].end; ++e) order_.push_back(e);
    anchors_.back().end = static_cast<std::int32_t>(order_.size());
  }
  K_.resize(sites_.elements().size());
  weights_.resize(joint_sites_.empty() ? 0 : kWeights * sites_.elements().size());
  solved_.resize(weights_.size());
}

template <class T, class F>
void AnchoredRows<T, F>::load(const Model& model, const Articulation<T, F>& art, const ConstraintRows<T>& rows) {
  for (const RowSites::Site& site : sites_.sites()) {
    const Link& link = model.link(site.link);
    for (int e = site.first; e < site.end; ++e) {
      if (!site.joint) {
        K_[e] = link_row(art.frames, rows, sites_, sites_.elements()[e]);
        continue;
      }
      with_width(link.nv, [&](auto n) {
        constexpr int N = n();
        const Vec<T, N> weights = joint_row<N>(rows, sites_, sites_.elements()[e]);
        Vec<T, N> x = weights;
        joint_factor<N>(art, link).solve(x);
        for (int k = 0; k < N; ++k) {
          weights_[kWeights * e + k] = weights[k];
          solved_[kWeights * e + k] = x[k];
        }
        if (link.parent == kWorld) return;
        Force<T> K = scaled(art.U_hat[link.v], -weights[0]);
        for (int k = 1; k < N; ++k) K -= scaled(art.U_hat[link.v + k], weights[k]);
        K_[e] = to_parent(art.frames, site.link, K);
      });
    }
  }
}

template <class T, class F>
void AnchoredRows<T, F>::add_block(int a, int b, const LinkResponse<T>& omega, LowerView<T> lower) const {
  for (int y = anchors_[b].first; y < anchors_[b].end; ++y) {
    const Motion<T> motion = omega * K_[order_[y]];
    const int row = sites_.elements()[order_[y]].row;
    if (a == b) lower(row, row) += dot(motion, K_[order_[y]]);
    for (int x = a == b ? y + 1 : anchors_[a].first; x < anchors_[a].end; ++x) {
      add_pair(lower, sites_.elements()[order_[x]].row, row, dot(motion, K_[order_[x]]));
    }
  }
}

template <class T, class F>
void AnchoredRows<T, F>::add_through_joint(const Model& model, int site, int b, const LinkResponse<T>& response,
                                           LowerView<T> lower) const {
  const RowSites::Site& joint = sites_.sites()[site];
  for (int y = anchors_[b].first; y < anchors_[b].end; ++y) {
    with_width(model.link(joint.link).nv, [&](auto n) {
      constexpr int N = n();
      Vec<T, N> felt;
      for (int k = 0; k < N; ++k) felt[k] = dot(response.column[k], K_[order_[y]]);
      for (int e = joint.first; e < joint.end; ++e) {
        T sum = felt[0] * solved_[kWeights * e];
        for (int k = 1; k < N; ++k) sum += felt[k] * solved_[kWeights * e + k];
        add_pair(lower, sites_.elements()[e].row, sites_.elements()[order_[y]].row, sum);
      }
    });
  }
}

template <class T, class F>
void AnchoredRows<T, F>::add_on_joint(const Model& model, int site, LowerView<T> lower) const {
  const RowSites::Site& joint = sites_.sites()[site];
  const int nv = model.link(joint.link).nv;
  for (int x = joint.first; x < joint.end; ++x) {
    for (int y = joint.first; y <= x; ++y) {
      T sum = weights_[kWeights * x] * solved_[kWeights * y];
      for (int k = 1; k < nv; ++k) sum += weights_[kWeights * x + k] * solved_[kWeights * y + k];
      lower(sites_.elements()[x].row, sites_.elements()[y].row) += sum;
    }
  }
}

#define DELASSUS_INSTANTIATE(T) template class AnchoredRows<T, WorldFrames<T>>;
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

#define DELASSUS_INSTANTIATE_LINK_FRAMES(T) template class AnchoredRows<T, LinkFrames<T>>;
DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
