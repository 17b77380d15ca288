#!/usr/bin/env bash
# daedal export --c: the code compiles without a warning, its steps are those of simulate, files are whole or old, and
# what cannot be exported is refused. Usage: export.sh PATH_OF_DAEDAL
set -u
daedal=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
flags='-std=c99 -O1 -Wall -Wextra -Werror -Wdouble-promotion -Wconversion -pedantic'
compiler=${CC:-cc}

complain() { echo "$*"; failed=1; }

# expect CODE STREAM PATTERN ARGS...: exit code, and PATTERN on STREAM (out or err)
expect() {
    local code=$1 stream=$2 pattern=$3 got
    shift 3
    timeout 20 "$daedal" "$@" >"$folder/out" 2>"$folder/err"
    got=$?
    if [ $got -ne "$code" ] || ! grep -q -e "$pattern" "$folder/$stream"; then
        complain "daedal $*: exit code $got, expected $code and \"$pattern\" on std$stream; got:"
        head -c 2000 "$folder/out" "$folder/err"
    fi
}

# compare LIMIT A B: the columns that both tables have, row by row, relative to the largest value of the column
compare() {
    awk -F, -v limit="$1" '
        function clean(s) { gsub(/["\r]/, "", s); return s }
        FNR == 1 { file++; for (i = 1; i <= NF; i++) name[file, i] = clean($i); n[file] = NF; next }
        file == 1 { rows++; for (i = 1; i <= NF; i++) a[rows, name[1, i]] = $i; next }
        { r++; for (i = 1; i <= NF; i++) b[r, name[2, i]] = $i }
        END {
            for (i = 1; i <= n[1]; i++) {
                s = name[1, i]; if (!((1, s) in b)) continue
                most = 1
                for (k = 1; k <= rows; k++) { v = b[k, s] < 0 ? -b[k, s] : b[k, s]; if (v > most) most = v }
                for (k = 1; k <= rows && k <= r; k++) {
                    d = a[k, s] - b[k, s]; if (d < 0) d = -d
                    seen++; if (!(d <= limit * most)) { printf "%s, row %d: %s and %s\n", s, k, a[k, s], b[k, s]; exit 1 }
                }
            }
            if (seen < 20 || rows != r) { printf "%d rows and %d, %d values compared\n", rows, r, seen; exit 1 }
        }' "$2" "$3"
}

# steps FILE METHOD STEP STOP: the exported program takes the steps of simulate
steps() {
    local name
    rm -rf "$folder/c"
    "$daedal" export "$1" --c "$folder/c" --method "$2" --json >"$folder/out" 2>"$folder/err" || { complain "$1: not exported: $(cat "$folder/err")"; return; }
    grep -q '^{"status":"ok",.*"files":\[.*"main.c".*"functions":\[".*_residual".*"bytes":[0-9]*}$' "$folder/out" || complain "$1: JSON $(cat "$folder/out")"
    name=$(sed 's/.*"name":"\([^"]*\)".*/\1/' "$folder/out")
    # shellcheck disable=SC2086
    $compiler $flags -o "$folder/run" "$folder/c/$name.c" "$folder/c/main.c" -lm || { complain "$1: the code has warnings"; return; }
    "$folder/run" "$4" "$3" >"$folder/a.csv" || complain "$1: the program failed"
    "$daedal" simulate "$1" --method "$2" --step "$3" --stop "$4" --output "$folder/b.csv" >/dev/null 2>&1
    compare 1e-12 "$folder/a.csv" "$folder/b.csv" || complain "$1 --method $2: steps differ from simulate"
}

steps "$root/examples/planar_pendulum.mo" rk4 0.01 0.3
steps "$root/examples/slider_crank.mo" radau-3 0.01 0.2
steps "$root/examples/cstr.mo" gauss-2 0.01 0.2

# inputs from a table, a parameter that others follow, a condition
cat >"$folder/m.mo" <<'END'
model Driven
  parameter Real a = 2; parameter Real b = 3*a;
  input Real u(start = 1);
  Real x(start = 0, fixed = true);
equation
  der(x) = b*u - x;
end Driven;
END
printf 'time,u\n0,1\n0.5,0\n' >"$folder/u.csv"
"$daedal" export "$folder/m.mo" --c "$folder/d" --method rk4 >"$folder/out" || complain "Driven is not exported"
cmake -S "$folder/d" -B "$folder/d/build" >/dev/null && cmake --build "$folder/d/build" >/dev/null || complain "CMakeLists.txt does not work"
"$folder/d/build/Driven" 1 0.01 "$folder/u.csv" >"$folder/a.csv" || complain "Driven failed"
awk -F, 'END { x = 6*(exp(-0.5) - exp(-1)); d = $2 - x; exit !(d < 1e-9 && d > -1e-9) }' "$folder/a.csv" || complain "Driven ends at $(tail -1 "$folder/a.csv")"
"$folder/d/build/Driven" 1 0.01 "$folder/none.csv" >/dev/null 2>&1 && complain "a table that is not there is read"

# the folder: a second export into it, with a build in it; a failing write changes nothing; files of two exports
"$daedal" export "$folder/m.mo" --c "$folder/d" --method rk4 >/dev/null || complain "an export cannot be repeated"
rm -rf "$folder/new"
"$daedal" export "$folder/m.mo" --c "$folder/new" --fail-file-at 9 >/dev/null 2>&1 && complain "a write that fails is not noticed"
[ -e "$folder/new" ] && complain "a folder is half written"
ls "$folder"/new.tmp-* 2>/dev/null && complain "a temporary folder is left"
"$daedal" export "$folder/m.mo" --c "$folder/e" --method gauss-2 >/dev/null && cp "$folder/e/Driven.h" "$folder/d/"
$compiler -c -o "$folder/x.o" "$folder/d/Driven.c" 2>"$folder/err" && complain "files of two exports become one program"
grep -q 'different exports' "$folder/err" || complain "files of two exports: $(cat "$folder/err")"

expect 0 out '^  export ' help
expect 2 err 'either --c DIR or --fmu' export "$folder/m.mo"
expect 2 err 'either --c DIR or --fmu' export "$folder/m.mo" --c a --fmu b
expect 2 err 'fmi is 2 or 3' export "$folder/m.mo" --fmu "$folder/b.fmu" --fmi 1
expect 2 err 'there is no method "rk5"' export "$folder/m.mo" --c "$folder/f" --method rk5
expect 1 err 'is a file: name a folder' export "$folder/m.mo" --c "$folder/u.csv"
expect 1 out '"status":"io' export "$folder/m.mo" --c "$folder/u.csv" --json
expect 2 err 'is the model' export "$folder/m.mo" --c "$folder/m.mo"
[ -e "$folder/f" ] && complain "a refused export leaves a folder"
exit $failed
