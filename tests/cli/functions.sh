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

# noDerivative = s: the value depends on s, only its rate is not asked for
cat >follow.mo <<'MODEL'
package Follow
  function place "of {position, speed, acceleration}"
    input Real s[3];
    input Real t;
    output Real r = s[1];
    annotation(derivative(noDerivative = s) = place_d);
  end place;
  function place_d
    input Real s[3];
    input Real t;
    input Real dt;
    output Real r = s[2];
    annotation(derivative(noDerivative = s, order = 2) = place_dd);
  end place_d;
  function place_dd
    input Real s[3];
    input Real t;
    input Real dt;
    input Real ddt;
    output Real r = s[3];
  end place_dd;
  function level "a value and its rate"
    input Real s[2];
    input Real t;
    output Real r = s[1];
    annotation(derivative(noDerivative = s) = level_d);
  end level;
  function level_d
    input Real s[2];
    input Real t;
    input Real dt;
    output Real r = s[2];
  end level_d;

  model Behind "the second mass follows the first, by the function"
    Real p1(start = 1, fixed = true), v1(start = 0, fixed = true), a1, p2, v2, a2;
  equation
    der(p1) = v1;
    der(v1) = a1;
    der(p2) = v2;
    der(v2) = a2;
    p1 = place({p2, v2, a2}, time);
    a1 = -9*p1;
  end Behind;
  model Ahead "the same, the other way round"
    Real p[2](start = {1, 1}, fixed = {false, true}), v[2](start = {0, 0}, fixed = {false, true}), a[2];
  equation
    der(p) = v;
    der(v) = a;
    p[1] = 2*place({p[2], v[2], a[2]}, time);
    a[1] = -9*p[1];
  end Ahead;
  model Loop "the marked argument belongs to an algebraic loop: x = x/2 + z, so x = 2*z"
    Real x, z(start = 1, fixed = true);
  equation
    der(z) = -z;
    x = level({x/2, 0}, time) + z;
  end Loop;
  model Signals "a motion given by signals: no derivative of u[1] is needed"
    input Real u[3];
    Real p, v, f;
  equation
    der(p) = v;
    2*der(v) = f;
    p = place(u, time);
  end Signals;
  model OneRate
    Real a(start = 2, fixed = true), b, r;
  equation
    der(a) = -a;
    der(b) = r;
    a = level({b, r}, time);
  end OneRate;
end Follow;
MODEL
expect '"index":3,' check follow.mo Follow.Behind --json
expect '"dof":2,' check follow.mo Follow.Behind --json
expect '1x  v1 - v2 = 0' check follow.mo Follow.Behind
expect '2x  a1 - a2 = 0' check follow.mo Follow.Behind
expect 'p2  -0.989992' simulate follow.mo Follow.Behind # cos(3)
expect 'v2  -0.42336' simulate follow.mo Follow.Behind  # -3*sin(3)
expect 'p[1]  -1.97998' simulate follow.mo Follow.Ahead # 2*cos(3)
expect 'x   0.735759' simulate follow.mo Follow.Loop     # 2*exp(-1)
expect 'b   0.735759' simulate follow.mo Follow.OneRate # 2*exp(-1)
expect '"input_derivatives":[]' check follow.mo Follow.Signals --json
expect 'v   1' simulate follow.mo Follow.Signals --set "u[1]=time^2/2" --set "u[2]=time" --set "u[3]=1"
expect 'f   2' simulate follow.mo Follow.Signals --set "u[1]=time^2/2" --set "u[2]=time" --set "u[3]=1"

# assertions of functions: called alone, and only where the branch around the call is taken. x falls from 1 to below 0
cat >guarded.mo <<'MODEL'
package Guarded
  function positive
    input Real x;
  algorithm
    assert(x > 0, "not positive");
  end positive;
  function root
    input Real x;
    output Real y;
  algorithm
    positive(x) "a root has a slope there";
    y := sqrt(x);
  end root;
  function inStatement
    input Real x;
    output Real y;
  algorithm
    if x > 0 then y := root(x); else y := 0; end if;
  end inStatement;
  model Falls
    Real x(start = 1, fixed = true);
    output Real a = inStatement(x), b = noEvent(if x < -9 then 1 elseif x <= 0 then 0 else root(x));
  equation
    der(x) = -1;
  end Falls;
  model Alone
    Real x[2](start = {1, 2}, each fixed = true);
  equation
    der(x) = {-1, 0};
    for i in 1:2 loop
      positive(x[i] - 0.25);
    end for;
  end Alone;
end Guarded;
MODEL
expect 'a   0' simulate guarded.mo Guarded.Falls --stop 2
expect 'at time 0.75: not positive' simulate guarded.mo Guarded.Alone --stop 2

[ $failed = 0 ] && echo "functions work from the text to the run"
exit $failed
