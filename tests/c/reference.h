/* What the C++ library says, for the test in C to compare with. */
#ifndef DELASSUS_TESTS_C_REFERENCE_H
#define DELASSUS_TESTS_C_REFERENCE_H

#ifdef __cplusplus
extern "C" {
#endif

enum { REFERENCE_COLUMNS = 2 };

/* Numbers of an operator on a scene by name, at its state: with x (rows x REFERENCE_COLUMNS, one column after the other) for all
 * verbs, and v for J. Each array has room for its result. */
typedef struct reference_numbers {
  double *apply, *apply_panel, *dense, *diagonal, *solve, *solve_rows, *solve_panel, *response, *jacobian, *transpose;
} reference_numbers;
void reference_operator(const char* scene, const char* algorithm, double damping, const double* row_damping,
                        const double* x, const double* v, reference_numbers* out);

/* Accelerations and forces of the state, without joint forces. */
void reference_dynamics(const char* scene, double* qdd, double* lambda);
/* Impulses of contacts for a free velocity, and the iterations it took. */
int reference_contact(const char* scene, const char* algorithm, const double* free_velocity, double time_step,
                      double* impulse);

long reference_allocations(void);

#ifdef __cplusplus
}
#endif

#endif
