#!/usr/bin/env bash
# A picture of some columns of a trajectory, for the pages of docs/examples. Usage: plot.sh FILE.csv OUT.svg TITLE NAME...
#
#   daedal simulate examples/rectifier.mo --points 500 -o r.csv
#   tools/plot.sh r.csv docs/examples/rectifier.svg 'voltages in V' source.v c.v
set -eu
csv=$1 out=$2 title=$3
shift 3
names=$(printf '%s\n' "$@")
LC_ALL=C awk -v names="$names" -v title="$title" '
# fields of a line of CSV: quotes may hold commas
function split_line(line, field,    n, c, i, quoted, text) {
    n = 1; text = ""; quoted = 0
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) { field[n++] = text; text = "" }
        else text = text c
    }
    field[n] = text
    return n
}
# a step of 1, 2 or 5 times a power of ten that cuts the range into about five
function nice(range,    p, m) {
    p = 10^int(log(range/5)/log(10) - (range/5 < 1 ? 1 : 0)); m = range/5/p
    return (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10)*p
}
function px(t) { return 60 + 560*(t - t0)/(t1 - t0) }
function py(y) { return 220 - 190*(y - lo)/(hi - lo) }
BEGIN { want = split(names, name, "\n"); split("#1f5fa8 #c4562b #3a8a4d #7b4fa3 #a08a1e #3aa0a8", color, " ") }
NR == 1 {
    n = split_line($0, field)
    for (i = 1; i <= n; i++) for (k = 1; k <= want; k++) if (field[i] == name[k]) column[k] = i
    for (k = 1; k <= want; k++) if (!column[k]) { print "no column " name[k] > "/dev/stderr"; exit 1 }
    next
}
{
    n = split($0, field, ",")
    rows++; t[rows] = field[1] + 0
    for (k = 1; k <= want; k++) {
        y = field[column[k]] + 0; v[rows, k] = y
        if (!seen++) lo = hi = y
        if (y < lo) lo = y
        if (y > hi) hi = y
    }
}
END {
    if (!rows) exit 1
    t0 = t[1]; t1 = t[rows]; if (hi == lo) hi = lo + 1
    pad = 0.04*(hi - lo); lo -= pad; hi += pad
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 270\" font-family=\"sans-serif\" font-size=\"12\">"
    print "<rect width=\"640\" height=\"270\" fill=\"#fff\"/>"
    print "<text x=\"60\" y=\"18\" fill=\"#333\">" title "</text>"
    s = nice(hi - lo)
    for (y = s*int(lo/s + (lo > 0)); y <= hi; y += s) {
        if (y < lo) continue
        if (y*y < 1e-20*s*s) y = 0
        printf "<path d=\"M60 %.1fH620\" stroke=\"#ddd\"/><text x=\"54\" y=\"%.1f\" text-anchor=\"end\" fill=\"#555\">%.4g</text>\n", py(y), py(y) + 4, y
    }
    s = nice(t1 - t0)
    for (x = s*int(t0/s); x <= t1*(1 + 1e-9); x += s)
        printf "<path d=\"M%.1f 220v4\" stroke=\"#999\"/><text x=\"%.1f\" y=\"238\" text-anchor=\"middle\" fill=\"#555\">%.4g</text>\n", px(x), px(x), x
    print "<path d=\"M60 30V220H620\" fill=\"none\" stroke=\"#999\"/>"
    at = 60
    for (k = 1; k <= want; k++) {
        printf "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" d=\"", color[(k - 1)%6 + 1]
        for (i = 1; i <= rows; i++) printf "%s%.1f %.1f", i == 1 ? "M" : "L", px(t[i]), py(v[i, k])
        printf "\"/>\n<text x=\"%d\" y=\"260\" fill=\"%s\">%s</text>\n", at, color[(k - 1)%6 + 1], name[k]
        at += 24 + 7*length(name[k])
    }
    print "</svg>"
}' "$csv" >"$out"
