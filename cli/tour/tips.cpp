#include "cli/tour/tips.hpp"

#include <algorithm>
#include <cmath>

#include "delassus/operators/oracle.hpp"

namespace delassus::cli {
namespace {

/// Whether some joint moves the contact at q.
bool moves(const Model& model, const std::vector<double>& q, const Constraint& contact) {
  const oracle::Matrix<double> J = oracle::constraint_jacobian<double>(model, {contact}, q);
  constexpr double kRounding = 1e-12;  // of sums of lengths of the order of metres
  return std::ranges::any_of(J.entries(), [](double x) { return std::abs(x) > kRounding; });
}

}  // namespace

Attachment furthest_point(const Model& model, int link) {
  Attachment best;
  double furthest = -1;
  const auto consider = [&](int frame, const Vec3<double>& point) {
    const double distance = norm(model.frame(frame).placement * point);
    if (distance <= furthest) return;
    furthest = distance;
    best = {frame, {Mat3<double>::identity(), point}};
  };
  const auto& bodies = model.description().bodies;
  for (int f = 1; f < static_cast<int>(model.frames().size()); ++f) {
    if (model.frame(f).link != link) continue;
    consider(f, Vec3<double>::zero());
    if (model.frame(f).body >= 0) {
      consider(model.body_frame(model.frame(f).body), bodies[model.frame(f).body].inertial.com);
    }
  }
  return best;
}

std::vector<int> tip_links(const Model& model) {
  std::vector<bool> carries(static_cast<std::size_t>(model.num_links()), false);
  std::vector<int> out;
  for (int i = model.num_links() - 1; i >= 0; --i) {
    if (model.link(i).parent != kWorld) carries[model.link(i).parent] = true;
    if (!carries[i]) out.push_back(i);
  }
  std::ranges::reverse(out);
  return out;
}

std::vector<int> middle_links(const Model& model) {
  const std::vector<int> tips = tip_links(model);
  std::vector<int> out;
  for (const int tip : tips) {
    std::vector<int> way;
    for (int i = tip; i != kWorld; i = model.link(i).parent) way.push_back(i);
    const int middle = way[way.size() / 2];
    if (!std::ranges::binary_search(tips, middle)) out.push_back(middle);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<Constraint> make_tip_contacts(const Model& model, const std::vector<double>& q,
                                          const std::vector<int>& links) {
  std::vector<Constraint> out;
  for (const int link : links) {
    PointContact contact;
    contact.a = furthest_point(model, link);
    contact.name = model.frame(contact.a.frame).name;
    if (contact.a.frame != 0 && moves(model, q, contact)) out.emplace_back(contact);
  }
  return out;
}

}  // namespace delassus::cli
