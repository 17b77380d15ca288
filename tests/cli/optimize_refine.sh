#!/usr/bin/env bash
# Refinement that cannot go on, and guesses from tables that cannot be read. Usage: optimize_refine.sh PATH_OF_DAEDAL
here=$(cd "$(dirname "$0")" && pwd)
. "$here/optimize_kit.bash"

objective() { grep -oE '"objective":[-+.e0-9]+' out | cut -d: -f2; }

# a wall that stands between the points of four intervals, and on points of every finer mesh: there is no solution there, and the
# answer is that of the mesh before, which says so
cat >hidden.mop <<'M'
optimization Hidden(objectiveIntegrand = u^2 + (x - sin(5*time))^2, startTime = 0, finalTime = 1)
  Real x(start = 0, fixed = true);
  input Real u(min = -4, max = 4);
equation
  der(x) = u - 3*sin(4*x);
constraint
  x <= noEvent(if time > 0.42 and time < 0.48 then -9 else 9);
end Hidden;
M
run 1 hidden.mop --intervals 4 --json
has '"status":"inaccurate"'
has 'steps over a constraint: between the points of an interval, at time 0\.4[2-8]'
first=$(objective)
run 1 hidden.mop --intervals 4 --control constant --refine 1e-7 --json
has '"status":"inaccurate"'
has 'the solve on a mesh of 8 intervals ended with infeasible'
[ "$(objective | cut -c1-12)" = "$(echo "$first" | cut -c1-12)" ] || complain "$(objective) is not the objective before, $first"

# a body that falls through the floor between the points of two intervals: said, and refused where it is far below
cat >floor.mop <<'M'
optimization Floor(objectiveIntegrand = u^2, startTime = 0, finalTime = 1)
  parameter Real height = 0.2, speed = -3;
  Real x(start = height, fixed = true, min = 0), v(start = speed, fixed = true);
  input Real u;
equation
  der(x) = v;
  der(v) = u;
constraint
  x(finalTime) = 0.5;
end Floor;
M
run 0 floor.mop --intervals 2 --json
has '"note":"between the points of the mesh x >= 0 [(]its min[)] is violated by up to 0\.1 '
run 1 floor.mop --intervals 2 --set height=0.26 --set speed=-4 --json
has 'between the points of an interval, at time 0\.1875, x >= 0 [(]its min[)] is violated by 0\.14'
run 0 floor.mop --set height=0.26 --set speed=-4 --json
grep -q 'is violated' out && complain 'violated on 50 intervals'

# tables of two phases: the column of phases, names, numbers, order and times are looked at
cat >two.mop <<'M'
optimization Drift(objectiveIntegrand = u^2)
  Real x;
  input Real u;
equation
  der(x) = u;
end Drift;
optimization Two
  Drift one(startTime = 0, finalTime = 1, x(start = 0, fixed = true));
  Drift two(startTime = one.finalTime, finalTime = 2);
constraint
  connect(one, two);
  two.x(two.finalTime) = 1;
end Two;
M
# refused NAME REGEX LINES...
refused() {
    local name=$1 regex=$2
    shift 2
    printf '%s\n' "$@" >"$name.csv"
    run 1 two.mop --intervals 4 --guess "$name.csv" --json
    has "$name.csv.*$regex"
}
refused nobody 'no column is named like a variable or control of a phase' time,phase,q 0,1,1 1,1,1
refused third 'there is no phase number 3: the problem has 2' time,phase,x 0,1,1 1,1,1 2,3,1
refused back 'time goes backwards' time,phase,x 0,1,1 1,1,1 0.5,1,1
refused short 'a guess needs rows at two times of the phase' time,phase,x 0,1,1 1,1,1 1,2,1
refused word ':?3' time,phase,x 0,1,1 1,one,1

exit $((failures > 0))
