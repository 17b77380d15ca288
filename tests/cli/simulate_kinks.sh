#!/usr/bin/env bash
# Relations within noEvent, and those in functions: no events, but kinks and jumps are found all the same, so that results
# are within the tolerance whatever the method; guards guard. Results against closed forms. Usage: simulate_kinks.sh DAEDAL
set -u
daedal=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

cat >kinks.mo <<'MODEL'
function pulse
  input Real t;
  output Real y;
algorithm
  y := if mod(t, 0.3) < 0.1 then 1 else 0;
end pulse;
function bend
  input Real x;
  output Real y;
algorithm
  if x < 0.5 then y := 0; else y := (x - 0.5)^2; end if;
end bend;
function spring "force of a spring that is softer inside"
  input Real x;
  output Real f;
algorithm
  f := if x > 0.5 then 0.5 + 4*(x - 0.5) elseif x < -0.5 then -0.5 + 4*(x + 0.5) else x;
end spring;
model Pulses
  Real x(start = 0, fixed = true);
equation
  der(x) = pulse(time);
  annotation(experiment(StopTime = 3));
end Pulses;
model Drain "x' = -1 - x down to 0 at log(2), then x' = -1 - 2 x"
  Real x(start = 1, fixed = true);
equation
  der(x) = -1 - semiLinear(x, 1, 2);
  annotation(experiment(StopTime = 2));
end Drain;
model Bend
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  der(y) = bend(x);
  annotation(experiment(StopTime = 20));
end Bend;
model Spring
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real energy = v^2/2 + noEvent(if abs(x) > 0.5 then 0.125 + 0.5*(abs(x) - 0.5) + 2*(abs(x) - 0.5)^2 else x^2/2) "keeps 0.875";
equation
  der(x) = v;
  der(v) = -spring(x);
  annotation(experiment(StopTime = 30));
end Spring;
model Guard
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -1;
  der(y) = noEvent(if x > 0 then x*log(x) else 0);
  annotation(experiment(StopTime = 2));
end Guard;
model Corner "y' = x', and x' = z jumps at a corner of the constraint: y returns to 0"
  Real x(start = 0.36), y(start = 0, fixed = true), z;
equation
  der(x) = z;
  x + x^2 = abs(time - 0.5);
  der(y) = z;
end Corner;
model Flows "laminar and turbulent: the branch of each law folds just behind m = 0, where the other branch goes on"
  parameter Real k = 2, e = 0.01;
  Real p(start = -1, fixed = true), s(start = 0, fixed = true), a(start = -0.7), b(start = 0.6), c(start = -0.7), d;
equation
  der(p) = 1;
  der(s) = a^2;
  p = k*a*abs(a) + e*a;
  0.3 - p = k*b*abs(b) + e*b;
  p = k*max(c, 0)^2 - k*min(c, 0)^2 + e*c;
  p = (if d > 0 then k*d^2 else -k*d^2) + e*d;
  annotation(experiment(StopTime = 1.5));
end Flows;
model Fold "no kink in the law itself: the solution ends at p = e^2/8"
  parameter Real e = 0.01;
  Real p(start = -1, fixed = true), y(start = 0, fixed = true), m(start = -0.7);
equation
  der(p) = 1;
  der(y) = if m > 0 then 1 else 2;
  p = -2*m^2 + e*m;
  annotation(experiment(StopTime = 1.5));
end Fold;
MODEL

# expect MODEL VARIABLE VALUE TIMES: at the end within TIMES tolerances, no events
expect() {
    local model=$1 variable=$2 value=$3 times=$4 method tol
    for method in radau bdf dop853; do
        for tol in 1e-4 2e-5 1e-6 3e-8 1e-9; do
            "$daedal" simulate kinks.mo "$model" --method $method --tol $tol --json >out 2>&1
            if ! sed -n 's/.*"status":"ok".*"'"$variable"'":\([-0-9.e]*\).*"events":0[,}].*/\1/p' out |
                awk -v value="$value" -v most="$times" -v tol=$tol '{ e = $1 - value; e = e < 0 ? -e : e; good = e <= most*tol }
                    END { exit !good }'; then
                echo "$model with $method at $tol: $variable is not $value within $times tolerances: $(head -c 200 out)"
                failed=1
            fi
        done
    done
}

bent=$(awk 'function F(t) { return 0.75*t - sin(2*t)/4 + cos(t) } BEGIN { pi = atan2(0, -1); OFMT = "%.15g"
    for (k = 0; k < 3; k++) s += F(5*pi/6 + 2*pi*k) - F(pi/6 + 2*pi*k)
    printf "%.15g", s + F(20) - F(pi/6 + 6*pi) }')
expect Pulses x 1 1
expect Drain x -0.463368722222532 10 # (exp(-2 (2 - log(2))) - 1)/2
expect Bend y "$bent" 20
expect Spring energy 0.875 50
expect Guard y -0.25 10
# given steps that end within rounding of a corner: the next one begins with the slope behind it, so errors are those of the
# order (2 for heun2 and midpoint) and not of the jump, h/6 times 2 and more
for method in rk4 heun2 midpoint; do
    for step in 0.01 0.0125 0.005; do
        "$daedal" simulate kinks.mo Corner --method $method --step $step --json >out 2>&1
        if ! sed -n 's/.*"status":"ok".*"y":\([-0-9.e]*\).*/\1/p' out |
            awk -v h=$step '{ e = $1 < 0 ? -$1 : $1; good = e <= 0.1*h*h } END { exit !good }'; then
            echo "Corner with $method and steps of $step: y does not return to 0: $(head -c 200 out)"
            failed=1
        fi
    done
done
# Steps over a kink behind which the branch in force has no solution: m = sign(p) (sqrt(e^2 + 8 |p|) - e)/4, and the integral of
# m^2 = (|p| - e |m|)/2; the same with derivatives by k, which leave a with m_k = -m^2/(2 k |m| + e)
flows() { # E TOLERANCE OF THE INTEGRAL, OPTIONS OF A RUN
    local e=$1 integral=$2
    shift 2
    "$daedal" simulate kinks.mo Flows --set e="$e" "$@" --json >out 2>&1
    if ! grep -q '"status":"ok"' out || ! tr '{},' '\n\n\n' <out | awk -F: -v e="$e" -v tol="$integral" '
        function m(p) { return p < 0 ? -m(-p) : (sqrt(e*e + 8*p) - e)/4 }
        function part(p) { return (p*p/2 - e*(((e*e + 8*p)^1.5 - e^3)/12 - e*p)/4)/2 }
        function check(value, truth, tol) { seen++; if (!((value - truth)^2 <= tol^2)) wrong = 1 }
        /"k"/ { by_k = 1 }
        $1 == "\"s\"" && !by_k { check($2, part(1) + part(0.5), tol) }
        $1 == "\"b\"" && !by_k { check($2, m(-0.2), 1e-9) }
        $1 ~ /^"[acd]"$/ && !by_k { check($2, m(0.5), 1e-9) }
        $1 == "\"a\"" && by_k { check($2, -m(0.5)^2/(4*m(0.5) + e), 1e-9) }
        END { exit wrong || seen != (by_k ? 6 : 5) }'; then
        echo "Flows with e = $e and $*: $(head -c 300 out)"
        failed=1
    fi
}
for e in 0.1 0.01 0.001; do
    for method in rk4 heun2 radau-3 bdf-4 gauss-2; do
        for step in 0.01 0.013; do
            flows $e 3e-5 --method $method --step $step
        done
    done
    for method in dop853 dopri54 bdf radau; do
        for tol in 1e-4 1e-6; do
            flows $e ${tol/1e/2e} --method $method --tol $tol
        done
    done
done
for way in 'rk4 --step 0.013' 'radau-3 --step 0.013' 'bdf-4 --step 0.01' dop853 radau; do
    flows 0.01 1e-4 --method $way --sensitivity k
done
# a fold of the law itself stays one
for way in 'rk4 --step 0.013' 'radau-3 --step 0.013' 'bdf-4 --step 0.01' dop853 radau; do
    "$daedal" simulate kinks.mo Fold --method $way --json >out 2>&1
    if ! sed -n 's/.*"status":"singular".*,"t":\([0-9.e]*\),"final".*/\1/p' out |
        awk '{ e = $1 - 1.0000125; good = e*e <= 1e-12 } END { exit !good }'; then
        echo "Fold with $way does not end at 1.0000125: $(head -c 300 out)"
        failed=1
    fi
done
[ $failed = 0 ] && echo "kinks without events are within the tolerance"
exit $failed
