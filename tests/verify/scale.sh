#!/usr/bin/env bash
# Simulating large sparse models: the cost of a step is linear in the number of equations. Usage: scale.sh PATH_OF_DAEDAL
# An RC ladder (2 N equations) and a chain of pendulum masses (5 N, index 3); 10^3, 10^4 and, for the ladder, 10^5 equations.
# Optimal control: time per iteration and memory are linear in the number of intervals, up to 10^4.
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

# of_optimum FILE N: nanoseconds of the processor per iteration and interval, KiB of the process
of_optimum() {
    local memory
    memory=$(mktemp)
    /usr/bin/time -f %M -o "$memory" "$daedal" optimize "$root/bench/ocp/$1.mop" --intervals "$2" --degree 3 --nodes legendre \
        --control constant --json 2>/dev/null |
        sed -n 's/^{"status":"optimal".*"solve_iterations":\([0-9]*\).*"cpu_seconds":{[^}]*"solve":\([^,}]*\).*/\1 \2/p' |
        awk -v n="$2" '{ printf "%g ", 1e9*$2/$1/n }'
    tail -1 "$memory"
    rm -f "$memory"
}

check_optimum() {
    printf '%-16s %8s %8s %8s  ns per iteration and interval, MiB\n' problem N cost memory
    local few many most
    few=$(of_optimum "$1" 100) many=$(of_optimum "$1" 1000) most=$(of_optimum "$1" 10000)
    # times as above; an interval more takes no more memory among many than among few, but for a quarter
    awk -v name="$1" -v a="$few" -v b="$many" -v c="$most" 'BEGIN {
        fields = split(a, x, " ") + split(b, y, " ") + split(c, z, " ")
        printf "%-16s %8d %8.0f %8.1f\n", name, 100, x[1], x[2]/1024
        printf "%-16s %8d %8.0f %8.1f\n", name, 1000, y[1], y[2]/1024
        printf "%-16s %8d %8.0f %8.1f\n", name, 10000, z[1], z[2]/1024
        if (fields != 6) { print "  not solved"; exit 1 }
        if (z[1] > 3*x[1]) { print "  time grows faster than the problem"; bad = 1 }
        if ((z[2] - y[2])/9000 > 1.25*(y[2] - x[2])/900) { print "  memory grows faster than the problem"; bad = 1 }
        exit bad }' || bad=1
}

check_optimum a_vanderpol
check_optimum b_cart_pole
check rc_ladder 1 radau "500 5000 50000"
check rc_ladder 1 bdf "500 5000 50000"
check pendulum_chain 0.05 radau "200 2000"
exit $bad
