# controllers.bash - an exported controller against daedal control: for scripts with daedal, folder, flags, compiler and
# complain.

# numbers FILE NAME...: of every sample in a table of control its time and the columns, in that order, as CSV with a header
numbers() {
    awk -v wanted="${*:2}" '
        function fields(line, i, n, quoted, c, s) {
            n = 1; s = ""; quoted = 0
            for (i = 1; i <= length(line); i++) {
                c = substr(line, i, 1)
                if (c == "\"") quoted = !quoted
                else if (c == "," && !quoted) { f[n++] = s; s = "" }
                else s = s c
            }
            f[n] = s; return n
        }
        NR == 1 { n = fields($0); for (i = 1; i <= n; i++) at[f[i]] = i
            m = split(wanted, name, " "); line = "time"
            for (i = 1; i <= m; i++) { s = name[i]; sub(/^estimate\./, "", s); line = line "," s }
            print line; next }
        { fields($0); if (f[at["solve_ms"]] == "") next
          line = f[at["time"]]; for (i = 1; i <= m; i++) line = line "," f[at[name[i]]]; print line }' "$1"
}

# names FILE PATTERN: columns of a table that match
names() {
    head -1 "$1" | awk -v pattern="$2" '{ n = 0; while (match($0, /("[^"]*"|[^,]+)(,|$)/)) { s = substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH)
        sub(/,$/, "", s); gsub(/"/, "", s); if (s ~ pattern) printf "%s ", s } }'
}

# same_inputs LIMIT FILE EXPECTED: the inputs that a generated program printed and those expected; LIMIT: relative to the largest.
same_inputs() {
    awk -F, -v limit="$1" '
        FNR == 1 { file++; n = file == 1 ? NF - 2 : n; next }
        file == 1 { rows++; for (i = 1; i <= n; i++) a[rows, i] = $i; failures += $(n + 1) > 1; next }
        { r++; for (i = 1; i <= n; i++) { b[r, i] = $i; v = $i < 0 ? -$i : $i; if (v > most[i]) most[i] = v } }
        END {
            for (k = 1; k <= r; k++) for (i = 1; i <= n; i++) {
                d = a[k, i] - b[k, i]; d = d < 0 ? -d : d; if (i > 1 && d / most[i] > worst) worst = d / most[i]
                if (!(d <= limit * most[i])) { printf "input %d, sample %d: %s and %s\n", i - 1, k, a[k, i], b[k, i]; exit 1 }
            }
            if (rows != r || r < 5 || failures > 0) { printf "%d samples and %d, %d failures\n", rows, r, failures; exit 1 }
            if (limit > 0 && ENVIRON["VERBOSE"] != "") printf "%d samples, largest difference %.2e\n", r, worst
        }' "$2" "$3"
}

# controller FILE CLASS MODE LIMIT OPTIONS...: exports, runs on the estimates of daedal control, and compares the inputs; LIMIT:
# relative to the largest. Loops are compared with solves to a hundredth of the tolerance, which the first sample of rti is
# too; there the exported plan has that tolerance as well.
controller() {
    local file=$1 class=$2 mode=$3 limit=$4 tight option previous=
    shift 4
    local for_export=()
    for option in "$@"; do
        case $previous in --degree | --intervals | --control) for_export+=("$previous" "$option") ;; esac
        previous=$option
    done
    tight='--tol 1e-10'
    [ "$mode" = rti ] && for_export+=(--tol 1e-10)
    rm -rf "$folder/c"
    "$daedal" export "$file" "$class" --c "$folder/c" --mode "$mode" ${for_export[@]+"${for_export[@]}"} --json >"$folder/out" 2>"$folder/err" ||
        { complain "$class, $mode: not exported: $(cat "$folder/err")"; return; }
    # shellcheck disable=SC2086
    $compiler $flags -o "$folder/run" "$folder/c/$class.c" "$folder/c/main.c" -lm || { complain "$class, $mode: the code has warnings"; return; }
    # shellcheck disable=SC2086
    "$daedal" control "$file" "$class" --mode "$mode" $tight "$@" --output "$folder/loop.csv" --json >"$folder/json" 2>/dev/null
    # shellcheck disable=SC2046
    numbers "$folder/loop.csv" $(names "$folder/loop.csv" '^estimate\.') >"$folder/y.csv"
    "$folder/run" <"$folder/y.csv" >"$folder/u.csv" 2>"$folder/said" || complain "$class, $mode: the program failed"
    # shellcheck disable=SC2046
    numbers "$folder/loop.csv" $(head -1 "$folder/u.csv" | tr ',' '\n' | sed '1d; /^status$/,$d') >"$folder/expected.csv"
    same_inputs "$limit" "$folder/u.csv" "$folder/expected.csv" || complain "$class, $mode: the inputs differ from those of daedal control"
    same_verdicts "$class, $mode"
}

# same_verdicts WHAT: samples that were softened, and the first sentences on what gave way, are those of daedal control
same_verdicts() {
    numbers "$folder/loop.csv" status | awk -F, 'NR > 1 { print $2 + 0 }' >"$folder/statuses"
    awk -F, 'NR > 1 { print $(NF - 1) + 0 }' "$folder/u.csv" | cmp -s - "$folder/statuses" || complain "$1: other samples are softened"
    tr '"' '\n' <"$folder/json" | sed -n 's/^at time \([^ ]*\) these gave way: /time \1: /p' |
        awk '{ at = $1 " " $2; sub(/^time [^ ]* /, ""); n = split($0, part, ", "); for (i = 1; i <= n; i++) print at, part[i] }' |
        sort >"$folder/words"
    head -n "$(wc -l <"$folder/words")" "$folder/said" | sort | cmp -s - "$folder/words" || complain "$1: other rows give way: $(diff "$folder/words" "$folder/said" | head -3)"
}

# same_samples LIMIT FILE EXPECTED: inputs, estimates and statuses that a generated program printed and those of record_loop; LIMIT:
# relative to the largest of each.
same_samples() {
    awk -F, -v limit="$1" '
        FNR == 1 { file++; for (i = 1; i <= NF; i++) { s = $i; sub(/^input\./, "", s); if (file == 1) name[i] = s; else if (!(s in at) || $i != s) at[s] = i }
            n = file == 1 ? NF - 1 : n; next }
        file == 1 { rows++; for (i = 1; i <= n; i++) a[rows, i] = $i; next }
        { r++; for (i = 1; i <= n; i++) { b[r, i] = $(at[name[i]]); v = b[r, i] < 0 ? -b[r, i] : b[r, i]; if (v > most[i]) most[i] = v } }
        END {
            for (i = 1; i <= n; i++) if (!(name[i] in at)) { printf "no column %s\n", name[i]; exit 1 }
            for (k = 1; k <= r; k++) for (i = 2; i <= n; i++) {
                d = a[k, i] - b[k, i]; d = d < 0 ? -d : d; if (most[i] > 0 && d / most[i] > worst) worst = d / most[i]
                if (!(d <= limit * most[i]) || a[k, i] == "") { printf "%s, sample %d: %s and %s\n", name[i], k, a[k, i], b[k, i]; exit 1 }
            }
            if (rows != r || r < 5) { printf "%d samples and %d\n", rows, r; exit 1 }
            if (ENVIRON["VERBOSE"] != "") printf "%d samples, largest difference %.2e\n", r, worst
        }' <(unquoted "$2") <(unquoted "$3")
}

# unquoted FILE: without commas in the names of its columns
unquoted() { sed '1s/"\([^",]*\),\([^",]*\)"/\1;\2/g' "$1"; }

# estimator FILE CLASS MODE LIMIT STOP MISSING [OPTION VALUE]...: a class with mhe. A loop in the library with noise, of whose
# measurements the part MISSING is not there; the generated controller on the same measurements has the same inputs and estimates.
estimator() {
    local file=$1 class=$2 mode=$3 limit=$4 stop=$5 missing=$6 for_export=() what
    shift 6
    what="$class, $mode, $missing missing"
    for ((i = 1; i < $#; i += 2)); do for_export+=("--${!i}"); local j=$((i + 1)); for_export+=("${!j}"); done
    rm -rf "$folder/c"
    "$daedal" export "$file" "$class" --c "$folder/c" --mode "$mode" --tol 1e-10 ${for_export[@]+"${for_export[@]}"} --json >"$folder/out" 2>"$folder/err" ||
        { complain "$what: not exported: $(cat "$folder/err")"; return; }
    # shellcheck disable=SC2086
    $compiler $flags -o "$folder/run" "$folder/c/$class.c" "$folder/c/main.c" -lm || { complain "$what: the code has warnings"; return; }
    "$(dirname "$daedal")/tests/record_loop" "$file" "$class" "$stop" "$missing" mode "$mode" tol 1e-10 "$@" >"$folder/loop.csv" ||
        { complain "$what: the loop failed"; return; }
    "$folder/run" <"$folder/loop.csv" >"$folder/u.csv" || complain "$what: the program failed"
    same_samples "$limit" "$folder/u.csv" "$folder/loop.csv" || complain "$what: other answers than those of the library"
}

# other_lanes CLASS LIMIT TABLE: the controller exported last, compiled for one interval at a time, for as many as this processor
# can, and with a search for pivots in every interval, has the same answers. TABLE: y.csv after controller, loop.csv after estimator
other_lanes() {
    local class=$1 limit=$2 table=$3 way native=
    echo 'int x;' | $compiler -march=native -x c -c -o /dev/null - 2>/dev/null && native='-march=native'
    for way in "-D${class}_LANES=1 -D${class}_window_LANES=1" "-O1 $native" "-O3 $native" "-O2 $native -DSEARCH"; do
        sed "s/w->searched\[g->b\] = 0;/w->searched[g->b] = $([ "${way%SEARCH}" != "$way" ] && echo 1 || echo 0);/" "$folder/c/$class.c" >"$folder/c/lanes.c"
        # shellcheck disable=SC2086
        $compiler $flags $way -o "$folder/run" "$folder/c/lanes.c" "$folder/c/main.c" -lm || { complain "$class, $way: the code has warnings"; continue; }
        "$folder/run" <"$folder/$table" >"$folder/u.csv" 2>/dev/null || complain "$class, $way: the program failed"
        if [ "$table" = y.csv ]; then
            same_inputs "$limit" "$folder/u.csv" "$folder/expected.csv" || complain "$class, $way: other inputs"
        else
            same_samples "$limit" "$folder/u.csv" "$folder/loop.csv" || complain "$class, $way: other answers"
        fi
    done
}
