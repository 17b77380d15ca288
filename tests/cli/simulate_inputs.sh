#!/usr/bin/env bash
# daedal simulate --input: inputs from tables. Usage: simulate_inputs.sh PATH_OF_DAEDAL
set -u
. "$(dirname "$0")/simulate_kit.bash"

model sum <<'EOF'
model Sum
  input Real u, w;
  input Real q[2];
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Real level = if u > 2 then 1 else 0;
equation
  der(x) = u;
  der(y) = w + q[2];
end Sum;
EOF
# what is linear between rows and jumps where a time is repeated is integrated exactly
printf 'other,time,u,"q[2]"\na,0,0,1\nb,1,1,1\nc,1,5,1\n"d,e",2,5,3\nf,2,0,3\ng,3,3,3\n' >u.csv
answer 0 ok sum.mo --input u.csv --stop 3 --tol 1e-9 -o out.csv
near x 7 1e-9
near y 6 1e-9
near events 3 0 # two jumps, and u passes 2 at 8/3
[ "$(grep -c '^1,' out.csv)" -eq 2 ] || complain "the jump at 1 is not in the trajectory twice"
[[ $(value messages) == *"has no column for w, q[1], which are 0"* ]] || complain "messages: $(value messages)"
awk -F, 'NR > 1 { want = $1 < 1 ? 0 : $1 < 2 ? 1 : $1 < 2.6666 ? 0 : 1
                  if ($1 != 1 && $1 != 2 && ($1 < 2.6666 || $1 > 2.6667) && $4 != want) bad = 1
                  if ($1 > 2.6666 && $1 < 2.6667) sides = sides $4 }
         END { exit bad || sides != "01" }' \
    out.csv || complain "relations do not see the jumps of an input"
# windows line ends, a byte order mark, quotes and blanks are fine
printf '\357\273\277"time","u"\r\n0, 2 \r\n"1",3\r\n\r\n' >u.csv
answer 0 ok sum.mo --input u.csv
near x 2.5 1e-9
# beyond its ends the file's values are held, and that is said
answer 0 ok sum.mo --input u.csv --start -1 --stop 2
near x 7.5 1e-7
[[ $(value messages) == *"begins at time 0"*"ends at time 1"* ]] || complain "messages: $(value messages)"
# --set counts more than a column
answer 0 ok sum.mo --input u.csv --set 'u=2*time'
near x 1 1e-7
[[ $(value messages) == *"u is given by --set"* ]] || complain "messages: $(value messages)"
answer 0 ok sum.mo --set 'u=2*time'
near x 1 1e-7
answer 0 ok sum.mo
near x 0 0

# ---- splines ----
awk 'BEGIN { print "time,u"; for (i = 0; i <= 40; i++) printf "%.17g,%.17g\n", i/10, sin(i/10) }' >sine.csv
answer 0 ok sum.mo --input sine.csv --interpolate spline --stop 4 --tol 1e-10
near x 1.6536436208636118 1e-6 # 5/384 h^4 per unit of time is 5e-6
answer 0 ok sum.mo --input sine.csv --stop 4 --tol 1e-10
near x 1.6536436208636118 2e-3
awk -v x="$(value x)" 'BEGIN { d = x - 1.6536436208636118; exit !(d > 1e-4 || d < -1e-4) }' || complain "linear is as good as splines?"

# ---- derivatives of inputs: as many as the form has ----
model tied <<'EOF'
model Tied
  input Real u;
  Real x, y;
equation
  x = u;
  der(x) = y;
end Tied;
EOF
model tied3 <<'EOF'
model Tied3
  input Real u;
  Real x, v, a, j;
equation
  x = u;
  der(x) = v;
  der(v) = a;
  der(a) = j;
end Tied3;
EOF
answer 0 ok tied.mo --input sine.csv --interpolate spline --stop 3
near y -0.9899924966004454 1e-4
answer 1 invalid_model tied.mo --input sine.csv
[[ $(value reason) == *'`x = u`'*'needs der(u)'*'--interpolate spline'* ]] || complain "the reason is $(value reason)"
answer 1 invalid_model tied3.mo --input sine.csv --interpolate spline
[[ $(value reason) == *'needs der('*'two derivatives'* ]] || complain "the reason is $(value reason)"
printf 'time,u\n0,0\n1,1\n1,2\n2,2\n' >jump.csv
answer 1 invalid_model tied.mo --input jump.csv --interpolate spline --stop 2
[[ $(value reason) == *'jumps at time 1'* ]] || complain "the reason is $(value reason)"

# ---- files that are wrong: line and cause ----
wrong() {
    answer 1 invalid_model sum.mo --input bad.csv
    grep -qE -e "$1" out || { complain "expected \"$1\""; show; }
}
: >bad.csv;                                     wrong 'bad.csv:1: the file is empty'
printf 'time,u\n' >bad.csv;                     wrong 'no rows'
printf 't,u\n0,1\n' >bad.csv;                   wrong 'no column is named `time`'
printf 'time,v\n0,1\n' >bad.csv;                wrong 'bad.csv:1: no column is named like an input'
printf 'time,q[3]\n0,1\n' >bad.csv;             wrong 'is `q\[3\]` the input `q\[[12]\]`'
printf 'time,u,u\n0,1,1\n' >bad.csv;            wrong '`u` is there twice'
printf 'time,u\n0,1\n1\n' >bad.csv;             wrong 'bad.csv:3: 1 fields, but the header has 2'
printf 'time,u\n0,1\n1,x\n' >bad.csv;           wrong 'bad.csv:3: `x` in field 2 is not a finite number'
printf 'time,u\n0,1\n1,\n' >bad.csv;            wrong 'bad.csv:3: `` in field 2'
printf 'time,u\n0,nan\n' >bad.csv;              wrong 'bad.csv:2: `nan`'
printf 'time,u\n0,1e999\n' >bad.csv;            wrong 'bad.csv:2: `1e999`'
printf 'time,u\n1,1\n0,1\n' >bad.csv;           wrong 'bad.csv:3: time goes backwards'
printf 'time,u\n0,"1\n' >bad.csv;               wrong 'no closing quote'
printf 'time,u\n0,"1"2\n' >bad.csv;             wrong 'behind a closing quote'
printf 'time,u\n0,1\0\n' >bad.csv;              wrong 'zero byte'
answer 1 invalid_model sum.mo --input missing.csv
expect 1 'cannot read missing.csv' sum.mo --input missing.csv
model none <<'EOF'
model None
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end None;
EOF
answer 1 invalid_model none.mo --input sine.csv
[[ $(value reason) == *"None has no inputs"* ]] || complain "the reason is $(value reason)"
finish
