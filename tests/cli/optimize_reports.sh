#!/usr/bin/env bash
# What check and optimize report in less usual cases, each with a known answer: contradictions found before a solve, free starts,
# controls that an equality needs, several optima, many variables, another order of the program, functions without a derivative.
# Usage: optimize_reports.sh PATH_OF_DAEDAL
here=$(cd "$(dirname "$0")" && pwd)
. "$here/optimize_kit.bash"

checks() { # CODE FILE
    "$daedal" check "$2" >out 2>err
    local code=$?
    [ $code -eq "$1" ] || complain "check $2: exit code $code, expected $1: $(head -c 300 out err)"
}

# bounds that two constraints make contradict each other
cat >apart.mop <<'M'
optimization Apart(objectiveIntegrand = u^2, finalTime = 1)
  Real x(start = 0, fixed = true);
  input Real u;
equation
  der(x) = u;
constraint
  u >= 2;
  u <= 1;
end Apart;
M
run 1 apart.mop --json
has '"status":"infeasible"'
has 'u >= 2 and u <= 1 contradict each other'

# u = x + cos(t) at all times: only controls that are free at every point can do that, and check says so.
# x' = x + cos(t) from 0 ends at (sin(1) - cos(1) + e)/2
cat >follow.mop <<'M'
optimization Follow(objective = x(finalTime), startTime = 0, finalTime = 1)
  Real x(start = 0, fixed = true);
  input Real u;
equation
  der(x) = u;
constraint
  u - x = cos(time);
end Follow;
M
checks 0 follow.mop
has 'equalities at all times need --control polynomial'
run 0 follow.mop --control polynomial --json
has '"objective":1\.509725'

# a free start time is among the decisions: from 0 with |u| <= 1 to 1 in least time, ending at time 5
cat >late.mop <<'M'
optimization Late(objective = -startTime, startTime(free = true, min = 0, max = 4.5), finalTime = 5)
  Real x;
  input Real u(min = -1, max = 1);
equation
  der(x) = u;
constraint
  x(startTime) = 0;
  x(finalTime) = 1;
end Late;
M
checks 0 late.mop
has 'startTime'
run 0 late.mop --json
has '"objective":-(4|3\.99999999)'

# two minima of (p^2 - 1)^2 + p/10: both are found and listed, the lower one is taken
cat >two.mop <<'M'
optimization Two(objective = (p^2 - 1)^2 + 0.1*p + x(finalTime), finalTime = 1)
  parameter Real p(free = true, min = -2, max = 2, initialGuess = 0.9);
  Real x(start = 0, fixed = true);
equation
  der(x) = 0*x;
end Two;
M
run 0 two.mop --multistart 12
has 'optimum 1: objective -0\.1006'
has 'optimum 2: objective 0\.0993'
has 'objective -0\.1006'
has 'note: start [0-9]* has the best solution; from the given guess the run ended optimal with 0\.0993'

# sixty variables: the text shows some of them and says where the others are; in another order the optimum is the same.
# x_i' = u - x_i/i, min int u^2 + (x_1(1) - 1)^2
cat >many.mop <<'M'
optimization Many(objectiveIntegrand = u^2, objective = (x[1](finalTime) - 1)^2, finalTime = 1)
  Real x[60](each start = 0, each fixed = true);
  input Real u;
equation
  for i in 1:60 loop
    der(x[i]) = u - x[i]/i;
  end for;
end Many;
M
run 0 many.mop --intervals 4
has '\.\.\. and [0-9]+ more \(--json and -o FILE\.csv have all\)'
run 0 many.mop --intervals 4 --json
first=$(grep -oE '"objective":[-0-9.e]{12}' out)
run 0 many.mop --intervals 4 --permutation 3 --json
has "$first"
# sixty states and three stages: the dense solver of large intervals
run 0 many.mop --intervals 4 --method shooting --json
has "${first:0:20}"

# the inverse cosine has no slope at the start, where x is 0, nor anywhere after it: named, with the interval, for collocation and shooting
cat >slope.mop <<'M'
optimization Slope(objectiveIntegrand = u^2, finalTime = 1)
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  input Real u;
equation
  der(x) = 0*u;
  der(y) = u + noEvent(acos(1 - x));
constraint
  y(finalTime) = 1;
end Slope;
M
for method in collocation shooting; do
    run 1 slope.mop --method $method --json
    has '"status":"evaluation_error"'
    has 'derivative of the equation of der\(y\).* is not a finite number'
done
# a line through five measurements: slope, deviation and 95 % interval in closed form (Sxx = 10, Sxy = 9.7, S = 0.091,
# Student's t with 3 degrees of freedom: 3.182), on the page with the residuals
printf 'time,ym\n0,1.1\n1,1.9\n2,3.2\n3,3.8\n4,5.0\n' >line.csv
cat >line.mop <<'M'
optimization Line(objective = sum({(y(i) - ym(i))^2 for i in 0:4}), startTime = 0, finalTime = 4)
  parameter Real b(free = true, initialGuess = 1);
  Real y;
equation
  der(y) = b;
  annotation(Daedal(data = "line.csv"));
end Line;
M
run 0 line.mop --intervals 4 --report fit.html --json
has '"parameters":\{"b":0\.9(7|69999999)'
has '"parameters_std":\{"b":0\.055075'
has '5 residuals, 2 estimated: Student.*t with 3 degrees of freedom, 3\.18 standard deviations' fit.html
has '0\.7947[0-9]*</td><td class="n">1\.145[0-9]*</td>' fit.html
has '5 residuals, root mean square 0\.135' fit.html
sed -i 's/data = "line.csv"/data = "line.csv", sigma = 0.1/' line.mop
run 0 line.mop --intervals 4 --report fit.html --json
has '"parameters_std":\{"b":0\.03162' # 0.1/sqrt(10)
# the same line in another unit, with the size of its numbers declared: the deviation is in that unit
awk -F, 'NR == 1; NR > 1 { printf("%s,%.17g\n", $1, 1e6*$2) }' line.csv >large.csv
sed 's/line.csv", sigma = 0.1/large.csv"/; s/Real b(/Real b(nominal = 1e6, /; s/Real y;/Real y(nominal = 1e6);/' line.mop >large.mop
run 0 large.mop --intervals 4 --json
has '"parameters_std":\{"b":55075\.705'
has '5 residuals with errors of the given size; 1\.96 standard deviations' fit.html

# a tank that must be empty at the end: h = (1 - t/2)^2 without inflow, at 0 with an infinite slope of the rate
cat >tank.mop <<'M'
optimization Empty(objective = finalTime, startTime = 0, finalTime(free = true, min = 0.5, max = 5, initialGuess = 3))
  Real h(start = 1, fixed = true, min = 0);
  input Real u(min = 0, max = 1);
equation
  der(h) = u - sqrt(h);
constraint
  h(finalTime) = 0;
end Empty;
M
run 0 tank.mop --intervals 10 --json
has '"objective":(1\.9998|1\.9999|2\.0000)'
has 'solved with rounded roots'

# a line through measurements at 0, 1, 2, 3, 4: its ends are correlated by -mean(t)/sqrt(mean(t^2)) = -2/sqrt(6), on the page too.
# The measurements are drawn, as a point of a scene
printf 'time,m\n0,1.1\n1,2.9\n2,5.1\n3,6.8\n4,9.1\n' >line.csv
cat >line.mop <<'M'
optimization Line(objective = sum({(y(i) - m(i))^2 for i in 0:4}), startTime = 0, finalTime = 4)
  parameter Real a(free = true) = 0, b(free = true) = 0;
  Real y(start = a, fixed = true);
equation
  der(y) = b;
  annotation(Daedal(data = "line.csv", draw(measured = point({time, m}), curve = point({time, y}))));
end Line;
M
run 0 line.mop --intervals 4 --report line.html --film line.svg --json
has '"correlation":\[\[1,-0\.81649658'
has 'Correlations' line.html
has '<tr><td>a</td><td class="n">1\.00</td><td class="n">-0\.82</td></tr>' line.html
has '<svg' line.svg

# values at times that do not meet: with a = x(1/4) and b = x(3/4) the cost is (a - 1)^2 + a b + (b + 1)^2 + 0.02 (b - a)^2, and
# a = -b = 4/2.16
cat >times.mop <<'M'
optimization Times(objective = (x(0.25) - 1)^2 + x(0.25)*x(0.75) + (x(0.75) + 1)^2, objectiveIntegrand = 0.01*u^2,
                   startTime = 0, finalTime = 1)
  Real x;
  input Real u;
equation
  der(x) = u;
end Times;
M
run 0 times.mop --intervals 8 --json
has '"objective":-1\.7037037'
# columns of shooting programs have the names of the model on the page: at nodes, at stages, and at 0.25 and 0.75 between nodes
for control in constant linear polynomial; do
    run 0 times.mop --method shooting --intervals 6 --control $control --report shot.html --json
    has 'x at time 0\.25' shot.html
    grep -qE 'variable [0-9]' shot.html && complain "shooting, $control controls: columns without names"
done

# a horizon of microseconds: rest to rest over 1e-12 in 2 sqrt(1e-12)
cat >micro.mop <<'M'
optimization Micro(objective = finalTime, startTime = 0, finalTime(free = true, min = 1e-9, max = 1e-3, initialGuess = 3e-6))
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  input Real u(min = -1, max = 1);
equation
  der(x) = v;
  der(v) = u;
constraint
  x(finalTime) = 1e-12;
  v(finalTime) = 0;
end Micro;
M
run 0 micro.mop --intervals 8 --json
has '"objective":(2\.000000|1\.999999)[0-9]*e-6'

exit $((failures > 0))
