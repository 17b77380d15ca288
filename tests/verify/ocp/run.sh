#!/usr/bin/env bash
# Optimal control problems with known optima: every .mop file below this folder is solved as its header says and
# compared.
#
#   run.sh DAEDAL [PATTERN...]      PATTERN: part of a path, such as lq/ or circle; default: all files
#
# Lines of a header:
#   // optimum: VALUE rel|abs TOL [strict]   the minimum; TOL is widened to 1e-5 unless `strict` follows; several lines:
#                                            several local minima are known
#   // run: OPTIONS                          one solve with these options; several lines are several solves
#   // parameters: NAME=VALUE ...            decided parameters, to 1e-5
#   // redundant: N                          so many boundary rows are left out and named
#   // expect: status=NAME reason~"REGEX"    instead of an optimum: the refusal, and what its reason must say
#   // check: kind=.. index=.. dof=..        what `check` must say about the class
#   // nonsmooth: WHY                        its optimality conditions are not looked at (test_ocp_optimality.c)
#   // skip: WHY                             kept out of the runs
# Environment: OCP_JOBS (solves at a time, default 1), OCP_TIMEOUT (seconds for one solve, default 60).
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)

# field KEY: the first value under a key of the JSON in $json
field() {
    local text
    text=$(grep -oE "\"$1\":(\"([^\"\\\\]|\\\\.)*\"|[^],}]*)" <<<"$json" | head -1)
    text=${text#*\":}
    text=${text#\"}
    echo "${text%\"}"
}

header() {
    sed -n "s,^// $1: ,,p" "$file"
}

# error VALUE: its distance from the optimum, and whether it is near enough
distance() {
    header optimum | awk -v a="$1" '{
        tol = $3; if (tol < 1e-5 && $4 != "strict") tol = 1e-5
        d = a - $1; if (d < 0) d = -d
        if ($2 == "rel") d /= $1 < 0 ? -$1 : $1
        if (NR == 1 || d < best) { best = d; word = (a != "null" && a != "" && d <= tol) ? "ok" : "off" } }
        END { printf "%.1e %s\n", best, word }'
}

parameters_agree() {
    local pair key got
    for pair in $(header parameters); do
        key=${pair%=*}
        key=${key//[/\\[}
        got=$(field "${key//]/\\]}")
        awk -v a="$got" -v b="${pair#*=}" 'BEGIN { d = a - b; exit !(a != "" && d*d <= 1e-10*b*b) }' ||
            { echo "${pair%=*} is $got"; return; }
    done
}

# Number of strings in the list "redundant"
redundant_count() {
    grep -oE '"redundant":\[("[^"]*"(,"[^"]*")*)?\]' <<<"${json//\\\"/}" | sed 's/^"redundant"://' |
        grep -oE '"[^"]*"' | wc -l
}

judge_optimum() {
    local status near wrong
    status=$(field status)
    read -r error near <<<"$(distance "$(field objective)")"
    [ "$status" = optimal ] || { echo "$status: $(field reason)"; return; }
    [ "$near" = ok ] || { echo "off the optimum"; return; }
    wrong=$(parameters_agree)
    [ -z "$wrong" ] || { echo "$wrong"; return; }
    if [ -n "$(header redundant)" ] && [ "$(redundant_count)" != "$(header redundant)" ]; then
        echo "$(redundant_count) redundant rows instead of $(header redundant)"
    fi
}

judge_refusal() {
    local wanted pattern
    wanted=$(header expect | sed -n 's/.*status=\([a-z_|]*\).*/\1/p')
    pattern=$(header expect | sed -n 's/.*reason~"\(.*\)".*/\1/p')
    grep -qxE "$wanted" <<<"$(field status)" ||
        { echo "status $(field status) instead of $wanted: $(field reason)"; return; }
    grep -qiE -e "$pattern" <<<"$(field reason)" || echo "the reason does not say \"$pattern\": $(field reason)"
}

# One solve: a line of the table, beginning with 0 (passed) or 1
solve() {
    local file=$1 options=$2 json code verdict error=-
    cd "$here" || exit 1
    # shellcheck disable=SC2086
    json=$(timeout -k 2 "${OCP_TIMEOUT:-60}" "$daedal" optimize "$file" $options --json 2>&1 </dev/null)
    code=$?
    if [ $code -ge 124 ]; then
        verdict="stopped with code $code"
    elif [ $code -gt 1 ]; then
        verdict=$(head -1 <<<"$json")
    elif [ -n "$(header expect)" ]; then
        verdict=$(judge_refusal)
    else
        verdict=$(judge_optimum; echo "@$error")
        error=${verdict##*@}
        verdict=${verdict%$'\n'@*}
        verdict=${verdict%@*}
    fi
    printf '%d %-36s %-17s %9s %5s %8.3f  %s%s\n' "$([ -z "$verdict" ]; echo $?)" "${file%.mop}" \
        "$(field objective | cut -c1-17)" "$error" "$(field iterations)" "$(field total | sed 's/^$/0/')" "$options" \
        "${verdict:+   FAILED: $verdict}"
}

# What `check` must say
inspect() {
    local file=$1 wanted json
    cd "$here" || exit 1
    json=$(timeout 20 "$daedal" check "$file" --json 2>/dev/null </dev/null)
    for wanted in verdict=ok $(header check); do
        [ "$(field "${wanted%=*}")" = "${wanted#*=}" ] ||
            echo "1 ${file%.mop}: check says ${wanted%=*} = $(field "${wanted%=*}")   FAILED: expected ${wanted#*=}"
    done
}

jobs_of() {
    local file pattern
    for file in $(cd "$here" && find . -name '*.mop' | sed 's,^\./,,' | sort); do
        for pattern in "$@"; do
            [[ $file == *$pattern* ]] || continue
            grep -q '^// skip:' "$here/$file" && continue
            [ -n "$(sed -n 's,^// check: ,,p' "$here/$file")" ] && printf 'inspect\0%s\0\0' "$file"
            sed -n 's,^// run: *,,p' "$here/$file" | while IFS= read -r options; do
                printf 'solve\0%s\0%s\0' "$file" "$options"
            done
            break
        done
    done
}

if [ "$1" = --one ]; then
    daedal=$2
    "$3" "$4" "$5"
    exit 0
fi
[ $# -ge 1 ] || { echo "usage: run.sh DAEDAL [PATTERN...]"; exit 2; }
daedal=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- ''
table=$(jobs_of "$@" | xargs -0 -r -n 3 -P "${OCP_JOBS:-1}" bash "$here/run.sh" --one "$daedal" | sort -s -k2,2)
printf '%-36s %-17s %9s %5s %8s  %s\n' problem objective error iter seconds options
cut -c3- <<<"$table"
failed=$(grep -c '^1' <<<"$table")
echo "$(wc -l <<<"$table") lines, $failed failed"
[ "$failed" -eq 0 ]
