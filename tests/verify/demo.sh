#!/usr/bin/env bash
# `make demo` ends with three pages that are there, and two of them move. Usage: demo.sh PATH_OF_DAEDAL
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sh "$here/tools/demo.sh" "$(realpath "$1")" "$folder" >"$folder/said" 2>&1 || { cat "$folder/said"; exit 1; }
pages=$(tail -n 3 "$folder/said" | sed 's/^ *//')
failed=0
for page in $pages; do
    grep -q '</html>' "$page" || { echo "$page is not a page"; failed=1; }
done
for name in delta_robot swing_up; do
    grep -q 'figure class="scene"' "$folder/$name.html" || { echo "nothing moves in $name.html"; failed=1; }
    grep -q 'class="film"' "$folder/$name.html" || { echo "$name.html has no film strip"; failed=1; }
done
[ "$(echo "$pages" | wc -l)" = 3 ] || { echo "three pages are expected"; failed=1; }
exit $failed
