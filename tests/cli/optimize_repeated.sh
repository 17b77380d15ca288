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
exit $((failures > 0))
