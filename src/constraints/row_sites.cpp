#include "constraints/row_sites.hpp"

#include <tuple>

namespace delassus {

void RowSites::plan(const Model& model, const RowStructure& rows) {
  keys_.clear();
  for (int b = 0; b < static_cast<int>(rows.blocks.size()); ++b) add_block(b, rows.blocks[b]);
  for (int k = 0; k < static_cast<int>(rows.entries.size()); ++k) {
    add_entry(model, k, rows.entries[k].row, rows.entries[k].v);
  }
  sort();
}

void RowSites::add_block(int source, const RowBlock& block) {
  for (int r = 0; r < block.rows; ++r) keys_.push_back({block.link, false, block.first_row + r, source, r});
}

void RowSites::add_entry(const Model& model, int source, int row, int v) {
  const auto after = std::upper_bound(model.links().begin(), model.links().end(), v,
                                      [](int dof, const Link& link) { return dof < link.v; });
  const auto link = static_cast<std::int32_t>(after - model.links().begin()) - 1;
  keys_.push_back({link, true, row, source, v - model.link(link).v});
}

void RowSites::sort() {
  std::sort(keys_.begin(), keys_.end(), [](const Key& x, const Key& y) {
    return std::tie(x.link, x.joint, x.row, x.source, x.index) < std::tie(y.link, y.joint, y.row, y.source, y.index);
  });
  sites_.clear();
  elements_.clear();
  pieces_.clear();
  const Key* last = nullptr;
  for (const Key& key : keys_) {
    const auto element = static_cast<std::int32_t>(elements_.size());
    const auto piece = static_cast<std::int32_t>(pieces_.size());
    const bool same_site = last && last->link == key.link && last->joint == key.joint;
    if (!same_site) sites_.push_back({key.link, key.joint, element, element});
    if (!same_site || last->row != key.row) {
      elements_.push_back({key.row, piece, piece});
      ++sites_.back().end;
    }
    pieces_.push_back({key.source, key.index});
    ++elements_.back().end;
    last = &key;
  }
}

}  // namespace delassus
