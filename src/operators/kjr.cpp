#include "operators/kjr.hpp"

#include <algorithm>

#include "dynamics/row_response.hpp"
#include "math/instantiate.hpp"

namespace delassus {

template <class T, class F>
void Kjr<T, F>::plan(const Model& model, const RowStructure& rows) {
  rows_.plan(model, rows);
  find_paths(model);
  find_pairs();
}

template <class T, class F>
void Kjr<T, F>::find_paths(const Model& model) {
  plan_.path.clear();
  plan_.first_path.assign(1, 0);
  for (const auto& anchor : rows_.anchors()) {
    const auto first = static_cast<std::ptrdiff_t>(plan_.path.size());
    for (int i = anchor.link; i != kWorld; i = model.link(i).parent) plan_.path.push_back(i);
    std::reverse(plan_.path.begin() + first, plan_.path.end());
    plan_.first_path.push_back(static_cast<std::int32_t>(plan_.path.size()));
  }
  plan_.links = plan_.path;
  std::sort(plan_.links.begin(), plan_.links.end());
  plan_.links.erase(std::unique(plan_.links.begin(), plan_.links.end()), plan_.links.end());
}

template <class T, class F>
void Kjr<T, F>::find_pairs() {
  const auto path = [&](int anchor) {
    return std::pair(plan_.path.begin() + plan_.first_path[anchor], plan_.path.begin() + plan_.first_path[anchor + 1]);
  };
  plan_.pairs.clear();
  plan_.joint_pairs.clear();
  const auto count = static_cast<std::int32_t>(rows_.anchors().size());
  for (std::int32_t a = 0; a < count; ++a) {
    const auto [first, end] = path(a);
    for (std::int32_t b = 0; b <= a; ++b) {
      const auto [other, other_end] = path(b);
      const auto common = static_cast<std::int32_t>(std::mismatch(first, end, other, other_end).first - first);
      if (common > 0) plan_.pairs.push_back({a, b, common});
    }
    for (const std::int32_t site : rows_.joint_sites()) {
      const auto at = std::find(first, end, rows_.joint_of(site));
      if (at != end) plan_.joint_pairs.push_back({site, a, static_cast<std::int32_t>(at - first) + 1});
    }
  }
}

template <class T, class F>
void Kjr<T, F>::place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
  place_frames(model, kin, art_.frames);
  place_rows(rows, art_.frames);
}

template <class T, class F>
Status Kjr<T, F>::compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                          LowerView<T> lower) {
  if (const Status status = articulate_placed(model, kin, art_); !status.ok()) return status;
  end_stage<T>("articulation");
  rows_.load(model, art_, rows);
  for (const std::int32_t i : plan_.links) own_[i] = own_response(model, art_, i, own_[model.link(i).parent]);
  end_stage<T>("responses of links");
  for (const KjrPlan::Pair& pair : plan_.pairs) {
    LinkResponse<T> omega = own_[plan_.path[plan_.first_path[pair.a] + pair.common - 1]];
    walk_out(model, pair.b, pair.common, 6, omega);
    omega = transposed(omega);
    walk_out(model, pair.a, pair.common, 6, omega);
    rows_.add_block(pair.a, pair.b, omega, lower);
  }
  for (const std::int32_t site : rows_.joint_sites()) rows_.add_on_joint(model, site, lower);
  for (const KjrPlan::JointPair& pair : plan_.joint_pairs) {
    const int joint = rows_.joint_of(pair.site);
    LinkResponse<T> response = joint_response(model, art_, joint);
    walk_out(model, pair.b, pair.common, model.link(joint).nv, response);
    rows_.add_through_joint(model, pair.site, pair.b, response, lower);
  }
  end_stage<T>("pairs");
  return {};
}

/// Motions of the last of the `common` first links on the path to an anchor become those of the anchor.
template <class T, class F>
void Kjr<T, F>::walk_out(const Model& model, int anchor, int common, int columns, LinkResponse<T>& omega) const {
  for (int k = plan_.first_path[anchor] + common; k < plan_.first_path[anchor + 1]; ++k) {
    propagate(model, art_, plan_.path[k], columns, omega);
  }
}

template <class T, class F>
void Kjr<T, F>::respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x,
                        VectorView<T> acceleration) requires std::same_as<F, WorldFrames<T>> {
  // clang 14 instantiates this without asking what it requires.
  if constexpr (std::same_as<F, WorldFrames<T>>) row_response<T>(model, art_, rows, x, acceleration, sweep_);
}

#define DELASSUS_INSTANTIATE(T)               \
  template class Kjr<T>;                      \
  template class ExplicitDelassus<T, Kjr<T>>; \
  static_assert(DelassusOperator<KjrDelassus<T>, T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

#define DELASSUS_INSTANTIATE_LINK_FRAMES(T) template class Kjr<T, LinkFrames<T>>;
DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
