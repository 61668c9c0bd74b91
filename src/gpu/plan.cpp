#include "gpu/plan.hpp"

#include <algorithm>
#include <bit>

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
  explicit Planner(const Model& model) : model_(model), fold_(make_limb_model(model)) {}

  Plan build(std::span<const Constraint> constraints) {
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
    for (std::size_t c = 0; c < constraints.size(); ++c) add_point(static_cast<int>(c), constraints[c]);
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
    last_.resize(at(model_.num_links()));
    lane_.resize(at(model_.num_links()), -1);
    if (!fold_ || lanes_of_fold() == 1 || !base_in_trunk()) {
      for (int i = 0; i < model_.num_links(); ++i) {
        const int parent = model_.link(i).parent;
        add_joint({i, -1, -1, -1}, model_.link(i).kind, parent == kWorld ? -1 : last_[at(parent)]);
        last_[at(i)] = size() - 1;
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
      last_[at(source)] = size() - 1;
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

  void add_point(int c, const Constraint& constraint) {
    const PointRows point = point_rows(model_, constraint);
    if (!point.level) plan_.level = false;
    if (point.rows != 3) plan_.full_points = false;
    std::vector<PointSlot>& slots = plan_.slots[at(last_[at(point.link)])];
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

  int size() const { return static_cast<int>(plan_.elements.size()); }

  const Model& model_;
  std::shared_ptr<const LimbModel> fold_;
  Plan plan_;
  std::vector<int> last_of_folded_;  // per link of the fold its last element
  std::vector<int> last_, lane_;     // per link of the robot: its last element, and its lane, -1: all
};

}  // namespace

int Plan::num_slots() const {
  int n = 0;
  for (const auto& list : slots) n += static_cast<int>(list.size());
  return n;
}

Plan make_plan(const Model& model, std::span<const Constraint> constraints) {
  for (const Constraint& c : constraints) require_valid(model, c);
  return Planner(model).build(constraints);
}

}  // namespace delassus::gpu
