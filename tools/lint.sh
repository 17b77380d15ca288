#!/bin/sh
# Format, layering, figures, cppcheck and clang-tidy over the sources. Usage: lint.sh BUILD_FOLDER (with compile_commands.json)
# clang-tidy runs on what the build compiles; a file whose preprocessed text was clean before is not looked at again
# (stamps in BUILD_FOLDER/lint). Its analyzer runs in the shallow mode, a quarter of the time; DEEP=1 runs it in full.
cd "$(dirname "$0")/.." || exit 1
build=$1
failed=0

have() { command -v "$1" >/dev/null 2>&1 || { echo "$1: not installed, skipped"; return 1; }; }
report() { if [ "$2" = 0 ]; then echo "$1: fine"; else echo "$1: see above"; failed=1; fi; }

sh tools/check_layering.sh
report layering $?
if have clang-format; then
    sh tools/sources.sh | xargs clang-format --dry-run -Werror
    report clang-format $?
fi
if have cppcheck; then
    # cppcheck does not know that _Noreturn functions do not return, so what follows "if (!p) raise" misleads it;
    # clang-tidy's analyzer looks for the same and does know
    cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 --enable=warning,performance,portability \
        --library=posix --suppress=missingIncludeSystem --suppress=nullPointerRedundantCheck \
        --suppress=nullPointerArithmeticRedundantCheck --suppress=ctunullpointer -j 2 -D_GNU_SOURCE -D__cppcheck__ -Iinclude -Isrc src
    report cppcheck $?
fi
if have clang-tidy; then
    find src -name '*.c' | LC_ALL=C sort | xargs -n 4 -P 2 sh tools/tidy.sh "$build"
    report clang-tidy $?
fi
exit $failed
