#!/usr/bin/env bash
# daedal on optimization classes with phases: JSON, CSV and text of the answer, what check says, the flat listing as a
# problem of its own, guesses from the answer, and refusals. Usage: optimize_phases.sh PATH_OF_DAEDAL
set -u
export LC_ALL=C
daedal=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0
fail() {
    echo "$1"
    failures=$((failures + 1))
}
# NAME CODE PATTERN ARGS...: exit code and a line of the output
expect() {
    local name=$1 code=$2 pattern=$3
    shift 3
    "$daedal" "$@" >"$scratch/out" 2>&1
    local got=$?
    if [ $got -ne "$code" ] || ! grep -qE "$pattern" "$scratch/out"; then
        fail "$name: exit code $got, expected $code and \"$pattern\":"
        cat "$scratch/out"
    fi
}
near() { # NAME VALUE EXPECTED TOLERANCE
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { d = a - b; exit !(a != "" && d <= t && d >= -t) }' ||
        fail "$1 is $2, not $3"
}
number() { # KEY of the JSON in $scratch/json, the N-th of that name
    grep -oE "\"$1\":[-0-9.e+]+" "$scratch/json" | sed -n "${2:-1}s/.*://p"
}

# Drift with a speed as control, then a push from rest with a force: 3/4 of the way first, cost 3/4.
cat >"$scratch/two.mop" <<'M'
optimization Drift(objectiveIntegrand = u^2)
  Real x;
  input Real u;
equation
  der(x) = u;
end Drift;
optimization Thrust(objectiveIntegrand = a^2)
  Real x, v(start = 7, fixed = true);
  input Real a;
equation
  der(x) = v;
  der(v) = a;
end Thrust;
optimization Two
  Drift one(startTime = 1, finalTime = 2, x(start = 0, fixed = true));
  Thrust two(startTime = one.finalTime, finalTime = 3, v(start = 0));
constraint
  connect(one, two);
  two.x(two.finalTime) = 1;
end Two;
M
expect "two phases" 0 'phase 2, two: from time 2 to 3' optimize "$scratch/two.mop" --intervals 4 --control polynomial
"$daedal" optimize "$scratch/two.mop" --intervals 4 --control polynomial --json -o "$scratch/two.csv" >"$scratch/json"
near "the cost" "$(number objective)" 0.75 1e-9
near "the last end" "$(number finalTime)" 3 1e-12
near "one.x at the end" "$(number one.x 2)" 0.75 1e-9
near "two.x at its start" "$(number two.x 1)" 0.75 1e-9
grep -q '"phases":\[{"name":"one","startTime":1,"finalTime":2},{"name":"two","startTime":2,"finalTime":3}\]' \
    "$scratch/json" || fail "no list of phases: $(cat "$scratch/json")"
[ "$(head -1 "$scratch/two.csv")" = "time,phase,x,v,u,a" ] || fail "header of the table: $(head -1 "$scratch/two.csv")"
# time runs on; the first phase has neither v nor a, the second no u; x does not jump
awk -F, 'NR > 1 {
    if ($1 < last || ($2 == 1) != ($4 == "" && $6 == "") || ($2 == 2) != ($5 == "")) { print "line " NR ": " $0; bad = 1 }
    if ($2 != phase && NR > 2 && ($3 - x > 1e-9 || x - $3 > 1e-9)) { print "x jumps in line " NR; bad = 1 }
    last = $1; phase = $2; x = $3; rows[$2]++ }
    END { exit bad || rows[1] < 5 || rows[1] != rows[2] || last != 3 }' "$scratch/two.csv" ||
    fail "the table of two phases"

# Plots of a phase are over its own time.
expect "a page of phases" 0 'plots in' optimize "$scratch/two.mop" --intervals 4 --report "$scratch/two.html"
{ grep -q '>1\.2<' "$scratch/two.html" && grep -q '>2\.2<' "$scratch/two.html"; } || fail "times of phases on the page"

# The answer as a guess; a file without phases is none.
"$daedal" optimize "$scratch/two.mop" --intervals 4 --control polynomial --guess "$scratch/two.csv" --json >"$scratch/json"
near "the cost from the answer" "$(number objective)" 0.75 1e-9
near "iterations from the answer" "$(number iterations)" 0 1
printf 'time,x\n0,1\n1,2\n' >"$scratch/plain.csv"
expect "a guess without phases" 1 'plain.csv:1: .* columns .time. and .phase.' \
    optimize "$scratch/two.mop" --guess "$scratch/plain.csv"

# There and back as fast as possible, from bound to bound: 2 sqrt(2) seconds for the load of mass 2, 2 for the empty trolley.
# The second phase switches at time 2 sqrt(2) + 1, inside an interval: polynomials leave the bounds there by a third of the range.
cat >"$scratch/trolley.mop" <<'M'
optimization Haul
  parameter Real m = 1;
  Real s, v;
  input Real F(min = -1, max = 1);
equation
  der(s) = v;
  m*der(v) = F;
end Haul;
optimization Trolley(objective = back.finalTime)
  Haul carry(m = 2, finalTime(free = true, min = 1, max = 10, initialGuess = 2), s(start = 0, fixed = true), v(start = 0, fixed = true));
  Haul back(startTime = carry.finalTime, finalTime(free = true, min = 2, max = 20, initialGuess = 4));
constraint
  carry.s(carry.finalTime) = 1;
  carry.v(carry.finalTime) = 0;
  connect(carry, back);
  back.s(back.finalTime) = 0;
  back.v(back.finalTime) = 0;
end Trolley;
M
"$daedal" optimize "$scratch/trolley.mop" --control polynomial --intervals 201 --json >"$scratch/json"
near "from bound to bound" "$(number objective)" 4.82842712 1e-3
grep -qE '"note":"[^"]*the control is not one to apply: [^"]*(carry.F leaves its bounds by up to [0-9.]* .time 1\.4[0-9]* in phase carry|back.F leaves its bounds by up to [0-9.]* .time 3\.8[0-9]* in phase back)' "$scratch/json" ||
    fail "controls that leave their bounds, without a note of where: $(cat "$scratch/json")"

# A list of phases, second derivatives without a name, a loop around connect; the flat listing is the same problem.
cat >"$scratch/springs.mop" <<'M'
optimization Spring(objectiveIntegrand = (x - time)^2 + u^2)
  Real x;
  input Real u;
equation
  der(der(x)) = u - x + sin(time);
end Spring;
optimization Springs(objective = s[3].x(s[3].finalTime)^2)
  Spring s[3](startTime = {1, s[1].finalTime, s[2].finalTime}, finalTime = {2, 4, 4.5});
  Real e = 0.5*der(s[1].x)^2 + 0.5*s[1].x^2;
constraint
  s[1].x(s[1].startTime) = 0;
  for i in 1:2 loop
    connect(s[i], s[i + 1]);
  end for;
  e <= 300;
end Springs;
optimization Spring1(objective = x(finalTime)^2, objectiveIntegrand = (x - time)^2 + u^2, startTime = 1, finalTime = 4.5)
  Real x;
  input Real u;
equation
  der(der(x)) = u - x + sin(time);
constraint
  x(startTime) = 0;
end Spring1;
M
options="--control polynomial --degree 5 --intervals 7"
"$daedal" optimize "$scratch/springs.mop" Spring1 $options --json >"$scratch/json"
one=$(number objective)
"$daedal" optimize "$scratch/springs.mop" Springs $options --json >"$scratch/json"
near "the cost of three phases" "$(number objective)" "$one" 1e-8
"$daedal" check "$scratch/springs.mop" Springs --flat >"$scratch/flat.mop" 2>&1
"$daedal" optimize "$scratch/flat.mop" $options --json >"$scratch/json"
near "the cost of the flat listing" "$(number objective)" "$one" 1e-8

# Times that are decided; check.
cat >"$scratch/move.mop" <<'M'
optimization Move
  Real x, v;
  input Real u(min = -1, max = 1);
equation
  der(x) = v;
  der(v) = u;
end Move;
optimization Free(objective = b.finalTime)
  Move a(finalTime(free = true, min = 0.1, max = 5), x(start = 0, fixed = true), v(start = 0, fixed = true));
  Move b(startTime = a.finalTime, finalTime(free = true, min = 0.1, max = 5));
constraint
  connect(a, b);
  b.x(b.finalTime) = 1;
  b.v(b.finalTime) = 0;
end Free;
optimization Loose(objective = b.x(b.finalTime))
  Move a(finalTime = 1, x(start = 0, fixed = true));
  Move b(startTime = a.finalTime, finalTime = 2, x(min = -4, max = 3), v(min = -1));
end Loose;
M
cat >"$scratch/pendulum.mop" <<'M'
model Pendulum
  Real p[2], v[2] = der(p), lam[1];
  input Real F(min = -12, max = 12);
equation
  lagrange(q = p, T = 0.5*(v*v), V = 9.81*p[2], c = {p*p - 1}, Q = {F, 0}, lambda = lam);
end Pendulum;
optimization Swing(objectiveIntegrand = F^2)
  extends Pendulum;
end Swing;
optimization Two
  Swing a(finalTime(free = true, min = 0.5, max = 0.9, initialGuess = 0.7), p(start = {0, -1}, fixed = {true, false}),
          v(start = {0, 0}, fixed = {true, false}));
  Swing b(startTime = a.finalTime, finalTime = 1.5);
constraint
  connect(a, b);
  b.p(b.finalTime) = {sin(1), -cos(1)};
  b.v(b.finalTime) = {0, 0};
end Two;
M
"$daedal" optimize "$scratch/pendulum.mop" --intervals 8 --degree 5 --control polynomial --json >"$scratch/json"
near "the pendulum in two phases" "$(number objective)" 14.239049676 1e-6
grep -q '"b.p\[[12]\](b.startTime) = a.p\[[12]\](a.finalTime): follows from b.p\*b.p - 1 = 0' "$scratch/json" ||
    fail "the linked states that follow from others: $(cat "$scratch/json")"
expect "free times" 0 'phase 2, b: from time (1|0\.99+)[0-9.]* to 2' optimize "$scratch/move.mop" Free --intervals 4
expect "free times in check" 0 '2  b: from a.finalTime to b.finalTime' check "$scratch/move.mop" Free
expect "hidden constraints are in the time of the phase" 0 "that is  b.v\*b.v - " check "$scratch/pendulum.mop" Two
expect "no initial value is missing" 0 '"missing":0' check "$scratch/move.mop" Free --json
expect "a phase that nothing links" 0 'nothing fixes the start of the phase b' optimize "$scratch/move.mop" Loose
expect "simulate" 1 'phases are for .optimize' simulate "$scratch/move.mop" Free
expect "linearize" 1 'phases are for .optimize' linearize "$scratch/move.mop" Free

# The example: full thrust throughout, heights and times in closed form.
"$daedal" optimize "$(dirname "$0")/../../examples/two_stage_rocket.mop" --intervals 10 --degree 5 --json >"$scratch/json"
near "the rocket's height" "$(number objective)" -955066.8725432795 0.01
near "the end of its second phase" "$(number second.finalTime)" 133.33333333333334 1e-4
exit $((failures > 0))
