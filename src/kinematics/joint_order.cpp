#include "kinematics/joint_order.hpp"

#include <algorithm>
#include <array>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr std::array<std::string_view, 3> kPlanarParts{"_TX", "_TY", "_RZ"};

/// The part of a planar joint that MuJoCo calls by this name when it reads a URDF, or link -1.
JointPart planar_part(const Model& model, std::string_view name) {
  for (int part = 0; part < 3; ++part) {
    const std::string_view suffix = kPlanarParts[at(part)];
    if (!name.ends_with(suffix)) continue;
    const std::string_view joint = name.substr(0, name.size() - suffix.size());
    if (!model.has_joint(joint)) continue;
    const int link = model.find_joint(joint);
    if (model.link(link).kind == JointKind::kPlanar) return {link, part};
  }
  return {-1, -1};
}

JointPart find(const Model& model, Library library, std::string_view name) {
  if (!model.has_joint(name)) {
    if (library == Library::kMujoco) {
      if (const JointPart part = planar_part(model, name); part.link >= 0) return part;
    } else if (name == "root_joint" && model.num_links() > 0 && model.link(0).kind == JointKind::kFree) {
      return {0, -1};
    }
  }
  return {model.find_joint(name), -1};
}

/// Walks the bodies of a description depth first. No recursion: a chain of a million links must not exhaust the stack.
class Walk {
 public:
  Walk(const Model& model, Library library)
      : model_(model),
        bodies_(model.description().bodies),
        library_(library),
        below_(bodies_.size() + 1),
        first_link_(bodies_.size()),
        moves_(bodies_.size()) {
    int link = 0;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      below_[at(bodies_[b].parent + 1)].push_back(static_cast<int>(b));
      first_link_[b] = link;
      link += static_cast<int>(bodies_[b].joints.size());
    }
    for (std::size_t b = bodies_.size(); b-- > 0;) {
      if (!bodies_[b].joints.empty()) moves_[b] = true;
      if (moves_[b] && bodies_[b].parent != kWorld) moves_[at(bodies_[b].parent)] = true;
    }
  }

  std::vector<JointPart> make() {
    std::vector<JointPart> out;
    std::vector<int> open{kWorld};
    while (!open.empty()) {
      const int body = open.back();
      open.pop_back();
      for (std::size_t k = 0; body != kWorld && k < bodies_[at(body)].joints.size(); ++k) {
        out.push_back({first_link_[at(body)] + static_cast<int>(k), -1});
      }
      const std::vector<int> next = children(body);
      open.insert(open.end(), next.rbegin(), next.rend());
    }
    return out;
  }

 private:
  /// Those that carry joints: the others have no coordinates.
  std::vector<int> children(int body) const {
    std::vector<int> out;
    for (const int child : below_[at(body + 1)]) {
      if (moves_[at(child)]) out.push_back(child);
    }
    if (library_ == Library::kPinocchio && out.size() > 1) sort_by_joint(body, out);
    return out;
  }

  void sort_by_joint(int body, std::vector<int>& siblings) const {
    for (const int b : siblings) {
      if (!bodies_[at(b)].joints.empty()) continue;
      throw Error(
          "model " + in_quotes(model_.name()) + ": Pinocchio orders what hangs on body " +
          in_quotes(body == kWorld ? "world" : bodies_[at(body)].name) + " by names of joints, and that of " +
          in_quotes(bodies_[at(b)].name) +
          " is fixed, so its name is not kept; give the names of the joints (LayoutOptions::joints, Pinocchio's "
          "model.names)");
    }
    std::sort(siblings.begin(), siblings.end(),
              [this](int a, int b) { return bodies_[at(a)].joints.front().name < bodies_[at(b)].joints.front().name; });
  }

  const Model& model_;
  const std::vector<BodyDescription>& bodies_;
  Library library_;
  std::vector<std::vector<int>> below_;  // of the world, then of each body
  std::vector<int> first_link_;
  std::vector<bool> moves_;
};

}  // namespace

std::vector<JointPart> make_named_order(const Model& model, Library library, std::span<const std::string> names) {
  std::vector<JointPart> out;
  std::vector<bool> named(at(model.nv()), false);
  for (const std::string& name : names) {
    if (library == Library::kPinocchio && name == "universe") continue;
    const JointPart found = find(model, library, name);
    const Link& link = model.link(found.link);
    for (int k = 0; k < link.nv; ++k) {
      if (found.part >= 0 && k != found.part) continue;
      if (named[at(link.v + k)]) throw Error("argument 'joints' names " + in_quotes(name) + " twice; remove one");
      named[at(link.v + k)] = true;
    }
    out.push_back(found);
  }
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    for (int k = 0; k < link.nv; ++k) {
      if (named[at(link.v + k)]) continue;
      throw Error("argument 'joints' leaves out " + in_quotes(model.joint_name(i)) + " of model " +
                  in_quotes(model.name()) + "; name every joint, in the order of the other library");
    }
  }
  return out;
}

std::vector<JointPart> make_file_order(const Model& model, Library library) { return Walk(model, library).make(); }

}  // namespace delassus
