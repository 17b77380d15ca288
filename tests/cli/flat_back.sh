#!/usr/bin/env bash
# The flat listing of a model is a model: read back it has the same unknowns, equations, index, degrees of freedom, states and
# initial values. Every example, every model in the wild and the library's test models. Usage: flat_back.sh PATH_OF_DAEDAL [FILE...]
set -u
daedal=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
count=0
[ $# -gt 0 ] || set -- "$here"/../../examples/*.mo "$here"/../wild/*.mo "$here"/../parts/*.mo

# what must agree: everything but formulas, places and the quotes around a.b
facts() {
    sed -E "s/\\\\*'//g" "$1" | grep -o -E '"(kind|index|structural_index|unknowns|equations|dof|constraint_count|hidden_count|assigned_count|missing|excess|verdict)":[^,}]*|"(states|algebraic|given|free_choice)":\[("([^"\\]|\\.)*",?)*\]'
}

for file; do
    [ -f "$file" ] || continue
    "$daedal" check --json "$file" >"$folder/one" 2>"$folder/err"
    grep -q '"status":"ok"' "$folder/one" || continue # other tests say what is wrong with it
    count=$((count + 1))
    "$daedal" check --flat "$file" >"$folder/flat.mo" 2>"$folder/err"
    "$daedal" check --json "$folder/flat.mo" >"$folder/two" 2>"$folder/err"
    facts "$folder/one" >"$folder/facts1"
    facts "$folder/two" >"$folder/facts2"
    if ! cmp -s "$folder/facts1" "$folder/facts2"; then
        echo "$file: its flat listing is another model"
        diff "$folder/facts1" "$folder/facts2" | cut -c1-300 | head -n 6
        head -n 3 "$folder/err"
        failed=$((failed + 1))
    fi
done
echo "$count models, $failed failed"
[ $count -gt 0 ] && [ $failed -eq 0 ]
