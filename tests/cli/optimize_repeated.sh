#!/usr/bin/env bash
# daedal optimize: constraints that repeat others are left out. Usage: optimize_repeated.sh PATH_OF_DAEDAL
. "$(dirname "$0")/optimize_kit.bash"

# Constraints that repeat others on the motions of the model: a kept quantity makes one of two rows idle ...
cat >cycle.mop <<'END'
optimization Cycle(objective = finalTime, finalTime(free = true, min = 2, max = 12, initialGuess = 5))
  Real a(start = 2, fixed = true), b(start = 1, fixed = true);
equation
  der(a) = a*(1 - b);
  der(b) = b*(a - 1);
constraint
  a(finalTime) = a(startTime);
  b(finalTime) = b(startTime);
end Cycle;
END
run 0 cycle.mop --intervals 30
has 'objective 6.6084'
has 'left out: a\(finalTime\) = a\(startTime\): follows from b\(finalTime\) = b\(startTime\) and the equations of the model'
has 'constraints depend on each other: .* repeats .*; solved again without it'
# ... but not when it asks for another cycle
sed 's/a(finalTime) = a(startTime)/a(finalTime) = 2.2/' cycle.mop >other.mop
run 1 other.mop --intervals 30
lacks 'Cycle: optimal'

# A pendulum reduced by hand: two of the periodic rows repeat the others, and are found where the solver stalls
cat >hand.mop <<'END'
optimization Hand(objectiveIntegrand = u^2 + (p[1] - 0.6*cos(4*time))^2, finalTime = 1.5)
  Real p[2](start = {0.6, -0.8}), v[2], lam;
  input Real u;
equation
  der(p) = v;
  der(v) = {u, -9.81} - lam*p;
  p*der(v) + v*v = 0;
constraint
  p(finalTime) = p(startTime);
  v(finalTime) = v(startTime);
  p(startTime)*p(startTime) = 1;
  p(startTime)*v(startTime) = 0;
end Hand;
END
run 0 hand.mop --intervals 30 --json
has '"status":"optimal"'
has 'depend on each other'
[ "$(sed -n 's/.*"iterations":\([0-9]*\).*/\1/p' out)" -lt 150 ] || complain "$(head -c 200 out)"

# An unstable motion: what is decided early moves both rows of the end by e^24 times as much as what is decided late, and in one
# direction. The rows are independent all the same
cat >unstable.mop <<'END'
optimization Unstable(objectiveIntegrand = u^2, finalTime = 2)
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  input Real u(min = -1000, max = 1000);
equation
  der(x) = v;
  der(v) = 144*x + u;
constraint
  x(finalTime) = 1;
  v(finalTime) = 0;
end Unstable;
END
run 0 unstable.mop
has 'Unstable: optimal'
lacks 'depend on each other'

# A load that spins freely about its own axis, in angles whose inferred sizes are 10^4 times what they reach: rows at the end that
# seem to add nothing where the solver stalls do not hold without being asked for, so they are asked for. An error of 0.02 in the
# attitude is no rounding
cat >load.mop <<'END'
model Gantry
  parameter Real m = 0.5, l = 0.5, g = 9.81;
  Real x[2](each start = 0, each fixed = true), v[2](each start = 0, each fixed = true) = der(x);
  Real a[3](each start = 0, each fixed = true) "roll, pitch, yaw", b[3](each start = 0, each fixed = true) = der(a);
  input Real u[2](each min = -20, each max = 20);
  Real p[3] = {x[1] - l*(cos(a[3])*sin(a[2])*cos(a[1]) + sin(a[3])*sin(a[1])), x[2] - l*(sin(a[3])*sin(a[2])*cos(a[1]) - cos(a[3])*sin(a[1])), -l*cos(a[2])*cos(a[1])};
  Real pv[3] = der(p);
  Real w[3] = {b[1] - sin(a[2])*b[3], cos(a[1])*b[2] + sin(a[1])*cos(a[2])*b[3], cos(a[1])*cos(a[2])*b[3] - sin(a[1])*b[2]};
equation
  lagrange(q = cat(1, x, a), T = 0.5*3*v[1]^2 + 0.5*1*v[2]^2 + 0.5*m*(pv*pv) + 0.5*(0.02*w[1]^2 + 0.02*w[2]^2 + 0.01*w[3]^2), V = m*g*p[3], Q = cat(1, u, zeros(3)));
end Gantry;
optimization Carry(objectiveIntegrand = u*u, startTime = 0, finalTime = 2)
  extends Gantry;
constraint
  x(finalTime) = {1, 0.5};
  v(finalTime) = zeros(2);
  a(finalTime) = zeros(3);
  b(finalTime) = zeros(3);
end Carry;
END
run 0 load.mop --intervals 40 --json
has '"status":"optimal"'
has '"objective":19.3316'
final=$(sed 's/.*"final":{\([^}]*\)}.*/\1/' out)
for k in 1 2 3; do
    holds "a[$k] at the end" "$(sed "s/.*\"a\[$k\]\":\([^,]*\).*/\1/" <<<"$final")^2 < 1e-12"
done

# one control alone reaches the end, at its bounds all the way: without cost no multipliers are needed, which do not settle
cat >only.mop <<'END'
optimization Only(objective = 0, startTime = 0, finalTime = 2)
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  input Real u(min = -1, max = 1);
equation
  der(x) = v;
  der(v) = u;
constraint
  x(finalTime) = 1;
  v(finalTime) = 0;
end Only;
END
for options in '' '--control polynomial' '--method shooting'; do
    run 0 only.mop $options --json
    has '"status":"optimal"'
    holds "without cost, $options: iterations" "$(sed -n 's/^[^[]*"iterations":\([0-9]*\),.*/\1/p' out) <= 250"
    holds "without cost, $options: multipliers" "$(value dual_infeasibility) == 0"
done
exit $((failures > 0))
