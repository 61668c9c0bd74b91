// Orders of elimination and the couplings that come to be, on a tree small enough for paper.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "delassus/delassus.hpp"
#include "operators/condensed/plan.hpp"

namespace delassus {
namespace {

/// Links 1 to 6: 1 floats, 2 hangs on it, then 3, 4, 5 in a row, and 6 beside 3.
Model small_tree() {
  const int parents[] = {kWorld, 0, 1, 2, 3, 1};
  ModelBuilder b("tree");
  for (int i = 0; i < 6; ++i) {
    const std::string name = std::to_string(i + 1);
    const Pose<double> placement = translation(0, 0.1 * i, 0.3);
    b.add_body("link" + name, parents[i],
               i == 0 ? joint(JointKind::kFree, "free") : revolute("joint" + name, {{1, 0, 0}}, placement),
               box_inertial(1, {{0.1, 0.1, 0.1}}));
  }
  return b.make_model();
}

/// A node by the number of its link, or 0 for the multiplier.
int name_of_node(const CondensedPlan::Node& node) { return node.link + 1; }

CondensedPlan make_lcaba_plan(const Model& model, const RowStructure& rows, const LcabaOptions& options = {}) {
  return LcabaDelassus<double>(model, rows, options).plan();
}

struct Eliminated {
  std::vector<int> order;
  std::map<int, std::set<int>> coupled;  // without the parent, unless a coupling leads there
};

Eliminated eliminate(LcabaForm form, NodeOrder order, std::vector<Constraint> constraints) {
  const Model model = small_tree();
  ConstraintRows<double> rows;
  lower_structure(model, constraints, rows);
  LcabaOptions options;
  options.form = form;
  options.order = order;
  const CondensedPlan plan = make_lcaba_plan(model, rows, options);
  Eliminated out;
  for (const CondensedPlan::Node& node : plan.nodes) {
    out.order.push_back(name_of_node(node));
    std::set<int>& coupled = out.coupled[name_of_node(node)];
    for (int k = 0; k < node.neighbours.count; ++k) {
      coupled.insert(name_of_node(plan.nodes[plan.neighbours[node.neighbours.first + k].node]));
    }
  }
  return out;
}

std::vector<Constraint> loop_and_contact() {
  const Model model = small_tree();
  PointContact contact;
  contact.name = "contact";
  contact.a = attach(model, "link3");
  return {make_ball("loop", attach(model, "link5"), attach(model, "link6")), contact};
}

using Sets = std::map<int, std::set<int>>;

/// Without loops nothing is coupled: constrained ABA.
TEST(LcabaPlan, UnaryConstraintsCoupleNothing) {
  const Model model = small_tree();
  std::vector<Constraint> contacts;
  for (const char* link : {"link6", "link3", "link5"}) {
    PointContact contact;
    contact.name = link;
    contact.a = attach(model, link);
    contacts.emplace_back(contact);
  }
  const Eliminated e = eliminate(LcabaForm::kCheapest, NodeOrder::kTree, contacts);
  EXPECT_EQ(e.order, (std::vector<int>{5, 4, 6, 3, 2, 1}));  // the deepest first
  for (const auto& [node, coupled] : e.coupled) EXPECT_TRUE(coupled.empty()) << node;
}

/// Link 3 is coupled to its own parent, although no constraint joins the two.
TEST(LcabaPlan, LoopInTreeOrder) {
  const Eliminated e = eliminate(LcabaForm::kStiffness, NodeOrder::kTree, loop_and_contact());
  EXPECT_EQ(e.order, (std::vector<int>{6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(e.coupled, (Sets{{6, {5}}, {5, {2}}, {4, {2}}, {3, {2}}, {2, {}}, {1, {}}}));
}

TEST(LcabaPlan, LoopByMinimumDegree) {
  const Eliminated e = eliminate(LcabaForm::kStiffness, NodeOrder::kMinimumDegree, loop_and_contact());
  EXPECT_EQ(e.order, (std::vector<int>{5, 4, 6, 3, 2, 1}));
  EXPECT_EQ(e.coupled, (Sets{{5, {6}}, {4, {6}}, {6, {3}}, {3, {2}}, {2, {}}, {1, {}}}));
}

TEST(LcabaPlan, LoopAsMultiplier) {
  const Eliminated e = eliminate(LcabaForm::kLoopMultipliers, NodeOrder::kMinimumDegree, loop_and_contact());
  EXPECT_EQ(e.order, (std::vector<int>{5, 4, 6, 3, 2, 1, 0}));
  EXPECT_EQ(e.coupled, (Sets{{5, {0}}, {4, {0}}, {6, {0}}, {3, {0}}, {2, {0}}, {1, {0}}, {0, {}}}));
}

TEST(LcabaPlan, CentreOfMassIsAMultiplier) {
  const Eliminated e = eliminate(LcabaForm::kStiffness, NodeOrder::kMinimumDegree, {CentreOfMass{"centre"}});
  EXPECT_EQ(e.order.size(), 7U);
  EXPECT_EQ(e.order.back(), 0);
  for (int link = 1; link <= 6; ++link) EXPECT_EQ(e.coupled.at(link), (std::set<int>{0}));
}

/// Rows that bear on links and joints at once: pieces of six rows, and the rest.
TEST(LcabaPlan, MixedRowsAreMultipliersOfAtMostSixRows) {
  const Model model = small_tree();
  CustomRows custom;
  custom.name = "custom";
  custom.rows = 8;
  custom.bodies = {{model.body_frame(2), std::vector<double>(48, 1.0)}};
  custom.dofs = {{8, std::vector<double>(8, 1.0)}};
  ConstraintRows<double> rows;
  lower_structure(model, std::vector<Constraint>{custom}, rows);
  const CondensedPlan plan = make_lcaba_plan(model, rows);
  std::vector<int> widths;
  for (const CondensedPlan::Node& node : plan.nodes) {
    if (node.link < 0) widths.push_back(node.width);
  }
  EXPECT_EQ(widths, (std::vector<int>{6, 2}));
}

/// Links that feel nothing are no nodes, so that a new damping does not come by them.
TEST(LcabaPlan, QuietLinksAreNoNodes) {
  const Model model = small_tree();
  PointContact contact;
  contact.name = "contact";
  contact.a = attach(model, "link6");
  ConstraintRows<double> rows;
  lower_structure(model, std::vector<Constraint>{contact}, rows);
  const CondensedPlan plan = make_lcaba_plan(model, rows);
  EXPECT_EQ(plan.felt, (std::vector<std::int32_t>{0, 1, 5}));
  EXPECT_EQ(plan.nodes.size(), 3U);
}

/// The cheaper of the two forms: short loops as stiffness; long ones of one row as multipliers.
TEST(LcabaPlan, CheapestForm) {
  const auto chain_cost = [](int links, int first, LcabaForm form, double* cost) {
    ModelBuilder b("chain");
    int parent = kWorld;
    for (int i = 0; i < links; ++i) {
      parent = b.add_body("link" + std::to_string(i), parent,
                          revolute("joint" + std::to_string(i), {{1, 0, 0}}, translation(0, 0, 0.1)),
                          box_inertial(1, {{0.1, 0.1, 0.1}}));
    }
    const Model model = b.make_model();
    ConstraintRows<double> rows;
    const Constraint rod = Distance{"rod", {model.body_frame(first)}, {model.body_frame(links - 1)}, 1};
    lower_structure(model, std::vector<Constraint>{rod}, rows);
    LcabaOptions options;
    options.form = form;
    const CondensedPlan plan = make_lcaba_plan(model, rows, options);
    *cost = 0;
    for (const CondensedPlan::Node& node : plan.nodes) {
      const int above = node.parent >= 0 && node.parent_column < 0 ? 6 : 0;
      *cost += node.width * std::pow(node.columns + above, 2);
    }
    return !plan.multipliers.nodes.empty();
  };
  for (const int first : {0, 29}) {
    double stiff = 0, loops = 0, cheapest = 0;
    chain_cost(31, first, LcabaForm::kStiffness, &stiff);
    chain_cost(31, first, LcabaForm::kLoopMultipliers, &loops);
    const bool multiplier = chain_cost(31, first, LcabaForm::kCheapest, &cheapest);
    EXPECT_EQ(cheapest, std::min(stiff, loops));
    EXPECT_EQ(multiplier, loops < stiff);
  }
}

}  // namespace
}  // namespace delassus
