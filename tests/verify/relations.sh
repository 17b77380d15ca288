#!/usr/bin/env bash
# Relations, kinks and roots with methods of all kinds, and the charge pump. Usage: relations.sh PATH_OF_DAEDAL
set -u
here=$(cd "$(dirname "$0")" && pwd)
METHODS="radau bdf dop853 auto" bash "$here/../cli/simulate_relations.sh" "$1" || exit 1

# A charge pump: the charges of a transistor are constraints with kinks, several of which meet in one point each time it
# opens or closes. All voltages are back at zero after every pulse; their largest value on the way is 36.
: "${DAEDAL_SOURCE:=$(realpath "$here/../..")}"
. "$here/../cli/simulate_kit.bash"
model pump <<'EOF'
model Pump
  constant Real vt0 = 0.2, gamma = 0.035, phi = 1.01, cox = 4e-12, drain = 0.4e-12, source = 1.6e-12, high = 20;
  parameter Real vfb = vt0 - gamma*sqrt(phi) - phi "flat band";
  Real qg(nominal = 1e-12), q1(nominal = 1e-12, start = 0, fixed = true), qs(nominal = 1e-12);
  Real q2(nominal = 1e-12, start = 0, fixed = true), qd(nominal = 1e-12), u, u1, u2, i(nominal = 1e-4);
  Real tau = mod(time, 120e-9);
  Real pulse = if tau < 50e-9 then 0 elseif tau < 60e-9 then (tau - 50e-9)*1e8*high elseif tau < 110e-9 then high else (120e-9 - tau)*1e8*high;
  Real vgs = u - u1, vgd = u - u2, more = if vgs <= vgd then vgd else vgs, less = if vgs <= vgd then vgs else vgd, ubs = more - u;
  Real vte = vt0 + gamma*(sqrt(phi - ubs) - sqrt(phi));
  Real a = more - vte, b = if less > vte then less - vte else 0;
  Real channel = if more > vte then a + b - a*b/(a + b) else 0;
equation
  der(qg) = -i;
  der(q1) + der(qs) = 0;
  der(q2) + der(qd) = 0;
  u = pulse;
  qg = if u <= vfb then cox*(u - vfb) elseif more <= vte then cox*gamma*(sqrt((gamma/2)^2 + u - vfb) - gamma/2)
       else cox*(2/3*channel + gamma*sqrt(phi - ubs));
  q1 = source*u1;
  qs = if u <= vfb then 0 else -cox/3*channel;
  q2 = drain*u2;
  qd = if u <= vfb then 0 else -cox/3*channel;
  annotation(experiment(StopTime = 1.2e-6));
end Pump;
EOF
# The charge at both nodes, q1 + qs and q2 + qd, is a first integral, so the voltages are functions of time alone: they come
# back to zero whatever the tolerance; in between q = cox/3*(20 - u1 - vte(u1)) gives them (solved with 30 digits).
sed 's/more = if vgs <= vgd then vgd else vgs/more = max(u - u1, u - u2)/; s/less = if vgs <= vgd then vgs else vgd/less = min(u - u1, u - u2)/' \
    pump.mo > kinks.mo
for file in pump.mo kinks.mo; do
    for method in radau bdf dop853; do
        for tol in 1e-4 1e-6 1e-8 1e-10; do
            answer 0 ok $file --method $method --tol $tol
            near qg 1.262800429876759e-13 1e-25
            near u1 0 1e-12
            near u2 0 1e-12
        done
        answer 0 ok $file --method $method --stop 85e-9
        near u1 8.965740536190676 1e-10
        near u2 35.86296214476270 1e-10
    done
done
finish
