// Results as HDF5. Every dataset has its place in the file before the first row is written, and nothing of it has a time: the bytes do not depend on when or
// in what parts rows come.
#include "sweep/result_formats.hpp"

#if defined(DELASSUS_HAS_HDF5) && DELASSUS_HAS_HDF5
#include <algorithm>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "io/new_file.hpp"
#include "model/wording.hpp"
#include "sweep/hdf5_device.hpp"
#include "sweep/hdf5_library.hpp"

namespace delassus {
namespace {

// The library's macros of these call functions of it, which is not linked.
constexpr unsigned kTruncate = 0x0002, kReadOnly = 0x0000;
constexpr hid_t kDefault = 0, kAll = 0;
constexpr std::size_t kVariable = ~std::size_t{0};

/// The library, for one file: what fails is an Error that names the file and what of it.
class FileCalls {
 public:
  explicit FileCalls(const std::string& path) : path_(path) {}

  const Hdf5Table* operator->() const { return hdf5_.operator->(); }
  const Hdf5& library() const { return hdf5_; }

  void require(herr_t status, const std::string& what) const {
    if (status < 0) throw Error(fmt::format("{}: {}: {}", path_, what, hdf5_.reason()));
  }
  Hdf5Id own(hid_t id, Hdf5Id::Close close, const std::string& what) const {
    require(id < 0 ? -1 : 0, what);
    return {id, close};
  }

 private:
  Hdf5 hdf5_;
  const std::string& path_;
};

/// Properties without times.
Hdf5Id properties(const FileCalls& hdf5, hid_t kind) {
  Hdf5Id out = hdf5.own(hdf5->create_properties(kind), hdf5->close_properties, "properties");
  hdf5.require(hdf5->set_times(out.get(), false), "properties");
  return out;
}

Hdf5Id create_file(const FileCalls& hdf5, const std::string& path, Hdf5Device& device) {
  const Hdf5Id creation = properties(hdf5, hdf5->file_creation);
  const Hdf5Id access = hdf5.own(hdf5->create_properties(hdf5->file_access), hdf5->close_properties, "properties");
  hdf5.require(device.use_for(hdf5.library(), access.get()), "properties");
  return hdf5.own(hdf5->create_file(path.c_str(), kTruncate, creation.get(), access.get()), hdf5->close_file,
                  "cannot be created");
}

/// Byte strings in UTF-8: of one length, or of any.
Hdf5Id string_type(const FileCalls& hdf5, std::size_t size) {
  Hdf5Id out = hdf5.own(hdf5->copy_type(hdf5->string), hdf5->close_type, "a type of strings");
  hdf5.require(hdf5->set_size(out.get(), size), "a type of strings");
  hdf5.require(hdf5->set_encoding(out.get(), H5T_CSET_UTF8), "a type of strings");
  if (size != kVariable) hdf5.require(hdf5->set_padding(out.get(), H5T_STR_NULLPAD), "a type of strings");
  return out;
}

Hdf5Id simple_space(const FileCalls& hdf5, const std::vector<std::int64_t>& shape, const std::string& what) {
  const std::vector<hsize_t> sizes(shape.begin(), shape.end());
  return hdf5.own(hdf5->create_simple_space(static_cast<int>(sizes.size()), sizes.data(), nullptr), hdf5->close_space,
                  what);
}

/// Strings of one length, one after the other.
struct PaddedTexts {
  explicit PaddedTexts(const std::vector<std::string>& texts) : count(static_cast<std::int64_t>(texts.size())) {
    for (const std::string& text : texts) length = std::max(length, text.size());
    for (const std::string& text : texts) bytes.append(text).append(length - text.size(), '\0');
  }
  std::size_t length = 1;
  std::int64_t count;
  std::string bytes;
};

/// Of any length: one that is stored beside its object may be long.
void write_text(const FileCalls& hdf5, const Hdf5Id& object, const std::string& name, const std::string& text) {
  const Hdf5Id type = string_type(hdf5, kVariable);
  const Hdf5Id space = hdf5.own(hdf5->create_space(H5S_SCALAR), hdf5->close_space, name);
  const Hdf5Id out =
      hdf5.own(hdf5->create_attribute(object.get(), name.c_str(), type.get(), space.get(), kDefault, kDefault),
               hdf5->close_attribute, name);
  const char* const bytes = text.c_str();
  hdf5.require(hdf5->write_attribute(out.get(), type.get(), static_cast<const void*>(&bytes)), name);
}

void write_texts(const FileCalls& hdf5, const Hdf5Id& object, const std::string& name,
                 const std::vector<std::string>& texts) {
  const PaddedTexts padded(texts);
  const Hdf5Id type = string_type(hdf5, padded.length), space = simple_space(hdf5, {padded.count}, name);
  const Hdf5Id out =
      hdf5.own(hdf5->create_attribute(object.get(), name.c_str(), type.get(), space.get(), kDefault, kDefault),
               hdf5->close_attribute, name);
  if (padded.count > 0) hdf5.require(hdf5->write_attribute(out.get(), type.get(), padded.bytes.data()), name);
}

/// Contiguous, with its place in the file from now on; what is not written has zeros.
Hdf5Id create_dataset(const FileCalls& hdf5, const Hdf5Id& file, const std::string& name, hid_t type,
                      const std::vector<std::int64_t>& shape) {
  const Hdf5Id creation = properties(hdf5, hdf5->dataset_creation), space = simple_space(hdf5, shape, in_quotes(name));
  hdf5.require(hdf5->set_layout(creation.get(), H5D_CONTIGUOUS), in_quotes(name));
  hdf5.require(hdf5->set_allocation_time(creation.get(), H5D_ALLOC_TIME_EARLY), in_quotes(name));
  hdf5.require(hdf5->set_fill_time(creation.get(), H5D_FILL_TIME_NEVER), in_quotes(name));
  return hdf5.own(hdf5->create_dataset(file.get(), name.c_str(), type, space.get(), kDefault, creation.get(), kDefault),
                  hdf5->close_dataset, in_quotes(name));
}

/// Rows that follow `first` of a dataset whose rows have this shape.
void write_rows(const FileCalls& hdf5, const Hdf5Id& dataset, const SweepColumn& column, std::int64_t rows,
                SweepRange range, std::span<const double> values) {
  if (values.empty()) return;
  const std::string what = in_quotes(column.name);
  const std::vector<std::int64_t> shape = shape_of_rows(column, range.size());
  const Hdf5Id memory = simple_space(hdf5, shape, what), all = simple_space(hdf5, shape_of_rows(column, rows), what);
  std::vector<hsize_t> start(shape.size(), 0);
  start[0] = static_cast<hsize_t>(range.first);
  const std::vector<hsize_t> count(shape.begin(), shape.end());
  hdf5.require(hdf5->select_hyperslab(all.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), what);
  const auto write = [&](hid_t type, const void* numbers) {
    hdf5.require(hdf5->write_dataset(dataset.get(), type, memory.get(), all.get(), kDefault, numbers), what);
  };
  if (column.whole) {
    write(hdf5->own_int64, whole_numbers(values, column).data());
  } else {
    write(hdf5->own_float64, values.data());
  }
}

class Hdf5Results final : public ResultFile {
 public:
  Hdf5Results(const std::string& path, std::span<const SweepColumn> columns, std::int64_t rows, const ResultHead& head)
      : rows_(path, columns, rows), new_file_(path), device_(new_file_.temporary()) {
    const FileCalls hdf5(rows_.path());
    file_ = create_file(hdf5, new_file_.temporary(), device_);
    write_head(hdf5, head);
    for (const SweepColumn& column : columns) {
      create_groups(hdf5, column.name);
      datasets_.push_back(create_dataset(hdf5, file_, column.name, column.whole ? hdf5->int64 : hdf5->float64,
                                         shape_of_rows(column, rows)));
      if (!column.unit.empty()) write_text(hdf5, datasets_.back(), "unit", column.unit);
      require_written();
    }
  }

  void put(const SweepRows& rows) override {
    rows_.take(rows);
    const FileCalls hdf5(rows_.path());
    for (std::size_t c = 0; c < datasets_.size(); ++c) {
      write_rows(hdf5, datasets_[c], rows_.columns()[c], rows_.rows(), rows.range, rows.columns[c]);
      require_written();
    }
  }

  void keep() override {
    rows_.require_all();
    const FileCalls hdf5(rows_.path());
    write_failures(hdf5);
    for (std::size_t c = 0; c < datasets_.size(); ++c)
      hdf5.require(datasets_[c].close(), in_quotes(rows_.columns()[c].name));
    hdf5.require(file_.close(), "could not be written to its end");
    require_written();
    new_file_.keep();
  }

 private:
  void require_written() const {
    if (device_.failure() == 0) return;
    throw Error(fmt::format("could not write all of {}: {}; free some space, or write elsewhere",
                            in_quotes(rows_.path()), std::generic_category().message(device_.failure())));
  }

  void write_head(const FileCalls& hdf5, const ResultHead& head) {
    write_text(hdf5, file_, "format", kResultFormat);
    write_text(hdf5, file_, "specification", head.specification);
    write_text(hdf5, file_, "hash", head.hash);
    write_text(hdf5, file_, "version", head.version);
    write_text(hdf5, file_, "commit", head.commit);
    write_texts(hdf5, file_, "status_words", head.status_words);
  }

  /// Those of a path, each once.
  void create_groups(const FileCalls& hdf5, const std::string& path) {
    for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
      const std::string group = path.substr(0, end);
      if (!groups_.insert(group).second) continue;
      const Hdf5Id creation = properties(hdf5, hdf5->group_creation);
      hdf5.own(hdf5->create_group(file_.get(), group.c_str(), kDefault, creation.get(), kDefault), hdf5->close_group,
               in_quotes(group));
    }
  }

  void write_failures(const FileCalls& hdf5) {
    const std::vector<std::int64_t> cases = rows_.failed_cases();
    const PaddedTexts messages(rows_.messages());
    create_groups(hdf5, kFailedCases);
    const Hdf5Id type = string_type(hdf5, messages.length);
    const Hdf5Id index = create_dataset(hdf5, file_, kFailedCases, hdf5->int64, {messages.count});
    const Hdf5Id text = create_dataset(hdf5, file_, kFailureMessages, type.get(), {messages.count});
    if (cases.empty()) return;
    hdf5.require(hdf5->write_dataset(index.get(), hdf5->own_int64, kAll, kAll, kDefault, cases.data()), kFailedCases);
    hdf5.require(hdf5->write_dataset(text.get(), type.get(), kAll, kAll, kDefault, messages.bytes.data()),
                 kFailureMessages);
  }

  RowsInOrder rows_;
  io::NewFile new_file_;
  Hdf5Device device_;
  Hdf5Id file_;
  std::set<std::string> groups_;
  std::vector<Hdf5Id> datasets_;
};

/// A text beside the root of a file as we write it; nothing if it has none such.
std::string read_text(const FileCalls& hdf5, const Hdf5Id& file, const char* name) {
  if (hdf5->has_attribute(file.get(), name) <= 0) return "";
  const Hdf5Id attribute = hdf5.own(hdf5->open_attribute(file.get(), name, kDefault), hdf5->close_attribute, name);
  const Hdf5Id type = hdf5.own(hdf5->type_of_attribute(attribute.get()), hdf5->close_type, name);
  const Hdf5Id space = hdf5.own(hdf5->space_of_attribute(attribute.get()), hdf5->close_space, name);
  if (hdf5->is_variable_string(type.get()) <= 0 || hdf5->count_points(space.get()) != 1) return "";
  char* text = nullptr;
  hdf5.require(hdf5->read_attribute(attribute.get(), type.get(), static_cast<void*>(&text)), name);
  std::string out(text == nullptr ? "" : text);
  hdf5->free_memory(text);
  return out;
}

}  // namespace

void require_hdf5() { const Hdf5 hdf5; }

std::unique_ptr<ResultFile> create_hdf5_results(const std::string& path, std::span<const SweepColumn> columns,
                                                std::int64_t rows, const ResultHead& head) {
  return std::make_unique<Hdf5Results>(path, columns, rows, head);
}

std::string hdf5_result_hash(const std::string& path) {
  const FileCalls hdf5(path);
  // Without locks, which some file systems of clusters do not have.
  const Hdf5Id access = hdf5.own(hdf5->create_properties(hdf5->file_access), hdf5->close_properties, "properties");
  if (hdf5->set_file_locking != nullptr) hdf5.require(hdf5->set_file_locking(access.get(), false, true), "properties");
  const Hdf5Id file(hdf5->open_file(path.c_str(), kReadOnly, access.get()), hdf5->close_file);
  if (file.get() < 0) return "";
  return read_text(hdf5, file, "format") == kResultFormat ? read_text(hdf5, file, "hash") : "";
}

}  // namespace delassus

#else

namespace delassus {

void require_hdf5() {
  throw Error("this build has no HDF5 (libhdf5-dev was not there); give the results a name that ends in .npz");
}

std::unique_ptr<ResultFile> create_hdf5_results(const std::string& /*path*/, std::span<const SweepColumn> /*columns*/,
                                                std::int64_t /*rows*/, const ResultHead& /*head*/) {
  require_hdf5();
  return nullptr;
}

std::string hdf5_result_hash(const std::string& /*path*/) {
  require_hdf5();
  return "";
}

}  // namespace delassus

#endif
