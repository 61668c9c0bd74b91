// The folder of a sweep: what is done, what is missing, and the file of results that is made of it.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "io/new_file.hpp"
#include "io/sha256.hpp"
#include "model/wording.hpp"
#include "sweep/manifest.hpp"
#include "sweep/part_file.hpp"
#include "sweep/result_file.hpp"
#include "sweep/specification.hpp"
#include "sweep/sweep_folder.hpp"

namespace delassus {
namespace fs = std::filesystem;

namespace {

constexpr const char* kEnding = ".parts";
constexpr const char* kHead = "sweep.json";

std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string out{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw Error("cannot read " + in_quotes(path) + "; was it removed meanwhile?");
  return out;
}

std::string machine() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return printable(name.data());
}

FolderHead head_of(const ParameterSweep& sweep, const SweepMaker& maker) {
  return {sweep.text(), sweep.base_directory(), sweep.hash(), maker};
}

std::string in_words(const SweepMaker& m) {
  return "version " + m.version + ", commit " + m.commit + ", " + m.compiler + ", " + m.isa;
}

void require_same(const FolderHead& there, const FolderHead& here, const std::string& folder) {
  const std::string advice = "; choose another name for the results, or remove the folder";
  if (there.hash != here.hash)
    throw Error(in_quotes(folder) + " is of another specification or another scene" + advice);
  if (there.maker == here.maker) return;
  throw Error(in_quotes(folder) + " was begun by another build or on another kind of processor (" +
              in_words(there.maker) + "), and rows of this one (" + in_words(here.maker) +
              ") would not have the same bits; go on with that one" + advice);
}

/// Of a file of results, or of its folder.
std::string results_of(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (path.ends_with(kEnding)) path.resize(path.size() - std::string_view(kEnding).size());
  return path;
}
std::string manifest_of(const std::string& results) { return results + ".manifest.json"; }

void make_folder(const std::string& folder) {
  std::error_code failure;
  fs::create_directory(folder, failure);
  if (failure)
    throw Error("cannot make the folder " + in_quotes(folder) + ": " + failure.message() +
                "; choose another name for the results");
}

}  // namespace

bool is_done(const ParameterSweep& sweep, const std::string& results) {
  require_result_name(results);
  std::error_code none;
  if (!fs::exists(results, none)) return false;
  if (result_hash(results) == sweep.hash()) return true;
  throw Error(in_quotes(results) +
              " has the results of another specification or another scene; choose another name, or remove it");
}

SweepFolder::SweepFolder(const ParameterSweep& sweep, std::string results, const SweepMaker& maker)
    : sweep_(sweep), maker_(maker), results_(std::move(results)), folder_(results_ + kEnding) {}

SweepFolder SweepFolder::open(const ParameterSweep& sweep, const std::string& results) {
  require_result_size(results, sweep.columns(), sweep.size());
  SweepFolder out(sweep, results, this_maker());
  const std::string head = out.folder_ + "/" + kHead;
  std::error_code none;
  if (!fs::exists(head, none)) {
    const std::string text = head_text(head_of(sweep, out.maker_));
    make_folder(out.folder_);
    // Others may begin at the same moment, and one is first: if with something else, the next line tells.
    io::write_file_if_first(head, text);
  }
  require_same(parse_head(read_bytes(head), head), head_of(sweep, out.maker_), out.folder_);
  return out;
}

SweepFolder SweepFolder::join(const ParameterSweep& sweep, const std::string& results, double patience) {
  SweepFolder out(sweep, results, this_maker());
  const std::string head = out.folder_ + "/" + kHead;
  std::error_code none;
  for (constexpr double kEvery = 0.1; patience > 0 && !fs::exists(head, none); patience -= kEvery)
    std::this_thread::sleep_for(std::chrono::duration<double>(kEvery));
  if (!fs::exists(head, none))
    throw Error(machine() + " does not see the folder " + in_quotes(out.folder_) +
                ", into which rows are written; choose a name for the results on a file system that all ranks share");
  require_same(parse_head(read_bytes(head), head), head_of(sweep, out.maker_), out.folder_);
  return out;
}

SweepFolder SweepFolder::find(const std::string& path) {
  const std::string results = results_of(path);
  const std::string folder = results + kEnding, head = folder + "/" + kHead;
  std::error_code none;
  if (!fs::exists(head, none)) {
    const bool done = fs::exists(results, none);
    throw Error(
        done ? in_quotes(results) + " is there already, and its folder of parts is gone: there is nothing left to do"
             : "there is no sweep " + in_quotes(folder) + "; give the name of the results, as it was given to the run");
  }
  const FolderHead there = parse_head(read_bytes(head), head);
  SweepFolder out(ParameterSweep::parse(there.specification, head, there.base_directory), results, there.maker);
  if (out.sweep_.hash() != there.hash)
    throw Error(in_quotes(folder) +
                ": the scene has changed since the sweep was begun; put it back, or begin anew under another name");
  return out;
}

std::vector<SweepPart> SweepFolder::parts() const {
  std::vector<SweepPart> out;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, failure)) {
    const auto range = range_of_manifest(entry.path().filename().string());
    if (!range) continue;
    if (range->end > sweep_.size())
      throw Error(in_quotes(entry.path().string()) + " is of cases that the sweep does not have; remove it");
    SweepPart part = parse_manifest(read_bytes(entry.path().string()), entry.path().string(), *range, sweep_.hash());
    // Rows that were removed, or cut, are missing.
    std::error_code none;
    const std::uintmax_t bytes = fs::file_size(folder_ + "/" + part.file, none);
    if (!none && bytes == static_cast<std::uintmax_t>(part.bytes)) out.push_back(std::move(part));
  }
  if (failure) throw Error("cannot read the folder " + in_quotes(folder_) + ": " + failure.message());
  std::ranges::sort(out, [](const SweepPart& a, const SweepPart& b) {
    return std::pair(a.range.first, b.range.end) < std::pair(b.range.first, a.range.end);
  });
  // A part within those before it, of runs that overlapped: rows of a case are the same.
  std::int64_t next = 0;
  std::erase_if(out, [&](const SweepPart& part) {
    const bool within = part.range.end <= next;
    next = std::max(next, part.range.end);
    return within;
  });
  return out;
}

std::vector<SweepRange> SweepFolder::missing(SweepRange within) const {
  std::vector<SweepRange> out;
  std::int64_t next = within.first;
  for (const SweepPart& part : parts()) {
    if (part.range.first > next && next < within.end) out.push_back({next, std::min(part.range.first, within.end)});
    next = std::max(next, part.range.end);
  }
  if (next < within.end) out.push_back({next, within.end});
  return out;
}

namespace {

std::int64_t failed_of(const SweepRows& rows) {
  const std::vector<double>& status = rows.columns[sweep_columns::kStatus];
  return std::ranges::count_if(status, [](double x) { return x != 0; });
}

}  // namespace

/// The rows first, then the manifest, which says that they are there. Who is killed in between leaves rows that nobody knows of, and that the next run writes over.
void SweepFolder::write(const SweepRows& rows, double seconds) const {
  const std::string bytes = part_bytes(rows, sweep_.columns()), stem = stem_of(rows.range);
  io::write_file(folder_ + "/" + stem + ".npz", bytes);
  SweepPart part{rows.range, stem + ".npz", io::sha256_hex(bytes), machine(), static_cast<std::int64_t>(bytes.size()),
                 0,          seconds};
  part.failed = failed_of(rows);
  io::write_file(folder_ + "/" + stem + ".json", manifest_text(part, sweep_.hash()));
}

namespace {

/// The rows of a part from this case on.
void drop_before(std::int64_t first, SweepRows& rows, std::span<const SweepColumn> columns) {
  const std::int64_t gone = first - rows.range.first;
  if (gone <= 0) return;
  for (std::size_t k = 0; k < columns.size(); ++k)
    rows.columns[k].erase(rows.columns[k].begin(), rows.columns[k].begin() + gone * columns[k].width());
  std::erase_if(rows.failures, [&](const SweepFailure& f) { return f.index < first; });
  rows.range.first = first;
}

SweepRows read_part(const std::string& folder, const SweepPart& part, std::span<const SweepColumn> columns) {
  const std::string path = folder + "/" + part.file;
  std::string bytes = read_bytes(path);
  if (io::sha256_hex(bytes) != part.sha256)
    throw Error(in_quotes(path) +
                " is not what its manifest says: it is damaged; remove it and its manifest (.json), and the same "
                "command computes its cases anew");
  return parse_part(std::move(bytes), path, columns);
}

/// Under another name first: who still works on it does not fill it again.
void remove_folder(const std::string& folder) {
  const std::string aside = folder + "-done";
  std::error_code none, failure;
  fs::remove_all(aside, none);
  fs::rename(folder, aside, failure);
  fs::remove_all(failure ? folder : aside, none);  // what cannot be removed is in nobody's way
}

}  // namespace

void SweepFolder::merge(const std::function<void(double)>& progress) const {
  if (is_done(sweep_, results_)) throw Error(in_quotes(results_) + " is there already; remove it to merge again");
  const std::vector<SweepRange> gaps = missing();
  if (!gaps.empty()) {
    throw Error("cases " + std::to_string(gaps[0].first) + " to " + std::to_string(gaps[0].end - 1) + " are missing" +
                (gaps.size() > 1 ? ", and " + counted(static_cast<int>(gaps.size()) - 1, "further range") : "") +
                "; run the sweep again, and it computes what is missing");
  }
  const std::vector<SweepPart> all = parts();
  const std::span<const SweepColumn> columns = sweep_.columns();
  const std::span<const std::string> words = sweep_.status_words();
  const auto file =
      ResultFile::create(results_, columns, sweep_.size(),
                         {sweep_.text(), sweep_.hash(), maker_.version, maker_.commit, {words.begin(), words.end()}});
  std::int64_t next = 0, failed = 0;
  for (const SweepPart& part : all) {
    SweepRows rows = read_part(folder_, part, columns);
    drop_before(next, rows, columns);
    next = rows.range.end;
    failed += failed_of(rows);
    file->put(rows);
    if (progress) progress(static_cast<double>(next) / static_cast<double>(sweep_.size()));
  }
  // The manifest first: where results are, it is.
  io::write_file(manifest_of(results_), merged_manifest(head_of(sweep_, maker_), all, failed));
  file->keep();
  remove_folder(folder_);
}

std::int64_t SweepFolder::failed() const {
  std::int64_t next = 0, out = 0;
  for (const SweepPart& part : parts()) {
    if (part.range.first >= next || part.failed == 0) {
      out += part.failed;
    } else {
      SweepRows rows = read_part(folder_, part, sweep_.columns());
      drop_before(next, rows, sweep_.columns());
      out += failed_of(rows);
    }
    next = part.range.end;
  }
  return out;
}

std::optional<FinishedSweep> finished_sweep(const std::string& path) {
  const std::string results = results_of(path), manifest = manifest_of(results);
  std::error_code none;
  if (!fs::exists(results, none) || !fs::exists(manifest, none)) return std::nullopt;
  return FinishedSweep{results, parse_merged_manifest(read_bytes(manifest), manifest)};
}

}  // namespace delassus
