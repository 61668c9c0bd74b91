#include "sweep/manifest.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "io/json_reader.hpp"
#include "model/wording.hpp"

namespace delassus {
namespace {

using io::JsonCursor;
using nlohmann::json;

constexpr const char* kHeadFormat = "delassus-sweep-parts-1";
constexpr const char* kManifestFormat = "delassus-sweep-results-manifest-1";
constexpr std::size_t kDigits = 13;  // the most cases are 1e12

json as_json(const SweepMaker& maker) {
  return {{"version", maker.version}, {"commit", maker.commit}, {"compiler", maker.compiler}, {"isa", maker.isa}};
}

json as_json(const SweepPart& part) {
  return {{"first", part.range.first}, {"end", part.range.end},   {"file", part.file},
          {"sha256", part.sha256},     {"bytes", part.bytes},     {"failed", part.failed},
          {"status", "done"},          {"machine", part.machine}, {"seconds", part.seconds}};
}

std::int64_t count(const JsonCursor& at) {
  const double x = at.number();
  if (!(x >= 0 && x <= 0x1p53 && x == std::floor(x))) at.fail("is no count");
  return static_cast<std::int64_t>(x);
}

SweepPart read_part(const JsonCursor& at) {
  SweepPart out;
  out.range = {count(at.at("first")), count(at.at("end"))};
  out.file = at.at("file").string();
  out.sha256 = at.at("sha256").string();
  out.bytes = count(at.at("bytes"));
  out.failed = count(at.at("failed"));
  out.machine = at.at("machine").string();
  out.seconds = at.at("seconds").number();
  return out;
}

/// What cannot be read says what to do about it.
template <class Read>
auto readable(const std::string& advice, Read&& read) -> decltype(read()) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; " + advice);
  }
}

}  // namespace

std::string stem_of(const SweepRange& range) {
  char text[64];
  std::snprintf(text, sizeof text, "%013lld-%013lld", static_cast<long long>(range.first),
                static_cast<long long>(range.end));
  return text;
}

std::optional<SweepRange> range_of_manifest(const std::string& file_name) {
  SweepRange out;
  if (file_name.size() != 2 * kDigits + 1 + 5 || !file_name.ends_with(".json")) return std::nullopt;
  try {
    out = {std::stoll(file_name.substr(0, kDigits)), std::stoll(file_name.substr(kDigits + 1, kDigits))};
  } catch (const std::exception&) {
    return std::nullopt;
  }
  if (stem_of(out) + ".json" != file_name || out.size() <= 0) return std::nullopt;
  return out;
}

std::string manifest_text(const SweepPart& part, const std::string& hash) {
  json out = as_json(part);
  out["sweep"] = hash;
  return out.dump() + "\n";
}

SweepPart parse_manifest(const std::string& text, const std::string& path, const SweepRange& range,
                         const std::string& hash) {
  std::string sweep;
  SweepPart part = readable("the manifest is damaged: remove it, and the same command computes its cases anew", [&] {
    const json document = io::parse_json(text, path);
    const JsonCursor root(document, "", path);
    SweepPart out = read_part(root);
    if (out.range != range) root.at("first").fail("is another range than the name of the file has");
    if (out.file != stem_of(range) + ".npz") root.at("file").fail("is not the file of these rows");
    sweep = root.at("sweep").string();
    return out;
  });
  if (sweep == hash) return part;
  throw Error(path +
              ": is of another specification or another scene, whose run wrote into this folder: remove it, and the "
              "same command computes its cases anew");
}

std::string head_text(const FolderHead& head) {
  const json out{{"format", kHeadFormat},
                 {"specification", json::parse(head.specification)},
                 {"base_directory", head.base_directory},
                 {"hash", head.hash},
                 {"maker", as_json(head.maker)}};
  try {
    return out.dump(1) + "\n";
  } catch (const json::type_error&) {
    throw Error("the folder " + in_quotes(head.base_directory) +
                " has a name that is not UTF-8, which nothing can be written of; rename it");
  }
}

FolderHead parse_head(const std::string& text, const std::string& path) {
  return readable("the folder is damaged, or of another version: choose another name for the results", [&] {
    const json document = io::parse_json(text, path);
    const JsonCursor root(document, "", path);
    if (root.at("format").string() != kHeadFormat)
      root.at("format").fail("is not \"" + std::string(kHeadFormat) + "\"");
    const JsonCursor maker = root.at("maker");
    root.at("specification").keys();
    return FolderHead{document.at("specification").dump(),
                      root.at("base_directory").string(),
                      root.at("hash").string(),
                      {maker.at("version").string(), maker.at("commit").string(), maker.at("compiler").string(),
                       maker.at("isa").string()}};
  });
}

std::string merged_manifest(const FolderHead& head, const std::vector<SweepPart>& parts, std::int64_t failed) {
  json all = json::array();
  for (const SweepPart& part : parts) all.push_back(as_json(part));
  const json out{{"format", kManifestFormat},
                 {"hash", head.hash},
                 {"maker", as_json(head.maker)},
                 {"failed", failed},
                 {"parts", std::move(all)}};
  return out.dump(1) + "\n";
}

FinishedParts parse_merged_manifest(const std::string& text, const std::string& path) {
  return readable("it is damaged; results do not need it", [&] {
    const json document = io::parse_json(text, path);
    const JsonCursor root(document, "", path);
    FinishedParts out;
    out.failed = count(root.at("failed"));
    for (const JsonCursor& at : root.at("parts").elements()) {
      out.parts.push_back(read_part(at));
      out.cases = std::max(out.cases, out.parts.back().range.end);
    }
    return out;
  });
}

}  // namespace delassus
