#include <cstdio>

#include "delassus/delassus.hpp"

int main() {
  using namespace delassus;

  // A planar four-bar linkage: two chains from the ground whose ends are held together.
  ModelBuilder builder("four-bar");
  const Inertial bar = box_inertial(1.0, {{0.25, 0.02, 0.02}}, {{0.25, 0, 0}});
  const Vec3<double> z{{0, 0, 1}};
  const int crank = builder.add_body("crank", kWorld, revolute("crank_joint", z), bar);
  const int coupler = builder.add_body("coupler", crank, revolute("knee", z, translation(0.5, 0, 0)), bar);
  const int rocker = builder.add_body("rocker", kWorld, revolute("rocker_joint", z, translation(0.5, 0, 0)), bar);
  builder.add_frame("coupler_end", coupler, translation(0.5, 0, 0));
  builder.add_frame("rocker_end", rocker, translation(0.5, 0, 0));
  const Model model = builder.make_model();

  // A revolute joint closes the loop: five rows, free about z.
  LoopClosure loop = make_weld("closure", attach(model, "coupler_end"), attach(model, "rocker_end"));
  loop.free_angular = 0b100;
  const std::vector<Constraint> constraints{loop};

  const std::vector<double> q{1.0, -1.0, 1.0};  // a parallelogram: the loop is closed
  Kinematics<double> kinematics(model);
  update_kinematics(model, q, kinematics);
  ConstraintRows<double> rows;
  lower_structure(model, constraints, rows);
  if (!lower_values(model, kinematics, constraints, rows).ok()) return 1;

  std::vector<double> position(rows.num_rows());
  constraint_positions(model, kinematics, constraints, rows, position);
  for (double p : position) std::printf("%.1e ", p);
  std::printf("(zero: the loop is closed)\n");

  // Planar, so three of the five rows say what the plane already says: the matrix has rank two.
  DenseDelassus<double> delassus(model, rows);
  if (!delassus.factor(model, kinematics, rows).ok()) return 1;
  const int m = rows.num_rows();
  std::vector<double> matrix(m * m);
  delassus.dense(MatrixView<double>(matrix.data(), m, m));
  std::printf("rank %d of %d\n", make_spectrum(MatrixView<const double>(matrix.data(), m, m)).rank, m);
}
