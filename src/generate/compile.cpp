#include "delassus/generate/compile.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

#include "delassus/version.hpp"
#include "generate/code_cache.hpp"
#include "generate/entry_text.hpp"
#include "generate/generate.hpp"
#include "generate/other_process.hpp"
#include "io/new_file.hpp"
#include "io/sha256.hpp"
#include "model/wording.hpp"
#include "operators/operator_code.hpp"

namespace delassus {
namespace {

using namespace generation;

/// Why there is no code: not for the caller, who gets an operator without.
struct NoCode {
  std::string reason;
};

/// As the kernels of the library are compiled (cmake/KernelFlags.cmake); nothing is shown but the table.
const std::vector<std::string> kFlags{
    "-std=gnu99", "-O2", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-fPIC",
    "-shared",    "-w",  "-fvisibility=hidden"};

std::vector<std::string> in_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

struct CCompiler {
  std::vector<std::string> words;  // the program and what its flags begin with
  std::string identity;            // what it says of itself and of the processor

  bool has_avx() const { return identity.find("#define __AVX__ ") != std::string::npos; }
};

/// The words of a call; without any if there is no such program.
std::vector<std::string> program_words(const std::string& text) {
  if (const std::string whole = find_program(text); !whole.empty()) return {whole};  // a path with blanks
  std::vector<std::string> words = in_words(text);
  if (!words.empty()) words.front() = find_program(words.front());
  return words.empty() || words.front().empty() ? std::vector<std::string>{} : words;
}

std::vector<std::string> find_compiler(const std::string& wanted) {
  const char* variable = std::getenv("CC");  // NOLINT(concurrency-mt-unsafe): nothing here sets it
  const std::string named = !wanted.empty() ? wanted : variable ? variable : "";
  if (!in_words(named).empty()) {
    std::vector<std::string> words = program_words(named);
    if (words.empty())
      throw NoCode{fmt::format("there is no compiler {}, which {} names", in_quotes(named),
                               wanted.empty() ? "the variable CC" : "the option 'compiler'")};
    return words;
  }
  for (const char* name : {"cc", "gcc", "clang"}) {
    if (const std::string path = find_program(name); !path.empty()) return {path};
  }
  throw NoCode{"there is no compiler of C in PATH (cc, gcc, clang); install one (Debian: gcc), or name it in CC"};
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

[[noreturn]] void fail(const CCompiler& compiler, const Ended& ended) {
  throw NoCode{"the compiler " + in_quotes(joined(compiler.words)) + " " + ended.in_words()};
}

/// Its macros: they say which compiler and version it is, and which instructions this processor has.
CCompiler identify(std::vector<std::string> words, const ScratchFolder& scratch, double seconds) {
  CCompiler compiler{std::move(words), ""};
  Ended ended;
  for (const char* processor : {"-march=native", ""}) {
    std::vector<std::string> call = compiler.words;
    if (*processor != 0) call.emplace_back(processor);
    const std::size_t kept = call.size();
    call.insert(call.end(), {"-dM", "-E", "-x", "c", "/dev/null"});
    ended = run_program(call, scratch.file("macros"), seconds);
    call.resize(kept);
    if (!ended.ok()) continue;
    compiler.words = call;
    compiler.identity = ended.output;
    return compiler;
  }
  fail(compiler, ended);
}

struct Source {
  std::string header, text, name;
};

/// Lanes want registers of four numbers: without them each operation would be several.
Source generate_source(const Model& model, std::span<const Constraint> constraints, bool blocks, bool has_lanes) {
  GenerateOptions options;
  options.functions = GenerateOptions::Functions::kOperator;
  options.name = "made";
  options.contacts = GenerateOptions::Contacts::kInputs;
  options.form = has_lanes ? GenerateOptions::Form::kAuto : GenerateOptions::Form::kParts;
  options.damping = blocks ? GenerateOptions::DampingForm::kBlocks : GenerateOptions::DampingForm::kRows;
  const GeneratedCode code = generate_operator(model, constraints, options);
  return {code.header, code.source + entry_text(code, options, contact_numbers(constraints) > 0), code.name};
}

/// Of all that the shared object follows from. The text has in it what model, constraints and options say.
std::string key_of(const CCompiler& compiler, const Source& source) {
  std::string all;
  for (const std::string& part :
       {std::string(kVersion), std::to_string(OperatorEntry::kVersion), joined(compiler.words), compiler.identity,
        joined(kFlags), source.header, source.text})
    all += fmt::format("{}:{}\n", part.size(), part);
  return io::sha256_hex(all);
}

/// The path of a new shared object in the scratch folder.
std::string run_compiler(const CCompiler& compiler, const Source& source, const ScratchFolder& scratch,
                         double seconds) {
  const std::string text = scratch.file(source.name + ".c");
  std::string object = scratch.file("operator.so");
  io::write_file(scratch.file(source.name + ".h"), source.header);
  io::write_file(text, source.text);
  std::vector<std::string> call = compiler.words;
  call.insert(call.end(), kFlags.begin(), kFlags.end());
  call.insert(call.end(), {"-o", object, text, "-lm"});
  const Ended ended = run_program(call, scratch.file("log"), seconds);
  if (!ended.ok()) fail(compiler, ended);
  return object;
}

std::shared_ptr<void> open_library(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* why = dlerror();
    throw NoCode{fmt::format("compiled code cannot be loaded: {}", printable(why ? why : path))};
  }
  return {library, [](void* handle) { dlclose(handle); }};
}

std::shared_ptr<const OperatorCode> load_code(const std::string& path, const Model& model,
                                              std::span<const Constraint> constraints, bool blocks) {
  std::shared_ptr<void> library = open_library(path);
  const auto* entry = static_cast<const OperatorEntry*>(dlsym(library.get(), kEntrySymbol));
  if (!entry || entry->version != OperatorEntry::kVersion)
    throw NoCode{"compiled code has no table of functions, or that of another version"};
  auto code = std::make_shared<const OperatorCode>(model, constraints, blocks, *entry, library);
  if (static_cast<int>(entry->coordinates) != model.nq() ||
      static_cast<int>(entry->rows) != code->structure.num_rows() ||
      kContactNumbers * static_cast<int>(entry->contacts) != contact_numbers(constraints))
    throw NoCode{"compiled code is of another model"};
  return code;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Maker {
 public:
  Maker(const Model& model, std::span<const Constraint> constraints, const CompileOptions& options,
        CompileReport& report)
      : model_(model), constraints_(constraints), options_(options), report_(report) {}

  std::shared_ptr<const OperatorCode> make() {
    // Variables and folders would be those of the caller, and what is loaded would run with the rights of another.
    if (geteuid() != getuid() || getegid() != getgid())
      throw NoCode{"a program with the rights of another user compiles nothing"};
    const ScratchFolder scratch;
    std::vector<std::string> words = find_compiler(options_.compiler);
    report_.compiler = words.front();
    const CCompiler compiler = identify(std::move(words), scratch, options_.seconds);
    const Source source = generate_source(model_, constraints_, options_.blocks, compiler.has_avx());
    if (!options_.keep) return load(run_compiler(compiler, source, scratch, options_.seconds));
    CodeCache cache(options_.cache.empty() ? default_cache_folder() : options_.cache);
    const std::string key = key_of(compiler, source);
    if (std::shared_ptr<const OperatorCode> code = look_up(cache, key)) return code;
    const std::string fresh = run_compiler(compiler, source, scratch, options_.seconds);
    std::shared_ptr<const OperatorCode> code = load(fresh);  // what does not load is not kept
    if (cache.store(key, bytes_of(fresh))) report_.folder = cache.entry(key);
    if (report_.note.empty()) report_.note = cache.problem();
    return code;
  }

 private:
  std::shared_ptr<const OperatorCode> load(const std::string& path) const {
    return load_code(path, model_, constraints_, options_.blocks);
  }

  /// What is there and does not load, because another process replaces it or the file system takes no programs, is compiled again.
  std::shared_ptr<const OperatorCode> look_up(const CodeCache& cache, const std::string& key) const {
    const std::string found = cache.find(key);
    if (found.empty()) return nullptr;
    try {
      std::shared_ptr<const OperatorCode> code = load(found);
      report_.was_there = true;
      report_.folder = cache.entry(key);
      return code;
    } catch (const NoCode& none) {
      report_.note = none.reason;
      return nullptr;
    }
  }

  const Model& model_;
  std::span<const Constraint> constraints_;
  const CompileOptions& options_;
  CompileReport& report_;
};

}  // namespace

GeneratedDelassus<double> compile(const Model& model, std::span<const Constraint> constraints,
                                  const CompileOptions& options, CompileReport* report) {
  for (const Constraint& constraint : constraints) require_valid(model, constraint);
  if (!(options.seconds > 0)) throw Error("argument 'seconds' is not positive; the compiler needs some");
  CompileReport own;
  CompileReport& how = report ? *report : own;
  how = {};
  const auto without = [&](const std::string& reason) {
    return GeneratedDelassus<double>(model, constraints, nullptr, reason);
  };
  const auto has_rows = [](const Constraint& c) { return row_count(c) > 0; };
  if (std::ranges::none_of(constraints, has_rows)) return without("there are no constraints, and so no code for them");
  try {
    return {model, constraints, Maker(model, constraints, options, how).make(), ""};
  } catch (const NoCode& none) {
    return without(none.reason);
  } catch (const Error& error) {  // of files, and of what code cannot be made for
    return without(error.what());
  }
}

Operator<double> compile(const Scene& scene, const CompileOptions& options, CompileReport* report) {
  return {scene.model, scene.constraints, compile(scene.model, scene.constraints, options, report)};
}

}  // namespace delassus
