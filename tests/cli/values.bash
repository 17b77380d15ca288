# Models with the values they end with. Source it with the path of daedal in $1, then: compare FOLDER.
#
# FOLDER/expected.txt has a line `run FILE MODEL [OPTIONS]` per simulation, after it a line `NAME VALUE TOLERANCE` per value;
# the tolerance is relative to max(1, |VALUE|).
daedal=$(realpath "$1")
export LC_ALL=C
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

simulate() {
    timeout 60 "$daedal" simulate --json --quiet --tol 1e-10 "$@" >"$work/out" 2>"$work/err" </dev/null || {
        echo "$*: $(head -c 600 "$work/err")$(head -c 300 "$work/out")"
        failed=1
        : >"$work/out"
        return 1
    }
    # "name":number pairs, one a line, those of "final" only
    sed -e 's/.*"final":{\([^}]*\)}.*/\1/' "$work/out" | tr -d '"' | sed 's/,\([^0-9]\)/\n\1/g' >"$work/final"
}

compare() {
    local word name value rest ok=1 what=
    cd "$1" || exit 1
    while read -r word name value rest; do
        case $word in
        '' | '#'*) ;;
        run)
            what="$name $value"
            # shellcheck disable=SC2086
            simulate "$name" "$value" $rest
            ok=$?
            ;;
        *)
            [ $ok -eq 0 ] || continue
            awk -v key="$word" -v b="$name" -v tol="$value" '
                { k = $0; sub(/:[^:]*$/, "", k); v = $0; sub(/^.*:/, "", v); if (k == key) { a = v; found = 1 } }
                END {
                    if (!found) { print "not there"; exit 1 }
                    d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b; if (s < 1) s = 1
                    if (a == "null" || !(d <= tol*s)) { printf "%.15g instead of %.15g\n", a, b; exit 1 }
                }' "$work/final" >"$work/verdict" || {
                echo "$what: $word is $(cat "$work/verdict")"
                failed=1
            }
            ;;
        esac
    done <expected.txt
}

# every model file of the folder is run
complete() {
    local file
    for file in "$@"; do
        grep -q "^run $file " expected.txt || { echo "$file is not tested"; failed=1; }
    done
}
