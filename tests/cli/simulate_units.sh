#!/usr/bin/env bash
# daedal simulate: a model in other units is the same model. What begins at zero may be of any size within a step, and says
# nothing about the size of its rounding errors. Usage: simulate_units.sh PATH_OF_DAEDAL
set -u
. "$(dirname "$0")/simulate_kit.bash"

model pendulum <<'EOF'
model Pendulum "index 3, from rest: with a large L the speeds, which begin at zero, are of its size"
  parameter Real L = 1, g = 9.81*L;
  Real x(start = 0.6*L, fixed = true), y(start = -0.8*L), vx(start = 0, fixed = true), vy, lam;
  Real s = x/L, c = y/L, v = vx/L, f = lam/L;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x/L;
  der(vy) = -lam*y/L - g;
  x^2 + y^2 = L^2;
end Pendulum;
EOF

# alike KEY NUMBER: is it this number, to 1e-9?
alike() {
    awk -v a="$(value "$1")" -v b="$2" 'BEGIN { d = a - b; exit !(a != "" && d < 1e-9 && d > -1e-9) }'
}

# the same steps in both units: the numbers differ by rounding (projections measure with nominal values, so without them)
for method in implicit-euler trapezoidal bdf-1 bdf-4 radau-2 radau-3 gauss-2 gauss-3 lobatto-3 chebyshev-6 chebyshev-12 rk4; do
    for step in 0.02 0.1; do
        answer 0 ok pendulum.mo --method $method --step $step --stop 2 --stabilize none
        s=$(value s) c=$(value c) v=$(value v) f=$(value f)
        answer 0 ok pendulum.mo --method $method --step $step --stop 2 --stabilize none --set L=1e8
        if ! { alike s "$s" && alike c "$c" && alike v "$v" && alike f "$f"; }; then
            complain "$method with steps of $step: in small units the motion ends elsewhere, s = $(value s) and not $s"
        fi
    done
done

# numbers in equations are what the user wrote, 16 digits apart or not: z1 = 3 x/(2 a), z2 = -x/(2 b)
model coefficients <<'EOF'
model Coefficients
  parameter Real a = 1, b = 1;
  Real x(start = 1, fixed = true), z1, z2, one = z1*a/x, two = z2*b/x;
equation
  der(x) = -x;
  a*z1 + b*z2 = x;
  a*z1 - b*z2 = 2*x;
end Coefficients;
EOF
for units in "1 1" "1e8 1e-8" "1e-10 1e10" "1e12 1e-12" "1e-14 1e9"; do
    answer 0 ok coefficients.mo --set "a=${units% *}" --set "b=${units#* }"
    alike one 1.5 && alike two -0.5 || complain "coefficients $units: one = $(value one), two = $(value two)"
done

exit $failed
