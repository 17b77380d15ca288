#!/usr/bin/env bash
# daedal optimize --consistency, rows that follow from constraints, and daedal check on an optimization class.
# Usage: optimize_boundary.sh PATH_OF_DAEDAL
set -u
daedal=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0
expect() { # NAME CODE PATTERN VERB ARGS...
    local name=$1 code=$2 pattern=$3
    shift 3
    "$daedal" "$@" >"$scratch/out" 2>&1
    local got=$?
    if [ $got -ne "$code" ] || ! grep -qE -e "$pattern" "$scratch/out"; then
        echo "$name: exit code $got, expected $code and \"$pattern\":"
        cat "$scratch/out"
        failures=$((failures + 1))
    fi
}
cat >"$scratch/m.mop" <<'M'
model Sphere
  parameter Real g = 9.81, L = 1;
  Real p[3](start = {0.6, 0, -0.8}, fixed = {true, true, false});
  Real v[3](start = {0, 0, 0}, fixed = {true, true, false}) = der(p), lam[1];
  input Real u[2];
equation
  lagrange(q = p, T = 0.5*(v*v), V = g*p[3], c = {p*p - L^2}, Q = {u[1], u[2], 0}, lambda = lam);
end Sphere;
optimization Full(objectiveIntegrand = u*u, finalTime = 2)
  extends Sphere;
constraint
  p(finalTime) = {0, 0, -1};
  v(finalTime) = {0, 0, 0};
end Full;
optimization Trap(objectiveIntegrand = u*u, finalTime = 2)
  extends Sphere;
constraint
  p[3](finalTime) = -1;
end Trap;
optimization Off(objectiveIntegrand = u*u, finalTime = 2)
  extends Sphere(u(min = {1, -1}, max = {-1, 1}));
constraint
  p(finalTime) = {0, 0, -2};
end Off;
optimization OffEnd(objectiveIntegrand = u*u, finalTime = 2)
  extends Sphere;
constraint
  p(finalTime) = {0, 0, -2};
end OffEnd;
optimization Design(objective = finalTime + L, objectiveIntegrand = u*u, finalTime(free = true, min = 0.5, max = 3))
  extends Sphere(L(free = true, min = 0.9, max = 2), v(fixed = {false, true, false}));
constraint
  p[1](finalTime) = 0;
end Design;
M
hidden='v\[3\]\(finalTime\) = 0: follows from the derivative of p\*p - L\^2 = 0: p\*v = 0'
expect "redundant rows" 0 'left out: p\[3\]\(finalTime\) = -1: follows from p\*p - L\^2 = 0 \(it holds to' \
    optimize "$scratch/m.mop" Full --intervals 20
expect "residuals" 0 "\"$hidden\"\],\"redundant_residuals\":\[-?[0-9.]+(e-[0-9]+)?,-?[0-9.]+(e-[0-9]+)?\]" \
    optimize "$scratch/m.mop" Full --intervals 20 --json
for where in start end none; do
    expect "consistency $where" 0 '"status":"optimal"' \
        optimize "$scratch/m.mop" Full --intervals 20 --json --consistency $where
done
expect "unknown place" 2 '\-\-consistency middle: expected one of' optimize "$scratch/m.mop" Full --consistency middle
expect "trap" 0 'p\[3\]\(finalTime\) = -1 touches p\*p - L\^2 = 0.*p\[1\]\(finalTime\) = 0 and p\[2\]\(finalTime\) = 0' \
    optimize "$scratch/m.mop" Trap --intervals 20
expect "check: sizes" 0 '"optimization":\{"variables":[0-9]+,"equalities":[0-9]+,"inequalities":2,"degrees_of_freedom":96,' \
    check "$scratch/m.mop" Full --json
expect "check: redundant" 0 "left out: $hidden" check "$scratch/m.mop" Full
expect "check: trap" 0 'trap: p\[3\]\(finalTime\) = -1 touches' check "$scratch/m.mop" Trap
expect "check: decided" 0 '"controls":\["u\[1\]","u\[2\]"\],"free_parameters":\["L"\],"free_times":\["finalTime"\]' \
    check "$scratch/m.mop" Design --json
expect "check: open" 0 '1 start values? that neither' check "$scratch/m.mop" Design
expect "check: bounds" 1 '"contradictory":\["u\[1\] has min = 1 above max = -1"\].*"reason":"u\[1\] has min' \
    check "$scratch/m.mop" Off --json
expect "check: contradiction" 1 'contradictory: p\[3\]\(finalTime\) = -2 contradicts p\*p - L\^2 = 0' \
    check "$scratch/m.mop" OffEnd
expect "check: the verdict is the model's" 1 '"verdict":"ok"' check "$scratch/m.mop" OffEnd --json
expect "check: a plain model" 0 'Sphere: a DAE of index 3' check "$scratch/m.mop" Sphere
# rows of lengths beside rows of speeds, ten thousand and a hundred million: no unit makes a contradiction
cat >"$scratch/units.mop" <<'M'
optimization Units(objectiveIntegrand = u*u, startTime = 0, finalTime = 3e-4)
  Real p[2](start = {1e4, 0}, fixed = {true, false}), v[2](start = {0, 0}, fixed = {false, true}), z;
  input Real u(min = -2e13, max = 2e13);
equation
  der(p) = v;
  der(v[1]) = u - z*p[1];
  der(v[2]) = -9.81e12 - z*p[2];
  p*p = 1e8;
constraint
  p[1](finalTime) = 0;
  p[2](finalTime) = 1e4;
  v[1](finalTime) = 0;
end Units;
M
expect "check: rows in far apart units" 0 '"redundant":\["p\[2\]\(finalTime\) = 1e4: follows from p\*p = 1e8",.*"contradictory":\[\]' \
    check "$scratch/units.mop" --json
exit $((failures > 0))
