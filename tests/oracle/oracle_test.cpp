// Holds the oracle to what it must be if it is right: rates of what it says about positions, energies,
// Lagrange's equations, and mechanisms worked out by hand.
#include "delassus/operators/oracle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "delassus/math/error.hpp"
#include "delassus/model/builder.hpp"
#include "support/random_system.hpp"

namespace delassus::oracle {
namespace {

using samples::random_constraints;
using samples::random_model;
using samples::random_state;
using samples::State;

using Real = long double;
using Vector = std::vector<Real>;

constexpr int kSystems = 60;
/// For tests that take differences along every degree of freedom.
constexpr int kFewSystems = 20;

/// Where long double is no wider than double, differences lose half of their digits.
const double kDifferenceTolerance = std::numeric_limits<Real>::digits > 53 ? 1e-13 : 1e-9;

Vector widened(const std::vector<double>& x) { return {x.begin(), x.end()}; }
template <int R, int C>
Matrix<Real> widened(const Mat<double, R, C>& A) {
  return {R, C, {std::begin(A.a), std::end(A.a)}};
}

Vector unit_vector(int size, int k) {
  Vector e(static_cast<std::size_t>(size), 0);
  e[static_cast<std::size_t>(k)] = 1;
  return e;
}

/// Largest difference, relative to the largest entry if that is above one.
template <class A, class B>
double difference(const std::vector<A>& a, const std::vector<B>& b) {
  EXPECT_EQ(a.size(), b.size());
  Real worst = 0, scale = 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    scale = std::max({scale, std::abs(Real(a[i])), std::abs(Real(b[i]))});
    worst = std::max(worst, std::abs(Real(a[i]) - Real(b[i])));
    if (std::isnan(a[i]) || std::isnan(b[i])) return std::numeric_limits<double>::infinity();
  }
  return static_cast<double>(worst / scale);
}
template <class A, class B>
double difference(const Matrix<A>& a, const Matrix<B>& b) {
  return difference(a.entries(), b.entries());
}

Vector times(const Matrix<Real>& A, const Vector& x) { return (A * Matrix<Real>(A.cols(), 1, x)).entries(); }

Real dot(const Vector& a, const Vector& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// f'(0) by central differences at four steps, extrapolated to step zero: the error is of order step^8.
Vector rate(const std::function<Vector(Real)>& f) {
  constexpr int kLevels = 4;
  std::vector<Vector> level;
  Real step = Real(1) / 128;
  for (int i = 0; i < kLevels; ++i, step /= 2) {
    Vector d = f(step);
    const Vector back = f(-step);
    for (std::size_t k = 0; k < d.size(); ++k) d[k] = (d[k] - back[k]) / (2 * step);
    level.push_back(std::move(d));
  }
  Real power = 4;
  for (int j = 1; j < kLevels; ++j, power *= 4) {
    for (int i = 0; i + j < kLevels; ++i) {
      Vector& coarse = level[static_cast<std::size_t>(i)];
      const Vector& fine = level[static_cast<std::size_t>(i) + 1];
      for (std::size_t k = 0; k < fine.size(); ++k) coarse[k] = fine[k] + (fine[k] - coarse[k]) / (power - 1);
    }
  }
  return level[0];
}

/// The rate of a function of q along the motion from q at velocity v.
Vector rate_along(const Model& model, const Vector& q, const Vector& v, const std::function<Vector(const Vector&)>& f) {
  return rate([&](Real t) { return f(integrate<Real>(model, q, v, t)); });
}

/// Entries of all poses, frame by frame: R by rows, then p.
Vector poses(const Model& model, const Vector& q) {
  Vector all;
  for (const Place<Real>& place : kinematics<Real>(model, q).places) {
    all.insert(all.end(), place.R.entries().begin(), place.R.entries().end());
    all.insert(all.end(), place.p.entries().begin(), place.p.entries().end());
  }
  return all;
}

/// (ω; ṗ) of a frame from the rates of its pose: ω is the axial vector of Ṙ Rᵀ.
Vector twist(const Place<Real>& at, const Real* rates) {
  const Matrix<Real> W = Matrix<Real>(3, 3, {rates, rates + 9}) * transposed(at.R);
  return {(W(2, 1) - W(1, 2)) / 2, (W(0, 2) - W(2, 0)) / 2, (W(1, 0) - W(0, 1)) / 2, rates[9], rates[10], rates[11]};
}

/// (ω; ṗ) of every frame along a motion.
std::vector<Vector> twists(const Model& model, const Vector& q, const Vector& v) {
  const Vector rates = rate_along(model, q, v, [&](const Vector& at) { return poses(model, at); });
  const Kinematics<Real> k = kinematics<Real>(model, q);
  std::vector<Vector> all;
  for (std::size_t f = 0; f < k.places.size(); ++f) all.push_back(twist(k.places[f], rates.data() + 12 * f));
  return all;
}

/// A body with what the formulas of mechanics ask for, in world axes.
struct BodyAt {
  Real mass;
  Vector com;      // as it stands in the world
  Matrix<Real> I;  // about the centre of mass
  std::size_t frame;
  Vector arm;  // from the frame's origin to the centre of mass

  /// (ω; velocity of the centre of mass) from (ω; velocity of the origin).
  Vector at_com(Vector t) const {
    for (std::size_t i = 0; i < 3; ++i)
      t[3 + i] += t[(i + 1) % 3] * arm[(i + 2) % 3] - t[(i + 2) % 3] * arm[(i + 1) % 3];
    return t;
  }
  /// Angular momentum about the centre of mass, then linear momentum.
  Vector momentum(const Vector& t) const {
    const Vector c = at_com(t);
    Vector both = times(I, {c[0], c[1], c[2]});
    for (std::size_t i = 3; i < 6; ++i) both.push_back(mass * c[i]);
    return both;
  }
};

std::vector<BodyAt> bodies(const Model& model, const Kinematics<Real>& k) {
  std::vector<BodyAt> all;
  for (const BodyDescription& body : model.description().bodies) {
    const std::size_t frame = all.size() + 1;
    const Inertial& in = body.inertial;
    const Place<Real>& at = k.places[frame];
    const Matrix<Real> arm = at.R * widened(in.com);
    Matrix<Real> I(3, 3);
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) I(r, c) = Real(in.inertia(r, c));
    }
    all.push_back({Real(in.mass), (at.p + arm).entries(), at.R * I * transposed(at.R), frame, arm.entries()});
  }
  return all;
}

Real gravity_potential(const Model& model, const Vector& q) {
  Real sum = 0;
  for (const BodyAt& b : bodies(model, kinematics<Real>(model, q))) {
    for (int i = 0; i < 3; ++i) sum -= b.mass * b.com[static_cast<std::size_t>(i)] * Real(model.gravity()[i]);
  }
  return sum;
}

/// Rank by Cholesky with pivoting.
int rank_of(Matrix<Real> A, Real tolerance) {
  Real scale = 0;
  for (int i = 0; i < A.rows(); ++i) scale = std::max(scale, A(i, i));
  for (int rank = 0; rank < A.rows(); ++rank) {
    int p = 0;
    for (int i = 1; i < A.rows(); ++i) p = A(i, i) > A(p, p) ? i : p;
    if (A(p, p) < tolerance * scale) return rank;
    Matrix<Real> row(1, A.cols());
    for (int c = 0; c < A.cols(); ++c) row(0, c) = A(p, c);
    A = A - (1 / A(p, p)) * (transposed(row) * row);
  }
  return A.rows();
}

// ------------------------------------------------------------------------------------------ kinematics

TEST(Oracle, JacobiansAreRatesOfPoses) {
  for (int seed = 0; seed < kFewSystems; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_model(seed);
    const Vector q = widened(random_state(model, seed).q);
    const Kinematics<Real> k = kinematics<Real>(model, q);
    ASSERT_EQ(k.places.size(), model.frames().size());
    ASSERT_EQ(k.jacobians.size(), model.frames().size());
    for (int c = 0; c < model.nv(); ++c) {
      const std::vector<Vector> columns = twists(model, q, unit_vector(model.nv(), c));
      for (std::size_t f = 0; f < columns.size(); ++f) {
        const Vector column = times(k.jacobians[f], unit_vector(model.nv(), c));
        EXPECT_LT(difference(column, columns[f]), kDifferenceTolerance) << "frame " << f << " column " << c;
      }
    }
  }
}

// What a user reads in joint.hpp: a quarter turn about z, then along what z was.
TEST(Oracle, PosesFollowTheTableOfJointKinds) {
  const double quarter = std::acos(0.0);
  const auto pose = [](JointKind kind, const Vec3<double>& axis, const std::vector<double>& q) {
    JointDescription j = joint(kind, "joint", translation(1, 0, 0));
    j.axis = axis;
    j.axis2 = {{3, 0, 0}};
    j.pitch = 0.5;
    ModelBuilder builder("one joint");
    builder.add_body("body", kWorld, j, sphere_inertial(1, 0.1));
    const Place<double> at = kinematics<double>(builder.make_model(), q).places[1];
    return std::vector<double>{at.R(0, 0), at.R(1, 0), at.R(2, 0), at.R(0, 1), at.R(1, 1),
                               at.R(2, 1), at.p(0, 0), at.p(1, 0), at.p(2, 0)};
  };
  using V = std::vector<double>;  // x axis, y axis, origin
  const Vec3<double> z{{0, 0, 2}}, x{{2, 0, 0}}, below{{0, 0, -1}};
  const double s = std::sqrt(0.5);
  EXPECT_LT(difference(pose(JointKind::kRevolute, z, {quarter}), V{0, 1, 0, -1, 0, 0, 1, 0, 0}), 1e-14);
  EXPECT_LT(difference(pose(JointKind::kPrismatic, z, {3}), V{1, 0, 0, 0, 1, 0, 1, 0, 3}), 1e-14);
  EXPECT_LT(difference(pose(JointKind::kHelical, z, {quarter}), V{0, 1, 0, -1, 0, 0, 1, 0, quarter / 2}), 1e-14);
  EXPECT_LT(difference(pose(JointKind::kCylindrical, z, {quarter, 3}), V{0, 1, 0, -1, 0, 0, 1, 0, 3}), 1e-14);
  // First about z; then about x, which has become the world's y.
  EXPECT_LT(difference(pose(JointKind::kUniversal, z, {quarter, quarter}), V{0, 1, 0, 0, 0, 1, 1, 0, 0}), 1e-14);
  EXPECT_LT(difference(pose(JointKind::kSpherical, z, {0, 0, s, s}), V{0, 1, 0, -1, 0, 0, 1, 0, 0}), 1e-14);
  EXPECT_LT(difference(pose(JointKind::kPlanar, z, {2, 3, quarter}), V{0, 1, 0, -1, 0, 0, 3, 3, 0}), 1e-14);
  // z goes to x the short way, so that the plane's x is the world's -z.
  EXPECT_LT(difference(pose(JointKind::kPlanar, x, {2, 3, 0}), V{1, 0, 0, 0, 1, 0, 1, 3, -2}), 1e-14);
  EXPECT_LT(difference(pose(JointKind::kPlanar, below, {2, 3, 0}), V{1, 0, 0, 0, 1, 0, 3, -3, 0}), 1e-14);
  EXPECT_LT(difference(pose(JointKind::kFree, z, {2, 3, 4, 0, 0, s, s}), V{0, 1, 0, -1, 0, 0, 3, 3, 4}), 1e-14);
}

TEST(Oracle, PlacementsCompose) {
  const double quarter = std::acos(0.0);
  ModelDescription d;
  BodyDescription body;
  body.name = "body";
  body.joints = {revolute("first", {{0, 0, 1}}, translation(1, 0, 0)),
                 prismatic("second", {{1, 0, 0}}, translation(0, 2, 0))};
  body.placement = {{{1, 0, 0, 0, 0, -1, 0, 1, 0}}, {{0, 1, 3}}};  // a quarter turn about x
  d.bodies = {body, {"fixed", 0, {}, translation(0, 0, 2), {}}};
  d.frames = {{"corner", 0, translation(1, 1, 1)}};
  const Kinematics<double> k = kinematics<double>(Model(d), std::vector<double>{quarter, 5});
  // The turn makes x the world's y and y the world's -x, so the second joint stands at (-1, 0, 0) and slides
  // along y.
  EXPECT_LT(difference(k.places[1].p.entries(), std::vector<double>{-2, 5, 3}), 1e-14);
  EXPECT_LT(difference(k.places[1].R.entries(), std::vector<double>{0, 0, 1, 1, 0, 0, 0, 1, 0}), 1e-14);
  EXPECT_LT(difference(k.places[2].p.entries(), std::vector<double>{0, 5, 3}), 1e-14);
  EXPECT_LT(difference(k.places[3].p.entries(), std::vector<double>{-1, 6, 4}), 1e-14);
}

TEST(Oracle, InPlaneAxesAreContinuousTowardsMinusZ) {
  for (const double tilt : {1e-1, 1e-3, 1e-5}) {
    JointDescription j = joint(JointKind::kPlanar, "joint");
    j.axis = {{tilt, 0, -1}};
    ModelBuilder builder("planar");
    builder.add_body("body", kWorld, j, sphere_inertial(1, 0.1));
    const auto k = kinematics<double>(builder.make_model(), std::vector<double>{1, 0, 0});
    // Turned from z by an angle just under half a turn, about y: x ends near -x.
    const double length = std::sqrt(1 + tilt * tilt);
    EXPECT_LT(difference(k.places[1].p.entries(), std::vector<double>{-1 / length, 0, -tilt / length}), 1e-14) << tilt;
  }
}

TEST(Oracle, VelocitiesOfQuaternionJointsAreInTheChildsAxes) {
  ModelBuilder builder("free");
  builder.add_body("body", kWorld, joint(JointKind::kFree, "base"), sphere_inertial(1, 0.1));
  const double s = std::sqrt(0.5);
  const auto k = kinematics<double>(builder.make_model(), std::vector<double>{1, 2, 3, 0, 0, s, s});
  // A quarter turn about z: the child's x is the world's y, its y the world's -x.
  const Matrix<double> expected(6, 6, {0, -1, 0, 0, 0,  0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,  //
                                       0, 0,  0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1});
  EXPECT_LT(difference(k.jacobians[1], expected), 1e-14);
}

// -------------------------------------------------------------------------------------------- dynamics

TEST(Oracle, InertiaIsSymmetricAndPositive) {
  for (int seed = 0; seed < kSystems; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_model(seed);
    const Vector q = widened(random_state(model, seed).q);
    const Matrix<Real> M = inertia_matrix<Real>(model, q);
    EXPECT_LT(difference(M, transposed(M)), 100 * static_cast<double>(std::numeric_limits<Real>::epsilon()));
    Matrix<Real> one(model.nv(), model.nv());
    for (int i = 0; i < model.nv(); ++i) one(i, i) = 1;
    const Matrix<Real> inverse = solve_positive(M, one);
    EXPECT_LT(difference(M * inverse, one), 1e-13);
    // Well conditioned, as the generator promises: the product of the largest row sums bounds the condition.
    Real size = 0, inverse_size = 0;
    for (int r = 0; r < model.nv(); ++r) {
      Real sum = 0, inverse_sum = 0;
      for (int c = 0; c < model.nv(); ++c) sum += std::abs(M(r, c)), inverse_sum += std::abs(inverse(r, c));
      size = std::max(size, sum), inverse_size = std::max(inverse_size, inverse_sum);
    }
    EXPECT_LT(size * inverse_size, 1e8L);
  }
}

TEST(Oracle, KineticEnergyIsThatOfTheBodies) {
  for (int seed = 0; seed < kSystems; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_model(seed);
    const State state = random_state(model, seed);
    const Vector q = widened(state.q), v = widened(state.v);
    const std::vector<Vector> velocity = twists(model, q, v);
    Real energy = 0;
    for (std::size_t i = 0; i < v.size(); ++i) energy += Real(model.dofs()[i].armature) * v[i] * v[i] / 2;
    for (const BodyAt& b : bodies(model, kinematics<Real>(model, q))) {
      energy += dot(b.at_com(velocity[b.frame]), b.momentum(velocity[b.frame])) / 2;
    }
    const Real expected = dot(v, times(inertia_matrix<Real>(model, q), v)) / 2;
    EXPECT_LT(difference(Vector{expected}, Vector{energy}), kDifferenceTolerance);
  }
}

// d/dt ∂L/∂q̇ - ∂L/∂q, where velocities are rates of coordinates: h_k = Ṁ v - ½ vᵀ(∂M/∂q_k) v + ∂V/∂q_k.
TEST(Oracle, BiasForcesSatisfyLagrange) {
  for (int seed = 0; seed < kFewSystems; ++seed) {
    SCOPED_TRACE(seed);
    samples::ModelOptions options = samples::random_options(seed);
    options.base = samples::Base::kFixed;
    std::erase(options.kinds, JointKind::kSpherical);
    std::erase(options.kinds, JointKind::kFree);
    const Model model = random_model(seed, options);
    ASSERT_EQ(model.nq(), model.nv());
    const State state = random_state(model, seed);
    const Vector q = widened(state.q), v = widened(state.v);
    const auto momentum = [&](const Vector& at) { return times(inertia_matrix<Real>(model, at), v); };
    const auto lagrangian = [&](const Vector& at) {
      return Vector{dot(v, momentum(at)) / 2 - gravity_potential(model, at)};
    };
    Vector h = rate_along(model, q, v, momentum);
    for (int k = 0; k < model.nv(); ++k) {
      h[static_cast<std::size_t>(k)] -= rate_along(model, q, unit_vector(model.nv(), k), lagrangian)[0];
    }
    EXPECT_LT(difference(bias_forces<Real>(model, q, v), h), kDifferenceTolerance);
  }
}

// Without forces the energy stays: along v at v̇ = 0, vᵀh is the rate of ½vᵀMv + V. Holds for quaternions too.
TEST(Oracle, BiasForcesBalancePower) {
  for (int seed = 0; seed < kSystems; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_model(seed);
    const State state = random_state(model, seed);
    const Vector q = widened(state.q), v = widened(state.v);
    const auto energy = [&](const Vector& at) {
      return Vector{dot(v, times(inertia_matrix<Real>(model, at), v)) / 2 + gravity_potential(model, at)};
    };
    EXPECT_LT(difference(Vector{dot(v, bias_forces<Real>(model, q, v))}, rate_along(model, q, v, energy)),
              kDifferenceTolerance);
  }
}

// D'Alembert, for quaternions too: the rates of the bodies' momenta do the work of h along each degree of
// freedom.
TEST(Oracle, BiasForcesFollowDAlembert) {
  for (int seed = 0; seed < kFewSystems; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_model(seed);
    const State state = random_state(model, seed);
    const Vector q = widened(state.q), v = widened(state.v);
    const auto momenta = [&](const Vector& at) {
      const Kinematics<Real> k = kinematics<Real>(model, at);
      Vector all;
      for (const BodyAt& b : bodies(model, k)) {
        const Vector momentum = b.momentum(times(k.jacobians[b.frame], v));
        all.insert(all.end(), momentum.begin(), momentum.end());
      }
      return all;
    };
    const Vector rates = rate_along(model, q, v, momenta);
    const std::vector<BodyAt> still = bodies(model, kinematics<Real>(model, q));
    Vector h;
    for (int c = 0; c < model.nv(); ++c) {
      const Vector e = unit_vector(model.nv(), c);
      const std::vector<Vector> displacement = twists(model, q, e);
      Real work = rate_along(model, q, e, [&](const Vector& at) { return Vector{gravity_potential(model, at)}; })[0];
      for (std::size_t b = 0; b < still.size(); ++b) {
        const Vector along = still[b].at_com(displacement[still[b].frame]);
        for (std::size_t i = 0; i < 6; ++i) work += along[i] * rates[6 * b + i];
      }
      h.push_back(work);
    }
    EXPECT_LT(difference(bias_forces<Real>(model, q, v), h), kDifferenceTolerance);
  }
}

// Euler's equations, with the centre of mass at the origin and axes of the body.
TEST(Oracle, BiasForcesOfAFreeBody) {
  ModelBuilder builder("free");
  builder.add_body("body", kWorld, joint(JointKind::kFree, "base"), box_inertial(3, {{1, 2, 3}}));
  const Model model = builder.make_model();
  const std::vector<double> h =
      bias_forces<double>(model, std::vector<double>{0, 0, 0, 0, 0, 0, 1}, std::vector<double>{0.1, 0.2, 0.3, 1, 2, 4});
  // Moments of inertia 13, 10, 5: ω × Iω = ((5-10)ωyωz, (13-5)ωzωx, (10-13)ωxωy); then m (ω × v - g).
  const std::vector<double> expected{-5 * 0.06, 8 * 0.03, -3 * 0.02, 3 * 0.2, 3 * -0.1, 3 * 9.81};
  EXPECT_LT(difference(h, expected), 1e-14);
}

// ----------------------------------------------------------------------------------------- constraints

/// Whether the rows are the rate of the position everywhere, and not only where the constraint is satisfied.
bool is_rate_everywhere(const Constraint& c) {
  if (const auto* loop = std::get_if<LoopClosure>(&c)) return loop->free_angular == 7;
  return !std::holds_alternative<PointContact>(c) && !std::holds_alternative<JointFriction>(c) &&
         !std::holds_alternative<CustomRows>(c);
}

void expect_rows_are_rates(const Model& model, const Constraint& c, const Vector& q, const Vector& v) {
  const Vector rows = times(constraint_jacobian<Real>(model, {c}, q), v);
  const Vector rates =
      rate_along(model, q, v, [&](const Vector& at) { return constraint_position<Real>(model, {c}, at); });
  EXPECT_EQ(static_cast<int>(rows.size()), row_count(c));
  EXPECT_LT(difference(rows, rates), kDifferenceTolerance) << kind_of(c) << " " << name_of(c);
}

TEST(Oracle, RowsAreRatesOfPositions) {
  std::set<std::string_view> seen;
  for (int seed = 0; seed < kSystems; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_model(seed);
    const State state = random_state(model, seed);
    for (const Constraint& c : random_constraints(model, seed, 12)) {
      if (!is_rate_everywhere(c)) continue;
      seen.insert(kind_of(c));
      expect_rows_are_rates(model, c, widened(state.q), widened(state.v));
    }
  }
  EXPECT_EQ(seen.size(), 6U) << "loop, distance, limit, coupling, centre of mass, polynomial";
}

// All 63 combinations of axes, both ways to write them, at a configuration in which the frames coincide.
TEST(Oracle, RowsOfClosedLoopsAreRatesOfPositions) {
  samples::ModelOptions options;
  options.links = 7;
  options.base = samples::Base::kFloating;
  const Model model = random_model(5, options);
  const State state = random_state(model, 5);
  const int last = static_cast<int>(model.description().bodies.size());
  samples::Random random(5);
  for (const LoopAxes axes : {LoopAxes::kFrame1, LoopAxes::kWorldAxes}) {
    for (int mask = 0; mask < 63; ++mask) {
      SCOPED_TRACE(mask);
      LoopClosure loop{"loop", {last, random.pose(0.3)}, {1 + mask % 3}, 0, 0, axes, {}};
      loop.free_linear = static_cast<std::uint8_t>(mask % 8);
      loop.free_angular = static_cast<std::uint8_t>(mask / 8);
      const auto whole = [](int m) { return m == 0 || m == 7; };
      if (axes == LoopAxes::kWorldAxes && !(whole(mask % 8) && whole(mask / 8))) continue;
      loop = samples::closed(model, state.q, loop);
      const std::vector<double> position = constraint_position<double>(model, {loop}, state.q);
      EXPECT_LT(difference(position, std::vector<double>(position.size(), 0.0)), 1e-14);
      // Rounding leaves the frames 1e-16 apart, and rows are rates up to that.
      expect_rows_are_rates(model, loop, widened(state.q), widened(state.v));
    }
  }
}

// Free axes let go: a revolute loop may have turned, and a universal one twice, and still hold.
TEST(Oracle, PositionsIgnoreFreeMotion) {
  ModelBuilder builder("two bodies");
  builder.add_body("one", kWorld, joint(JointKind::kFree, "base"), sphere_inertial(1, 0.1));
  JointDescription second = joint(JointKind::kUniversal, "second", translation(0, 0, 0.4));
  second.axis = {{1, 0, 0}};
  second.axis2 = {{0, 1, 0}};
  builder.add_body("two", 0, second, sphere_inertial(1, 0.1));
  const Model model = builder.make_model();
  State state = random_state(model, 2);
  // The joint turns about axis x of frame 1, then about axis y of frame 2: z is held.
  const LoopClosure universal{"universal", {1, translation(0, 0, 0.4)}, {2}, 0, 0b011, LoopAxes::kFrame1, {}};
  LoopClosure hinge = universal;
  hinge.free_angular = 0b001;
  for (const double x : constraint_position<double>(model, {universal}, state.q)) EXPECT_LT(std::abs(x), 1e-14);
  expect_rows_are_rates(model, universal, widened(state.q), widened(state.v));
  // The joint that the loop repeats is not felt by it.
  const Matrix<Real> J = constraint_jacobian<Real>(model, {universal}, widened(state.q));
  for (const Real x : J.entries()) EXPECT_LT(std::abs(x), 1e-14L);
  state.q.back() = 0;
  for (const double x : constraint_position<double>(model, {hinge}, state.q)) EXPECT_LT(std::abs(x), 1e-14);
  expect_rows_are_rates(model, hinge, widened(state.q), widened(state.v));
}

TEST(Oracle, PositionIsTheWholeRotationUpToHalfATurn) {
  ModelBuilder builder("ball");
  builder.add_body("ball", kWorld, joint(JointKind::kSpherical, "joint"), sphere_inertial(1, 0.1));
  const Model model = builder.make_model();
  LoopClosure hold{"hold", {1}, {0}, 7, 0, LoopAxes::kWorldAxes, {}};
  for (const double angle : {0.0, 1e-12, 1e-4, 1.0, 2.0, 3.0, 3.14159, 3.1415926535}) {
    const double s = std::sin(angle / 2), c = std::cos(angle / 2);
    const std::vector<double> q{-s * 0.6, s * 0.64, s * 0.48, c};
    const std::vector<double> expected{-angle * 0.6, angle * 0.64, angle * 0.48};
    EXPECT_LT(difference(constraint_position<double>(model, {hold}, q), expected), 1e-14) << angle;
    // The other quaternion of the same rotation.
    const std::vector<double> negative{-q[0], -q[1], -q[2], -q[3]};
    EXPECT_LT(difference(constraint_position<double>(model, {hold}, negative), expected), 1e-14) << angle;
  }
}

TEST(Oracle, ContactRowsAreRelativeVelocities) {
  for (int seed = 0; seed < kSystems; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_model(seed);
    const State state = random_state(model, seed);
    const Vector q = widened(state.q), v = widened(state.v);
    for (const Constraint& c : random_constraints(model, seed, 12)) {
      const auto* contact = std::get_if<PointContact>(&c);
      if (contact == nullptr) continue;
      const auto a = static_cast<std::size_t>(contact->a.frame), b = static_cast<std::size_t>(contact->b);
      // Where a's point is, and how a is turned, as seen from b.
      const auto seen_from_b = [&](const Vector& at) {
        const Kinematics<Real> k = kinematics<Real>(model, at);
        const Place<Real>&A = k.places[a], &B = k.places[b];
        const Matrix<Real> point = A.p + A.R * widened(contact->a.offset.p);
        const Matrix<Real> seen = transposed(B.R) * (point - B.p);
        Vector all = (transposed(B.R) * A.R).entries();
        all.insert(all.end(), seen.entries().begin(), seen.entries().end());
        return all;
      };
      const Vector rates = rate_along(model, q, v, seen_from_b);
      const Kinematics<Real> k = kinematics<Real>(model, q);
      const Place<Real> relative{transposed(k.places[b].R) * k.places[a].R, {}};
      const Vector t = twist(relative, rates.data());
      const Matrix<Real> E = widened(contact->axes) * k.places[b].R;
      Vector expected = times(E, {t[3], t[4], t[5]});
      for (const Real x : times(E, {t[0], t[1], t[2]})) expected.push_back(x);
      expected.resize(static_cast<std::size_t>(row_count(contact->kind)));
      EXPECT_LT(difference(times(constraint_jacobian<Real>(model, {c}, q), v), expected), kDifferenceTolerance);
      Vector gap(expected.size(), 0);
      gap[0] = Real(contact->gap);
      EXPECT_EQ(constraint_position<Real>(model, {c}, q), gap);
    }
  }
}

TEST(Oracle, CustomRowsAreSumsOverFramesAndDofs) {
  for (int seed = 0; seed < kSystems; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_model(seed);
    const State state = random_state(model, seed);
    const Vector q = widened(state.q), v = widened(state.v);
    const std::vector<Vector> velocity = twists(model, q, v);
    const Kinematics<Real> k = kinematics<Real>(model, q);
    for (const Constraint& c : random_constraints(model, seed, 12)) {
      const auto* custom = std::get_if<CustomRows>(&c);
      if (custom == nullptr) continue;
      Vector expected(static_cast<std::size_t>(custom->rows), 0);
      for (std::size_t r = 0; r < expected.size(); ++r) {
        for (const CustomRows::BodyTerm& term : custom->bodies) {
          const auto f = static_cast<std::size_t>(term.frame);
          for (int i = 0; i < 6; ++i) {
            Real own = 0;  // component along the frame's own axis i % 3
            for (int l = 0; l < 3; ++l)
              own += k.places[f].R(l, i % 3) * velocity[f][static_cast<std::size_t>(i / 3 * 3 + l)];
            expected[r] += Real(term.K[6 * r + static_cast<std::size_t>(i)]) * own;
          }
        }
        for (const CustomRows::DofTerm& term : custom->dofs) {
          expected[r] += Real(term.weights[r]) * v[static_cast<std::size_t>(term.v)];
        }
      }
      EXPECT_LT(difference(times(constraint_jacobian<Real>(model, {c}, q), v), expected), kDifferenceTolerance);
    }
  }
}

TEST(Oracle, DriftIsTheRateOfRowsTimesVelocity) {
  std::set<std::string_view> seen;
  for (int seed = 0; seed < kSystems; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_model(seed);
    const State state = random_state(model, seed);
    const Vector q = widened(state.q), v = widened(state.v);
    for (const Constraint& c : random_constraints(model, seed, 12)) {
      seen.insert(kind_of(c));
      const Vector rates = rate_along(
          model, q, v, [&](const Vector& at) { return times(constraint_jacobian<Real>(model, {c}, at), v); });
      EXPECT_LT(difference(constraint_drift<Real>(model, {c}, q, v), rates), kDifferenceTolerance)
          << kind_of(c) << " " << name_of(c);
    }
  }
  EXPECT_EQ(seen.size(), std::variant_size_v<Constraint>);
}

TEST(Oracle, RowsComeInTheOrderOfConstraints) {
  const Model model = random_model(11);
  const Vector q = widened(random_state(model, 11).q);
  const std::vector<Constraint> constraints = random_constraints(model, 11, 9);
  Vector rows, position;
  for (const Constraint& c : constraints) {
    const Matrix<Real> J = constraint_jacobian<Real>(model, {c}, q);
    rows.insert(rows.end(), J.entries().begin(), J.entries().end());
    for (const Real x : constraint_position<Real>(model, {c}, q)) position.push_back(x);
  }
  EXPECT_EQ(constraint_jacobian<Real>(model, constraints, q).entries(), rows);
  EXPECT_EQ(constraint_position<Real>(model, constraints, q), position);
}

// ----------------------------------------------------------------------------------- matrices and ranks

TEST(Oracle, DoubleAgreesWithLongDouble) {
  for (int seed = 0; seed < kSystems; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_model(seed);
    const State s = random_state(model, seed);
    const Vector q = widened(s.q), v = widened(s.v);
    const std::vector<Constraint> c = random_constraints(model, seed, 6);
    EXPECT_LT(difference(inertia_matrix<double>(model, s.q), inertia_matrix<Real>(model, q)), 1e-13);
    EXPECT_LT(difference(bias_forces<double>(model, s.q, s.v), bias_forces<Real>(model, q, v)), 1e-12);
    EXPECT_LT(difference(constraint_jacobian<double>(model, c, s.q), constraint_jacobian<Real>(model, c, q)), 1e-13);
    EXPECT_LT(difference(constraint_position<double>(model, c, s.q), constraint_position<Real>(model, c, q)), 1e-13);
    EXPECT_LT(difference(constraint_drift<double>(model, c, s.q, s.v), constraint_drift<Real>(model, c, q, v)), 1e-12);
    EXPECT_LT(difference(delassus_matrix<double>(model, c, s.q), delassus_matrix<Real>(model, c, q)), 1e-12);
  }
}

// Gauss: a force λ on the rows changes their acceleration by J M⁻¹Jᵀ λ. Here by solving the equations of
// motion whole.
TEST(Oracle, DelassusMatrixIsTheResponseToForces) {
  for (int seed = 0; seed < kSystems; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_model(seed);
    const Vector q = widened(random_state(model, seed).q);
    const std::vector<Constraint> c = random_constraints(model, seed, 5);
    const Matrix<Real> J = constraint_jacobian<Real>(model, c, q);
    const Matrix<Real> D = delassus_matrix<Real>(model, c, q), M = inertia_matrix<Real>(model, q);
    EXPECT_LT(difference(D, transposed(D)), 1e-14);
    for (int r = 0; r < J.rows(); ++r) {
      const Vector lambda = unit_vector(J.rows(), r);
      const Vector force = times(transposed(J), lambda);
      const Vector acceleration = solve_positive(M, Matrix<Real>(model.nv(), 1, force)).entries();
      EXPECT_LT(difference(times(M, acceleration), force), 1e-14);
      EXPECT_LT(difference(times(D, lambda), times(J, acceleration)), 1e-14);
    }
  }
}

TEST(Oracle, SingularSystemsLoseTheirRank) {
  for (const samples::System& s : {samples::straight_chain_with_end_contact(6), samples::duplicated_constraint(),
                                   samples::foot_with_four_points()}) {
    SCOPED_TRACE(s.model.name());
    const Matrix<Real> D = delassus_matrix<Real>(s.model, s.constraints, widened(s.state.q));
    EXPECT_EQ(rank_of(D, 1e-12L), s.rank);
    EXPECT_LT(s.rank, D.rows());
  }
}

TEST(Oracle, MatricesConvertToViews) {
  Matrix<double> A(2, 3, {1, 2, 3, 4, 5, 6});
  const MatrixView<double> view = A;
  const MatrixView<const double> constant = std::as_const(A);
  view(1, 0) = 7;
  EXPECT_EQ(A(1, 0), 7);
  EXPECT_EQ(constant.rows(), 2);
  EXPECT_EQ(constant(0, 2), 3);
}

TEST(Oracle, WrongArgumentsAreErrors) {
  const Model model = random_model(3);
  const State s = random_state(model, 3);
  std::vector<double> longer = s.q;
  longer.push_back(0);
  EXPECT_THROW(kinematics<double>(model, longer), Error);
  EXPECT_THROW(inertia_matrix<double>(model, longer), Error);
  EXPECT_THROW(bias_forces<double>(model, s.q, longer), Error);
  EXPECT_THROW(constraint_drift<double>(model, {}, longer, s.v), Error);
  EXPECT_THROW(integrate<double>(model, s.q, longer, 0.1), Error);
  EXPECT_THROW(constraint_jacobian<double>(model, {Distance{"d", {99999}, {0}, 1, {}}}, s.q), Error);
  EXPECT_THROW(constraint_jacobian<double>(model, {Distance{"d", {1}, {1}, 1, {}}}, s.q), Error);
  EXPECT_THROW(solve_positive(Matrix<double>(2, 2, {1, 2, 2, 1}), Matrix<double>(2, 1)), Error);
}

// --------------------------------------------------------------------------------------------- by hand

// Two rods that swing about y, hanging down at zero: relative angles, centres of mass at half length.
TEST(Oracle, DoublePendulumByHand) {
  const double m1 = 1.5, m2 = 0.7, l1 = 0.8, l2 = 0.6, I1 = 0.09, I2 = 0.03, armature = 0.02, g = 9.81;
  const auto rod = [](double mass, double length, double inertia) {
    Inertial in{mass, {{0, 0, -length / 2}}, Sym3<double>::zero()};
    in.inertia(0, 0) = in.inertia(1, 1) = inertia;
    return in;
  };
  ModelBuilder builder("double pendulum");
  builder.add_body("upper", kWorld, revolute("shoulder", {{0, 1, 0}}), rod(m1, l1, I1));
  JointDescription elbow = revolute("elbow", {{0, 1, 0}}, translation(0, 0, -l1));
  elbow.dofs[0].armature = armature;
  builder.add_body("lower", 0, elbow, rod(m2, l2, I2));
  builder.add_frame("tip", 1, translation(0, 0, -l2));
  const Model model = builder.make_model();

  const double q1 = 0.4, q2 = -1.1, v1 = 0.9, v2 = -0.5;
  const double s1 = std::sin(q1), c1 = std::cos(q1), s12 = std::sin(q1 + q2), c12 = std::cos(q1 + q2);
  const std::vector<double> q{q1, q2}, v{v1, v2};

  const double c1r = l1 / 2, c2r = l2 / 2, c2 = std::cos(q2), s2 = std::sin(q2);
  const double M22 = I2 + m2 * c2r * c2r, M12 = M22 + m2 * l1 * c2r * c2;
  const double M11 = I1 + m1 * c1r * c1r + I2 + m2 * (l1 * l1 + c2r * c2r + 2 * l1 * c2r * c2);
  EXPECT_LT(difference(inertia_matrix<double>(model, q), Matrix<double>(2, 2, {M11, M12, M12, M22 + armature})), 1e-14);

  const double b = m2 * l1 * c2r * s2;
  const double h1 = -b * (2 * v1 * v2 + v2 * v2) + g * ((m1 * c1r + m2 * l1) * s1 + m2 * c2r * s12);
  const double h2 = b * v1 * v1 + g * m2 * c2r * s12;
  EXPECT_LT(difference(bias_forces<double>(model, q, v), std::vector<double>{h1, h2}), 1e-14);

  // The tip hangs at (-l1 s1 - l2 s12, 0, -l1 c1 - l2 c12); a contact measures its velocity along z and x.
  PointContact contact;
  contact.a = attach(model, "tip");
  const Matrix<double> J(3, 2, {l1 * s1 + l2 * s12, l2 * s12, -l1 * c1 - l2 * c12, -l2 * c12, 0, 0});
  EXPECT_LT(difference(constraint_jacobian<double>(model, {contact}, q), J), 1e-14);
  const double w = v1 + v2;
  const std::vector<double> drift{l1 * c1 * v1 * v1 + l2 * c12 * w * w, l1 * s1 * v1 * v1 + l2 * s12 * w * w, 0};
  EXPECT_LT(difference(constraint_drift<double>(model, {contact}, q, v), drift), 1e-14);

  const double det = M11 * (M22 + armature) - M12 * M12;
  const Matrix<double> inverse(2, 2, {(M22 + armature) / det, -M12 / det, -M12 / det, M11 / det});
  EXPECT_LT(difference(delassus_matrix<double>(model, {contact}, q), J * inverse * transposed(J)), 1e-13);
}

// Crank and coupler from the left pivot, rocker from the right one, in the plane x y.
TEST(Oracle, FourBarByHand) {
  const double a = 0.3, b = 0.9, c = 0.5, d = 0.8;  // crank, coupler, rocker, distance of the pivots
  const auto bar = [](double length) { return box_inertial(1, {{length / 2, 0.02, 0.02}}, {{length / 2, 0, 0}}); };
  ModelBuilder builder("four bar");
  builder.add_body("crank", kWorld, revolute("left", {{0, 0, 1}}), bar(a));
  builder.add_body("coupler", 0, revolute("knee", {{0, 0, 1}}, translation(a, 0, 0)), bar(b));
  builder.add_body("rocker", kWorld, revolute("right", {{0, 0, 1}}, translation(d, 0, 0)), bar(c));
  const Model model = builder.make_model();
  const LoopClosure pin{
      "pin", attach(model, "coupler", {{b, 0, 0}}), attach(model, "rocker", {{c, 0, 0}}), 0, 0b100, LoopAxes::kFrame1,
      {}};
  const LoopClosure ball = make_ball("ball", pin.first, pin.second);

  const double q1 = 1.2, q2 = -0.7, q3 = 2.0, v1 = 0.3, v2 = 0.8, v3 = -0.6;  // not closed
  const std::vector<double> q{q1, q2, q3}, v{v1, v2, v3};
  const double s1 = std::sin(q1), c1 = std::cos(q1), s12 = std::sin(q1 + q2), c12 = std::cos(q1 + q2);
  const double s3 = std::sin(q3), c3 = std::cos(q3), w = v1 + v2;
  const std::vector<double> gap{a * c1 + b * c12 - d - c * c3, a * s1 + b * s12 - c * s3, 0};
  EXPECT_LT(difference(constraint_position<double>(model, {ball}, q), gap), 1e-14);
  const Matrix<double> J(3, 3, {-a * s1 - b * s12, -b * s12, c * s3, a * c1 + b * c12, b * c12, -c * c3, 0, 0, 0});
  EXPECT_LT(difference(constraint_jacobian<double>(model, {ball}, q), J), 1e-14);
  const std::vector<double> drift{-a * c1 * v1 * v1 - b * c12 * w * w + c * c3 * v3 * v3,
                                  -a * s1 * v1 * v1 - b * s12 * w * w + c * s3 * v3 * v3, 0};
  EXPECT_LT(difference(constraint_drift<double>(model, {ball}, q, v), drift), 1e-14);

  // In the coupler's axes the gap is turned back by q1 + q2, and its rate has a share from the turning axes.
  const auto turned = [&](double x, double y) { return std::vector<double>{c12 * x + s12 * y, -s12 * x + c12 * y}; };
  std::vector<double> local = turned(gap[0], gap[1]);
  local.insert(local.end(), {0, 0, 0});
  EXPECT_LT(difference(constraint_position<double>(model, {pin}, q), local), 1e-14);
  const double vx = J(0, 0) * v1 + J(0, 1) * v2 + J(0, 2) * v3, vy = J(1, 0) * v1 + J(1, 1) * v2 + J(1, 2) * v3;
  std::vector<double> speed = turned(vx + w * gap[1], vy - w * gap[0]);
  speed.insert(speed.end(), {0, 0, 0});
  const Matrix<double> rows = constraint_jacobian<double>(model, {pin}, q) * Matrix<double>(3, 1, v);
  EXPECT_LT(difference(rows.entries(), speed), 1e-14);

  // Closed as a parallelogram, a turn of the crank is followed by the rocker, and the coupler does not turn.
  ModelBuilder equal("parallelogram");
  equal.add_body("crank", kWorld, revolute("left", {{0, 0, 1}}), bar(a));
  equal.add_body("coupler", 0, revolute("knee", {{0, 0, 1}}, translation(a, 0, 0)), bar(d));
  equal.add_body("rocker", kWorld, revolute("right", {{0, 0, 1}}, translation(d, 0, 0)), bar(a));
  const Model parallel = equal.make_model();
  LoopClosure tie = pin;
  tie.first = attach(parallel, "coupler", {{d, 0, 0}});
  tie.second = attach(parallel, "rocker", {{a, 0, 0}});
  const std::vector<double> at{0.7, -0.7, 0.7};
  const std::vector<double> zero(5, 0.0);
  EXPECT_LT(difference(constraint_position<double>(parallel, {tie}, at), zero), 1e-14);
  const Matrix<double> still = constraint_jacobian<double>(parallel, {tie}, at) * Matrix<double>(3, 1, {1, -1, 1});
  EXPECT_LT(difference(still.entries(), zero), 1e-14);
}

// ------------------------------------------------------------------------------------------- generator

TEST(RandomSystem, IsTheSameForTheSameSeed) {
  for (int seed = 0; seed < 10; ++seed) {
    const Model model = random_model(seed);
    EXPECT_EQ(model.description(), random_model(seed).description());
    EXPECT_NE(model.description(), random_model(seed + 1).description());
    EXPECT_EQ(random_state(model, seed).q, random_state(model, seed).q);
    EXPECT_EQ(random_constraints(model, seed, 8), random_constraints(model, seed, 8));
    EXPECT_NE(random_constraints(model, seed, 8), random_constraints(model, seed + 1, 8));
  }
}

TEST(RandomSystem, HasTheLinksAndBaseAskedFor) {
  for (int links = 1; links <= 22; ++links) {
    samples::ModelOptions options;
    options.links = links;
    EXPECT_EQ(random_model(links, options).num_links(), links);
    options.base = samples::Base::kFloating;
    EXPECT_EQ(random_model(links, options).link(0).kind, JointKind::kFree);
  }
}

// Together the seeds that the tests use meet everything once; otherwise a test may hold of nothing.
TEST(RandomSystem, CoversItsRange) {
  std::set<JointKind> joints;
  std::set<int> loop_forms;
  bool several_roots = false, massless = false, fixed_in_between = false, fixed_to_world = false, neighbours = false;
  bool shared_link = false, interior = false;
  for (int seed = 0; seed < kSystems; ++seed) {
    const Model model = random_model(seed);
    EXPECT_TRUE(validate(model.description()).warnings.empty());
    int roots = 0;
    std::vector<bool> has_child(static_cast<std::size_t>(model.num_links()), false);
    for (const Link& link : model.links()) {
      joints.insert(link.kind);
      roots += link.parent == kWorld ? 1 : 0;
      if (link.parent != kWorld) has_child[static_cast<std::size_t>(link.parent)] = true;
    }
    several_roots |= roots > 1;
    for (const BodyDescription& body : model.description().bodies) {
      massless |= body.joints.size() > 1;
      if (body.joints.empty()) (body.parent == kWorld ? fixed_to_world : fixed_in_between) = true;
    }
    std::set<int> bearing;
    for (const Constraint& c : random_constraints(model, seed, 12)) {
      require_valid(model, c);
      const auto* loop = std::get_if<LoopClosure>(&c);
      if (loop == nullptr) continue;
      const int one = model.frame(loop->first.frame).link, two = model.frame(loop->second.frame).link;
      EXPECT_NE(one, two);
      neighbours |= two != kWorld && model.link(one).parent == two;
      shared_link |= !bearing.insert(one).second;
      interior |= has_child[static_cast<std::size_t>(one)];
      loop_forms.insert(loop->free_angular + 8 * (loop->axes == LoopAxes::kWorldAxes ? 1 : 0));
    }
  }
  EXPECT_EQ(joints.size(), std::size_t{kNumJointKinds});
  EXPECT_EQ(loop_forms.size(), 10U) << "eight sets of free angular axes in frame 1, two in the world";
  EXPECT_TRUE(several_roots && massless && fixed_in_between && fixed_to_world);
  EXPECT_TRUE(neighbours && shared_link && interior);
}

}  // namespace
}  // namespace delassus::oracle
