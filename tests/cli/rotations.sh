#!/usr/bin/env bash
# Functions of Daedal.Rotations: identities along a motion hold to rounding at every step. Usage: rotations.sh PATH_OF_DAEDAL
set -u
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
"$1" simulate "$here/rotations.mo" --stop 2 --tol 1e-12 --points 40 -o "$scratch/rows.csv" >"$scratch/out" 2>&1 || {
    cat "$scratch/out"
    exit 1
}
# names of two subscripts are quoted and hold a comma
LC_ALL=C awk '
    NR == 1 {
        while (match($0, /^("[^"]*"|[^,]*)(,|$)/)) {
            name[++n] = substr($0, 1, RLENGTH); sub(/,$/, "", name[n]); gsub(/"/, "", name[n])
            $0 = substr($0, RLENGTH + 1)
            if ($0 == "") break
        }
        next
    }
    {
        split($0, value, ",")
        for (i = 1; i <= n; i++) if (name[i] ~ /^e[A-Z]/) {
            checked++
            if (!(value[i] < 1e-11 && value[i] > -1e-11)) { print name[i] " = " value[i] " at time " value[1]; failed++ }
        }
    }
    END { print checked " values, " failed + 0 " not zero"; exit failed > 0 || checked < 3000 }' "$scratch/rows.csv"
