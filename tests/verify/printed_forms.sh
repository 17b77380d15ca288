#!/usr/bin/env bash
# check --reduced, --semi-explicit and --normal print models that run: the index is at most 1 (normal: an ODE, perhaps with
# assigned variables), and a simulation ends where that of the model ends. Usage: printed_forms.sh PATH_OF_DAEDAL [FILE...]
set -u
export LC_ALL=C
daedal=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
declare -A same=() none=()
all=
[ $# -gt 0 ] || {
    all=yes
    set -- "$here"/../../examples/*.mo "$here"/../corpus/check/*.mo "$here"/../wild/*.mo
}
# printed, the braces of this frame take longer to analyse again than a test may; the crank's fast modes need more digits
slow='mech_overbraced_large|flexible_crank'

complain() {
    echo "$1 --$2: $3"
    failed=$((failed + 1))
}

# a trajectory whose header has neither quotes, those of CSV or those of a listing, nor commas inside names
plain() {
    awk -v single="'" 'NR == 1 {
        text = ""; quoted = 0
        for (i = 1; i <= length($0); i++) {
            c = substr($0, i, 1)
            if (c == "\"") quoted = !quoted
            else if (c != single) text = text (quoted && c == "," ? ";" : c)
        }
        print text; next
    }
    { print }' "$1"
}

# the last rows of two trajectories agree, by the names of the first
agree() {
    plain "$1" >"$folder/a"
    plain "$2" >"$folder/b"
    awk -F, '
    NR == FNR { if (FNR == 1) { n = split($0, name) } else { split($0, value) } next }
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { last = $0 }
    END {
        split(last, other)
        for (i = 1; i <= n; i++) {
            if (!(name[i] in at)) { print name[i] " is missing"; exit 1 }
            a = value[i]; b = other[at[name[i]]]
            size = a < 0 ? -a : a; difference = a > b ? a - b : b - a
            if (difference > 1e-5 * (size > 1e-3 ? size : 1e-3)) { print name[i] ": " a " and " b; exit 1 }
        }
    }' "$folder/a" "$folder/b"
}

value() { # KEY: of the report
    grep -o "\"$1\":[^,}]*" "$folder/report" | head -n 1 | sed 's/.*://; s/"//g'
}

for file; do
    [[ $(basename "$file" .mo) =~ ^($slow)$ ]] && continue
    [ "$(stat -c %s "$file")" -le 20000 ] && "$daedal" check "$file" >/dev/null 2>&1 || continue
    rm -f "$folder/one.csv"
    "$daedal" simulate "$file" --stop 0.3 --points 3 --tol 1e-8 -o "$folder/one.csv" >/dev/null 2>&1 || rm -f "$folder/one.csv"
    for form in reduced semi-explicit normal; do
        if ! "$daedal" check "$file" --$form >"$folder/form.mo" 2>"$folder/err"; then
            none[$form]=$((${none[$form]:-0} + 1))
            grep -q 'form' "$folder/err" || complain "$file" $form "$(head -n 2 "$folder/err")"
            continue
        fi
        "$daedal" check "$folder/form.mo" --json >"$folder/report" 2>"$folder/err"
        index=$(value index)
        [ "$(value verdict)" = ok ] && [ "$index" -le 1 ] || { complain "$file" $form "index $index, $(value verdict)"; continue; }
        if [ $form = normal ]; then
            "$daedal" check "$folder/form.mo" 2>/dev/null | head -n 1 | grep -qE ': (an ODE|algebraic)' ||
                complain "$file" $form "is not an ODE"
        fi
        [ -f "$folder/one.csv" ] || continue
        if ! "$daedal" simulate "$folder/form.mo" --stop 0.3 --points 3 --tol 1e-8 -o "$folder/two.csv" >/dev/null 2>"$folder/err"; then
            complain "$file" $form "$(head -n 3 "$folder/err")"
        elif ! agree "$folder/one.csv" "$folder/two.csv" >"$folder/err"; then
            complain "$file" $form "$(cat "$folder/err")"
        else
            same[$form]=$((${same[$form]:-0} + 1))
        fi
    done
done
for form in reduced semi-explicit normal; do
    echo "$form: ${same[$form]:-0} end at the same values, ${none[$form]:-0} without this form"
    [ -z "$all" ] || [ "${same[$form]:-0}" -gt 200 ] || failed=$((failed + 1))
done
[ $failed -eq 0 ]
