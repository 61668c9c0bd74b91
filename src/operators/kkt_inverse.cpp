#include "delassus/operators/kkt.hpp"

#include "math/instantiate.hpp"

namespace delassus {

/// Column by column, for unit forces on joints and unit accelerations of rows.
template <class T>
Status kkt_inverse(const KktDelassus<T>& op, MatrixOut<T> projected, MatrixOut<T> consistent, MatrixOut<T> inverse) {
  const int m = op.rows(), n = projected.rows();
  if (const Status s = check_sizes({{1, projected.cols(), n},
                                    {2, consistent.rows(), n},
                                    {2, consistent.cols(), m},
                                    {3, inverse.rows(), m},
                                    {3, inverse.cols(), m}});
      !s.ok())
    return s;
  std::vector<T> force(n, T(0)), target(m, T(0)), motion(n, T(0)), lambda(m, T(0));
  for (int c = 0; c < n + m; ++c) {
    T& unit = c < n ? force[c] : target[c - n];
    unit = T(1);
    const Status status = op.solve_system(force, target, motion, lambda);
    if (!status.ok()) return status;
    unit = T(0);
    for (int k = 0; k < n; ++k) (c < n ? projected(k, c) : consistent(k, c - n)) = motion[k];
    for (int r = 0; c >= n && r < m; ++r) inverse(r, c - n) = lambda[r];
  }
  return {};
}

#define DELASSUS_INSTANTIATE(T) \
  template Status kkt_inverse<T>(const KktDelassus<T>&, MatrixOut<T>, MatrixOut<T>, MatrixOut<T>);
DELASSUS_FOR_EACH_PLAIN_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
