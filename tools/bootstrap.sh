#!/bin/sh
# Makes sure that what the build needs is there: checks quickly, installs missing packages with apt-get (through sudo
# when not root), or says which ones are missing. A stamp in build/ makes later runs free. Usage: bootstrap.sh [--tools]
# With --tools also what `make lint` and the tests of pages use.
cd "$(dirname "$0")/.." || exit 1
stamp=build/.bootstrap
tools=no
[ "${1-}" = --tools ] && tools=yes && stamp=build/.bootstrap-tools
test -f "$stamp" && exit 0

have() { command -v "$1" >/dev/null 2>&1; }
compiler() { for c in ${CC:-} cc gcc clang; do if have "$c"; then echo "$c"; return; fi; done; }

# does a program that uses this header and this library link?
links() {
    cc=$(compiler)
    test -n "$cc" || return 1
    printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n%s\nint main(void){return 0;}\n' "$1" |
        "$cc" -x c - -I/usr/include/suitesparse $2 -o /dev/null >/dev/null 2>&1
}

new_enough_cmake() {
    have cmake || return 1
    cmake --version | awk 'NR == 1 { split($3, v, "."); exit !(v[1] > 3 || (v[1] == 3 && v[2] >= 21)) }'
}

missing_packages() {
    have make || echo make
    { test -n "$(compiler)" && links "#include <stdio.h>" "-lm"; } || echo gcc libc6-dev
    new_enough_cmake || echo cmake
    have pkg-config || echo pkg-config
    links "#include <klu.h>" "-lklu -lbtf -lamd -lcamd -lcolamd -lsuitesparseconfig" || echo libsuitesparse-dev
    links "" "-llapack" || echo liblapack-dev
    links "" "-lblas" || echo libblas-dev
    links "#include <cmocka.h>" "-lcmocka" || echo libcmocka-dev
}

# what is used where it is there
optional_packages() {
    { test -f /usr/include/coin/IpStdCInterface.h || test -f /usr/include/coin-or/IpStdCInterface.h; } ||
        echo coinor-libipopt-dev
    test $tools = yes || return
    for tool in clang-tidy clang-format cppcheck; do
        have $tool || echo $tool
    done
    # pages are tested in a browser
    for tool in chromium npm; do
        have $tool || echo $tool
    done
    have node || echo nodejs
}

list=$(missing_packages | tr '\n' ' ')
optional=$(optional_packages | tr '\n' ' ')
if [ -n "$list$optional" ]; then
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        if have sudo; then as_root=sudo; else as_root=none; fi
    fi
    if have apt-get && [ "$as_root" != none ]; then
        echo "Installing what is missing with apt-get: $list$optional"
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq || true
        for packages in "$list" "$optional"; do
            # shellcheck disable=SC2086
            test -z "$packages" ||
                $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages || true
        done
        list=$(missing_packages | tr '\n' ' ')
    fi
fi
if [ -n "$list" ]; then
    {
        echo "Daedal cannot be built yet. These packages (Debian and Ubuntu names) are missing:"
        echo
        echo "    $list"
        echo
        echo "Install them, for example:  sudo apt-get update && sudo apt-get install $list"
        echo "(CMake must be 3.21 or newer; elsewhere: SuiteSparse with KLU, LAPACK, BLAS, cmocka.)"
    } >&2
    exit 1
fi
mkdir -p build && : >"$stamp"
