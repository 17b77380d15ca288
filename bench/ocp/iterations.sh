#!/usr/bin/env bash
# Iterations of two solvers on all files of tests/verify/ocp that have an optimum: the first run of each, on 50 intervals
# where it names none.
#
#   iterations.sh DAEDAL [PATTERN...]         PATTERN: part of a path, such as minimum_time
#
# Environment: SOLVERS, names (default "daedal ipopt"); LIMIT, seconds of one run (default 10).
# Prints files that end differently: another verdict, or objectives that differ by more than 1e-6 of their size; then the
# geometric mean of the iterations of the first solver over those of the second on the files that both solve, and how often
# each of them ends better. A verdict counts before an objective; all files are minimised.
export LC_ALL=C OPENBLAS_NUM_THREADS=1
daedal=$(realpath "$1")
shift
read -r first second <<<"${SOLVERS:-daedal ipopt}"
limit=${LIMIT:-10}
cd "$(dirname "$0")/../../tests/verify/ocp" || exit 1

# verdict, iterations, objective
run() {
    local options json
    options=$(sed -n 's,^// run: *,,p' "$1" | head -1)
    [[ $options == *--intervals* ]] || options+=" --intervals 50"
    # shellcheck disable=SC2086
    json=$("$daedal" optimize "$1" $options --solver "$2" --max-time "$limit" --json 2>/dev/null </dev/null)
    for key in status iterations objective; do
        grep -oE "\"$key\":(\"[^\"]*\"|[^],}]*)" <<<"$json" | head -1 | sed 's/^[^:]*://; s/"//g'
    done | paste -sd' '
}

for file in */*.mop; do
    grep -q '^// optimum:' "$file" || continue
    [ $# -eq 0 ] || grep -qE "$(IFS='|'; echo "$*")" <<<"$file" || continue
    echo "$file $(run "$file" "$first") $(run "$file" "$second")"
done | awk -v first="$first" -v second="$second" '
    function size(x) { return x < 0 ? -x : x }
    NF == 7 {
        ours = $2 == "optimal"; theirs = $5 == "optimal"; scale = size($7) > 1e-3 ? size($7) : 1e-3
        if (ours && theirs && $3 > 0 && $6 > 0) { sum += log($3/$6); both++ }
        better = ours != theirs ? ours - theirs : !ours ? 0 : $7 - $4 > 1e-6*scale ? 1 : $4 - $7 > 1e-6*scale ? -1 : 0
        wins += better > 0; losses += better < 0
        if (better != 0) { print "differs: " $0 }
    }
    NF != 7 { print "no answer: " $0 }
    END {
        printf "%d files solved by both: %s needs %.3f of the iterations of %s (geometric mean)\n", both, first, exp(sum/both), second
        printf "better: %s %d, %s %d\n", first, wins, second, losses
    }'
