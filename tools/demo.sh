#!/bin/sh
# Shows the main job: what a model is, how it moves, what is best. Usage: demo.sh PATH_OF_DAEDAL [FOLDER]
# Ends with the paths of three pages, in FOLDER (default: the folder demo beside the program).
cd "$(dirname "$0")/.." || exit 1
daedal=$1
pages=${2:-$(dirname "$daedal")/demo}
mkdir -p "$pages" || exit 1
pages=$(cd "$pages" && pwd)

show() {
    printf '\n$ daedal %s\n' "$*"
    "$daedal" "$@"
}

printf '$ cat examples/spherical_pendulum.mo\n'
cat examples/spherical_pendulum.mo
show check examples/spherical_pendulum.mo || exit 1
show check examples/mistakes/two_sources.mo
# pages: the pendulum, a delta robot that picks and places, the fastest swing-up of a cart and pole
if "$daedal" check --help | grep -q -- --report; then
    show check examples/spherical_pendulum.mo --report "$pages/pendulum.html" >/dev/null || exit 1
else
    show simulate examples/spherical_pendulum.mo --stop 10 --report "$pages/pendulum.html" || exit 1
fi
show control examples/control_delta.mop --report "$pages/delta_robot.html" || exit 1
show optimize examples/cart_pendulum.mop SwingUp --report "$pages/swing_up.html" || exit 1
printf '\nMore: README.md, examples/, docs/\n'
printf '\nThree pages to open in a browser:\n'
printf '  %s/%s\n' "$pages" pendulum.html "$pages" delta_robot.html "$pages" swing_up.html
