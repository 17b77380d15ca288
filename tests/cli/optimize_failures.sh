#!/usr/bin/env bash
# Infeasible problems are explained by elastic solves: which constraints would have to give way, and by how much. The amounts
# have closed forms. Usage: optimize_failures.sh PATH_OF_DAEDAL
here=$(cd "$(dirname "$0")" && pwd)
. "$here/optimize_kit.bash"

# x' = u/2, |u| <= 1 on [0, 1]: x(1) is 1/2 at most
cat >reach.mop <<'M'
optimization Reach(objectiveIntegrand = u^2, startTime = 0, finalTime = 1)
  Real x(start = 0, fixed = true);
  input Real u(min = -1, max = 1);
equation
  der(x) = u/2;
constraint
  x(finalTime) = 2;
end Reach;
M
run 1 reach.mop --intervals 8 --json
has '"status":"infeasible"'
has 'x\(finalTime\) = 2 would have to give way by 1\.5'
has 'u <= 1 \(its max\) by 3'

# two such motions at once: both conflicts are named
cat >two.mop <<'M'
optimization Two(objectiveIntegrand = u^2 + w^2, startTime = 0, finalTime = 1)
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  input Real u(min = -1, max = 1), w(min = -1, max = 1);
equation
  der(x) = u;
  der(y) = w;
constraint
  x(finalTime) = 3;
  y(finalTime) = -2;
end Two;
M
run 1 two.mop --intervals 8 --json
has 'x\(finalTime\) = 3 would have to give way by 2'
has 'y\(finalTime\) = -2 by 1'

# x >= 1 at the start and a brake that is too weak for a wall that closes in: x(2) is 0.8 at least, the wall at 0.5
cat >wall.mop <<'M'
optimization Wall(objectiveIntegrand = u^2, startTime = 0, finalTime = 2)
  Real x(start = 1, fixed = true);
  input Real u(min = -0.1, max = 0.1);
equation
  der(x) = u;
constraint
  x <= 1.5 - time/2;
end Wall;
M
run 1 wall.mop --intervals 8 --json
has '"status":"infeasible"'
has 'x <= 1\.5 - time/2 would have to give way by 0\.3'
run 1 wall.mop --intervals 8 --method shooting --json
has 'x <= 1\.5 - time/2 would have to give way by 0\.3'

# no lower bound: the force may be as large as it likes
cat >down.mop <<'M'
optimization Down(objective = x(finalTime), startTime = 0, finalTime = 1)
  Real x(start = 0, fixed = true);
  input Real force;
equation
  der(x) = force;
end Down;
M
run 1 down.mop --intervals 5 --json
has '"status":"unbounded"'
has '"runaway":\["force"\]'

# sqrt has no slope at the guess 0
cat >root.mop <<'M'
optimization Root(objectiveIntegrand = u^2, startTime = 0, finalTime = 1)
  Real h(initialGuess = 0);
  input Real u;
equation
  der(h) = u - sqrt(h);
constraint
  h(finalTime) = 1;
end Root;
M
# a motion beside it has one: sqrt(h) falls by 1/2 in unit time, so h(0) = 1.5^2
for method in collocation shooting; do
    run 0 root.mop --intervals 5 --method $method --json
    has '"initial":\{"h":2\.2(50000|49999)'
done
# log(c) has no value at the bound where the guess is; a bound that keeps it defined is no size of c. c = c0 e^((r - rho) t)
for bound in 0 1e-9; do
    cat >log.mop <<M
optimization Savings(objectiveIntegrand = -exp(-0.5*time)*log(c), startTime = 0, finalTime = 5)
  Real k(start = 1, fixed = true);
  input Real c(min = $bound);
equation
  der(k) = 0.3*k - c;
constraint
  k(finalTime) = 0.1;
end Savings;
M
    run 0 log.mop --control linear --json
    holds "utility of savings, c >= $bound" "($(value objective) - 1.7268494876)^2 < (1e-8)^2"
done
# a tank that is empty at the start: int_0^1 dh/(2 - sqrt(h)) = 4 ln 2 - 2
sed 's/h(initialGuess = 0)/h(start = 0, fixed = true)/; s/Real u/Real u(min = 0, max = 2)/
    s/objectiveIntegrand = u^2/objective = finalTime/; s/finalTime = 1)/finalTime(free = true, min = 0.1, max = 50))/' root.mop >fill.mop
for method in collocation shooting; do
    run 0 fill.mop --method $method --json
    holds "$method: time" "($(value objective) - 0.772588722)^2 < (2e-5)^2"
done

# functions without a value at the guess: the row, or the kink, with the values that it is made of; by both methods alike
cat >row.mop <<'M'
optimization Row(objectiveIntegrand = u^2, startTime = 0, finalTime = 1)
  Real x(start = -1, fixed = true);
  input Real u;
equation
  der(x) = u;
constraint
  u + log(x) <= 3;
end Row;
M
sed 's/Row/Kink/; s/objectiveIntegrand = u^2/objectiveIntegrand = u^2 + abs(log(x) - u)/; /constraint/,/<= 3/d; s/end Row/end Kink/' row.mop >kink.mop
for method in collocation shooting; do
    run 1 row.mop --intervals 3 --method $method --json
    has '"status":"evaluation_error"'
    has 'u \+ log\(x\) <= 3 is not a finite number at time 0 of the guess, where x = -1, u = 0'
    run 1 kink.mop --intervals 3 --method $method --json
    has '"status":"evaluation_error"'
    has 'a kink of the cost, of a constraint or of a rate is not a finite number at time [0-9.]+ of the guess, where x = -1, u = 0'
done

# the slope of the cost is infinite at the optimum, x = 0: the place is named
cat >slope.mop <<'M'
optimization Slope(objectiveIntegrand = sqrt(x), startTime = 0, finalTime = 1)
  Real x(start = 0, fixed = true);
  input Real u(min = 0, max = 1);
equation
  der(x) = u;
end Slope;
M
run 1 slope.mop --intervals 3 --json
has '"status":"evaluation_error"'
has 'the derivative of the objective by x is not a finite number at time [0-9.]+ .*where x = 0'

# two iterations are not enough: the rows hold, and the kink that may be the cause is named
cat >stall.mop <<'M'
optimization Stall(objectiveIntegrand = exp(5*(u - 1)) - 4*x + x^4, startTime = 0, finalTime = 1)
  Real x(start = 0, fixed = true);
  input Real u;
equation
  der(x) = u - abs(x);
end Stall;
M
run 1 stall.mop --intervals 5 --max-iterations 2 --json
has '"status":"iteration_limit"'
has 'all constraints hold, but the cost can still fall .*a cause may be abs, min, max or sign in the equations of the model'
run 0 stall.mop --intervals 5 --json

# a row at all times leaves nothing to choose: x = tanh(t), and y(1) = log(cosh(1)) = 0.43378
cat >nothing.mop <<'M'
optimization Nothing(objectiveIntegrand = x^2, startTime = 0, finalTime = 1)
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  input Real u;
equation
  der(x) = u;
  der(y) = x;
constraint
  u + x^2 = 1;
  y(finalTime) = 0.2;
end Nothing;
M
run 1 nothing.mop --intervals 3 --control polynomial
has '^Nothing: infeasible: there are more equations than variables on this mesh.*required at every point: u \+ x\^2 = 1'
has 'y\(finalTime\) = 0\.2 would have to give way by 0\.234'
has '  or instead: u \+ x\^2 = 1, by'

# one constant control on the whole way: x(4) = 1 needs u = 1/8, which ends with v = 1/2. The kinks of the rates are relaxed after
# the first failure, in vain, and the first solve is the answer again; the roots are looked at on it
cat >mass.mop <<'M'
optimization Mass(objective = -m(finalTime) + f(finalTime), finalTime = 4)
  Real x[3](each start = 0, each fixed = true), v[3](each start = 0, each fixed = true);
  Real m(start = 2, fixed = true), f(start = 0, fixed = true);
  input Real u[3](each min = -1, each max = 1);
equation
  der(x) = v;
  der(v) = u;
  der(m) = -abs(u[1]);
  der(f) = sqrt(u[2]^2 + u[3]^2);
constraint
  x(finalTime) = {1, 1, 1};
  v(finalTime) = {0, 0, 0};
end Mass;
M
run 1 mass.mop --method shooting --intervals 1
has '^Mass: infeasible: there are more equations than variables on this mesh'
has 'v\[1\]\(finalTime\) = 0 would have to give way by 0\.5'
# where a control is zero the cost has no curvature: what constant controls lose is no small change, and gets no number
run 0 mass.mop --method shooting --intervals 8
has 'is constant: that may cost a large part of the objective; try'

# memory: how large the program is and what needs less
cat >bar.mop <<'M'
optimization Bar(objectiveIntegrand = (T[300] - 1)^2 + 0.01*u^2, finalTime = 1)
  Real T[300](each start = 0, each fixed = true);
  input Real u;
equation
  der(T[1]) = u - 2*T[1] + T[2];
  for i in 2:299 loop
    der(T[i]) = T[i - 1] - 2*T[i] + T[i + 1];
  end for;
  der(T[300]) = T[299] - T[300];
end Bar;
M
run 1 bar.mop --intervals 20 --max-memory 16M --json
has '"status":"out_of_memory","reason":"memory ran out or the memory limit was reached: the program has '
has '20 intervals with 300 states, and [0-9.]* MB would have been in use; fewer --intervals or a smaller --degree need less'
has 'such as a coarser grid; --max-memory is 16.8 MB"'
run 1 bar.mop --intervals 20 --max-memory 1500K --json
has '"status":"out_of_memory"'

exit $((failures > 0))
