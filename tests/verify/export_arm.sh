#!/usr/bin/env bash
# Exported C on a small target: compiled for a Cortex-M7 without a warning, its size and stack, and its results under qemu:
# steps of models against simulate, inputs of controllers against control. The table of docs/export.md has these sizes, to a tenth.
# Usage: export_arm.sh PATH_OF_DAEDAL
set -u
daedal=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
command -v arm-none-eabi-gcc >/dev/null || { echo "no arm-none-eabi-gcc (packages gcc-arm-none-eabi, libnewlib-arm-none-eabi): skipped"; exit 77; }
compile="arm-none-eabi-gcc -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16 -std=c99 -Os"
strict='-Wall -Wextra -Werror -Wdouble-promotion -Wconversion -pedantic'

compiler=${CC:-cc}
flags='-std=c99 -O1'
# shellcheck source=tests/cli/controllers.bash
. "$root/tests/cli/controllers.bash"

complain() { echo "$*"; failed=1; }

# build NAME WHAT OBJECT: the exported code in $folder/c for the target; prints its sizes. OBJECT: the static struct of main.c
build() {
    # shellcheck disable=SC2086
    $compile $strict -fcallgraph-info=su -c -o "$folder/model.o" "$folder/c/$1.c" || { complain "$1: warnings"; return 1; }
    # shellcheck disable=SC2086
    $compile -I"$folder/c" --specs=rdimon.specs -T "$root/tests/arm/mps2.ld" -o "$folder/run.elf" \
        "$folder/model.o" "$folder/c/main.c" "$root/tests/arm/start.c" -lm 2>"$folder/err" || { complain "$1: not linked: $(head -3 "$folder/err")"; return 1; }
    local code stack struct
    code=$(arm-none-eabi-size "$folder/model.o" | awk 'NR == 2 { print $1 + $2 }')
    stack=$(deepest "$folder/model.ci")
    struct=$(($(arm-none-eabi-nm -S "$folder/run.elf" | awk -v name="$3" '$4 == name { print "0x" $2 }')))
    arm-none-eabi-size "$folder/model.o" | awk 'NR == 2 { exit $2 + $3 > 0 }' || complain "$1: variables outside the struct"
    printf '%s %s: %s bytes of code and tables, stack %s bytes, struct %s bytes\n' "$1" "$2" "$code" "$stack" "$struct"
    documented "$1" "$2" "$code" "$stack" "$struct"
    command -v qemu-system-arm >/dev/null || { echo "no qemu-system-arm: not run"; return 1; }
}

# deepest FILE: the largest sum of frames along calls, without those of libm; -1: calls go in a circle, or a frame has no limit
deepest() {
    awk '
        function below(f, i, n, most, list) {
            if (f in sum) return sum[f]
            if (f in open) { endless = 1; return 0 }
            open[f] = 1
            n = split(calls[f], list, " ")
            for (i = 1; i <= n; i++) if (below(list[i]) > most) most = below(list[i])
            delete open[f]
            return sum[f] = most + frame[f]
        }
        /^node:/ { split($0, part, "\""); n = split(part[4], line, "\\\\n"); frame[part[2]] = line[n] + 0; if (part[4] ~ /dynamic/ && part[4] !~ /bounded/) endless = 1 }
        /^edge:/ { split($0, part, "\""); calls[part[2]] = calls[part[2]] " " part[4] }
        END { for (f in frame) if (below(f) > most) most = below(f); print endless ? -1 : most }' "$1"
}

# documented NAME WHAT CODE STACK STRUCT: the row of the table, if there is one, has these numbers
documented() {
    grep "^| \`$1\`, $2 " "$root/docs/export.md" | awk -F'|' -v name="$1 $2" -v code="$3" -v stack="$4" -v memory="$5" '
        function off(said, is, d) { sub(/^ */, "", said); d = said * (said ~ /kB/ ? 1000 : 1) / is - 1; return d > 0.1 || d < -0.1 }
        { rows++; bad = off($3, code) || off($4, stack) || off($5, memory) }
        END { if (rows > 0 && bad) { print name ": docs/export.md says otherwise"; exit 1 } if (rows > 0) print "    as documented" }' || failed=1
}

# on_target: runs the program there, from standard input to standard output
on_target() {
    timeout 120 qemu-system-arm -M mps2-an500 -nographic -monitor none -semihosting -kernel "$folder/run.elf" 2>"$folder/err" | tr -d '\r'
    [ "${PIPESTATUS[0]}" -eq 0 ]
}

# target FILE METHOD: sizes, and the table that the program prints
target() {
    local name
    rm -rf "$folder/c"
    "$daedal" export "$1" --c "$folder/c" --method "$2" --step 0.01 --json >"$folder/out" 2>/dev/null || { complain "$1 is not exported"; return; }
    name=$(sed 's/.*"name":"\([^"]*\)".*/\1/' "$folder/out")
    build "$name" "$2" model || return
    on_target </dev/null >"$folder/a.csv" || { complain "$1: the program failed: $(head -3 "$folder/err")"; return; }
    "$daedal" simulate "$1" --method "$2" --step 0.01 --stop 1 --output "$folder/b.csv" >/dev/null 2>&1
    awk -F, '
        FNR == 1 { file++; for (i = 1; i <= NF; i++) { gsub(/["\r]/, "", $i); name[file, i] = $i }; n = NF; next }
        file == 1 { rows++; for (i = 1; i <= NF; i++) a[rows, name[1, i]] = $i; next }
        { r++; for (i = 1; i <= NF; i++) { v = $i; s = name[2, i]
            if (!((r, s) in a)) continue
            d = a[r, s] - v; if (d < 0) d = -d; if (v < 0) v = -v
            seen++; if (!(d <= 1e-11 * (1 + v))) { printf "%s, row %d: %s and %s\n", s, r, a[r, s], $i; exit 1 } } }
        END { if (seen < 100 || rows != r) { printf "%d values of %d and %d rows\n", seen, rows, r; exit 1 } }' \
        "$folder/a.csv" "$folder/b.csv" || complain "$1 on the target differs from simulate"
}

# controls FILE CLASS MODE LIMIT OPTIONS...: the controller here and on the target, for the same measurements
controls() {
    controller "$@"
    build "$2" "$3" controller || return
    on_target <"$folder/y.csv" >"$folder/a.csv" || { complain "$2: the program failed: $(head -3 "$folder/err")"; return; }
    same_inputs "$4" "$folder/a.csv" "$folder/expected.csv" || complain "$2, $3: the inputs on the target differ from those of daedal control"
}

# estimates FILE CLASS MODE LIMIT STOP: a controller with an estimator, here and on the target
estimates() {
    estimator "$1" "$2" "$3" "$4" "$5" 0.2
    build "$2" "$3" controller || return
    on_target <"$folder/loop.csv" >"$folder/a.csv" || { complain "$2: the program failed: $(head -3 "$folder/err")"; return; }
    same_samples "$4" "$folder/a.csv" "$folder/loop.csv" || complain "$2, $3: inputs and estimates on the target differ from those of the library"
}

target "$root/examples/planar_pendulum.mo" rk4
target "$root/examples/cart_pole.mo" radau-3
target "$root/examples/spherical_pendulum.mo" gauss-2
controls "$root/examples/control_pendulum.mop" PendulumNMPC rti 1e-9 --stop 1
controls "$root/examples/control_pendulum.mop" PendulumNMPC converge 1e-7 --stop 1
controls "$root/examples/control_delta.mop" PickAndPlace rti 1e-9 --stop 0.25
estimates "$root/examples/control_cstr.mop" ReactorNMPC rti 1e-9 6
estimates "$root/examples/control_cstr.mop" ReactorNMPC converge 1e-7 6
[ "$(grep -c '^| `[A-Za-z]*`, [a-z0-9-]* |.* kB |' "$root/docs/export.md")" -ge 4 ] || complain "docs/export.md has no table of sizes"
exit $failed
