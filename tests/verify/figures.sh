#!/usr/bin/env bash
# Figures in docs/ are those of this program. Usage: figures.sh PATH_OF_DAEDAL
# - docs/comparison.md: the problems of bench/results/ocp.txt are solved again, with the options of bench/ocp/solvers.sh.
#   Rounding differs between processors and BLAS libraries: one iteration in ten may, and two of a short solve.
# - docs/export.md: the size of an exported controller; tests/verify/export_arm.sh measures those of its machine code.
set -u
export LC_ALL=C
failed=0
daedal=$(realpath "$1")
: "${DAEDAL_SOURCE:=$(realpath "$(dirname "$0")/../..")}"
record=$DAEDAL_SOURCE/bench/results/ocp.txt
found=$(SOLVERS=daedal REPEATS=1 bash "$DAEDAL_SOURCE/bench/ocp/solvers.sh" "$daedal")
awk '
    $3 != "daedal" { next }
    FNR == NR { recorded[$1] = $4; objective[$1] = $13; next }
    { now[$1] = $4; value[$1] = $13 }
    END {
        for (name in recorded) {
            n++
            room = recorded[name] > 20 ? recorded[name]/10 : 2
            off = now[name] - recorded[name]
            if (!(name in now) || off > room || -off > room) { printf "%s: %d iterations, the record has %d\n", name, now[name], recorded[name]; bad = 1 }
            off = value[name] - objective[name]
            if (off*off > 1e-12*(objective[name]^2)) { printf "%s: objective %s, the record has %s\n", name, value[name], objective[name]; bad = 1 }
        }
        print n " problems compared"
        exit bad || n < 11
    }' "$record" <(echo "$found") || failed=1

# in words of the page
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
"$daedal" export "$DAEDAL_SOURCE/examples/control_pendulum.mop" --c c --degree 3 >/dev/null || exit 1
claim="the source has $(awk -v n="$(wc -c <c/PendulumNMPC.c)" 'BEGIN { printf "%d", 10*int(n/1e4 + 0.5) }') kB"
[[ $(tr '\n' ' ' <"$DAEDAL_SOURCE/docs/export.md") == *"$claim"* ]] || { echo "docs/export.md does not say: $claim"; failed=1; }
exit $failed
