// <asset>: the meshes and height fields that geoms name.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "io/mjcf_element.hpp"
#include "io/mjcf_solid.hpp"

namespace delassus::io {

/// One <mesh>, read when a geom first asks for it: those for display alone need not be there.
class MjcfMesh {
 public:
  MjcfMesh(const MjcfNode& node, std::string label, const MjcfDefaults& defaults)
      : node_(node), label_(std::move(label)), defaults_(&defaults) {}

  /// False if its file is not there, or of a kind that is not read; the report says so.
  bool read(const MjcfSettings& settings, const std::string& folder);
  /// Of what read() found. The vertices are in the frame of the file, moved by refpos and refquat.
  SurfacePointer hull() const;
  Solid solid() const { return solid_of(*(how_ == How::kConvex ? hull() : surface_), rule()); }

 private:
  enum class How { kLegacy, kExact, kConvex };

  MeshInertia rule() const { return how_ == How::kLegacy ? MeshInertia::kLegacy : MeshInertia::kExact; }
  MjcfElement element() const { return {node_, label_, *defaults_, 0, "mesh"}; }
  void read_how(const MjcfElement& element, const MjcfSettings& settings);

  MjcfNode node_;
  std::string label_;
  const MjcfDefaults* defaults_;
  bool is_tried_ = false;
  How how_ = How::kLegacy;
  SurfacePointer surface_;
  mutable SurfacePointer hull_;  // made when first asked for
};

/// "mesh 'foot'"; assets without a name are called after their file.
std::string mjcf_asset_label(const MjcfNode& node);

/// The surface of an <hfield>, or null if its file is not there; the report says so.
SurfacePointer read_mjcf_height_field(const MjcfNode& node, const std::string& folder);

class MjcfAssets {
 public:
  MjcfAssets(const MjcfSource& source, const MjcfDefaults& defaults, const MjcfSettings& settings);

  /// What a geom names. Null if it is not read. Throws an Error on behalf of the geom if there is nothing of that name.
  const MjcfMesh* mesh(const MjcfElement& geom);
  SurfacePointer height_field(const MjcfElement& geom);

 private:
  struct HeightField {
    MjcfNode node;
    std::optional<SurfacePointer> surface;  // once it was read
  };

  const MjcfSettings& settings_;
  std::string folder_;
  std::unordered_map<std::string, MjcfMesh> meshes_;
  std::unordered_map<std::string, HeightField> height_fields_;
};

}  // namespace delassus::io
