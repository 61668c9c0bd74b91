#include <cstdio>

#include "delassus/delassus.hpp"

int main() {
  using namespace delassus;
  CondensedDelassus<double> op = [] {
    const Scene go2 = load_named("go2-standing");
    State<double> state(go2.model, go2.constraints);
    CondensedDelassus<double> made(state);
    if (!state.update(go2.q).ok() || !made.factor(state).ok()) throw Error("Go2 does not stand");
    return made;
  }();  // robot, constraints and state are gone
  std::vector<double> diagonal(op.rows());
  op.diagonal(diagonal);
  std::printf("%.4f 1/kg\n", diagonal[0]);
}
