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
exit $failed
