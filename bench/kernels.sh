#!/usr/bin/env bash
# Time of graph algorithms, sparse ranks, elaboration and Lagrange's equations on large inputs: the unit tests that
# build them, timed at full size (target full_size_programs). Fails when one takes more than two seconds of processor
# time. Usage: kernels.sh BUILD_FOLDER
set -u
build=$1
failed=0
printf '\n%s\n' 'kernels on large inputs (limit: 2 s each)'
for name in graph_colour graph_dm graph_match graph_assign graph_scc la_rank_sparse la_minnorm la_linsolver lang_elaborate mech_lagrange; do
    # the tests print "  what: seconds s" for each measured case
    program=$build/tests/full_$name
    [ -x "$program" ] || program=$build/tests/unit_$name
    if output=$(DAEDAL_TIMED=1 "$program" 2>&1); then
        grep -E '[0-9.]+ s($|,)' <<<"$output" | sed "s/^ */  $name: /"
    else
        echo "  $name: FAILED"
        grep -E 'ERROR|took' <<<"$output" | sed 's/^/    /'
        failed=1
    fi
done
exit $failed
