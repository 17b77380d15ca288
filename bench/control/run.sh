#!/usr/bin/env bash
# Samples of closed loops: converge, rti and IPOPT on the same programs, warm-started alike.
#
#   run.sh DAEDAL
#
# Milliseconds of the processor per sample without the first: median, 99th percentile, maximum; of rti also the part after the
# measurement (feedback), of estimators also their part of that (estimate). The last column is IPOPT's median divided by this one's; LIMIT: seconds of one loop (default 120).
export LC_ALL=C
daedal=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 1
limit=${LIMIT:-120}
pendulum=examples/control_pendulum.mop
chain=tests/verify/ocp/mechanics/chain_mass3.mop

# name, file, options
loops="pendulum N=20 d=2|$pendulum|--degree 2
pendulum N=40 d=3|$pendulum|--degree 3 --intervals 40
chain of masses N=40|$chain|--sample-period 0.2 --degree 2 --control constant --start 0 --stop 4
delta robot|examples/control_delta.mop|
reactor with mhe|examples/control_cstr.mop|
pendulum with mhe|$pendulum|--degree 2 --measured s,b --noise 0.001 --mhe-horizon 10 --process-noise vs:0.1,vb:0.1 --initial-error vs:0.1,vb:0.1"

# part OBJECT KEY: of an object of the JSON
part() {
    grep -oE "\"$1\": ?\\{[^}]*" <<<"$json" | tail -1 | grep -oE "\"$2\": ?[^,}]*" | sed 's/.*://'
}

# line NAME WAY OPTIONS: one run; IPOPT's median is kept in `base`
line() {
    local json
    # shellcheck disable=SC2086
    json=$(timeout "$limit" "$daedal" control "$file" $options $3 --json 2>/dev/null </dev/null)
    local median
    median=$(part solve_ms median)
    if [ -z "$median" ]; then
        printf '%-22s %-9s no result\n' "$1" "$2"
        return
    fi
    [ "$2" = ipopt ] && base=$median
    local failed
    failed=$(grep -oE '"failed_solves": ?[0-9]*' <<<"$json" | sed 's/.*://')
    awk -v name="$1" -v way="$2" -v m="$median" -v p="$(part solve_ms p99)" -v x="$(part solve_ms max)" \
        -v f="$(part feedback_ms median)" -v e="$(part estimate_ms median)" -v bad="$failed" -v base="${base:-0}" 'BEGIN {
        times = (base > 0) ? sprintf("%.1f", base / m) : "-"
        printf "%-22s %-9s %9.3f %9.3f %9.3f %9.3f %9.3f %7d %8s\n", name, way, m, p, x, f, e, bad, times }'
}

printf '%-22s %-9s %9s %9s %9s %9s %9s %7s %8s\n' loop way median p99 max feedback estimate failed times
while IFS='|' read -r name file options; do
    base=
    line "$name" ipopt "--solver ipopt"
    line "$name" converge ""
    line "$name" rti "--mode rti"
done <<<"$loops"
