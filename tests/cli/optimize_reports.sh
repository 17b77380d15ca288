#!/usr/bin/env bash
# What check and optimize report in less usual cases, each with a known answer: contradictions found before a solve, free starts,
# controls that an equality needs, several optima, many variables, another order of the program, functions without a derivative.
# Usage: optimize_reports.sh PATH_OF_DAEDAL
here=$(cd "$(dirname "$0")" && pwd)
. "$here/optimize_kit.bash"

checks() { # CODE FILE
    "$daedal" check "$2" >out 2>err
    local code=$?
    [ $code -eq "$1" ] || complain "check $2: exit code $code, expected $1: $(head -c 300 out err)"
}

# bounds that two constraints make contradict each other
cat >apart.mop <<'M'
optimization Apart(objectiveIntegrand = u^2, finalTime = 1)
  Real x(start = 0, fixed = true);
  input Real u;
equation
  der(x) = u;
constraint
  u >= 2;
  u <= 1;
end Apart;
M
run 1 apart.mop --json
has '"status":"infeasible"'
has 'u >= 2 and u <= 1 contradict each other'

# u = x + cos(t) at all times: only controls that are free at every point can do that, and check says so.
# x' = x + cos(t) from 0 ends at (sin(1) - cos(1) + e)/2
cat >follow.mop <<'M'
optimization Follow(objective = x(finalTime), startTime = 0, finalTime = 1)
  Real x(start = 0, fixed = true);
  input Real u;
equation
  der(x) = u;
constraint
  u - x = cos(time);
end Follow;
M
checks 0 follow.mop
has 'equalities at all times need --control polynomial'
run 0 follow.mop --control polynomial --json
has '"objective":1\.509725'

# a free start time is among the decisions: from 0 with |u| <= 1 to 1 in least time, ending at time 5
cat >late.mop <<'M'
optimization Late(objective = -startTime, startTime(free = true, min = 0, max = 4.5), finalTime = 5)
  Real x;
  input Real u(min = -1, max = 1);
equation
  der(x) = u;
constraint
  x(startTime) = 0;
  x(finalTime) = 1;
end Late;
M
checks 0 late.mop
has 'startTime'
run 0 late.mop --json
has '"objective":-(4|3\.99999999)'

# two minima of (p^2 - 1)^2 + p/10: both are found and listed, the lower one is taken
cat >two.mop <<'M'
optimization Two(objective = (p^2 - 1)^2 + 0.1*p + x(finalTime), finalTime = 1)
  parameter Real p(free = true, min = -2, max = 2, initialGuess = 0.9);
  Real x(start = 0, fixed = true);
equation
  der(x) = 0*x;
end Two;
M
run 0 two.mop --multistart 12
has 'optimum 1: objective -0\.1006'
has 'optimum 2: objective 0\.0993'
has 'objective -0\.1006'

# sixty variables: the text shows some of them and says where the others are; in another order the optimum is the same.
# x_i' = u - x_i/i, min int u^2 + (x_1(1) - 1)^2
cat >many.mop <<'M'
optimization Many(objectiveIntegrand = u^2, objective = (x[1](finalTime) - 1)^2, finalTime = 1)
  Real x[60](each start = 0, each fixed = true);
  input Real u;
equation
  for i in 1:60 loop
    der(x[i]) = u - x[i]/i;
  end for;
end Many;
M
run 0 many.mop --intervals 4
has '\.\.\. and [0-9]+ more \(--json and -o FILE\.csv have all\)'
run 0 many.mop --intervals 4 --json
first=$(grep -oE '"objective":[-0-9.e]{12}' out)
run 0 many.mop --intervals 4 --permutation 3 --json
has "$first"
# sixty states and three stages: the dense solver of large intervals
run 0 many.mop --intervals 4 --method shooting --json
has "${first:0:20}"

# the square root has no slope at the start, where x is 0: named, with the interval, for collocation and shooting
cat >root.mop <<'M'
optimization Root(objectiveIntegrand = u^2, finalTime = 1)
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  input Real u;
equation
  der(x) = 0*u;
  der(y) = u + noEvent(sqrt(x));
constraint
  y(finalTime) = 1;
end Root;
M
for method in collocation shooting; do
    run 1 root.mop --method $method --json
    has '"status":"evaluation_error"'
    has 'derivative of the equation of der\(y\).* is not a finite number'
done
exit $((failures > 0))
