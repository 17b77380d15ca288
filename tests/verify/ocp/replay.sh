#!/usr/bin/env bash
# The optimal control is written to a file and fed to the simulator: it must end where the optimiser says, to 1e-5 of
# the size that each state has along the way. The error of the transcription is far below on a fine mesh of degree 4;
# polynomial controls are linear between the rows of the file to 1e-7, which an unstable motion such as a swing-up
# makes larger.
#
#   replay.sh DAEDAL [PATTERN...]
export LC_ALL=C
daedal=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- ''
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

problems='lq/di_min_energy lq/lq_osc lq/vdp_bocop minimum_time/brachistochrone minimum_time/zermelo
    minimum_time/steering mechanics/cart_pole2 process/batch_abc dae/circle_full dae/crane_i3
    dae/crane_i3_ode dae/react_i2 path/crane_betts'

# NAME VALUE lines of the object "final" of an answer
final() {
    sed -e 's/.*"final":{\([^}]*\)}.*/\1/' "$1" | tr -d '"' | sed 's/,\([^0-9]\)/\n\1/g' | sed 's/:\([^:]*\)$/ \1/'
}

# NAME SIZE lines: the largest value of each column of a table
sizes() {
    awk -F, 'NR == 1 { n = split($0, name, ",") ; for (i = 1; i <= n; i++) gsub(/"/, "", name[i]); next }
             { for (i = 1; i <= n; i++) { v = $i < 0 ? -$i : $i; if (v > most[i]) most[i] = v } }
             END { for (i = 1; i <= n; i++) print name[i], most[i] }' "$1"
}

failed=0
for problem in $problems; do
    for pattern in "$@"; do
        [[ $problem == *$pattern* ]] || continue
        for control in constant linear polynomial; do
            timeout 100 "$daedal" optimize "$problem.mop" --intervals 60 --degree 4 --control $control --json \
                -o "$work/u.csv" >"$work/a" 2>/dev/null </dev/null
            stop=$(sed -n 's/.*"finalTime":\([^,]*\),.*/\1/p' "$work/a")
            timeout 100 "$daedal" simulate "$problem.mop" --input "$work/u.csv" --stop "$stop" --tol 1e-10 --json \
                >"$work/b" 2>/dev/null </dev/null
            awk -v name="$problem" -v control=$control '
                FILENAME == ARGV[1] { size[$1] = $2; next }
                FILENAME == ARGV[2] { a[$1] = $2; next }
                $1 in a { n++; d = a[$1] - $2; s = size[$1]; if (s < 1) s = 1; if (d < 0) d = -d
                          if (d/s > worst) { worst = d/s; which = $1 } }
                END { ok = n > 0 && worst <= 1e-5
                      printf "%-34s %-10s %8.1e %s%s\n", name, control, worst, which, ok ? "" : "   FAILED"; exit !ok }
            ' <(sizes "$work/u.csv") <(final "$work/a" | grep -v '^u') <(final "$work/b") || failed=1
        done
        break
    done
done
exit $failed
