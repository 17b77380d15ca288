#!/usr/bin/env bash
# Several starts are never worse than one: acrobats with a motor at the elbow alone, which swing up with the least
# integral of u^2. What is lowest on the first mesh is not always lowest in the end, and the given guess may need more
# than one solve: --multistart ends as well as the run without it, or better.
# Usage: ocp_several.sh PATH_OF_DAEDAL
set -u
daedal=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failed=0

# acrobot INERTIA LIMIT TIME: two uniform-length links, both of mass 1 and length 1
acrobot() {
    cat <<END
optimization Up(objectiveIntegrand = u^2, finalTime = $3)
  parameter Real I = $1, g = 9.81;
  Real q1(start = 0, fixed = true), q2(start = 0, fixed = true), w1(start = 0, fixed = true), w2(start = 0, fixed = true);
  input Real u(min = -$2, max = $2);
equation
  der(q1) = w1;
  der(q2) = w2;
  (2*I + 1.5 + cos(q2))*der(w1) + (I + 0.25 + 0.5*cos(q2))*der(w2) - 0.5*sin(q2)*(2*w1*w2 + w2^2)
    + 1.5*g*sin(q1) + 0.5*g*sin(q1 + q2) = 0;
  (I + 0.25 + 0.5*cos(q2))*der(w1) + (I + 0.25)*der(w2) + 0.5*sin(q2)*w1^2 + 0.5*g*sin(q1 + q2) = u;
constraint
  q1(finalTime) = 3.141592653589793;
  q2(finalTime) = 0;
  w1(finalTime) = 0;
  w2(finalTime) = 0;
end Up;
END
}

# of the result, not of the list of optima
number() {
    sed 's/"optima":\[[^]]*\]//' "$2" | grep -o "\"$1\":[-0-9.eE+]*" | head -n 1 | cut -d: -f2
}

# compare INERTIA LIMIT TIME STARTS
compare() {
    acrobot "$1" "$2" "$3" >up.mop
    "$daedal" optimize up.mop --json --quiet >one
    "$daedal" optimize up.mop --json --quiet --multistart "$4" >many
    if ! grep -q '"status":"optimal"' one; then
        echo "inertia $1, limit $2, time $3: not solved from one guess"
        failed=1
    elif ! grep -q '"status":"optimal"' many ||
        awk -v one="$(number objective one)" -v many="$(number objective many)" \
            'BEGIN { exit !(many == "" || many > one * (1 + 1e-6)) }'; then
        echo "inertia $1, limit $2, time $3: $4 starts end at $(number objective many), one at $(number objective one)"
        failed=1
    fi
}

compare 0.083 10 4 6
compare 0.083 100 4 8
compare 0.2 100 4 2
compare 0.2 5 6 5
compare 0.083 10 6 6
# and sometimes better
compare 1 10 4 2
awk -v a="$(number objective one)" -v b="$(number objective many)" 'BEGIN { exit !(b < 0.8 * a) }' ||
    { echo "a second start finds nothing better: $(number objective many)"; failed=1; }
# stopped on the way, the best start so far is the answer, and called stopped
"$daedal" optimize up.mop --json --quiet --multistart 1000000 --max-time 2 >many
grep -q '"status":"time_limit","model":"Up","reason":"stopped at start [0-9]* of 1000000' many &&
    awk -v a="$(number objective one)" -v b="$(number objective many)" 'BEGIN { exit !(b < 0.8 * a) }' ||
    { echo "stopped: $(head -c 200 many)"; failed=1; }
exit $failed
