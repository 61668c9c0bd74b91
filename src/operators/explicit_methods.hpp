// All explicit algorithms.
#pragma once

#include "operators/chang_khatib.hpp"
#include "operators/dense.hpp"
#include "operators/efpa.hpp"
#include "operators/kjr.hpp"
#include "operators/ltl.hpp"
#include "operators/pv_osim.hpp"
#include "operators/pv_osimr.hpp"
