#!/usr/bin/env bash
# Every initial-value problem at four tolerances: the digits of the end values against reference.txt.
# Usage: digits.sh PATH_OF_DAEDAL [problem ...]; the exit code is 0 when all reach what they must.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=${DAEDAL_SOURCE:-$(cd "$here/../../.." && pwd)}
data=$root/tests/verify/ivp/reference.txt
daedal=$1
shift
problems=${*:-$(awk '$1 == "problem" { print $2 }' "$data")}
failures=0

printf '%-9s %7s %7s %9s %8s  %s\n' problem tol digits required steps verdict
for problem in $problems; do
    for tol in 1e-4 1e-6 1e-8 1e-10; do
        atol=$(awk -v p="$problem" -v tol=$tol '$1 == "problem" && $2 == p { printf "%.17g", tol*$4 }' "$data")
        result=$(timeout 300 "$daedal" simulate "$root/bench/models/ivp/$problem.mo" --tol $tol --atol "$atol" --json 2>/dev/null |
            awk -f "$here/digits.awk" -v data="$data" -v problem="$problem" -v tol=$tol) || failures=$((failures + 1))
        read -r digits required steps verdict <<<"$result"
        printf '%-9s %7s %7s %9s %8s  %s\n' "$problem" $tol "${digits:--}" "${required:--}" "${steps:--}" "${verdict:-failed}"
    done
done
if [ $failures -gt 0 ]; then
    echo "$failures runs do not reach their digits"
    exit 1
fi
