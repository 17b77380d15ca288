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
# model, equations per N, index, degrees of freedom per N
while read -r model per index dof; do
    for n in 1000 10000 100000; do
        [ $n -le "$most" ] || continue
        if ! result=$("$work/measure" "$work/out" timeout 300 "$daedal" check --json "$here/models/$model.mo" --set N=$((n / per)) 2>"$work/err"); then
            printf '%-26s %9d failed\n' $model $n
            sed 's/^/    /' "$work/err" | head -n 5
            echo "$model $n 1e9 0" >>"$work/table"
            continue
        fi
        if ! grep -q "\"index\":$index,.*\"certificate\":\"structural\".*\"dof\":$((n / per * dof))," "$work/out"; then
            echo "$model with $n equations: a wrong answer: $(head -c 200 "$work/out")"
            echo "$model $n 1e9 0" >>"$work/table"
        fi
        echo "$model $n $result" | tee -a "$work/table" | awk -v table="$work/table" '
            function cost(n) { return n*log(n)/log(2) }
            { while ((getline line < table) > 0) { split(line, f, " "); if (f[1] == $1 && !found) { found = 1; s0 = f[3]/cost(f[2]); b0 = f[4]/cost(f[2]) } }
              s = $3/cost($2); b = $4/cost($2)
              printf "%-26s %9d %9.2f %9.1f %12.2f %12.2f\n", $1, $2, $3, $4/1048576, (s0 > 0 ? s/s0 : 1), (b0 > 0 ? b/b0 : 1) }'
    done
done <<'MODELS'
rc_ladder 2 1 1
pendulum_chain 5 3 2
pendulum_chain_lagrange 5 3 2
MODELS
awk '
    function cost(n) { return n*log(n) }
    $2 == 100000 && ($3 > 5 || $4 > 2^30) { print "too much: " $1 " with 10^5 equations takes " $3 " s and " $4/2^20 " MiB"; bad = 1 }
    $3 >= 1e9 { bad = 1 }
    $2 == 10000 { seconds[$1] = $3 }
    $2 == 100000 && seconds[$1] > 0.05 && $3/cost(1e5) > 1.5*seconds[$1]/cost(1e4) { print "too fast a growth: " $1; bad = 1 }
    END { exit bad }' "$work/table"
bad=$?

# further measurements have folders of their own
for script in "$here"/*/run.sh; do
    printf '\n%s\n' "== $(basename "$(dirname "$script")")"
    bash "$script" "$(cd "$(dirname "$daedal")" && pwd)" || bad=1
done
exit $bad
