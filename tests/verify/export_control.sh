#!/usr/bin/env bash
# Exported optimization classes: controllers of the examples against daedal control (rti to 1e-9, converged ones to ten
# tolerances of 1e-8, relative to the largest input), solvers against daedal optimize with other parameters and starts.
# Usage: export_control.sh PATH_OF_DAEDAL
set -u
daedal=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
flags='-std=c99 -O2 -Wall -Wextra -Werror -Wdouble-promotion -Wconversion -pedantic'
compiler=${CC:-cc}
# shellcheck source=tests/cli/controllers.bash
. "$root/tests/cli/controllers.bash"

complain() { echo "$*"; failed=1; }

controller "$root/examples/control_pendulum.mop" PendulumNMPC rti 1e-9 --stop 10
controller "$root/examples/control_pendulum.mop" PendulumNMPC converge 1e-7 --stop 10
other_lanes PendulumNMPC 1e-7 y.csv
# as its own CMakeLists.txt builds it, for every processor and for this one
for native in OFF ON; do
    echo 'int x;' | $compiler -march=native -x c -c -o /dev/null - 2>/dev/null || [ $native = OFF ] || continue
    cmake -S "$folder/c" -B "$folder/c/$native" -DPendulumNMPC_NATIVE=$native >/dev/null && cmake --build "$folder/c/$native" >/dev/null ||
        { complain "CMakeLists.txt does not work with NATIVE=$native"; continue; }
    grep -q -e -march=native "$folder/c/$native/CMakeFiles/PendulumNMPC.dir/flags.make" "$folder/c/$native/build.ninja" 2>/dev/null && has=ON || has=OFF
    [ $has = $native ] || complain "NATIVE=$native: -march=native is $has for files that include the header"
    "$folder/c/$native/PendulumNMPC" <"$folder/y.csv" >"$folder/u.csv" 2>/dev/null
    same_inputs 1e-7 "$folder/u.csv" "$folder/expected.csv" || complain "NATIVE=$native: other inputs"
done
controller "$root/examples/control_crane.mop" CraneControl rti 1e-9 --stop 3
controller "$root/examples/control_orbit.mop" Orbit rti 1e-9 --stop 1
controller "$root/examples/control_delta.mop" PickAndPlace rti 1e-9 --stop 0.5
controller "$root/examples/control_orbit.mop" Orbit converge 1e-7 --stop 4
controller "$root/examples/control_crane.mop" CraneControl converge 1e-7 --stop 6
other_lanes CraneControl 1e-7 y.csv
controller "$root/examples/control_delta.mop" PickAndPlace converge 1e-7 --stop 1
other_lanes PickAndPlace 1e-7 y.csv

# rows that give way, and their names: a cart that is pushed against its wall, with bounds of states and a row of both.
cat >"$folder/wall.mop" <<'END'
model Cart
  Real s(start = 0, fixed = true), v(start = 0, fixed = true) = der(s);
  input Real u(min = -3, max = 3);
equation
  der(v) = u - 0.1*v*sqrt(v^2 + 0.01);
end Cart;
model Pushed
  Real s(start = 0, fixed = true), v(start = 0, fixed = true) = der(s);
  input Real u(min = -3, max = 3), d;
equation
  der(v) = u + d - 0.1*v*sqrt(v^2 + 0.01);
end Pushed;
optimization Wall(objectiveIntegrand = (s - goal)^2 + 0.1*v^2 + 0.01*u^2, startTime = 0, finalTime = 1)
  extends Cart;
  parameter Real goal = 0.95;
constraint
  s <= 1;
  v <= 1.5;
  s + 0.3*v^2 <= 1.2;
  annotation(experiment(StopTime = 4), Daedal(nmpc(samplePeriod = 0.1, plant = "Pushed", disturbance = "push.csv")));
end Wall;
END
printf 'time,d\n0,0\n0.5,9\n0.7,0\n2,8\n2.3,0\n3,-20\n3.1,20\n3.2,0\n' >"$folder/push.csv"
controller "$folder/wall.mop" Wall converge 1e-7
other_lanes Wall 1e-7 y.csv
controller "$folder/wall.mop" Wall rti 1e-7 # softened samples are converged ones
[ "$(awk -F, '$3 == 1' "$folder/u.csv" | wc -l)" -gt 20 ] || complain "Wall: hardly a sample is softened"

# free final times, whose horizon shrinks: as many samples, then the plan is finished. Near the end the input follows from the
# rows there divided by the square of the time left: ten tolerances of 1e-10 over 0.05^2/50 intervals are 2e-5 for the cart, all of whose
# inputs are at a bound. The crane's plant has another load, so that its plans are not those of before
cat >"$folder/move.mop" <<'END'
model Cart
  Real s(start = 0, fixed = true), v(start = 0, fixed = true) = der(s);
  input Real u(min = -1, max = 1);
equation
  der(v) = u;
end Cart;
optimization Move(objective = finalTime, startTime = 0, finalTime(free = true, min = 0.1, max = 8, initialGuess = 2))
  extends Cart;
constraint
  s(finalTime) = 1;
  v(finalTime) = 0;
  annotation(experiment(StopTime = 6), Daedal(nmpc(samplePeriod = 0.05, plant = "Cart")));
end Move;
END
controller "$folder/move.mop" Move converge 2e-5
cat >"$folder/carry.mop" <<'END'
model Crane
  parameter Real g = 9.81, m = 0.5, M = 1, L = 1;
  Real s(start = 0, fixed = true), vs(start = 0, fixed = true) = der(s), x(start = 0, fixed = true);
  Real vx(start = 0, fixed = true) = der(x), y(start = L), vy(start = 0) = der(y), lam;
  input Real u(min = -4, max = 4);
equation
  M*der(vs) = u + lam*(x - s);
  m*der(vx) = -lam*(x - s);
  m*der(vy) = m*g - lam*y;
  0 = (x - s)^2 + y^2 - L^2;
end Crane;
optimization Carry(objective = finalTime, objectiveIntegrand = 0.02*u^2, startTime = 0,
                   finalTime(free = true, min = 0.5, max = 10, initialGuess = 3))
  extends Crane;
constraint
  s(finalTime) = 1; x(finalTime) = 1; vs(finalTime) = 0; vx(finalTime) = 0; y(finalTime) = 1; vy(finalTime) = 0;
  x - s <= 0.2; x - s >= -0.2; vs <= 0.8;
  annotation(experiment(StopTime = 6), Daedal(nmpc(samplePeriod = 0.1, plant = "Crane(m = 0.52)", measured = {"s", "vs", "x", "vx"})));
end Carry;
END
controller "$folder/carry.mop" Carry converge 1e-7 --intervals 20
other_lanes Carry 1e-7 y.csv
controller "$folder/carry.mop" Carry rti 1e-7 --intervals 20 # the same: plans of a horizon that shrinks are solved

# delayed DELAY MODE: inputs after a delay, the state predicted over it. The record of a loop has no rows at the measurements, so
# the plant is simulated under the inputs of the loop, in the first second and a half: errors grow near the upright position.
# Both predictions are within 1e-8 of the states, and the gain is ten or so: 1e-7 of the largest input.
delayed() {
    sed "s/samplePeriod = 0.05,/samplePeriod = 0.05, delay = $1,/" "$root/examples/control_pendulum.mop" >"$folder/delayed.mop"
    rm -rf "$folder/c"
    "$daedal" export "$folder/delayed.mop" PendulumNMPC --c "$folder/c" --mode "$2" --tol 1e-10 --json >"$folder/out" 2>"$folder/err" ||
        { complain "delay $1, $2: not exported: $(cat "$folder/err")"; return; }
    # shellcheck disable=SC2086
    $compiler $flags -o "$folder/run" "$folder/c/PendulumNMPC.c" "$folder/c/main.c" -lm || { complain "delay $1, $2: the code has warnings"; return; }
    "$daedal" control "$folder/delayed.mop" PendulumNMPC --mode "$2" --tol 1e-10 --stop 1.5 --output "$folder/loop.csv" >/dev/null 2>&1
    numbers "$folder/loop.csv" F >"$folder/expected.csv"
    awk -F, 'NR == 1 { print; print "0,0"; v = 0; next } { printf "%s,%s\n%s,%s\n", $1, v, $1, $2; v = $2 }' "$folder/expected.csv" >"$folder/inputs.csv"
    "$daedal" simulate "$folder/delayed.mop" CartPendulum --input "$folder/inputs.csv" --tol 1e-11 --stop 1.47 --interval 0.05 --output "$folder/y.csv" >/dev/null 2>&1
    "$folder/run" <"$folder/y.csv" | awk -F, -v d="$1" 'NR > 1 && $1 < 1.46 { $1 = sprintf("%.17g", $1 + d) } NR == 1 || $1 < 1.46 + d' OFS=, >"$folder/u.csv"
    awk -F, 'NR == FNR { n++; next } FNR <= n' "$folder/u.csv" "$folder/expected.csv" >"$folder/same.csv"
    same_inputs 1e-7 "$folder/u.csv" "$folder/same.csv" || complain "delay $1, $2: the inputs differ from those of daedal control"
}
delayed 0.02 rti
delayed 0.05 converge

# moving-horizon estimators, with all measurements and with a fifth of them missing: the reactor, whose kB is wrong, also with a delay
# and kB at its bound; the pendulum of index 3 from positions alone; a model with time, abs, a matrix that is measured and
# a parameter that follows from an estimated one, from another start of time
sed 's/samplePeriod = 0.2,/samplePeriod = 0.2, delay = 0.05,/; s/kB = 0.7/kB(max = 0.85) = 0.7/' "$root/examples/control_cstr.mop" >"$folder/late.mop"
sed 's/measured = {"s", "vs", "b", "vb"})/measured = {"s", "b"}, noise = {0.001, 0.001}), mhe(horizon = 10, processNoise = {"vs: 0.1", "vb: 0.1"}, initialError = {"vs: 0.1", "vb: 0.1"})/' \
    "$root/examples/control_pendulum.mop" >"$folder/positions.mop"
cat >"$folder/tank.mop" <<'END'
model Tank
  parameter Real a = 1, q[2] = {0.3, 0.2}, b = 2*a;
  Real h[2](start = {1, 0.5}, each fixed = true), m[1,2];
  input Real u(min = 0, max = 2, start = 0.5);
equation
  der(h[1]) = u - a*h[1] + 0.2*sin(2*time);
  der(h[2]) = b*h[1]/2 - q[2]*h[2]*abs(h[2]) - q[1]*h[2];
  m[1,1] = h[1] + h[2];
  m[1,2] = h[2]^2;
end Tank;
optimization Level(objectiveIntegrand = (h[2] - 1)^2 + 0.1*(u - 0.5)^2, startTime = 2, finalTime = 5)
  extends Tank;
  annotation(experiment(StartTime = 2, StopTime = 20), Daedal(
    nmpc(samplePeriod = 0.25, plant = "Tank(a = 1.2)", measured = {"m"}, noise = {0.01}),
    mhe(horizon = 6, estimate = {"a", "q[2]"}, processNoise = {"h: 0.01"}, initialError = {"a: 0.3", "q[2]: 0.1"})));
end Level;
END
for missing in 0 0.2; do
    for mode in rti converge; do
        limit=$([ $mode = rti ] && echo 1e-9 || echo 1e-7)
        estimator "$root/examples/control_cstr.mop" ReactorNMPC $mode "$limit" 20 $missing
        # both predictions over the delay are within 1e-8 of the states
        estimator "$folder/late.mop" ReactorNMPC $mode 1e-7 20 $missing
        estimator "$folder/positions.mop" PendulumNMPC $mode "$limit" 5 $missing degree 2
        estimator "$folder/tank.mop" Level $mode "$limit" 20 $missing
        [ $missing = 0 ] && other_lanes Level "$limit" loop.csv
    done
done

# the crane, whose load is estimated: functions of parameters alone belong to no interval of the window
sed 's/measured = {"s", "vs", "x", "vx"}/measured = {"s", "x"}/; s/noise = {0.001, 0.005, 0.001, 0.005}/noise = {0.001, 0.001}/
    s/disturbance = "control_crane_wind.csv")/mode = "converge"), mhe(horizon = 12, estimate = {"m"}, processNoise = {"vs: 0.05", "vx: 0.05"}, initialError = {"m: 0.1", "s: 0.01", "x: 0.01", "vs: 0.05", "vx: 0.05"})/' \
    "$root/examples/control_crane.mop" >"$folder/crane.mop"
cp "$root"/examples/control_crane*.csv "$folder"
estimator "$folder/crane.mop" CraneControl converge 1e-7 6 0
other_lanes CraneControl 1e-7 loop.csv

# solver FILE LIMIT SETTING...: the objective for other parameters, from the exported solution
solver() {
    local file=$1 limit=$2 name setting set=() ours theirs
    shift 2
    rm -rf "$folder/c"
    "$daedal" export "$file" --c "$folder/c" --intervals 30 --json >"$folder/out" 2>"$folder/err" || { complain "$file: not exported: $(cat "$folder/err")"; return; }
    name=$(sed 's/.*"name":"\([^"]*\)".*/\1/' "$folder/out")
    # shellcheck disable=SC2086
    $compiler $flags -o "$folder/run" "$folder/c/$name.c" "$folder/c/main.c" -lm || { complain "$file: the code has warnings"; return; }
    for setting in "$@"; do set+=(--set "$setting"); done
    "$folder/run" "$@" >"$folder/x.csv" 2>"$folder/err" || complain "$file $*: $(cat "$folder/err")"
    ours=$(sed 's/.*objective \([^,]*\),.*/\1/' "$folder/err")
    theirs=$("$daedal" optimize "$file" --intervals 30 ${set[@]+"${set[@]}"} --json 2>/dev/null | grep -o '"objective": *[^,]*' | head -1 | sed 's/.*: *//')
    awk -v a="$ours" -v b="$theirs" -v limit="$limit" 'BEGIN { d = a - b; d = d < 0 ? -d : d; m = b < 0 ? -b : b; exit !(b != "" && d <= limit * (m > 1 ? m : 1)) }' ||
        complain "$file $*: objectives $ours and $theirs"
}

solver "$root/examples/upright.mop" 1e-6
solver "$root/tests/verify/ocp/minimum_time/brachistochrone.mop" 1e-6
solver "$root/tests/verify/ocp/minimum_time/brachistochrone.mop" 1e-6 g=5
solver "$root/tests/verify/ocp/minimum_time/vdp_min_time.mop" 1e-6
solver "$root/tests/verify/ocp/minimum_time/steering.mop" 1e-6
exit $failed
