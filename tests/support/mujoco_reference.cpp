#include "support/mujoco_reference.hpp"

#include <numbers>

#include "support/random_system.hpp"

namespace delassus::testing {
namespace {

using nlohmann::json;
using samples::Random;

json list(const mjtNum* x, int count) { return std::vector<double>(x, x + count); }

json matrix(const mjtNum* x, int rows, int columns) {
  json out = json::array();
  for (int r = 0; r < rows; ++r) out.push_back(list(x + r * columns, columns));
  return out;
}

json upper_triangle(const std::vector<double>& A, int n) {
  json out = json::array();
  for (int r = 0; r < n; ++r) {
    for (int c = r; c < n; ++c) out.push_back(A[static_cast<std::size_t>(r * n + c)]);
  }
  return out;
}

/// A pair of bodies whose points or frames are held together.
struct Loop {
  int body[2];
  Vec3<double> point[2];
  int rows;  // 3, or 6 with the rotation
};

/// One file, filled part by part.
class Recorder {
 public:
  Recorder(MujocoModel& robot, const ReferenceOptions& options)
      : robot_(robot), m_(robot.model()), d_(robot.data()), options_(options), random_(options.seed) {}

  json run(const std::string& model_path) {
    if ((m_.opt.disableflags & mjDSBL_GRAVITY) != 0) mju_zero3(m_.opt.gravity);
    json out{{"name", m_.names}, {"model", model_path}, {"gravity", list(m_.opt.gravity, 3)}};
    out["nq"] = m_.nq;
    out["nv"] = m_.nv;
    out["mass"] = m_.body_subtreemass[0];
    out["qpos0"] = list(m_.qpos0, m_.nq);
    out["joints"] = joints();
    out["bodies"] = bodies();
    out["equalities"] = equalities();
    for (int i = 1; i < m_.nbody; ++i) points_.push_back({i, random_.vector(0.2)});
    for (const Point& p : points_) {
      out["points"].push_back({{"body", robot_.name(mjOBJ_BODY, p.body)}, {"local", list(p.local.a, 3)}});
    }
    for (int rows : {3, 6}) {
      if (m_.nbody < 3) break;
      const int one = random_.integer(2, m_.nbody - 1), two = random_.integer(1, one - 1);
      loops_.push_back({{one, two}, {random_.vector(0.2), random_.vector(0.2)}, rows});
    }
    for (const Loop& loop : loops_) {
      out["loops"].push_back({{"dim", loop.rows},
                              {"body1", robot_.name(mjOBJ_BODY, loop.body[0])},
                              {"p1", list(loop.point[0].a, 3)},
                              {"body2", robot_.name(mjOBJ_BODY, loop.body[1])},
                              {"p2", list(loop.point[1].a, 3)}});
    }
    for (int i = 0; i < options_.configs; ++i) out["configs"].push_back(config());
    if (const json floor = floor_scene(); !floor.is_null()) out["floor_scene"] = floor;
    return out;
  }

 private:
  struct Point {
    int body;
    Vec3<double> local;
  };

  json joints() const {
    static constexpr const char* kTypes[] = {"free", "ball", "slide", "hinge"};
    json out = json::array();
    for (int j = 0; j < m_.njnt; ++j) {
      out.push_back({{"name", robot_.name(mjOBJ_JOINT, j)},
                     {"type", kTypes[m_.jnt_type[j]]},
                     {"body", robot_.name(mjOBJ_BODY, m_.jnt_bodyid[j])},
                     {"q", m_.jnt_qposadr[j]},
                     {"v", m_.jnt_dofadr[j]}});
    }
    return out;
  }

  json bodies() const {
    json out = json::array();
    for (int i = 1; i < m_.nbody; ++i) {
      mjtNum R[9];
      mju_quat2Mat(R, m_.body_iquat + 4 * i);
      const auto I = [&](int r, int c) {
        double sum = 0;
        for (int k = 0; k < 3; ++k) sum += R[3 * r + k] * m_.body_inertia[3 * i + k] * R[3 * c + k];
        return sum;
      };
      out.push_back({{"name", robot_.name(mjOBJ_BODY, i)},
                     {"mass", m_.body_mass[i]},
                     {"com", list(m_.body_ipos + 3 * i, 3)},
                     {"inertia", {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}}});
    }
    return out;
  }

  json equalities() const {
    static constexpr const char* kTypes[] = {"connect", "weld", "joint", "tendon", "distance"};
    json out = json::array();
    for (int i = 0; i < m_.neq; ++i) {
      const int object = m_.eq_type[i] == mjEQ_JOINT ? mjOBJ_JOINT : mjOBJ_BODY;
      out.push_back({{"type", kTypes[m_.eq_type[i]]},
                     {"obj1", robot_.name(object, m_.eq_obj1id[i])},
                     {"obj2", robot_.name(object, m_.eq_obj2id[i])},
                     {"data", list(m_.eq_data + mjNEQDATA * i, mjNEQDATA)}});
    }
    return out;
  }

  std::vector<double> random_qpos() {
    std::vector<double> q(m_.qpos0, m_.qpos0 + m_.nq);
    for (int j = 0; j < m_.njnt; ++j) {
      double* at = q.data() + m_.jnt_qposadr[j];
      if (m_.jnt_type[j] == mjJNT_FREE || m_.jnt_type[j] == mjJNT_BALL) {
        const Vec3<double> p = random_.vector(1);
        const Quaternion<double> x = random_.quaternion();
        if (m_.jnt_type[j] == mjJNT_FREE) at = std::copy(std::begin(p.a), std::end(p.a), at);
        std::copy(std::begin(x.a), std::end(x.a), at);  // any unit quaternion, so its order is no matter
      } else if (m_.jnt_limited[j]) {
        const double lower = m_.jnt_range[2 * j], upper = m_.jnt_range[2 * j + 1];
        at[0] = lower + random_.uniform(0.1, 0.9) * (upper - lower);
      } else {
        at[0] += m_.jnt_type[j] == mjJNT_HINGE ? random_.uniform(-1.5, 1.5) : random_.uniform(-0.5, 0.5);
      }
    }
    return q;
  }
  std::vector<double> random_dofs(double bound) {
    std::vector<double> out(static_cast<std::size_t>(m_.nv));
    for (double& x : out) x = random_.uniform(-bound, bound);
    return out;
  }

  /// J M⁻¹ Jᵀ with MuJoCo's factors of M.
  std::vector<double> projected(const std::vector<double>& J, int rows) {
    std::vector<double> M_inv_Jt(J.size()), A(static_cast<std::size_t>(rows) * rows);
    mj_solveM(&m_, &d_, M_inv_Jt.data(), J.data(), rows);
    mju_mulMatMatT(A.data(), J.data(), M_inv_Jt.data(), rows, m_.nv, rows);
    return A;
  }

  json config() {
    const std::vector<double> qpos = random_qpos(), qvel = random_dofs(1), tau = random_dofs(5);
    robot_.evaluate(qpos, qvel, false);
    json out{{"qpos", qpos}, {"qvel", qvel}, {"tau", tau}};
    std::vector<double> M(static_cast<std::size_t>(m_.nv) * m_.nv), force = tau, acceleration(tau.size());
    mj_fullM(&m_, M.data(), d_.qM);
    out["M_upper"] = upper_triangle(M, m_.nv);
    out["qfrc_bias"] = list(d_.qfrc_bias, m_.nv);
    mju_subFrom(force.data(), d_.qfrc_bias, m_.nv);
    mj_solveM(&m_, &d_, acceleration.data(), force.data(), 1);
    out["qacc_tau"] = acceleration;
    out["com"] = list(d_.subtree_com, 3);
    out["xpos"] = matrix(d_.xpos + 3, m_.nbody - 1, 3);
    out["xquat"] = matrix(d_.xquat + 4, m_.nbody - 1, 4);
    if (d_.nefc > 0) {
      const std::vector<double> J(d_.efc_J, d_.efc_J + d_.nefc * m_.nv);
      out["eq_J"] = matrix(d_.efc_J, d_.nefc, m_.nv);
      out["eq_pos"] = list(d_.efc_pos, d_.nefc);
      out["eq_A_upper"] = upper_triangle(projected(J, d_.nefc), d_.nefc);
    }
    std::fill_n(d_.qacc, m_.nv, 0.0);
    mj_rnePostConstraint(&m_, &d_);  // accelerations of bodies
    record_points(out);
    if (!loops_.empty()) record_loops(out);
    return out;
  }

  /// A point of a body: where it is, its six rows of J (linear first), and its acceleration at qacc = 0.
  struct Motion {
    Vec3<double> position;
    std::vector<double> J, drift;
  };

  Motion motion_of(int body, const Vec3<double>& local) const {
    Motion out;
    mjtNum r[3];
    mju_rotVecMat(r, local.a, d_.xmat + 9 * body);
    mju_add3(out.position.a, r, d_.xpos + 3 * body);
    out.J.resize(6 * static_cast<std::size_t>(m_.nv));
    mj_jac(&m_, &d_, out.J.data(), out.J.data() + 3 * m_.nv, out.position.a, body);
    // a + α × r + ω × (ω × r), without the gravity that MuJoCo lets the world fall up with.
    mjtNum v[6], a[6];
    mj_objectVelocity(&m_, &d_, mjOBJ_XBODY, body, v, 0);
    mj_objectAcceleration(&m_, &d_, mjOBJ_XBODY, body, a, 0);
    const Vec3<double> w{{v[0], v[1], v[2]}}, alpha{{a[0], a[1], a[2]}}, arm{{r[0], r[1], r[2]}};
    const Vec3<double> linear{{a[3], a[4], a[5]}}, g{{m_.opt.gravity[0], m_.opt.gravity[1], m_.opt.gravity[2]}};
    const Vec3<double> drift = linear + g + cross(alpha, arm) + cross(w, cross(w, arm));
    out.drift = {drift[0], drift[1], drift[2], alpha[0], alpha[1], alpha[2]};
    return out;
  }

  void record_points(json& out) {
    std::vector<double> J, drift;
    for (const Point& point : points_) {
      const Motion motion = motion_of(point.body, point.local);
      J.insert(J.end(), motion.J.begin(), motion.J.begin() + 3 * m_.nv);
      drift.insert(drift.end(), motion.drift.begin(), motion.drift.begin() + 3);
      out["points_pos"].push_back(list(motion.position.a, 3));
    }
    record_rows("points", J, drift, out);
  }

  void record_loops(json& out) {
    std::vector<double> J, drift, residual;
    for (const Loop& loop : loops_) {
      const Motion one = motion_of(loop.body[0], loop.point[0]), two = motion_of(loop.body[1], loop.point[1]);
      for (int i = 0; i < loop.rows * m_.nv; ++i) J.push_back(one.J[i] - two.J[i]);
      for (int i = 0; i < loop.rows; ++i) drift.push_back(one.drift[i] - two.drift[i]);
      for (int i = 0; i < 3; ++i) residual.push_back(one.position[i] - two.position[i]);
      if (loop.rows == 6) append_rotation(loop, residual);
    }
    out["loops_residual"] = residual;
    record_rows("loops", J, drift, out);
  }

  /// The rotation vector of q1 q2⁻¹.
  void append_rotation(const Loop& loop, std::vector<double>& to) const {
    mjtNum inverse[4], turn[4], vector[3];
    mju_negQuat(inverse, d_.xquat + 4 * loop.body[1]);
    mju_mulQuat(turn, d_.xquat + 4 * loop.body[0], inverse);
    mju_quat2Vel(vector, turn, 1);
    to.insert(to.end(), vector, vector + 3);
  }

  void record_rows(const std::string& what, const std::vector<double>& J, const std::vector<double>& drift, json& out) {
    const int rows = static_cast<int>(drift.size());
    out[what + "_J"] = matrix(J.data(), rows, m_.nv);
    out[what + "_Jdotv"] = drift;
    out[what + "_Linv_upper"] = upper_triangle(projected(J, rows), rows);
  }

  json floor_scene() {
    m_.opt.cone = options_.pyramidal ? mjCONE_PYRAMIDAL : mjCONE_ELLIPTIC;
    std::fill_n(m_.geom_condim, m_.ngeom, options_.condim);
    const std::vector<double> qpos = random_qpos(), qvel = random_dofs(0.1);
    if (!robot_.raise_floor(qpos)) return nullptr;
    robot_.evaluate(qpos, qvel, true);
    json out{{"cone", options_.pyramidal ? "pyramidal" : "elliptic"}, {"qpos", qpos}, {"qvel", qvel}};
    out["contacts"] = json::array();
    for (int i = 0; i < d_.ncon; ++i) out["contacts"].push_back(contact(d_.contact[i]));
    out["efc_J"] = matrix(d_.efc_J, d_.nefc, m_.nv);
    out["efc_pos"] = list(d_.efc_pos, d_.nefc);
    out["efc_R"] = list(d_.efc_R, d_.nefc);
    out["efc_AR_upper"] = upper_triangle({d_.efc_AR, d_.efc_AR + d_.nefc * d_.nefc}, d_.nefc);
    return out;
  }

  json contact(const mjContact& c) const {
    return {{"body1", body_of_geom(c.geom1)},
            {"body2", body_of_geom(c.geom2)},
            {"dim", c.dim},
            {"efc_address", c.efc_address},
            {"dist", c.dist},
            {"pos", list(c.pos, 3)},
            {"frame", list(c.frame, 9)},
            {"friction", list(c.friction, 5)}};
  }
  std::string body_of_geom(int geom) const { return robot_.name(mjOBJ_BODY, m_.geom_bodyid[geom]); }

  MujocoModel& robot_;
  mjModel& m_;
  mjData& d_;
  const ReferenceOptions& options_;
  Random random_;
  std::vector<Point> points_;
  std::vector<Loop> loops_;
};

}  // namespace

nlohmann::json record_reference(MujocoModel& robot, const std::string& model_path, const ReferenceOptions& options) {
  return Recorder(robot, options).run(model_path);
}

}  // namespace delassus::testing
