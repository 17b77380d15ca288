#!/bin/sh
# Prints line coverage per file of src/ from the counters that a test run left in the given build folder.
# Usage: coverage.sh BUILD_FOLDER
set -eu
build=$1
if ! command -v gcov >/dev/null 2>&1; then
    echo "gcov was not found: no coverage table" >&2
    exit 1
fi
cd "$build"
find . -name '*.gcda' -path '*daedal_objects*' | LC_ALL=C sort | xargs gcov -n 2>/dev/null | awk '
    /^File / { file = $2; gsub(/\047/, "", file); sub(/^.*\/src\//, "", file); wanted = $0 ~ /\/src\// && $0 !~ /\.h\047$/ }
    /^Lines executed:/ && wanted {
        split($0, part, /[:% ]+/)
        percent = part[3]; lines = part[5]
        printf "%-36s %6.1f %% of %5d lines\n", file, percent, lines
        hit += percent / 100 * lines; all += lines; wanted = 0
    }
    END { if (all > 0) printf "%-36s %6.1f %% of %5d lines\n", "all", 100 * hit / all, all }'
