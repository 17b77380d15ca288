#!/usr/bin/env bash
# Figures of the sources: length and shape of functions, comments inside them, parameters, files, exports, duplicates.
#   figures.sh [FOLDER...]        default: src; another tree by its folder, for comparing
#   LIST=comments|long|parameters|nesting|files|duplicates figures.sh    what is behind a figure, one place per line
# Functions are found by their layout: a line at the margin that ends a parameter list, then { at the margin, then }.
# `make lint` compares some of them with their limits (figures.sh --check).
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 1
check=no
[ "${1-}" = --check ] && check=yes && shift
[ $# -gt 0 ] || set -- src
build=${BUILD:-build}

measure() {
    find "$@" -name '*.[ch]' -o -name '*.[ch].in' | sort | xargs awk -v list="${LIST-}" -v check=$check '
    function say(kind, text) { if (list == kind) print text }
    # text without strings, character constants and comments; sets has_comment, keeps whether a comment is open
    function strip(line,    out, c) {
        has_comment = in_comment && line ~ /[^ \t]/
        out = ""
        while (line != "") {
            if (in_comment) {
                if ((c = index(line, "*/")) == 0) return out
                line = substr(line, c + 2); in_comment = 0
            } else if (match(line, /\/\*|\/\/|"([^"\\]|\\.)*"|\x27([^\x27\\]|\\.)*\x27/)) {
                c = substr(line, RSTART, 2); out = out substr(line, 1, RSTART - 1)
                if (c == "//") { has_comment = 1; return out }
                if (c == "/*") { has_comment = 1; in_comment = 1; line = substr(line, RSTART + 2) }
                else { out = out "0"; line = substr(line, RSTART + RLENGTH) }
            } else return out line
        }
        return out
    }
    function open_function(    i, depth, ch, text) {
        # parameters: commas at depth 1 of the last parenthesis group of the head
        text = head; sub(/[ \t]*$/, "", text); params = 0; depth = 0
        for (i = length(text); i > 0; i--) {
            ch = substr(text, i, 1)
            if (ch == ")") depth++
            if (ch == "(" && --depth == 0) break
            if (ch == "," && depth == 1) params++
        }
        inner = substr(text, i + 1); name = substr(text, 1, i - 1); sub(/.*[ *]/, "", name)
        params = inner ~ /^(void)?\)$/ ? 0 : params + 1
        inside = 1; lines = 0; comments = 0; deepest = 0; depth_now = 0; branches = 1; begun = FNR
        callback = name ~ /^(eval_|ipopt_|callback|fmi[23][A-Z])/ || head ~ /UserDataPtr/
    }
    function close_function() {
        inside = 0; functions++; length_of[functions] = lines; total_lines += lines; total_comments += comments
        if (lines >= 25) { large++; if (comments == 0) { silent++; say("comments", file ":" begun ": " name " (" lines " lines)") } }
        if (lines > 80) { over80++; say("long", file ":" begun ": " name " (" lines " lines)") }
        if (params > 8 && !callback) { wide++; say("parameters", file ":" begun ": " name " (" params " parameters)") }
        if (deepest > 4) { deep++; say("nesting", file ":" begun ": " name " (" deepest " levels)") }
        if (branches > 20) { branchy++; say("nesting", file ":" begun ": " name " (complexity " branches ")") }
    }
    FNR == 1 {
        if (file != "" && file_lines > 600) { big++; say("files", file ": " file_lines " lines") }
        file = FILENAME; files++; inside = 0; in_comment = 0; head = ""; file_lines = 0
    }
    {
        file_lines = FNR; all++
        code = strip($0)
        if (inside) {
            if ($0 ~ /^}/) { close_function(); head = ""; next }
            if ($0 ~ /[^ \t]/) lines++
            if (has_comment) comments++
            depth_now += gsub(/{/, "{", code); if (depth_now > deepest) deepest = depth_now
            depth_now -= gsub(/}/, "}", code)
            plain = code
            branches += gsub(/(^|[^a-z_])(if|for|while|case) ?[(A-Z0-9]|&&|\|\||\?/, "&", plain)
        } else if (code ~ /^\{/ && head ~ /\)[ \t]*$/ && head !~ /=/) {
            open_function()
        } else if (code ~ /^[#}]/ || code ~ /;[ \t]*$/ || code == "") {
            head = ""
        } else {
            head = head code
        }
    }
    END {
        if (file_lines > 600) { big++; say("files", file ": " file_lines " lines") }
        if (list != "" || functions == 0) exit
        n = asort_numbers(length_of, functions)
        printf "files %d, lines %d, above 600 lines: %d\n", files, all, big
        printf "functions %d: median %d lines, p90 %d, longest %d; above 80 lines: %d\n", functions, length_of[int((functions + 1) / 2)], length_of[int(0.9 * functions + 0.5)], length_of[functions], over80
        printf "complexity above 20: %.2f %%; nested deeper than 4: %d; more than 8 parameters (beside callbacks): %d\n", 100 * branchy / functions, deep, wide
        printf "comment lines in bodies: %.1f %%; functions of 25 lines and more without a comment: %.0f %% (%d of %d)\n", 100 * total_comments / total_lines, large ? 100 * silent / large : 0, silent, large
        if (check == "yes") {
            if (total_comments < 0.06 * total_lines) fail("fewer than 6 % of the lines in bodies are comments")
            if (silent > 0.15 * large) fail("15 % or more of the functions of 25 lines have no comment (LIST=comments)")
            if (over80 > 0) fail("a function has more than 80 lines (LIST=long)")
            if (big > 0) fail("a file has more than 600 lines (LIST=files)")
            if (wide > 5) fail("more than five functions have more than 8 parameters (LIST=parameters)")
            exit failed
        }
    }
    function fail(text) { print "figures: " text; failed = 1 }
    # by counting: lengths are small
    function asort_numbers(a, n,    i, k, count, most) {
        for (i = 1; i <= n; i++) { count[a[i]]++; if (a[i] > most) most = a[i] }
        k = 0
        for (i = 0; i <= most; i++) while (count[i]-- > 0) a[++k] = i
        return n
    }'
}

# Runs of 8 lines that appear in two places: what is copied, not what the language repeats.
duplicates() {
    find "$@" -name '*.c' | sort | xargs awk -v list="${LIST-}" '
    FNR == 1 { n = 0; quiet = 0 }
    {
        line = $0; gsub(/[ \t]+/, "", line)
        if (line == "" || line ~ /^(#|\/\*|\*|\/\/|[{}]*;?$)/) next
        n++; text[n % 8] = line; at[n % 8] = FNR
        if (n < 8) next
        key = ""
        for (i = 1; i <= 8; i++) key = key "\n" text[(n + i) % 8]
        if (key in first) {
            if (quiet <= n) { count++; quiet = n + 8; if (list == "duplicates") print FILENAME ":" at[(n + 1) % 8] " repeats " first[key] }
        } else first[key] = FILENAME ":" at[(n + 1) % 8]
    }
    END { if (list == "") printf "runs of 8 lines that appear twice: %d\n", count }'
}

failed=0
if [ "${LIST-}" != duplicates ]; then
    measure "$@" || failed=1
fi
case ${LIST-} in '' | duplicates) duplicates "$@" ;; esac
if [ -z "${LIST-}" ] && [ -e "$build/libdaedal.so" ] && [ "$1" = src ]; then
    printf 'exported symbols: %d\n' "$(nm -D --defined-only "$build/libdaedal.so" | grep -c ' [TDBRi] dd_')"
fi
exit $failed
