#!/usr/bin/env bash
# The static site of docs/: it is made, every page is in its contents, and no link leads nowhere (build.mjs checks that). Then
# a few things that must be on it: a page per package of lib/ with the units of parameters, coloured models, anchors.
# Skipped where Node.js or its package cannot be had.
set -u
: "${DAEDAL_SOURCE:=$(realpath "$(dirname "$0")/../..")}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

sh "$DAEDAL_SOURCE/tools/site/build.sh" "$folder/site" >"$folder/said" 2>&1
code=$?
cat "$folder/said"
[ $code = 0 ] || exit $code

expect() { # FILE TEXT
    grep -qF -- "$2" "$folder/site/$1" || { echo "$1 does not contain: $2"; failed=1; }
}
expect index.html '<a class="name" href="index.html">Daedal</a>'
expect parts-Daedal-Electrical.html '<td><code>R</code></td><td>Ohm</td><td><code>1</code></td><td>resistance</td>'
expect parts-Daedal-Mechanics.html '<td><code>m</code></td><td>kg</td>'
expect examples/spring_mass.html '<span class="keyword">lagrange</span>'
expect examples/spring_mass.html '<img src="spring_mass.svg"'
test -f "$folder/site/examples/spring_mass.svg" || { echo "a picture was not copied"; failed=1; }

# a broken link is found: a copy of the sources with one
mkdir "$folder/copy"
cp -r "$DAEDAL_SOURCE"/{README.md,ARCHITECTURE.md,CONTRIBUTING.md,LICENSE,docs,lib,examples,bench,include,src} "$folder/copy"
echo '[nowhere](nowhere.md) and [no heading](check.md#no-such-heading)' >>"$folder/copy/docs/check.md"
if node "$DAEDAL_SOURCE/tools/site/build.mjs" "$folder/copy" "$folder/broken" >"$folder/said" 2>&1; then
    echo "broken links were not found"
    failed=1
fi
grep -qF 'nowhere.md is not there' "$folder/said" || { echo "a missing page is not named"; failed=1; }
grep -qF 'no heading #no-such-heading' "$folder/said" || { echo "a missing heading is not named"; failed=1; }
exit $failed
