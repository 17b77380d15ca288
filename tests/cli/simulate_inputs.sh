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
printf 'time,u,u\n0,1,1\n' >bad.csv;            wrong '`u` appears twice'
printf 'time,u\n0,1\n1\n' >bad.csv;             wrong 'bad.csv:3: 1 fields, but the header has 2'
printf 'time,u\n0,1\n1,x\n' >bad.csv;           wrong 'bad.csv:3: `x` in field 2 is not a finite number'
printf 'time,u\n0,1\n1,\n' >bad.csv;            wrong 'bad.csv:3: `` in field 2'
printf 'time,u\n0,nan\n' >bad.csv;              wrong 'bad.csv:2: `nan`'
printf 'time,u\n0,1e999\n' >bad.csv;            wrong 'bad.csv:2: `1e999`'
printf 'time,u\n1,1\n0,1\n' >bad.csv;           wrong 'bad.csv:3: time goes backwards'
printf 'time,u\n0,"1\n' >bad.csv;               wrong 'no closing quote'
printf 'time,u\n0,"1"2\n' >bad.csv;             wrong 'text follows a closing quote'
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

# ---- what is silent elsewhere ----
# inputs beside a conserved sum, whose coefficients are computed before the table is connected: a = 3/4 + exp(-4 t)/4, a + b = 3
cat >shared.mo <<'M'
model Shared
  input Real u;
  Real a(start = 1, fixed = true), b(start = 2, fixed = true), c(start = 0, fixed = true);
equation
  der(a) = b - 3*a;
  der(b) = 3*a - b;
  der(c) = u - c;
end Shared;
M
printf 'time,u\n0,1\n1,1\n' >one.csv
run shared.mo --input one.csv --tol 1e-9 --json
awk -v a="$(value a)" -v b="$(value b)" -v c="$(value c)" 'BEGIN {
    exit !((a - 0.75457890972218) ^ 2 < 1e-16 && (a + b - 3) ^ 2 < 1e-26 && (c - 0.63212055882856) ^ 2 < 1e-16) }' ||
    complain "shared.mo: a $(value a), b $(value b), c $(value c) (exit code $code)"

# an input that nothing feeds keeps its start value, which is said; so is the 0 of one without; a column is a value
model hover <<'EOF'
model Hover
  parameter Real m = 1.2;
  input Real thrust(start = 9.81*m + 0.6), push[2];
  Real h(start = 0, fixed = true), v(start = 0, fixed = true) = der(h);
equation
  m*der(v) = thrust + push[1] - m*9.81;
end Hover;
EOF
answer 0 ok hover.mo
near v 0.5 1e-6
[[ $(value messages) == *"nothing feeds the input thrust = 12.372, which keeps its start value"* &&
    $(value messages) == *"nothing feeds the inputs push[1], push[2], which are 0"* ]] || complain "messages: $(value messages)"
printf 'time,"push[1]"\n0,1.2\n1,1.2\n' >push.csv
answer 0 ok hover.mo --input "$folder/push.csv" --set m=1
near v 1.8 1e-6
[[ $(value messages) == *"push.csv has no column for thrust = 10.41"*"no column for push[2], which is 0"* ]] ||
    complain "messages: $(value messages)"
answer 0 ok hover.mo --set thrust=0 --set 'push={0,0}'
[[ $(value messages) == "[]" ]] || complain "messages: $(value messages)"
# a start value of --set that other conditions leave no room for
model circle <<'EOF'
model Circle
  Real x(start = 0.6, fixed = true), y(start = 0.8), v(start = 0), z;
equation
  der(x) = v;
  der(y) = z;
  x^2 + y^2 = 1;
  der(v) = -x;
end Circle;
EOF
answer 0 ok circle.mo --set y=0.3
[[ $(value messages) == *"y = 0.3, as set, was only a guess: y starts at 0.8"* ]] || complain "messages: $(value messages)"
answer 0 ok circle.mo --set y=0.8 --set v=0.1
[[ $(value messages) != *"guess"* ]] || complain "messages: $(value messages)"
# a jump whose derivative is needed: an impulse in algebraic variables is said, whatever makes it jump
model impulses <<'EOF'
model Inductor
  parameter Real L = 1e-3;
  input Real i;
  Real e, iL = i;
equation
  L*der(iL) = e;
end Inductor;
model Follower "index 3"
  parameter Real tk = 0.4, slope = 3;
  Real x, v = der(x), a = der(v);
equation
  x = if time < tk then 1 else 1 + slope*(time - tk);
end Follower;
model Twice "at once, in an array, on the way down"
  Real x[2] = {if time > 0.25 then 0 else 2, if time > 0.25 then time else 0.25}, r[2] = der(x);
end Twice;
model ByState
  Real q(start = 0, fixed = true), x = if q > 0.5 then 1 else 0, r = der(x);
equation
  der(q) = 1;
end ByState;
model BySign
  Real q(start = 0, fixed = true), x = sign(q - 0.5), r = der(x);
equation
  der(q) = 1;
end BySign;
model Trolley "the speed of the pendulum would have to jump"
  input Real s;
  Real v, th(start = 0, fixed = true), w(start = 0, fixed = true) = der(th);
equation
  v = der(s);
  der(w) = -9.81*sin(th) - der(v)*cos(th);
end Trolley;
model Hoist "the end of a rope whose speed jumps"
  parameter Real tk = 0.5;
  Real l = if time < tk then 1 else 1 + 0.3*(time - tk);
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true) = der(x), v = der(y), f;
equation
  der(u) = -f*x;
  der(v) = -f*y - 9.81;
  x^2 + y^2 = l^2;
end Hoist;
EOF
says() { # WORDS: a message or the reason
    [[ "$(value messages) $(value reason)" == *"$1"* ]] || { complain "expected \"$1\""; show; }
}
answer 0 ok impulses.mo Inductor --set 'i=if time < 0.5 then 0 else 1'
says 'impulse at time 0.5, where `time < 0.5` of the input i changes: iL jumps from 0 to 1'
says 'so is e'
near e 0 0
for jump in 'sign(time - 0.5)' 'noEvent(if time < 0.5 then -1 else 1)' '2*noEvent(floor(time + 0.5)) - 1'; do
    answer 0 ok impulses.mo Inductor --set "i=$jump"
    says 'impulse at time 0.5'
    says 'iL jumps from -1 to 1'
    says 'so is e'
done
# the moment is that of the time alone, so that a small jump is no error of the solution
for tol in 1e-3 1e-4 1e-6; do
    answer 0 ok impulses.mo Inductor --set 'i=0.25*mod(time, 0.4)' --tol $tol
    says 'impulse at time 0.4, where `mod(time, 0.4)` of the input i changes: iL jumps from 0.1 to'
done
for corner in 'abs(time - 0.5)' 'noEvent(if time < 0.5 then 0 else time - 0.5)' '(time - 0.5)*sign(time - 0.5)'; do
    answer 0 ok impulses.mo Inductor --set "i=$corner"
    [[ $(value messages) != *impulse* ]] || complain "$corner has a corner and no jump"
done
# equations as written leave the hidden constraints; going back onto them at an event is no impulse, a jump is one
model pushed <<'EOF'
model Pushed
  input Real f;
  Real x(start = 0.3, fixed = true), y(start = -2), u(start = 0, fixed = true) = der(x), v = der(y), T;
equation
  der(u) = -T*(x - 0.3*sin(2*time)) + f;
  der(v) = -T*y - 9.81;
  (x - 0.3*sin(2*time))^2 + y^2 = 4;
end Pushed;
EOF
printf 'time,f\n0,0.2\n0.3,-0.4\n0.3,0.9\n1,0.3\n' >"$folder/push.csv"
answer 0 ok pushed.mo --input "$folder/push.csv" --tol 1e-10
exact=$(value x)
for method in 'implicit-euler 5e-2' 'radau-2 1e-4' 'radau-3 1e-5' 'lobatto-3 1e-4' 'lobatto-iiia-3 1e-5' 'gauss-3 1e-5' 'bdf-2 5e-3' 'trapezoidal 5e-3'; do
    read -r name off <<<"$method"
    answer 0 ok pushed.mo --input "$folder/push.csv" --form original --method $name --step 0.05
    [[ $(value messages) != *impulse* ]] || complain "$name: $(value messages)"
    near x $exact $off
done
answer 0 ok pushed.mo --input "$folder/push.csv" --form original
[[ $(value messages) != *impulse* ]] || complain "$(value messages)"
answer 0 ok impulses.mo Inductor --set 'i=if time < 0.5 then 0 else 1' --form original --method radau-3 --step 0.03
says 'impulse at time 0.5, where `time < 0.5` of the input i changes: iL jumps from 0 to 1'
answer 1 singular impulses.mo Hoist --form original --method radau-3 --step 0.01
says 'at time 0.5, where `time < tk` changes'
answer 0 ok impulses.mo Inductor --set 'i=if time < 0.5 then 0 else time - 0.5'
[[ $(value messages) != *impulse* ]] || complain "a corner of a current is no impulse"
answer 0 ok impulses.mo Follower
says 'impulse at time 0.4'
says 'v jumps from 0 to 3'
says 'so is a'
answer 0 ok impulses.mo Follower --set slope=0
[[ $(value messages) != *impulse* ]] || complain "nothing jumps"
answer 0 ok impulses.mo Twice
says 'impulse at time 0.25'
says 'x[1] jumps from 2 to 0'
answer 0 ok impulses.mo BySign
says 'impulse at time 0.5'
says 'x jumps from -1 to 1'
says 'so is r'
answer 0 ok impulses.mo ByState
says 'impulse at time 0.5'
says 'so is r'
for way in '--method radau' '--method bdf' '--method rk4 --step 0.01' '--method radau --points 7'; do
    answer 1 singular impulses.mo Trolley $way --set 's=if time < 0.5 then 0 else time - 0.5'
    near t 0.5 1e-9
    says 'acts on w, which would have to jump'
    answer 1 singular impulses.mo Hoist $way
    near t 0.5 1e-9
    says 'requires a jump of u, v, which are states'
done
for way in dummy baumgarte none; do
    answer 1 singular impulses.mo Hoist --stabilize $way
    near t 0.5 1e-9
done
answer 0 ok impulses.mo Trolley --set 's=if time < 0.5 then 0 else (time - 0.5)^2'
answer 0 ok impulses.mo Hoist --set tk=2
printf 'time,i\n0,0\n0.5,0\n0.5,1\n1,1\n' >step.csv
for way in linear spline; do
    answer 1 invalid_model impulses.mo Inductor --input step.csv --interpolate $way
    says 'needs der(i)'
done
# multistep formulas with given steps begin anew behind an event
model stop <<'EOF'
model Stop
  Real x(start = 0, fixed = true), v(start = 1, fixed = true) = der(x);
equation
  der(v) = if x > 0.5 then -8*v else 0;
end Stop;
EOF
for m in 1 2 4 6; do
    answer 0 ok stop.mo --method bdf-$m --step 0.001 # x = 0.5 + (1 - exp(-4))/8
    near x 0.622710545 1e-3
done
finish
