// Rows for algorithms that know the responses Ω between links: Λ⁻¹ is then a sum of K_a Ω_ij K_bᵀ over where rows act.
//
// A row 𝒦 on joint i is a row -𝒦 Ûᵀ X on the link that carries the joint. So each row has an anchor, a link whose motion
// it feels, and anchors have blocks as end effectors have in the papers. What passes through joint i itself,
// 𝒦 D⁻¹ Fᵀ with F = K Ψ S for a row K further out, comes on top.
#pragma once

#include <cstdint>
#include <vector>

#include "constraints/row_sites.hpp"
#include "delassus/math/boxed.hpp"
#include "dynamics/link_response.hpp"

namespace delassus {

template <class T, class F>
class AnchoredRows {
 public:
  /// A link that rows are anchored on.
  struct Anchor {
    std::int32_t link;
    std::int32_t first, end;  // among the ordered elements
  };

  void plan(const Model& model, const RowStructure& rows);
  /// By ascending link.
  const std::vector<Anchor>& anchors() const { return anchors_; }
  /// Indices of the sites on joints.
  const std::vector<std::int32_t>& joint_sites() const { return joint_sites_; }
  int joint_of(int site) const { return sites_.sites()[static_cast<std::size_t>(site)].link; }

  /// Values of the rows, after articulate.
  void load(const Model& model, const Articulation<T, F>& art, const ConstraintRows<T>& rows);
  /// K_a Ω K_bᵀ, where Ω is how the link of anchor a moves under wrenches on that of anchor b. Each pair once.
  void add_block(int a, int b, const LinkResponse<T>& omega, LowerView<T> lower) const;
  /// What rows on a joint and those anchored behind it share through the joint: `response` is how the link of anchor b
  /// moves per unit velocity of the joint.
  void add_through_joint(const Model& model, int site, int b, const LinkResponse<T>& response,
                         LowerView<T> lower) const;
  /// What the rows on a joint share through it with each other.
  void add_on_joint(const Model& model, int site, LowerView<T> lower) const;
  std::size_t bytes() const {
    return heap_bytes(sites_, anchored_sites_, joint_sites_, anchors_, order_, K_, weights_, solved_);
  }

 private:
  /// Weights of an element on a joint, room for six degrees of freedom.
  static constexpr int kWeights = 6;

  RowSites sites_;
  std::vector<std::int32_t> anchored_sites_, joint_sites_;
  std::vector<Anchor> anchors_;
  std::vector<std::int32_t> order_;  // elements, anchor by anchor
  std::vector<Force<T>> K_;          // per element, on its anchor
  std::vector<T> weights_, solved_;  // per element: 𝒦 and D⁻¹ 𝒦ᵀ
};

}  // namespace delassus
