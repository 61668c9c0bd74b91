// Contact problems of files as solvers take them, and back.
#pragma once

#include "delassus/operators/matrix_operator.hpp"
#include "delassus/solvers/contact_problem.hpp"
#include "io/contact_file.hpp"

namespace delassus {

/// Of what has to live as long as it.
ContactProblem view_of(const io::StoredProblem& problem);
GivenDelassus<double> make_operator(const io::StoredProblem& problem);

/// Copies what a solver is given, with the whole matrix.
io::StoredProblem make_stored(OperatorRef<double> op, const ContactProblem& problem, VectorView<const double> start);

}  // namespace delassus
