// What a user asks of frames and of the robot as a whole.
#pragma once

#include "delassus/kinematics/kinematics.hpp"

namespace delassus {

template <class T>
Pose<T> frame_pose(const Model& model, const Kinematics<T>& kin, int frame);

/// Angular velocity and velocity of the frame's origin, world axes.
template <class T>
Motion<T> frame_velocity(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel, int frame);

/// J̇ν of the frame: its angular acceleration and the acceleration of its origin at zero joint acceleration.
template <class T>
Motion<T> frame_drift(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel, int frame);

enum class JacobianAxes { kWorldAxes, kFrameAxes };

/// J (6 × nv, angular rows first) with J ν = velocity of the frame's origin, in world axes or in the frame's own.
template <class T>
void frame_jacobian(const Model& model, const Kinematics<T>& kin, int frame, JacobianAxes axes, MatrixOut<T> J);

/// Of everything that has mass, what is fixed to the world included. Throws an Error if nothing has.
template <class T>
Vec3<T> centre_of_mass(const Model& model, const Kinematics<T>& kin);

template <class T>
struct SubtreeMasses {
  explicit SubtreeMasses(const Model& model);

  LinkArray<T> mass;          // of what hangs on a link
  LinkArray<Vec3<T>> moment;  // about the link's origin
};

/// J (3 × nv) with J ν = velocity of the centre of mass, world axes. Throws an Error if nothing has mass.
template <class T>
void centre_of_mass_jacobian(const Model& model, const Kinematics<T>& kin, MatrixOut<T> J, SubtreeMasses<T>& work);

}  // namespace delassus
