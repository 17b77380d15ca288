#!/usr/bin/env bash
# Long runs of mechanisms from parts: nothing drifts, what is kept stays. Usage: mechanics.sh PATH_OF_DAEDAL
set -u
daedal=$(realpath "$1")
examples=${DAEDAL_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}/examples
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export LC_ALL=C
failed=0

complain() {
    echo "$*"
    failed=1
}

# long FILE CLASS STOP TOL VIOLATION ARGS...: runs, and the largest residual of constraints and hidden constraints is below VIOLATION
long() {
    local file=$1 class=$2 stop=$3 tol=$4 most=$5 violation
    shift 5
    timeout 600 "$daedal" simulate "$examples/$file" "$class" --stop "$stop" --tol "$tol" --json -o out.csv "$@" >out 2>err </dev/null ||
        complain "$class: $(head -c 400 err)"
    violation=$(grep -oE '"constraint_violation":[^,]*' out)
    violation=${violation#*:}
    awk -v a="$violation" -v b="$most" 'BEGIN { exit !(a != "" && a <= b) }' || complain "$class: constraints are violated by $violation"
    echo "$class to $stop: $(grep -oE '"steps":[0-9]+' out), violation $violation"
}

# kept COLUMN TOLERANCE: largest less smallest value of a column over the run
kept() {
    local spread
    spread=$(sed -E '1s/\[([0-9]+),([0-9]+)\]/[\1;\2]/g; 1s/"//g' out.csv | awk -v name="$1" -F, '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
        NR == 2 { low = high = $at }
        { if ($at < low) low = $at; if ($at > high) high = $at }
        END { if (!at) print "missing"; else printf "%.3g", high - low }')
    awk -v a="$spread" -v tol="$2" 'BEGIN { exit !(a != "missing" && a <= tol) }' || complain "  $1 changes by $spread, allowed are $2"
    echo "  $1 changes by $spread"
}

long spatial_chain.mo SpatialChain 20 1e-9 1e-12
kept energy 1e-7
kept spin 1e-9
long four_bar.mo FourBar 100 1e-9 1e-11
kept energy 1e-6
long four_bar.mo FourBarInSpace 20 1e-9 1e-12
kept energy 1e-6
long slider_crank_parts.mo SliderCrankParts 50 1e-9 1e-11
kept energy 1e-7
long double_pendulum.mo DoublePendulum 50 1e-9 1e-12
kept energy 1e-7
long delta_robot_parts.mo DeltaRobotParts 20 1e-9 1e-12
kept energy 1e-8
long satellite.mo Satellite 1000 1e-9 1e-12
kept 'momentum[1]' 1e-9
kept 'momentum[2]' 1e-9
kept 'momentum[3]' 1e-9
kept energy 1e-8
for axis in 1 2 3; do
    long tumbling_body.mo TumblingBody 1000 1e-9 1e-12 --set axis=$axis
    kept 'momentum[1]' 1e-7
    kept 'momentum[2]' 1e-7
    kept 'momentum[3]' 1e-7
    kept energy 1e-8
done
exit $failed
