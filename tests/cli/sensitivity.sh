#!/usr/bin/env bash
# simulate --sensitivity: columns and keys, names that cannot be used. Usage: sensitivity.sh PATH_OF_DAEDAL
set -u
daedal=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

cat >"$folder/m.mo" <<'MO'
model M
  parameter Real rate = 0.7, c[2] = {1, 2};
  parameter Integer n = 2;
  parameter Real off = 0;
  constant Real pi = 3.14;
  input Real u;
  Real x[n](each start = 1.5, each fixed = true), y = c[1]*x[1] + c[2]*x[2], z(start = 1);
equation
  der(x[1]) = -rate*x[1] + u;
  der(x[2]) = -rate*c[2]*x[2] + off*z;
  z^3 + pi*z = 1 + x[1];
end M;
MO

say() {
    echo "$*"
    failed=1
}

# refused PATTERN NAMES: exit code 2 and the message
refused() {
    "$daedal" simulate "$folder/m.mo" --sensitivity "$2" >"$folder/out" 2>"$folder/err"
    local code=$?
    if [ $code -ne 2 ] || ! grep -q -e "$1" "$folder/err" || [ -s "$folder/out" ]; then
        say "--sensitivity $2: exit code $code; expected \"$1\", got: $(cat "$folder/err")"
    fi
}

refused 'there is no parameter or variable "rat"; did you mean "rate"?' rat
refused 'there is no parameter or variable "c\[3\]"; did you mean "c\[' 'rate,c[3]'
refused 'no derivative by n, ' n
refused 'no derivative by pi, it is a constant' pi
refused 'no derivative by off, the structure of the model depends on its value' off

# JSON: every variable, by every element of an array, by a start value
"$daedal" simulate "$folder/m.mo" --stop 1 --tol 1e-9 --sensitivity 'rate,c, x[1]' --json >"$folder/json" 2>"$folder/err" ||
    say "simulate --sensitivity failed: $(cat "$folder/err")"
number='-\?[0-9.e+-]*'
for key in '"sensitivity":{"rate":{"x\[1\]":' '"c\[1\]":{"x\[1\]":0,"x\[2\]":0,"y":' '"c\[2\]":{' '"x\[1\]":{"x\[1\]":0.49658530'; do
    grep -q "$key" "$folder/json" || say "no $key in $(cat "$folder/json")"
done
# dx/drate = -t x, at the end -1.5 exp(-0.7) = -0.74487795...
grep -q '"rate":{"x\[1\]":-0.7448779' "$folder/json" || say "wrong d(x[1])/d(rate) in $(cat "$folder/json")"

# CSV: columns after the variables, the first row is the start
"$daedal" simulate "$folder/m.mo" --points 10 --sensitivity 'rate,x[2]' -o "$folder/m.csv" >"$folder/out" 2>&1 ||
    say "simulate -o failed: $(cat "$folder/out")"
header='time,"x[1]","x[2]",y,z,"d(x[1])/d(rate)","d(x[2])/d(rate)",d(y)/d(rate),d(z)/d(rate),"d(x[1])/d(x[2])","d(x[2])/d(x[2])","d(y)/d(x[2])","d(z)/d(x[2])"'
[ "$(head -n 1 "$folder/m.csv")" = "$header" ] || say "header: $(head -n 1 "$folder/m.csv")"
[ "$(wc -l <"$folder/m.csv")" -eq 12 ] || say "$(wc -l <"$folder/m.csv") lines"
sed -n 2p "$folder/m.csv" | grep -q ',0,0,0,0,0,1,2,0$' || say "first row: $(sed -n 2p "$folder/m.csv")"
awk -F, 'NF != 13 { exit 1 }' "$folder/m.csv" || say "rows of different length"

# a start that is only a guess acts on nothing, and that is said
"$daedal" simulate "$folder/m.mo" --sensitivity z --json >"$folder/json" 2>&1
grep -q 'the start value of z is a guess, not a condition' "$folder/json" || say "guess: $(cat "$folder/json")"
grep -q '"sensitivity":{"z":{"x\[1\]":0,"x\[2\]":0,"y":0,"z":0}}' "$folder/json" || say "guess: $(cat "$folder/json")"

# by an input: adding a constant to it, whatever feeds it: nothing, a formula, a table. x[1]' = -rate x[1] + u
by_u='-e "s/.*\"sensitivity\":{\"u\":{\"x\[1\]\":\([^,]*\),.*/\1/p"'
printf 'time,u\n0,0.1\n0.4,0.5\n0.4,2\n1,1\n' >"$folder/u.csv"
for feed in '' '--set u=sin(9*time)' "--input $folder/u.csv" "--input $folder/u.csv --interpolate spline" '--method rk4 --step 0.001' \
    '--method bdf-3 --step 0.001 --set u=2'; do
    "$daedal" simulate "$folder/m.mo" --tol 1e-10 --sensitivity u $feed --json >"$folder/json" 2>&1
    got=$(eval sed -n "$by_u" '"$folder/json"')
    # (1 - exp(-0.7))/0.7
    awk -v a="$got" 'BEGIN { exit !(a != "" && (a - 0.719164)^2 < 1e-10) }' || say "$feed: d(x[1])/d(u) is '$got' in $(cut -c1-300 "$folder/json")"
done

# by values of a table: integrals of exp(-0.7 (1 - s)) over a piece, and with the hat functions of single rows
values='u@0:0.4,u@0.4,u@0.4-,u@1'
for way in '--tol 1e-10' '--method rk4 --step 0.001' '--method radau-3 --step 0.01' '--method bdf-5 --step 0.002' '--method chebyshev-6 --step 0.1'; do
    "$daedal" simulate "$folder/m.mo" --sensitivity "$values" --input "$folder/u.csv" $way --json >"$folder/json" 2>&1
    for pair in '0:0.4 0.2292307372' '0.4 0.2278691016' '0.4- 0.1199571098' '1 0.2620640130'; do
        got=$(sed -n -e "s/.*\"u@${pair% *}\":{\"x\[1\]\":\([^,]*\),.*/\1/p" "$folder/json")
        awk -v a="$got" -v b="${pair#* }" 'BEGIN { exit !(a != "" && (a - b)^2 < 1e-14) }' || say "$way: by u@$pair got '$got'"
    done
done
# equal neighbours are two values all the same
printf 'time,u\n0,1\n0.5,1\n0.5,1\n1,1\n' >"$folder/same.csv"
"$daedal" simulate "$folder/m.mo" --tol 1e-10 --sensitivity 'u@0:0.5,u@0.5:1' --input "$folder/same.csv" --json >"$folder/json" 2>&1
sed -n -e 's/.*"u@0:0.5":{"x\[1\]":\([^,]*\),.*"u@0.5:1":{"x\[1\]":\([^,]*\),.*/\1 \2/p' "$folder/json" |
    awk '{ found = ($1 - 0.2972896942)^2 < 1e-14 && ($2 - 0.4218741575)^2 < 1e-14 } END { exit !found }' || say "equal neighbours: $(cut -c1-300 "$folder/json")"
refused 'no derivative by u@0.4, the input has no table' u@0.4
refused 'no derivative by rate@0.4, it is not an input' rate@0.4
refused '"u@x" names no values of a table' u@x
"$daedal" simulate "$folder/m.mo" --sensitivity u@0.3 --input "$folder/u.csv" >"$folder/out" 2>"$folder/err"
[ $? -eq 2 ] && grep -q 'has no row at time 0.3; the nearest one is at 0.4' "$folder/err" || say "u@0.3: $(cat "$folder/err")"

# a kink where values agree on both sides, since the input is 0, and derivatives do not: dw/du is the integral of max(x, 1/2)
cat >"$folder/kink.mo" <<'MODEL'
model Kink
  input Real u;
  Real x(start = 1, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = -x;
  der(w) = u*max(x, 0.5);
end Kink;
MODEL
for way in '--tol 1e-9' '--tol 1e-9 --method bdf' '--tol 1e-9 --method dop853' '--method rk4 --step 0.01' '--method radau-3 --step 0.1'; do
    "$daedal" simulate "$folder/kink.mo" $way --sensitivity u --json >"$folder/json" 2>&1
    got=$(sed -n -e 's/.*"sensitivity":{"u":{"x":[^,]*,"w":\([^,}]*\).*/\1/p' "$folder/json")
    # 1/2 until log(2), then (1 - log(2))/2
    awk -v a="$got" 'BEGIN { d = a - (1 - log(2)/2); exit !(a != "" && d < 1e-7 && d > -1e-7) }' ||
        say "$way: by the input of a kink got '$got' in $(cut -c1-300 "$folder/json")"
done

# people see them too
"$daedal" simulate "$folder/m.mo" --sensitivity rate >"$folder/out" 2>&1
grep -q 'Derivatives by rate' "$folder/out" || say "text: $(cat "$folder/out")"

exit $failed
