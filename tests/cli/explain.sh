#!/usr/bin/env bash
# check --explain: as many differentiations as the index, in every format; models without an index, optimization classes.
# The formulas themselves: tests/unit/structure/test_explain.c. Usage: explain.sh PATH_OF_DAEDAL
set -u
export LC_ALL=C
daedal=$(realpath "$1")
cd "${DAEDAL_SOURCE:-$(dirname "$0")/../..}" || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
complain() {
    echo "$1"
    failed=1
}

for file in examples/{spring_mass,two_tanks,cstr,spherical_pendulum,overhead_crane,delta_robot}.mo; do
    "$daedal" check "$file" --explain --json >"$folder/json" 2>/dev/null || complain "$file: exit code"
    index=$(grep -o '"index":[0-9]*' "$folder/json" | head -n 1 | cut -d: -f2)
    steps=$(grep -o '"kind":"differentiate"' "$folder/json" | wc -l)
    [ "$index" = "$steps" ] || complain "$file: index $index, $steps differentiations in the JSON"
    [ "$(wc -l <"$folder/json")" = 1 ] || complain "$file: the JSON is not one line"
    for format in text markdown latex; do
        "$daedal" check "$file" --explain=$format >"$folder/out" 2>/dev/null || complain "$file: exit code with $format"
        steps=$(grep -cE '^(## |\\subsection\*\{)?[0-9]+\. .*[Dd]ifferentiation' "$folder/out")
        [ "$index" = "$steps" ] || complain "$file: index $index, $steps differentiations as $format"
        cp "$folder/out" "$folder/$format"
    done
    "$daedal" check "$file" --explain 2>/dev/null | cmp -s - "$folder/text" || complain "$file: --explain is not --explain=text"
    [ $(($(grep -o '\$\$' "$folder/markdown" | wc -l) % 2)) = 0 ] || complain "$file: formulas between \$\$ in Markdown"
    head -n 1 "$folder/latex" | grep -q '^\\documentclass' && tail -n 1 "$folder/latex" | grep -q '^\\end{document}$' ||
        complain "$file: LaTeX is not a document"
done

# the file must be one that a TeX compiles, where there is one
if command -v pdflatex >/dev/null; then
    (cd "$folder" && cp latex all.tex && pdflatex -halt-on-error -interaction=nonstopmode all.tex >/dev/null) || complain "pdflatex refuses"
fi

"$daedal" check examples/mistakes/two_sources.mo --explain >"$folder/out" 2>&1
[ $? -eq 1 ] && grep -q 'No reduction' "$folder/out" || complain "a model without an index"
"$daedal" check examples/forms.mo Nilpotent --explain --json 2>/dev/null | grep -q '"kind":"index"' || complain "a class of several"
printf 'optimization O(objectiveIntegrand = u^2, finalTime = 1) Real x(start = 0, fixed = true), z; input Real u; equation der(x) = u; z = 2*x; end O;\n' >"$folder/o.mop"
"$daedal" check "$folder/o.mop" --explain >"$folder/out" 2>&1 && grep -q '^1\. The equations' "$folder/out" || complain "an optimization class"
exit $failed
