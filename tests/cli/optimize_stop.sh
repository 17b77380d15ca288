#!/usr/bin/env bash
# daedal optimize that is stopped: by Ctrl-C, by --max-time in the solver, while setting up, while refining, between
# starts. The best it has goes to FILE.partial, the old file stays. Usage: optimize_stop.sh PATH_OF_DAEDAL
. "$(dirname "$0")/optimize_kit.bash"

# many intervals of a stiff chain: seconds of work, in many iterations
cat >long.mop <<'M'
model Chain
  parameter Integer n = 12;
  Real x[n](each start = 1, each fixed = true), v[n](each start = 0, each fixed = true);
  input Real u(min = -1, max = 1);
equation
  der(x) = v;
  der(v[1]) = -sin(3*x[1]) + x[2] - x[1] + u;
  for i in 2:n-1 loop
    der(v[i]) = x[i+1] - 2*x[i] + x[i-1] - 0.2*sin(4*x[i]*v[i]);
  end for;
  der(v[n]) = x[n-1] - x[n] - x[n]^3;
end Chain;
optimization Calm(objectiveIntegrand = sum(x[i]^2 + v[i]^2 for i in 1:n), startTime = 0, finalTime = 10) extends Chain;
constraint
  x[1] <= 1.5;
end Calm;
M

value() { # FILE KEY: a number or a word of the JSON
    sed -n "s/.*\"$2\":\"\{0,1\}\([^,\"}]*\).*/\1/p" "$1"
}

# check NAME STATUS CODE GOT TOOK MOST: what is in out.json, the exit code that came, seconds it took to stop and may take
check() {
    local name=$1 status=$2 code=$3 got=$4 took=$5 most=$6
    [ "$(value out.json status)" = "$status" ] || complain "$name: status $(value out.json status), expected $status"
    [ "$got" -eq "$code" ] || complain "$name: exit code $got, expected $code"
    [ -n "$(value out.json reason)" ] || complain "$name: no reason"
    awk -v t="$took" -v m="$most" 'BEGIN { exit !(t <= m) }' || complain "$name: it took $took s to stop"
    [ "$(cat out.csv)" = old ] || complain "$name: the old file was changed"
}
now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { print b - a }'; }
times() { awk -v a="$1" -v b="$2" 'BEGIN { print a*b }'; }

# How fast a machine is must not matter: a run that ends before its limit gets a shorter one, a run that has no solution
# yet a longer one. limited NAME SECONDS ARGS...: stopped by --max-time, after a first iterate.
limited() {
    local name=$1 limit=$2 begin code
    shift 2
    for _ in $(seq 10); do
        begin=$(now)
        "$daedal" optimize "$@" --json -o out.csv --max-time "$limit" >out.json
        code=$?
        if grep -qE '"status":"(optimal|inaccurate)"' out.json; then
            limit=$(times "$limit" 0.4)
            echo old >out.csv
        elif [ -z "$(value out.json objective)" ] ||
            { [ -n "${solved:-}" ] && awk -v v="$(value out.json violation)" 'BEGIN { exit !(v > 1e-6) }'; }; then
            limit=$(times "$limit" 1.6)
        else
            break
        fi
        rm -f ./*.partial page.html plot.svg
    done
    check "$name" time_limit 1 $code "$(since "$begin")" "$(awk -v l="$limit" 'BEGIN { print 8 + l }')"
}

# interrupted NAME INTERVALS ARGS...: stopped by Ctrl-C once it iterates; on more intervals if it ended before
interrupted() {
    local name=$1 intervals=$2 begin code job
    shift 2
    for _ in 1 2 3 4 5; do
        rm -f err # the rows of a run before are not those of this one
        "$daedal" optimize "$@" --intervals "$intervals" --json -o out.csv --verbose >out.json 2>err &
        job=$!
        for _ in $(seq 1500); do
            grep -qsE '^ +[01] ' err && break
            sleep 0.02
        done
        begin=$(now)
        kill -INT $job
        wait $job
        code=$?
        [ "$(value out.json status)" = optimal ] || break
        intervals=$((2 * intervals))
        echo old >out.csv
        rm -f ./*.partial page.html plot.svg
    done
    check "$name" interrupted 130 $code "$(since "$begin")" 8
}

# Ctrl-C
echo old >out.csv
interrupted "interrupt" 400 long.mop --multipliers
[ -f out.csv.partial ] || complain "interrupt: there is no out.csv.partial"
for key in objective violation dual_infeasibility variables finalTime; do
    [ -n "$(value out.json $key)" ] || complain "interrupt: the answer has no $key"
done
rm -f out.csv.partial

# the time limit in the solver: the report of a stopped run goes beside as well
limited "time limit" 0.5 long.mop --intervals 200 --report page.html
[ -f out.csv.partial ] && [ -f page.html.partial ] && [ ! -f page.html ] || complain "time limit: wrong files"
rm -f ./*.partial

# the page needs new functions (path rows), the table multipliers: a stopped run has time to write all of it
sed 's/x\[1\] <= 1.5/sin(x[1])*cos(x[2]) + x[3]^2 <= 3/' long.mop >rows.mop
for stop in time interrupt; do
    if [ $stop = time ]; then
        limited "page, time limit" 1 rows.mop --intervals 200 --report page.html --plot plot.svg --multipliers
    else
        interrupted "page, interrupt" 200 rows.mop --report page.html --plot plot.svg
    fi
    for file in out.csv page.html plot.svg; do
        [ -s $file.partial ] || complain "page, $stop: there is no $file.partial"
    done
    grep -q "Path constraints" page.html.partial || complain "page, $stop: it has no path constraints"
    [ -n "$(value out.json objective)" ] || complain "page, $stop: the answer has no objective"
    rm -f ./*.partial
done

# before the solver begins
"$daedal" optimize long.mop --intervals 4000 --json -o out.csv --max-time 0.001 >out.json 2>/dev/null
check "time limit at once" time_limit 1 $? 0 1
[ -f out.csv.partial ] && complain "time limit at once: there cannot be a trajectory"

# while refining and between starts the last solution is kept
cat >short.mop <<'M'
model M
  Real x(start = 0, fixed = true), y(start = 1, fixed = true);
  input Real u(min = -0.75, max = 1);
equation
  der(x) = (1 - y^2)*x - y + u;
  der(y) = x;
end M;
optimization O(objectiveIntegrand = x^2 + y^2 + u^2, startTime = 0, finalTime = 50) extends M; end O;
M
solved=yes limited "refining" 0.7 short.mop --refine 1e-13
awk -v v="$(value out.json violation)" 'BEGIN { exit !(v < 1e-6) }' || complain "refining: the solution before is lost"
[ -f out.csv.partial ] || complain "refining: there is no out.csv.partial"
rm -f ./*.partial
solved=yes limited "starts" 0.7 short.mop --multistart 100000
awk -v v="$(value out.json violation)" 'BEGIN { exit !(v < 1e-6) }' || complain "starts: the best solution is lost"

exit $((failures > 0))
