#include "dynamics/row_response.hpp"

#include "math/instantiate.hpp"

namespace delassus {

template <class T>
void add_row_forces(const Articulation<T>& art, const ConstraintRows<T>& rows, In<T> x, Sweep<T>& work) {
  for (int b = 0; b < static_cast<int>(rows.blocks.size()); ++b) {
    const RowBlock& block = rows.blocks[b];
    Force<T> f = work.force[block.link];
    for (int r = 0; r < block.rows; ++r) f += scaled(placed_row(art.frames, rows, b, r), x[block.first_row + r]);
    work.force[block.link] = f;
  }
  for_each_entry(rows, [&](int row, int v, const T& weight) { work.joint[v] += weight * x[row]; });
}

template <class T>
void begin_row_response(const Model& model, const Articulation<T>& art, const ConstraintRows<T>& rows, In<T> x,
                        Sweep<T>& work) {
  for (int i = 0; i < model.num_links(); ++i) work.force[i] = Force<T>::zero();
  for (int k = 0; k < model.nv(); ++k) work.joint[k] = T(0);
  add_row_forces<T>(art, rows, x, work);
}

template <class T>
T read_row_response(const Articulation<T>& art, const ConstraintRows<T>& rows, const Sweep<T>& work, Out<T> y) {
  T most(0);
  for (int r = 0; r < y.size(); ++r) y[r] = T(0);
  for (int b = 0; b < static_cast<int>(rows.blocks.size()); ++b) {
    const RowBlock& block = rows.blocks[b];
    const Motion<T> a = work.motion[block.link];
    for (int r = 0; r < block.rows; ++r) {
      const Force<T> row = placed_row(art.frames, rows, b, r);
      y[block.first_row + r] += dot(a, row);
      most = max(most, size_of_terms(row, a));
    }
  }
  for_each_entry(rows, [&](int row, int v, const T& weight) {
    const T term = weight * work.joint[v];
    y[row] += term;
    most = max(most, max(term, -term));
  });
  return most;
}

template <class T>
void row_response(const Model& model, const Articulation<T>& art, const ConstraintRows<T>& rows, In<T> x,
                  Out<T> acceleration, Sweep<T>& work) {
  begin_row_response<T>(model, art, rows, x, work);
  sweep_forces(model, art, work);
  sweep_motions(model, art, work);
  for (int k = 0; k < model.nv(); ++k) acceleration[k] = work.joint[k];
}

#define DELASSUS_INSTANTIATE(T)                                                                              \
  template void add_row_forces<T>(const Articulation<T>&, const ConstraintRows<T>&, In<T>, Sweep<T>&);       \
  template void begin_row_response<T>(const Model&, const Articulation<T>&, const ConstraintRows<T>&, In<T>, \
                                      Sweep<T>&);                                                            \
  template T read_row_response<T>(const Articulation<T>&, const ConstraintRows<T>&, const Sweep<T>&, Out<T>);
DELASSUS_FOR_EACH_TREE_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_RESPONSE(T)                                                                       \
  template void row_response<T>(const Model&, const Articulation<T>&, const ConstraintRows<T>&, In<T>, Out<T>, \
                                Sweep<T>&);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE_RESPONSE)

}  // namespace delassus
