#!/usr/bin/env bash
# Index-3 models against the same problem in minimal coordinates: NAME.mop and NAME_ode.mop have the same optimum to
# 1e-8, relative. Both are solved to a tight tolerance on meshes so fine that what the mesh leaves is below that, which a
# second, finer mesh of each confirms.
#
#   twins.sh DAEDAL [PATTERN...]
#
# A line `// twin: OPTIONS [same]` of a header gives the mesh, else the first `// run:` line. `same`: both have the same
# states, so one mesh gives the same numbers however coarse it is, and no finer one is asked.
# Environment: OCP_TIMEOUT (seconds for one solve, default 60).
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
tolerance=1e-8

# options FILE: of the solves of a file
options() {
    local line
    line=$(sed -n 's,^// twin: ,,p' "$1" | head -1)
    [ -n "$line" ] || line=$(sed -n 's,^// run: ,,p' "$1" | head -1)
    echo "${line% same}"
}

# finer OPTIONS: the same with half as many intervals again
finer() {
    awk '{ for (i = 1; i < NF; i++) if ($i == "--intervals") $(i + 1) = int($(i + 1)*1.5); print }' <<<"$1"
}

# solve FILE OPTIONS: status and objective
solve() {
    local json
    # shellcheck disable=SC2086
    json=$(cd "$here" && timeout -k 2 "${OCP_TIMEOUT:-60}" "$daedal" optimize "$1" $2 --tol 1e-11 --json 2>/dev/null)
    echo "$(sed -n 's/^{"status":"\([a-z_]*\)".*/\1/p' <<<"$json")" \
        "$(grep -oE '"objective":[^,]*' <<<"$json" | head -1 | cut -d: -f2)"
}

# difference A B: relative, and whether it is below the tolerance
difference() {
    awk -v a="$1" -v b="$2" -v tol=$tolerance 'BEGIN {
        d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b
        if (a == "" || b == "") { print "- off"; exit }
        printf "%.1e %s\n", d/s, d <= tol*s ? "ok" : "off" }'
}

compare() {
    local name=${1%_ode.mop} status_a a status_b b status_c c status_d d error near rest_a rest_b settled_a settled_b
    read -r status_a a <<<"$(solve "$name.mop" "$(options "$here/$name.mop")")"
    read -r status_b b <<<"$(solve "$1" "$(options "$here/$1")")"
    if grep -q '^// twin:.* same$' "$here/$1"; then
        read -r status_c c status_d d <<<"$status_a $a $status_b $b"
    else
        read -r status_c c <<<"$(solve "$name.mop" "$(finer "$(options "$here/$name.mop")")")"
        read -r status_d d <<<"$(solve "$1" "$(finer "$(options "$here/$1")")")"
    fi
    read -r error near <<<"$(difference "$a" "$b")"
    read -r rest_a settled_a <<<"$(difference "$a" "$c")"
    read -r rest_b settled_b <<<"$(difference "$b" "$d")"
    printf '%-28s %-20s %-20s %9s %9s %9s' "$name" "$a" "$b" "$error" "$rest_a" "$rest_b"
    if [ "$status_a$status_b$status_c$status_d" = optimaloptimaloptimaloptimal ] && [ $near = ok ] &&
        [ "$settled_a" = ok ] && [ "$settled_b" = ok ]; then
        echo
    else
        echo "   FAILED: $status_a $status_b $status_c $status_d"
        failed=$((failed + 1))
    fi
}

[ $# -ge 1 ] || { echo "usage: twins.sh DAEDAL [PATTERN...]"; exit 2; }
daedal=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- ''
failed=0
pairs=0
printf '%-28s %-20s %-20s %9s %9s %9s\n' problem 'as written' 'minimal coordinates' between mesh mesh
while read -r file; do
    for pattern in "$@"; do
        if [[ $file == *$pattern* ]] && [ -f "$here/${file%_ode.mop}.mop" ]; then
            compare "$file"
            pairs=$((pairs + 1))
            break
        fi
    done
done < <(cd "$here" && find . -name '*_ode.mop' | sed 's,^\./,,' | sort)
echo "$pairs pairs, $failed failed"
[ "$failed" -eq 0 ] && [ "$pairs" -gt 0 ]
