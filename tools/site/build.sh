#!/bin/sh
# docs/ as a static site, with the C interface from the headers where Doxygen is installed. Usage: build.sh OUTPUT_FOLDER
# Needs Node.js; the one package it uses (marked) is installed beside this script, in the version of package-lock.json.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
mkdir -p "$1"
output=$(cd "$1" && pwd)
if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
    echo "the site needs Node.js and npm (Debian: apt-get install nodejs npm)" >&2
    exit 77
fi
if [ ! -d "$here/node_modules/marked" ]; then
    (cd "$here" && npm ci --ignore-scripts --silent) || {
        echo "npm could not install marked, which turns Markdown into HTML" >&2
        exit 77
    }
fi
if command -v doxygen >/dev/null 2>&1; then
    {
        cat "$here/Doxyfile"
        echo "INPUT = $source/include/daedal"
        echo "OUTPUT_DIRECTORY = $output"
        echo "HTML_OUTPUT = api"
        echo "FILTER_PATTERNS = *.h=\"awk -f $here/doxygen_filter.awk\""
    } | doxygen - >/dev/null
else
    echo "doxygen is not installed: the site has no pages of the C interface" >&2
fi
node "$here/build.mjs" "$source" "$output"
