#!/usr/bin/env bash
# daedal simulate: relations, kinks and roots. What a relation decides at the start and behind an event agrees with the
# values it depends on. Usage: simulate_relations.sh PATH_OF_DAEDAL
set -u
: "${DAEDAL_SOURCE:=$(realpath "$(dirname "$0")/../..")}"
. "$(dirname "$0")/simulate_kit.bash"
methods=${METHODS:-radau} # tests/verify has all of them

# ---- the start: relations, initial equations and values agree ----
model chain <<'EOF'
model Chain "d follows c follows b follows a follows the level, which an initial equation gives"
  parameter Real high = 2;
  Real level(start = 0), y(start = 0), a, b, c, d;
initial equation
  level = high;
  y = d;
equation
  d = if c < 0 then 5 else 7;
  c = if b > 3 then -1 else 1;
  b = if a > 0.5 then 4 else 1;
  a = if level > 1 then 1 else 0;
  der(level) = 0;
  der(y) = 0;
end Chain;
EOF
answer 0 ok chain.mo
near y 5 0
answer 0 ok chain.mo --set high=0.5
near y 7 0
for method in $methods; do
    answer 0 ok chain.mo --method $method
    near y 5 0
done

model mixed <<'EOF'
model Mixed "c was solved with a of now and d of before, where a relation of both is another than before and after"
  parameter Real level = 3;
  Real x(start = -5), y(start = 0), a, b, c, d;
initial equation
  x = level;
  y = a + b - c + 2*d;
equation
  a = if x >= 1.3 then 0 else 3;
  b = if -2*a <= 0.7 then 0 else 3;
  c = if 1.5*a - d >= 0.7 then 1 else 4;
  d = if x <= 0.7 then 1 else -1;
  der(x) = 0;
  der(y) = 0;
end Mixed;
EOF
answer 0 ok mixed.mo
near y -3 0
answer 0 ok mixed.mo --set level=1
near y 0 0
answer 0 ok mixed.mo --set level=0.5
near y 4 0

model in_turn <<'EOF'
model InTurn "y = 1 makes it 0, y = 0 makes it 1"
  Real b, y(start = 0);
initial equation
  y = b;
equation
  b = if y < 0.5 then 1 else 0;
  der(y) = 0;
end InTurn;
EOF
answer 1 init_failed in_turn.mo
expect 1 'relations alternate .`y < 0.5` in `b = if y < 0.5 then 1 else 0`' in_turn.mo

model between <<'EOF'
model Between "the values in turn lead from 1.6 to 0 and back; 0.6 fits"
  Real b, c, y(start = 0);
initial equation
  y = b + c;
equation
  b = if y < 0.5 then 1 else 0;
  c = if y < 0.75 then 0.6 else 0;
  der(y) = 0;
end Between;
EOF
answer 0 ok between.mo
near y 0.6 1e-12

model modes <<'EOF'
model Modes "a constraint whose coefficient a chain of relations decides"
  Real x(start = 1, fixed = true), y(start = 1), z, s(start = 1, fixed = true), a, b;
equation
  der(s) = -s;
  a = if s > 0.5 then 1 else -1;
  b = if a > 0 then 1 else 4;
  der(x) = -x + z;
  der(y) = z;
  x + b*y^2 = 2;
  annotation(experiment(StopTime = 0.5));
end Modes;
EOF
answer 0 ok modes.mo
near b 1 0

# ---- kinks in constraints: frozen in the stages and in the projection alike ----
model kinks <<'EOF'
model Kinks "2*x - y = -1.5*exp(-time), whatever the constraint does"
  Real x(start = 0, fixed = true), y(start = 1), z;
equation
  der(x) = -x + z;
  der(y) = -y + 2*z;
  x^2 + y = 1 + abs(mod(time, 1) - 0.5);
  annotation(experiment(StopTime = 5));
end Kinks;
EOF
for method in $methods; do
    answer 0 ok kinks.mo --tol 1e-8 --method $method
    awk -v x="$(value x)" -v y="$(value y)" 'BEGIN { e = 2*x - y + 1.5*exp(-5); exit !(e*e < 1e-14) }' ||
        complain "kinks.mo with $method: x = $(value x), y = $(value y)"
    awk -v s="$(value steps)" -v r="$(value rejected)" 'BEGIN { exit !(r < s/4) }' ||
        complain "kinks.mo with $method: $(value rejected) of $(value steps) steps rejected"
done

# ---- abs, sign, min, max: no events, and the tolerance holds ----
model waves <<'EOF'
model Waves "integrals over 40 half waves: of abs 80/w, of sign 0, of the positive part 40/w"
  parameter Real w = 6;
  Real a(start = 0, fixed = true), s(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(a) = abs(sin(w*time));
  der(s) = sign(sin(w*time));
  der(m) = max(sin(w*time), 0);
  annotation(experiment(StopTime = 20.943951023931955));
end Waves;
EOF
for method in $methods; do
    answer 0 ok waves.mo --method $method --tol 1e-7
    near a 13.333333333333334 2e-5
    near s 0 2e-5
    near m 6.666666666666667 2e-5
done
model slow <<'EOF'
model Slow "the kink at 1 is far below the tolerance"
  Real x(start = 0, fixed = true);
equation
  der(x) = 1 + 1e-9*max(time - 1 + 0*x, 0) + 1e-9*abs(x - 1);
  annotation(experiment(StopTime = 2));
end Slow;
EOF
for method in $methods; do
    answer 0 ok slow.mo --method $method
    near events 0 0
    near x 2.0000000015 1e-7
done
model noise <<'EOF'
model Noise "x is zero but for rounding errors"
  Real p(start = 0.1, fixed = true), q(start = 0.3, fixed = true), x = p + p + p - q, y(start = 0, fixed = true);
equation
  der(p) = -p;
  der(q) = -q;
  der(y) = max(x, 0) + min(x, 0) + abs(x) + (if x > 0 then x else -x) - y + 1;
  annotation(experiment(StopTime = 3));
end Noise;
EOF
for method in $methods; do
    answer 0 ok noise.mo --method $method
    near y 0.950212931632136 1e-5
done

# ---- dry friction: it stops, sticks and breaks away ----
model friction <<'EOF'
model Friction
  parameter Real mu = 1;
  Real v(start = 1, fixed = true);
equation
  der(v) = -mu*sign(v);
  annotation(experiment(StopTime = 3));
end Friction;
model Stick "sticks until 2 sin t = 1; the force is above 1 wherever v passes zero later"
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), force = sign(v);
equation
  der(x) = v;
  der(v) = 2*sin(time) - force;
  annotation(experiment(StopTime = 12));
end Stick;
EOF
for method in $methods; do
    answer 0 ok friction.mo Friction --method $method
    near v 0 1e-6
    near events 0 0
    answer 0 ok friction.mo Friction --method $method --set v=-2 --set mu=3
    near v 0 1e-6
    answer 0 ok friction.mo Stick --method $method --tol 1e-8
    near v -1.3507180752215477 1e-6
    near x 1.1963672478050658 1e-6
    answer 0 ok friction.mo Stick --method $method --stop 0.3 --tol 1e-8
    near force 0.5910404133226791 1e-3
done
answer 1 chattering friction.mo Friction --method rk4 --step 0.01
answer 1 chattering friction.mo Stick --method rk4 --step 0.01

# ---- roots at zero ----
model roots <<'EOF'
model Fill "time = -2 (sqrt(h) + log(1 - sqrt(h)))"
  parameter Real p = 0.5;
  Real h(start = 0, fixed = true);
equation
  der(h) = 1 - h^p;
end Fill;
model Drain "(1 - t/2)^2 until 2, then empty"
  Real h(start = 1, fixed = true), q = sqrt(h);
equation
  der(h) = -q;
  annotation(experiment(StopTime = 4));
end Drain;
model Refill
  Real h(start = 1, fixed = true);
equation
  der(h) = -sqrt(max(h, 0)) + (if time > 3 then 0.5 else 0);
  annotation(experiment(StopTime = 5));
end Refill;
model Tanks "equal from t = 1 on"
  Real h1(start = 1, fixed = true), h2(start = 0, fixed = true), d = h1 - h2, q = sign(d)*sqrt(abs(d));
equation
  der(h1) = -q;
  der(h2) = q;
  annotation(experiment(StopTime = 3));
end Tanks;
model Three
  Real h[3](start = {1, 0.2, 0.5}, each fixed = true), q[2];
equation
  for i in 1:2 loop
    q[i] = if h[i] > h[i + 1] then sqrt(h[i] - h[i + 1]) else -sqrt(h[i + 1] - h[i]);
  end for;
  der(h[1]) = -q[1];
  der(h[2]) = q[1] - q[2];
  der(h[3]) = q[2];
  annotation(experiment(StopTime = 5));
end Three;
model Signs "the same levels, by signs"
  Real h[3](start = {1, 0, 0.5}, each fixed = true), q[2];
equation
  for i in 1:2 loop
    q[i] = sign(h[i] - h[i + 1])*sqrt(abs(h[i] - h[i + 1]));
  end for;
  der(h[1]) = -q[1];
  der(h[2]) = q[1] - q[2];
  der(h[3]) = q[2];
  annotation(experiment(StopTime = 5));
end Signs;
model Leaves "no square root from t = 1 on"
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -1;
  der(y) = sqrt(x);
  annotation(experiment(StopTime = 2));
end Leaves;
EOF
few() { # few MOST: not more steps than that
    awk -v s="$(value steps)" -v most="$1" 'BEGIN { exit !(s <= most) }' || complain "$(value steps) steps, expected $1"
}
for method in $methods; do
    answer 0 ok roots.mo Fill --method $method
    near h 0.48760953 1e-6
    answer 0 ok roots.mo Fill --method $method --set p=0.3
    near h 0.38480149 1e-6
    answer 0 ok roots.mo Drain --method $method --points 4
    near h 0 1e-6
    few 2000
    answer 0 ok roots.mo Drain --method $method --stop 1.5
    near h 0.0625 1e-6
    answer 0 ok roots.mo Refill --method $method
    near h 0.22445370 1e-6
    answer 0 ok roots.mo Tanks --method $method
    near h1 0.5 1e-6
    near q 0 1e-3
    near events 0 0
    few 100
    answer 0 ok roots.mo Tanks --method $method --set h1=0.5 --set h2=0.5
    near h1 0.5 1e-12
    answer 0 ok roots.mo Three --method $method
    near 'h[2]' 0.5666666666666667 1e-5
    few 5000
    answer 1 nonfinite roots.mo Leaves --method $method
    near t 1 1e-5
done

# auto notices that the layer of an empty tank is stiff, although steps there swing by less than the tolerance
for tol in 1e-6 1e-10; do
    answer 0 ok roots.mo Drain --tol $tol
    near h 0 $tol
    few 300
done

# implicit steps of a given size arrive at zero and stay there: Newton's method alone goes from h to -h and back
for how in 'implicit-euler 0.05' 'radau-2 0.03' 'radau-3 0.05' 'gauss-3 0.05' 'lobatto-4 0.03' 'trapezoidal 0.03' 'bdf-4 0.05' 'bdf-4 0.013' 'bdf-6 0.02'; do
    answer 0 ok roots.mo Drain --method ${how% *} --step ${how#* }
    near h 0 1e-7
    answer 0 ok roots.mo Tanks --method ${how% *} --step ${how#* }
    near h1 0.5 1e-7
done

# explicit steps of a fixed size have no layer: levels swing by the square of the step, and no step is divided for ever
for method in euler midpoint rk4 dop853; do
    answer 0 ok roots.mo Signs --method $method --step 0.02
    near 'h[2]' 0.5 2e-3
    few 600
done

# A first integral that long steps would lose to rounding, y2 = y3 + y4, while y2 falls to 1e-22 by 1/(1.13e9 t); with sizes
# as parameters too, and beside another one
model reactions <<'EOF'
model Chain
  parameter Real A = 7.89e-10, B = 1.1e7, C = 1.13e3, D = 1.13e9;
  Real y1(start = 1.76e-3, fixed = true), y2(start = 0, fixed = true), y3(start = 0, fixed = true), y4(start = 0, fixed = true);
  Real u(start = 2, fixed = true), v(start = 1, fixed = true);
equation
  der(y1) = -A*y1 - B*y1*y3;
  der(y2) = A*y1 - D*y2*y3;
  der(y3) = A*y1 - B*y1*y3 - D*y2*y3 + C*y4;
  der(y4) = B*y1*y3 - C*y4;
  der(u) = -1e4*u*v + v;
  2*der(v) = 1e4*u*v - v;
  annotation(experiment(StopTime = 1e13));
end Chain;
EOF
for method in radau bdf; do
    answer 0 ok reactions.mo --method $method --tol 1e-8 --atol 1e-28
    near y2 8.861233521e-23 1e-28
    near y3 8.861233521e-23 1e-28
    near u 1e-4 1e-12
    near v 1.99995 1e-8
    few 6000
done

# Momentum as an integral beside a constraint, x1 = (4.3 t - 0.3 sin(t))/4; as written, of index 3, estimates have no order
model rod <<'EOF'
model Rod
  parameter Real m1 = 1, m2 = 3;
  Real x1(start = 0, fixed = true), x2(start = 2), v1(start = 1, fixed = true), v2, lam;
equation
  der(x1) = v1;
  der(x2) = v2;
  m1*der(v1) = lam;
  m2*der(v2) = -lam;
  x2 - x1 = 2 + 0.1*sin(time);
  annotation(experiment(StopTime = 5));
end Rod;
EOF
for way in "--method radau" "--method bdf" "--method dop853" "--form original --method radau"; do
    answer 0 ok rod.mo $way --tol 1e-8
    near x1 5.446919320599735 1e-7
done

model twice <<'EOF'
model Twice "conditions that change some roundings of the time apart: x = 2*(1 - exp(1 - time)) behind them"
  parameter Real gap = 4e-13;
  Real x(start = 0, fixed = true), y;
equation
  der(x) = -y + (if time < 1 then 0 else 1) + (if time < 1 + gap then 0 else 1);
  y^3 + y = x^3 + x;
  annotation(experiment(StopTime = 2));
end Twice;
EOF
for method in radau bdf chebyshev dopri54; do
    for gap in 4e-15 4e-14 4e-13 4e-12; do
        answer 0 ok twice.mo --method $method --tol 1e-8 --set gap=$gap
        near x 1.2642411176571153 1e-8
    done
done

model implicit_rate <<'EOF'
model ImplicitRate "x = sin(w*time + p) by a cubic in its rate: the event is located where further stages of dop853 have that rate"
  parameter Real w = 2.75, k = 20, c = 0.8, p = 0;
  Real x(start = sin(p), fixed = true), y(start = 0, fixed = true), f = w*cos(w*time + p);
equation
  der(x) + k*der(x)^3 + x = f + k*f^3 + sin(w*time + p);
  der(y) = if x > c then 1 else 0;
  annotation(experiment(StopTime = 2));
end ImplicitRate;
EOF
for tol in 1e-3 1e-5 1e-7; do
    answer 0 ok implicit_rate.mo --method dop853 --tol $tol
    near x -0.7055403255703919 3${tol#1} # sin(5.5)
    answer 0 ok implicit_rate.mo --method dop853 --tol $tol --set p=4 --set k=0.8
    near x -0.07515112046180931 3${tol#1} # sin(9.5)
done

model stalls <<'EOF'
model Stalls "x = sin(time), q = 1e-8*sin(time), z = 1e8*cos(time): at events Newton's corrections end at rounding errors"
  Real x(start = 0, fixed = true), z(start = 1e8, nominal = 1e8), q(start = 0, fixed = true, nominal = 1e-8);
equation
  der(x) = z/1e8 + (if time < 0.5 then 0 else 1) - (if q/1e-8 < sin(0.5) then 0 else 1);
  z/1e8 + (z/1e8)^3 + 0.1*sin(q/1e-8) = cos(time) + cos(time)^3 + 0.1*sin(sin(time));
  der(q)/1e-8 + (der(q)/1e-8)^3 = cos(time) + cos(time)^3 + 0.3*(z/1e8 - cos(time));
end Stalls;
EOF
for how in 'dop853 1e-10' 'dop853 1e-11' 'dop853 1e-12' 'dopri54 1e-12'; do
    answer 0 ok stalls.mo --method ${how% *} --tol ${how#* }
    near x 0.84147098480789651 ${how#* }
done

model tangent <<'EOF'
model Tangent "at x = 1 the circle allows no vx: y = 1e-15 and vy = 1e15 are rounding errors, not a start"
  Real x(start = 1, fixed = true), y(start = 0), vx(start = 1, fixed = true), vy(start = 0), l;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -l*x;
  der(vy) = -l*y - 9.81;
  x^2 + y^2 = 1;
end Tangent;
EOF
answer 1 init_failed tangent.mo --max-steps 1000
expect 1 'no consistent one exists with x = 1 .fixed., vx = 1 .fixed.' tangent.mo --max-steps 1000

model unstable <<'EOF'
model Unstable "rk4 with 500 h = 25: the message names the step and the kind of the method"
  Real y(start = 1, fixed = true), z;
equation
  der(y) = -500*(y - sin(time)) + cos(time)*z;
  z^3 + z = y + 1;
end Unstable;
EOF
answer 1 nonfinite unstable.mo --method rk4 --step 0.05
expect 1 'steps of 0.05 are outside the stability region of rk4.*, or an implicit method' unstable.mo --method rk4 --step 0.05
answer 0 ok unstable.mo --method radau-2 --step 0.05

# ---- a relation within a block that no value agrees with is named ----
model opposed <<'MODEL'
model Opposed
  Real x(start = 0.5, fixed = true), a;
equation
  a = if a > 0.5 then 0 else 1;
  der(x) = a;
end Opposed;
MODEL
answer 1 init_failed opposed.mo
expect 1 'relations change.*0.5 < a. in.*opposed.mo:4' opposed.mo

# ---- an event behind which there is no solution: the values printed are those at the event ----
model bounce <<'MODEL'
model Bounce "behind x = 0 the constraint asks for 1 = 0; x = 1 - time/2 up to there"
  Real x(start = 1, fixed = true), y, l;
equation
  der(x) = -1 + l;
  der(y) = -l;
  abs(x) - y = 0;
end Bounce;
MODEL
answer 1 singular bounce.mo --stop 3
"$daedal" simulate bounce.mo --stop 3 --json | sed -n 's/.*"t":\([^,]*\),.*"final":{"x":\([^,]*\),.*/\1 \2/p' |
    awk '{ good = ($1 - 2)^2 < 1e-12 && $2^2 < 1e-12 } END { exit !good }' || complain "values at the event: not x = 0 at time 2"

# ---- abs, min and max within noEvent, and in functions, are kinks like any other: integrals of |sin(2 t)| ----
model unseen <<'EOF'
model Unseen
  function length
    input Real u;
    output Real r;
  algorithm
    r := max(u, -u);
  end length;
  Real y(start = 0, fixed = true), z(start = 0, fixed = true), s(start = 0, fixed = true), c(start = 1, fixed = true);
equation
  der(s) = 2*c;
  der(c) = -2*s;
  der(y) = noEvent(abs(sin(2*time)));
  der(z) = length(s);
  annotation(experiment(StopTime = 4));
end Unseen;
EOF
for how in 'radau 1e-6' 'radau 1e-8' 'radau 1e-10' 'dop853 1e-8' 'dopri54 1e-8' 'bdf 1e-6'; do
    answer 0 ok unseen.mo --method ${how% *} --tol ${how#* }
    near y 2.5727500169043067 "$(awk -v r=${how#* } 'BEGIN {print 10*r}')" # 2 + (1 - cos(8 - 2 pi))/2
    near z 2.5727500169043067 "$(awk -v r=${how#* } 'BEGIN {print 20*r}')"
    [ "$(value events)" = 0 ] || complain "$how: events of noEvent"
done
finish
