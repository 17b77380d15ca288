#!/usr/bin/env bash
# check --reduced, --semi-explicit, --normal: models of index 0 to 3 that run as their originals do (all models:
# tests/verify/printed_forms.sh), forms that do not exist, parameters that stay symbols. Usage: forms.sh PATH_OF_DAEDAL
set -u
daedal=$(realpath "$1")
root=${DAEDAL_SOURCE:-$(realpath "$(dirname "$0")/../..")}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$root" || exit 1
failed=0
bash tests/verify/printed_forms.sh "$daedal" examples/{spring_mass,cstr,spherical_pendulum,cart_pole}.mo tests/corpus/check/cancelling.mo || failed=1

expect() { # CODE PATTERN ARGS...: exit code, and what standard output or error say
    local code=$1 pattern=$2 got
    shift 2
    "$daedal" "$@" >"$folder/out" 2>&1
    got=$?
    if [ $got -ne "$code" ] || ! grep -qE -e "$pattern" "$folder/out"; then
        echo "daedal $*: exit code $got, expected $code and \"$pattern\"; got:"
        head -n 20 "$folder/out"
        failed=1
    fi
}

# the constraint differentiated twice, with the place it comes from and parameters as symbols
expect 0 '^  v\*v - 2\*lam\[1\]\*\(p\*p\)/m - p\[3\]\*g = 0 "from examples/spherical_pendulum.mo:9, differentiated twice";$' \
    check examples/spherical_pendulum.mo --semi-explicit
expect 0 '^  p\*v = 0 "from examples/spherical_pendulum.mo:9, differentiated once";$' check examples/spherical_pendulum.mo --reduced

# a printed model keeps its parameters: another length still gives a consistent start
"$daedal" check examples/spherical_pendulum.mo --reduced >"$folder/p.mo"
expect 0 'CONSISTENT|constraint_violation|"status":"ok"' simulate "$folder/p.mo" --json --stop 0.1 --set L=1.1

# z^5 + z = x cannot be solved for z
printf 'model Quintic\n  Real x(start = 1, fixed = true), z;\nequation\n  der(x) = -z;\n  z^5 + z = x;\nend Quintic;\n' >"$folder/q.mo"
expect 1 'there is no normal form in closed form: z remains' check "$folder/q.mo" --normal
expect 0 '^  z \+ z\^5 - x = 0|z\^5' check "$folder/q.mo" --semi-explicit
expect 1 'no reduced form' check examples/mistakes/two_sources.mo --reduced
expect 2 'choose one of' check examples/spring_mass.mo --reduced --normal
expect 2 'choose one of' check examples/spring_mass.mo --reduced --json
exit $failed
