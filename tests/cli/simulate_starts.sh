#!/usr/bin/env bash
# daedal simulate: starts are points of the equations, from any guess. Usage: simulate_starts.sh PATH_OF_DAEDAL
set -u
. "$(dirname "$0")/simulate_kit.bash"

model linkage <<'EOM'
model Linkage "a crank of 1, a coupler of 2, a rocker of 3/2 and a frame of 2; where b = c the matrix of the guess is singular"
  Real a(start = 0.3, fixed = true), b(start = 3), c(start = 3);
equation
  der(a) = 1;
  cos(a) + 2*cos(b) - 1.5*cos(c) = 2;
  sin(a) + 2*sin(b) - 1.5*sin(c) = 0;
end Linkage;
EOM
# Newton's first step from b = c is one of 1e16, where cosines have no digits: such a point is none
for b in 0 1 2 3 4 5 6; do
    for c in 0 1 2 3 4 5 6; do
        answer 0 ok linkage.mo --stop 0.001 --set b=$b --set c=$c
        awk -v a="$(value a)" -v b="$(value b)" -v c="$(value c)" 'BEGIN {
            x = cos(a) + 2*cos(b) - 1.5*cos(c) - 2
            y = sin(a) + 2*sin(b) - 1.5*sin(c)
            exit !(x*x + y*y < 1e-18 && b*b + c*c < 1e6)
        }' || complain "the linkage is not closed from b = $b and c = $c: b is $(value b), c is $(value c)"
    done
done

# large numbers are solutions where the equations have digits there
model large <<'EOM'
model Large
  Real t(start = 0, fixed = true), n(start = 1), p(start = 1);
equation
  der(t) = 1;
  p - n = 1e12 + sin(t);
  p*(1 + 1e-20*n) = 4*n;
end Large;
EOM
answer 0 ok large.mo --stop 0.3
near n 333333334814.9133 1e-2 # 3 n = 1e12 + sin(0.3) + 4e-20 n^2

# a factor is no rounding, however small it is at the start: u is cos(t) e^(100 (s - 1)^2), and w the integral of sin(t)
model faint <<'EOM'
model Faint
  Real s(start = 0, fixed = true), x, u, w(start = 0, fixed = true);
equation
  der(s) = 1;
  der(x) = exp(-100*(s - 1)^2)*u;
  x = sin(time);
  der(w) = x;
end Faint;
EOM
for method in dop853 radau bdf; do
    answer 0 ok faint.mo --stop 1 --method $method
    near w 0.45969769413186 2e-6
    near u 0.54030230586814 2e-5
done

# initial equations that are dependent at the start values (all 0) and independent at their solution
model steady <<'EOM'
model Steady "x = y = 1"
  Real x, y;
initial equation
  der(x) = 0;
  der(y) = 0;
equation
  der(x) = -x + y^2;
  der(y) = 1 - x*y;
end Steady;
model Roots "2 and 3"
  parameter Real sum = 5;
  Real x, y;
initial equation
  x*y = 6;
  x + y = sum;
equation
  der(x) = 0;
  der(y) = 0;
end Roots;
model Cubic "1, 2 and 3"
  Real x, y, z;
initial equation
  x*y*z = 6;
  x + y + z = 6;
  x*y + y*z + x*z = 11;
equation
  der(x) = 0;
  der(y) = 0;
  der(z) = 0;
end Cubic;
model Same "one condition, written twice"
  Real x, y;
initial equation
  x + y = 5;
  2*x + 2*y = 10;
equation
  der(x) = 0;
  der(y) = 0;
end Same;
EOM
answer 0 ok steady.mo Steady
near x 1 1e-9
near y 1 1e-9
"$daedal" check steady.mo Steady >out || complain "check of Steady fails"
grep -q '2 to choose, 2 given$' out || complain "Steady: something is missing"
answer 0 ok steady.mo Roots
awk -v x="$(value x)" -v y="$(value y)" 'BEGIN { exit !((x*y - 6)^2 + (x + y - 5)^2 < 1e-18) }' || complain "Roots: $(cat out)"
answer 0 ok steady.mo Cubic
awk -v x="$(value x)" -v y="$(value y)" -v z="$(value z)" 'BEGIN { exit !((x*y*z - 6)^2 + (x + y + z - 6)^2 < 1e-18) }' ||
    complain "Cubic: $(cat out)"
expect 1 'cannot be solved for x .*, y ' steady.mo Roots --set sum=4 # complex ones: no condition is missing
expect 1 '1 initial condition is missing' steady.mo Same
exit $failed
