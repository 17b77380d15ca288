#!/usr/bin/env bash
# daedal simulate: what was asked for is kept, at the steps and between them. Closed forms are the truth.
# Usage: simulate_accuracy.sh PATH_OF_DAEDAL
set -u
. "$(dirname "$0")/simulate_kit.bash"

model pendulum <<'EOF'
model Pendulum "index 3"
  parameter Real L = 1, g = 9.81;
  Real x(start = 0.6*L, fixed = true), y(start = -0.8*L), vx(start = 0, fixed = true), vy;
  Real lam;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -2*lam*x;
  der(vy) = -2*lam*y - g;
  x^2 + y^2 = L^2;
end Pendulum;
model Swing "the same in its angle"
  parameter Real L = 1, g = 9.81;
  Real phi(start = asin(0.6), fixed = true), w(start = 0, fixed = true);
  Real x = L*sin(phi), y = -L*cos(phi);
equation
  der(phi) = w;
  der(w) = -g/L*sin(phi);
end Swing;
EOF
model carousel <<'EOF'
model Carousel "index 2: l keeps (x, y) on the unit circle, x = cos(time)"
  Real x(start = 1), y(start = 0, fixed = true), l;
equation
  der(x) = -y + (l - 1)*x;
  der(y) = x + (l - 1)*y;
  x*x + y*y = 1;
end Carousel;
EOF

# ---- Baumgarte's alpha never makes a fixed step unstable, however long the run and the step ----
run pendulum.mo Swing --stop 10 --tol 1e-12 --json
swing=$(value x)
for how in 'rk4 0.05 3e-3' 'rk4 0.01 1e-5' 'dop853 0.1 1e-5' 'trapezoidal 0.01 1e-2' 'radau-3 0.05 1e-5' 'bdf-3 0.01 1e-3'; do
    set -- $how
    answer 0 ok pendulum.mo Pendulum --stop 10 --method "$1" --step "$2" --stabilize baumgarte
    near x "$swing" "$3"
done
for stop in 0.2 1 40; do
    cosine=$(awk -v t=$stop 'BEGIN {printf "%.17g", cos(t)}')
    for how in 'euler 0.01 0.05' 'midpoint 0.05 0.03' 'rk4 0.1 1e-4' 'gauss-2 0.1 1e-4' 'implicit-euler 0.01 0.15'; do
        set -- $how
        answer 0 ok carousel.mo --stop $stop --method "$1" --step "$2" --stabilize baumgarte
        near x "$cosine" "$3"
    done
    for method in radau dop853 bdf; do
        answer 0 ok carousel.mo --stop $stop --method $method --stabilize baumgarte
        near x "$cosine" 3e-5
    done
done
expect 1 'grown beyond all bounds.*shorter' pendulum.mo Pendulum --stop 100 --method euler --step 0.05 --stabilize baumgarte

exit $failed
