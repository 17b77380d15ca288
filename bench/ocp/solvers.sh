#!/usr/bin/env bash
# The solvers side by side: the same programs, the same functions, one run after the other in turn.
#
#   solvers.sh DAEDAL [all] [PATTERN...]      default: the small problems with 100 intervals
#
# With `all` every problem on 100, 400 and 1600 intervals; PATTERN: part of a name, such as chain. Environment:
#   REPEATS   runs of each, of which the medians are shown (default 3; with all 1 where the first took a second or more)
#   SOLVERS   names, the one to compare with last (default "daedal ipopt")
#   SIZES     intervals (default 100, with all 100 400 1600)
#   LIMIT     seconds of one run (default 60)
#   PATIENCE  seconds of one run of ipopt (default LIMIT; with all 9 times as long as the run of daedal before it, at least
#             10, at most LIMIT: it ends, or it is shown to be 8 times slower)
#   OPTIONS   further options of all runs, such as --threads 2
#
# ipopt runs with each of the BLAS libraries that are installed beside the usual one, and the fastest run is shown; where
# one has reached its limit, the others are not tried. BLAS threads: one.
#
# Columns: iterations, those of verify too; seconds of the processor in milliseconds: of all (total), of the iterations that
# led to the solution (solve), of one of these, and all that follows the solve (verify); shares of the solve in per cent:
# functions, linear systems (ipopt does not tell them apart from the rest), the rest; memory of the process in MiB. The
# shares are of the wall clock, which goes on while another program has the processor, so each part is the least of the
# runs, and the whole no more than the seconds of the processor. The column `faster` is the time of the other solver divided
# by this one's; where the other one was stopped by its limit, it is more than that.
export LC_ALL=C
daedal=$(realpath "$1")
shift
all=
[ "$1" = all ] && { all=yes; shift; }
cd "$(dirname "$0")" || exit 1
read -ra solvers <<<"${SOLVERS:-daedal ipopt}"
export OPENBLAS_NUM_THREADS=1
repeats=${REPEATS:-3}
sizes=${SIZES:-$([ -n "$all" ] && echo 100 400 1600 || echo 100)}
limit=${LIMIT:-60}
# the usual library, then folders with others
libraries=("")
for folder in /usr/lib/*/blas /usr/lib/*/openblas-pthread; do
    [ -e "$folder/libblas.so.3" ] && [ "$(realpath "$folder/libblas.so.3")" != \
        "$(realpath "$(ldd "$daedal" | awk '/libblas/ {print $3}')" 2>/dev/null)" ] &&
        libraries+=("$folder:${folder%/blas}/lapack")
done
verify=../../tests/verify/ocp

# name, file, options; those of the first group are in the short table
small="a|a_vanderpol.mop|--nodes legendre --control constant
b|b_cart_pole.mop|--nodes legendre --control constant
c|c_pendulum.mop|--nodes legendre --control constant
c-full|c_full.mop|--nodes legendre --control constant
crane|$verify/dae/crane_i3.mop|--control polynomial
robot-arm|$verify/minimum_time/robot.mop|--control polynomial
goddard|$verify/singular/rocket.mop|--control constant
shuttle|$verify/minimum_time/shuttle.mop|--control polynomial
rayleigh|$verify/path/rayleigh.mop|--control polynomial
hypersensitive|$verify/lq/hypersensitive.mop|--control polynomial
catalyst|$verify/singular/catmix.mop|--control constant"
large="chain-21|$verify/mechanics/chain_mass3.mop|--control constant
delta3|$verify/phases/delta3.mop|--control polynomial
six-joint|more/six_joint.mop|--control constant
column|more/column.mop|--control constant
heat|more/heat.mop|--control constant"

field() {
    grep -oE "\"$1\":(\"[^\"]*\"|[^],}]*)" <<<"$json" | head -1 | sed 's/^[^:]*://; s/"//g'
}

# part OBJECT KEY: of an object of the JSON
part() {
    grep -oE "\"$1\":\\{[^}]*" <<<"$json" | tail -1 | grep -oE "\"$2\":[^,}]*" | sed 's/.*://'
}

# Seconds for a run of ipopt; own: milliseconds of the run of daedal before it.
patience() {
    if [ -n "$PATIENCE" ] || [ -z "$all" ]; then
        echo "${PATIENCE:-$limit}"
    else
        awk -v own="$own" -v limit="$limit" 'BEGIN {
            most = 9*own/1000; most = most < 10 ? 10 : most; print most < limit ? most : limit }'
    fi
}

# One run with a BLAS library: solve, verify (seconds of the processor), evaluate, factor, the whole solve (seconds),
# iterations, memory (KiB), status, objective, set-up, iterations of the solve
run_with() {
    local json peak factor scratch most=$limit
    scratch=$(mktemp)
    [ "$3" = ipopt ] && most=$(patience)
    # shellcheck disable=SC2086
    json=$(LD_LIBRARY_PATH=$4${4:+${LD_LIBRARY_PATH:+:}}$LD_LIBRARY_PATH /usr/bin/time -f %M -o "$scratch" "$daedal" \
        optimize "$1" $2 ${OPTIONS:-} --solver "$3" --max-time "$most" --json 2>/dev/null </dev/null)
    peak=$(tail -1 "$scratch")
    factor=$(part seconds factor)
    rm -f "$scratch"
    echo "$(part cpu_seconds solve) $(part cpu_seconds verify) $(part seconds evaluate) ${factor:--}" \
        "$(awk -v a="$(part seconds evaluate)" -v b="$(part seconds linear_algebra)" -v cpu="$(part cpu_seconds solve)" \
            'BEGIN { print a + b < cpu ? a + b : cpu }')" \
        "$(field iterations) $peak $(field status) $(field objective) $(part cpu_seconds setup) $(field solve_iterations)"
}

# The fastest one.
run() {
    local library lines=""
    for library in "${libraries[@]}"; do
        lines+=$(run_with "$1" "$2" "$3" "$library")$'\n'
        { [ "$3" = ipopt ] && ! grep -q time_limit <<<"$lines"; } || break
    done
    sort -g <<<"${lines%$'\n'}" | head -1
}

# The runs of one solver to the median one, with the least times of the parts of a solve: the runs repeat exactly, and what
# differs is the machine.
median() {
    sort -g <<<"$1" | awk -v middle="$(((many + 1) / 2))" '
        NR == middle { split($0, v, " ") }
        { for (i = 3; i <= 5; i++) if (NR == 1 || $i + 0 < least[i] + 0) least[i] = $i }
        END {
            least[5] = least[3] + least[4] > least[5] ? least[3] + least[4] : least[5]
            for (i = 1; i <= 11; i++) printf "%s ", i in least ? least[i] : v[i]
        }'
}

row() {
    awk -v name="$1" -v n="$2" -v solver="$3" -v line="$4" -v other="$5" 'BEGIN {
        split(line, v, " "); split(other, w, " ")
        evaluate = v[5] > 0 ? 100*v[3]/v[5] : 0; factor = v[5] > 0 ? 100*v[4]/v[5] : 0
        each = v[11] > 0 ? 1e3*v[1]/v[11] : 0
        faster = v[8] == "time_limit" ? "" : other != "" && v[1] > 0 ? sprintf("%s%.1f", w[8] == "time_limit" ? ">" : "", w[1]/v[1]) : ""
        printf("%-15s %5d %-7s %5d %10.2f %10.2f %9.3f %9.2f %5.0f %7s %5.0f %7.0f  %-16.10g %6s %s\n", name, n, solver,
            v[6], 1e3*(v[10] + v[1] + v[2]), 1e3*v[1], each, 1e3*v[2], evaluate,
            v[4] == "-" ? "-" : sprintf("%.0f", factor), evaluate + factor < 100 ? 100 - evaluate - factor : 0, v[7]/1024, v[9], faster, v[8]) }'
}

problem() {
    local name=$1 file=$2 options=$3 n=$4 k solver line times=() lines many=$repeats began own=0
    # in turn, so that a busy machine is busy for all of them
    for ((k = 0; k < many; k++)); do
        began=${EPOCHREALTIME/./}
        for ((solver = 0; solver < ${#solvers[@]}; solver++)); do
            line=$(run "$file" "--intervals $n --degree 3 $options" "${solvers[solver]}")
            own=$((solver == 0 ? (${EPOCHREALTIME/./} - began) / 1000 : own))
            times[solver]+=$line$'\n'
        done
        [ -n "$all" ] && [ -z "$REPEATS" ] && [ $((${EPOCHREALTIME/./} - began)) -ge 1000000 ] && many=$((k + 1))
    done
    for ((solver = 0; solver < ${#solvers[@]}; solver++)); do
        lines[solver]=$(median "${times[solver]%$'\n'}")
    done
    for ((solver = 0; solver < ${#solvers[@]}; solver++)); do
        row "$name" "$n" "${solvers[solver]}" "${lines[solver]}" \
            "$([ "$solver" -lt $((${#solvers[@]} - 1)) ] && echo "${lines[-1]}")"
    done
}

printf '%-15s %5s %-7s %5s %10s %10s %9s %9s %5s %7s %5s %7s  %-16s %6s\n' problem N solver iter total solve one verify \
    eval% factor% rest% MiB objective faster
while IFS='|' read -r name file options; do
    [ $# -eq 0 ] || grep -qE "$(IFS='|'; echo "$*")" <<<"$name" || continue
    for n in $sizes; do
        problem "$name" "$file" "$options" "$n"
    done
done <<<"$small$([ -n "$all$*" ] && echo && echo "$large")"
