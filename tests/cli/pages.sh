#!/usr/bin/env bash
# README.md and docs/*.md stay true: what they print is what happens. Usage: pages.sh PATH_OF_DAEDAL [--examples | --update [PAGE...]]
# With --examples those of docs/examples and docs/lectures (tests/verify/pages.sh), with --update all of them, or the PAGEs.
#
#   "    $ COMMAND"       is run, and the indented lines after it must be its output
#   ```modelica           after a line that ends with (`examples/NAME.mo`): must be that file;
#                         with (`NAME.mo`): is kept under that name for the commands after it;
#                         otherwise, when it is a whole class: must pass `daedal check`
#   ![..](NAME.svg)       is a file beside the page, and what a command of the page (--plot NAME.svg) draws
#   [..](FILE)            must be there
#
# The pages are written again with the real outputs and compared; --update puts the new ones in their place. Counts of steps,
# which may differ between processors, are not compared; numbers are, to the digits printed.
set -u
daedal=$(realpath "$1")
: "${DAEDAL_SOURCE:=$(realpath "$(dirname "$0")/../..")}"
update=${2:-}
chosen=()
for page in "${@:3}"; do
    chosen+=("$(realpath "$page")")
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/build" "$folder/run"
ln -s "$daedal" "$folder/build/daedal"
ln -s "$folder/build" "$folder/run/build"
ln -s "$DAEDAL_SOURCE/examples" "$folder/run/examples"
cd "$folder/run" || exit 1
export PATH=$folder/build:$PATH LC_ALL=C
failed=0
commands=0
models=0

run_command() {
    commands=$((commands + 1))
    bash -c "$1" 2>&1 </dev/null | sed 's/^\(.\)/    \1/'
}

# the lines of one block of model text are in $folder/block; $1 is the line before it
check_model() {
    models=$((models + 1))
    if [[ $1 =~ \(\`([A-Za-z0-9_/]+\.mop?)\`\) ]]; then
        local name=${BASH_REMATCH[1]}
        if [[ $name == examples/* ]]; then
            cat "$name"
            return
        fi
        cp "$folder/block" "$name"
    elif grep -qE '^end [A-Za-z0-9_]+;' "$folder/block"; then
        cp "$folder/block" block.mop
        grep -qE '^ *(model|optimization|block|package)' block.mop || echo 'model Beside Real x = 1; end Beside;' >>block.mop # a function alone
        if ! daedal check block.mop >"$folder/said" 2>&1; then
            { echo "$page: this block is refused:"; cat "$folder/block" "$folder/said"; } >&2
            echo "(see above)"
        fi
    fi
    cat "$folder/block"
}

blur() {
    awk '
    /[0-9] steps?[ ,(]|^ +[0-9]+ steps?$/ { sub(/ \([0-9]+ rejected\)/, ""); gsub(/[0-9]+/, "#") }
    { gsub(/radau(5|9|13)/, "radau#") }
    / constraints? (kept to|drifted by) / { sub(/[0-9]+e-?[0-9]+/, "#") }
    /trajectory in / { sub(/[0-9]+ rows?/, "# rows") }
    { print }'
}

# same OLD NEW: the same text, and numbers with a point agree to the digits printed: they differ by one in the last place at most.
# What is below 1e-6 and says so with an exponent is the size of an error: it agrees within a factor of ten.
same() {
    awk '
    function agree(a, b,    x, unit, point) {
        if (a == b) return 1
        x = a; sub(/e.*/, "", x); point = index(x, ".")
        unit = 10 ^ (point - length(x)) * (a ~ /e/ ? 10 ^ substr(a, index(a, "e") + 1) : 1)
        if (a ~ /e-/ && a + 0 < 1e-6) return b + 0 < 10 * a && 10 * b > a + 0
        return (a + 0 > b + 0 ? a - b : b - a) <= 1.01 * unit
    }
    function compare(a, b,    number, other) {
        while (match(a, /[0-9]+\.[0-9]+(e[-+]?[0-9]+)?/)) {
            number = substr(a, RSTART, RLENGTH); head = substr(a, 1, RSTART - 1); a = substr(a, RSTART + RLENGTH)
            if (!match(b, /[0-9]+\.[0-9]+(e[-+]?[0-9]+)?/)) return 0
            other = substr(b, RSTART, RLENGTH)
            if (head != substr(b, 1, RSTART - 1) || !agree(number, other)) return 0
            b = substr(b, RSTART + RLENGTH)
        }
        return a == b
    }
    NR == FNR { old[FNR] = $0; n = FNR; next }
    !compare(old[FNR], $0) { exit different = 1 }
    { m = FNR }
    END { exit different || n != m }' "$1" "$2"
}

rewrite() {
    local line state=text before=
    while IFS= read -r line || [ -n "$line" ]; do
        if [ $state = model ]; then
            if [ "$line" = '```' ]; then
                check_model "$before"
                state=text
            else
                printf '%s\n' "$line" >>"$folder/block"
                continue
            fi
        elif [ $state = output ]; then
            if [ -z "$line" ]; then
                continue
            fi
            if [[ $line == '    '* && $line != '    $ '* ]]; then
                continue
            fi
            printf '\n'
            state=text
        fi
        printf '%s\n' "$line"
        if [[ $line == '    $ '* ]]; then
            run_command "${line#'    $ '}"
            state=output
        elif [ "$line" = '```modelica' ]; then
            state=model
            : >"$folder/block"
        elif [ -n "$line" ]; then
            before=$line
        fi
    done
}

# Pictures without the points of their lines, whose last digit may differ.
shape() {
    sed 's/ d="[^"]*"/ /g' "$1"
}

# Are the pictures of this page those that its commands have drawn? With --update they are.
check_pictures() {
    local name kept
    for name in $(grep -o '!\[[^]]*\]([a-z0-9_]*\.svg)' "$page" | sed 's/.*(\(.*\))/\1/'); do
        kept=$(dirname "$page")/$name
        [ "$(basename "$page")" != README.md ] || [ ! -f "$kept" ] || continue # an overview
        if [ ! -f "$name" ]; then
            echo "$page shows $name, which none of its commands draws"
            failed=1
        elif [ "$update" = --update ]; then
            cmp -s "$kept" "$name" || { cp "$name" "$kept" && echo "updated $kept"; }
        elif ! cmp -s <(shape "$kept" 2>/dev/null) <(shape "$name"); then
            echo "$kept is not what the command of $page draws (\"make pictures\" draws them all anew)"
            failed=1
        fi
    done
    rm -f ./*.svg
}

# Do the files that a page links to exist?
check_links() {
    local name
    for name in $(grep -oE '\]\([A-Za-z0-9_/-]*[./][A-Za-z0-9_./-]*[)#]|src="[^":]+"' <(sed '/^```modelica/,/^```$/d' "$page") | sed 's/^](//; s/^src="//; s/[)#"]$//'); do
        if [ ! -e "$(dirname "$page")/$name" ]; then
            echo "$page links to $name, which is not there"
            failed=1
        fi
    done
}

# Pages that optimize are left alone where there is no solver.
can_run() {
    [ -n "$solver" ] || ! grep -q '^    \$ .*daedal optimize' "$1"
}

solver=yes
printf 'optimization O(objectiveIntegrand = u^2, finalTime = 1) Real x(start = 0, fixed = true); input Real u; equation der(x) = u; end O;\n' >solver.mop
daedal optimize solver.mop >"$folder/said" 2>&1 || solver=

manual=("$DAEDAL_SOURCE"/README.md "$DAEDAL_SOURCE"/docs/*.md)
examples=("$DAEDAL_SOURCE"/docs/examples/*.md "$DAEDAL_SOURCE"/docs/lectures/*.md)
case $update in
--update) pages=("${manual[@]}" "${examples[@]}") ;;
--examples) pages=("${examples[@]}") ;;
*) pages=("${manual[@]}") ;;
esac
[ ${#chosen[@]} = 0 ] || pages=("${chosen[@]}")
for page in "${pages[@]}"; do
    can_run "$page" || continue
    rewrite <"$page" >"$folder/page"
    blur <"$page" >"$folder/old"
    blur <"$folder/page" >"$folder/new"
    if [ "$update" = --update ]; then
        same "$folder/old" "$folder/new" || { cp "$folder/page" "$page" && echo "updated $page"; }
    elif ! same "$folder/old" "$folder/new"; then
        diff -u "$folder/old" "$folder/new"
        echo "$page does not print what happens (\"tests/cli/pages.sh build/daedal --update\" writes it anew)"
        failed=1
    fi
    check_pictures
    check_links
done
echo "$commands commands, $models models"
[ ${#chosen[@]} -gt 0 ] || { [ $commands -gt 3 ] && [ $models -gt 3 ]; } || failed=1
exit $failed
