#include "cli/pages/structures.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/pages/condensed_roles.hpp"
#include "cli/pages/json_text.hpp"
#include "cli/pages/stage.hpp"
#include "delassus/constraints/describe.hpp"

namespace delassus::cli {
namespace {

using nlohmann::json;

/// Links that feel a constraint; -1 beside a single one, which feels it against the world.
std::vector<int> links_of(const Model& model, const ConstraintRows<double>& rows, const RowSpan& span) {
  std::set<int> links;
  for (int k = 0; k < span.blocks; ++k) links.insert(rows.blocks[span.first_block + k].link);
  for (int k = 0; k < span.entries; ++k) {
    const int v = rows.entries[span.first_entry + k].v;
    int link = 0;
    while (model.link(link).v + model.link(link).nv <= v) ++link;
    links.insert(link);
  }
  std::vector<int> out(links.begin(), links.end());
  if (out.size() == 1 && span.blocks > 0) out.push_back(kWorld);
  return out;
}

/// What two sets have to share in order to be one. Names end with a character that they cannot have.
std::string key_of(std::span<const std::string> names, const ConstraintRows<double>& rows) {
  std::string out;
  const auto put = [&out](int x) { out += std::to_string(x) + ' '; };
  for (std::size_t k = 0; k < names.size(); ++k) {
    out += names[k] + '\0';
    put(rows.spans[k].kind), put(rows.spans[k].rows);
  }
  for (const RowBlock& block : rows.blocks) put(block.first_row), put(block.link);
  for (const auto& entry : rows.entries) put(entry.row), put(entry.v);
  return out;
}

json rows_json(const Model& model, std::span<const Constraint> constraints, std::span<const std::string> names,
               const ConstraintRows<double>& rows) {
  json out = json::array();
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    json labels = json::array(), units = json::array();
    for (const RowLabel& label : row_labels(model, constraints[k])) {
      labels.push_back(label.words);
      units.push_back(label.unit.empty() ? "" : label.unit + "/s");
    }
    out.push_back({{"name", names[k]},
                   {"first", rows.spans[k].first_row},
                   {"count", rows.spans[k].rows},
                   {"kind", kind_of(constraints[k])},
                   {"bodies", links_of(model, rows, rows.spans[k])},
                   {"labels", labels},
                   {"units", units}});
  }
  return out;
}

/// The condensed tree: links that stay, in their order, so that parents come first; then what is carried to them.
class NodeList {
 public:
  NodeList(const Model& model, const std::vector<std::string>& names, const CondensedRoles& roles)
      : place_(names.size(), -1) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (roles.links[i].node) add_node(model, static_cast<int>(i), names[i], roles.links[i]);
    }
    for (const CondensedRoles::Group& group : roles.groups) add_carried(group);
  }
  const json& all() const { return all_; }

 private:
  void add_node(const Model& model, int link, const std::string& name, const CondensedRoles::Link& role) {
    std::set<int> rows(role.rows.begin(), role.rows.end());
    rows.insert(role.joint_rows.begin(), role.joint_rows.end());
    place_[static_cast<std::size_t>(link)] = static_cast<int>(all_.size());
    all_.push_back({{"kind", "node"},
                    {"parent", place_of(model.link(link).parent)},
                    {"body", link},
                    {"label", name},
                    {"rows", rows},
                    {"size", model.link(link).nv}});
  }
  void add_carried(const CondensedRoles::Group& group) {
    std::vector<int> nodes;
    for (const int link : group.nodes) nodes.push_back(place_of(link));
    all_.push_back({{"kind", "carried"},
                    {"parent", nodes.empty() ? -1 : nodes.front()},
                    {"others", std::vector<int>(nodes.begin() + !nodes.empty(), nodes.end())},
                    {"body", group.links.empty() ? -1 : group.links.front()},
                    {"links", group.links},
                    {"label", std::to_string(group.rows.size()) + (group.rows.size() == 1 ? " row" : " rows")},
                    {"rows", group.rows},
                    {"size", group.rows.size()}});
  }
  int place_of(int link) const { return link == kWorld ? -1 : place_[static_cast<std::size_t>(link)]; }

  std::vector<int> place_;  // of each link among the nodes
  json all_ = json::array();
};

}  // namespace

Structures::Structures(const Model& model, int kept) : model_(model), link_names_(link_names(model)), kept_(kept) {}

/// One that is free, or the one after the last.
int Structures::take_index() {
  const auto oldest = std::ranges::min_element(uses_, {}, &Use::last_frame);
  if (kept_ > 0 && oldest != uses_.end() && frame_ - oldest->last_frame > kept_) {
    index_.erase(index_.find(*oldest->key));
    return static_cast<int>(oldest - uses_.begin());
  }
  texts_.emplace_back();
  uses_.emplace_back();
  return static_cast<int>(uses_.size()) - 1;
}

int Structures::find(std::span<const Constraint> constraints, std::span<const std::string> names,
                     const ConstraintRows<double>& rows) {
  ++frame_;
  const int count = rows.num_rows();
  if (count == 0) return -1;
  const auto [at, is_new] = index_.emplace(key_of(names, rows), -1);
  if (!is_new) {
    uses_[static_cast<std::size_t>(at->second)].last_frame = frame_;
    return at->second;
  }
  const CondensedRoles roles = make_condensed_roles(model_, rows);
  const int index = at->second = take_index();
  uses_[static_cast<std::size_t>(index)] = {&at->first, next_number_++, frame_};
  texts_[static_cast<std::size_t>(index)] =
      to_text({{"rows", rows_json(model_, constraints, names, rows)},
               {"block", std::max(1, (count + kMostMatrixRows - 1) / kMostMatrixRows)},
               {"nodes", NodeList(model_, link_names_, roles).all()},
               {"words", roles.words}});
  return index;
}

}  // namespace delassus::cli
