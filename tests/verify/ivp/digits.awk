# Compares the JSON of one `daedal simulate --json` (standard input) with reference.txt.
# Usage: awk -f digits.awk -v data=reference.txt -v problem=NAME -v tol=1e-6 < JSON
# Prints "DIGITS REQUIRED STEPS VERDICT"; exit code 1 unless the verdict is ok. Digits are
# -log10(max |y - ref|/(|ref| + atol/rtol)) over the variables that count; a value may have its own atol/rtol.

function fail(verdict) { printf "%s %s %s %s\n", digits == "" ? "-" : digits, required, steps == "" ? "-" : steps, verdict; failed = 1; exit 1 }

# the number after "key": at the top level of the object, or ""
function number(key,    at, rest) {
    at = index(json, "\"" key "\":")
    if (!at) { return "" }
    rest = substr(json, at + length(key) + 3)
    return match(rest, /^ *-?[0-9.][-+0-9.eE]*/) ? substr(rest, 1, RLENGTH) + 0 : ""
}

# "name": number pairs of the object that starts at json[at]
function read_values(at,    rest, name, text) {
    rest = substr(json, at)
    while (match(rest, /^[{,] *"[^"]*" *: */)) {
        name = substr(rest, 1, RLENGTH)
        rest = substr(rest, RLENGTH + 1)
        sub(/^[{,] *"/, "", name)
        sub(/" *: *$/, "", name)
        match(rest, /^[^,}]*/)
        text = substr(rest, 1, RLENGTH)
        rest = substr(rest, RLENGTH + 1)
        if (text ~ /^ *-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)? *$/) { final[name] = text + 0 } else { odd[name] = text }
    }
}

BEGIN {
    while ((getline line < data) > 0) {
        split(line, f, " ")
        if (f[1] == "problem") { inside = f[2] == problem; if (inside) { stop = f[3]; factor = f[4]; found = 1 } }
        else if (inside && f[1] == "require" && f[2] + 0 == tol + 0) { required = f[3] }
        else if (inside && f[1] == "value" && f[4] == 1) { n++; variable[n] = f[2]; value[n] = f[3] + 0; scale[n] = f[5] }
    }
    if (!found || required == "") { print "no data for " problem " at " tol > "/dev/stderr"; failed = 1; exit 2 }
}

{ json = json $0 " " }

END {
    if (failed) { exit 1 }
    if (json !~ /[^ ]/) { fail("no_output") }
    if (!match(json, /"status" *: *"[a-z_]*"/)) { fail("no_status") }
    status = substr(json, RSTART, RLENGTH)
    gsub(/"status" *: *|"/, "", status)
    steps = number("steps")
    if (status != "ok") { fail(status) }
    reached = number("t")
    if (reached == "" || (reached - stop)^2 > (1e-9*stop)^2) { fail("stopped_at_" reached) }
    if (!match(json, /"final" *: *{/)) { fail("no_final_values") }
    read_values(RSTART + RLENGTH - 1)
    worst = 0
    for (i = 1; i <= n; i++) {
        if (variable[i] in odd) { fail("not_a_number:" variable[i] "=" odd[variable[i]]) }
        if (!(variable[i] in final)) { fail("missing:" variable[i]) }
        size = value[i] < 0 ? -value[i] : value[i]
        error = final[variable[i]] - value[i]
        error = (error < 0 ? -error : error)/(size + (scale[i] == "" ? factor : scale[i]))
        if (error > worst) { worst = error }
    }
    digits = sprintf("%.2f", worst > 1e-17 ? -log(worst)/log(10) : 17)
    if (digits + 0 < required - 0.005) { fail("too_few_digits") }
    print digits, required, steps == "" ? "-" : steps, "ok"
}
