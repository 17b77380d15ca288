#!/usr/bin/env bash
# Problems with kinks, first integrals and swings that last (ivp/further.txt) at the tolerances there and with several methods: the
# digits of the end values. Usage: ivp_further.sh PATH_OF_DAEDAL [problem ...]
set -u
here=$(cd "$(dirname "$0")/ivp" && pwd)
data=$here/further.txt
daedal=$1
shift
problems=${*:-$(awk '$1 == "problem" { print $2 }' "$data")}
failures=0

printf '%-13s %-7s %7s %7s %9s %8s  %s\n' problem method tol digits required steps verdict
for problem in $problems; do
    read -r stop factor methods < <(awk -v p="$problem" '$1 == "problem" && $2 == p { print $3, $4, $6 }' "$data")
    for method in ${methods//,/ }; do
        for tol in $(awk -v p="$problem" '$1 == "problem" { inside = $2 == p } inside && $1 == "require" { print $2 }' "$data"); do
            atol=()
            [ "$factor" = nominal ] || atol=(--atol "$(awk -v f="$factor" -v tol=$tol 'BEGIN { printf "%.17g", tol*f }')")
            result=$(timeout 100 "$daedal" simulate "$here/models/${problem%@*}.mo" --stop "$stop" --method "$method" --tol $tol "${atol[@]}" --json 2>/dev/null |
                awk -f "$here/digits.awk" -v data="$data" -v problem="$problem" -v tol=$tol) || failures=$((failures + 1))
            read -r digits required steps verdict <<<"$result"
            printf '%-13s %-7s %7s %7s %9s %8s  %s\n' "$problem" "$method" $tol "${digits:--}" "${required:--}" "${steps:--}" "${verdict:-failed}"
        done
    done
done

# e5 keeps y2 = y3 + y4 against rounding, and Newton's method its order: hardly any step is rejected.
rejected=$("$daedal" simulate "$here/models/e5.mo" --method radau --tol 1e-10 --atol 1e-32 --json | sed -n 's/.*"rejected":\([0-9]*\).*/\1/p')
if [ "${rejected:-99}" -gt 10 ]; then
    echo "e5 at 1e-10: ${rejected:-?} steps rejected"
    failures=$((failures + 1))
fi
# A change located beside a narrow bracket, far from the end of a long step: it once took millions of probes.
timeout 20 "$daedal" simulate "$here/models/water.mo" --method dop853 --tol 2e-4 --json >/dev/null || {
    echo 'water with dop853 at 2e-4 does not end'
    failures=$((failures + 1))
}
if [ $failures -gt 0 ]; then
    echo "$failures runs do not reach their digits"
    exit 1
fi
