#!/usr/bin/env bash
# The page of daedal check: formulas, structure, values; failures; files that cannot be written. Usage: check_page.sh PATH_OF_DAEDAL
set -u
export LC_ALL=C
daedal=$(realpath "$1")
: "${DAEDAL_SOURCE:=$(realpath "$(dirname "$0")/../..")}"
. "$(dirname "$0")/page_kit.bash"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failed=0

complain() {
    echo "$*"
    failed=1
}

"$daedal" check "$DAEDAL_SOURCE/examples/spherical_pendulum.mo" --report page.html >out || complain "check: $(cat out)"
grep -q '  page in page.html' out || complain "the answer does not name the page"
self_contained page.html || complain "the page needs something from elsewhere"
for part in 'a DAE of index 3 with 4 degrees' '<math display="block">' '>incidence' '>block-triangular form' \
    'Values at the start' 'differentiated twice' 'reduction step by step'; do
    grep -q "$part" page.html || complain "the page has no $part"
done
# formulas are closed: as many endings as beginnings of each element
for tag in math mrow mfrac msub msup mover mtable svg table; do
    [ "$(grep -o "<$tag[ >]" page.html | wc -l)" -eq "$(grep -o "</$tag>" page.html | wc -l)" ] || complain "<$tag> is not closed"
done

# entries of the patterns have words: of the equation and of the unknown
grep -q '"rows":\[.*`p\*p - L^2 = 0` .*"columns":\["p\[1\]"' page.html || complain "patterns have no words"

# pages of linearize: several times are in one, and so are pencils; the pendulum's has one block at infinity, of its index
"$daedal" linearize "$DAEDAL_SOURCE/examples/spherical_pendulum.mo" --at 0,0.5,1 --report lin.html >out || complain "linearize: $(cat out)"
"$daedal" linearize "$DAEDAL_SOURCE/examples/spherical_pendulum.mo" --at 0,1 --descriptor --report pencil.html >out || complain "pencil: $(cat out)"
grep -q 'at 3 times from 0 to 1: 4 states' lin.html && grep -q '>Matrices at time 1<' lin.html && grep -q '"name":"time 0.5"' lin.html ||
    complain "linearize: three times are not in the page"
[ "$(grep -c '4 finite, 3 infinite in Jordan blocks of sizes 3' pencil.html)" -eq 2 ] || complain "the pencils are not in the page"
self_contained pencil.html || complain "the page of pencils needs something from elsewhere"

# the JSON is the same with a page
"$daedal" check "$DAEDAL_SOURCE/examples/spherical_pendulum.mo" --json >plain
"$daedal" check "$DAEDAL_SOURCE/examples/spherical_pendulum.mo" --json --report page.html >with
cmp -s plain with || complain "the page changes the JSON"

cat >wrong.mo <<'EOF'
model Wrong
  Real x, y;
equation
  x + y = 1;
  2*x + 2*y = 3;
end Wrong;
EOF
"$daedal" check wrong.mo --report wrong.html >out
[ $? -eq 1 ] && grep -q 'class="fail"' wrong.html || complain "a model that fails: $(cat out)"
"$daedal" check wrong.mo --report none/page.html >out 2>&1
[ $? -eq 1 ] && grep -q 'cannot write' out || complain "a folder that is not there: $(cat out)"
exit $failed
