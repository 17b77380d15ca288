#!/usr/bin/env bash
# daedal optimize: guesses, several starts, fits. Usage: optimize_guess.sh PATH_OF_DAEDAL
. "$(dirname "$0")/optimize_kit.bash"

# near NAME VALUE TOLERANCE: a number of the JSON in out
near() {
    local got
    got=$(sed -n "s/.*\"$1\":\([-0-9.eE+]*\).*/\1/p" out)
    awk -v a="$got" -v b="$2" -v tol="$3" 'BEGIN { d = a - b; exit a == "" || !(d <= tol && d >= -tol) }' ||
        complain "$1 is $got, expected $2"
}

if "$daedal" optimize --help 2>&1 | grep -q -- --guess; then :; else complain "no --guess in the help"; fi

# from rest to rest in unit time with least force: u = 6 - 12 t, cost 12
cat >move.mop <<'END'
optimization Move(objectiveIntegrand = u^2, finalTime = 1)
  Real s(start = 0, fixed = true), v(start = 0, fixed = true);
  input Real u;
equation
  der(s) = v;
  der(v) = u;
constraint
  s(finalTime) = 1;
  v(finalTime) = 0;
end Move;
END
run 0 move.mop --json --control linear
near objective 12 1e-6
for guess in linear simulate; do
    run 0 move.mop --json --control linear --guess "$guess" -o move.csv
    near objective 12 1e-6
done
run 0 move.mop --json --control linear --guess move.csv
near objective 12 1e-6
run 0 move.mop --json --control linear --coarse
near objective 12 1e-6
has '"intervals":50'
run 0 move.mop --json --control linear --multistart 3
near objective 12 1e-6
has '"optima":\[\{"objective":1[12][.0-9]*,"count":3,"first":1\}\]'
run 1 move.mop --guess nothing.csv
has 'nothing.csv' err
printf 'time,s\n0,0\n' >short.csv
run 1 move.mop --guess short.csv
has 'short.csv:.*: a guess needs rows at two times at least' err

# a cycle from a guess that stands still; where there is none, what was tried is said
cat >cycle.mop <<'END'
optimization Cycle(objective = 0, finalTime(free = true, min = 3, max = 10, initialGuess = 6))
  parameter Real mu = 1;
  Real s(start = 2), w(start = 0, fixed = true);
equation
  der(s) = w;
  der(w) = mu*(1 - s^2)*w - s;
constraint
  s(finalTime) = s(startTime);
  w(finalTime) = 0;
  s(startTime) >= 1;
end Cycle;
END
run 0 cycle.mop --json
near finalTime 6.6632868593231 1e-5
has 'found from a simulation'

# rows make times of free times: neither is "left out"
cat >times.mop <<'END'
optimization Times(objective = finalTime, startTime(free = true, initialGuess = -1), finalTime(free = true, initialGuess = 2))
  Real s(start = 1, fixed = true), w(start = 0, fixed = true);
  input Real u(min = -1, max = 1);
equation
  der(s) = w;
  der(w) = u;
constraint
  startTime = -1;
  s(finalTime) = 0;
  w(finalTime) = 0;
end Times;
END
run 0 times.mop --json
near finalTime 1 1e-6
has '"redundant":\[\]'

# 1.1, 2.9, 5.1, 6.9 at 0 .. 3: a = 1.06, b = 1.96, residuals 0.04, 0.12, 0.12, 0.04
cat >fit.mop <<'END'
optimization Fit(objective = sum({(y(i) - m(i))^2 for i in 0:3}), finalTime = 3)
  parameter Real a(free = true), b(free = true);
  Real y(start = a, fixed = true);
equation
  der(y) = b;
  annotation(Daedal(data = "fit.csv"));
end Fit;
END
printf 'time,m\n0,1.1\n1,2.9\n2,5.1\n3,6.9\n' >fit.csv
run 0 fit.mop --json
has '"residuals":4'
near b 0.056568542494923802 1e-8 # the last "b" is its deviation: sqrt(S/(4 - 2)/5), S = 0.032
run 0 fit.mop
has 'a = 1.06 \+- '
has 'b = 1.96 \+- 0.0566'
has 'correlation of a and b: -0.802' # -sqrt(9/14)
has '4 residuals'

rm fit.csv
run 1 fit.mop
has 'cannot read fit.csv' err
# ---- a free end far behind the guess, and controls for which a coarse mesh of a long horizon is no help ----
cat >far.mop <<'M'
optimization Far(objective = finalTime, startTime = 0, finalTime(free = true, min = 1, max = 30))
  Real x(start = 7.5, fixed = true), v(start = 0, fixed = true);
  input Real u(min = -1, max = 1);
equation
  der(x) = v;
  der(v) = -x + u;
constraint
  x(finalTime) = 0;
  v(finalTime) = 0;
end Far;
M
run 0 far.mop --intervals 20 --control linear
has '^Far: optimal'
has 'objective 11\.[5-8]' # 11.5709 with jumps

# x = 1 held is so far from the motion 1 + 1.74 t^2 that no step of the integrator has a solution: a motion is tried
cat >chase.mop <<'END'
optimization Chase(objectiveIntegrand = (x - e)^2 + 0.01*u^2, startTime = 0, finalTime = 2)
  Real x(start = 1, fixed = true), e = 1 + 1.74*time^2;
  input Real u;
equation
  der(x) = -200*(sinh(x) - sinh(e)) + 3.48*time + u;
end Chase;
END
run 0 chase.mop --method shooting --intervals 30 --json
near objective 0 1e-9
has 'the solution was found from a simulation'
has 'other guesses may lead to cheaper ones: --multistart 8 tries some'

# a table with a column of phases: free times begin with those of the table. Both phases run at the speed 2 at which one more second
# costs as much as it saves: 3/2 seconds, and 1/0.5 + 4/1 + 4*1.5
cat >phases.mop <<'END'
optimization Drift(objectiveIntegrand = u^2)
  Real x;
  input Real u;
equation
  der(x) = u;
end Drift;
optimization Two(objective = 4*two.finalTime)
  Drift one(startTime = 0, finalTime(free = true, min = 0.1, max = 3), x(start = 0, fixed = true));
  Drift two(startTime = one.finalTime, finalTime(free = true, min = 0.2, max = 9));
constraint
  connect(one, two);
  one.x(one.finalTime) = 1;
  two.x(two.finalTime) = 3;
end Two;
END
printf '%s\n' time,phase,x,u 0,1,0,2 0.5,1,1,2 0.5,2,1,2 1.5,2,3,2 >phases.csv
run 0 phases.mop --intervals 4 --guess phases.csv --json
near objective 12 1e-8
near one.finalTime 0.5 1e-6
few=$(value iterations)
run 0 phases.mop --intervals 4 --json
near objective 12 1e-8
[ "$few" -lt "$(value iterations)" ] || complain "from the solution as a guess it takes $few iterations, from no guess $(value iterations)"
# ---- solutions on a symmetry that are no minimum: a turn about one axis, where one about all three is quicker ----
cat >turn.mop <<'M'
optimization Turn(objective = finalTime, startTime = 0, finalTime(free = true, min = 5, max = 100, initialGuess = 30))
  parameter Real I[3] = {5621, 4547, 2364}, phi = 2.6179938779914944;
  Real q[4](start = {0, 0, 0, 1}, each fixed = true), w[3](each start = 0, each fixed = true);
  input Real u[3](each min = -50, each max = 50);
equation
  der(q[1]) = 0.5*(w[1]*q[4] - w[2]*q[3] + w[3]*q[2]);
  der(q[2]) = 0.5*(w[1]*q[3] + w[2]*q[4] - w[3]*q[1]);
  der(q[3]) = 0.5*(-w[1]*q[2] + w[2]*q[1] + w[3]*q[4]);
  der(w[1]) = (u[1] - (I[3] - I[2])*w[2]*w[3])/I[1];
  der(w[2]) = (u[2] - (I[1] - I[3])*w[1]*w[3])/I[2];
  der(w[3]) = (u[3] - (I[2] - I[1])*w[1]*w[2])/I[3];
  q*q = 1;
constraint
  q[1](finalTime) = sin(phi/2); q[2](finalTime) = 0; q[3](finalTime) = 0; w(finalTime) = {0, 0, 0};
end Turn;
M
# about one axis: 2 sqrt(phi I/50) = 34.3112; the published optimum is 28.6304, constant controls on 30 intervals cost a little more
run 0 turn.mop --intervals 30
has 'the first solution was a saddle point; a cheaper one was found near it: the objective fell from 34\.311'
has 'objective 28\.6[3-9]'

# ---- straight lines to the end values lead through the middle of an obstacle ----
cat >obstacle.mop <<'M'
optimization Round(objectiveIntegrand = u^2 + v^2, startTime = 0, finalTime = 1)
  Real x(start = -2, fixed = true), y(start = 0, fixed = true);
  input Real u, v;
equation
  der(x) = u;
  der(y) = v;
constraint
  x(finalTime) = 2;
  y(finalTime) = 0;
  x^2 + y^2 >= 1;
end Round;
M
# two tangents of length sqrt(3) and an arc of pi/3: (2 sqrt(3) + pi/3)^2 = 20.3520
run 0 obstacle.mop
has '^Round: optimal'
has 'objective 20\.35'

exit $((failures > 0))
