#!/usr/bin/env bash
# The shared library exports the functions of the public headers, all of them and nothing else; every symbol that the
# archive defines begins with dd_; no struct, union or enum of src/ has two definitions. Usage: exports.sh PATH_OF_DAEDAL
set -u
export LC_ALL=C
build=${DAEDAL_BUILD:-$(dirname "$1")}
root=$(cd "$(dirname "$0")/../.." && pwd)
failed=0
complain() {
    [ -z "$2" ] && return
    echo "$1:"
    echo "$2"
    failed=1
}

# declarations as the compiler sees them: a name before "(" that is not the pointer of a function type
declared=$("${CC:-cc}" -E -P -I "$root/include" "$root/include/daedal/daedal.h" | grep -oE '\bdd_[A-Za-z0-9_]+ ?\(' | tr -d ' (' | sort -u)
# (mangle_path: of the coverage counters)
exported=$(nm -D --defined-only "$build/libdaedal.so" | awk '{ print $3 }' | grep -vE '^(_init|_fini|__.*|_edata|_end|mangle_path)$' | sort -u)
[ "$(wc -l <<<"$declared")" -gt 200 ] || complain "too few declarations were found" "$declared"
complain "declared in include/daedal but not exported (DD_API is missing, or the function)" "$(comm -23 <(echo "$declared") <(echo "$exported"))"
complain "exported but not declared in include/daedal" "$(comm -13 <(echo "$declared") <(echo "$exported"))"

complain "symbols without the prefix dd_" \
    "$(nm "$build/libdaedal.a" 2>/dev/null | awk '$2 ~ /^[TDBRCVW]$/ && $3 !~ /^(dd_|__)/ { print $3 }' | sort -u)"

complain "types that are defined twice" "$(grep -rhoE '\b(struct|union|enum) dd_[a-z0-9_]+ \{' "$root/src" "$root/include" | sort | uniq -d)"
exit $failed
