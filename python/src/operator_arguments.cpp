#include "operator_arguments.hpp"

#include <cmath>

#include "arrays.hpp"

namespace delassus::python {

namespace {
constexpr std::array<std::string_view, 4> kForms{"cheapest", "stiffness", "loop_multipliers", "all_multipliers"};
}

template <>
struct EnumNames<ConstraintForm> {
  static std::span<const std::string_view> names() { return kForms; }
};
template <>
struct EnumNames<Condense> {
  static constexpr std::array<std::string_view, 2> kNames{"nothing", "tips"};
  static std::span<const std::string_view> names() { return kNames; }
};
template <>
struct EnumNames<NodeOrder> {
  static constexpr std::array<std::string_view, 3> kNames{"minimum_degree", "tree", "random"};
  static std::span<const std::string_view> names() { return kNames; }
};

namespace {

using Kind = Damping<double>::Kind;

void require_number(double damping, const std::string& argument) {
  if (std::isnan(damping)) throw Error("argument '" + argument + "' is not a number (NaN)");
  if (std::isinf(damping)) throw Error("argument '" + argument + "' is infinite; a damping is a finite number");
}

}  // namespace

AlgorithmOptions options_from_python(py::handle options, Algorithm algorithm) {
  if (options.is_none()) return {};
  if (py::isinstance<CondensedOptions>(options) && algorithm == Algorithm::kCondensed) {
    return options.cast<const CondensedOptions&>();
  }
  if (py::isinstance<LcabaOptions>(options) && algorithm == Algorithm::kLcaba) {
    return options.cast<const LcabaOptions&>();
  }
  if (py::isinstance<CondensedOptions>(options) || py::isinstance<LcabaOptions>(options)) {
    throw Error("argument 'options' is " + kind_of_object(options) + ", which is not for the algorithm " +
                std::string(name_of(algorithm)));
  }
  throw_wrong_type("options", options, "CondensedOptions, LcabaOptions or None");
}

py::object options_to_python(const AlgorithmOptions& options) {
  if (const auto* condensed = std::get_if<CondensedOptions>(&options)) return py::cast(*condensed);
  if (const auto* lcaba = std::get_if<LcabaOptions>(&options)) return py::cast(*lcaba);
  return py::none();
}

void bind_operator_options(py::module_& m) {
  ValueClass<CondensedCapacity> capacity(
      m, "CondensedCapacity", "How large structures of rows may get. All zero: any size, and memory grows with them.",
      {field("constraints", &CondensedCapacity::constraints, "How many."),
       field("rows", &CondensedCapacity::rows, "Of all constraints."),
       field("blocks", &CondensedCapacity::blocks, "One for each link that a constraint acts on."),
       field("entries", &CondensedCapacity::entries, "One for each joint and row of constraints on joints."),
       field("couplings", &CondensedCapacity::couplings, "Between nodes, with those that elimination adds.")});
  capacity.bound.def_static(
      "room_for",
      [](const py::object& constraints) {
        return room_for(static_cast<int>(integer_from(constraints, "constraints", 1, 1'000'000)));
      },
      py::arg("constraints"), "Room for so many contacts, each on one or two links.");
  ValueClass<CondensedOptions>(
      m, "CondensedOptions", "Options of the algorithm condensed.",
      {field("form", &CondensedOptions::form,
             "How constraints that are not carried enter: cheapest, stiffness, loop_multipliers or all_multipliers."),
       field("condense", &CondensedOptions::condense, "Which chains are carried: tips or nothing."),
       field("order", &CondensedOptions::order, "Of elimination: minimum_degree, tree or random."),
       field("seed", &CondensedOptions::seed, "Of the random order."),
       field("tolerance", &CondensedOptions::tolerance, "Residual that solves may leave, relative to b."),
       field("refinements", &CondensedOptions::refinements, "At most, per solve; 0: nothing is checked."),
       field("capacity", &CondensedOptions::capacity,
             "If limited, all memory is taken at once and a larger structure is an Error."),
       field("fallback_rows", &CondensedOptions::fallback_rows,
             "Up to so many rows, solves that stay above the tolerance are done with the explicit matrix; 0: never."),
       field("reserve_fallback", &CondensedOptions::reserve_fallback,
             "Whether memory for that is taken with the structure of the rows, and not when it is needed."),
       field("check_always", &CondensedOptions::check_always,
             "Whether every solve is checked, and refined as far as rounding lets it.")});
  ValueClass<LcabaOptions>(
      m, "LcabaOptions", "Options of the algorithm lcaba.",
      {field("form", &LcabaOptions::form,
             "How constraints enter: cheapest, stiffness, loop_multipliers or all_multipliers."),
       field("order", &LcabaOptions::order, "Of elimination: minimum_degree, tree or random."),
       field("seed", &LcabaOptions::seed, "Of the random order."),
       field("refinements", &LcabaOptions::refinements, "At most, per solve; 0 also spares the residual.")});
}

StoredDamping damping_from(py::handle damping, int rows) {
  if (py::isinstance<py::array>(damping) && py::reinterpret_borrow<py::array>(damping).ndim() > 0) {
    const auto values = vector_in(damping, "damping", rows);
    for (int r = 0; r < values.size(); ++r) require_number(values[r], "damping[" + std::to_string(r) + "]");
    return {Kind::kDiagonal, {values.data(), values.data() + values.size()}};
  }
  if (!PyNumber_Check(damping.ptr())) {
    throw_wrong_type("damping", damping, "a number, an array (rows,), or a list of one array (m, m) per constraint");
  }
  const auto value = Convert<double>::from(damping, "damping");
  require_number(value, "damping");
  return {Kind::kScalar, {value}};
}

StoredDamping diagonal_damping_from(py::handle damping, int rows) {
  if (is_list_of_blocks(damping)) throw_wrong_type("damping", damping, "a number or an array (rows,)");
  StoredDamping out = damping_from(damping, rows);
  if (out.kind == Kind::kScalar) out.values.resize(static_cast<std::size_t>(rows), out.values.front());
  return out;
}

bool is_list_of_blocks(py::handle damping) {
  return py::isinstance<py::list>(damping) || py::isinstance<py::tuple>(damping);
}

StoredDamping block_damping_from(py::handle list, const std::vector<int>& rows) {
  if (py::len(list) != rows.size()) {
    throw Error("argument 'damping' has " + std::to_string(py::len(list)) + " blocks; expected one for each of the " +
                std::to_string(rows.size()) + " constraints");
  }
  StoredDamping out{Kind::kBlocks, {}};
  std::size_t k = 0;
  for (const py::handle item : list) {
    const std::string argument = "damping[" + std::to_string(k) + "]";
    const int size = rows[k++];
    const auto block = matrix_in(item, argument.c_str(), size, size);
    for (int r = 0; r < size; ++r) {
      for (int c = 0; c < size; ++c) {
        require_number(block(r, c), argument);
        if (block(r, c) != block(c, r)) throw Error("argument '" + argument + "' is not symmetric");
        out.values.push_back(block(r, c));
      }
    }
  }
  return out;
}

py::object damping_to_python(const StoredDamping& damping) {
  return py::make_tuple(static_cast<int>(damping.kind), Convert<std::vector<double>>::to(damping.values));
}

StoredDamping stored_damping_from(py::handle damping) {
  const auto pair = py::cast<py::tuple>(damping);
  const auto kind = integer_from(pair[0], "damping", 0, static_cast<std::uint64_t>(Kind::kBlocks));
  StoredDamping out{static_cast<Kind>(kind), numbers_from(pair[1], "damping", {-1})};
  if (out.kind == Kind::kScalar && out.values.size() != 1) throw Error("this pickle holds no damping of one number");
  return out;
}

}  // namespace delassus::python
