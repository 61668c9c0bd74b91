#include "support/damped_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "delassus/model/builder.hpp"
#include "support/compare.hpp"

namespace delassus::testing {
namespace {

constexpr std::uint64_t kLimbStream = 71, kBoxStream = 72;

std::string numbered(const char* name, std::size_t number) { return name + std::to_string(number); }

/// A frame of every link that is nobody's parent; of one link several, if it has them.
std::vector<int> frames_at_tips(const Model& model) {
  std::vector<bool> has_child(model.num_links(), false);
  for (int i = 0; i < model.num_links(); ++i) {
    if (model.link(i).parent != kWorld) has_child[model.link(i).parent] = true;
  }
  std::vector<int> frames;
  for (int f = 0; f < static_cast<int>(model.frames().size()); ++f) {
    const int link = model.frame(f).link;
    if (link != kWorld && !has_child[link]) frames.push_back(f);
  }
  return frames;
}

PointContact random_contact(samples::Random& random, std::string name, int frame, int other) {
  PointContact c;
  c.name = std::move(name);
  c.a = {frame, random.pose(0.3)};
  c.b = other;
  c.axes = contact_axes(random.direction());
  c.kind = random.pick<ContactKind>({ContactKind::kFrictionless, ContactKind::kSliding, ContactKind::kSliding,
                                     ContactKind::kTorsional, ContactKind::kRolling});
  return c;
}

Constraint random_loop(samples::Random& random, const std::string& name, int one, int two) {
  const Attachment first{one, random.pose(0.3)}, second{two, random.pose(0.3)};
  switch (random.integer(0, 3)) {
    case 0:
      return make_weld(name, first, second);
    case 1:
      return make_ball(name, first, second);
    case 2:
      return Distance{name, first, second, random.uniform(0.1, 1), {}};
    default:
      return random_contact(random, name, one, two);
  }
}

/// Any other link than that of a frame; the frame itself if there is none.
int partner(samples::Random& random, const Model& model, int frame) {
  std::vector<int> others;
  for (int f = 0; f < static_cast<int>(model.frames().size()); ++f) {
    const int link = model.frame(f).link;
    if (link != kWorld && link != model.frame(frame).link) others.push_back(f);
  }
  return others.empty() ? frame : random.pick(others);
}

}  // namespace

double size_of(const std::vector<double>& x) {
  double most = 0;
  for (const double e : x) most = std::max(most, std::abs(e));
  return most;
}

Exact DampedCase::damped(const std::vector<double>& damping) const {
  Exact A = matrix;
  for (int r = 0; r < m(); ++r) A(r, r) += damping[r];
  return A;
}

Spectrum DampedCase::spectrum() const {
  const std::vector<double> A(matrix.entries().begin(), matrix.entries().end());
  return make_spectrum(MatrixView<const double>(A.data(), m(), m()));
}

DampedCase random_limbs(int seed) {
  samples::Random random(seed, kLimbStream);
  samples::ModelOptions options = samples::random_options(seed);
  options.links = random.integer(4, 22);
  options.branching = random.uniform(0.2, 0.9);
  Model model = samples::random_model(seed, options);
  const std::vector<int> tips = frames_at_tips(model);
  std::vector<Constraint> list;
  for (int k = random.integer(1, 4); k > 0; --k) {
    list.emplace_back(random_contact(random, numbered("contact", list.size()), random.pick(tips), 0));
  }
  for (int k = random.integer(0, 3); k > 0; --k) {
    const int one = random.pick(tips), two = random.chance(0.6) ? random.pick(tips) : partner(random, model, one);
    if (model.frame(one).link != model.frame(two).link)
      list.push_back(random_loop(random, numbered("loop", list.size()), one, two));
  }
  if (seed % 3 == 0) {
    const int link = random.integer(0, model.num_links() - 1);
    list.emplace_back(JointFriction{"friction", link, random.integer(0, model.link(link).nv - 1), {SetKind::kBox, 1}});
  }
  if (seed % 2 == 0) {  // two rows on one tip, with others between them
    const int tip = random.pick(tips);
    for (const bool last : {false, true}) {
      PointContact c = random_contact(random, last ? "last" : "first", tip, 0);
      c.kind = ContactKind::kFrictionless;
      list.insert(last ? list.end() : list.begin(), c);
    }
  }
  samples::State state = samples::random_state(model, seed);
  return {model, std::move(list), state};
}

DampedCase random_boxes(int seed) {
  samples::Random random(seed, kBoxStream);
  const int boxes = random.integer(1, 7);
  ModelBuilder b("boxes");
  for (int i = 0; i < boxes; ++i) {
    b.add_body(numbered("box", i), kWorld, joint(JointKind::kFree, numbered("free", i)),
               box_inertial(random.uniform(0.5, 5), {{0.1, 0.2, 0.3}}, random.vector(0.1)));
  }
  Model model = b.make_model();
  std::vector<Constraint> list;
  for (int k = random.integer(1, 3 * boxes); k > 0; --k) {
    const int one = model.body_frame(random.integer(0, boxes - 1));
    const int two = random.chance(0.3) ? 0 : partner(random, model, one);
    const std::string name = numbered("c", list.size());
    if (two != 0 && one != two && random.chance(0.3)) {
      list.push_back(random_loop(random, name, one, two));
    } else {
      list.emplace_back(random_contact(random, name, one, one == two ? 0 : two));
    }
  }
  if (seed % 3 == 0) list.emplace_back(JointFriction{"friction", 0, random.integer(0, 5), {SetKind::kBox, 1}});
  if (seed % 5 == 0) list.emplace_back(CentreOfMass{"centre"});
  samples::State state = samples::random_state(model, seed);
  return {model, std::move(list), state};
}

DampedCase any_random_case(int seed) {
  return seed % 4 == 1 || seed % 8 == 6 ? random_limbs(seed)
         : seed % 8 == 2                ? random_boxes(seed)
                                        : DampedCase(random_case(seed));
}

DampedCase clutter(int boxes) {
  ModelBuilder b("boxes");
  for (int i = 0; i < boxes; ++i) {
    b.add_body(numbered("box", i), kWorld, joint(JointKind::kFree, numbered("free", i)),
               box_inertial(1 + i, {{0.1, 0.2, 0.3}}));
  }
  Model model = b.make_model();
  std::vector<Constraint> list;
  for (int i = 0; i < boxes; ++i) {
    for (int k = 0; k < 12; ++k) {
      PointContact c;
      c.name = numbered("c", list.size());
      c.a = {model.body_frame(i), translation(k & 1 ? 0.1 : -0.1, k & 2 ? 0.2 : -0.2, 0.3)};
      const int other = i + k / 4;
      c.b = k < 4 ? 0 : model.body_frame(other % boxes);
      if (k < 4 || other % boxes != i) list.emplace_back(c);
    }
  }
  samples::State state = samples::random_state(model, 5);
  return {model, std::move(list), state};
}

// ---------------------------------------------------------------------------------------------- damping

Damping<double> SampleDamping::view() const {
  switch (kind) {
    case Damping<double>::Kind::kScalar:
      return numbers[0];
    case Damping<double>::Kind::kDiagonal:
      return numbers;
    case Damping<double>::Kind::kBlocks:
      return Damping<double>::blocks(numbers);
    case Damping<double>::Kind::kUnsymmetric:
      break;
  }
  return Damping<double>::unsymmetric(numbers);
}

Exact SampleDamping::added_to(const DampedCase& c) const {
  if (kind == Damping<double>::Kind::kScalar) return c.damped(std::vector<double>(c.m(), numbers[0]));
  if (kind == Damping<double>::Kind::kDiagonal) return c.damped(numbers);
  Exact A = c.matrix;
  const bool symmetric = kind == Damping<double>::Kind::kBlocks;
  const double* next = numbers.data();
  for (const RowSpan& span : c.rows.spans) {
    for (int r = 0; r < span.rows; ++r, next += span.rows) {
      for (int k = 0; k < span.rows && !symmetric; ++k) A(span.first_row + r, span.first_row + k) += next[k];
      for (int k = 0; k <= r && symmetric; ++k) {
        A(span.first_row + r, span.first_row + k) += next[k];
        if (k < r) A(span.first_row + k, span.first_row + r) += next[k];
      }
    }
  }
  return A;
}

SampleDamping scalar_damping(double least) { return {Damping<double>::Kind::kScalar, least, {least}}; }

SampleDamping diagonal_damping(const DampedCase& c, double least, int stream) {
  std::vector<double> numbers = c.random_vector(stream);
  for (double& d : numbers) d = least * std::pow(10.0, 2 + 2 * d);
  return {Damping<double>::Kind::kDiagonal, least, std::move(numbers)};
}

namespace {

/// For each constraint least (1 + s G Gᵀ) with a random G, and s over four decades; `change(block, rows)` has the last word.
template <class F>
SampleDamping random_blocks(const DampedCase& c, Damping<double>::Kind kind, double least, int stream, F&& change) {
  samples::Random random(static_cast<std::uint64_t>(c.m()), static_cast<std::uint64_t>(stream));
  SampleDamping out{kind, least, {}};
  for (const RowSpan& span : c.rows.spans) {
    const int m = span.rows;
    const double scale = std::pow(10.0, random.uniform(-1, 3));
    std::vector<double> G(static_cast<std::size_t>(m) * m), block(G.size());
    for (double& e : G) e = random.uniform(-1, 1);
    for (int r = 0; r < m; ++r) {
      for (int k = 0; k < m; ++k) {
        double sum = 0;
        for (int l = 0; l < m; ++l) sum += G[r * m + l] * G[k * m + l];
        block[r * m + k] = least * ((k == r ? 1 : 0) + scale * sum);
      }
    }
    change(block, m, random);
    out.numbers.insert(out.numbers.end(), block.begin(), block.end());
  }
  return out;
}

}  // namespace

SampleDamping block_damping(const DampedCase& c, double least, int stream) {
  return random_blocks(c, Damping<double>::Kind::kBlocks, least, stream,
                       [](std::vector<double>& block, int m, samples::Random&) {
                         for (int r = 0; r < m; ++r) std::fill(&block[r * m] + r + 1, &block[r * m] + m, 1e9);
                       });
}

SampleDamping unsymmetric_damping(const DampedCase& c, double least, int stream) {
  return random_blocks(c, Damping<double>::Kind::kUnsymmetric, least, stream,
                       [](std::vector<double>& block, int m, samples::Random& random) {
                         for (int r = 1; r < m; ++r) {
                           const double part = random.uniform(-0.6, 0.6);
                           for (int k = 0; k < m; ++k) block[k] -= part * block[r * m + k];
                         }
                       });
}

}  // namespace delassus::testing
