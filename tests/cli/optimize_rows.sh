#!/usr/bin/env bash
# Rows of less usual kinds, each with an optimum in closed form: initial equations with decided parameters, bounds of variables that
# are assigned, values at times between the ends, free horizons, tables as guesses of phases. Usage: optimize_rows.sh PATH_OF_DAEDAL
here=$(cd "$(dirname "$0")" && pwd)
. "$here/optimize_kit.bash"

# near KEY VALUE: the number under a key of the answer, to 1e-6
near() {
    local found
    found=$(grep -oE "\"$1\":[-+.e0-9]+" out | head -1 | cut -d: -f2)
    awk -v a="${found:-nan}" -v b="$2" 'BEGIN { d = a - b; exit !(d < 0 ? -d < 1e-6 : d < 1e-6) }' ||
        complain "$1 is ${found:-missing}, expected $2"
}

# x(0) = p + 1 is chosen: x' = -x, so x(1) = (p + 1)/e is 1 for p = e - 1
cat >initial.mop <<'M'
optimization Initial(objective = (x(finalTime) - 1)^2, startTime = 0, finalTime = 1)
  parameter Real p(free = true, min = 0, max = 5);
  Real x;
initial equation
  x = p + 1;
equation
  der(x) = -x;
end Initial;
M
run 0 initial.mop --intervals 6 --degree 5 --json
near p 1.718281828459045
run 0 initial.mop --intervals 40 --method shooting --json
near p 1.718281828459045

# y = x^2 is assigned and at most 4: x' = u, |u| <= 1 from 0, so x reaches 2 at time 2 and stays; x(0.5) is 0.5 on the way
cat >assigned.mop <<'M'
optimization Assigned(objective = -x(finalTime), startTime = 0, finalTime = 4)
  Real x(start = 0, fixed = true), y(max = 4) = x^2;
  input Real u(min = -1, max = 1);
equation
  der(x) = u;
constraint
  x(0.5) >= 0.25;
end Assigned;
M
run 0 assigned.mop --intervals 8 --json
near objective -2
run 0 assigned.mop --intervals 8 --method shooting --json
near objective -2

# y = 0.5 at the start alone, by a row of an assigned variable: x(0) = 0.5/2; min of x(1) - x(0) with x' = u >= -1 is -1
cat >start.mop <<'M'
optimization Start(objective = x(finalTime), startTime = 0, finalTime = 1)
  Real x(start = 1), y = 2*x;
  input Real u(min = -1, max = 1);
equation
  der(x) = u;
constraint
  y(startTime) = 0.5;
end Start;
M
run 0 start.mop --intervals 4 --json
near objective -0.75

# too far for every horizon that is allowed: 2 of 3 are reached, and the longest horizon shows it
cat >far.mop <<'M'
optimization Far(objective = finalTime, startTime = 0, finalTime(free = true, min = 0.5, max = 2, initialGuess = 1))
  Real x(start = 0, fixed = true);
  input Real u(min = -1, max = 1);
equation
  der(x) = u;
constraint
  x(finalTime) = 3;
end Far;
M
run 1 far.mop --intervals 6 --json
has '"status":"infeasible"'
has '(x\(finalTime\) = 3|finalTime <= 2|u <= 1).* would have to give way by (1|0\.5)'

# a time that a row fixes: x' = 1 from 0, x(finalTime) = 1.5
cat >fixed.mop <<'M'
optimization Fixed(objective = finalTime, startTime = 0, finalTime(free = true, min = 0.1, max = 9))
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
constraint
  x(finalTime) = 1.5;
end Fixed;
M
run 0 fixed.mop --intervals 4 --json
near objective 1.5

# ---- equalities at all times that the equations keep: imposed at the start, where they follow or contradict ----
cat >kept.mop <<'M'
model Isomers
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), c(start = 0);
  input Real k(min = 0, max = 1);
equation
  der(a) = -(0.5 + k)*a;
  der(b) = (0.5 + k)*a - k*b;
  der(c) = k*b;
end Isomers;
optimization Kept(objective = -b(finalTime), startTime = 0, finalTime = 2) extends Isomers(c(fixed = true));
constraint a + b + c = 1; end Kept;
optimization Open(objective = -b(finalTime), startTime = 0, finalTime = 2) extends Isomers;
constraint a + b + c = 3; end Open;
optimization Against(objective = -b(finalTime), startTime = 0, finalTime = 2) extends Isomers(c(fixed = true));
constraint a + b + c = 3; end Against;
optimization Lost(objective = -b(finalTime), startTime = 0, finalTime = 2) extends Isomers(c(fixed = true));
constraint a + b = 1; end Lost;
M
run 0 kept.mop Kept --json
has 'a \+ b \+ c = 1 at all times is imposed at the start alone: the equations of the model keep it'
has '"status":"optimal"'
run 0 kept.mop Open --json
has '"initial":\{"a":1,"b":[^,]*,"c":2(\.0{9}[0-9]*)?,'
run 1 kept.mop Against
has 'infeasible: a \+ b \+ c = 3 at the start contradicts the start values'
run 1 kept.mop Lost
has 'infeasible: a \+ b = 1 must hold at all times, but it contains states alone'

# a pendulum reduced by hand: its derivative at the start, too
cat >hand.mop <<'M'
optimization Hand(objectiveIntegrand = 0.01*(u*u) + (v[2] - cos(3*time))^2, startTime = 0, finalTime = 1)
  Real p[2](start = {0.6, -0.8}), v[2](start = {0.8, 0.6}), z;
  input Real u[2](each min = -20, each max = 20);
equation
  der(p) = v;
  der(v) = u - {0, 9.81} - z*p;
  p*der(v) + v*v = 0;
constraint
  p*p = 1;
  p[1](startTime) = 0.6;
end Hand;
M
run 0 hand.mop --json
has 'p\*p = 1 at all times is imposed at the start alone, with its derivative: the equations of the model keep it'
has '"status":"optimal"'
has '"initial":\{"p\[1\]":0\.[56][0-9]*,"p\[2\]":-0\.(8|80000|79999)[0-9]*,"v\[1\]":1\.42773[0-9]*,"v\[2\]":1\.07079'

# what vanishes at generic points vanishes everywhere only if nothing switches, and for all values of the decisions
cat >lost.mop <<'M'
optimization Late(objective = -s(finalTime), startTime = 0, finalTime = 2) "s = 0 holds until 1.9"
  Real s(start = 0, fixed = true);
  input Real u(min = 0, max = 1);
equation
  der(s) = if time > 1.9 then u + 0.5 else 0;
constraint s = 0; end Late;
optimization Decided(objective = -s(finalTime) + 0.01*p^2, startTime = 0, finalTime = 2) "s = 0 holds for p = 1"
  parameter Real p(free = true, min = 0, max = 3, initialGuess = 1);
  Real s(start = 0, fixed = true);
  input Real u(min = 0.1, max = 1);
equation
  der(s) = (p - 1)*u;
constraint s = 0; end Decided;
M
for class in Late Decided; do
    run 1 lost.mop $class
    has 's = 0 must hold at all times, but it contains states alone'
done

exit $((failures > 0))
