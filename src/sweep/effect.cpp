#include "sweep/effect.hpp"

#include <algorithm>
#include <array>

#include "delassus/model/builder.hpp"
#include "model/coordinate_names.hpp"
#include "model/wording.hpp"

namespace delassus {
namespace {

using K = Effect::Kind;
using Of = EffectName::Of;

constexpr std::array<EffectName, 29> kNames{{
    {"friction", K::kFriction, 0, Of::kNothing, true, ""},
    {"mass_scale", K::kMassScale, 0, Of::kBody, true, ""},
    {"inertia_scale", K::kInertiaScale, 0, Of::kBody, true, ""},
    {"com_offset.x", K::kComOffset, 0, Of::kBody, false, "m"},
    {"com_offset.y", K::kComOffset, 1, Of::kBody, false, "m"},
    {"com_offset.z", K::kComOffset, 2, Of::kBody, false, "m"},
    {"kp", K::kKp, 0, Of::kActuator, true, "N m/rad, N/m"},
    {"kd", K::kKd, 0, Of::kActuator, true, "N m s/rad, N s/m"},
    {"effort_limit", K::kEffortLimit, 0, Of::kActuator, true, "N m, N"},
    {"latency", K::kLatency, 0, Of::kNothing, true, "s"},
    {"gravity.x", K::kGravity, 0, Of::kNothing, true, "m/s2"},
    {"gravity.y", K::kGravity, 1, Of::kNothing, true, "m/s2"},
    {"gravity.z", K::kGravity, 2, Of::kNothing, true, "m/s2"},
    {"dt", K::kDt, 0, Of::kNothing, true, "s"},
    {"tolerance", K::kTolerance, 0, Of::kNothing, true, "m/s"},
    {"max_iterations", K::kMaxIterations, 0, Of::kNothing, true, ""},
    {"restitution", K::kRestitution, 0, Of::kNothing, true, ""},
    {"height", K::kHeight, 0, Of::kNothing, true, "m"},
    {"roll", K::kTurn, 0, Of::kNothing, true, "rad"},
    {"pitch", K::kTurn, 1, Of::kNothing, true, "rad"},
    {"yaw", K::kTurn, 2, Of::kNothing, true, "rad"},
    {"q", K::kCoordinate, 0, Of::kCoordinate, false, "rad, m"},
    {"v", K::kVelocity, 0, Of::kVelocity, false, "rad/s, m/s"},
    {"target", K::kTarget, 0, Of::kActuator, false, "rad, m"},
    {"push.x", K::kPush, 0, Of::kNothing, true, "N"},
    {"push.y", K::kPush, 1, Of::kNothing, true, "N"},
    {"push.z", K::kPush, 2, Of::kNothing, true, "N"},
    {"push.start", K::kPushStart, 0, Of::kNothing, true, "s"},
    {"push.seconds", K::kPushSeconds, 0, Of::kNothing, true, "s"},
}};

const EffectName& find_known(std::string_view name) {
  ClosestName closest(name);
  for (const EffectName& known : kNames) {
    if (known.name == name) return known;
    closest.consider(known.name);
  }
  throw Error("there is no parameter " + in_quotes(name) + closest.hint() + "; docs/sweeps.md lists them");
}

int index_of(Of of, std::string_view name, const SimulationSetup& setup) {
  switch (of) {
    case Of::kBody: {
      const int body = find_body(setup.model, name);
      if (body == kWorld || setup.model.frame(setup.model.body_frame(body)).link == kWorld)
        throw Error(in_quotes(name) + " is fixed to the world, where its mass acts on nothing");
      return body;
    }
    case Of::kActuator:
      return static_cast<int>(find_name(actuator_names(setup), name, "motor"));
    case Of::kCoordinate:
      return static_cast<int>(find_name(coordinate_names(setup.model), name, "coordinate"));
    default:
      return static_cast<int>(find_name(velocity_names(setup.model), name, "degree of freedom"));
  }
}

/// Whether a body moves freely in the world, which height and turns of a start are of.
bool floats(const Model& model) {
  for (int i = 0; i < model.num_links(); ++i) {
    if (model.link(i).parent == kWorld && model.link(i).kind == JointKind::kFree) return true;
  }
  return false;
}

}  // namespace

std::span<const EffectName> effect_names() { return kNames; }

std::size_t find_name(std::span<const std::string> names, std::string_view name, std::string_view what) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  ClosestName closest(name);
  for (const std::string& known : names) closest.consider(known);
  std::string hint = closest.hint();
  if (hint.empty() && !names.empty())
    hint = "; there are " + counted(static_cast<int>(names.size()), "name") + " from " + in_quotes(names.front()) +
           " to " + in_quotes(names.back());
  throw Error("there is no " + std::string(what) + " " + in_quotes(name) + hint);
}

std::vector<std::string> actuator_names(const SimulationSetup& setup) {
  std::vector<std::string> out;
  for (const Actuator& a : setup.actuators) out.push_back(a.dof == 0 ? a.joint : a.joint + "." + std::to_string(a.dof));
  return out;
}

Effect find_effect(std::string_view name, const SimulationSetup& setup) {
  const std::size_t colon = name.find(':');
  const EffectName& known = find_known(name.substr(0, colon));
  Effect out{known.kind, known.axis, -1, std::string(known.unit)};
  if ((known.of == Of::kActuator || known.kind == K::kLatency) && setup.actuators.empty())
    throw Error("there are no motors; give 'motors', or leave " + in_quotes(name) + " out");
  if ((known.kind == K::kHeight || known.kind == K::kTurn) && !floats(setup.model))
    throw Error("nothing floats, so that " + in_quotes(name) + " moves nothing; leave it out, or set 'floating'");
  if (colon == std::string_view::npos) {
    if (!known.all)
      throw Error(in_quotes(name) + " needs a name behind a colon, such as " + std::string(name) + ":NAME");
    return out;
  }
  if (known.of == Of::kNothing)
    throw Error(in_quotes(known.name) + " is of the whole case; leave out what stands behind the colon");
  out.index = index_of(known.of, name.substr(colon + 1), setup);
  return out;
}

}  // namespace delassus
