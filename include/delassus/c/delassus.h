/* The library in C: scenes, operators for the Delassus matrix J M^-1 J^T, constrained dynamics and contact forces.
 *
 * docs/c-api.md has an example and the rules; docs/conventions.md frames, signs and layouts. In short: SI units, spatial
 * vectors are (angular; linear), quaternions x y z w, a free joint's q is position, then quaternion.
 *
 * Every function that can fail returns a delassus_status, or NULL or -1 where it returns a name or a number. Then
 * delassus_last_error() has the words, for the thread that called. No exception leaves the library. What a failed call would
 * have written is not to be used.
 *
 * A handle belongs to one thread at a time; different handles are independent, also those made from one scene. The functions
 * marked with "loop" allocate nothing while they succeed.
 */
#ifndef DELASSUS_C_DELASSUS_H
#define DELASSUS_C_DELASSUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------------ outcomes */

typedef enum delassus_status {
  DELASSUS_OK = 0,
  /* Numerical outcomes; delassus_last_index() says where. */
  DELASSUS_SINGULAR_JOINT = 1, /* a joint moves nothing that has inertia */
  DELASSUS_NOT_POSITIVE = 2,   /* row at which a damped matrix is not positive definite */
  DELASSUS_DEGENERATE = 3,     /* constraint whose direction is undefined */
  DELASSUS_NOT_FINITE = 4,     /* entry of an argument or of the result that is no number */
  DELASSUS_INACCURATE = 5,     /* row whose residual is larger than was asked for */
  DELASSUS_INFEASIBLE = 6,     /* row that is missed most, where constraints contradict each other */
  DELASSUS_NOT_CONVERGED = 7,  /* row that is farthest off, where the iterations ran out */
  DELASSUS_UNBALANCED = 8,     /* degree of freedom without a motor that no constraint force holds */
  DELASSUS_SINGULAR_TASK = 9,  /* row that lost most of what its task asks for */
  DELASSUS_BAD_ARGUMENT = 10,  /* an argument, a file or the order of calls makes no sense */
  DELASSUS_OUT_OF_MEMORY = 11,
  DELASSUS_INTERNAL = 12 /* an error in the library itself; please report it */
} delassus_status;

/* What went wrong in the last call of this thread that failed, and what to do; "" if none has. Valid until the next failure. */
const char* delassus_last_error(void);
/* Which row, joint, constraint or entry that call names; -1 if none. */
int delassus_last_index(void);
/* "ok", "not_finite", ...; "unknown" for a number that is no status. */
const char* delassus_status_name(delassus_status status);

/* "0.1.0": of the library that is linked. */
const char* delassus_version(void);
/* The instruction set level that kernels use, such as "x86-64-v3". NULL where the variable DELASSUS_ISA names none. */
const char* delassus_isa(void);

/* -------------------------------------------------------------------------------------------------------------- scenes */

/* A model, a state, and the constraints on it. */
typedef struct delassus_scene delassus_scene;

/* How the root of a URDF is held; MJCF and scenes say that themselves. */
typedef enum delassus_base {
  DELASSUS_BASE_DEFAULT = 0, /* floating for robots that the library carries, fixed for files and texts */
  DELASSUS_BASE_FIXED = 1,
  DELASSUS_BASE_FLOATING = 2
} delassus_base;

/* A URDF, MJCF or scene file, or a name that `delassus list` shows: "g1", "go2-standing", "stem:5x2". */
delassus_status delassus_scene_load(const char* name, delassus_base base, delassus_scene** scene);
/* The same from a text, which ends with a zero; its format is told by its content. Messages call it file_name, and files that it
 * refers to are looked for in the folder of that name. */
delassus_status delassus_scene_parse(const char* text, const char* file_name, delassus_base base,
                                     delassus_scene** scene);
/* NULL is fine here, and in the other functions that free. */
void delassus_scene_free(delassus_scene* scene);

/* Numbers of: coordinates, degrees of freedom, frames (0 is the world), joints, constraints, their rows, named states. */
int delassus_scene_nq(const delassus_scene* scene);
int delassus_scene_nv(const delassus_scene* scene);
int delassus_scene_frames(const delassus_scene* scene);
int delassus_scene_joints(const delassus_scene* scene);
int delassus_scene_constraints(const delassus_scene* scene);
int delassus_scene_rows(const delassus_scene* scene);
int delassus_scene_keyframes(const delassus_scene* scene);

/* Names belong to the scene; that of a constraint lives until constraints are added or removed. */
const char* delassus_scene_name(const delassus_scene* scene);
const char* delassus_scene_frame_name(const delassus_scene* scene, int frame);
const char* delassus_scene_joint_name(const delassus_scene* scene, int joint);
const char* delassus_scene_constraint_name(const delassus_scene* scene, int constraint);
const char* delassus_scene_keyframe_name(const delassus_scene* scene, int keyframe);

/* Coordinates with every joint at zero, of a keyframe, and of the state that the file has. */
delassus_status delassus_scene_neutral(const delassus_scene* scene, double* q, int nq);
delassus_status delassus_scene_keyframe(const delassus_scene* scene, int keyframe, double* q, int nq);
delassus_status delassus_scene_state(const delassus_scene* scene, double* q, int nq, double* v, int nv);

/* --------------------------------------------------------------------------------------------------------- constraints */

/* Constraints stand in the order in which they were added, after those of the file; rows as well. Operators and solvers take
 * those that the scene has when they are made, and do not see what is added later. */
delassus_status delassus_scene_clear_constraints(delassus_scene* scene);

/* A point of a frame touches the world: three rows, along the normal and two tangents. point: in the frame, NULL for its origin.
 * normal: in world axes and of any length, NULL for (0, 0, 1). friction: the coefficient, or INFINITY for a contact that
 * pulls and holds as well. */
delassus_status delassus_scene_add_contact(delassus_scene* scene, const char* name, const char* frame,
                                           const double* point, const double* normal, double friction);
/* Two frames coincide but for the axes that are free: bit k of free_linear and free_angular stands for axis k of the first. 0 and
 * 0 is a weld, 0 and 7 a ball joint, 0 and 4 a hinge about z. A pose is position x y z and quaternion x y z w in the frame; NULL
 * for the frame itself. */
delassus_status delassus_scene_add_loop(delassus_scene* scene, const char* name, const char* first,
                                        const double* first_pose, const char* second, const double* second_pose,
                                        unsigned free_linear, unsigned free_angular);
/* Degree of freedom `dof` of a joint stays above its bound, or below if upper is not 0. */
delassus_status delassus_scene_add_joint_limit(delassus_scene* scene, const char* name, const char* joint, int dof,
                                               int upper, double bound);
/* Dry friction of a degree of freedom, at most so many newtons or newton metres. */
delassus_status delassus_scene_add_joint_friction(delassus_scene* scene, const char* name, const char* joint, int dof,
                                                  double bound);
/* The sum of weights[k] times the first coordinate of joints[k] is offset: gears and joints that follow others. */
delassus_status delassus_scene_add_joint_coupling(delassus_scene* scene, const char* name, const char* const* joints,
                                                  const double* weights, int count, double offset);

/* ----------------------------------------------------------------------------------------------------------- operators */

/* J M^-1 J^T of a scene's constraints, by any algorithm. It keeps its own copy of what it needs of the scene. */
typedef struct delassus_operator delassus_operator;

/* "dense", "ltl", "kjr", "chang-khatib", "efpa", "pv-osim", "pv-osimr", "kkt", "lcaba", "condensed", "limbs",
   "matrix-free", "three-maps". */
delassus_status delassus_operator_new(const delassus_scene* scene, const char* algorithm, delassus_operator** op);
void delassus_operator_free(delassus_operator* op);

int delassus_operator_rows(const delassus_operator* op);
int delassus_operator_nv(const delassus_operator* op);
/* The name of its algorithm. */
const char* delassus_operator_algorithm(const delassus_operator* op);

/* Takes over a configuration; the damping is forgotten. All else needs it first. Loop. */
delassus_status delassus_operator_update(delassus_operator* op, const double* q, int nq);

/* Vectors have as many entries as the operator has rows; `rows` says how many they have. Panels have one vector after the other.
 * y must not overlap x. All are loop functions. */

/* y = J M^-1 J^T x */
delassus_status delassus_operator_apply(delassus_operator* op, const double* x, double* y, int rows);
delassus_status delassus_operator_apply_panel(delassus_operator* op, const double* x, double* y, int rows, int columns);
/* The matrix, rows x rows; it is symmetric. */
delassus_status delassus_operator_dense(delassus_operator* op, double* matrix, int rows);
delassus_status delassus_operator_diagonal(delassus_operator* op, double* diagonal, int rows);

/* A damping R^-1 for the solves, positive: one number for all rows, or one for each. */
delassus_status delassus_operator_update_damping(delassus_operator* op, double damping);
delassus_status delassus_operator_update_damping_rows(delassus_operator* op, const double* damping, int rows);
/* z = (R^-1 + J M^-1 J^T)^-1 b with the last damping; z may be b itself. */
delassus_status delassus_operator_solve(delassus_operator* op, const double* b, double* z, int rows);
delassus_status delassus_operator_solve_panel(delassus_operator* op, const double* b, double* z, int rows, int columns);

/* y = J v, tau = J^T x, and the joint accelerations M^-1 J^T x that row forces x add. */
delassus_status delassus_operator_apply_jacobian(delassus_operator* op, const double* v, int nv, double* y, int rows);
delassus_status delassus_operator_apply_jacobian_transpose(delassus_operator* op, const double* x, int rows,
                                                           double* tau, int nv);
delassus_status delassus_operator_joint_response(delassus_operator* op, const double* x, int rows, double* acceleration,
                                                 int nv);

/* What is wanted at each configuration. */
typedef struct delassus_workload {
  int products;
  int dampings;
  int solves;
  int matrix; /* whether the matrix is */
} delassus_workload;

/* Which algorithm is predicted to be fastest for that, and why. algorithm: its name, static. text: the reasons, cut to `size`
 * characters with the final zero; NULL for none. length: of the whole text without it; NULL for none. */
delassus_status delassus_plan(const delassus_scene* scene, const delassus_workload* workload, const char** algorithm,
                              char* text, size_t size, size_t* length);

/* ------------------------------------------------------------------------------------------------ constrained dynamics */

/* M qdd + h = tau + J^T lambda, J qdd = target: all constraints of a scene as equalities, of any rank. */
typedef struct delassus_dynamics delassus_dynamics;

delassus_status delassus_dynamics_new(const delassus_scene* scene, delassus_dynamics** dynamics);
void delassus_dynamics_free(delassus_dynamics* dynamics);
/* Takes over a state. Loop. */
delassus_status delassus_dynamics_update(delassus_dynamics* dynamics, const double* q, int nq, const double* v, int nv);
/* Accelerations and forces with the joint forces tau. target: row accelerations, NULL for those that keep the rows' velocities.
 * lambda: the start as well, zeros if nothing better is known. DELASSUS_INFEASIBLE, where rows contradict each other: qdd and
 * lambda are written all the same, and miss the target least. Loop. */
delassus_status delassus_dynamics_solve(delassus_dynamics* dynamics, const double* tau, int nv, const double* target,
                                        double* qdd, double* lambda, int rows);

/* ------------------------------------------------------------------------------------------------------ contact forces */

/* Impulses of contacts with Coulomb friction, limits, dry friction and loops over one time step, on any operator: by ADMM, and
 * where that does not arrive, by an interior-point method from there. */
typedef struct delassus_contact_solver delassus_contact_solver;

/* How good impulses are, by what they do; largest over all constraints. */
typedef struct delassus_certificate {
  double primal;          /* N: how far a force lies outside of its set */
  double dual;            /* m/s: how far a velocity lies outside of what its set allows */
  double complementarity; /* J: work of forces that should do none */
  double force;           /* N: by how much the law of contact is missed */
  double velocity;        /* m/s: the velocity that this force would give */
  int iterations;
  int dampings; /* how often the operator was given another one */
} delassus_certificate;

/* tolerance: the largest `velocity` and `dual` of a certificate, m/s; 0 for 1e-6. iterations: of both methods together, at most; 0: as many as they do by
 * themselves, 150 and 100. */
delassus_status delassus_contact_solver_new(double tolerance, int iterations, delassus_contact_solver** solver);
void delassus_contact_solver_free(delassus_contact_solver* solver);
/* Seconds after which a solve ends with the best that it has, DELASSUS_NOT_CONVERGED; INFINITY, as it begins: any time. Results
 * depend on the machine then. */
delassus_status delassus_contact_solver_set_max_time(delassus_contact_solver* solver, double seconds);
/* free_velocity: of the rows without any impulse. time_step: seconds, for bounds that are forces. impulse: the start as
 * well, zeros if nothing better is known. certificate: NULL for none. DELASSUS_NOT_CONVERGED and DELASSUS_INFEASIBLE, where no
 * impulses do what is asked: impulse and certificate are written all the same. The operator, which has to be updated, loses its damping. Loop, after the first call with so many rows and
 * the first with so many that ADMM alone does not solve. */
delassus_status delassus_contact_solver_solve(delassus_contact_solver* solver, delassus_operator* op,
                                              const double* free_velocity, double* impulse, int rows, double time_step,
                                              delassus_certificate* certificate);

#ifdef __cplusplus
}
#endif

#endif /* DELASSUS_C_DELASSUS_H */
