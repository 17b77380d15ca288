#!/usr/bin/env bash
# Given steps so long that Newton's method needs a good guess or a detour: the equations of a step have a solution, and it is
# found. Usage: simulate_steps.sh DAEDAL
examples=$(realpath "$(dirname "$0")/../../examples")
. "$(dirname "$0")/simulate_kit.bash"

# the slope of the start leads to T < 0, where another root lies, behind which there is none
model radiation <<'EOF'
model Radiation "T = (T0^-3 + 3 k t)^(-1/3)"
  Real T(start = 1000, fixed = true);
equation
  50*der(T) = -5.67e-8*T^4;
end Radiation;
EOF
for how in 'implicit-euler 5 150.65008623465567' 'bdf-1 5 150.65008623465567' 'implicit-euler 1 144.78451177464913' 'bdf-1 1 144.78451177464913'; do
    read -r method step wanted <<<"$how"
    answer 0 ok radiation.mo --stop 100 --method "$method" --step "$step"
    near T "$wanted" 1e-8 # the root of T + h k T^4 = T_old, step by step
done
for how in 'radau-2 5 3' 'radau-3 5 0.5' 'gauss-2 5 2' 'lobatto-3 5 3'; do
    read -r method step off <<<"$how"
    answer 0 ok radiation.mo --stop 100 --method "$method" --step "$step"
    near T 143.1079165892807 "$off"
done

# Newton's method overshoots by volts and comes back by 25 mV an iteration; the start of a step knows nothing of its end
model overshoot <<'EOF'
model Diode
  Real v, i;
equation
  i = 1e-14*(exp(v/0.025) - 1);
  100*sin(3*time) = v + 1e3*i;
end Diode;
model Kepler "slope 1e4 at the start"
  Real E(start = 0);
equation
  E - 0.9999*sin(E) = time;
end Kepler;
EOF
for method in implicit-euler radau-3 gauss-2 lobatto-3 bdf-1 bdf-2 rk4 dopri54; do
    for step in 0.1 0.01; do
        answer 0 ok overshoot.mo Diode --stop 0.5 --method $method --step $step
        near v 0.7480892527352243 1e-9
        answer 0 ok overshoot.mo Kepler --stop 2 --method $method --step $step
        near E 2.5541657068303305 1e-9
    done
done

# transistors in steps of a twentieth of the period: an exponential stage that overflows is another way to overshoot
answer 0 ok "$examples/transistor_amplifier.mo" --method radau-3 --step 0.001 --stop 0.1
stages=$(value 'y[5]')
answer 0 ok "$examples/transistor_amplifier.mo" --stop 0.1 --tol 1e-10
near 'y[5]' "$stages" 0.05

# roots that nearly meet, with the matrix of a distant point: the same tiny correction again and again is not rounding
model gap <<'EOF'
model Gap
  Real z(start = 1), x(start = 1, fixed = true);
equation
  der(x) = -1;
  z^2 = x^2 + 1e-12;
end Gap;
EOF
for method in bdf-1 bdf-2 bdf-3; do
    for step in 0.01 0.02 0.03; do
        answer 0 ok gap.mo --stop 2 --method $method --step $step
        near z 1.0000000000005 1e-9
        grep -q 'ended on another solution' out || complain "$method $step says nothing: $(cat out)"
    done
done

# explicit steps that are too long: no formula is to blame; and stiffness is, where steps run out
expect 1 'a step of 5 leads to where the equations cannot be evaluated.*shorter ones .--step.' radiation.mo --stop 100 --method rk4 --step 5
answer 1 nonfinite radiation.mo --stop 100 --method rk4 --step 5
model stiff <<'EOF'
model Stiff
  Real x(start = 1, fixed = true), y(start = 1, fixed = true);
equation
  der(y) = -x;
  1e-12*der(x) = y^2 - x;
end Stiff;
EOF
expect 1 'are stiff, and steps of +dop853 are limited by its stability' stiff.mo --method dop853 --max-steps 5000
answer 1 too_many_steps stiff.mo --method dop853 --max-steps 5000

# v starts at the bound of its relation and follows t^2: the line of a first step is above the parabola, and either value of the
# relation seemed to lead back to the other
model follows <<'EOF'
model Follows "v = t^2 - 2 t/k + 2/k^2 (1 - exp(-k t))"
  parameter Real k = 50;
  Real v(start = 0, fixed = true);
equation
  der(v) = k*max(0, time^2 - v);
end Follows;
EOF
for how in 'implicit-euler 0.05 0.06' 'implicit-euler 0.01 0.02' 'bdf-1 0.05 0.06' 'radau-3 0.05 1e-6' 'bdf-2 0.01 1e-4'; do
    read -r method step off <<<"$how"
    answer 0 ok follows.mo --stop 2 --method "$method" --step "$step"
    near v 3.9208 "$off"
done

exit $failed
