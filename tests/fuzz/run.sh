#!/usr/bin/env bash
# Fuzzes one target and adds a line to tests/fuzz/RUNS.md. Usage: run.sh parse|check EXECUTIONS [BUILD_FOLDER]
# Build first with `make fuzz`. New inputs are collected below BUILD_FOLDER; a finding ends with exit code 1 and is left
# there as crash-*, timeout-* or oom-*.
set -u
here=$(cd "$(dirname "$0")" && pwd)
target=$1
executions=$2
build=${3:-$here/../../build/fuzz}
found=$build/found_$target
mkdir -p "$found"
seeds="$here/corpus/$target $here/../corpus/parse $here/../corpus/errors $here/../corpus/flat"
[ "$target" = parse ] && seeds="$seeds $here/../corpus/check"
log=$build/fuzz_$target.log
# shellcheck disable=SC2086
UBSAN_OPTIONS=print_stacktrace=1 "$build/fuzz/fuzz_$target" -runs="$executions" -max_len=1024 -timeout=20 -rss_limit_mb=4096 \
    -entropic=0 -dict="$here/modelica.dict" -artifact_prefix="$build/" -print_final_stats=1 "$found" $seeds >"$log" 2>&1
code=$?
units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
seconds=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/\1/p' "$log")
edges=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 | cut -d' ' -f2)
findings=$(find "$build" -maxdepth 1 \( -name 'crash-*' -o -name 'timeout-*' -o -name 'oom-*' -o -name 'leak-*' \) -newer "$build/fuzz/fuzz_$target" | wc -l)
[ -f "$here/RUNS.md" ] || cat >"$here/RUNS.md" <<'HEAD'
# Fuzzing runs

libFuzzer with the address and undefined-behaviour sanitizers (`make fuzz`, then `tests/fuzz/run.sh TARGET EXECUTIONS`).
`parse` is the front end with the flat text read back, `check` the whole of `daedal check`.

| date | target | executions | seconds | covered edges | findings |
| --- | --- | --- | --- | --- | --- |
HEAD
echo "| $(date -u +%Y-%m-%d) | $target | ${units:-?} | ${seconds:-?} | ${edges:-?} | $findings |" >>"$here/RUNS.md"
tail -n 3 "$log"
exit $code
