#!/usr/bin/env bash
# Time and memory of flattening and checking networks made of parts by `for`: an electrical ladder (a resistor and a capacitor
# each step, index 1), a row of tanks with pipes between them, and a plate of heat capacities in a grid. Usage: run.sh BUILD_FOLDER [most]
# `flatten` is `daedal check --flat`, which also writes the flat model; the last columns are seconds and bytes of the check
# per part, relative to 100 parts. Fails when 5000 parts take over 5 s or the growth from 1000 to 50000 is more than n^1.2.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$1
most=${2:-50000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${CC:-cc}" -O1 -o "$work/measure" "$here/../measure.c" || exit 1

printf '%-10s %7s %9s %9s %9s %9s %9s %9s\n' network parts unknowns flatten check MiB s/part B/part
# model, parts per N, exponent of N in the number of parts, index, degrees of freedom per part
while read -r model per power; do
    for parts in 10 100 1000 5000 50000; do
        [ $parts -le "$most" ] || continue
        n=$(awk -v parts=$parts -v per=$per -v power=$power 'BEGIN { printf "%d", int((parts/per)^(1/power) + 0.5) }')
        row="$model $parts"
        flat=$("$work/measure" /dev/null timeout 300 "$build/daedal" check --flat "$here/networks.mo" "Networks.$model" --set N=$n 2>"$work/err") &&
            check=$("$work/measure" "$work/out" timeout 300 "$build/daedal" check --json "$here/networks.mo" "Networks.$model" --set N=$n 2>"$work/err")
        if [ $? -ne 0 ] || ! grep -q '"index":1,.*"verdict":"ok"' "$work/out"; then
            echo "$model with $parts parts: $(head -n 3 "$work/err") $(head -c 200 "$work/out")"
            echo "$model $parts 0 0 1e9 0" >>"$work/table"
            continue
        fi
        unknowns=$(sed 's/.*"unknowns":\([0-9]*\).*/\1/' "$work/out")
        echo "$row $unknowns ${flat% *} $check" >>"$work/table"
        awk -v model=$model '$1 == model { if ($2 == 100) { s0 = $5/$2; b0 = $6/$2 } last = $0 }
            END { $0 = last; printf "%-10s %7d %9d %9.2f %9.2f %9.1f %9s %9s\n", $1, $2, $3, $4, $5, $6/2^20,
                  (s0 > 0 ? sprintf("%.2f", $5/$2/s0) : "-"), (b0 > 0 ? sprintf("%.2f", $6/$2/b0) : "-") }' "$work/table"
    done
done <<'MODELS'
Ladder 2 1
Tanks 2 1
Plate 3 2
MODELS
awk '
    $5 >= 1e9 { bad = 1 }
    $2 == 5000 && $5 > 5 { print "too slow: " $1 " with 5000 parts takes " $5 " s"; bad = 1 }
    $2 == 1000 { seconds[$1] = $5; bytes[$1] = $6 }
    $2 == 50000 && seconds[$1] > 0.05 && $5 > seconds[$1]*50^1.2 { print "too fast a growth of time: " $1; bad = 1 }
    $2 == 50000 && $6 > bytes[$1]*50^1.2 { print "too fast a growth of memory: " $1; bad = 1 }
    END { exit bad }' "$work/table"
