// Manifests of parts, and what stands in the folder of a sweep beside them.
#pragma once

#include <string>
#include <vector>

#include "sweep/sweep_folder.hpp"

namespace delassus {

/// "000000000128-000000000256": sorts as the cases do.
std::string stem_of(const SweepRange& range);
/// The range in the name of a manifest; nothing if it is none.
std::optional<SweepRange> range_of_manifest(const std::string& file_name);

/// `hash`: of the sweep.
std::string manifest_text(const SweepPart& part, const std::string& hash);
/// Throws an Error that names the file and says what to do, also where it is of another sweep.
SweepPart parse_manifest(const std::string& text, const std::string& path, const SweepRange& range,
                         const std::string& hash);

/// sweep.json: the specification, where its models are, and who makes the rows.
struct FolderHead {
  std::string specification, base_directory, hash;
  SweepMaker maker;
};
std::string head_text(const FolderHead& head);
FolderHead parse_head(const std::string& text, const std::string& path);

/// Of a merged file: all manifests in one.
std::string merged_manifest(const FolderHead& head, const std::vector<SweepPart>& parts, std::int64_t failed);
FinishedParts parse_merged_manifest(const std::string& text, const std::string& path);

}  // namespace delassus
