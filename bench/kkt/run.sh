#!/usr/bin/env bash
# Linear systems of an interior-point iteration: microseconds of CPU of a factorisation and of a solve on shapes of optimal
# control. Usage: run.sh BUILD_FOLDER [INTERVALS]
set -eu
"$1/bench/bench_kkt" "${2:-100}"
