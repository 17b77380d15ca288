#!/usr/bin/env bash
# Long runs of mechanisms from parts: nothing drifts, what is kept stays, and the table in docs/mechanics.md is true. Usage: mechanics.sh PATH_OF_DAEDAL
set -u
daedal=$(realpath "$1")
source=${DAEDAL_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
examples=$source/examples
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
    file=$1 class=$2
    local stop=$3 tol=$4 most=$5
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
    spread=$(sed -E '1s/\[([0-9]+),([0-9]+)\]/[\1;\2]/g; 1s/"//g' out.csv | awk -v name="$1" -F, '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
        NR == 2 { low = high = $at }
        { if ($at < low) low = $at; if ($at > high) high = $at }
        END { if (!at) print "missing"; else printf "%.3g", high - low }')
    awk -v a="$spread" -v tol="$2" 'BEGIN { exit !(a != "missing" && a <= tol) }' || complain "  $1 changes by $spread, allowed are $2"
    echo "  $1 changes by $spread"
}

# written ROW: the run before, whose last kept column was the energy, is what the row of the table says: unknowns, index and
# degrees of freedom exactly, steps within a tenth, violation and energy within a factor of three (rounding, both ways)
written() {
    local row
    row=$(grep -F "| $1" "$source/docs/mechanics.md")
    "$daedal" check "$examples/$file" "$class" --json >check 2>err
    awk -F'|' -v check="$(grep -oE '"(unknowns|index|dof)":[0-9]+' check)" -v out="$(grep -oE '"steps":[0-9]+' out)" -v violation="$violation" -v energy="$spread" '
        function of(text, key) { return match(text, "\"" key "\":[0-9]+") ? substr(text, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : "none" }
        function like(a, b, factor) { return a <= factor*b && b <= factor*a }
        function differs(what, now, then) { print "  docs/mechanics.md: " what " " then ", now " now; bad = 1 }
        {
            split($4, index_dof, ",")
            if (of(check, "unknowns") != $3 + 0) differs("unknowns", of(check, "unknowns"), $3)
            if (of(check, "index") != index_dof[1] + 0) differs("index", of(check, "index"), $4)
            if (of(check, "dof") != index_dof[2] + 0) differs("degrees of freedom", of(check, "dof"), $4)
            if (!like(of(out, "steps"), $6, 1.1)) differs("steps", of(out, "steps"), $6)
            if (!like(violation, $7, 3)) differs("constraints", violation, $7)
            if (!like(energy, $8, 3)) differs("energy", energy, $8)
        }
        END { exit bad || NR != 1 }' <<<"$row" || complain "  the row of $1 is wrong"
}

long spatial_chain.mo SpatialChain 20 1e-9 1e-12
kept spin 1e-9
kept energy 1e-7
written '`spatial_chain.mo`'
long four_bar.mo FourBar 100 1e-9 1e-11
kept energy 1e-6
written '`four_bar.mo` FourBar |'
long four_bar.mo FourBarInSpace 20 1e-9 1e-12
kept energy 1e-6
written '`four_bar.mo` FourBarInSpace |'
long slider_crank_parts.mo SliderCrankParts 50 1e-9 1e-11
kept energy 1e-7
written '`slider_crank_parts.mo`'
long double_pendulum.mo DoublePendulum 50 1e-9 1e-12
kept energy 1e-7
written '`double_pendulum.mo`'
long delta_robot_parts.mo DeltaRobotParts 20 1e-9 1e-12
kept energy 1e-8
written '`delta_robot_parts.mo`'
long satellite.mo Satellite 1000 1e-9 1e-12
kept 'momentum[1]' 1e-9
kept 'momentum[2]' 1e-9
kept 'momentum[3]' 1e-9
kept energy 1e-8
written '`satellite.mo`'
for axis in 1 2 3; do
    long tumbling_body.mo TumblingBody 1000 1e-9 1e-12 --set axis=$axis
    kept 'momentum[1]' 1e-7
    kept 'momentum[2]' 1e-7
    kept 'momentum[3]' 1e-7
    kept energy 1e-8
    [ $axis != 2 ] || written '`tumbling_body.mo`'
done
exit $failed
