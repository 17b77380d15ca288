#!/usr/bin/env bash
# Functions from the text to the run: a given derivative is used by index reduction, a parameter in an `if` of a function
# can be set, a constraint written as a function is kept in a simulation.
# Usage: functions.sh PATH_OF_DAEDAL
set -u
daedal=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

# expect PATTERN ARGS: the output has a line with the pattern
expect() {
    local pattern=$1
    shift
    "$daedal" "$@" >out 2>&1
    if ! grep -q -F -e "$pattern" out; then
        echo "daedal $* does not say \"$pattern\":"
        sed 's/^/    /' out | head -n 20
        failed=1
    fi
}

# the derivative is wrong on purpose: 2*a + 100 for a^2
cat >given.mo <<'MODEL'
function square
  input Real a;
  output Real y;
algorithm
  y := a^2;
  annotation(derivative = square_der);
end square;
function square_der
  input Real a;
  input Real a_der;
  output Real y_der;
algorithm
  y_der := (2*a + 100)*a_der;
end square_der;
model Given
  Real x(start = 1), u;
equation
  der(x) = u;
  square(x) = time + 1;
end Given;
MODEL
expect "2*u*(x + 50) - 1 = 0" check given.mo
sed 's/(2\*a + 100)/2*a/' given.mo >right.mo
expect "2*x*u - 1 = 0" check right.mo

# a pendulum whose constraint is a function with a derivative of its own; its length must stay 1
cat >pendulum.mo <<'MODEL'
function length2
  input Real p[:];
  output Real y = p*p;
  annotation(derivative = length2_der);
end length2;
function length2_der
  input Real p[:];
  input Real p_der[size(p, 1)];
  output Real y = 2*(p*p_der);
end length2_der;
function side
  input Real s;
  output Real y;
algorithm
  if s > 0 then
    y := 1;
  else
    y := -1;
  end if;
end side;
model Pendulum
  parameter Real s = 1;
  Real p[2](start = {1, 0}, fixed = {true, false}), v[2](start = {0, 0}, fixed = {false, true});
  Real lambda, error = abs(length2(p) - 1);
equation
  der(p) = v;
  der(v) = -2*lambda*p - {0, side(s)*9.81};
  length2(p) = 1;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Pendulum;
MODEL
expect "index 3" check pendulum.mo
for s in 1 -2; do
    "$daedal" simulate pendulum.mo --set s=$s -o run.csv >out 2>&1 || { cat out; failed=1; }
    awk -F, -v s=$s '
        NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i } next }
        { y = $at["p[2]"]*s; if (y > highest) highest = y; e = $at["error"]; if (e > worst) worst = e }
        END {
            if (NR < 10 || highest > 1e-3 || worst > 1e-6) {
                print "pendulum with s = " s ": above its start by " highest ", length wrong by " worst
                exit 1
            }
        }' run.csv || failed=1
done
# a root by bisection, 24 relations: no events, and the integral of the root is 2/3*t^1.5; with GenerateEvents there are
cat >bisection.mo <<'MODEL'
function root
  input Real a;
  output Real m;
protected
  Real low = 0, high = 2;
algorithm
  for k in 1:STEPS loop
    m := (low + high)/2;
    if m*m > a then
      high := m;
    else
      low := m;
    end if;
  end for;
  annotation(GenerateEvents = EVENTS);
end root;
model Bisection
  Real y(start = 0, fixed = true);
equation
  der(y) = root(time + 1);
  annotation(experiment(StopTime = 1));
end Bisection;
MODEL
sed 's/STEPS/24/; s/EVENTS/false/' bisection.mo >smooth.mo
expect "y   1.21895" simulate smooth.mo -o smooth.csv
grep -q " event" out && { echo "bisection in a function makes events"; failed=1; }
sed 's/STEPS/4/; s/EVENTS/true/' bisection.mo >jumps.mo
expect " event" simulate jumps.mo -o jumps.csv
[ $failed = 0 ] && echo "functions work from the text to the run"
exit $failed
