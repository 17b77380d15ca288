#!/usr/bin/env bash
# What is installed can be used: by pkg-config with the shared and the static library, and by CMake's find_package.
set -euo pipefail
if grep -qE '^DAEDAL_(SANITIZE|COVERAGE):BOOL=ON' "$DAEDAL_BUILD/CMakeCache.txt"; then
    echo "instrumented libraries are not installed: skipped"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$DAEDAL_BUILD" --prefix "$folder/there" >/dev/null
mv "$folder/there" "$folder/moved" # what is installed does not remember where that was
prefix=$folder/moved

cat >"$folder/use.c" <<'END'
#include <stdio.h>

#include <daedal/context.h>
#include <daedal/version.h>

int main(void)
{
    dd_context *ctx;
    if (dd_context_new(&ctx, NULL) != DD_OK) {
        return 1;
    }
    dd_context_free(ctx);
    puts(dd_version());
    return 0;
}
END
version=$(sed -n 's/^#define DD_VERSION "\(.*\)"/\1/p' "$DAEDAL_SOURCE/include/daedal/version.h")
expect_version() { [ "$("$@")" = "$version" ] || { echo "$*: not version $version"; exit 1; }; }

"$prefix/bin/daedal" --version | grep -q "$version"
pc=$(dirname "$(find "$prefix" -name daedal.pc)")
export PKG_CONFIG_PATH=$pc
lib=$(pkg-config --variable=libdir daedal)

# shellcheck disable=SC2046
"$CC" -std=c17 $(pkg-config --cflags daedal) "$folder/use.c" $(pkg-config --libs daedal) -o "$folder/shared"
expect_version env LD_LIBRARY_PATH="$lib" "$folder/shared"
# shellcheck disable=SC2046
"$CC" -std=c17 $(pkg-config --cflags daedal) "$folder/use.c" "$lib/libdaedal.a" \
    $(pkg-config --libs --static daedal | sed 's/-ldaedal//') -o "$folder/static"
expect_version "$folder/static"

# only dd_* is visible from outside
if command -v nm >/dev/null; then
    others=$(nm -D --defined-only "$lib/libdaedal.so" | awk '$3 !~ /^dd_/' )
    [ -z "$others" ] || { echo "visible in libdaedal.so: $others"; exit 1; }
fi

cat >"$folder/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.21)
project(use C)
find_package(daedal 0.1 REQUIRED)
add_executable(use_shared use.c)
target_link_libraries(use_shared PRIVATE daedal::daedal)
add_executable(use_static use.c)
target_link_libraries(use_static PRIVATE daedal::daedal_static)
END
cmake -S "$folder" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" >"$folder/log" 2>&1 &&
    cmake --build "$folder/build" >>"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
expect_version "$folder/build/use_shared"
expect_version "$folder/build/use_static"
