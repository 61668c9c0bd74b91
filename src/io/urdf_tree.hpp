// The tree that the joints of a URDF make of its links.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/urdf_document.hpp"

namespace delassus::io {

/// An index of the document, for subscripts.
inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Links and joints by their indices in the document. The document must outlive it.
struct UrdfTree {
  std::unordered_map<std::string_view, int> links, joints;  // by name
  std::vector<int> parent_link, child_link;                 // of each joint
  std::vector<int> parent_joint;                            // of each link; -1 of the root
  std::vector<int> order;                                   // links depth first, children as their joints in the file
  std::vector<int> depth;                                   // of each link: joints up to the root

  int root() const { return order.front(); }
};

/// Throws an Error for names that stand twice, unknown links, links with two parents, cycles, and several
/// roots.
UrdfTree make_urdf_tree(const XmlFile& file, const UrdfDocument& document);

/// The index of a link or joint; throws an Error on behalf of `element` if there is none of that name.
int find_urdf_link(const XmlFile& file, const UrdfDocument& document, const UrdfTree& tree, std::string_view name,
                   int line, std::string_view element);
int find_urdf_joint(const XmlFile& file, const UrdfDocument& document, const UrdfTree& tree, std::string_view name,
                    int line, std::string_view element);

}  // namespace delassus::io
