#!/usr/bin/env bash
# daedal export --c of optimization classes: the code compiles without a warning, and a generated controller returns the
# inputs of daedal control for the same measurements. Usage: export_control.sh PATH_OF_DAEDAL
set -u
daedal=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
flags='-std=c99 -O0 -Wall -Wextra -Werror -Wdouble-promotion -Wconversion -pedantic'
compiler=${CC:-cc}
# shellcheck source=tests/cli/controllers.bash
. "$root/tests/cli/controllers.bash"

complain() { echo "$*"; failed=1; }

# the pendulum for half a second; the first sample is converged, here and there to 1e-10. tests/verify/export_control.sh has all examples and modes
controller "$root/examples/control_pendulum.mop" PendulumNMPC rti 1e-9 --stop 0.5 --degree 2
grep -q '"kind":"controller".*"functions":\["PendulumNMPC_init","PendulumNMPC_prepare","PendulumNMPC_step"\],"bytes":[0-9]*}$' \
    "$folder/out" || complain "JSON: $(cat "$folder/out")"

other_lanes PendulumNMPC 1e-9 y.csv
# files for different lanes have different structs, and are not linked
# shellcheck disable=SC2086
$compiler $flags -DPendulumNMPC_LANES=2 -c -o "$folder/two.o" "$folder/c/PendulumNMPC.c" || complain "two lanes: the code has warnings"
# shellcheck disable=SC2086
$compiler $flags -DPendulumNMPC_LANES=1 -o "$folder/none" "$folder/c/main.c" "$folder/two.o" -lm 2>"$folder/err" &&
    complain "objects for one and two lanes are linked"
grep -q PendulumNMPC_init "$folder/err" || complain "one and two lanes: $(cat "$folder/err")"

# missing measurements: the plan goes on, and the inputs are numbers
awk -F, 'NR > 3 { for (i = 2; i <= NF; i++) $i = "" } { print }' OFS=, "$folder/y.csv" >"$folder/missing.csv"
"$folder/run" <"$folder/missing.csv" | awk -F, 'NR > 1 && !($2 >= -10 && $2 <= 10) { bad = 1 } END { exit bad || NR < 10 }' ||
    complain "missing measurements are not bridged"

# rows that give way: pushed beyond its limit y = 2 x <= 1, and back so that it gives way least; the first collocation point is at
# (4 - sqrt(6))/10 of the first interval. Afterwards the limit holds again
cat >"$folder/limit.mop" <<'END'
model M input Real u(min = -1, max = 1); Real x(start = 0, fixed = true), y = 2*x; equation der(x) = u; end M;
optimization P(objectiveIntegrand = u^2, startTime = 0, finalTime = 1) extends M; constraint y <= 1;
  annotation(Daedal(nmpc(samplePeriod = 0.1))); end P;
END
"$daedal" export "$folder/limit.mop" P --c "$folder/limit" >/dev/null 2>&1 || complain "P is not exported"
# shellcheck disable=SC2086
$compiler $flags -o "$folder/run" "$folder/limit/P.c" "$folder/limit/main.c" -lm || complain "P: the code has warnings"
printf 'time,x\n0,0\n0.1,0.7\n0.2,0.3\n' | "$folder/run" 2>"$folder/said" >"$folder/u.csv"
# the row is open by 1.01 times the amount and 1e-6 (of x), which the cost makes use of
awk -F, 'NR > 1 { s = s $3 }
    NR == 3 { c = (4 - sqrt(6))/10; u = (0.5 + 1.01*(0.7 - 0.1*c - 0.5) + 1e-6 - 0.7)/(0.1*c); d = $2 - u; if (!(d < 1e-6 && d > -1e-6)) s = s " u = " $2 }
    END { exit s != "010" }' "$folder/u.csv" || complain "P: $(cat "$folder/u.csv")"
awk '{ d = $NF - (2*(0.7 - 0.1*(4 - sqrt(6))/10) - 1) } /^time 0\.1: y <= 1 by / && d < 1e-3 && d > -1e-3 { right++ } END { exit !(NR == 1 && right == 1) }' "$folder/said" ||
    complain "P: $(cat "$folder/said")"

# one interval, and variables of kinks of the cost between those of the points
cat >"$folder/fuel.mop" <<'END'
model Cart
  Real s(start = 1, fixed = true), v(start = 0, fixed = true) = der(s);
  input Real u(min = -2, max = 2), w(min = -1, max = 1);
equation
  der(v) = u + 0.5*w - 0.2*v;
end Cart;
optimization Fuel(objectiveIntegrand = (s - goal)^2 + 0.3*v^2 + 0.02*u^2 + 0.2*abs(u) + 0.05*w^2 + 0.1*max(v - 0.2, -0.5*v),
                  startTime = 0, finalTime = 0.8)
  extends Cart;
  parameter Real goal = 0;
  annotation(experiment(StopTime = 1.6), Daedal(nmpc(samplePeriod = 0.2, plant = "Cart")));
end Fuel;
END
controller "$folder/fuel.mop" Fuel converge 1e-6 --control polynomial --degree 2
controller "$folder/fuel.mop" Fuel converge 1e-6 --degree 2
sed 's/finalTime = 0.8/finalTime = 0.2/; s/(s - goal)^2/90*(s - goal)^2/' "$folder/fuel.mop" >"$folder/short.mop"
controller "$folder/short.mop" Fuel converge 1e-6 --degree 2
# shellcheck disable=SC2086
$compiler $flags -DFuel_LANES=3 -c -o "$folder/three.o" "$folder/c/Fuel.c" 2>"$folder/err" && complain "three lanes are compiled"
grep -q 'Fuel_LANES is 1, 2, 4 or 8' "$folder/err" || complain "three lanes: $(head -3 "$folder/err")"

# a moving-horizon estimator: the window fills and moves, with noise, a wrong parameter and missing measurements
estimator "$root/examples/control_cstr.mop" ReactorNMPC rti 1e-9 6 0.2 degree 2
sed 's/samplePeriod = 0.2,/samplePeriod = 0.2, delay = 0.05,/' "$root/examples/control_cstr.mop" >"$folder/late.mop"
estimator "$root/examples/control_cstr.mop" ReactorNMPC converge 1e-7 4 0 control polynomial degree 2
estimator "$folder/late.mop" ReactorNMPC converge 1e-7 6 0 degree 2 # the state is predicted with the estimated kB
"$folder/run" <"$folder/loop.csv" | awk -F, 'NR == 1 { exit $0 != "time,cA0,estimate.cA,estimate.cC,estimate.kB,status,iterations" }' ||
    complain "the header of main.c: $("$folder/run" <"$folder/loop.csv" | head -1)"

# what is refused says what to do, and writes nothing
sed 's/cB(start = 0.8)/cB(start = 0.8, max = 5)/; s/cA0(min = 0, max = 3/cA0(min = 0, max = 4*kB/' "$root/examples/control_cstr.mop" >"$folder/bounds.mop"
"$daedal" export "$folder/bounds.mop" ReactorNMPC --c "$folder/none" >"$folder/out" 2>"$folder/err" &&
    complain "bounds with an estimated parameter are exported"
grep -q 'mhe estimates kB, but bounds contain it' "$folder/err" || complain "kB in bounds: $(cat "$folder/err")"
# delays that an exported controller cannot do
sed 's/samplePeriod = 0.2,/samplePeriod = 0.2, delay = 0.5,/' "$root/examples/control_cstr.mop" >"$folder/later.mop"
"$daedal" export "$folder/later.mop" ReactorNMPC --c "$folder/none" >/dev/null 2>"$folder/err" && complain "a delay of 2.5 samples is exported"
grep -q 'the delay 0.5 of ReactorNMPC is longer than its sample period 0.2' "$folder/err" || complain "a long delay: $(cat "$folder/err")"
"$daedal" export "$folder/late.mop" ReactorNMPC --c "$folder/none" --control linear >/dev/null 2>"$folder/err" &&
    complain "a delay with linear inputs is exported"
grep -q 'delay 0.05 and inputs that change between samples' "$folder/err" || complain "a delay with linear inputs: $(cat "$folder/err")"
"$daedal" export "$root/examples/control_pendulum.mop" PendulumNMPC --fmu "$folder/none.fmu" >/dev/null 2>"$folder/err" &&
    complain "an FMU of a class"
"$daedal" export "$root/examples/control_pendulum.mop" PendulumNMPC --c "$folder/none" --mode quick >/dev/null 2>"$folder/err" &&
    complain "--mode quick"
[ -e "$folder/none" ] && complain "a refused export left a folder"
exit $failed
