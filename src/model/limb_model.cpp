#include "model/limb_model.hpp"

#include <algorithm>

#include "model/limb_fold.hpp"

namespace delassus {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <class V>
std::int32_t length(const V& list) {
  return static_cast<std::int32_t>(list.size());
}

constexpr LimbSource kNowhere{-1, -1, -1, -1};

}  // namespace

class LimbFolder {
 public:
  explicit LimbFolder(const Model& model) : model_(model) {}

  std::shared_ptr<const LimbModel> build(const Fold& fold) {
    shape_ = std::make_shared<Model::Data>();
    lanes_ = std::make_shared<FoldLanes>();
    out_ = std::make_shared<LimbModel>(LimbModel{{Model(shape_), lanes_}, {}, {}, {}, {}, {}, {}, {}, 0});
    out_->place.resize(at(model_.num_links()));
    for (int i = 0; i < model_.num_links(); ++i) {
      if (!fold.trunk[at(i)]) continue;
      const int parent = link(i).parent;
      out_->place[at(i)] = {length(out_->links), LimbPlace::kTrunk};
      add_link({i, i, i, i}, parent == kWorld ? kWorld : out_->place[at(parent)].link);
      lanes_->links.back().trunk = true;
    }
    out_->trunk = length(out_->links);
    for (const LaneTree& tree : fold.trees) add_tree(tree);
    for (int i = 0; i < model_.num_links(); ++i) {
      const LimbPlace& place = out_->place[at(i)];
      for (int k = 0; k < link(i).nv; ++k) out_->dof_place.push_back({out_->shape.link(place.link).v + k, place.lane});
    }
    return out_;
  }

 private:
  const Link& link(int i) const { return model_.link(i); }

  void add_tree(const LaneTree& tree) {
    const int first = length(out_->links);
    for (const LaneTree::Slot& slot : tree.slots) {
      for (int lane = 0; lane < kLimbLanes; ++lane) {
        if (slot.link[at(lane)] >= 0) out_->place[at(slot.link[at(lane)])] = {length(out_->links), lane};
      }
      add_link(slot.link, slot.parent < 0 ? kWorld : first + slot.parent);
    }
    hang(tree, shape_->links[at(first)], lanes_->links[at(first)]);
  }

  /// The first link of a tree on the trunk. Lanes that are not in use go with the first.
  void hang(const LaneTree& tree, Link& top, FoldLanes::LinkLanes& top_lanes) {
    std::array<std::int32_t, kLimbLanes> parents{};
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      const int parent = link(tree.slots[0].link[at(lane < tree.lanes ? lane : 0)]).parent;
      parents[at(lane)] = parent == kWorld ? kWorld : out_->place[at(parent)].link;
    }
    top.parent = *std::max_element(parents.begin(), parents.end());
    if (std::all_of(parents.begin(), parents.end(), [&](int p) { return p == top.parent; })) return;
    std::vector<Way>& ways = lanes_->ways;
    top_lanes.first_way = length(ways);
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      auto way = std::find_if(ways.begin() + top_lanes.first_way, ways.end(),
                              [&](const Way& w) { return w.parent == parents[at(lane)]; });
      if (way == ways.end()) way = ways.insert(way, {parents[at(lane)], 0});
      way->lanes = static_cast<LaneSet>(way->lanes | (1 << lane));
    }
    // The deepest first: it is what `parent` names.
    std::sort(ways.begin() + top_lanes.first_way, ways.end(),
              [](const Way& a, const Way& b) { return a.parent > b.parent; });
    top_lanes.ways = length(ways) - top_lanes.first_way;
  }

  void add_link(const LimbSource& lanes, int parent) {
    const int used = *std::find_if(lanes.begin(), lanes.end(), [](int i) { return i >= 0; });
    const JointSizes sizes = sizes_of(link(used).kind);
    Link folded = link(used);
    folded.parent = parent;
    folded.q = shape_->nq;
    folded.v = shape_->nv;
    folded.angle = length(shape_->angle_coordinates);
    folded.factor = shape_->factor_size;
    const int first_angle = folded.kind == JointKind::kPlanar ? folded.q + 2 : folded.q;
    for (int k = 0; k < sizes.angles; ++k) {
      LimbSource source = kNowhere;
      for (int lane = 0; lane < kLimbLanes; ++lane) {
        if (lanes[at(lane)] >= 0) source[at(lane)] = link(lanes[at(lane)]).angle + k;
      }
      out_->angles.push_back(source);
      shape_->angle_coordinates.push_back(first_angle + k);
    }
    shape_->nq += sizes.nq;
    shape_->nv += sizes.nv;
    shape_->factor_size += sizes.nv * (sizes.nv + 1) / 2;
    shape_->links.push_back(folded);
    out_->links.push_back(lanes);
    add_constants(lanes, folded.kind);
    for (int k = 0; k < sizes.nq; ++k) add_coordinate(lanes, folded.kind, k);
    for (int k = 0; k < sizes.nv; ++k) add_dof(lanes, folded.kind, k);
  }

  void add_coordinate(const LimbSource& lanes, JointKind kind, int k) {
    const bool is_w = (kind == JointKind::kSpherical && k == 3) || (kind == JointKind::kFree && k == 6);
    LimbSource source = kNowhere;
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      if (lanes[at(lane)] >= 0) source[at(lane)] = link(lanes[at(lane)]).q + k;
    }
    out_->coordinates.push_back(source);
    out_->padding.emplace_back(is_w ? 1 : 0);
  }

  void add_dof(const LimbSource& lanes, JointKind kind, int k) {
    LimbSource source = kNowhere;
    Limbs armature(kind == JointKind::kFree ? 0 : 1), scale(1);
    double most = 0;
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      if (lanes[at(lane)] < 0) continue;
      const int v = source[at(lane)] = link(lanes[at(lane)]).v + k;
      armature.set(lane, model_.armature()[at(v)]);
      scale.set(lane, model_.inertia_scale()[at(v)]);
      most = std::max(most, model_.armature()[at(v)]);
    }
    out_->dofs.push_back(source);
    lanes_->armature.push_back(armature);
    lanes_->inertia_scale.push_back(scale);
    shape_->armature.push_back(most);
  }

  /// Where a lane has no link: one without mass, whose joint has armature. A free joint has none, so its link has mass.
  void add_constants(const LimbSource& lanes, JointKind kind) {
    const RigidInertia<double> unit{1, Vec3<double>::zero(), Sym3<double>::diagonal(1)};
    Link padding{};
    padding.placement = Pose<double>::identity();
    padding.second = Mat3<double>::identity();
    padding.inertia = kind == JointKind::kFree ? unit : RigidInertia<double>::zero();
    FoldLanes::LinkLanes out{};
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      const Link& l = lanes[at(lane)] < 0 ? padding : link(lanes[at(lane)]);
      const auto set = [lane](auto& to, const auto& from) {
        for (std::size_t k = 0; k < std::size(from.a); ++k) to.a[k].set(lane, from.a[k]);
      };
      set(out.placement.R, l.placement.R);
      set(out.placement.p, l.placement.p);
      set(out.second, l.second);
      set(out.inertia.moment, l.inertia.moment);
      set(out.inertia.rotational, l.inertia.rotational);
      out.inertia.mass.set(lane, l.inertia.mass);
      out.pitch.set(lane, l.pitch);
    }
    lanes_->links.push_back(out);
  }

  const Model& model_;
  std::shared_ptr<LimbModel> out_;
  std::shared_ptr<Model::Data> shape_;  // of out_->shape, while it is built
  std::shared_ptr<FoldLanes> lanes_;
};

std::shared_ptr<const LimbModel> make_limb_model(const Model& model) {
  if (model.num_links() == 0) return nullptr;
  const Fold fold = choose_fold(model);
  if (4 * fold.links() > 3 * model.num_links()) return nullptr;
  return LimbFolder(model).build(fold);
}

}  // namespace delassus
