#!/usr/bin/env bash
# The tables of docs/comparison.md are those of the records in bench/results, rounded. Rows that differ are printed as they
# should be. Usage: figures.sh PATH_OF_DAEDAL (not used: nothing is measured here; tests/verify/figures.sh does)
set -u
: "${DAEDAL_SOURCE:=$(realpath "$(dirname "$0")/../..")}"
cd "$DAEDAL_SOURCE" || exit 1
page=docs/comparison.md
export LC_ALL=C
expected=$(mktemp)
trap 'rm -f "$expected"' EXIT

# two digits, as the tables have them; a time of at least ten without a point
awk '!/^#/ { print "| " $1 " | " $2 " | " ($3 == "-" ? "" : $3 " ") "|" }' bench/results/ivp.txt >>"$expected"

# iterations of both solvers and the factor, two problems in a row of the table
awk '
    BEGIN {
        names = "a=van der Pol (`a`)|goddard=goddard|b=cart-pole swing-up (`b`)|shuttle=shuttle re-entry|" \
            "c=3D pendulum, index 3 (`c`)|rayleigh=rayleigh|c-full=the same with redundant rows (`c-full`)|" \
            "hypersensitive=hypersensitive|crane=crane, index 3|catalyst=catalyst mixing|robot-arm=robot arm|="
    }
    $3 == "daedal" { mine[$1] = $4; factor[$1] = $(NF - 1) }
    $3 == "ipopt" { other[$1] = $4 }
    function cells(entry,    part) {
        split(entry, part, "=")
        return part[1] == "" ? " | | | |" : sprintf(" %s | %d | %d | %.0f |", part[2], mine[part[1]], other[part[1]], factor[part[1]])
    }
    END { for (i = 1; i <= split(names, entry, "|"); i += 2) print "|" cells(entry[i]) " |" cells(entry[i + 1]) }
' bench/results/ocp.txt >>"$expected"

# milliseconds per sample: two digits
awk '
    BEGIN {
        split("pendulum N=20 d=2=cart-pendulum in Cartesian coordinates, 20 intervals|pendulum N=40 d=3=the same, 40 intervals of degree 3|" \
              "chain of masses N=40=chain of masses, 40 intervals|delta robot=delta robot|reactor with mhe=reactor with a moving horizon|" \
              "pendulum with mhe=cart-pendulum with a moving horizon", pairs, "|")
        for (k = 1; k <= 6; k++) {
            at = match(pairs[k], /=[^=]*$/)
            order[k] = substr(pairs[k], 1, at - 1)
            title[k] = substr(pairs[k], at + 1)
        }
    }
    function ms(x,    digits) { digits = x < 0.1 ? 3 : x < 1 ? 2 : 1; return sprintf("%.*f", digits, x) }
    { name = substr($0, 1, 22); sub(/ +$/, "", name); split(substr($0, 23), v, " "); median[name, v[1]] = v[2]; feedback[name, v[1]] = v[5]; times[name, v[1]] = v[8] }
    END {
        for (k = 1; k <= 6; k++) {
            n = order[k]
            printf "| %s | %s | %.0f | %s | %.0f | %s |\n", title[k], ms(median[n, "converge"]), times[n, "converge"], ms(median[n, "rti"]), times[n, "rti"], ms(feedback[n, "rti"])
        }
    }' bench/results/control.txt >>"$expected"

# the largest share of IDA's time at six digits: the ratio of the table times RADAU5 over IDA as recorded. The time at six
# digits is read off the lower envelope of the runs, log time linear between neighbours (bench/ivp/README.md)
awk '
    function at(p, code,    i, j, n, beaten, d, t, best, x) {
        n = 0
        for (i = 1; i <= count[p, code]; i++) {
            beaten = 0
            for (j = 1; j <= count[p, code]; j++)
                beaten = beaten || (j != i && digits[p, code, j] >= digits[p, code, i] && time[p, code, j] <= time[p, code, i])
            if (!beaten) { n++; d[n] = digits[p, code, i]; t[n] = log(time[p, code, i]) }
        }
        best = -1
        for (i = 1; i <= n; i++)
            for (j = 1; j <= n; j++) { # the narrowest pair around six digits
                if (d[i] > 6 || d[j] < 6) continue
                beaten = 0
                for (x = 1; x <= n; x++) beaten = beaten || (d[x] > d[i] && d[x] < d[j])
                if (!beaten) best = exp(d[j] > d[i] ? t[i] + (6 - d[i])/(d[j] - d[i])*(t[j] - t[i]) : t[i])
            }
        return best
    }
    /^#/ || NF == 0 { next }
    FILENAME ~ /recorded/ { k = ++count[$1, $2]; digits[$1, $2, k] = $4; time[$1, $2, k] = $5; next }
    { share = $2*at($1, "radau5")/at($1, "ida-dq"); most = share > most ? share : most }
    END { printf "at most %.2f of its time at six digits\n", most }
' bench/ivp/recorded.txt bench/results/ivp.txt >>"$expected"

# sentences
awk '$3 == "daedal" { f[$2] = sprintf("%.0f", $(NF - 1)) } END { printf "%s at 400 and %s at 1600 intervals for `a`\n", f[400], f[1600] }' \
    bench/results/ocp_sizes.txt >>"$expected"
awk '!/^#/ { own[$1] = $2; other[$1] = $3; f[$1] = sprintf("%.1f", $3 / $2) } END {
    printf "it needed %s, %s and %s ms for `a`, `b` and `c`\n", own["a"], own["b"], own["c"]
    printf "%s, %s and %s ms, which are factors of %s, %s and %s\n", other["a"], other["b"], other["c"], f["a"], f["b"], f["c"] }' \
    bench/results/fatrop.txt >>"$expected"

failed=0
text=$(tr '\n' ' ' <"$page")
while IFS= read -r row; do
    case $row in
    "|"*) grep -qxF -- "$row" "$page" ;;
    *) [[ $text == *"$row"* ]] ;;
    esac || { echo "$page does not have: $row"; failed=1; }
done <"$expected"
# sentences of other pages: the range of a ratio
ratios() { # RECORD COLUMN [MODE]: "least to most" of a column, of the rows of one mode
    awk -v column="$2" -v mode="${3:-}" 'NR > 1 && $0 ~ mode && $NF ~ /^[0-9.]+$/ {
            x = $(NF - column); least = least == "" || x < least ? x : least; most = x > most ? x : most }
        END { print least " to " most }' "bench/results/$1"
}
sentence() { # PAGE TEXT
    [[ $(tr '\n' ' ' <"$1" | tr -s ' ') == *"$2"* ]] || { echo "$1 does not have: $2"; failed=1; }
}
sentence docs/export.md "loops takes $(ratios export.txt 1 converge) of the time in the library in mode \`converge\`, and $(ratios export.txt 1 rti) of it"
sentence docs/mechanics.md "seven mechanisms takes $(ratios parts.txt 0) times as long as"

# every row of numbers in the page has its record
rows=$(grep -cE '^\|.*\| *[0-9.]+ *\|' "$page")
known=$(grep -c '^|' "$expected")
[ "$rows" -eq "$known" ] || { echo "$page has $rows rows of figures, the records have $known"; failed=1; }
echo "$(wc -l <"$expected") rows and sentences compared"
exit $failed
