// Jacobi's elliptic functions, for pendulums and tops that nothing brakes.
#pragma once

namespace delassus {

/// K(m), the quarter period.
double quarter_period(double m);

/// cd(u | m) = cn / dn, which is sn a quarter period later, for 0 <= m < 1. By the arithmetic-geometric mean (Abramowitz, Stegun, 16.4).
double jacobi_cd(double u, double m);

}  // namespace delassus
