#!/bin/sh
# Checks who includes whom. A module of src/ may include itself and modules of a lower level; the numerical modules
# never see expressions or models; the command line sees public headers only; public headers only each other. No private
# header is included from another module, ARCHITECTURE.md names every file, and only the command line writes options with
# dashes.
cd "$(dirname "$0")/.." || exit 1
failed=0
patterns=$(grep -oE '`([a-z]+/)?[a-z_0-9*]+\.c`' ARCHITECTURE.md | tr -d '`')
find src include/daedal -name '*.[ch]' | LC_ALL=C sort | xargs grep -Hn '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' |
    awk '
    BEGIN {
        levels = "base|graph result|la expr report|nls nlp eval model methods|integ mech|structure lang sens|dynamics|init|sim|ocp|control|study|export|cli"
        n = split(levels, row, "|")
        for (i = 1; i <= n; i++) {
            m = split(row[i], name, " ")
            for (j = 1; j <= m; j++) level[name[j]] = i
        }
        split("graph la nls nlp methods integ", blind, " ")
        for (i in blind) no_symbols[blind[i]] = 1
    }
    function complain(text) { printf "%s:%s: %s\n", file, line, text; bad++ }
    {
        split($0, part, ":")
        file = part[1]; line = part[2]
        match($0, /"[^"]*"/)
        header = substr($0, RSTART + 1, RLENGTH - 2)
        slash = index(header, "/")
        target = slash ? substr(header, 1, slash - 1) : ""
        checked++
        if (target == "") { complain("\"" header "\" names no module (write \"module/file.h\")"); next }
        if (file ~ /^include\//) {
            if (target != "daedal") complain("a public header includes \"" header "\"")
            next
        }
        split(file, dir, "/"); module = dir[2]
        if (!(module in level)) { complain("module " module " has no level"); next }
        if (target == "daedal") {
            if ((module in no_symbols) && header ~ /^daedal\/(expr|model|check|daedal)\.h$/)
                complain(module " must not see \"" header "\"")
            next
        }
        if (module == "cli" && target != "cli") { complain("cli includes the private \"" header "\""); next }
        if (!(target in level)) { complain("unknown module in \"" header "\""); next }
        if (target == module) next
        if (header ~ /_(impl|private)\.h$/) complain("\"" header "\" is private to " target)
        if (level[target] >= level[module]) complain(module " (level " level[module] - 1 ") must not include " target " (level " level[target] - 1 ")")
        if ((module in no_symbols) && (target == "expr" || target == "model")) complain(module " must not see " target)
        if (module == "report" && target != "result" && target != "base") complain("report reads result only")
    }
    END {
        printf "layering: %d includes checked, %d wrong\n", checked, bad
        exit bad > 0
    }' || failed=1

# the tables of ARCHITECTURE.md name every file of these rooms, by itself or by a pattern such as parse_*.c
for room in lang structure dynamics init sim methods integ sens ocp control study export; do
    ls "src/$room"/*.c
done | awk -v patterns="$patterns" '
    BEGIN {
        n = split(patterns, glob, "\n")
        for (i = 1; i <= n; i++) {
            gsub(/\./, "\\.", glob[i]); gsub(/\*/, ".*", glob[i])
            with_room = with_room (glob[i] ~ /\// ? "|" glob[i] : "")
            alone = alone (glob[i] ~ /\// ? "" : "|" glob[i])
        }
        with_room = "^(" substr(with_room, 2) ")$"; alone = "^(" substr(alone, 2) ")$"
    }
    { path = substr($0, 5); name = path; sub(/.*\//, "", name) }
    path !~ with_room && name !~ alone { print $0 ": not in the tables of ARCHITECTURE.md"; bad++ }
    END { exit bad > 0 }' || failed=1

# the library speaks of options by their name: outside src/cli a string has --name or -o only as the literal of
# dd_option_word or dd_option_phrase, which leave out the dashes for programs
find src -name '*.[ch]' ! -path 'src/cli/*' | LC_ALL=C sort | xargs awk '
    function scan(    line, before, token) {
        line = 1
        # string, comment or character, whichever comes first
        while (match(text, /"([^"\\]|\\.)*"|\/\*([^*]|\*+[^*\/])*\*+\/|\047([^\047\\]|\\.)+\047/)) {
            before = substr(text, 1, RSTART - 1)
            token = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            line += gsub(/\n/, " ", before)
            if (token ~ /^".*(--[a-zA-Z]|[ "]-o )/ && before !~ /dd_option_(word|phrase)\([^,;]*, *$/)
                printf "%s:%d: %s: write the option with dd_option_word\n", file, line, token
            line += gsub(/\n/, "", token)
        }
        text = ""
    }
    FNR == 1 { scan(); file = FILENAME }
    { text = text $0 "\n" }
    END { scan() }' | { ! grep .; } || failed=1
exit $failed
