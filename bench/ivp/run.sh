#!/usr/bin/env bash
# Builds and runs the initial-value benchmark. Usage: run.sh BUILD_FOLDER [options and problems of bench_ivp]
# SUNDIALS (IDA, CVODE) is used where it is installed. With DAEDAL_INSTALL_PEERS=1 its Debian package, about 1 GB with what
# it pulls in, is installed first.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
shift
export OPENBLAS_NUM_THREADS=1

have_sundials() { echo '#include <ida/ida.h>' | "${CC:-cc}" -E - >/dev/null 2>&1; }
if ! have_sundials; then
    if [ "${DAEDAL_INSTALL_PEERS:-0}" = 1 ] && command -v apt-get >/dev/null; then
        as_root=$([ "$(id -u)" -eq 0 ] || echo sudo)
        $as_root env DEBIAN_FRONTEND=noninteractive sh -c \
            'apt-get update -qq; apt-get install -y -qq --no-install-recommends libsundials-dev'
    fi
    have_sundials || echo "SUNDIALS is not installed (Debian: libsundials-dev; DAEDAL_INSTALL_PEERS=1 installs it): no peers in this run"
fi
cmake -S "$root" -B "$build" >/dev/null && cmake --build "$build" --target bench_ivp -j 2 >/dev/null || exit 1
program=$(cd "$build" && pwd)/bench/bench_ivp
cd "$root" && exec "$program" "$@"
