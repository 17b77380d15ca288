#!/usr/bin/env bash
# daedal optimize says `optimal` of motions of the model alone: meshes that are too coarse, motions that a simulation leaves;
# the refinement chooses the kind of control; problems without variables. Usage: optimize_accuracy.sh PATH_OF_DAEDAL
. "$(dirname "$0")/optimize_kit.bash"

cat >swing.mop <<'M'
model Swing
  Real phi(start = 0, fixed = true), w(start = 0, fixed = true);
  input Real u(min = -4, max = 4);
equation
  der(phi) = w;
  der(w) = -3*sin(phi) + u;
end Swing;
optimization Up(objectiveIntegrand = u^2, startTime = 0, finalTime = 2.5) extends Swing;
constraint
  phi(finalTime) = 3; w(finalTime) = 0;
end Up;
M

# ---- a mesh that is too coarse: status, exit code, the first line of text, JSON and page, the files ----
why='this is not a motion of the model: in interval 3 of 3, from time 1.66667 to 2.5, w ends 0.7 of its size away'
echo old >u.csv
run 1 swing.mop --intervals 3 --degree 1 -o u.csv --report page.html
has "^Up: inaccurate: $why"
sed 1q out >first
has 'simulation under the optimal control differs by 0.71' first
has 'try --refine 1e-6, or more --intervals' first
has '<p class="fail">inaccurate: this is not a motion of the model: in interval 3 of 3' page.html
[ "$(wc -l <u.csv)" -gt 3 ] && [ ! -f u.csv.partial ] || complain "the trajectory of an inaccurate solution is missing"
run 1 swing.mop --intervals 3 --degree 1 --json
has "^\{\"status\":\"inaccurate\",\"model\":\"Up\",\"reason\":\"$why"
has '"worst_interval":\{"interval":3,"from":1.6666666666666665,"to":2.5,"state":"w"\}'
has '"worst":\['
lacks '"guesses_tried"'
# the same as the user's own numbers, as shooting, in other units, backwards in time: w runs from its end
run 1 swing.mop --intervals 2 --method shooting --integrator rk4
has '^Up: inaccurate: this is not a motion of the model: in interval [12] of 2'
sed 's/min = -4, max = 4/min = -4e6, max = 4e6/; s/+ u;/+ 1e-6*u;/; s/= u^2/= 1e-12*u^2/' swing.mop >units.mop
run 1 units.mop --intervals 3 --degree 1
has "^Up: inaccurate: $why"
run 0 swing.mop --intervals 4
has '^Up: optimal$'

# ---- left to itself such a mesh is refined, and that is told ----
cat >pulse.mop <<'M'
model Pulse "a force of width 0.03 that 50 intervals do not see"
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  input Real u(min = -30, max = 30);
equation
  der(x) = v;
  der(v) = 20*exp(-((time - 0.503)/0.003)^2) - sin(x) + u;
end Pulse;
optimization Rest(objectiveIntegrand = u^2 + v^2, startTime = 0, finalTime = 1) extends Pulse;
constraint v(finalTime) = 0; end Rest;
M
run 0 pulse.mop --json
has 'the first mesh of 50 intervals was too coarse \(estimated error [0-9.e-]*\): it was refined to'
holds "refined by itself" "$(value estimated_error) <= 1e-3 && $(value intervals) > 50"
run 1 pulse.mop --intervals 50
has '^Rest: inaccurate: this is not a motion of the model: in interval 26 of 50, from time 0.5 to 0.52, v ends'

# ---- a simulation that leaves the solution: der(x) = 3 x + u multiplies every error by exp(36) ----
cat >pole.mop <<'M'
model Pole
  Real x(start = 1, fixed = true);
  input Real u;
equation
  der(x) = 3*x + u;
end Pole;
optimization Calm(objectiveIntegrand = x^2 + u^2, startTime = 0, finalTime = 12) extends Pole; end Calm;
M
run 0 pole.mop --control linear --report page.html --json
has '"note":"a simulation under the optimal control differs by [0-9.e+]* of the size of the states, although'
has 'unstable in open loop'
has '<p class="fail">a simulation under the optimal control differs by' page.html
run 0 pole.mop --control linear
sed -n 2p out >first
has '^  note: a simulation under the optimal control differs by .* unstable in open loop' first
[ "$(grep -c 'unstable in open loop' out)" -eq 1 ] || complain "the note stands twice"
# the value of x^2 + u^2 is the root p = 3 + sqrt(10) of p^2 = 6 p + 1: ten intervals with constant controls are far from it
run 1 pole.mop --intervals 10
has '^Calm: inaccurate: '
run 0 pole.mop --refine 1e-6 --json
holds "the pole" "($(value objective) - 3 - sqrt(10))^2 < 1e-10"
# the same backwards: errors die out, nothing is to be told
sed 's/= 3\*x + u/= -3*x + u/' pole.mop >back.mop
run 0 back.mop --json
lacks '"note"'

# ---- a rate that jumps: the estimate goes on with what passes it ----
cat >jump.mop <<'M'
model Stick
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  input Real u(min = -10, max = 10);
equation
  der(x) = v;
  der(v) = u - (if v > 0.5 then 1 else 0);
end Stick;
optimization Go(objectiveIntegrand = u^2, startTime = 0, finalTime = 1) extends Stick;
constraint x(finalTime) = 1; v(finalTime) = 0; end Go;
M
run 1 jump.mop --intervals 7 --json
holds "a jump" "$(value estimated_error) > 1e-3 && $(value estimated_error) < 1"
holds "a jump" "$(value simulation_difference) > 1e-3 && $(value simulation_difference) < 1"

# ---- the kind of control that suits: smooth ones are polynomials, jumps stay constant, what the user says is kept ----
run 0 swing.mop --refine 1e-7 --json
[ "$(value control)" = polynomial ] || complain "smooth controls are $(value control)"
holds "smooth" "$(value intervals) < 100"
has 'the controls are smooth'
run 0 swing.mop --refine 1e-4 --control constant --json
[ "$(value control)" = constant ] || complain "--control constant became $(value control)"
run 0 swing.mop --refine 1e-5 --method shooting --json
[ "$(value control)" = linear ] || complain "of shooting smooth controls are $(value control)"
cat >bang.mop <<'M'
optimization Least(objective = finalTime, startTime = 0, finalTime(free = true, min = 0.1, max = 10, initialGuess = 3))
  Real x(start = 0, fixed = true), v(start = 0.3, fixed = true);
  input Real u(min = -1, max = 1);
equation
  der(x) = v; der(v) = u;
constraint
  x(finalTime) = 1; v(finalTime) = 0;
end Least;
M
run 0 bang.mop --refine 1e-6 --json
[ "$(value control)" = constant ] || complain "controls that jump are $(value control)"
holds "bang" "($(value objective) - 2*sqrt(1.045) + 0.3)^2 < 1e-11"

# ---- a program without variables ----
cat >nothing.mop <<'M'
optimization None(objective = 1, startTime = 0, finalTime = 1)
  parameter Real a = 1;
end None;
M
run 0 nothing.mop
has '^None: optimal'
has 'objective 1,'
sed 's/^end/constraint a >= 2; end/' nothing.mop >never.mop
run 1 never.mop
has '^None: infeasible'

# ---- a polynomial through points at both bounds leaves them in between: said, and not chosen by a refinement ----
cat >jump.mop <<'M'
optimization Jump(objectiveIntegrand = f, startTime = 0, finalTime = 5)
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  input Real u(min = -1, max = 1), f;
equation
  der(x) = v;
  der(v) = u;
constraint
  f >= u;
  f >= -u;
  x(finalTime) = 0;
  v(finalTime) = 0;
end Jump;
M
run 0 jump.mop --control polynomial --intervals 7
has 'between collocation points, where no constraint is imposed, u leaves its bounds by up to'
run 0 jump.mop --control linear --intervals 7
lacks 'leaves its bounds'

# ---- and so it does with path constraints on controls; a refinement takes linear ones then, not thousands of constant ones ----
cat >below.mop <<'M'
optimization Below(objective = -y(finalTime), startTime = 0, finalTime = 2)
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  input Real u(min = -5, max = 5);
equation
  der(x) = -x + 0.3*u;
  der(y) = u*sin(6*time) - 0.3*x;
constraint
  u <= x;
  u >= -x;
end Below;
M
sed 's/u <= x;/2*u - 2*x <= 0;/; s/u >= -x/0 <= x + u/' below.mop >scaled.mop
sed 's/input Real u(min = -5, max = 5)/input Real a, b; Real u = a - b/; s/u <= x/a + b <= x/; s/u >= -x/a >= 0; b >= 0/' below.mop >parts.mop
for file in below scaled parts; do
    run 1 $file.mop --control polynomial --intervals 7
    has 'between collocation points, where no constraint is imposed, (u <= x|u >= -x|2\*u - 2\*x <= 0|0 <= x \+ u|a \+ b <= x|[ab] leaves its bounds|[ab] >= 0)[a-z ]* by up to 0\.[0-9]'
    run 0 $file.mop --control linear --intervals 7
    lacks 'between collocation points'
done
run 0 below.mop --intervals 7 --refine 1e-4 --json
[ "$(value control)" = linear ] || complain "controls that are smooth between jumps are $(value control)"
holds "intervals for a control that is smooth between jumps" "$(value intervals) < 200"
has 'the controls are linear in each interval .* u jumps or is steep: it changes by [0-9]* % of its range in an interval .time'
lacks 'the controls are smooth'
lacks 'between collocation points'

# ---- what is tried beside a solution costs a fifth of it at most where nothing is gained ----
cat >least.mop <<'M'
optimization Least(objective = finalTime, startTime = 0, finalTime(free = true, min = 0.1, max = 10, initialGuess = 3))
  parameter Real f = 1;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  input Real u(min = -f, max = 1);
equation
  der(x) = v;
  der(v) = u;
constraint
  x(finalTime) = 1;
  v(finalTime) = 0;
end Least;
M
# from rest to rest over 1 with accelerations 1 and -f: t = sqrt(2*(1 + 1/f)), the switch at t/(1 + 1/f)
for options in '--intervals 50' '--intervals 50 --control polynomial' '--intervals 30 --set f=2' '--intervals 47 --set f=0.5'; do
    # shellcheck disable=SC2086
    run 0 least.mop $options --json
    f=$(sed -n 's/.*f=\(.*\)/\1/p' <<<"$options")
    tried=$(sed -n 's/.*"alternatives":{[^}]*"iterations":\([0-9]*\).*/\1/p' out)
    all=$(sed -n 's/^[^[]*"iterations":\([0-9]*\),.*/\1/p' out)
    solve=$(sed -n 's/^[^[]*"solve_iterations":\([0-9]*\),.*/\1/p' out)
    holds "$options: iterations of the solve and beside the solution" "$solve + ${tried:-0} <= $all && $solve > 0"
    case $options in --intervals\ 50*) holds "$options: all of them" "$solve + ${tried:-0} == $all" ;; esac
    holds "$options: iterations beside the solution" "${tried:-0} <= 3 || ${tried:-0} <= 0.2*($all - ${tried:-0})"
    case $options in *47*) tol=1/47^2 ;; *) tol=1e-7 ;; esac # there the switch is not on the mesh
    holds "$options: time" "($(value objective)/sqrt(2*(1 + 1/${f:-1})) - 1)^2 < ($tol)^2"
done
# the mesh of halved intervals that confirms polynomials beyond their bounds ends with a feasible point that costs no more
run 0 least.mop --intervals 47 --control polynomial --set f=2 --verbose
lines=$(sed -n '/^94 intervals/,/^$/p' err out | grep -cE '^ +[0-9]+ +[-+]')
holds "iterations of a mesh that confirms" "$lines > 0 && $lines < 5"

# ---- a cost that varies faster than the mesh: the integral is looked at between the points too ----
cat >fast.mop <<'M'
optimization Fast(objectiveIntegrand = u^2 + sin(100*time)^2, startTime = 0, finalTime = 10)
  Real x(start = 0, fixed = true);
  input Real u;
equation
  der(x) = u;
constraint
  x(finalTime) = 1;
end Fast;
optimization Follow(objectiveIntegrand = (x - sin(30*time))^2 + 0.1*u^2, startTime = 0, finalTime = 10)
  Real x(start = 0, fixed = true);
  input Real u;
equation
  der(x) = u;
end Follow;
M
# the integral of sin^2 is 5 - sin(2000)/400
run 0 fast.mop Fast --json
holds 'the cost of its own mesh' "($(value objective) - 5.0976749)^2 < (5e-3)^2"
has 'the first mesh of 50 intervals was too coarse .*error of the integral of the cost'
run 1 fast.mop Follow --intervals 20
sed 3q out >first
has 'the integral of objectiveIntegrand varies faster than the mesh: .* 0.24 of the objective' first
has 'on 40 intervals the objective changes by 0.16.*try --refine 1e-6, or more --intervals' first
run 1 fast.mop Follow --intervals 20 --json
has '"status":"inaccurate"'
has '"reason":"the integral of objectiveIntegrand varies faster'
holds 'the mesh of the user stays' "($(value objective) - 4.3003469)^2 < 1e-10"
run 0 fast.mop Follow --intervals 200
lacks 'varies faster'

# ---- switches inside intervals: a rocket burns for 3 s, then coasts. With c ln(m0/m1) the altitude has a closed form ----
cat >burn.mop <<'M'
optimization Burn(objective = -h(finalTime), startTime = 0, finalTime = 20)
  Real h(start = 0, fixed = true), v(start = 0, fixed = true), m(start = 1, fixed = true, min = 0.4);
  input Real u(min = 0, max = 20);
equation
  der(h) = v;
  der(v) = u/m - 9.81;
  der(m) = -u/100;
end Burn;
M
altitude='(300*(1 - 2/3*log(2.5)) + 1700*log(2.5) - 9.81*200)'
# constant controls cannot end the burn inside an interval: the mesh is divided there if it is ours, else it is said
run 0 burn.mop --json
holds 'divided where the burn ends' "(($(value objective) + $altitude)/$altitude)^2 < (2e-6)^2"
run 0 burn.mop --intervals 50
sed 3q out >first
has 'a control switches inside intervals, .* the objective falls by 0.0034 of its size' first
# polynomials leave the bounds there, and end lower than any control within them
run 1 burn.mop --control polynomial --intervals 50
has 'inaccurate: the objective is not that of a control within its bounds: .*u leaves its bounds by up to 18 .*--control linear or constant'
run 0 burn.mop --control polynomial --json
holds 'refined until the bounds hardly matter' "(($(value objective) + $altitude)/$altitude)^2 < (5e-4)^2"

# ---- steep controls: a cheap control acts within a tenth of the first interval; sqrt(1e-4) tanh(500) ----
cat >steep.mop <<'M'
optimization Steep(objectiveIntegrand = x^2 + 1e-4*u^2, startTime = 0, finalTime = 5)
  Real x(start = 1, fixed = true);
  input Real u;
equation
  der(x) = u;
end Steep;
M
run 0 steep.mop --json
holds 'divided where the control is steep' "($(value objective) - 0.01)^2 < (5e-5)^2"
has 'intervals in which a control is steep or switches were divided: on 77 intervals instead of 50'
run 0 steep.mop --intervals 50
sed 3q out >first
has 'note: a control is steep inside intervals, in which it is constant' first
run 0 steep.mop --intervals 2000
lacks 'is steep'

# ---- a cost of 1.2e10 of which the guess shows nothing (its slope is zero there): what is left of the optimality
# conditions is rounding of multipliers of 1e10. From rest to rest over 1 in a time of 1: 12 w ----
cat >dear.mop <<'M'
optimization Dear(objectiveIntegrand = 1e9*u^2, startTime = 0, finalTime = 1)
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  input Real u;
equation
  der(x) = v;
  der(v) = u;
constraint
  x(finalTime) = 1; v(finalTime) = 0;
end Dear;
M
run 0 dear.mop --control linear --json
has '"status":"optimal"'
holds 'minimal energy' "($(value objective) - 12e9)^2 < 1e6"

# ---- an unstable model that the control is too weak to hold: x = (1 + e^(2t))/2 under u = -1 throughout, 2.4e8 at the
# end, where rows hold to 1e-8 at best. The cost is T/4 + (e^(2T) - 1)/4 + (e^(4T) - 1)/16 ----
cat >weak.mop <<'M'
optimization Weak(objectiveIntegrand = x^2, startTime = 0, finalTime = 10)
  Real x(start = 1, fixed = true);
  input Real u(min = -1, max = 1);
equation
  der(x) = 2*x + u;
end Weak;
M
for how in '' '--method shooting'; do
    run 0 weak.mop --intervals 200 $how --json
    has '"status":"optimal"'
    holds 'the cost of falling' "($(value objective)/(2.5 + (exp(20) - 1)/4 + (exp(40) - 1)/16) - 1)^2 < 1e-12"
done

# a bound of a state that every motion keeps does not make it infeasible: x(10) = (1 + e^20)/2 at least
sed 's/Weak(objectiveIntegrand = x^2,/Kept(objective = x(finalTime),/; s/end Weak/end Kept/; s/fixed = true/&, min = 0/' weak.mop >kept.mop
run 0 kept.mop --intervals 200 --json
has '"status":"optimal"'
holds 'the least fall' "($(value objective)/(0.5 + exp(20)/2) - 1)^2 < 1e-12"

# ---- motions that grow by exp(60) and are held by measurements alone: the recursion along the nodes keeps no digit of them ----
cat >growing.mop <<'M'
optimization Growing(objective = sum({(y(k/10) - sin(pi*k/10))^2 + (w(k/10) - pi*cos(pi*k/10))^2 for k in 0:10}),
                     startTime = 0, finalTime = 1) "y = sin(p time) is a solution; others grow by exp(60)"
  constant Real pi = 3.14159265358979324;
  parameter Real p(free = true, initialGuess = 1);
  Real y(initialGuess = sin(pi*time)), w(initialGuess = pi*cos(pi*time));
equation
  der(y) = w;
  der(w) = 3600*y - (3600 + p^2)*sin(p*time);
end Growing;
M
for solver in collocation shooting; do
    run 0 growing.mop --method $solver --degree 4 --integrator radau-7 --json
    has '"status":"optimal"'
    holds "a growing motion by $solver" "($(value 'parameters":{"p') - 3.14159265358979324)^2 < 1e-16 && $(value iterations) < 30"
done

# ---- switches by the clock: the mesh has nodes there ----
cat >clock.mop <<'M'
optimization Clock(objectiveIntegrand = u^2, startTime = 0, finalTime = 1) "u = -(0.63 + 0.2669) is the best"
  parameter Real late = 0.37;
  Real x(start = 0, fixed = true);
  input Real u;
equation
  der(x) = u + (if time >= late then 1 else 0) + abs(time - late);
constraint
  x(finalTime) = 0;
end Clock;
M
for how in '' '--nodes legendre' '--method shooting --integrator gauss-4' '--refine 1e-9' '--intervals 9 --control linear'; do
    run 0 clock.mop $how --json
    has '"status":"optimal"'
    lacks 'no mesh point'
    holds "switches by the clock ($how)" "($(value objective) - 0.8969^2)^2 < 1e-18"
done
# too many of them for the mesh: said
run 1 clock.mop --intervals 3 --json
has 'no mesh point is put where they change'

exit $((failures > 0))
