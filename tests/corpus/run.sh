#!/usr/bin/env bash
# Checks every model of tests/corpus/check and tests/corpus/flat against the expectations that stand in it as comments
# (see expect.awk).
# Usage: run.sh PATH_OF_DAEDAL [FILE...]; with files only those, and what daedal said about failures in full.
set -u
here=$(cd "$(dirname "$0")" && pwd)
daedal=$1
shift
case $daedal in */*) daedal=$(cd "$(dirname "$daedal")" && pwd)/$(basename "$daedal") ;; esac
verbose=0
if [ $# -gt 0 ]; then
    verbose=1
else
    cd "$here" || exit 1
    set -- check/*.mo check/*.mop flat/*.mo flat/*.bmo
fi
LC_ALL=C exec awk -v daedal="$daedal" -v verbose=$verbose -v corpus="$here" -f "$here/expect.awk" "$@"
