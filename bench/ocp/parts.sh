#!/usr/bin/env bash
# What a mechanism made of parts costs beside the same one by lagrange() (the trolley: by hand): CPU seconds of `daedal optimize`
# from the text to the report, the least of RUNS (default 9) alternating runs on each mesh.
# Usage: parts.sh PATH_OF_DAEDAL [N...]
set -u
export LC_ALL=C OPENBLAS_NUM_THREADS=1 TIMEFORMAT='%U %S'
daedal=$(realpath "$1")
shift
cd "$(dirname "$0")/../../tests/verify/ocp" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- 20 50 100
failed=0

# seconds FILE N: of one run, user and system; nothing when it ended without a solution
seconds() {
    { time "$daedal" optimize "$1" --intervals "$2" --max-time 300 >"$work/out" 2>&1; } 2>"$work/time"
    ! grep -qE ': (optimal|inaccurate)' "$work/out" || awk '{ print $1 + $2 }' "$work/time"
}

printf '%-14s %5s %8s %8s %6s\n' mechanism N parts lagrange ratio
# name, from parts, by lagrange
while read -r name parts lagrange; do
    for n in "$@"; do
        for ((i = 0; i < ${RUNS:-9}; i++)); do
            echo "$(seconds "$parts" "$n") $(seconds "$lagrange" "$n")"
        done | awk -v name="$name" -v n="$n" '
            NF != 2 { bad = 1 }
            NR == 1 || $1 < a { a = $1 }
            NR == 1 || $2 < b { b = $2 }
            END {
                if (bad) { print name, n, "not solved"; exit 1 }
                printf "%-14s %5d %8.3f %8.3f %6.2f\n", name, n, a, b, a/b
            }' || failed=1
    done
done <<'TWINS'
delta dae/delta_parts.mop dae/delta_parts_ode.mop
delta-fastest mechanics/delta_fastest_ode.mop mechanics/delta_fastest.mop
seven-joints mechanics/arm_seven.mop mechanics/arm_seven_ode.mop
scara mechanics/scara_parts.mop mechanics/scara_parts_ode.mop
gantry mechanics/gantry_ball.mop mechanics/gantry_ball_ode.mop
cart mechanics/cart_parts.mop mechanics/cart_parts_ode.mop
universal mechanics/universal_parts.mop mechanics/universal_parts_ode.mop
TWINS
exit $failed
