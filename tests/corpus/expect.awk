# Runs `daedal check --json` on model files and compares with the comments in them. One block of expectations per run:
#
#   // run: ARGS                      starts a new block; the block before the first one runs without arguments
#   // long: WHY                      the block takes most of a second: not with brief=1
#   // expect: key=value ...          values in the JSON answer; key=a|b for alternatives; initial.missing=0 for inner ones
#   // expect-constraint: TEXT        TEXT is in one of the visible constraints, spaces aside; alternatives with " | "
#   // expect-hidden: TEXT            the same for hidden constraints
#   // expect-warning: TEXT, expect-no-warning: TEXT, expect-reason: TEXT, expect-warning-or-reason: TEXT
#   // expect-in-states: NAME, expect-in-algebraic: NAME
#   //| TEXT                          the lines of `daedal check --flat`, all of them, in order
#   // expect-exit: CODE              otherwise 0 when the verdict expected is ok, 1 when it is another
#
# @ in ARGS is the folder of the corpus.
# (expect-equation and expect-equivalent compare formulas by value: tests/unit/structure/test_index_cases.c.)
# Then the model is printed with --flat, and that text must give the same answer; the answer must not depend on the
# locale or on running it again (both not with brief=1, for a quick run). Prints what failed and "N passed, N failed".

function fail(text) {
    if (!failed_here) print file ":" block_line ": daedal check" (args == "" ? "" : " " args)
    print "    " text
    failed_here = 1
}

# the output of a command as one string, its exit code in exit_code
function output_of(command,    text, line, last) {
    command = command "; echo \"|$?\""
    text = ""; last = ""
    while ((command | getline line) > 0) { text = text last; last = line "\n" }
    close(command)
    exit_code = -1
    if (match(last, /\|[0-9]+\n$/)) {
        exit_code = substr(last, RSTART + 1, RLENGTH - 2) + 0
        text = text substr(last, 1, RSTART - 1)
    }
    return text
}

# ---- JSON to value["a.0.b"], count["a"] ----
function parse_json(text,    depth, path, token, key, kind, position) {
    delete value; delete count
    depth = 0; path[0] = ""; kind[0] = "top"
    rest = text
    while (1) {
        sub(/^[ \t\r\n]+/, "", rest)
        if (rest == "") return depth == 0
        if (match(rest, /^"([^"\\]|\\.)*"/)) {
            token = substr(rest, 2, RLENGTH - 2)
            rest = substr(rest, RLENGTH + 1)
            gsub(/\\"/, "\"", token); gsub(/\\n/, "\n", token); gsub(/\\\//, "/", token); gsub(/\\\\/, "\\", token)
            if (kind[depth] == "object" && !have_key[depth]) {
                if (!sub(/^[ \t\r\n]*:/, "", rest)) return 0
                key[depth] = token; have_key[depth] = 1
            } else {
                store(depth, path, key, kind, token)
            }
        } else if (match(rest, /^(-?[0-9][0-9.eE+-]*|true|false|null)/)) {
            token = substr(rest, 1, RLENGTH)
            rest = substr(rest, RLENGTH + 1)
            store(depth, path, key, kind, token)
        } else {
            token = substr(rest, 1, 1)
            rest = substr(rest, 2)
            if (token == "{" || token == "[") {
                path[depth + 1] = place(depth, path, key, kind)
                have_key[depth] = 0
                depth++
                kind[depth] = token == "{" ? "object" : "array"
                items[depth] = 0; have_key[depth] = 0
                count[path[depth]] = 0
            } else if (token == "}" || token == "]") {
                count[path[depth]] = items[depth]
                depth--
            } else if (token != ",") {
                return 0
            }
        }
    }
}
function place(depth, path, key, kind,    name) {
    name = kind[depth] == "object" ? key[depth] : (kind[depth] == "array" ? items[depth] : "")
    items[depth]++
    return path[depth] == "" ? name : path[depth] "." name
}
function store(depth, path, key, kind, token) {
    value[place(depth, path, key, kind)] = token
    have_key[depth] = 0
}

# ---- comparing ----
function squeeze(text) { gsub(/[ \t]/, "", text); return text }
function contains(text, wanted,    n, i, one) {
    n = split(wanted, one, / \| /)
    for (i = 1; i <= n; i++) if (index(squeeze(text), squeeze(one[i]))) return 1
    return 0
}
function is_one_of(got, wanted,    n, i, one) {
    n = split(wanted, one, "|")
    for (i = 1; i <= n; i++) if (got == one[i]) return 1
    return 0
}
function list_contains(list, inner, wanted,    i) {
    for (i = 0; i < count[list]; i++) if (contains(value[list "." i inner], wanted)) return 1
    return 0
}
function list_has(list, wanted,    i) {
    for (i = 0; i < count[list]; i++) if (value[list "." i] == wanted) return 1
    return 0
}
function list_text(list, inner,    i, text) {
    text = ""
    for (i = 0; i < count[list]; i++) text = text (i ? "; " : "") value[list "." i inner]
    return text == "" ? "(none)" : text
}

function check_values(pairs,    n, i, pair, at, key, wanted, got) {
    n = split(pairs, pair, /[ \t]+/)
    for (i = 1; i <= n; i++) {
        at = index(pair[i], "=")
        if (!at) { fail("expectation not understood: " pair[i]); continue }
        key = substr(pair[i], 1, at - 1)
        wanted = substr(pair[i], at + 1)
        got = (key in value) ? value[key] : "(absent)"
        if (!is_one_of(got, wanted)) fail(key " is " got ", expected " wanted)
        if (key == "verdict" && wanted != "ok" && index(wanted, "|") == 0) expected_exit = 1
    }
}

function check_line(what, text) {
    if (what == "expect") check_values(text)
    else if (what == "expect-constraint") {
        if (!list_contains("constraints", "", text)) fail("no constraint " text "; there are: " list_text("constraints", ""))
    } else if (what == "expect-hidden") {
        if (!list_contains("hidden_constraints", ".equation", text))
            fail("no hidden constraint " text "; there are: " list_text("hidden_constraints", ".equation"))
    } else if (what == "expect-warning") {
        if (!list_contains("warnings", "", text)) fail("no warning with " text "; there are: " list_text("warnings", ""))
    } else if (what == "expect-no-warning") {
        if (list_contains("warnings", "", text)) fail("a warning speaks of " text ": " list_text("warnings", ""))
    } else if (what == "expect-reason") {
        if (!contains(value["reason"], text)) fail("the reason does not name " text ": " value["reason"])
    } else if (what == "expect-warning-or-reason") {
        if (!contains(value["reason"], text) && !list_contains("warnings", "", text))
            fail("neither reason nor warning names " text ": " value["reason"] "; " list_text("warnings", ""))
    } else if (what == "expect-in-states") {
        if (!list_has("states", text)) fail(text " is not among the states: " list_text("states", ""))
    } else if (what == "expect-in-algebraic") {
        if (!list_has("algebraic", text)) fail(text " is not algebraic: " list_text("algebraic", ""))
    } else if (what == "expect-exit") expected_exit = text + 0
    else if (what != "expect-equation" && what != "expect-equivalent") fail("expectation not understood: " what)
}

function quoted_words(text,    n, i, word) {
    n = split(text, word, /[ \t]+/)
    text = ""
    for (i = 1; i <= n; i++) text = text (i > 1 ? " " : "") (word[i] ~ /^[A-Za-z0-9_=.,\[\]+-]*$/ ? word[i] : quoted(word[i]))
    return text
}
function quoted(text) { gsub(/'/, "'\\''", text); return "'" text "'" }

# The order of terms may differ between the model and its flat text: all the same characters, and the same everything
# outside formulas, count as equal (that the formulas are equal in value is tested by test_parse_back).
function same_but_order(a, b) {
    return characters(a) == characters(b) && without_formulas(a) == without_formulas(b)
}
# A model from components: a.b[2].x is printed as 'a.b[2].x' in the flat text, members of arrays of components and functions
# one by one. Everything but formulas is the same.
function same_but_names(a, b) {
    return (flat_lines || a ~ /"[^" ]*[A-Za-z0-9_\]]\.[A-Za-z_][^" ]*"/) && without_formulas(a) == without_formulas(b)
}
function without_formulas(text) {
    gsub(/"(equation|differentiated)":"([^"\\]|\\.)*"/, "F", text)
    gsub(/"(constraints|warnings|relies_on)":\[("([^"\\]|\\.)*",?)*\]/, "F", text)
    sub(/"reason":"([^"\\]|\\.)*"/, "F", text)
    return text
}
function characters(text,    all, i, c, n, out) {
    all = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*/^()[]{}<>.,:_'"
    out = ""
    for (i = 1; i <= length(all); i++) {
        c = substr(all, i, 1)
        n = split(text, parts, c == "." || c == "*" || c == "^" || c == "(" || c == "[" || c == "{" ? "[" (c == "^" ? "\\^" : c) "]" : c)
        out = out n ","
    }
    return out
}

# what may differ when the same model is read from its flat text: places in the file, and the quotes of a.b
function without_places(text) {
    gsub(/\\*'/, "", text)
    gsub(/"from":\[[^]]*\]/, "\"from\":[]", text)
    gsub(/[A-Za-z0-9_.\/-]+\.mop?:[0-9]+(:[0-9]+)?/, "PLACE", text)
    gsub(/(PLACE, )+PLACE/, "PLACE", text)
    gsub(/equation of motion of [^,]*, PLACE/, "PLACE", text)
    return text
}

function run_block(    command, json, other, i, flat, flat_args) {
    if (long_block && brief) return
    failed_here = 0
    expected_exit = 0
    command = daedal " check --json " quoted(file) " " args
    json = output_of(command " 2>" quoted(scratch ".err"))
    answer_exit = exit_code
    if (!parse_json(json)) fail("the answer is not JSON: " json)
    if (!("status" in value)) fail("the answer has no status")
    for (i = 1; i <= lines; i++) check_line(line_what[i], line_text[i])
    if (answer_exit != expected_exit) fail("exit code " answer_exit ", expected " expected_exit)
    if (!flat_lines && !brief) check_surroundings(json)
    # the flat text
    if (value["status"] == "ok" && (flat_lines || !brief)) {
        flat = scratch ".mo"
        system("rm -f " quoted(flat))
        output_of(daedal " check --flat " quoted(file) " " args " >" quoted(flat) " 2>" quoted(scratch ".err"))
        if (flat_lines) check_flat(flat)
        if (brief) flat = ""
        if (flat != "") other = output_of(daedal " check --json " quoted(flat) " 2>" quoted(scratch ".err"))
        other = without_places(other)
        if (flat != "" && other != without_places(json) && !same_but_order(other, without_places(json)) && !same_but_names(other, without_places(json))) {
            fail("the flat text does not check to the same:")
            if (verbose) { print without_places(json); print without_places(other); system("cat " quoted(flat) " " quoted(scratch ".err")) }
        }
    }
    if (verbose && failed_here) { print json; system("cat " quoted(scratch ".err")) }
    if (failed_here) failed++; else passed++
}
# for people, again, and in other surroundings
function check_surroundings(json,    other) {
    other = output_of(daedal " check " quoted(file) " " args " 2>&1")
    if (exit_code != answer_exit || length(other) < 20) fail("without --json: exit code " exit_code " and " other)
    # again, and in other surroundings
    other = output_of("cd / && LC_ALL=" (other_locale == "" ? "C.UTF-8" : other_locale) " LANG=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 TZ=Asia/Tokyo TERM=xterm " \
                      daedal " check --json " quoted(absolute(file)) " " args " 2>" quoted(scratch ".err"))
    gsub(quoted_pattern(absolute(file)), file, other)
    if (other != json) fail("the answer differs in another locale and folder:\n" json "\n" other)
}
# the expected lines against those of the file
function check_flat(flat,    i, line) {
    for (i = 1; (getline line < flat) > 0; i++)
        if (i > flat_lines || line != flat_line[i]) {
            fail("the flat model: line " i " is `" line "`, expected `" (i > flat_lines ? "nothing more" : flat_line[i]) "`")
            close(flat)
            return
        }
    close(flat)
    if (i <= flat_lines) fail("the flat model ends before `" flat_line[i] "`")
}
function absolute(path) { return substr(path, 1, 1) == "/" ? path : folder "/" path }
function quoted_pattern(text) { gsub(/[.+\[\]()*?^$\\|{}]/, "\\\\&", text); return text }

BEGIN {
    "pwd" | getline folder
    "mktemp -d" | getline scratch_folder
    scratch = scratch_folder "/model"
    "locale -a 2>/dev/null | grep -i -m 1 -E 'de_DE|fr_FR|\\.utf-?8'" | getline other_locale
    for (a = 1; a < ARGC; a++) run_file(ARGV[a])
    system("rm -rf " quoted(scratch_folder))
    print passed + 0 " passed, " failed + 0 " failed"
    exit failed > 0
}
function run_file(name,    line, what, text, number) {
    file = name
    lines = 0; flat_lines = 0; args = ""; blocks = 0; block_line = 1; number = 0; long_block = 0
    while ((getline line < name) > 0) {
        number++
        if (substr(line, 1, 4) == "//| ") { flat_line[++flat_lines] = substr(line, 5); continue }
        if (!match(line, /^[ \t]*\/\/ (run|long|expect[a-z-]*): /)) continue
        text = substr(line, RSTART + RLENGTH)
        what = substr(line, RSTART, RLENGTH)
        sub(/^[ \t]*\/\/ /, "", what); sub(/: $/, "", what)
        sub(/[ \t\r]+$/, "", text)
        if (what == "run") {
            if (lines + flat_lines) { run_block(); blocks++ }
            gsub(/@/, corpus, text)
            lines = 0; flat_lines = 0; args = quoted_words(text); block_line = number; long_block = 0
        } else if (what == "long") {
            long_block = 1
        } else {
            lines++
            line_what[lines] = what; line_text[lines] = text
        }
    }
    close(name)
    if (lines + flat_lines) { run_block(); blocks++ }
    if (blocks == 0) { args = ""; failed_here = 0; fail("no expectations"); failed++ }
}
