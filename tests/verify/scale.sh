#!/usr/bin/env bash
# Simulating large sparse models: the cost of a step is linear in the number of equations. Usage: scale.sh PATH_OF_DAEDAL
# An RC ladder (2 N equations) and a chain of pendulum masses (5 N, index 3); 10^3, 10^4 and, for the ladder, 10^5 equations.
set -u
daedal=$1
root=${DAEDAL_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
bad=0

# per_step MODEL N STOP METHOD: nanoseconds per step and equation, the better of two runs
per_step() {
    for _ in 1 2; do
        "$daedal" simulate "$root/bench/models/$1.mo" --set N="$2" --stop "$3" --tol 1e-4 --method "$4" --json 2>/dev/null
    done | awk -v n="$2" '
        { ok = match($0, /"status":"ok"/); match($0, /"steps":[0-9]+/); steps = substr($0, RSTART + 8, RLENGTH - 8)
          match($0, /"seconds":[0-9.e+-]+/); seconds = substr($0, RSTART + 10, RLENGTH - 10)
          cost = ok && steps > 0 ? 1e9*seconds/steps/n : -1
          if (cost < 0) failed = 1; if (best == "" || cost < best) best = cost }
        END { print failed || best == "" ? "failed" : best }'
}

check() {
    printf '%-16s %-6s %8s %8s  ns per step and N\n' model method N cost
    local first=""
    for n in $4; do
        cost=$(per_step "$1" "$n" "$2" "$3")
        printf '%-16s %-6s %8s %8.0f\n' "$1" "$3" "$n" "${cost/failed/-1}"
        if [ "$cost" = failed ]; then
            bad=1
            continue
        fi
        first=${first:-$cost}
        # three times: caches end between the smallest and the largest
        awk -v a="$first" -v b="$cost" 'BEGIN { exit !(b > 3*a) }' && { echo "  grows faster than the model"; bad=1; }
    done
}

check rc_ladder 1 radau "500 5000 50000"
check rc_ladder 1 bdf "500 5000 50000"
check pendulum_chain 0.05 radau "200 2000"
exit $bad
