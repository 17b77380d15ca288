#!/usr/bin/env bash
# daedal simulate: relations, kinks and roots. What a relation decides at the start and behind an event agrees with the
# values it depends on. Usage: simulate_relations.sh PATH_OF_DAEDAL
set -u
: "${DAEDAL_SOURCE:=$(realpath "$(dirname "$0")/../..")}"
. "$(dirname "$0")/simulate_kit.bash"

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
for method in bdf dop853 radau; do
    answer 0 ok chain.mo --method $method
    near y 5 0
done

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
for method in radau bdf dop853; do
    answer 0 ok kinks.mo --tol 1e-8 --method $method
    awk -v x="$(value x)" -v y="$(value y)" 'BEGIN { e = 2*x - y + 1.5*exp(-5); exit !(e*e < 1e-14) }' ||
        complain "kinks.mo with $method: x = $(value x), y = $(value y)"
    awk -v s="$(value steps)" -v r="$(value rejected)" 'BEGIN { exit !(r < s/4) }' ||
        complain "kinks.mo with $method: $(value rejected) of $(value steps) steps rejected"
done
finish
