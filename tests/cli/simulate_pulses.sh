#!/usr/bin/env bash
# Relations that change and change back within a step: rectifiers charge a capacitor in short pulses, and between these, steps may
# be longer than a period. Truth: classical Runge-Kutta with steps of 2e-8. Usage: simulate_pulses.sh DAEDAL
. "$(dirname "$0")/simulate_kit.bash"

model pulses <<'MODEL'
function bridge
  input Real t;
  output Real u;
algorithm
  u := 10*sin(314.159265358979*t);
  if u < 0 then u := -u; end if;
end bridge;
partial model Loaded
  parameter Real R = 100;
  Real v(start = 0, fixed = true), i;
equation
  1e-3*der(v) = i - v/R;
end Loaded;
model Half
  extends Loaded;
equation
  i = max(0, (10*sin(314.159265358979*time) - v)/0.5);
end Half;
model HalfWithin
  extends Loaded;
equation
  i = noEvent(max(0, (10*sin(314.159265358979*time) - v)/0.5));
end HalfWithin;
model Bridge "the kink of abs is none of v, but the other relation sees it"
  extends Loaded;
  Real u = abs(10*sin(314.159265358979*time));
equation
  i = if u > v then (u - v)/0.5 else 0;
end Bridge;
model BridgeWithin
  extends Loaded;
  Real u = noEvent(abs(10*sin(314.159265358979*time)));
equation
  i = max(0, (u - v)/0.5);
end BridgeWithin;
model BridgeFunction
  extends Loaded;
equation
  i = max(0, (bridge(time) - v)/0.5);
end BridgeFunction;
model BridgeMax
  extends Loaded;
  Real u = max(10*sin(314.159265358979*time), -10*sin(314.159265358979*time));
equation
  i = noEvent(if u > v then (u - v)/0.5 else 0);
end BridgeMax;
MODEL
for method in auto radau bdf; do
    for tol in 1e-4 1e-7; do
        for what in 'Half 8.513968499937 9.987767271337' 'HalfWithin 8.513968499937 9.987767271337' \
            'Bridge 9.419496719388 9.995090624146' 'BridgeWithin 9.419496719388 9.995090624146' \
            'BridgeFunction 9.419496719388 9.995090624146' 'BridgeMax 9.419496719388 9.995090624146'; do
            read -r class loaded idle <<<"$what"
            answer 0 ok pulses.mo "$class" --stop 0.1 --method $method --tol $tol
            near v "$loaded" "20${tol#?}"
            answer 0 ok pulses.mo "$class" --stop 0.1 --method $method --tol $tol --set R=1e5
            near v "$idle" "20${tol#?}"
        done
    done
done

# both relations turn within the tolerance of s, and x jumps by 1 between them
model spike <<'MODEL'
model Spike
  Real x(start = 0, fixed = true), s(start = 0, fixed = true);
equation
  der(s) = 1;
  der(x) = if s > 5 and s < 5.000001 then 1e6 else 0;
end Spike;
MODEL
for method in auto radau bdf; do
    for tol in 1e-3 1e-4 1e-6; do
        answer 0 ok spike.mo --stop 10 --method $method --tol $tol
        near x 1 1e-7
    done
done

# a condition on time alone that nothing solves for: no rate tells the step that something repeats, and steps over whole periods
# may meet the same phase at all probes. x is the time in which the condition holds
model repeats <<'MODEL'
model Beats "twice 16 changes; x by steps of 1e-6"
  Real x(start = 0, fixed = true);
equation
  der(x) = if sin(10*time) + sin(11*time) > 1.95 then 1 else 0;
end Beats;
model Waves
  parameter Real w = 24.83;
  Real x(start = 0, fixed = true);
equation
  der(x) = if sin(w*time) > 0.98 then 1 else 0;
end Waves;
MODEL
for method in auto radau bdf; do
    answer 0 ok repeats.mo Beats --stop 100 --method $method
    near x 0.643691 2e-6
    for what in '24.83 6.373923698561585' '17.2 6.3827612554104' '10.4 6.395304581853635' '3.1 6.4624142684877475'; do
        answer 0 ok repeats.mo Waves --stop 100 --method $method --set "w=${what%% *}"
        near x "${what#* }" 1e-8
    done
done

exit $failed
