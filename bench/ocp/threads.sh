#!/usr/bin/env bash
# Two threads against one: seconds of the clock that the solves of the larger problems take on 1600 intervals. Needs two
# cores that nothing else uses.
#
#   threads.sh DAEDAL [REPEATS]               default: 3 repeats in turn, medians are shown
export LC_ALL=C OPENBLAS_NUM_THREADS=1
daedal=$(realpath "$1")
repeats=${2:-3}
cd "$(dirname "$0")" || exit 1

# objective and seconds of the solve
run() {
    "$daedal" optimize "$1" --intervals "${N:-1600}" --degree 3 --control constant --threads "$2" --max-time 120 --json \
        2>/dev/null </dev/null |
        sed -n 's/.*"objective":\([^,]*\).*"seconds":{[^}]*"solve":\([^,}]*\).*/\1 \2/p'
}

printf '%-12s %10s %10s %8s\n' problem 'one [s]' 'two [s]' faster
while read -r name file; do
    one="" two=""
    for ((k = 0; k < repeats; k++)); do
        one+=$(run "$file" 1)$'\n'
        two+=$(run "$file" 2)$'\n'
    done
    middle=$(((repeats + 1) / 2))
    awk -v name="$name" -v a="$(sort -gk2 <<<"${one%$'\n'}" | sed -n ${middle}p)" \
        -v b="$(sort -gk2 <<<"${two%$'\n'}" | sed -n ${middle}p)" 'BEGIN {
            split(a, x, " "); split(b, y, " ")
            printf "%-12s %10.3f %10.3f %8.2f%s\n", name, x[2], y[2], x[2]/y[2], x[1] == y[1] ? "" : "   FAILED other digits"
            exit x[1] != y[1] }'
done <<'PROBLEMS'
chain-21 ../../tests/verify/ocp/mechanics/chain_mass3.mop
six-joint more/six_joint.mop
PROBLEMS
