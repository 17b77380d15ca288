#!/usr/bin/env bash
# The same optimum on every machine: problems of ocp/ are solved with other libraries of linear algebra, numbers of threads and
# orders of the program's variables, and the objectives agree to 1e-7 (relative).
#
#   machines.sh DAEDAL [--all] [PATTERN...]     without --all: a sample of problems; PATTERN: part of a path
#
# ocp/several_optima.txt lists problems with several optima or a flat cost, with their values: there every run must end at one of
# these. Configurations: the library that is installed as it is, --permutation 1, 2 (and 3, 4 with --all), and OpenBLAS with the
# kernels of several processors (those that run here) and one or two threads. OpenBLAS is taken from the system, or fetched with
# apt-get into a folder of its own; nothing that is installed changes. Where there is none, that is said and the rest runs.
# Environment: MACHINES_JOBS (solves at a time, default 2), MACHINES_TIMEOUT (seconds of one processor for one solve, default 120).
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
known=$here/ocp/several_optima.txt

# One solve: "FILE<tab>CONFIGURATION<tab>OBJECTIVE<tab>STATUS"
if [ "$1" = --one ]; then
    daedal=$2 file=$3 options=$4 name=$5 library=$6 core=$7 threads=$8 order=$9
    cd "$here/ocp" || exit 1
    [ -n "$library" ] && export LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} OPENBLAS_CORETYPE=$core
    export OPENBLAS_NUM_THREADS=$threads
    # shellcheck disable=SC2086
    json=$(ulimit -t "${MACHINES_TIMEOUT:-120}"; "$daedal" optimize "$file" $options --permutation "$order" \
        --threads "$threads" --json 2>/dev/null </dev/null)
    objective=$(grep -oE '"objective":[^,}]*' <<<"$json" | head -1)
    status=$(grep -oE '"status":"[a-z_]*"' <<<"$json" | head -1 | cut -d'"' -f4)
    printf '%s %s\t%s\t%s\t%s\n' "$file" "$options" "$name" "${objective#*:}" "${status:-none}"
    exit 0
fi

[ $# -ge 1 ] || { echo "usage: machines.sh DAEDAL [--all] [PATTERN...]"; exit 2; }
daedal=$(realpath "$1")
shift
all=no
[ "${1-}" = --all ] && { all=yes; shift; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# Where OpenBLAS stands in for libblas.so.3 and liblapack.so.3; empty: nowhere
openblas() {
    local found
    found=$(ls -d /usr/lib/*/openblas-pthread /usr/lib/*/openblas-openmp 2>/dev/null | head -1)
    [ -n "$found" ] && [ -e "$found/liblapack.so.3" ] && { echo "$found"; return; }
    (cd "$scratch" && apt-get download libopenblas0-pthread && dpkg -x libopenblas0-pthread_*.deb root) >/dev/null 2>&1
    ls -d "$scratch"/root/usr/lib/*/openblas-pthread 2>/dev/null | head -1
}

# "NAME LIBRARY CORE THREADS ORDER" per line; - stands for nothing
configurations() {
    local library orders="1 2" cores="Haswell Nehalem" core order
    [ $all = yes ] && orders="1 2 3 4" cores="Haswell Zen SkylakeX Sandybridge Nehalem Prescott"
    echo "as-installed - - 1 0"
    for order in $orders; do
        echo "order-$order - - 1 $order"
    done
    library=$(openblas)
    [ -n "$library" ] || { echo "no OpenBLAS here and none to be had: other libraries are not tried" >&2; return; }
    for core in $cores; do
        # kernels that this processor cannot run end at once
        LD_LIBRARY_PATH=$library OPENBLAS_CORETYPE=$core "$daedal" optimize "$here/ocp/lq/di_min_energy.mop" --json 2>/dev/null |
            grep -q '"optimal"' || continue
        echo "openblas-$core $library $core 1 0"
        [ "$core" = Haswell ] && echo "openblas-$core-2 $library $core 2 0"
    done
}

sample="lq/vdp_bocop minimum_time/di_min_time minimum_time/steering singular/rocket mechanics/cart_pole.mop path/bryson_denham
periodic/pendulum_orbit.mop periodic/relaxation_orbit.mop dae/circle.mop process/cstr phases/burns.mop features/way_point.mop estimation/level"

jobs_of() {
    local file pattern options
    for file in $(cd "$here/ocp" && find . -name '*.mop' | sed 's,^\./,,' | sort); do
        for pattern in "$@"; do
            [[ $file == *$pattern* ]] || continue
            grep -q '^// skip:\|^// expect:' "$here/ocp/$file" && break
            options=$(sed -n 's,^// run: *,,p' "$here/ocp/$file" | { [ $all = yes ] && cat || head -1; })
            while IFS= read -r line; do
                while read -r name library core threads order; do
                    printf '%s\0%s\0%s\0%s\0%s\0%s\0%s\0' "$file" "$line" "$name" "${library#-}" "${core#-}" "$threads" "$order"
                done <"$scratch/configurations"
            done <<<"$options"
            break
        done
    done
}

configurations >"$scratch/configurations"
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2086
    [ $all = yes ] && set -- '' || set -- $sample
fi
jobs_of "$@" | xargs -0 -r -n 7 -P "${MACHINES_JOBS:-2}" bash "$here/machines.sh" --one "$daedal" >"$scratch/table"
[ -n "${MACHINES_TABLE-}" ] && cp "$scratch/table" "$MACHINES_TABLE"

# Per problem: all objectives within 1e-7, or each at one of the listed values
sort "$scratch/table" | awk -F '\t' -v known="$known" -v seconds="$SECONDS" '
    function near(a, b, tol) { return (a > b ? a - b : b - a) <= tol * size(b) }
    function size(b) { b = b < 0 ? -b : b; return b > 1e-3 ? b : 1e-3 }
    BEGIN {
        while ((getline line < known) > 0) {
            if (line !~ /^#/ && split(line, part, /[ \t]*:[ \t]*/) >= 2) { values[part[1]] = part[2]; tolerance[part[1]] = part[3] + 0 }
        }
    }
    function judge(    i, n, list, ok, tol) {
        if (problem == "") return
        split(problem, part, " "); file = part[1]; spread = (most - least) / size(most)
        if (file in values) {
            n = split(values[file], list, " "); tol = tolerance[file] > 0 ? tolerance[file] : 1e-7
            for (j in seen) {
                ok = 0
                for (i = 1; i <= n; i++) ok = ok || near(seen[j], list[i], tol)
                if (!ok) { bad[problem] = bad[problem] " " seen[j] " (" j ")"; failed++ }
            }
        } else if (spread > 1e-7) {
            for (j in seen) bad[problem] = bad[problem] " " seen[j] " (" j ")"
            failed++
        }
        printf "%-70s %-20s %.1e%s\n", substr(problem, 1, 70), seen["as-installed"], spread, (file in values) ? "  several" : ""
        count++
    }
    { rows++ }
    $1 != problem { judge(); problem = $1; delete seen; least = 1e300; most = -1e300 }
    $4 != "optimal" { bad[problem] = bad[problem] " " $4 " (" $2 ")"; failed++; next }
    { seen[$2] = $3 + 0 == 0 ? 0 : $3; least = $3 < least ? $3 : least; most = $3 > most ? $3 : most }
    END {
        judge()
        for (p in bad) print "FAILED: " p ":" bad[p]
        print count " problems, " rows " solves, " failed + 0 " failed, " seconds " s"
        exit failed > 0 || count == 0
    }'
