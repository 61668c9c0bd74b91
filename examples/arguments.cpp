#include <cstdio>

#include "delassus/delassus.hpp"

int main() {
  using namespace delassus;
  const Scene go2 = load_named("go2-standing");
  try {  // set-up throws
    Operator<double>(go2.model, std::vector<Constraint>{PointContact{"heel", {99}}});
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
  }
  Operator<double> op(go2.model, go2.constraints);
  std::vector<double> x(op.rows(), 1.0), y(op.rows()), few(3);
  const auto say = [&](const Status& status) { std::printf("%s\n", describe(status, go2.model).c_str()); };
  say(op.apply(x, y));  // the loop does not
  say(op.update(go2.q));
  say(op.apply(few, y));
  say(op.apply(x, y));
}
