#!/usr/bin/env bash
# The optimal control benchmark: every run of every problem here, with its objective, iterations and times.
#
#   run.sh DAEDAL [REPEATS]         default: 3 repeats, the median time is shown
#
# In a header each `// run: OPTIONS` is followed by `// optimum: VALUE rel TOL strict` and `// iterations: N`, the value
# and the iterations of the best public tools with the same transcription. The exit code says whether all objectives
# agree, set-up (from the text to the solver) takes at most 50 ms and, in problem b, functions at most 3 % of the time.
export LC_ALL=C
daedal=$(realpath "$1")
repeats=${2:-3}
cd "$(dirname "$0")" || exit 1

field() {
    grep -oE "\"$1\":(\"[^\"]*\"|[^],}]*)" <<<"$json" | head -1 | sed 's/^[^:]*://; s/"//g'
}

header() {
    sed -n "s,^// $1: ,,p" "$file"
}

one() {
    local file=$1 options=$2 optimum=$3 iterations=$4 json times k
    for ((k = 0; k < repeats; k++)); do
        # shellcheck disable=SC2086
        json=$(timeout 120 "$daedal" optimize "$file" $options --json 2>/dev/null </dev/null)
        times+="$(field total) $(field setup) $(field evaluate)"$'\n'
    done
    read -r total setup evaluate <<<"$(sort -g <<<"${times%$'\n'}" | sed -n "$(((repeats + 1) / 2))p")"
    awk -v file="${file%.mop}" -v options="$options" -v status="$(field status)" -v a="$(field objective)" \
        -v want="$optimum" -v n="$(field iterations)" -v m="$iterations" -v t="$total" -v s="$setup" \
        -v e="$evaluate" 'BEGIN {
            split(want, w, " "); d = (a - w[1])/w[1]; if (d < 0) d = -d
            ok = status == "optimal" && d <= w[3]
            if (s > 0.05) { ok = 0; status = "set-up above 50 ms" }
            if (file ~ /^b_/ && options !~ /shooting/ && e > 0.03*t) { ok = 0; status = "functions above 3 % of the time" }
            printf "%-12s %-15.11g %8.1e %5s (%3s) %9.1f %7.2f %7.2f  %s%s\n", file, a, d, n, m, 1000*t, 1000*s, 1000*e,
                options, ok ? "" : "   FAILED " status
            exit !ok }'
}

printf '%-12s %-15s %8s %5s %5s %9s %7s %7s\n' problem objective error iter '(ref)' 'total ms' setup eval
failed=0
for file in *.mop; do
    grep -q '^// skip:' "$file" && continue
    while IFS='|' read -r options optimum iterations; do
        one "$file" "$options" "$optimum" "$iterations" || failed=1
    done < <(paste -d'|' <(header run) <(header optimum) <(header iterations))
done
exit $failed
