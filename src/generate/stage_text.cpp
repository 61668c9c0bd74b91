#include "generate/stage_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "generate/stage_plan.hpp"

namespace delassus::generation {
namespace {

/// Where a number of several lanes stands: in all, as a vector or in the loop over them; or in this one.
constexpr int kAllLanesAtOnce = -1;

class StageWriter {
 public:
  using Index = Tape::Index;

  StageWriter(const Program& program, const Schedule& schedule, int stage, const Dialect& dialect,
              const std::vector<Parameter>& parameters, LaneTable& table)
      : tape_(program.tape),
        program_(program),
        schedule_(schedule),
        plan_(program, schedule, stage, dialect.part_nodes),
        stage_(stage),
        vectors_(program.lanes == Program::Lanes::kVectors),
        dialect_(dialect),
        parameters_(parameters),
        table_(table) {
    for (const ProgramInput& input : program.inputs) place_[input.node] = input.place;
    for (const ProgramOutput& output : program.outputs) {
      if (output.stage == stage) left_[output.node].push_back(output.place);
    }
    add_parameters_of_lanes();
  }

  StageText write() {
    StageText text;
    for (std::size_t part = 0; part < plan_.parts.size(); ++part) write_part(part, text);
    write_last(text);
    write_explanation(text);
    text.scratch = plan_.num_words;
    return text;
  }

 private:
  const std::vector<Check>& checks() const { return program_.stages[stage_].checks; }
  bool is_wide(Index k) const { return schedule_.wide[k] != 0; }
  bool is_wide_mask(Index k) const { return is_wide(tape_.node(k).a) || is_wide(tape_.node(k).b); }
  /// What a loop over lanes hands to its body: places of the lane, its constants and its number.
  void add_parameters_of_lanes() {
    for (const char* memory : {"v", "w"}) {
      const auto whole =
          std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.name == memory; });
      if (whole == parameters_.end()) continue;
      const int size = memory[0] == 'v' ? schedule_.lane_slots : plan_.lane_words;
      parameters_.push_back({std::string("lane_") + memory,
                             whole->declaration.substr(0, whole->declaration.rfind(' ') + 1) + "lane_" + memory,
                             fmt::format("&{}[lane * {}U]", memory, size)});
    }
    parameters_.push_back({"c", fmt::format("const {} *restrict c", dialect_.real()), dialect_.prefix + "_lane[lane]"});
    parameters_.push_back({"lane", "uint32_t lane", "lane"});
  }

  std::string use(const std::string& place) {
    const std::size_t begin = place.front() == '*' ? 1 : 0;
    used_.insert(place.substr(begin, place.find_first_of("[.") - begin));
    return place;
  }

  /// Of the state or of the memory for the call.
  std::string memory(const char* array, int place, Index k, int lane, bool is_read) {
    const int wide_numbers = array[0] == 'v' ? schedule_.lane_slots : plan_.lane_words;
    if (!is_wide(k)) return use(fmt::format("{}[{}]", array, Tape::kLanes * wide_numbers + place));
    if (vectors_) {
      use(std::string(array) + "[");
      return fmt::format("{}_{}({}, {}){}", upper(dialect_.prefix), is_read ? "READ" : "AT", array,
                         Tape::kLanes * place, lane < 0 ? "" : fmt::format("[{}]", lane));
    }
    if (lane < 0) return use(fmt::format("lane_{}[{}]", array, place));
    return use(fmt::format("{}[{}]", array, lane * wide_numbers + place));
  }

  std::string constant(Index k, int lane) {
    if (!is_wide(k) || lane >= 0) return dialect_.number(tape_.value(k, std::max(lane, 0)));
    if (!vectors_) return use(fmt::format("c[{}]", table_.place(tape_.numbers(k))));
    std::string text;
    for (const double x : tape_.numbers(k)) text += (text.empty() ? "" : ", ") + dialect_.number(x);
    return fmt::format("({}){{{}}}", dialect_.lanes(), text);
  }

  std::string local(Index k, int lane) const {
    return lane >= 0 && is_wide(k) && !vectors_ ? fmt::format("t{}_{}", k, lane) : fmt::format("t{}", k);
  }

  /// A number as the part that is being written sees it.
  std::string operand(Index k, int lane = kAllLanesAtOnce) {
    const Tape::Node& node = tape_.node(k);
    if (node.op == TapeOp::kConstant) return constant(k, lane);
    if (const std::string name = local(k, lane); local_.count(name) != 0)
      return lane >= 0 && is_wide(k) && vectors_ ? fmt::format("{}[{}]", name, lane) : name;
    if (node.op == TapeOp::kInput && (plan_.is_here(k) || schedule_.slot[k] < 0)) return use(place_.at(k));
    if (schedule_.slot[k] >= 0) return memory("v", schedule_.slot[k], k, lane, true);
    if (plan_.word[k] >= 0) return memory("w", plan_.word[k], k, lane, true);
    if (plan_.products.count(k) != 0) {
      numbers_ += width(k, lane);
      return fmt::format("({} * {})", operand(node.a, lane), operand(node.b, lane));
    }
    if (node.op == TapeOp::kGather && lane >= 0) return operand(Tape::operand(node, lane));
    throw Error("internal error: a number is read that nobody has");
  }

  std::string mask(Index k, int lane = kAllLanesAtOnce) {
    const Tape::Node& less = tape_.node(k);
    return operand(less.a, lane) + " < " + operand(less.b, lane);
  }
  /// Of one lane, or of all.
  std::string holds(Index k, int lane = kAllLanesAtOnce) {
    if (!is_wide_mask(k) || lane >= 0) return mask(k, lane);
    if (vectors_) return fmt::format("{}_all({})", dialect_.prefix, mask(k));
    std::string text;
    for (int l = 0; l < Tape::kLanes; ++l) text += fmt::format("{}({})", l > 0 ? " && " : "", mask(k, l));
    return text;
  }

  std::string expression(Index k, int lane = kAllLanesAtOnce) {
    const Tape::Node& node = tape_.node(k);
    switch (node.op) {
      case TapeOp::kAdd:
        return operand(node.a, lane) + " + " + operand(node.b, lane);
      case TapeOp::kSubtract:
        return operand(node.a, lane) + " - " + operand(node.b, lane);
      case TapeOp::kMultiply:
        return operand(node.a, lane) + " * " + operand(node.b, lane);
      case TapeOp::kDivide:
        return operand(node.a, lane) + " / " + operand(node.b, lane);
      case TapeOp::kNegate:
        return "-" + operand(node.a, lane);
      default:
        return vectors_ && is_wide(k) && lane < 0 ? vector_expression(k) : number_expression(k, lane);
    }
  }

  std::string number_expression(Index k, int lane) {
    const Tape::Node& node = tape_.node(k);
    switch (node.op) {
      case TapeOp::kSquareRoot:
        return (dialect_.is_float ? "sqrtf(" : "sqrt(") + operand(node.a, lane) + ")";
      case TapeOp::kSelect:
        return fmt::format("({}) ? {} : {}", mask(node.a, lane), operand(node.b, lane), operand(node.c, lane));
      case TapeOp::kGather:
        return operand(Tape::operand(node, std::max(lane, 0)));
      case TapeOp::kLane:
        return operand(node.a, node.b);
      case TapeOp::kSumLanes:
        return fmt::format("({} + {}) + ({} + {})", operand(node.a, 0), operand(node.a, 2), operand(node.a, 1),
                           operand(node.a, 3));
      case TapeOp::kLargestLane:
        return fmt::format("{}_largest({}, {}, {}, {})", dialect_.prefix, operand(node.a, 0), operand(node.a, 2),
                           operand(node.a, 1), operand(node.a, 3));
      case TapeOp::kKeepLanes:
        if (lane >= 0) return (node.b >> lane & 1) != 0 ? operand(node.a, lane) : dialect_.number(0);
        return fmt::format("((({}U >> {}) & 1U) != 0U) ? {} : {}", node.b, use("lane"), operand(node.a),
                           dialect_.number(0));
      default:
        throw Error("internal error: an operation that is not written as an expression");
    }
  }

  std::string vector_expression(Index k) {
    const Tape::Node& node = tape_.node(k);
    const auto call = [&](const char* function) {
      return fmt::format("{}_{}({})", dialect_.prefix, function, operand(node.a));
    };
    switch (node.op) {
      case TapeOp::kSquareRoot:
        return call("sqrt");
      case TapeOp::kSumLanes:
        return call("sum_lanes");
      case TapeOp::kLargestLane:
        return call("largest_lane");
      case TapeOp::kGather:
        return fmt::format("({}){{{}, {}, {}, {}}}", dialect_.lanes(), operand(node.a), operand(node.b),
                           operand(node.c), operand(node.d));
      case TapeOp::kKeepLanes:
        return fmt::format("{}_keep_lanes({}, {})", dialect_.prefix, operand(node.a), lane_mask(node.b));
      case TapeOp::kSelect: {
        const Tape::Node& less = tape_.node(node.a);
        return fmt::format("{}_pick({} < {}, {}, {})", dialect_.prefix, vector(less.a), vector(less.b), vector(node.b),
                           vector(node.c));
      }
      default:
        throw Error("internal error: an operation that is not written as an expression");
    }
  }
  /// Where functions want four numbers.
  std::string vector(Index k) {
    if (is_wide(k)) return operand(k);
    return fmt::format("({0}){{{1}, {1}, {1}, {1}}}", dialect_.lanes(), operand(k));
  }
  std::string lane_mask(int set) const {
    std::string text;
    for (int lane = 0; lane < Tape::kLanes; ++lane)
      text += fmt::format("{}{}", lane > 0 ? ", " : "", (set >> lane & 1) != 0 ? "-1" : "0");
    return fmt::format("({}_mask){{{}}}", dialect_.prefix, text);
  }
  int width(Index k, int lane) const { return vectors_ && is_wide(k) && lane < 0 ? Tape::kLanes : 1; }
  std::string type_of(Index k) const { return vectors_ && is_wide(k) ? dialect_.lanes() : dialect_.real(); }

  /// Declares a node, with its twin if it is a sine or cosine.
  void declare(Index k, const std::string& indent, std::string& body, int lane = kAllLanesAtOnce) {
    const Tape::Node& node = tape_.node(k);
    const std::string name = local(k, lane);
    if (local_.count(name) != 0) return;
    if (node.op != TapeOp::kSine && node.op != TapeOp::kCosine) {
      body += fmt::format("{}const {} {} = {};\n", indent, type_of(k), name, expression(k, lane));
      local_.insert(name);
      numbers_ += width(k, lane);
      return;
    }
    numbers_ += 2 * width(k, lane);
    const std::string sine = name + "s", cosine = name + "c";
    body += fmt::format("{0}{1} {2};\n{0}{1} {3};\n{0}{4}_sincos{6}({5}, &{2}, &{3});\n", indent, type_of(k), sine,
                        cosine, dialect_.prefix, operand(node.a, lane), vectors_ && is_wide(k) ? "_lanes" : "");
    const auto angle = plan_.angles.find(node.a);
    std::vector<Index> twins = angle != plan_.angles.end() ? angle->second : std::vector<Index>{k};
    if (std::find(twins.begin(), twins.end(), k) == twins.end()) twins = {k};
    for (const Index twin : twins) {
      body += fmt::format("{}const {} {} = {};\n", indent, type_of(k), local(twin, lane),
                          tape_.node(twin).op == TapeOp::kSine ? sine : cosine);
      local_.insert(local(twin, lane));
      numbers_ += width(twin, lane);
      keep(twin, body);
    }
    if (tape_.node(k).op == TapeOp::kSine && twins.size() == 1) body += fmt::format("{}(void){};\n", indent, cosine);
    if (tape_.node(k).op == TapeOp::kCosine && twins.size() == 1) body += fmt::format("{}(void){};\n", indent, sine);
  }

  /// Stores what others read.
  void keep(Index k, std::string& body) {
    if (plan_.part[k] < 0) return;
    const auto store = [&](const char* array, int place) {
      if (place < 0) return;
      // What is gathered for a loop is stored lane by lane.
      const bool gathers = is_wide(k) && !vectors_ && tape_.node(k).op == TapeOp::kGather;
      for (int lane = gathers ? 0 : kAllLanesAtOnce; lane < (gathers ? Tape::kLanes : 0); ++lane) {
        const std::string number = gathers ? operand(Tape::operand(tape_.node(k), lane)) : operand(k);
        body += fmt::format("  {} = {};\n", memory(array, place, k, lane, false), number);
      }
    };
    store("v", schedule_.slot[k]);
    store("w", plan_.word[k]);
    if (const auto left = left_.find(k); left != left_.end()) {
      for (const std::string& place : left->second) body += fmt::format("  {} = {};\n", use(place), operand(k));
      written_.insert(k);
    }
  }

  void write_part(std::size_t part, StageText& text) {
    begin_function();
    std::string body;
    for (const Index k : plan_.parts[part].nodes) {
      const TapeOp op = tape_.node(k).op;
      if (local_.count(local(k, kAllLanesAtOnce)) != 0) continue;
      const bool gathers_for_loop = op == TapeOp::kGather && is_wide(k) && !vectors_;
      if (op != TapeOp::kInput && !gathers_for_loop) declare(k, "  ", body);
      if (op != TapeOp::kSine && op != TapeOp::kCosine) keep(k, body);
    }
    if (body.empty()) return;
    const std::string call =
        add_function(fmt::format("{}_{}_{}", dialect_.prefix, stage_name(), part + 1), "void", body, text);
    text.calls += plan_.parts[part].of_limbs ? for_each_lane(call) : "  " + call + ";\n";
  }
  static std::string for_each_lane(const std::string& statement) {
    return fmt::format("  for (lane = 0U; lane < {}U; ++lane) {{ {}; }}\n", Tape::kLanes, statement);
  }

  /// Outputs that are no result of an operation of this stage; checks.
  void write_last(StageText& text) {
    begin_function();
    std::string body;
    for (const auto& [k, places] : left_) {
      if (written_.count(k) != 0) continue;
      for (const std::string& place : places) {
        body += tape_.node(k).op == TapeOp::kLess
                    ? fmt::format("  {0} = 0;\n  if ({1}) {{ {0} = 1; }}\n", use(place), holds(k))
                    : fmt::format("  {} = {};\n", use(place), operand(k));
      }
    }
    const std::string name = fmt::format("{}_{}_", dialect_.prefix, stage_name());
    if (!body.empty()) text.calls += "  " + add_function(name + "rest", "void", body, text) + ";\n";
    if (checks().empty()) return;
    write_checks(name, text);
  }

  /// Whether all checks hold: those of numbers, then those of lanes.
  void write_checks(const std::string& name, StageText& text) {
    std::set<Index> numbers, lanes;
    for (const Check& check : checks()) (is_wide_mask(check.mask) ? lanes : numbers).insert(check.mask);
    begin_function();
    std::string body = "  int ok = 1;\n";
    for (const Index k : numbers) body += fmt::format("  ok &= ({}) ? 1 : 0;\n", mask(k));
    if (vectors_ && !lanes.empty()) {
      std::string all;
      for (const Index k : lanes) all += (all.empty() ? "(" : " & (") + mask(k) + ")";
      body += fmt::format("  ok &= {}_all({});\n", dialect_.prefix, all);
      lanes.clear();
    }
    text.calls += "  ok = " + add_function(name + "ok", "int", body + "  return ok;\n", text) + ";\n";
    if (lanes.empty()) return;
    begin_function();
    body = "  int ok = 1;\n";
    for (const Index k : lanes) body += fmt::format("  ok &= ({}) ? 1 : 0;\n", mask(k));
    text.calls += for_each_lane("ok &= " + add_function(name + "limb_ok", "int", body + "  return ok;\n", text));
  }

  /// Runs when a check has failed, and finds the first.
  void write_explanation(StageText& text) {
    if (!checks().empty()) text.status = write_reasons("status", checks(), text);
  }
  /// A function that returns the first of some checks that do not hold; the same checks share one. Returns the call.
  std::string write_reasons(const std::string& name, const std::vector<Check>& list, StageText& text) {
    std::vector<std::string> calls;
    for (const Check& check : list) {
      calls.emplace_back();
      if (check.first.empty()) continue;
      std::vector<std::pair<Index, int>> masks;
      for (const Check& first : check.first) masks.emplace_back(first.mask, first.lane);
      std::string& call = reasons_[masks];
      if (call.empty()) call = write_reasons(fmt::format("reason_{}", reasons_.size()), check.first, text);
      calls.back() = call;
    }
    begin_function();
    std::string body;
    std::set<std::string> told;  // conditions that have ended the function where they fail
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (finite_inputs(list, k) > 2) {
        body += "  uint32_t k;\n";
        break;
      }
    }
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (const std::size_t run = finite_inputs(list, k); run > 2) {
        body += finite_loop(list[k], run);
        k += run - 1;
        continue;
      }
      const Check& check = list[k];
      for_each_operand(tape_, check.mask, [&](Index operand) { compute(operand, body, check.lane); });
      const std::string condition = holds(check.mask, check.lane);
      if (told.count(condition) != 0) continue;
      body += "  if (!(" + condition + ")) {\n";
      if (!calls[k].empty())
        body += "    const uint32_t reason = " + use_call(calls[k]) + ";\n    if (reason != 0U) { return reason; }\n";
      if (!check.status.ok()) {
        body += fmt::format("    return {};\n", status_text(check.status));
        told.insert(condition);
      }
      body += "  }\n";
    }
    return add_function(fmt::format("{}_{}_{}", dialect_.prefix, stage_name(), name), "uint32_t",
                        body + "  return 0U;\n", text);
  }
  /// How many checks from here on ask one after the other of an array's entries whether they are numbers.
  std::size_t finite_inputs(const std::vector<Check>& list, std::size_t first) const {
    std::size_t run = 0;
    for (; first + run < list.size(); ++run) {
      const Check &check = list[first + run], &begin = list[first];
      const Tape::Node &less = tape_.node(check.mask), &difference = tape_.node(less.a);
      const bool asks_input = difference.op == TapeOp::kSubtract && difference.a == difference.b &&
                              tape_.node(difference.a).op == TapeOp::kInput && check.first.empty();
      if (!asks_input || check.status.code != begin.status.code ||
          check.status.index != begin.status.index + static_cast<int>(run))
        break;
      const std::string& place = place_.at(difference.a);
      const std::string wanted = place_.at(tape_.node(tape_.node(begin.mask).a).a);
      const int number = array_index(wanted);
      if (number < 0 ||
          place != fmt::format("{}[{}]", wanted.substr(0, wanted.find('[')), number + static_cast<int>(run)))
        break;
    }
    return run;
  }
  /// k of "q[k]", or -1.
  static int array_index(const std::string& place) {
    const std::size_t open = place.find('[');
    if (open == std::string::npos || place.back() != ']' || place.find('.') != std::string::npos) return -1;
    return std::stoi(place.substr(open + 1));
  }
  std::string finite_loop(const Check& first, std::size_t run) {
    const std::string place = use(place_.at(tape_.node(tape_.node(first.mask).a).a));
    const std::string array = place.substr(0, place.find('['));
    const int begin = array_index(place);
    return fmt::format(
        "  for (k = {0}U; k < {1}U; ++k) {{\n    if (!(({2}[k] - {2}[k]) < {3})) {{ return {4} + (256U * (k - {0}U)); "
        "}}\n"
        "  }}\n",
        begin, begin + static_cast<int>(run), array, dialect_.number(1), status_text(first.status));
  }
  /// A call of a function with parameters that this one then has to be given as well.
  std::string use_call(const std::string& call) {
    below_ = most_of(below_, stacks_.at(call));
    for (const Parameter& p : parameters_) {
      if (takes(call, p.name)) used_.insert(p.name);
    }
    return call;
  }
  void compute(Index k, std::string& body, int lane) {
    if (vectors_ || !is_wide(k)) lane = kAllLanesAtOnce;
    if (plan_.is_here(k) || plan_.is_known(k) || local_.count(local(k, lane)) != 0) return;
    const Tape::Node& node = tape_.node(k);
    // In a loop's form what explains has each lane by itself.
    const bool all = !vectors_ && lane < 0;
    if (all && is_wide(k)) {
      for (int l = 0; l < Tape::kLanes; ++l) compute(k, body, l);
      return;
    }
    for_each_operand(tape_, k,
                     [&](Index operand) { compute(operand, body, node.op == TapeOp::kLane ? node.b : lane); });
    declare(k, "  ", body, lane);
  }

  void begin_function() {
    local_.clear();
    used_.clear();
    numbers_ = 0;
    below_ = {10 * (vectors_ ? Tape::kLanes : 1), 1};  // sine and cosine, and other functions of the file
  }
  /// With the parameters that its body uses. Returns the call.
  std::string add_function(const std::string& name, const std::string& returns, const std::string& body,
                           StageText& text) {
    std::string declared, given;
    for (const Parameter& p : parameters_) {
      if (used_.count(p.name) == 0) continue;
      declared += (declared.empty() ? "" : ", ") + p.declaration;
      given += (given.empty() ? "" : ", ") + (p.given.empty() ? p.name : p.given);
    }
    text.functions += fmt::format("{} static {} {}({}) {{\n{}}}\n\n", part_word(dialect_), returns, name,
                                  declared.empty() ? "void" : declared, body);
    std::string call = fmt::format("{}({})", name, given);
    stacks_[call] = below_.within(numbers_);
    text.stack = most_of(text.stack, stacks_[call]);
    return call;
  }
  const std::string& stage_name() const { return program_.stages[stage_].name; }

  const Tape& tape_;
  const Program& program_;
  const Schedule& schedule_;
  StagePlan plan_;
  int stage_;
  bool vectors_;
  const Dialect& dialect_;
  std::vector<Parameter> parameters_;
  LaneTable& table_;
  std::map<Index, std::string> place_;              // of inputs
  std::map<Index, std::vector<std::string>> left_;  // places of outputs
  std::set<std::string> local_;
  std::set<Index> written_;
  std::map<std::vector<std::pair<Index, int>>, std::string> reasons_;  // calls, by the masks that they ask
  std::set<std::string> used_;
  // Of the function that is being written: how many numbers it computes, and what its calls need.
  int numbers_ = 0;
  StackNeed below_;
  std::map<std::string, StackNeed> stacks_;  // of calls
};

}  // namespace

std::string Dialect::number(double value) const {
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  std::string text = is_float ? fmt::format("{:.9g}", value) : fmt::format("{:.17g}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  if (is_float) text += "F";
  return value < 0 ? "(" + text + ")" : text;
}

bool takes(const std::string& calls, const std::string& name) {
  for (const char* before : {"(", ", ", "&"}) {
    for (const char* behind : {",", ")", "["}) {
      if (calls.find(before + name + behind) != std::string::npos) return true;
    }
  }
  return false;
}

std::string upper(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return word;
}

std::string part_word(const Dialect& dialect) { return upper(dialect.prefix) + "_PART"; }

std::string status_text(const Status& status) {
  return fmt::format("{}U", static_cast<unsigned>(status.code) + 256U * static_cast<unsigned>(status.index + 1));
}

StageText write_stage(const Program& program, const Schedule& schedule, int stage, const Dialect& dialect,
                      const std::vector<Parameter>& parameters, LaneTable& table) {
  return StageWriter(program, schedule, stage, dialect, parameters, table).write();
}

int LaneTable::place(const Tape::FourNumbers& numbers) {
  const auto [at, is_new] = places_.try_emplace(numbers, static_cast<int>(columns_.size()));
  if (is_new) columns_.push_back(numbers);
  return at->second;
}

std::string LaneTable::text(const Dialect& dialect) const {
  if (columns_.empty()) return "";
  std::string rows;
  for (std::size_t lane = 0; lane < Tape::kLanes; ++lane) {
    std::string row;
    for (const Tape::FourNumbers& column : columns_) row += (row.empty() ? "" : ", ") + dialect.number(column[lane]);
    rows += fmt::format("{}  {{{}}}", lane > 0 ? ",\n" : "", row);
  }
  return fmt::format("/* What limbs differ in. */\nstatic const {} {}_lane[{}][{}] = {{\n{}}};\n\n", dialect.real(),
                     dialect.prefix, Tape::kLanes, columns_.size(), rows);
}

}  // namespace delassus::generation
