#!/bin/sh
# Shows the main job: what a model is, and how it moves. Usage: demo.sh PATH_OF_DAEDAL
cd "$(dirname "$0")/.." || exit 1
daedal=$1

show() {
    printf '\n$ daedal %s\n' "$*"
    "$daedal" "$@"
}

printf '$ cat examples/spherical_pendulum.mo\n'
cat examples/spherical_pendulum.mo
show check examples/spherical_pendulum.mo || exit 1
show simulate examples/spherical_pendulum.mo --stop 10 || exit 1
show check examples/cart_pole.mo || exit 1
show check examples/mistakes/two_sources.mo
printf '\nMore: README.md, examples/, docs/\n'
