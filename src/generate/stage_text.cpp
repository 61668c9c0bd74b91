#include "generate/stage_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace delassus::generation {
namespace {

class StageWriter {
 public:
  using Index = Tape::Index;

  StageWriter(const Program& program, const Schedule& schedule, int stage, const Dialect& dialect,
              const std::vector<Parameter>& parameters)
      : tape_(program.tape),
        program_(program),
        schedule_(schedule),
        stage_(stage),
        dialect_(dialect),
        parameters_(parameters),
        part_(tape_.size(), -1),
        word_(tape_.size(), -1) {
    for (const ProgramInput& input : program.inputs) place_[input.node] = input.place;
    for (const ProgramOutput& output : program.outputs) {
      if (output.stage == stage) left_[output.node].push_back(output.place);
    }
    for (const Index k : schedule.nodes[stage]) {
      const Tape::Node& node = tape_.node(k);
      if (node.op == TapeOp::kSine || node.op == TapeOp::kCosine) angles_[node.a].push_back(k);
    }
  }

  StageText write() {
    find_held();
    find_products();
    cut_into_parts();
    share_words();
    StageText text;
    for (int part = 0; part < num_parts_; ++part) write_part(part, text);
    write_last(text);
    write_explanation(text);
    text.scratch = num_words_;
    return text;
  }

 private:
  const std::vector<Check>& checks() const { return program_.stages[stage_].checks; }
  bool is_here(Index k) const { return schedule_.stage[k] == stage_; }

  /// Numbers that explanations read, and that this stage or an earlier one has: they stay until its end.
  void find_held() {
    std::vector<char> seen(tape_.size(), 0);
    const auto hold = [&](auto&& self, Index k) -> void {
      if (seen[k] != 0) return;
      seen[k] = 1;
      if (is_here(k)) {
        held_.insert(k);
      } else if (!is_known(k)) {
        for_each_operand(tape_, k, [&](Index operand) { self(self, operand); });
      }
    };
    const auto visit = [&](auto&& self, const std::vector<Check>& list) -> void {
      for (const Check& check : list) {
        for_each_operand(tape_, check.mask, [&](Index operand) { hold(hold, operand); });
        self(self, check.first);
      }
    };
    visit(visit, checks());
    for (const auto& [k, places] : left_) {
      if (tape_.node(k).op == TapeOp::kLess) for_each_operand(tape_, k, [&](Index operand) { hold(hold, operand); });
    }
  }
  /// Given, constant, or kept by an earlier stage.
  bool is_known(Index k) const {
    const TapeOp op = tape_.node(k).op;
    if (op == TapeOp::kConstant || op == TapeOp::kInput) return true;
    return schedule_.slot[k] >= 0 && schedule_.stage[k] < stage_;
  }

  /// Products that one sum uses stand in it, so that the compiler makes one operation of both.
  void find_products() {
    for (const Index k : schedule_.nodes[stage_]) {
      const Tape::Node& node = tape_.node(k);
      if (node.op != TapeOp::kAdd && node.op != TapeOp::kSubtract) continue;
      for (const Index factor : {node.b, node.a}) {
        if (tape_.node(factor).op != TapeOp::kMultiply || schedule_.uses[factor] != 1 || schedule_.slot[factor] >= 0 ||
            !is_here(factor) || held_.count(factor) != 0)
          continue;
        products_.insert(factor);
        break;
      }
    }
  }

  void cut_into_parts() {
    int part = 0, filled = 0;
    for (const Index k : schedule_.nodes[stage_]) {
      if (products_.count(k) != 0 || part_[k] >= 0) continue;
      if (++filled > dialect_.part_nodes) ++part, filled = 1;
      part_[k] = part;
      const Tape::Node& node = tape_.node(k);
      if (node.op == TapeOp::kSine || node.op == TapeOp::kCosine) {
        for (const Index twin : angles_[node.a]) part_[twin] = part;
      }
    }
    num_parts_ = filled > 0 ? part + 1 : 0;
  }

  /// What a product stands for are its factors.
  template <class F>
  void for_each_read(Index k, F&& f) const {
    for_each_operand(tape_, k, [&](Index operand) {
      if (products_.count(operand) != 0) {
        for_each_operand(tape_, operand, f);
      } else {
        f(operand);
      }
    });
  }

  /// Words of `w` for what a later part reads, each used again when nobody reads it any more.
  void share_words() {
    std::vector<int> last(tape_.size(), -1);
    const auto read = [&](Index k, int part) {
      if (is_here(k) && schedule_.slot[k] < 0 && part_[k] >= 0 && part > part_[k]) last[k] = std::max(last[k], part);
    };
    for (const Index k : schedule_.nodes[stage_]) {
      if (part_[k] >= 0) for_each_read(k, [&](Index operand) { read(operand, part_[k]); });
    }
    for (const Index k : held_) read(k, num_parts_);
    std::vector<std::vector<Index>> made(static_cast<std::size_t>(num_parts_)),
        ends(static_cast<std::size_t>(num_parts_) + 1);
    for (const Index k : schedule_.nodes[stage_]) {
      if (last[k] < 0) continue;
      made[part_[k]].push_back(k);
      ends[last[k]].push_back(k);
    }
    for (const bool lanes : {true, false}) {
      const int size = lanes ? Tape::kLanes : 1;
      std::set<int> free;
      for (int part = 0; part < num_parts_; ++part) {
        for (const Index k : made[part]) {
          if (tape_.has_lanes(k) != lanes) continue;
          if (free.empty()) {
            free.insert(num_words_);
            num_words_ += size;
          }
          word_[k] = *free.begin();
          free.erase(free.begin());
        }
        for (const Index k : ends[part]) {
          if (tape_.has_lanes(k) == lanes) free.insert(word_[k]);
        }
      }
    }
  }

  std::string use(const std::string& place) {
    used_.insert(
        place.substr(place.front() == '*' ? 1 : 0, place.find_first_of("[.") - (place.front() == '*' ? 1 : 0)));
    return place;
  }

  /// Of the state or of the memory for the call.
  std::string at(const char* array, int place, Index k, bool is_read = true) {
    use(std::string(array) + "[");
    if (!tape_.has_lanes(k)) return fmt::format("{}[{}]", array, place);
    return fmt::format("{}_{}({}, {})", upper(dialect_.prefix), is_read ? "READ" : "AT", array, place);
  }
  std::string constant(Index k) const {
    if (!tape_.has_lanes(k)) return dialect_.number(tape_.value(k));
    std::string text;
    for (const double x : tape_.numbers(k)) text += (text.empty() ? "" : ", ") + dialect_.number(x);
    return fmt::format("({}){{{}}}", dialect_.lanes(), text);
  }

  /// A number as the part that is being written sees it.
  std::string operand(Index k) {
    const Tape::Node& node = tape_.node(k);
    if (node.op == TapeOp::kConstant) return constant(k);
    if (local_.count(k) != 0) return "t" + std::to_string(k);
    if (node.op == TapeOp::kInput && (is_here(k) || schedule_.slot[k] < 0)) return use(place_.at(k));
    if (schedule_.slot[k] >= 0) return at("v", schedule_.slot[k], k);
    if (word_[k] >= 0) return at("w", word_[k], k);
    if (products_.count(k) != 0) return fmt::format("({} * {})", operand(node.a), operand(node.b));
    throw Error("internal error: a number is read that nobody has");
  }
  std::string mask(Index k) {
    const Tape::Node& less = tape_.node(k);
    return operand(less.a) + " < " + operand(less.b);
  }
  /// Of one lane, or of all.
  std::string holds(Index k, int lane = -1) {
    if (!tape_.has_lanes(k)) return mask(k);
    if (lane < 0) return fmt::format("{}_all({})", dialect_.prefix, mask(k));
    const Tape::Node& less = tape_.node(k);
    return in_lane(less.a, lane) + " < " + in_lane(less.b, lane);
  }
  std::string in_lane(Index k, int lane) {
    if (!tape_.has_lanes(k)) return operand(k);
    if (tape_.is_constant(k)) return dialect_.number(tape_.value(k, lane));
    return fmt::format("{}[{}]", operand(k), lane);
  }
  /// Where functions want four numbers.
  std::string as_lanes(Index k) {
    if (tape_.has_lanes(k)) return operand(k);
    return fmt::format("({0}){{{1}, {1}, {1}, {1}}}", dialect_.lanes(), operand(k));
  }
  std::string expression(Index k) {
    const Tape::Node& node = tape_.node(k);
    switch (node.op) {
      case TapeOp::kAdd:
        return operand(node.a) + " + " + operand(node.b);
      case TapeOp::kSubtract:
        return operand(node.a) + " - " + operand(node.b);
      case TapeOp::kMultiply:
        return operand(node.a) + " * " + operand(node.b);
      case TapeOp::kDivide:
        return operand(node.a) + " / " + operand(node.b);
      case TapeOp::kNegate:
        return "-" + operand(node.a);
      case TapeOp::kSquareRoot:
        if (tape_.has_lanes(k)) return fmt::format("{}_sqrt({})", dialect_.prefix, operand(node.a));
        return (dialect_.is_float ? "sqrtf(" : "sqrt(") + operand(node.a) + ")";
      case TapeOp::kGather:
        return fmt::format("({}){{{}, {}, {}, {}}}", dialect_.lanes(), operand(node.a), operand(node.b),
                           operand(node.c), operand(node.d));
      case TapeOp::kLane:
        return fmt::format("{}[{}]", operand(node.a), node.b);
      case TapeOp::kSumLanes:
        return fmt::format("{}_sum_lanes({})", dialect_.prefix, operand(node.a));
      case TapeOp::kLargestLane:
        return fmt::format("{}_largest_lane({})", dialect_.prefix, operand(node.a));
      case TapeOp::kKeepLanes:
        return fmt::format("{}_keep_lanes({}, {})", dialect_.prefix, operand(node.a), lane_mask(node.b));
      case TapeOp::kSelect:
        if (tape_.has_lanes(k))
          return fmt::format("{}_pick({}, {}, {})", dialect_.prefix, lanes_of_mask(node.a), as_lanes(node.b),
                             as_lanes(node.c));
        return fmt::format("({}) ? {} : {}", mask(node.a), operand(node.b), operand(node.c));
      default:
        throw Error("internal error: an operation that is not written as an expression");
    }
  }

  std::string lanes_of_mask(Index k) {
    const Tape::Node& less = tape_.node(k);
    return tape_.has_lanes(k) ? mask(k) : as_lanes(less.a) + " < " + as_lanes(less.b);
  }
  std::string lane_mask(int set) const {
    std::string text;
    for (int lane = 0; lane < Tape::kLanes; ++lane)
      text += fmt::format("{}{}", lane > 0 ? ", " : "", (set >> lane & 1) != 0 ? "-1" : "0");
    return fmt::format("({}_mask){{{}}}", dialect_.prefix, text);
  }
  std::string type_of(Index k) const { return tape_.has_lanes(k) ? dialect_.lanes() : dialect_.real(); }

  /// Declares a node, with its twin if it is a sine or cosine.
  void declare(Index k, const std::string& indent, std::string& body) {
    const Tape::Node& node = tape_.node(k);
    if (local_.count(k) != 0) return;
    if (node.op != TapeOp::kSine && node.op != TapeOp::kCosine) {
      body += fmt::format("{}const {} t{} = {};\n", indent, type_of(k), k, expression(k));
      local_.insert(k);
      return;
    }
    std::string sine = fmt::format("t{}s", k), cosine = fmt::format("t{}c", k);
    body += fmt::format("{0}{1} {2};\n{0}{1} {3};\n{0}{4}_sincos{6}({5}, &{2}, &{3});\n", indent, type_of(k), sine, cosine,
                        dialect_.prefix, operand(node.a), tape_.has_lanes(k) ? "_lanes" : "");
    std::vector<Index> twins = angles_.count(node.a) != 0 ? angles_.at(node.a) : std::vector<Index>{k};
    if (std::find(twins.begin(), twins.end(), k) == twins.end()) twins = {k};
    for (const Index twin : twins) {
      body += fmt::format("{}const {} t{} = {};\n", indent, type_of(k), twin,
                          tape_.node(twin).op == TapeOp::kSine ? sine : cosine);
      local_.insert(twin);
      keep(twin, body);
    }
    if (tape_.node(k).op == TapeOp::kSine && twins.size() == 1) body += fmt::format("{}(void){};\n", indent, cosine);
    if (tape_.node(k).op == TapeOp::kCosine && twins.size() == 1) body += fmt::format("{}(void){};\n", indent, sine);
  }

  /// Stores what others read.
  void keep(Index k, std::string& body) {
    if (part_[k] < 0) return;
    const std::string name = operand(k);
    if (schedule_.slot[k] >= 0) body += fmt::format("  {} = {};\n", at("v", schedule_.slot[k], k, false), name);
    if (word_[k] >= 0) body += fmt::format("  {} = {};\n", at("w", word_[k], k, false), name);
    if (const auto left = left_.find(k); left != left_.end()) {
      for (const std::string& place : left->second) body += fmt::format("  {} = {};\n", use(place), name);
      written_.insert(k);
    }
  }

  void write_part(int part, StageText& text) {
    begin_function();
    std::string body;
    for (const Index k : schedule_.nodes[stage_]) {
      if (part_[k] != part || local_.count(k) != 0) continue;
      const TapeOp op = tape_.node(k).op;
      if (op == TapeOp::kInput) {
        keep(k, body);
      } else {
        declare(k, "  ", body);
        if (op != TapeOp::kSine && op != TapeOp::kCosine) keep(k, body);
      }
    }
    const std::string name = fmt::format("{}_{}_{}", dialect_.prefix, stage_name(), part + 1);
    text.calls += "  " + add_function(name, "void", body, text) + ";\n";
  }

  /// Outputs that are no result of an operation of this stage; checks.
  void write_last(StageText& text) {
    begin_function();
    std::string body;
    for (const auto& [k, places] : left_) {
      if (written_.count(k) != 0) continue;
      for (const std::string& place : places) {
        const bool is_mask = tape_.node(k).op == TapeOp::kLess;
        body += fmt::format("  {} = {};\n", use(place), is_mask ? "(" + holds(k) + ") ? 1 : 0" : operand(k));
      }
    }
    const std::string name = fmt::format("{}_{}_", dialect_.prefix, stage_name());
    if (!body.empty()) text.calls += "  " + add_function(name + "rest", "void", body, text) + ";\n";
    if (checks().empty()) return;
    begin_function();
    body = "  int ok = 1;\n";
    std::string in_lanes;
    std::set<Index> asked;
    for (const Check& check : checks()) {
      if (!asked.insert(check.mask).second) continue;
      if (tape_.has_lanes(check.mask)) {
        in_lanes += (in_lanes.empty() ? "(" : " & (") + mask(check.mask) + ")";
      } else {
        body += fmt::format("  ok &= ({}) ? 1 : 0;\n", mask(check.mask));
      }
    }
    if (!in_lanes.empty()) body += fmt::format("  ok &= {}_all({});\n", dialect_.prefix, in_lanes);
    text.calls += "  ok = " + add_function(name + "ok", "int", body + "  return ok;\n", text) + ";\n";
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
    std::string body = std::all_of(calls.begin(), calls.end(), [](const auto& call) { return call.empty(); })
                           ? ""
                           : "  uint32_t reason;\n";
    for (std::size_t k = 0; k < list.size(); ++k) {
      const Check& check = list[k];
      for_each_operand(tape_, check.mask, [&](Index operand) { compute(operand, body); });
      body += "  if (!(" + holds(check.mask, check.lane) + ")) {\n";
      if (!calls[k].empty())
        body += "    reason = " + use_call(calls[k]) + ";\n    if (reason != 0U) { return reason; }\n";
      if (!check.status.ok()) body += fmt::format("    return {};\n", status_text(check.status));
      body += "  }\n";
    }
    return add_function(fmt::format("{}_{}_{}", dialect_.prefix, stage_name(), name), "uint32_t",
                        body + "  return 0U;\n", text);
  }
  /// A call of a function with parameters that this one then has to be given as well.
  std::string use_call(const std::string& call) {
    for (const Parameter& p : parameters_) {
      if (takes(call, p.name)) used_.insert(p.name);
    }
    return call;
  }
  void compute(Index k, std::string& body) {
    if (is_here(k) || is_known(k) || local_.count(k) != 0) return;
    for_each_operand(tape_, k, [&](Index operand) { compute(operand, body); });
    declare(k, "  ", body);
  }

  void begin_function() {
    local_.clear();
    used_.clear();
  }
  /// With the parameters that its body uses. Returns the call.
  std::string add_function(const std::string& name, const std::string& returns, const std::string& body,
                           StageText& text) {
    std::string declared, given;
    for (const Parameter& p : parameters_) {
      if (used_.count(p.name) == 0) continue;
      declared += (declared.empty() ? "" : ", ") + p.declaration;
      given += (given.empty() ? "" : ", ") + p.name;
    }
    text.functions += fmt::format("{} static {} {}({}) {{\n{}}}\n\n", part_word(dialect_), returns, name,
                                  declared.empty() ? "void" : declared, body);
    return fmt::format("{}({})", name, given);
  }
  const std::string& stage_name() const { return program_.stages[stage_].name; }

  const Tape& tape_;
  const Program& program_;
  const Schedule& schedule_;
  int stage_;
  const Dialect& dialect_;
  const std::vector<Parameter>& parameters_;
  std::map<Index, std::string> place_;              // of inputs
  std::map<Index, std::vector<std::string>> left_;  // places of outputs
  std::map<Index, std::vector<Index>> angles_;      // sine and cosine of an angle
  std::set<Index> held_, products_;
  std::vector<int> part_, word_;
  int num_parts_ = 0, num_words_ = 0;
  std::set<Index> local_, written_;
  std::map<std::vector<std::pair<Index, int>>, std::string> reasons_;  // calls, by the masks that they ask
  std::set<std::string> used_;
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
  for (const char* before : {"(", ", "}) {
    for (const char* behind : {",", ")"}) {
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
                      const std::vector<Parameter>& parameters) {
  return StageWriter(program, schedule, stage, dialect, parameters).write();
}

}  // namespace delassus::generation
