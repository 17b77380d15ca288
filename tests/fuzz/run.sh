#!/usr/bin/env bash
# Fuzzes one target and adds a line to tests/fuzz/RUNS.md.
#   run.sh TARGET EXECUTIONS|SECONDSs [BUILD_FOLDER]      run.sh check 500000, run.sh run_simulate 3600s
# Targets: parse, check, tableau (bytes), run_check, run_simulate, run_optimize (models, options and tables; structured/).
# Build first with `make fuzz`. New inputs are collected below BUILD_FOLDER; a finding ends with exit code 1 and is left
# there as crash-*, timeout-* or oom-*. The seconds of a limited run are CPU time: it is ended when they are used up.
# TIMEOUT: seconds of the clock for one input (default 40); more on a machine with other work.
set -u
here=$(cd "$(dirname "$0")" && pwd)
target=$1
amount=$2
build=$(cd "${3:-$here/../../build/fuzz}" && pwd)
found=$build/found_$target
work=$build/work_$target
rm -rf "$work"
mkdir -p "$found" "$work/seeds"

# ---- seeds: models of the tests that are short enough ----
longest=1024
case $target in
run_*) longest=6000 ;;
esac
take() { find "$@" -type f -size -$((longest / 512 + 1))b \( -name '*.mo' -o -name '*.mop' -o -name '*.bmo' \) -print0; }
case $target in
parse) take "$here/../corpus" ;;
check) take "$here/../corpus/parse" "$here/../corpus/errors" "$here/../corpus/flat" ;;
run_check) take "$here/../corpus" "$here/../../examples" ;;
run_simulate) take "$here/../corpus/check" "$here/../corpus/flat" "$here/../wild" "$here/../../examples" ;;
run_optimize) find "$here/../verify/ocp" "$here/../../examples" -name '*.mop' -size -12b -print0 ;;
esac | while IFS= read -r -d '' file; do
    cp "$file" "$work/seeds/$(echo "${file#"$here"}" | tr '/' '_')"
done

limit="-runs=$amount"
case $amount in
*s) limit="-runs=-1" && cpu=${amount%s} ;;
*) cpu=unlimited ;;
esac
dictionary=
case $target in
parse | check) dictionary="-dict=$here/modelica.dict" ;;
esac
mkdir -p "$here/corpus/$target"
log=$work/log
# a run that is limited in CPU time ends itself by SIGXCPU, which libFuzzer takes for an interruption
(
    # shellcheck disable=SC2086
    UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_leaks=${LEAKS:-1} OPENBLAS_NUM_THREADS=1 \
        "$build/fuzz/fuzz_$target" $limit -max_len="$longest" -timeout="${TIMEOUT:-40}" -rss_limit_mb=4096 -entropic=0 $dictionary \
        ${cpu:+$(test "$cpu" = unlimited || echo "-max_total_time=$((cpu * 6))")} \
        -close_fd_mask=2 -artifact_prefix="$build/" -print_final_stats=1 "$found" "$here/corpus/$target" "$work/seeds" >"$log" 2>&1 &
    pid=$!
    # ended when its CPU time is used up: in /proc/PID/stat, fields 14 and 15, in ticks
    while [ "$cpu" != unlimited ] && kill -0 $pid 2>/dev/null; do
        used=$(awk '{ print int(($14 + $15) / 100) }' "/proc/$pid/stat" 2>/dev/null)
        echo "${used:-0}" >"$work/cpu"
        if [ "${used:-0}" -ge "$cpu" ]; then
            kill -XCPU $pid # the program handles SIGINT and SIGTERM itself
            break
        fi
        sleep 2
    done
    wait $pid
    echo $? >"$work/code"
)
code=$(cat "$work/code")
[ "$code" = 72 ] && code=0 # interrupted: as it should be
units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
[ -n "$units" ] || units=$(grep -o '^#[0-9]*' "$log" | tail -n 1 | tr -d '#')
seconds=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/\1/p' "$log")
edges=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 | cut -d' ' -f2)
findings=$(find "$build" -maxdepth 1 \( -name 'crash-*' -o -name 'timeout-*' -o -name 'oom-*' -o -name 'leak-*' \) -newer "$work/seeds" | wc -l)
spent=$seconds
[ -f "$work/cpu" ] && spent="$(cat "$work/cpu") (CPU)"
echo "| $(date -u +%Y-%m-%d) | fuzz_$target | $longest | ${units:-?} | ${spent:-?} | ${edges:-?} | $findings |" >>"$here/RUNS.md"
tail -n 3 "$log"
exit "$code"
