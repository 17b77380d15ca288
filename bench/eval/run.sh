#!/usr/bin/env bash
# What the evaluation of models costs. Usage: run.sh BUILD_FOLDER
# First table: five models of different size against the same functions as C, compiled with gcc -O2 (see bench_eval.c for
# the bounds that are checked). Second table: compiling and evaluating models of 10^3 to 10^5 equations.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$1
models=$here/../models
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --build "$build" --target bench_eval >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
bad=0
"$build/bench/bench_eval" "$work" "$models/vanderpol.mo" "$models/hires.mo" "$models/ring_modulator.mo" \
    "$here/../../examples/delta_robot.mo" "$models/fekete.mo,N=6" || bad=1
echo
"$build/bench/bench_eval" --large "$models/rc_ladder.mo,N=500" "$models/rc_ladder.mo,N=5000" "$models/rc_ladder.mo,N=50000" \
    "$models/pendulum_chain.mo,N=200" "$models/pendulum_chain.mo,N=2000" "$models/pendulum_chain.mo,N=20000" || bad=1
exit $bad
