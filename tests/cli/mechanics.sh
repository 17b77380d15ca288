#!/usr/bin/env bash
# Mechanics: models with a known answer. Usage: mechanics.sh PATH_OF_DAEDAL
set -u
: "${DAEDAL_SOURCE:=$(realpath "$(dirname "$0")/../..")}"
. "$(dirname "$0")/simulate_kit.bash"

# A rate that is only a name: w = der(phi) is never differentiated, phi'' is an unknown all the same.
model named <<'END'
model Named "a pendulum, its angle, and the name of the angle's rate"
  Real x(start = 1), y(start = 0), phi(start = 0, fixed = true), w(start = 0, fixed = true) = der(phi), f[2];
  Real vx = der(x), vy = der(y), energy = 0.5*w^2 + 9.81*sin(phi);
equation
  der(vx) = f[1];
  der(vy) = f[2] - 9.81;
  x*f[2] = y*f[1];
  x*cos(phi) + y*sin(phi) = 1;
  x*sin(phi) = y*cos(phi);
end Named;
END
answer 0 ok named.mo --stop 2 --tol 1e-9
near energy 0 1e-7
near constraint_violation 0 1e-13

finish
