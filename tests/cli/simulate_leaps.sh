#!/usr/bin/env bash
# Steps that leap over the end of a solution: the run ends there, whatever the method; steps that pass close by do not.
# Digits that are lost, to rounding or by adding up, are said.
. "$(dirname "$0")/simulate_kit.bash"

# equations NAME EQUATIONS: with states x, v and an initial value of x
equations() {
    echo "model $1 parameter Real x0 = 1; Real x(start = x0, fixed = true); Real v(start = 0, fixed = true); equation $2 end $1;" >"$1.mo"
}

# ends_at TIME ARGS...: the run ends, the reason names the time of the end to within two steps, rows end before
ends_at() {
    local time=$1 named
    shift
    answer 1 step_too_small "$@"
    named=$(value reason | sed -n 's/^at time \([0-9.]*\) the solution ends.*/\1/p')
    awk -v t="$(value t)" -v e="$time" -v n="$named" 'BEGIN {exit !(n > e - 0.02 && n < e + 0.02 && t <= n)}' ||
        complain "$*: ends at $(value t): $(value reason)"
}

# x = sqrt(1 - t), which no method can follow any further; rows keep the solution until then
equations Root 'der(x) = -1/(2*x); der(v) = 1;'
for method in rk4 dopri54 midpoint; do
    ends_at 1 Root.mo --stop 2 --method $method --step 0.01
done
ends_at 1 Root.mo --stop 2 --method radau-3 --step 0.01
answer 1 step_too_small Root.mo --stop 2 --method dop853 --tol 1e-3
answer 1 step_too_small Root.mo --stop 2 --tol 1e-3
run Root.mo --stop 2 --method rk4 --step 0.01 -o root.csv
awk -F, 'NR > 1 && $1 < 0.95 && ($2 - sqrt(1 - $1))^2 > 1e-12 {exit 1}' root.csv* || complain "rows before the end are off"

# poles in time, of odd and even order, also where a step ends exactly there; a pole of the solution; a collision
equations Pole 'der(x) = 1/(1 - time); der(v) = 1/(1 - time)^2;'
for method in rk4 gauss-2 implicit-euler chebyshev-8; do
    ends_at 1 Pole.mo --stop 2 --method $method --step 0.03
    answer 1 step_too_small Pole.mo --stop 2 --method $method --step 0.01
done
equations Grows 'der(x) = x^2; der(v) = x;'
ends_at 1 Grows.mo --stop 2 --method rk4 --step 0.01
equations Collides 'der(x) = v; der(v) = -1/x^2;'
ends_at 1.1107 Collides.mo --stop 2 --method rk4 --step 0.001

# no false alarms: a passage close by, a resolved spike, a swing, stiff decay, a jump within noEvent, a tank that runs empty
equations Spike 'der(x) = 1/((time - 0.5)^2 + 1e-3); der(v) = -v;'
answer 0 ok Spike.mo --method rk4 --step 0.001
near x 96.3512032278 1e-6
grep -q '"messages":\[\]' out || complain "a resolved spike has a message"
equations Swing 'der(x) = v; der(v) = -x;'
answer 0 ok Swing.mo --stop 50 --method rk4 --step 0.1
grep -q '"messages":\[\]' out || complain "a resolved swing has a message"
equations Stiff 'der(x) = -1e6*(x - cos(time)); der(v) = x;'
answer 0 ok Stiff.mo --method radau-2 --step 0.1
equations Jumps 'der(x) = noEvent(if time > 0.305 then 50 else -1); der(v) = 0;'
answer 0 ok Jumps.mo --method rk4 --step 0.01
equations Tank 'der(x) = -sqrt(x); der(v) = 0;'
answer 0 ok Tank.mo --stop 3 --method rk4 --step 0.01

# a step that is far too long for a resonance that does not end: said, not refused
equations Miss 'der(x) = 1/((time - 0.5)^2 + 1e-6); der(v) = 0;'
answer 0 ok Miss.mo --method rk4 --step 0.03
grep -q 'does not resolve the solution: x is' out || complain "a step over a spike is not said"

# a coefficient that fades beside others: rounding errors take the place of the digits, and the run ends
equations Fades 'x = exp(-50*time); x*der(v) + der(y) = -x*v - y; x*der(v) - der(y) = -x*v + y;'
sed -i 's/Real x(start = x0, fixed = true)/Real x, y(start = 1, fixed = true)/' Fades.mo
for method in radau bdf; do
    answer 1 singular Fades.mo --method $method --tol 1e-6
    grep -q 'to the digits of the tolerance any more' out || complain "$method: digits are lost without a word: $(cat out)"
done

# a coefficient that touches zero at time pi: errors of given steps keep it away, not the solution; and one that only comes near,
# period by period
model touch <<'EOF'
model Touch
  parameter Real d = 0;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), s(start = 0, fixed = true), z(start = 0.5);
equation
  der(x) = -y;
  der(y) = x;
  der(s) = 0.1*z;
  (1 + d + x)*z = (1 + d + x)*sin(s + time);
end Touch;
EOF
for method in 'bdf-2 --step 0.05' 'bdf-2 --step 0.1' 'radau-2 --step 0.05' 'rk4 --step 0.05'; do
    answer 1 singular touch.mo --stop 5 --method $method
    near t 3.14159265 1e-6
    grep -q 'the equations do not determine z any more: x + d + 1 becomes 0' out || complain "$method: $(cat out)"
    answer 0 ok touch.mo --stop 200 --method $method --set d=1e-5
done

# the same beside a factor that fades: the decay hides neither the zero nor that errors may do so
model hidden <<'EOF'
model Hidden "x = sin(pi/2*time) touches 1 at time 1"
  parameter Real k = 10;
  constant Real w = 1.5707963267948966;
  Real x(start = 0, fixed = true), s(start = 1, fixed = true), z(start = 1);
equation
  der(x) = w*cos(w*time);
  der(s) = z - s;
  exp(-k*time)*(1 - x)*z = exp(-k*time)*(1 - x)*s;
end Hidden;
EOF
while read -r k method; do
    run hidden.mo --json --stop 2.5 --set k=$k --method $method
    cat out >>answers
    case $(value status) in
    singular) near t 1 1e-3 ;;
    *) [[ $(value messages) == *'at time 1 it cannot be told whether the equations still determine z'* ]] ||
        complain "Hidden, k = $k, $method: $(cat out)" ;;
    esac
done <<'EOF'
10 dop853 --tol 1e-9
30 dopri54 --tol 1e-4
40 dopri54 --tol 1e-4
40 radau --tol 1e-6
EOF

# errors of many steps that nothing damps add up: said by how much, and not where they do not
answer 0 ok Swing.mo --stop 100 --method bdf
grep -q 'have added up or grown: the values at time 100 are off by about 1[0-9] times the tolerance, [a-z]* most of all; take radau' out || complain "a swing with bdf: $(cat out)"
answer 0 ok Swing.mo --stop 20 --method bdf
grep -q '"messages":\[\]' out || complain "a short swing with bdf has a message"
answer 0 ok Swing.mo --stop 100
grep -q '"messages":\[\]' out || complain "a swing has a message"
cat >Orbit.mo <<'EOF'
model Orbit "eccentricity 1/2"
  Real x(start = 0.5, fixed = true), y(start = 0, fixed = true), u(start = 0, fixed = true), w(start = sqrt(3), fixed = true);
equation
  der(x) = u;
  der(y) = w;
  der(u) = -x/(x^2 + y^2)^1.5;
  der(w) = -y/(x^2 + y^2)^1.5;
end Orbit;
EOF
answer 0 ok Orbit.mo --stop 126
grep -q 'have added up' out || complain "twenty orbits: $(cat out)"
# lower orders too, and runs with events
for how in 'dopri54 1e-4' 'dopri54 1e-10' 'bs32 1e-6'; do
    answer 0 ok Orbit.mo --stop 18.85 --method ${how% *} --tol ${how#* }
    grep -q 'have added up' out || complain "three orbits with $how: $(cat out)"
done
cat >Falls.mo <<'EOF'
model Falls "x = cos(time), from which errors move away"
  Real s(start = 0, fixed = true), x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(s) = 1 + 0.1*s;
  der(x) = 8*(x - cos(time)) - sin(time);
  der(y) = if s < 0.5 then x else cos(time);
end Falls;
EOF
answer 0 ok Falls.mo
grep -q 'have added up or grown' out || complain "errors that grow behind an event: $(cat out)"
answer 0 ok Orbit.mo --stop 6.28
grep -q '"messages":\[\]' out || complain "an orbit has a message"

# z = 1 + sqrt((t - 1)^2 + gap) and the other root come near each other: steps over that place stay on their branch, and so do
# rows; given steps that end on the other one are put back, which is said
cat >Miss.mo <<'EOF'
model Miss
  parameter Real gap = 1e-4;
  Real x(start = 1 + gap, fixed = true), z(start = 2), y(start = 0, fixed = true);
equation
  der(x) = 2*(time - 1);
  (z - 1)^2 = x;
  der(y) = z;
end Miss;
EOF
sed 's/(z - 1)^2 = x/(z - 1)^2 = (time - 1)^2 + gap/; s/Miss/MissT/' Miss.mo >MissT.mo
for how in 'dop853 --tol 1e-3' 'dop853 --tol 1e-6' 'dopri54 --tol 1e-4' 'radau' 'bdf' 'rk4 --step 0.01' 'radau-3 --step 0.05'; do
    for model in Miss MissT; do
        for gap in 1e-3 1e-4 1e-5; do
            answer 0 ok $model.mo --stop 2 --method $how --set gap=$gap --points 41 -o miss.csv
            near z "$(awk -v g=$gap 'BEGIN {print 1 + sqrt(1 + g)}')" 3e-3
            awk -F, 'NR > 1 && $3 < 1 {exit 1}' miss.csv || complain "$model, $how, gap $gap: rows on the other branch"
        done
    done
done
for how in 'radau-3 --step 0.1' 'rk4 --step 0.1'; do
    answer 0 ok MissT.mo --stop 2 --method $how
    near z 2.00005 1e-6
    grep -q 'ended on another solution of the equations for z' out || complain "$how: $(cat out)"
done

exit $failed
