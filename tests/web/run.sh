#!/usr/bin/env bash
# Pages in headless Chromium: they load, zoom, tell values, print; markup in a model cannot run. Usage: run.sh PATH_OF_DAEDAL
# Skipped (77) where Chromium, node, npm or the driver of the browser (package-lock.json) are missing. Screenshots are left in
# $DAEDAL_BUILD/web-tests.
set -u
daedal=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
: "${DAEDAL_BUILD:=$(dirname "$daedal")}"
folder=$DAEDAL_BUILD/web-tests

skip() {
    echo "skipped: $*"
    exit 77
}

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    skip "there is no Chromium (package chromium)"
command -v node >/dev/null && command -v npm >/dev/null || skip "there is no node or npm (packages nodejs, npm)"
mkdir -p "$folder" && cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$folder" || exit 1
cmp -s "$folder/package-lock.json" "$folder/installed-lock.json" ||
    { (cd "$folder" && npm ci --ignore-scripts --silent) >"$folder/npm.log" 2>&1 &&
        cp "$folder/package-lock.json" "$folder/installed-lock.json"; } ||
    skip "the driver of the browser could not be fetched: $(tail -n 1 "$folder/npm.log")"
grep -q 'uPlot.js' "$DAEDAL_BUILD/web_files.c" || skip "this program was built without uPlot"

cp "$here"/*.mjs "$folder" && cd "$folder" || exit 1
DAEDAL=$daedal BROWSER=$browser DAEDAL_SOURCE=${DAEDAL_SOURCE:-$(realpath "$here/../..")} timeout 900 node --test --test-concurrency=1 ./*.test.mjs
