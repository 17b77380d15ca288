#!/usr/bin/env bash
# What is refused before anything is solved, and in which words: times, bounds and rows that contradict each other, values outside
# the horizon, formulas without a value at the guess. Usage: optimize_refused.sh PATH_OF_DAEDAL
here=$(cd "$(dirname "$0")" && pwd)
. "$here/optimize_kit.bash"

# class NAME HEAD ROWS [DECLARATIONS]: x' = u from 0, |u| <= 1 on [0, 1] unless HEAD says otherwise
class() {
    printf 'optimization P(%s)\n  Real x(start = 0, fixed = true);\n  input Real u(min = -1, max = 1);\n%s\nequation\n  der(x) = u;\nconstraint\n%s\nend P;\n' \
        "$2" "${4-}" "$3" >"$1.mop"
}
plain='objectiveIntegrand = u^2, startTime = 0, finalTime = 1'

# times
class outside "$plain" '  x(2.5) = 0;'
run 1 outside.mop --json
has 'x\(2\.5\).* is a value outside the time from 0 to 1'
class crossed 'objective = finalTime, startTime = 0, finalTime(free = true, min = 3, max = 2)' '  x(finalTime) = 0;'
run 1 crossed.mop --json
has 'finalTime has min = 3 above max = 2'
class backwards 'objectiveIntegrand = u^2, startTime = 1, finalTime = 0' '  x(finalTime) = 0;'
run 1 backwards.mop --json
has 'finalTime \(0\) must lie after startTime \(1\)'
class late 'objective = finalTime, startTime = 2, finalTime(free = true, min = 0, max = 1)' '  x(finalTime) = 0;'
run 1 late.mop --json
has 'finalTime is 1 at most, which is not after startTime'

# rows against each other, and against bounds: ranges of formulas decide
class each_other "$plain" '  x - w <= 1;
  x - w >= 2;' '  input Real w;'
run 1 each_other.mop --json
has '"status":"infeasible"'
has 'x - w >= 2 contradicts x - w <= 1'
class impossible "$plain" '  abs(u) + max(u, 0) + noEvent(if u > 0 then u else 0) >= 3.5;'
run 1 impossible.mop --json
has '"status":"infeasible"'
has '3\.5.* (by|off)'
class idle "$plain" '  exp(u) + sqrt(u + 1) + floor(u) >= -2;
  ceil(u) + min(u, 0) + u^2 <= 5;'
run 0 idle.mop --intervals 4 --json
grep -q 'nothing depends' out && complain 'u is used'
class unused "$plain" '  x(finalTime) = 0; v(0.5) <= 1;' '  input Real w(min = 1, max = 3), v;'
run 0 unused.mop --intervals 4 --json
has 'nothing depends on the input w'
grep -q 'nothing depends on the input [uv]' out && complain 'u and v are used'
run 0 idle.mop --intervals 4 --json
has 'always holds with'
has '"objective":(0|[0-9.]+e-[0-9]+),'

# formulas without a value at the guess, each named with what it is computed from
class cost 'objectiveIntegrand = log(x - 2), startTime = 0, finalTime = 1' '  x <= 5;'
run 1 cost.mop --intervals 4 --json
has '"status":"evaluation_error"'
has 'the objective is not a finite number at time .*where x = '
class row "$plain" '  sqrt(x - 1) <= 2;'
run 1 row.mop --intervals 4 --json
has 'sqrt\(x - 1\) <= 2 is not a finite number at time'
has 'give an initialGuess or bounds that keep it defined'
run 1 row.mop --intervals 4 --method shooting --json
has 'is not a finite number at time'
class end "objective = 1/x(finalTime), startTime = 0, finalTime = 1" '  u <= 0.5;'
# a motion has one: x(1) = 0.5 at most
run 0 end.mop --intervals 4 --json
has '"objective":2\.0000000'
class implicit "$plain" '  z <= 3;' '  Real z(start = -1);
equation
  z + exp(z) = 1/x;'
run 1 implicit.mop --intervals 4 --json
has '"status":"(evaluation_error|infeasible)"'

# singular at the start, where ranks of the derivative array decide: a bob without inertia hangs on another. There are no reduced
# equations, and every verb says so
cat >rods.mop <<'M'
model Rods
  Real a[2](start = {0, -1}), va[2] = der(a), b[2](start = {0, -2}), vb[2] = der(b), lam[2];
  input Real u;
equation
  lagrange(q = cat(1, a, b), T = 0.5*(vb*vb), V = 9.81*(a[2] + b[2]), c = {a*a - 1, (b - a)*(b - a) - 1}, Q = {u, 0, 0, 0}, lambda = lam);
end Rods;
optimization Orbit(objectiveIntegrand = u^2 + (b[1] - 0.5)^2, startTime = 0, finalTime = 2)
  extends Rods;
end Orbit;
M
run 1 rods.mop --json
has '"status":"invalid_model".*singular at the start values, and are not reduced there'
run 1 rods.mop --method shooting
for verb in check control "export --c code"; do
    # shellcheck disable=SC2086
    "$daedal" ${verb%% *} rods.mop ${verb#"${verb%% *}"} >out 2>&1
    [ $? -eq 1 ] || complain "$verb: another exit code"
    has 'are not reduced there'
done

exit $((failures > 0))
