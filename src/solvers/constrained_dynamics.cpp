#include "delassus/solvers/constrained_dynamics.hpp"

#include "math/instantiate.hpp"

namespace delassus {

#define DELASSUS_INSTANTIATE(T) template class ConstrainedDynamics<T>;
DELASSUS_FOR_EACH_SOLVER_SCALAR(DELASSUS_INSTANTIATE)
template class ConstrainedDynamics<float, KktDelassus<float>>;
template class ConstrainedDynamics<double, KktDelassus<double>>;

}  // namespace delassus
