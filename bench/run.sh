#!/usr/bin/env bash
# Time and memory of `daedal check` on models that grow: 10^3, 10^4 and 10^5 equations. Usage: run.sh PATH_OF_DAEDAL [most]
# The last columns are user CPU seconds and bytes per n log2 n, relative to the smallest size of the model: a method of
# order n log n keeps them at or below 1, up to start-up costs. Fails when 10^5 equations take over 5 s or 1 GiB, or when the
# growth from 10^4 to 10^5 is faster than n log n by more than half.
set -u
here=$(cd "$(dirname "$0")" && pwd)
daedal=$1
most=${2:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${CC:-cc}" -O1 -o "$work/measure" "$here/measure.c" || exit 1

printf '%-26s %9s %9s %9s %12s %12s\n' model equations seconds MiB 's/(n log n)' 'B/(n log n)'
for row in rc_ladder:2 pendulum_chain:5 pendulum_chain_lagrange:5; do
    model=${row%:*}
    per=${row#*:}
    for n in 1000 10000 100000; do
        [ $n -le "$most" ] || continue
        if ! result=$("$work/measure" timeout 300 "$daedal" check "$here/models/$model.mo" --set N=$((n / per)) 2>"$work/err"); then
            printf '%-26s %9d failed\n' $model $n
            sed 's/^/    /' "$work/err" | head -n 5
            echo "$model $n 1e9 0" >>"$work/table"
            continue
        fi
        echo "$model $n $result" | tee -a "$work/table" | awk -v table="$work/table" '
            function cost(n) { return n*log(n)/log(2) }
            { while ((getline line < table) > 0) { split(line, f, " "); if (f[1] == $1 && !found) { found = 1; s0 = f[3]/cost(f[2]); b0 = f[4]/cost(f[2]) } }
              s = $3/cost($2); b = $4/cost($2)
              printf "%-26s %9d %9.2f %9.1f %12.2f %12.2f\n", $1, $2, $3, $4/1048576, (s0 > 0 ? s/s0 : 1), (b0 > 0 ? b/b0 : 1) }'
    done
done
awk '
    function cost(n) { return n*log(n) }
    $2 == 100000 && ($3 > 5 || $4 > 2^30) { print "too much: " $1 " with 10^5 equations takes " $3 " s and " $4/2^20 " MiB"; bad = 1 }
    $2 == 10000 { seconds[$1] = $3 }
    $2 == 100000 && seconds[$1] > 0.05 && $3/cost(1e5) > 1.5*seconds[$1]/cost(1e4) { print "too fast a growth: " $1; bad = 1 }
    END { exit bad }' "$work/table"
