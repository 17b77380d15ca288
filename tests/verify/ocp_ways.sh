#!/usr/bin/env bash
# The same optimum by other ways: multiple shooting for collocation (ocp/shooting.sh), minimal coordinates for positions
# with constraints (ocp/twins.sh), and a simulation under the control that was written to a file (ocp/replay.sh).
folder=$(dirname "$0")/ocp
failed=0
for way in shooting twins replay; do
    echo "== $way"
    bash "$folder/$way.sh" "$1" || failed=1
done
exit $failed
