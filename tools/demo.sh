#!/bin/sh
# Shows the main job: what `daedal check` says about a few models. Usage: demo.sh PATH_OF_DAEDAL
cd "$(dirname "$0")/.." || exit 1
daedal=$1

show() {
    printf '\n$ daedal check %s\n' "$1"
    "$daedal" check "$1"
}

models=
for name in spherical_pendulum cart_pole rc_ladder; do
    test -f "examples/$name.mo" && models="$models examples/$name.mo"
done
test -n "$models" || models=$(ls examples/*.mo 2>/dev/null | head -n 3)
test -n "$models" || { echo "no models in examples/" >&2; exit 1; }

for model in $models; do
    if [ "$model" = examples/spherical_pendulum.mo ]; then
        printf '$ cat %s\n' "$model"
        cat "$model"
    fi
    show "$model" || exit 1
done
