// What is asked of operators, and what it costs, from the document.

const kVerbs = [
  ['matrix_from_q', 'matrix from q'],
  ['product_from_q', 'product from q'],
  ['product', 'product again'],
  ['solve_from_q', 'damped solve from q'],
  ['redamp_solve', 're-damp and solve'],
];

const measured = (set) => set.operators.filter((op) => !op.left_out);

// The operator that needs least for a verb, by 'time_us' or 'operations'.
function bestFor(set, quantity, verb, among = () => true) {
  const able = measured(set).filter((op) => op[quantity][verb] !== null && among(op));
  return able.reduce((best, op) => !best || op[quantity][verb] < best[quantity][verb] ? op : best, null);
}

// A damping to begin with, and another every ten iterations.
const dampingsBy = (iterations) => Math.floor(iterations / 10);

// What k calls cost at one configuration, or null: operations without what all share, times from q on.
const kRepeated = {
  products: {
    title: 'products',
    operations: (op, k) => op.calls && op.calls.factor + k * op.calls.product,
    time_us: (op, k) => op.time_us.product === null ? null : op.time_us.product_from_q + (k - 1) * op.time_us.product,
  },
  admm: {
    title: 'ADMM iterations',
    operations: (op, k) => op.calls && op.solves ?
        op.calls.factor + op.calls.damping + dampingsBy(k) * op.calls.redamping + k * op.calls.solve :
        null,
    time_us: (op, k) => op.time_us.solve === null ? null :
                                                    op.time_us.solve_from_q + (k - 1) * op.time_us.solve +
            dampingsBy(k) * (op.time_us.redamp_solve - op.time_us.solve),
  },
};
