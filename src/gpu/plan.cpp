#include "gpu/plan.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "delassus/math/error.hpp"
#include "gpu/plan_numbers.hpp"
#include "model/limb_model.hpp"

namespace delassus::gpu {
namespace {

/// Code for each element stays in the kernel: robots beyond this take minutes to compile.
constexpr int kMostElements = 80;

struct Part {
  Kind kind;
  int coordinate, dof;
};

/// The elements of a joint.
std::vector<Part> parts_of(JointKind kind) {
  switch (kind) {
    case JointKind::kRevolute:
      return {{Kind::kHinge, 0, 0}};
    case JointKind::kPrismatic:
      return {{Kind::kSlideZ, 0, 0}};
    case JointKind::kHelical:
      return {{Kind::kScrew, 0, 0}};
    case JointKind::kCylindrical:
      return {{Kind::kHinge, 0, 0}, {Kind::kSlideZ, 1, 1}};
    case JointKind::kUniversal:
      return {{Kind::kHinge, 0, 0}, {Kind::kHinge, 1, 1}};
    case JointKind::kSpherical:
      return {{Kind::kBallX, 0, 0}, {Kind::kBallY, 0, 1}, {Kind::kBallZ, 0, 2}};
    case JointKind::kPlanar:
      return {{Kind::kSlideX, 0, 0}, {Kind::kSlideY, 1, 1}, {Kind::kHinge, 2, 2}};
    case JointKind::kFree:
      return {{Kind::kFree, 0, 0}};
  }
  return {};
}

class Planner {
 public:
  Planner(const Model& model, std::shared_ptr<const LimbModel> fold) : model_(model), fold_(std::move(fold)) {}

  /// Nothing if a loop leaves its limb: then they cannot lie side by side.
  std::optional<Plan> build(std::span<const Constraint> constraints) {
    plan_.coordinates = model_.nq();
    plan_.dofs = model_.nv();
    require_one_base();
    add_links();
    if (plan_.elements.size() > at(kMostElements)) {
      throw Error("model '" + model_.name() + "' has " + std::to_string(plan_.elements.size()) +
                  " degrees of freedom one after the other in a lane; the GPU takes at most " +
                  std::to_string(kMostElements) + "; use delassus::Batch");
    }
    plan_.slots.resize(plan_.elements.size());
    for (std::size_t c = 0; c < constraints.size(); ++c) add_rows(static_cast<int>(c), constraints[c]);
    if (crosses_) return std::nullopt;
    std::stable_sort(plan_.joint_rows.begin(), plan_.joint_rows.end(),
                     [](const JointRowSlot& a, const JointRowSlot& b) { return a.element < b.element; });
    plan_.contact_fault = contact_fault(model_, constraints);
    fill_numbers(model_, constraints, plan_);
    return std::move(plan_);
  }

 private:
  void require_one_base() const {
    int bases = 0;
    for (int i = 0; i < model_.num_links(); ++i) {
      if (model_.link(i).kind != JointKind::kFree) continue;
      if (model_.link(i).parent == kWorld && ++bases == 1) continue;
      throw Error("joint '" + model_.joint_name(i) +
                  "' is free; on the GPU an environment is one robot, whose base alone may be. " +
                  "Take the other bodies out of the model, or use delassus::Batch");
    }
  }

  void add_links() {
    plan_.last_element.resize(at(model_.num_links()));
    lane_.resize(at(model_.num_links()), -1);
    if (!fold_ || lanes_of_fold() == 1 || !base_in_trunk()) {
      for (int i = 0; i < model_.num_links(); ++i) {
        const int parent = model_.link(i).parent;
        add_joint({i, -1, -1, -1}, model_.link(i).kind, parent == kWorld ? -1 : plan_.last_element[at(parent)]);
        plan_.last_element[at(i)] = size() - 1;
      }
      plan_.trunk = size();
      return;
    }
    plan_.lanes = lanes_of_fold();
    for (int i = 0; i < fold_->shape.num_links(); ++i) add_folded(i);
  }

  int lanes_of_fold() const {
    int used = 1;
    for (const LimbPlace& place : fold_->place) used = std::max(used, place.lane + 1);
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(used)));
  }

  /// A base that is a limb beside others: kernels have it in all lanes.
  bool base_in_trunk() const {
    for (int i = 0; i < model_.num_links(); ++i) {
      if (model_.link(i).kind == JointKind::kFree && fold_->place[at(i)].lane != LimbPlace::kTrunk) return false;
    }
    return true;
  }

  void add_folded(int i) {
    const Link& link = fold_->shape.link(i);
    const auto element = [&](int folded) { return folded == kWorld ? -1 : last_of_folded_[at(folded)]; };
    const bool top = i >= fold_->trunk && (link.parent == kWorld || link.parent < fold_->trunk);
    const int first = size();
    add_joint(fold_->links[at(i)], link.kind, element(link.parent));
    if (top) hang(first, i, element);
    last_of_folded_.push_back(size() - 1);
    if (i < fold_->trunk) plan_.trunk = size();
    for (int lane = 0; lane < plan_.lanes; ++lane) {
      const int source = fold_->links[at(i)][at(lane)];
      if (source < 0) continue;
      plan_.last_element[at(source)] = size() - 1;
      if (i >= fold_->trunk) lane_[at(source)] = lane;
    }
  }

  template <class F>
  void hang(int first, int folded, F&& element) {
    plan_.elements[at(first)].top = true;
    const int all = (1 << plan_.lanes) - 1;
    for (const Way& way : fold_->shape.fold().ways_of(folded)) {
      if ((way.lanes & all) != 0) plan_.ways[at(first)].push_back({element(way.parent), way.lanes & all});
    }
    if (plan_.ways[at(first)].empty()) plan_.ways[at(first)].push_back({plan_.elements[at(first)].parent, all});
  }

  void add_joint(const LimbSource& links, JointKind kind, int parent) {
    const std::vector<Part> parts = parts_of(kind);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      Element e{parts[k].kind, k == 0 ? parent : size() - 1, false, k + 1 == parts.size(), {}, parts[k].coordinate,
                parts[k].dof};
      for (int lane = 0; lane < kMostLanes; ++lane) e.link[at(lane)] = lane < plan_.lanes ? links[at(lane)] : -1;
      if (e.kind == Kind::kFree) {
        plan_.base_coordinate = model_.link(links[0]).q;
        plan_.base_dof = model_.link(links[0]).v;
      }
      plan_.elements.push_back(e);
      plan_.ways.emplace_back();
    }
  }

  void add_rows(int c, const Constraint& constraint) {
    const auto rows = rows_of(model_, constraint);
    if (const auto* point = std::get_if<PointRows>(&rows)) {
      add_point(c, *point);
    } else if (const auto* loop = std::get_if<LoopRows>(&rows)) {
      add_loop(c, constraint, *loop);
    } else {
      add_joint_row(c, std::get<JointRow>(rows));
    }
  }

  void add_joint_row(int c, const JointRow& row) {
    const int lane = lane_[at(row.link)], last = plan_.last_element[at(row.link)];
    const int element = last - (model_.link(row.link).nv - 1) + row.dof;
    auto place = std::find_if(plan_.joint_rows.begin(), plan_.joint_rows.end(), [&](const JointRowSlot& other) {
      return lane >= 0 && other.element == element && other.constraint[at(lane)] < 0;
    });
    if (place == plan_.joint_rows.end()) {
      place = plan_.joint_rows.insert(place, {element, {-1, -1, -1, -1}, {-1, -1, -1, -1}});
    }
    for (int l = 0; l < plan_.lanes; ++l) {
      if (lane < 0 || l == lane) place->constraint[at(l)] = c, place->row[at(l)] = plan_.rows;
    }
    ++plan_.rows;
  }

  void add_point(int c, const PointRows& point) {
    if (!point.level) plan_.level = false;
    if (point.rows != 3) plan_.full_points = false;
    std::vector<PointSlot>& slots = plan_.slots[at(plan_.last_element[at(point.link)])];
    // In the trunk any lane will do, so they are filled one after the other.
    const int lane = lane_[at(point.link)];
    const auto is_free = [&](const PointSlot& s, int l) { return s.constraint[at(l)] < 0; };
    for (std::size_t s = 0;; ++s) {
      if (s == slots.size()) slots.emplace_back();
      for (int l = 0; l < plan_.lanes; ++l) {
        if ((lane >= 0 && l != lane) || !is_free(slots[s], l)) continue;
        slots[s].constraint[at(l)] = c;
        slots[s].row[at(l)] = plan_.rows;
        plan_.rows += point.rows;
        return;
      }
    }
  }

  /// The elements from one on inwards.
  std::vector<int> way_of(int element) const {
    std::vector<int> way;
    for (; element >= 0; element = plan_.elements[at(element)].parent) way.push_back(element);
    return way;
  }

  void add_loop(int c, const Constraint& constraint, const LoopRows& rows) {
    const int lane = lane_[at(rows.first)];
    const auto [a, b] = std::minmax(plan_.last_element[at(rows.first)], plan_.last_element[at(rows.second)]);
    LoopSlot slot{a, b, -1, std::vector<int>(plan_.elements.size()), {-1, -1, -1, -1}, {-1, -1, -1, -1}};
    const std::vector<int> from_a = way_of(a), from_b = way_of(b);
    for (const int i : from_a) slot.side[at(i)] = 1;
    for (const int i : from_b) slot.side[at(i)] = slot.side[at(i)] == 1 ? 3 : 2;
    for (const int i : from_a) {
      if (slot.side[at(i)] == 3 && slot.meet < 0) slot.meet = i;
    }
    for (int& side : slot.side) side = side == 3 ? 0 : side;
    const bool in_limb = lane >= 0 && lane == lane_[at(rows.second)] && slot.meet >= plan_.trunk;
    if (plan_.lanes > 1 && !in_limb) {
      crosses_ = true;
      return;
    }
    require_apart(constraint, slot, lane);
    put_loop(c, std::move(slot), lane);
    plan_.rows += 3;
  }

  /// Loops are eliminated one by one, so no joint can be in two.
  void require_apart(const Constraint& constraint, const LoopSlot& slot, int lane) const {
    for (const LoopSlot& other : plan_.loops) {
      if (other.constraint[at(std::max(lane, 0))] < 0) continue;
      for (std::size_t i = 0; i < slot.side.size(); ++i) {
        if (slot.side[i] != 0 && other.side[i] != 0) refuse(constraint, "it shares a joint with another loop");
      }
    }
  }

  /// Beside the same loop of another limb, if there is one.
  void put_loop(int c, LoopSlot slot, int lane) {
    auto place = std::find_if(plan_.loops.begin(), plan_.loops.end(), [&](const LoopSlot& other) {
      return lane >= 0 && other.a == slot.a && other.b == slot.b && other.constraint[at(lane)] < 0;
    });
    if (place == plan_.loops.end()) place = plan_.loops.insert(place, std::move(slot));
    for (int l = 0; l < plan_.lanes; ++l) {
      if (lane < 0 || l == lane) place->constraint[at(l)] = c, place->row[at(l)] = plan_.rows;
    }
  }

  int size() const { return static_cast<int>(plan_.elements.size()); }

  const Model& model_;
  std::shared_ptr<const LimbModel> fold_;
  Plan plan_;
  bool crosses_ = false;
  std::vector<int> last_of_folded_;  // per link of the fold its last element
  std::vector<int> lane_;            // per link of the robot, -1: all
};

}  // namespace

int Plan::num_slots() const {
  int n = 0;
  for (const auto& list : slots) n += static_cast<int>(list.size());
  return n;
}

Plan make_plan(const Model& model, std::span<const Constraint> constraints) {
  for (const Constraint& c : constraints) require_valid(model, c);
  if (auto folded = Planner(model, make_limb_model(model)).build(constraints)) return std::move(*folded);
  return std::move(*Planner(model, nullptr).build(constraints));
}

}  // namespace delassus::gpu
