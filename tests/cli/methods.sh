#!/usr/bin/env bash
# daedal methods: names, files, pictures, wrong input; exit codes and where the text goes. Usage: methods.sh PATH_OF_DAEDAL
set -u
daedal=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# expect CODE STREAM PATTERN ARGS...: exit code, and PATTERN on STREAM (out or err)
expect() {
    local code=$1 stream=$2 pattern=$3 got
    shift 3
    timeout 20 "$daedal" "$@" >"$folder/out" 2>"$folder/err"
    got=$?
    if [ $got -ne "$code" ] || ! grep -q -e "$pattern" "$folder/$stream"; then
        echo "daedal $*: exit code $got, expected $code and \"$pattern\" on std$stream; got:"
        head -c 2000 "$folder/out" | sed 's/^/    out: /'
        head -c 2000 "$folder/err" | sed 's/^/    err: /'
        failed=1
    fi
}
complain() { echo "$*"; failed=1; }

expect 0 out '^  methods ' help
expect 0 out '^usage: daedal methods \[NAME\]' help methods
expect 0 out '^  rk4  *explicit  *4  *4' methods
expect 0 out '^{"methods":\[{"name":"euler","stages":1,"order":1,"kind":"explicit","row_sums_ok":true,"stability":{"numerator":\[1,1\],' methods --json
expect 0 out 'dopri54' methods --tol 1e-3
expect 0 out '"suggestion":{"nonstiff":"[a-z0-9]*","stiff":"[a-z0-9-]*"}}$' methods --tol 1e-8 --json
expect 0 out '^{"name":"gauss-2","stages":2,"order":4,"kind":"implicit","A":\[\[0.25,-0.0386751345948128[0-9]*\],' methods gauss-2 --json
expect 0 out '"denominator":\[1,-0.5,0.08333333333333333\],"a_stable":true,"l_stable":false},"embedded":null}$' methods gauss-2 --json
expect 0 out '0.211324865405187117745425609749 |' methods gauss-2 --digits 30
expect 0 out '"order":39,' methods radau-20 --json
expect 2 err 'there is no method "dorpi54"; did you mean "dopri54"?' methods dorpi54
expect 2 err 'gauss-S takes S from 1 to 20' methods gauss-21
expect 2 out '"status":"invalid_argument","reason":"there is no method' methods gauss-21 --json
expect 2 err 'not both' methods rk4 --tableau x.json
expect 2 err '--plot needs a method' methods --plot "$folder/x.svg"
expect 2 err '--tol must be below 1' methods --tol 2
expect 2 err '--tol nan: expected a positive number' methods --tol nan
expect 2 err '34 at most' methods rk4 --digits 35
expect 2 err 'unexpected argument euler' methods rk4 euler
expect 2 err 'unknown option --set' methods --set a=1

# every listed name is a method
for name in $("$daedal" methods | awk 'NF == 0 { exit } NR > 1 { print $1 }'); do
    "$daedal" methods "$name" --json >/dev/null || complain "$name is listed but refused"
done

# files: read, read back, refused with a place
cat >"$folder/heun.json" <<'END'
{"name": "heun", "A": [[0, 0], [1, 0]], "b": ["1/2", "1/2"], "bhat": [1, 0]}
END
expect 0 out '^heun: an explicit Runge-Kutta method with 2 stages, order 2, embedded formula of order 1' methods --tableau "$folder/heun.json"
for name in rk4 dopri54 gauss-4 dop853 lobatto-3; do
    "$daedal" methods $name --json >"$folder/a.json"
    "$daedal" methods --tableau "$folder/a.json" --json >"$folder/b.json"
    # 17 digits instead of 34: the polynomials may differ in their last ones, and a double cannot show more
    for key in name stages order kind; do
        a=$(grep -o "\"$key\":[^,]*" "$folder/a.json" | head -n 1)
        b=$(grep -o "\"$key\":[^,]*" "$folder/b.json" | head -n 1)
        [ "$a" = "$b" ] || complain "$name read back: $a became $b"
    done
    [ "$(grep -o '"._stable":[a-z]*' "$folder/a.json")" = "$(grep -o '"._stable":[a-z]*' "$folder/b.json")" ] ||
        complain "$name read back is of another stability"
done
printf '{"A": [[0, 0], [1]],\n "b": ["1/2", "1//2"]}' >"$folder/bad.json"
expect 1 err 'bad.json:1:16: error: row 2 of A has 1 entry; 2 are needed' methods --tableau "$folder/bad.json"
expect 1 err 'bad.json:2:18: error: b, entry 2: a number is missing here' methods --tableau "$folder/bad.json"
expect 1 out '^{"status":"invalid_model","reason":"row 2 of A.*"line":2,"column":18,' methods --tableau "$folder/bad.json" --json
printf '{"A": [[NaN]], "b": [1]}' >"$folder/nan.json"
expect 1 err 'nan.json:1:9: error: NaN is not a JSON value' methods --tableau "$folder/nan.json"
head -c 1000000 /dev/zero | tr '\0' '[' >"$folder/deep.json"
expect 1 err 'deep.json:1:65: error: brackets are nested more than 64 deep' methods --tableau "$folder/deep.json"
head -c 5000000 /dev/zero | tr '\0' ' ' >"$folder/huge.json"
expect 1 err 'huge.json is larger than' methods --tableau "$folder/huge.json"
expect 1 err 'cannot read .*none.json: No such file' methods --tableau "$folder/none.json"
expect 1 err 'cannot read' methods --tableau "$folder"
head -c 100000 /dev/urandom >"$folder/noise.json"
expect 1 err 'error: ' methods --tableau "$folder/noise.json"

# pictures: written whole or not at all
expect 0 out 'rk4' methods rk4 --plot "$folder/rk4.svg"
[ "$(head -c 4 "$folder/rk4.svg")" = "<svg" ] && [ "$(tail -n 1 "$folder/rk4.svg")" = "</svg>" ] || complain "no picture of rk4"
expect 0 out '"name":"bdf-3"' methods bdf-3 --json --plot "$folder/bdf.svg"
expect 0 out 'heun' methods --tableau "$folder/heun.json" --plot "$folder/heun.svg"
expect 1 err 'cannot write' methods rk4 --plot "$folder/none/rk4.svg"
cp "$folder/rk4.svg" "$folder/kept.svg"
for n in 1 2 3 4 5; do
    "$daedal" methods euler --plot "$folder/kept.svg" --fail-file-at $n >/dev/null 2>&1
    cmp -s "$folder/kept.svg" "$folder/rk4.svg" || [ "$(tail -n 1 "$folder/kept.svg")" = "</svg>" ] || complain "half a picture"
done
ls -A "$folder" | grep -q '\.tmp$' && complain "a temporary file was left"

# the same bytes every time
"$daedal" methods --json >"$folder/1.json"
"$daedal" methods --json >"$folder/2.json"
cmp "$folder/1.json" "$folder/2.json" || failed=1
exit $failed
