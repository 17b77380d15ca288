#!/usr/bin/env bash
# The parts of lib/Daedal against closed forms (tests/parts/truth.py says which). Usage: parts.sh PATH_OF_DAEDAL
set -u
# shellcheck source=tests/cli/values.bash
. "$(dirname "$0")/values.bash"
compare "$(dirname "$0")/../parts"
complete *.mo
exit $failed
