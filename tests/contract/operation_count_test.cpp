// What the kernels cost, exactly. A change of these numbers is a change of the algorithm: say why in the commit.
#include <gtest/gtest.h>

#include "delassus/delassus.hpp"
#include "delassus/math/counted.hpp"
#include "operators/explicit_methods.hpp"

namespace delassus {
namespace {

/// Hangs revolute links one on the other. Returns the last.
int add_chain(ModelBuilder& b, const std::string& name, int parent, int links) {
  for (int i = 0; i < links; ++i) {
    parent = b.add_body(name + std::to_string(i), parent,
                        revolute(name + "_joint" + std::to_string(i), {{0, 1, 0}}, translation(0, 0, 0.3)),
                        box_inertial(1, {{0.1, 0.1, 0.1}}));
  }
  return parent;
}

/// A fixed chain of revolute joints: each link after the first adds the same work.
Model chain(int links) {
  ModelBuilder b("chain");
  add_chain(b, "link", kWorld, links);
  return b.make_model();
}

struct StageCounts {
  OperationCount kinematics, velocities, articulation, forward;
};

StageCounts counts(int links) {
  const Model model = chain(links);
  std::vector<Counted> x(model.nv(), Counted(0.1)), out(model.nv());
  ForwardDynamics<Counted> w(model);
  StageCounts c;
  c.kinematics = count_operations([&] { update_kinematics<Counted>(model, x, w.kin); });
  c.velocities = count_operations([&] { update_velocities<Counted>(model, w.kin, x, w.vel); });
  c.articulation = count_operations([&] { EXPECT_TRUE(articulate(model, w.kin, w).ok()); });
  c.forward = count_operations([&] { forward_dynamics<Counted>(model, w.kin, w.vel, x, out, w); });
  return c;
}

TEST(OperationCounts, PerLinkOfAChain) {
  const StageCounts ten = counts(10), eleven = counts(11);
  EXPECT_EQ(eleven.kinematics.total() - ten.kinematics.total(), 171);
  EXPECT_EQ(eleven.kinematics.trigonometric - ten.kinematics.trigonometric, 2);
  EXPECT_EQ(eleven.velocities.total() - ten.velocities.total(), 72);
  EXPECT_EQ(eleven.articulation.total() - ten.articulation.total(), 236);
  EXPECT_EQ(eleven.articulation.divisions - ten.articulation.divisions, 1);
  EXPECT_EQ(eleven.articulation.square_roots, 0);
  EXPECT_EQ(eleven.forward.total() - ten.forward.total(), 160);
  EXPECT_EQ(eleven.forward.divisions, 0);
}

/// Operations of `compute` for a fixed stem that carries two branches, the tips of which are welded to the world. A
/// branch without links is not there.
template <class Method>
std::int64_t weld_count(int stem, int left, int right) {
  ModelBuilder b("tree");
  const int fork = add_chain(b, "stem", kWorld, stem);
  const int tips[2] = {add_chain(b, "left", fork, left), add_chain(b, "right", fork, right)};
  const Model model = b.make_model();
  std::vector<Constraint> welds{make_weld("left weld", {model.body_frame(tips[0])}, {})};
  if (right > 0) welds.emplace_back(make_weld("right weld", {model.body_frame(tips[1])}, {}));
  const int m = 6 * static_cast<int>(welds.size());
  std::vector<Counted> q(model.nv(), Counted(0.1)), A(static_cast<std::size_t>(m) * m);
  Kinematics<Counted> kin(model);
  update_kinematics<Counted>(model, q, kin);
  ConstraintRows<Counted> rows;
  lower_structure(model, welds, rows);
  EXPECT_TRUE(lower_values<Counted>(model, kin, welds, rows).ok());
  Method method(model);
  method.plan(model, rows);
  method.place(model, kin, rows);
  const LowerView<Counted> lower{A.data(), m};
  return count_operations([&] { EXPECT_TRUE(method.compute(model, kin, rows, lower).ok()); }).total();
}

/// What one more link costs beyond factoring it: in a chain with one weld, in the stem and in a branch of a tree with
/// two.
struct WeldSlopes {
  std::int64_t chain, stem, branch;
  bool operator==(const WeldSlopes&) const = default;
};

template <class Method>
WeldSlopes weld_slopes(std::int64_t factor) {
  const auto count = [](int stem, int left, int right) { return weld_count<Method>(stem, left, right); };
  return {count(6, 0, 0) - count(5, 0, 0) - factor, count(6, 4, 4) - count(5, 4, 4) - factor,
          count(5, 5, 4) - count(5, 4, 4) - factor};
}

/// Operations that a link adds to a chain without rows, its frames placed before.
template <class F>
std::int64_t factor_slope() {
  const auto count = [](int links) {
    const Model model = chain(links);
    std::vector<Counted> q(model.nv(), Counted(0.1));
    Kinematics<Counted> kin(model);
    update_kinematics<Counted>(model, q, kin);
    Articulation<Counted, F> art(model);
    place_frames(model, kin, art.frames);
    return count_operations([&] { EXPECT_TRUE(articulate_placed(model, kin, art).ok()); }).total();
  };
  return count(11) - count(10);
}

void PrintTo(const WeldSlopes& s, std::ostream* out) { *out << s.chain << ", " << s.stem << ", " << s.branch; }

// EFPA takes each of six rows in and out: 23 + 25 in world axes, 54 + 56 in those of links. The others take the six
// columns of Ω out twice for a link's own, and once for each pair of welds: 138 of 6 · 23, 324 of 6 · 54.

TEST(OperationCounts, WeldsInWorldAxes) {
  const std::int64_t factor = factor_slope<WorldFrames<Counted>>();
  EXPECT_EQ(factor, 224);
  EXPECT_EQ(weld_slopes<Efpa<Counted>>(factor), (WeldSlopes{288, 576, 288}));
  EXPECT_EQ(weld_slopes<Kjr<Counted>>(factor), (WeldSlopes{288, 288, 426}));
  EXPECT_EQ(weld_slopes<ChangKhatib<Counted>>(factor), (WeldSlopes{288, 288, 426}));
}

TEST(OperationCounts, WeldsInLinkAxes) {
  using F = LinkFrames<Counted>;
  const std::int64_t factor = factor_slope<F>();
  EXPECT_EQ(factor, 405);
  EXPECT_EQ((weld_slopes<Efpa<Counted, F>>(factor)), (WeldSlopes{660, 1320, 660}));
  EXPECT_EQ((weld_slopes<Kjr<Counted, F>>(factor)), (WeldSlopes{660, 660, 984}));
  EXPECT_EQ((weld_slopes<ChangKhatib<Counted, F>>(factor)), (WeldSlopes{660, 660, 984}));
}

}  // namespace
}  // namespace delassus
