#!/usr/bin/env bash
# Checks every model of tests/corpus/check and tests/corpus/flat against the expectations that stand in it as comments
# (see expect.awk).
# Usage: run.sh [--brief] PATH_OF_DAEDAL [FILE...]; with files only those, and what daedal said about failures in full.
# --brief: the expectations alone, without reading listings back and other surroundings.
set -u
here=$(cd "$(dirname "$0")" && pwd)
brief=0
if [ "$1" = --brief ]; then
    brief=1
    shift
fi
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
LC_ALL=C exec awk -v brief=$brief -v daedal="$daedal" -v verbose=$verbose -v corpus="$here" -f "$here/expect.awk" "$@"
