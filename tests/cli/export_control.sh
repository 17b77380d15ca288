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

# missing measurements: the plan goes on, and the inputs are numbers
awk -F, 'NR > 3 { for (i = 2; i <= NF; i++) $i = "" } { print }' OFS=, "$folder/y.csv" >"$folder/missing.csv"
"$folder/run" <"$folder/missing.csv" | awk -F, 'NR > 1 && !($2 >= -10 && $2 <= 10) { bad = 1 } END { exit bad || NR < 10 }' ||
    complain "missing measurements are not bridged"

# what is refused says what to do, and writes nothing
"$daedal" export "$root/examples/control_cstr.mop" ReactorNMPC --c "$folder/none" >"$folder/out" 2>"$folder/err" &&
    complain "a controller with mhe is exported"
grep -q 'moving-horizon estimator (mhe).*leave mhe' "$folder/err" || complain "mhe: $(cat "$folder/err")"
"$daedal" export "$root/examples/control_pendulum.mop" PendulumNMPC --fmu "$folder/none.fmu" >/dev/null 2>"$folder/err" &&
    complain "an FMU of a class"
"$daedal" export "$root/examples/control_pendulum.mop" PendulumNMPC --c "$folder/none" --mode quick >/dev/null 2>"$folder/err" &&
    complain "--mode quick"
[ -e "$folder/none" ] && complain "a refused export left a folder"
exit $failed
