// Contacts that generated code is given: their points and axes are numbers of the trace.
#pragma once

#include <variant>

#include "constraints/contact_rows.hpp"
#include "delassus/constraints/constraint.hpp"
#include "delassus/constraints/rows.hpp"
#include "delassus/kinematics/kinematics.hpp"

namespace delassus::generation {

template <class T>
struct ContactInput {
  int constraint;
  Vec3<T> point;  // in its frame
  Mat3<T> axes;   // rows n, t1, t2
};

/// From the origin of the contact's link to its point.
template <class T>
Vec3<T> lever_of(const ContactInput<T>& in, const Model& model, const Kinematics<T>& kin, const PointContact& contact) {
  const Frame& frame = model.frame(contact.a.frame);
  const Pose<T> placement = cast<T>(frame.placement);
  return kin.pose[frame.link].R * (placement.R * in.point + placement.p);
}

/// Values of the contact's rows.
template <class T>
void place_contact(const ContactInput<T>& in, const Model& model, const Kinematics<T>& kin, const PointContact& contact,
                   ConstraintRows<T>& rows) {
  const int a = model.frame(contact.a.frame).link, b = model.frame(contact.b).link;
  const RowSpan& span = rows.spans[in.constraint];
  int next = span.first_block;
  T* on_a = a == kWorld ? nullptr : &rows.values[rows.blocks[next++].value];
  T* on_b = b == kWorld ? nullptr : &rows.values[rows.blocks[next++].value];
  fill_contact(kin, a, b, lever_of(in, model, kin, contact), on_a, on_b, [&](T* to, bool opposite) {
    for (int k = 0; k < 3 * span.rows; ++k) to[k] = opposite ? -in.axes.a[k % 9] : in.axes.a[k % 9];
  });
}

}  // namespace delassus::generation
