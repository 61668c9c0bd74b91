#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "delassus/constraints/describe.hpp"
#include "delassus/model/model.hpp"
#include "generate/contact_text.hpp"
#include "generate/dynamics_text.hpp"
#include "generate/mask_text.hpp"

namespace delassus::generation {
namespace {

/// In comments: nothing that ends one.
std::string without_marks(const std::string& words) {
  std::string text;
  for (const char c : words)
    text += c == '*' || c == '/' || c == '\\' || c == '?' || static_cast<unsigned char>(c) < ' ' ? '_' : c;
  // Marks that turn the direction of what follows: compilers warn of them.
  for (const std::string_view mark : {"\xE2\x80\xAA", "\xE2\x80\xAB", "\xE2\x80\xAC", "\xE2\x80\xAD", "\xE2\x80\xAE",
                                      "\xE2\x81\xA6", "\xE2\x81\xA7", "\xE2\x81\xA8", "\xE2\x81\xA9"}) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
      text.replace(at, mark.size(), "_");
  }
  return text;
}
std::string quoted(const std::string& name) { return "\"" + without_marks(name) + "\""; }

std::string sizes(const Material& m) {
  std::string text;
  const auto define = [&](const std::string& word, int value, const std::string& meaning) {
    text += fmt::format("#define {} {} /* {} */\n", macro(m, word), value, meaning);
  };
  define("NQ", m.model.nq(), "numbers of a configuration");
  define("NV", m.model.nv(), "joint velocities, accelerations, torques");
  define("ROWS", m.trace.rows, "rows of constraints");
  define("CONSTRAINTS", static_cast<int>(m.constraints.size()), "constraints");
  define("DAMPING", m.trace.damping_numbers, "numbers of a damping");
  define("STATE", std::max(m.schedule.num_slots, 1), "numbers that update and damp keep");
  if (const int n = static_cast<int>(contact_inputs(m.constraints, m.options).size()); n > 0)
    define("CONTACTS", n, "contacts that update is given");
  if (!m.frames.empty()) define("FRAMES", static_cast<int>(m.frames.size()), "frames that are answered for");
  return text;
}

std::string statuses(const Material& m) {
  struct Word {
    const char* word;
    Status::Code code;
    const char* meaning;
  };
  constexpr Word kWords[] = {
      {"SINGULAR_JOINT", Status::Code::kSingularJoint, "index: the link whose joint moves nothing that has inertia"},
      {"NOT_POSITIVE", Status::Code::kNotPositive, "index: the row at which the damped matrix is not positive"},
      {"DEGENERATE", Status::Code::kDegenerate, "index: the constraint whose direction is undefined"},
      {"NOT_FINITE", Status::Code::kNotFinite, "index: the entry or row that is no number, because an input is none"},
      {"INACCURATE", Status::Code::kInaccurate, "index: the row where rounding left more than the tolerance"},
      {"NOT_CONVERGED", Status::Code::kNotConverged, "index: the row that is farthest off after so many steps"},
      {"TOO_EARLY", Status::Code::kBadArgument, "update, or damp, has to come first"}};
  std::string text = fmt::format(
      "/* Functions return 0, or what is wrong: {0}(status) is one of these, and {1}(status) says where. What they\n"
      " * leave is not to be used then, but for {2}: solve leaves the best that there is. Arguments do not overlap. "
      "*/\n",
      macro(m, "CODE"), macro(m, "INDEX"), macro(m, "INACCURATE"));
  for (const Word& w : kWords)
    text += fmt::format("#define {} {}U /* {} */\n", macro(m, w.word), static_cast<int>(w.code), w.meaning);
  text += fmt::format("#define {}(status) ((status) & 255U)\n", macro(m, "CODE"));
  text += fmt::format("#define {}(status) ((int)((status) >> 8U) - 1)\n\n", macro(m, "INDEX"));
  return text;
}

std::string list_of_rows(const Material& m) {
  std::string text = "/* Constraints, their rows of Λ⁻¹, and what forces and velocities are measured in:\n";
  int row = 0, number = 0;
  for (const Constraint& c : m.constraints) {
    const int rows = row_count(c);
    text += fmt::format(" *   {:3}: rows {:3} to {:3}  {} {}\n", number++, row, row + rows - 1, kind_of(c),
                        quoted(name_of(c)));
    row += rows;
  }
  return text + " * Forces in N, moments in N m; velocities in m/s and rad/s. Dampings are velocities by forces. */\n";
}

struct KindWords {
  JointKind kind;
  const char* name;
  const char* numbers;  // of joints with several, or with other than rad and m
};
constexpr KindWords kKindWords[] = {
    {JointKind::kRevolute, "revolute", nullptr},
    {JointKind::kPrismatic, "prismatic", nullptr},
    {JointKind::kHelical, "helical", "the angle"},
    {JointKind::kCylindrical, "cylindrical", "angle, then displacement along the axis"},
    {JointKind::kUniversal, "universal", "angles about the first axis and about the second"},
    {JointKind::kSpherical, "spherical", "q: quaternion x, y, z, w; v: angular velocity in the child's axes"},
    {JointKind::kPlanar, "planar", "x, y, angle"},
    {JointKind::kFree, "free",
     "q: position, then quaternion x, y, z, w; v: angular, then linear velocity, in the child's axes"}};

std::string list_of_joints(const Material& m) {
  std::string text = "/* q and v, from the first number of each joint; torques and accelerations are as v:\n", words;
  for (const KindWords& k : kKindWords) {
    bool there = false;
    for (int i = 0; i < m.model.num_links(); ++i) {
      const Link& link = m.model.link(i);
      if (link.kind != k.kind) continue;
      there = true;
      text += fmt::format(" *   q[{}] v[{}]  {} {}\n", link.q, link.v, quoted(m.model.joint_name(i)), k.name);
    }
    if (there && k.numbers != nullptr) words += fmt::format(" * A {} joint: {}.\n", k.name, k.numbers);
  }
  return text + words + " * Angles in rad, lengths in m. */\n";
}

std::string contact_struct(const Material& m) {
  const std::vector<int> contacts = contact_inputs(m.constraints, m.options);
  if (contacts.empty()) return "";
  std::string text = "/* Contacts in their order:\n";
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto& contact = std::get<PointContact>(m.constraints[contacts[k]]);
    text +=
        fmt::format(" *   {}  {} in frame {}\n", k, quoted(contact.name), quoted(m.model.frame(contact.a.frame).name));
  }
  text += fmt::format(
      " * point: in its frame, in m. axes: rows normal, tangent 1, tangent 2, right-handed, world axes. */\n"
      "typedef struct {{\n  {0} point[3];\n  {0} axes[9];\n}} {1}_contact;\n\n",
      m.dialect.real(), m.dialect.prefix);
  return text;
}

std::string frame_struct(const Material& m) {
  if (m.frames.empty()) return "";
  std::string text = "/* Frames in their order:\n";
  for (std::size_t k = 0; k < m.frames.size(); ++k)
    text += fmt::format(" *   {}  {}\n", k, quoted(m.model.frame(m.frames[k]).name));
  text += fmt::format(
      " * World axes, in m, m/s and rad/s; axes are those of the frame, as the columns of a matrix that is written by "
      "rows. */\n"
      "typedef struct {{\n  {0} position[3];\n  {0} axes[9];\n  {0} velocity[3];\n  {0} angular_velocity[3];\n}} "
      "{1}_frame;\n\n",
      m.dialect.real(), m.dialect.prefix);
  return text;
}

std::string damping_words(const Material& m) {
  switch (m.options.damping) {
    case GenerateOptions::DampingForm::kNumber:
      return "one positive number for all rows";
    case GenerateOptions::DampingForm::kRows:
      return "one positive number per row";
    case GenerateOptions::DampingForm::kBlocks:
      return "for each constraint with m rows an m x m block by rows, positive definite; the lower triangle is read";
  }
  return "";
}

std::string operator_functions(const Material& m) {
  if (m.trace.rows == 0) return "";
  const std::string p = m.dialect.prefix, real = m.dialect.real();
  const bool contacts = !contact_inputs(m.constraints, m.options).empty();
  std::string text = fmt::format(
      "/* Set to zero before the first update. Only its functions write to it. */\n"
      "typedef struct {{\n  {0} v[{2}];\n  {0} damping[{3}];\n  uint32_t done;\n  int refines;\n{4}}} {1}_factor;\n\n",
      real, p, macro(m, "STATE"), macro(m, "DAMPING"),
      has_masks(m) ? "  int is_masked;\n  unsigned char inactive[" + macro(m, "CONSTRAINTS") + "];\n" : "");
  const auto declare = [&](const std::string& words, const std::string& function) {
    text += "/* " + words + ". */\n" + operator_signature(m, function) + ";\n\n";
  };
  if (has_masks(m)) {
    declare(
        "Switches constraints on (not 0) and off. All are on at first, and what is switched stays so. Rows that are "
        "off have no forces: whatever "
        "is given\n * for them is not read, and what they answer is 0. A change forgets the damping",
        "activate");
  }
  declare(fmt::format("A new configuration{}. Forgets the damping", contacts ? " and contacts" : ""), "update");
  declare("y = Λ⁻¹ x, after update. y and x do not overlap", "apply");
  declare("A new R⁻¹, after update: " + damping_words(m), "damp");
  declare("z = (R⁻¹ + Λ⁻¹)⁻¹ b, after damp, refined where digits would be lost. z and b do not overlap", "solve");
  declare("Makes the residual of z smaller, in at most so many steps", "refine");
  if (has_dynamics(m)) {
    for (const char* function : kDynamicsFunctions)
      text += "/* " + dynamics_words(function) + ". */\n" + dynamics_signature(m, function) + ";\n\n";
  }
  if (has_contact_solver(m)) {
    text += contact_declarations(m);
  } else if (has_dynamics(m)) {
    text += "/* No contact forces: " + without_marks(why_no_contact_solver(m)) + ". */\n\n";
  }
  return text;
}

std::string motion_words(const std::string& function) {
  if (function == "inverse_dynamics") return "tau = M a + h: torques from accelerations, with gravity";
  if (function == "forward_dynamics") return "a = M⁻¹ (tau - h): accelerations from torques, without constraints";
  return "Where frames are, and how they move";
}

}  // namespace

std::string macro(const Material& m, const std::string& word) { return upper(m.dialect.prefix + "_" + word); }

std::string operator_signature(const Material& m, const std::string& function) {
  const std::string real = m.dialect.real(), rows = macro(m, "ROWS");
  const auto array = [](const std::string& type, const std::string& name, const std::string& size) {
    return ", " + type + " " + name + "[" + size + "]";
  };
  if (function == "activate") {
    return fmt::format("void {0}_activate({0}_factor *f, const unsigned char active[{1}])", m.dialect.prefix,
                       macro(m, "CONSTRAINTS"));
  }
  std::string given;
  if (function == "update") {
    given = array("const " + real, "q", macro(m, "NQ"));
    if (!contact_inputs(m.constraints, m.options).empty())
      given += array("const " + m.dialect.prefix + "_contact", "contacts", macro(m, "CONTACTS"));
  } else if (function == "damp") {
    given = m.options.damping == GenerateOptions::DampingForm::kNumber
                ? ", " + real + " damping"
                : array("const " + real, "damping", macro(m, "DAMPING"));
  } else {
    const bool is_product = function == "apply";
    given = array("const " + real, is_product ? "x" : "b", rows) + array(real, is_product ? "y" : "z", rows);
    if (function == "refine") given += ", int steps";
  }
  const bool keeps = function == "update" || function == "damp";
  return fmt::format("uint32_t {0}_{1}({2}{0}_factor *f{3})", m.dialect.prefix, function, keeps ? "" : "const ", given);
}

std::string motion_signature(const Material& m, const MotionTrace& motion) {
  std::string text = fmt::format("uint32_t {}_{}(", m.dialect.prefix, motion.program.stages[0].name);
  for (std::size_t k = 0; k < motion.arguments.size(); ++k) {
    const MotionTrace::Argument& a = motion.arguments[k];
    text += fmt::format("{}{}{}_{} {}[{}]", k > 0 ? ", " : "", k + 1 < motion.arguments.size() ? "const " : "",
                        m.dialect.prefix, a.type, a.name, macro(m, a.count));
  }
  return text + ")";
}

std::string header_text(const Material& m) {
  const std::string guard = macro(m, "H");
  std::string text = fmt::format("/* {} with {} constraints, {} rows: generated by delassus, not to be edited. */\n",
                                 quoted(m.model.name()), m.constraints.size(), m.trace.rows);
  text += fmt::format(
      "#ifndef {0}\n#define {0}\n\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n", guard);
  text += fmt::format("typedef {} {};\n\n", m.dialect.is_float ? "float" : "double", m.dialect.real());
  text += sizes(m) + "\n" + statuses(m) + list_of_joints(m);
  if (m.trace.rows > 0) text += list_of_rows(m);
  text += "\n" + contact_struct(m) + frame_struct(m) + operator_functions(m);
  for (const MotionTrace& motion : m.motions)
    text += fmt::format("/* {}. */\n{};\n\n", motion_words(motion.program.stages[0].name), motion_signature(m, motion));
  return text + "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

}  // namespace delassus::generation
