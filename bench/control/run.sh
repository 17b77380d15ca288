#!/usr/bin/env bash
# Samples of closed loops: converge, rti and IPOPT on the same programs, warm-started alike.
#
#   run.sh DAEDAL
#
# Milliseconds of the processor per sample without the first: median, 99th percentile, maximum; of rti also the part after the
# measurement (feedback), of estimators also their part of that (estimate). The last column is IPOPT's median divided by this one's.
# A loop runs several times, and each sample counts with the least of its times: the samples repeat exactly, so what differs
# is the machine (other programs in the caches, a hypervisor that takes the processor away). LIMIT: seconds of one run (default
# 120); REPEATS: runs of a loop (default 3).
export LC_ALL=C
daedal=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 1
limit=${LIMIT:-120}
repeats=${REPEATS:-3}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
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

# samples FILES...: the record of each run to median, 99th percentile and maximum of the least times. The third column from the
# right has the times; rows between samples repeat them.
samples() {
    awk -F, 'FNR == 1 { n = -1; last = ""; next }
        $(NF - 2) == "" || $(NF - 2) == last { next }
        { last = $(NF - 2); if (++n > 0 && (!(n in t) || last + 0 < t[n])) t[n] = last + 0; most = n > most ? n : most }
        END { for (i = 1; i <= most; i++) print t[i] }' "$@" | sort -g |
        awk '{ t[NR] = $1 } END { if (NR > 0) {
            m = NR % 2 ? t[(NR + 1)/2] : (t[NR/2] + t[NR/2 + 1])/2
            p = 0.99*NR; k = int(p) < p ? int(p) + 1 : p
            print m, t[k], t[NR] } }'
}

# least NEW OLD: the smaller one, or what is there
least() {
    awk -v a="$1" -v b="$2" 'BEGIN { print (b == "" || a + 0 < b + 0) ? a : b }'
}

# line NAME WAY OPTIONS: the runs of one loop; IPOPT's median is kept in `base`
line() {
    local json median p99 most feedback='' estimate='' failed
    rm -f "$scratch"/*.csv
    for run in $(seq "$repeats"); do
        # shellcheck disable=SC2086
        json=$(timeout "$limit" "$daedal" control "$file" $options $3 -o "$scratch/$run.csv" --json 2>/dev/null </dev/null)
        [ -n "$(part solve_ms median)" ] || break
        feedback=$(least "$(part feedback_ms median)" "$feedback")
        estimate=$(least "$(part estimate_ms median)" "$estimate")
    done
    if [ -z "$(part solve_ms median)" ]; then
        printf '%-22s %-9s no result\n' "$1" "$2"
        return
    fi
    read -r median p99 most < <(samples "$scratch"/*.csv)
    [ "$2" = ipopt ] && base=$median
    failed=$(grep -oE '"failed_solves": ?[0-9]*' <<<"$json" | sed 's/.*://')
    awk -v name="$1" -v way="$2" -v m="$median" -v p="$p99" -v x="$most" \
        -v f="$feedback" -v e="$estimate" -v bad="$failed" -v base="${base:-0}" 'BEGIN {
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
