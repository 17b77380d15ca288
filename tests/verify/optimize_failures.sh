#!/usr/bin/env bash
# daedal optimize: problems without a solution: status, reason, what is violated, what would have to give way.
# Usage: optimize_failures.sh PATH_OF_DAEDAL
. "$(dirname "$0")/../cli/optimize_kit.bash"

# problem NAME HEADER DECLARATIONS EQUATIONS CONSTRAINTS
problem() {
    printf 'optimization %s(%s)\n  %s\nequation\n  %s\n%s\nend %s;\n' "$1" "$2" "$3" "$4" \
        "${5:+constraint
  $5}" "$1" >"$1.mop"
}

mass='Real x(start = 0, fixed = true), v(start = 0, fixed = true);'

if ! "$daedal" optimize --help 2>&1 | grep -q -- --control; then complain "no help"; fi
problem Probe 'objectiveIntegrand = u^2, finalTime = 1' 'Real x(start = 1, fixed = true); input Real u;' 'der(x) = u;'
"$daedal" optimize Probe.mop >out 2>&1
if [ $? -eq 2 ] && grep -q ipopt out; then
    echo "built without ipopt: nothing to check"
    exit 0
fi

# the farthest point is 1/2: the end must give way by 3/2, whatever else is done
problem Far 'objectiveIntegrand = u^2, finalTime = 1' "$mass input Real u(min = -1, max = 1);" 'der(x) = v; der(v) = u;' \
    'x(finalTime) = 2;'
run 1 Far.mop --intervals 8 --json
has '"status":"infeasible"'
has '"reason":"[^"]*x\(finalTime\) = 2 would have to give way by 1\.5'
has '"worst":\[\{"equation":"x\(finalTime\) = 2","time":1,"violation":1\.[45]'
has '"from":1,"to":1,"rows":1\}\]'
has '"relax":\[\{"equation":"x\(finalTime\) = 2","by":1\.[45]'
lacks '"worst":\[[^]]*der\(x\)'
run 1 Far.mop --intervals 8
has 'x\(finalTime\) = 2 is violated at time 1, by 1\.5'
has 'would have to give way: x\(finalTime\) = 2, by 1\.5'
run 1 Far.mop --intervals 8 --method shooting --json
has '"relax":\[\{"equation":"x\(finalTime\) = 2","by":1\.[45]'

# a window: from 1/2 to 1 the state is above what the start and the slowest fall allow
problem Window 'objectiveIntegrand = u^2, finalTime = 1' \
    'Real x(start = 1, fixed = true); input Real u(min = -1, max = 1);' 'der(x) = u;' 'x <= 1.5 - 2*time;'
run 1 Window.mop --intervals 10 --json
has '"relax":\[\{"equation":"x <= 1\.5 - 2\*time","by":0\.5'
has '"worst":\[\{"equation":"x <= 1\.5 - 2\*time","time":1,"violation":0\.[45][0-9e-]*,"by":0\.[45][0-9e-]*,"from":0\.[56][0-9]*,"to":1,'
run 1 Window.mop --intervals 10
has 'x <= 1\.5 - 2\*time is violated from time 0\.[56][0-9]* to 1, by 0\.5 at most'

# a bound that gives way is among what is violated, by the name the user gave it
problem Cold 'objectiveIntegrand = u^2, finalTime = 1' \
    'Real T(start = 1, fixed = true); input Real u(min = 0, max = 1);' 'der(T) = u - 2*T;' 'T >= 0.8;'
run 1 Cold.mop --intervals 10 --json
has '"worst":\[\{"equation":"T >= 0\.8","time":1,"violation":0\.23[0-9]*,"by":0\.23'
run 1 Cold.mop --intervals 10 --method shooting --json
has '"worst":\[\{"equation":"T >= 0\.8","time":1,'
problem Soon 'objective = finalTime, startTime = 0, finalTime(free = true, min = 0.1, max = 1, initialGuess = 0.5)' \
    'Real x(start = 0, fixed = true), y(start = 0, fixed = true); input Real u(min = -1, max = 1), w(min = -1, max = 1);' \
    'der(x) = u; der(y) = w;' 'x(finalTime) = 3; y(finalTime) = 3;'
run 1 Soon.mop --intervals 10 --json
has '"(relax|relax_instead)":\[\{"equation":"finalTime <= 1","by":(2|1\.99)'
has '"worst":\[\{"equation":"(finalTime <= 1|x\(finalTime\) = 300)","time":'

# before the solve
problem Pair 'objectiveIntegrand = u^2, finalTime = 1' 'Real x(start = 1, fixed = true); input Real u;' 'der(x) = u;' \
    'x >= 2; x <= 1;'
run 1 Pair.mop --json
has '"reason":"x >= 2 and x <= 1 contradict each other'
problem Never 'objectiveIntegrand = u^2, finalTime = 1' \
    'parameter Real a = 2; Real x(start = 1, fixed = true); input Real u(min = 0, max = 3);' 'der(x) = u;' \
    'u + a <= 9; sin(x) <= 1.5;'
run 0 Never.mop --intervals 4 --json
has 'sin\(x\) <= 1\.5 always holds'
run 1 Never.mop --intervals 4 --set a=10 --json
has '"status":"infeasible"'

# no lower bound; and a problem that only looks so
problem Down 'objective = x(finalTime), finalTime = 1' 'Real x(start = 0, fixed = true); input Real force;' 'der(x) = force;'
run 1 Down.mop --intervals 5 --json
has '"status":"unbounded"'
has '"runaway":\["force"\]'
problem Deep 'objectiveIntegrand = (force - 5000)^2, finalTime = 1' \
    'Real x(start = 0, fixed = true); input Real force;' 'der(x) = force;'
run 0 Deep.mop --intervals 5 --json
has '"status":"optimal"'
problem Long 'objective = finalTime, startTime = 0, finalTime(free = true, min = 0.1)' \
    'Real x(start = 0, fixed = true); input Real u(min = -1, max = 1);' 'der(x) = u;' 'x(finalTime) = 5000;'
run 0 Long.mop --intervals 5 --json
has '"finalTime":(5000|4999\.99)'

problem Slowly 'objective = finalTime, startTime = 0, finalTime(free = true)' "$mass input Real u(min = -1e-3, max = 1e-3);" \
    'der(x) = v; der(v) = u;' 'x(finalTime) = 1e6; v(finalTime) = 0;'
run 0 Slowly.mop --intervals 10 --json
has '"finalTime":63245\.5'

# numbers that cannot be computed with, counts out of range, the model file as output
problem Huge 'objectiveIntegrand = u^2, finalTime = 1' 'Real x(start = 1, fixed = true, nominal = 1e308); input Real u;' \
    'der(x) = u;' 'x(finalTime) = 0;'
run 1 Huge.mop --json
has '"status":"invalid_model","reason":"[^"]*nominal'
for wrong in '--intervals 0' '--intervals 4294967297' '--degree 0' '--degree 10' '--substeps 0' '--max-iterations 0' \
    '--multistart 0'; do
    # shellcheck disable=SC2086
    run 2 Far.mop $wrong
    has "$wrong: expected a whole number from 1 to" err
done
cp Far.mop kept.mop
ln -s Far.mop other.csv
run 2 Far.mop -o ./other.csv
has 'is the model file' err
run 2 Far.mop --report Far.mop
cmp -s Far.mop kept.mop || complain "the model file was overwritten"

# stopped before the solution
problem Slow 'objectiveIntegrand = u^2, finalTime = 3' "$mass input Real u(min = -1, max = 1);" \
    'der(x) = v; der(v) = u - sin(3*x);' 'x(finalTime) = 1; v(finalTime) = 0;'
run 1 Slow.mop --intervals 10 --max-iterations 2 --json
has '"status":"iteration_limit"'
has '"worst":\[\{"equation":'
run 1 Slow.mop --intervals 10 --max-time 1e-9 --json
has '"status":"time_limit"'

# a path equality that no control can keep
problem Tight 'objectiveIntegrand = u^2, finalTime = 1' "$mass input Real u;" 'der(x) = v; der(v) = u;' 'v = time^2;'
run 1 Tight.mop --intervals 5 --json
has '"status":"infeasible"'
has '"reason":"[^"]*v = time\^2'

# a slope that is not finite, at the guess and beside it
problem Slope 'objectiveIntegrand = u^2, finalTime = 1' 'Real h(start = 0, fixed = true), y(start = 0, fixed = true); input Real u;' \
    'der(h) = 0*u; der(y) = u + noEvent(acos(1 - h));' 'y(finalTime) = 1;'
run 1 Slope.mop --intervals 5 --json
has '"status":"evaluation_error"'
has '"reason":"the derivative of the equation of der\(y\) by h is not a finite number'

# memory that runs out while the constraints are compared with each other: the answer is shorter, and says so
problem Far 'objectiveIntegrand = u^2, startTime = 0, finalTime = 1' "$mass input Real u(min = -1, max = 1);" \
    'der(x) = v; der(v) = u + 0.01*x^2;' 'x(finalTime) = 3; x(finalTime) + v(finalTime)^2 = 5;'
timeless() { sed 's/[0-9.]* s, [0-9]* ms//' "$1"; }
"$daedal" optimize Far.mop --intervals 4 --verbose >full 2>err
count=$(grep -oE '[0-9]+ allocations' err | grep -oE '[0-9]+')
shortened=0
for at in $(seq $((count * 9 / 10)) 11 "$count"); do
    "$daedal" optimize Far.mop --intervals 4 --fail-at "$at" >out 2>err
    if grep -q 'note: memory ran out while' out; then
        shortened=$((shortened + 1))
    elif ! grep -q 'memory ran out' err && [ "$(timeless out)" != "$(timeless full)" ]; then
        complain "allocation $at fails: the answer is another one and does not say why"
    fi
done
[ "$shortened" -gt 0 ] || complain "no answer was shortened for lack of memory"

# a factorisation that takes minutes: limits of time and memory, Ctrl-C
cat >plate.mop <<'M'
model Plate
  parameter Integer n = 40;
  Real T[n,n](each start = 0, each fixed = true);
  input Real u(min = -1, max = 5);
equation
  for i in 1:n loop
    for j in 1:n loop
      der(T[i,j]) = 20*((if i > 1 then T[max(i - 1, 1), j] else u) + (if i < n then T[min(i + 1, n), j] else 0)
        + (if j > 1 then T[i, max(j - 1, 1)] else u) + (if j < n then T[i, min(j + 1, n)] else 0) - 4*T[i,j]) - 0.1*T[i,j]^3;
    end for;
  end for;
end Plate;
optimization Warm(objectiveIntegrand = 0.01*u^2 + (T[20,20] - 1)^2, startTime = 0, finalTime = 1) extends Plate; end Warm;
M
"$daedal" check plate.mop >/dev/null 2>&1 # the files are read once
begin=$(date +%s)
run 1 plate.mop --intervals 20 --max-time 15 --json --report page.html
took=$(($(date +%s) - begin))
has '"status":"time_limit".*"objective":'
[ -s page.html.partial ] || complain "a factorisation: there is no page"
[ "$took" -lt 40 ] || complain "--max-time 15 inside a factorisation took $took s"
begin=$(date +%s)
"$daedal" optimize plate.mop --intervals 20 --max-memory 250000000 --max-time 200 --json >out 2>err
has '"status":"out_of_memory","reason":"[^"]*: the program has [0-9]* variables and [0-9]* rows on 20 intervals'
# a kind of factorisation that would take 1.5 GB for three intervals of it is only planned, and another one chosen
"$daedal" optimize plate.mop --intervals 3 --degree 1 --max-memory 1000M --max-time 100 --json >out 2>err
has '"intervals":3,'
has '"violation":[0-9.]*e-'
"$daedal" optimize plate.mop --intervals 20 --json --verbose >out 2>err &
job=$!
for _ in $(seq 600); do
    grep -qE '^ +0 ' err && break
    sleep 0.1
done
sleep 2
begin=$(date +%s)
kill -INT $job
wait $job
[ $? -eq 130 ] || complain "Ctrl-C inside a factorisation: not the exit code 130"
has '"status":"interrupted".*"objective":'
took=$(($(date +%s) - begin))
[ "$took" -lt 25 ] || complain "Ctrl-C inside a factorisation took $took s"

exit $((failures > 0))
