#!/usr/bin/env bash
# Models as courses and textbooks write them run unchanged and end where they must (tests/wild/truth.py says why).
# Usage: wild.sh PATH_OF_DAEDAL
set -u
# shellcheck source=tests/cli/values.bash
. "$(dirname "$0")/values.bash"
compare "$(dirname "$0")/../wild"
complete *.mo
exit $failed
