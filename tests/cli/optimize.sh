#!/usr/bin/env bash
# daedal optimize where there is nothing to solve: a model that has no solution, no optimization class. Usage: optimize.sh PATH_OF_DAEDAL
set -u
daedal=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0
expect() { # NAME CODE PATTERN ARGS...
    local name=$1 code=$2 pattern=$3
    shift 3
    "$daedal" optimize "$@" >"$scratch/out" 2>&1
    local got=$?
    if [ $got -ne "$code" ] || ! grep -q "$pattern" "$scratch/out"; then
        echo "$name: exit code $got, expected $code and \"$pattern\":"
        cat "$scratch/out"
        failures=$((failures + 1))
    fi
}
cat >"$scratch/singular.mop" <<'M'
model S
  Real x(start = 1, fixed = true), y;
  input Real u;
equation
  der(x) = u;
  x + y = 1;
  x + y = 2;
end S;
optimization O(objectiveIntegrand = u^2, finalTime = 1) extends S; end O;
M
cat >"$scratch/plain.mo" <<'M'
model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;
M
cat >"$scratch/contradiction.mop" <<'M'
model M
  Real x(start = 1, fixed = true);
  input Real u(min = -100, max = 100);
equation
  der(x) = u;
end M;
optimization O(objectiveIntegrand = u^2, finalTime = 1) extends M;
constraint
  x(finalTime) = 1;
  x(finalTime) = 2;
end O;
M
expect "singular model" 1 "invalid_model: .*over-determined" "$scratch/singular.mop"
expect "plain model" 2 "is a model, not an .optimization." "$scratch/plain.mo"
expect "contradictory rows" 1 "infeasible: x(finalTime) = 2 contradicts x(finalTime) = 1" "$scratch/contradiction.mop"
expect "unknown control" 2 "expected one of" "$scratch/contradiction.mop" --control cubic
expect "unknown solver" 2 "expected one of daedal, ipopt" "$scratch/contradiction.mop" --solver snopt
expect "unknown stabilization" 2 "expected one of none, baumgarte" "$scratch/contradiction.mop" --stabilize dummy
expect "alpha alone" 2 "belongs to --stabilize baumgarte" "$scratch/contradiction.mop" --alpha 2
expect "no rate" 2 "expected a positive number" "$scratch/contradiction.mop" --stabilize baumgarte --alpha 0
# a solver asked for by its name that is not here is refused before anything is done
"$daedal" optimize --solver ipopt "$scratch/contradiction.mop" >"$scratch/out" 2>&1
if [ $? -eq 2 ]; then
    expect "solver that is not here" 2 "built without ipopt\\|libipopt" "$scratch/contradiction.mop" --solver ipopt
else
    expect "solver ipopt" 1 "infeasible: x(finalTime)" "$scratch/contradiction.mop" --solver ipopt
fi
expect "solver daedal" 1 "infeasible: x(finalTime)" "$scratch/contradiction.mop" --solver daedal
exit $((failures > 0))
