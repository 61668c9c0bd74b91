#include <cstdio>

#include "delassus/delassus.hpp"
#include "delassus/io/load.hpp"

int main() {
  using namespace delassus;

  // A robot from a URDF, with a free joint under its root.
  UrdfOptions options;
  options.base = UrdfOptions::Base::kFloating;
  const Scene scene = load("robots/go2.urdf", options);
  const Model& model = scene.model;

  // Two feet on the ground: three rows each, along the normal and two tangents.
  std::vector<Constraint> contacts;
  for (const char* foot : {"FL_foot", "RR_foot"}) {
    PointContact contact;
    contact.name = foot;
    contact.a = attach(model, foot);
    contacts.push_back(contact);
  }

  // Stage by stage: where things are, which rows they make, and the operator.
  Kinematics<double> kinematics(model);
  ConstraintRows<double> rows;
  lower_structure(model, contacts, rows);  // when the set of contacts changes
  DenseDelassus<double> operator_(model, rows);

  update_kinematics(model, scene.q, kinematics);  // from here on nothing allocates
  if (!lower_values(model, kinematics, contacts, rows).ok()) return 1;
  if (!operator_.factor(model, kinematics, rows).ok()) return 1;

  // The velocity change that a unit impulse along each row gives to it.
  std::vector<double> diagonal(rows.num_rows());
  operator_.diagonal(diagonal);
  for (double d : diagonal) std::printf("%.4f ", d);
  std::printf("1/kg\n");
}
