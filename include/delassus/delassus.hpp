// The whole library. Smaller parts can be included by room: kinematics/, constraints/, dynamics/, delassus/.
#pragma once

#include "delassus/constraints/constraint.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/constraints/maps.hpp"
#include "delassus/delassus/dense.hpp"
#include "delassus/delassus/operator.hpp"
#include "delassus/delassus/oracle.hpp"
#include "delassus/delassus/spectrum.hpp"
#include "delassus/dynamics/articulate.hpp"
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/kinematics/integrate.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/kinematics/velocities.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/model/model.hpp"
