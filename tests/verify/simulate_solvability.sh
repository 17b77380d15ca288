#!/usr/bin/env bash
# daedal simulate: points at which the equations stop determining the solution end a run with `singular`, whatever the method;
# poles, fading factors, near misses and events do not. Times are closed forms. Usage: simulate_solvability.sh PATH_OF_DAEDAL
set -u
: "${DAEDAL_SOURCE:=$(realpath "$(dirname "$0")/../..")}"
. "$(dirname "$0")/../cli/simulate_kit.bash"

# stops FILE CLASS TIME TOLERANCE EXPRESSION [ARGS]: singular there, because of that
stops() {
    local file=$1 class=$2 time=$3 tol=$4 expression=$5
    shift 5
    answer 1 singular "$file.mo" "$class" "$@"
    near t "$time" "$tol"
    [ -z "$expression" ] || [ "$(value expression)" = "$expression" ] ||
        complain "$class $*: $(value expression) is blamed, not $expression"
}

model lost <<'EOF'
model Dive "p^3 - 3 p + y = 0 on its middle root: 3 ln(1/p0) - 1.5 (1 - p0^2) from y = 0.5"
  Real y(start = 0.5, fixed = true);
equation
  der(y)^3 - 3*der(y) + y = 0;
  annotation(experiment(StopTime = 5));
end Dive;
model Gain "g = 2/(2 - s)"
  parameter Real at = 2;
  Real s(start = 0, fixed = true), g;
equation
  der(s) = 1;
  (s - at)*g + 2 = 0;
  annotation(experiment(StopTime = 3));
end Gain;
model Fading "y = 2 - t goes on through the zero of its coefficient"
  Real y(start = 2, fixed = true);
equation
  (2 - time)*der(y) + y = 0;
  annotation(experiment(StopTime = 3));
end Fading;
model Growing "y = 2/(2 - t): the coefficient makes it grow"
  Real y(start = 1, fixed = true);
equation
  (2 - time)*der(y) = y;
  annotation(experiment(StopTime = 3));
end Growing;
model Square "the same coefficient squared, and the row with it"
  Real y(start = 1, fixed = true);
equation
  (time - 1)^2*der(y) = (time - 1)^2*y;
  annotation(experiment(StopTime = 3));
end Square;
model Drive "u loses its grip on y at s = 1"
  Real s(start = 0, fixed = true), y, u, work(start = 0, fixed = true);
equation
  der(s) = 1;
  der(y) = (s - 1)*u;
  y = sin(time);
  der(work) = u;
  annotation(experiment(StopTime = 2));
end Drive;
model Turn "folds at z = 1, x = -1/2"
  Real x(start = 1, fixed = true), z(start = 2);
equation
  der(x) = -1;
  z^3 - 3*z = 2*x - 1;
  annotation(experiment(StopTime = 3));
end Turn;
model Coupled "determinant 1 - t^2"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) + time*der(y) = 1;
  time*der(x) + der(y) = 2;
  annotation(experiment(StopTime = 3));
end Coupled;
model Root "y = (1 - 2 t/3)^1.5 arrives at rest, where the cube of its rate says nothing"
  Real y(start = 1, fixed = true);
equation
  der(y)^3 + y = 0;
  annotation(experiment(StopTime = 3));
end Root;
model Bars "a parallelogram that turns evenly: flat at a = pi"
  Real a(start = 0.5, fixed = true), b(start = 0.5), c(start = 0), w(start = 1, fixed = true) = der(a), z[2];
equation
  lagrange(q = {a, b, c}, T = 0.5*der(a)^2 + 0.5*der(b)^2 + 0.05*der(c)^2, V = 0,
           c = {cos(a) + 2*cos(c) - cos(b) - 2, sin(a) + 2*sin(c) - sin(b)}, lambda = z);
  annotation(experiment(StopTime = 6));
end Bars;
model Rows "three rows that lose their rates one after the other"
  Real y[3](each start = 1, each fixed = true);
equation
  for i in 1:3 loop
    (0.5*i - time)*der(y[i]) = -y[i];
  end for;
  annotation(experiment(StopTime = 2));
end Rows;
model Ends "x = sqrt(1 - 2 t): near its end steps lead from noise to noise"
  Real x(start = 1, fixed = true);
equation
  x*der(x) = -1;
  annotation(experiment(StopTime = 2));
end Ends;
model Corner "z = |1 - t| or 1 - t: both roots meet inside a long step"
  Real x(start = 0, fixed = true), z(start = 1);
equation
  der(x) = 1;
  z^2 = (1 - x)^2;
  annotation(experiment(StopTime = 2));
end Corner;
model Cube "z = (t - 1)^(1/3)"
  Real x(start = -1, fixed = true), z(start = -1);
equation
  der(x) = 1;
  z^3 = x;
  annotation(experiment(StopTime = 2));
end Cube;
model Bend "z = (1 + x)/|x|: no change of sign"
  Real x(start = -1, fixed = true), z;
equation
  der(x) = 1;
  abs(x)*z = 1 + x;
  annotation(experiment(StopTime = 2));
end Bend;
EOF
for method in radau bdf dop853 'rk4 --step 0.02' 'gauss-2 --step 0.05' chebyshev 'radau --form original' 'radau --tol 1e-9'; do
    stops lost Dive 3.8892987615 1e-3 'der(y)^2 - 1' --method $method
    stops lost Gain 2 1e-6 's - at' --method $method
    stops lost Fading 2 1e-6 '2 - time' --method $method
    stops lost Drive 1 1e-6 '' --method $method
    stops lost Turn 1.5 1e-6 'z^2 - 1' --method $method
done
for method in radau bdf dop853 'rk4 --step 0.05' 'radau --stabilize dummy' 'radau --stabilize baumgarte'; do
    stops lost Bars 2.6415926536 2e-3 '' --method $method
done
for tol in 1e-4 1e-6 1e-7 1e-8 1e-9; do # steps that creep down to where z is what Newton's method leaves
    stops lost Corner 1 1e-6 z --tol $tol
done
for method in radau bdf dop853; do
    stops lost Growing 2 1e-6 '2 - time' --method $method
done
# steps that jump to another branch, or just past the place
for method in 'implicit-euler --step 0.013' 'trapezoidal --step 0.017' 'gauss-2 --step 0.037' 'bdf-2 --step 0.014'; do
    stops lost Turn 1.5 1e-6 'z^2 - 1' --method $method
done
stops lost Dive 3.8892987615 1e-6 'der(y)^2 - 1' --method dop853 --tol 1e-10
for method in dop853 radau bdf 'rk4 --step 0.3' 'radau --tol 1e-9'; do
    stops lost Bend 1 1e-6 'abs(x)' --method $method
done
for method in radau bdf dop853 dopri54 'rk4 --step 0.01' 'gauss-3 --step 0.07' 'radau --tol 1e-8'; do
    stops lost Ends 0.5 1e-5 x --method $method
done
for method in dop853 dopri54 radau bdf 'rk4 --step 0.3'; do
    stops lost Corner 1 1e-6 z --method $method
    stops lost Cube 1 1e-6 z^2 --method $method
done
stops lost Bars 2.6415926536 1e-4 '' --method dopri54 --tol 1e-6
stops lost Square 1 1e-6 '(time - 1)^2'
stops lost Coupled 1 1e-6 ''
stops lost Root 1.5 1e-3 'der(y)^2'
stops lost Rows 0.5 1e-6 '0.5 - time'
stops lost Gain 0.75 1e-6 's - at' --set at=0.75
expect 1 'lost.mo:12.*grows without bound.*--stop' lost.mo Gain
expect 1 'branch is open.*--through' lost.mo Bars
expect 1 'two solutions meet and end' lost.mo Turn

# --through goes on where there is a way
answer 0 ok lost.mo Fading --through
near y -1 1e-6
grep -q 'passed, because --through was given' out || complain "--through does not warn"
answer 0 ok lost.mo Bars --through
near a 6.5 1e-4
answer 1 singular lost.mo Turn --through

# two branches: apart until they meet, together from the start
model meeting <<'EOF'
model Together
  parameter Real a = 1, b = 2;
  Real x1(start = a, fixed = true), x2(start = b);
equation
  der(x1) + x1 = 0;
  (x1 - x2)*der(x2) + x1 - x2 = 0;
  annotation(experiment(StopTime = 3));
end Together;
EOF
stops meeting Together 1.8414056604 1e-6 'x1 - x2'
for a in 1 2; do
    answer 0 ok meeting.mo --set a=$a --set b=$a
    near x2 "$(awk -v a=$a 'BEGIN { print a*exp(-3) }')" 1e-6
done

# from a start at which other solutions begin (x = (2 t/3)^1.5): said
model open <<'EOF'
model Open
  Real x(start = 0, fixed = true);
equation
  der(x)^3 = x;
end Open;
EOF
expect 0 'singular at the initial values.*other solutions pass through' open.mo

# what is not singular
model fine <<'EOF'
model Fades "a factor that fades, on the whole row"
  Real x(start = 1, fixed = true);
equation
  exp(-40*time)*der(x) = -exp(-40*time)*x;
  annotation(experiment(StopTime = 5));
end Fades;
model FadesAlone "and on the rate alone"
  Real x(start = 1, fixed = true);
equation
  exp(-40*time)*der(x) = sin(time) - x;
end FadesAlone;
model FadesBeside "and on an algebraic row"
  Real x(start = 1, fixed = true), z;
equation
  der(x) = -z;
  exp(-40*time)*(z - x) = 0;
  annotation(experiment(StopTime = 10));
end FadesBeside;
model Pole "the coefficient passes through infinity"
  Real x(start = 1, fixed = true);
equation
  der(x)*(1/(time - 1)) = x;
  annotation(experiment(StopTime = 2));
end Pole;
model Tangent "so does a tangent"
  Real x(start = 1, fixed = true), z;
equation
  der(x) = z;
  tan(time)*z = 1;
  annotation(experiment(StartTime = 0.5, StopTime = 2.5));
end Tangent;
model Switched "another sign behind an event"
  Real x(start = -1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  (if x > 0 then -2 else 1)*der(y) = 1;
  annotation(experiment(StopTime = 2));
end Switched;
model Asleep "zero in the branch that does not count"
  Real x(start = 1, fixed = true);
equation
  (if time > 1 then time else 3 - time)*der(x) = 1;
  annotation(experiment(StopTime = 4));
end Asleep;
model Near "small, but not zero"
  Real y(start = 0, fixed = true);
equation
  ((time - 1)^2 + 1e-6)*der(y) = (time - 1)^2 + 1e-6;
  annotation(experiment(StopTime = 2));
end Near;
model Crank "a crank with a longer rod: its dead points are regular"
  Real a(start = 0.3, fixed = true), w(start = 3, fixed = true) = der(a), b(start = -0.1), s(start = 2.9), z[2];
equation
  lagrange(q = {a, b, s}, T = 0.5*der(a)^2 + 0.05*der(b)^2 + 0.5*der(s)^2, V = 0,
           c = {cos(a) + 2*cos(b) - s, sin(a) + 2*sin(b)}, lambda = z);
  annotation(experiment(StopTime = 5));
end Crank;
EOF
for class in Fades FadesAlone FadesBeside Pole Tangent Switched Asleep Near Crank; do
    answer 0 ok fine.mo $class
done
# a state that decays drowns in its tolerance and has no zero there; one that settles below zero has passed it
model decays <<'EOF'
model Decays
  parameter Real rate = 8, below = 0;
  Real x(start = 1, fixed = true), a;
equation
  der(x) = -rate*(x + below);
  x*a = x;
  annotation(experiment(StopTime = 10));
end Decays;
EOF
for method in radau bdf dop853 dopri54; do
    for tol in 1e-4 1e-6 1e-8 1e-10; do
        answer 0 ok decays.mo Decays --method $method --tol $tol
        near a 1 1e-6
        answer 0 ok decays.mo Decays --method $method --tol $tol --set rate=40
    done
    stops decays Decays 0.8635943474 1e-4 x --method $method --set below=0.001 # ln(1001)/8
done
model grows <<'EOF'
model Grows "x = 1/(1 - t): the factor 1/x is not to blame"
  Real x(start = 1, fixed = true);
equation
  der(x)/x = x;
  annotation(experiment(StopTime = 2));
end Grows;
model Logarithm "q = -log(1 - t): exp(-q) vanishes nowhere, q has no bound"
  Real q(start = 0, fixed = true);
equation
  exp(-q)*der(q) = 1;
  annotation(experiment(StopTime = 2));
end Logarithm;
model Tangent "q = tan(t)"
  Real q(start = 0, fixed = true);
equation
  der(q)/(1 + q^2) = 1;
  annotation(experiment(StopTime = 2));
end Tangent;
model Blamed "1 - t is to blame, though x grows and other rows depend on it"
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  (1 - time)*der(x) = x;
  (1 + x^2)*der(y) = 1;
  annotation(experiment(StopTime = 2));
end Blamed;
EOF
for method in radau bdf dop853 'radau --tol 1e-10'; do
    answer 1 step_too_small grows.mo Grows --method $method
    near t 1 1e-5
    answer 1 step_too_small grows.mo Logarithm --method $method
    near t 1 1e-5
    answer 1 step_too_small grows.mo Tangent --method $method
    near t 1.5707963268 1e-5
    stops grows Blamed 1 1e-6 '1 - time' --method $method
done
# through an algebraic unknown too: q' = exp(q^2) grows without bound at sqrt(pi)/2
model grows_z <<'EOF'
model GrowsZ
  Real q(start = 0, fixed = true), z;
equation
  der(q) = z;
  z*exp(-q^2) = 1;
end GrowsZ;
EOF
for method in radau bdf dop853; do
    answer 1 step_too_small grows_z.mo GrowsZ --stop 2 --method $method
    near t 0.8862269255 1e-5
done
answer 0 ok grows.mo Logarithm --stop 0.999 --tol 1e-9
near q 6.9077552790 1e-5

# explicit steps that stability limits to the square of the distance do not creep; what only comes near zero is passed
model creep <<'EOF'
model Creep
  Real x(start = 1, fixed = true);
equation
  (1 - time)^2*der(x) = -x;
end Creep;
model Near
  Real x(start = 1, fixed = true);
equation
  ((1 - time)^2 + 1e-9)*der(x) = -1e-6*x;
end Near;
EOF
for method in dop853 dopri54 fehlberg45 radau bdf; do
    stops creep Creep 1 1e-6 '(1 - time)^2' --stop 2 --method $method --max-steps 1000
    case $(value reason) in *'can continue, but others may begin there'*) ;; *) complain "Creep, $method: $(value reason)" ;; esac
    answer 0 ok creep.mo Near --stop 2 --method $method
done
# steps that jump over it or fail there; x and its rate vanish there, whatever the errors of given steps
for steps in 'rk4 --step 0.3' 'rk4 --step 0.07' 'euler --step 0.07' 'gauss-2 --step 0.13' 'implicit-euler --step 0.3' 'chebyshev-8 --step 0.3'; do
    stops creep Creep 1 1e-6 '(1 - time)^2' --stop 2 --method $steps
    case $(value reason) in *'can continue, but others may begin there'*) ;; *) complain "Creep, $steps: $(value reason)" ;; esac
done
# steps that end there, and a solution that no scout follows to that point
sed 's/= -x/= x/; s/Creep/Grow/' creep.mo | sed -n '1,/end Grow/p' >grow.mo
for steps in 'rk4 --step 0.1' 'rk4 --step 0.07' 'rk4 --step 0.01' 'gauss-2 --step 0.05' 'implicit-euler --step 0.1' 'chebyshev-16 --step 0.1'; do
    stops grow Grow 1 2e-3 '(1 - time)^2' --stop 2 --method $steps
    case $(value reason) in *'grows without bound'*) ;; *) complain "Grow, $steps: $(value reason)" ;; esac
done
# an even zero of a state that the run passes at the distance of its errors
model even <<'EOF'
model Even "x = (1 - time)^2/2"
  Real x(start = 0.5, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = time - 1;
  x*der(y) = 1;
end Even;
EOF
for tol in 1e-3 1e-5 1e-6 1e-8; do
    for method in radau dop853; do
        stops even Even 1 1e-3 x --stop 2 --method $method --tol $tol
    done
    # bdf is off by as much as x is there: found by the scout, or said
    run even.mo Even --json --stop 2 --method bdf --tol $tol
    cat out >>answers
    [ "$(value status)" = singular ] || [[ $(value messages) == *"cannot be told whether the equations still determine der(y)"* ]] ||
        complain "Even, bdf $tol: $(cat out)"
done
# zeros of even orders above 2: flat far from the place, which is the lowest point and not where they drown
model flat <<'EOF'
model Flat
  Real x(start = 0, fixed = true), z;
equation
  der(x) = cos(x);
  (x - 0.5)^4*z = 1 + sin(x);
  annotation(experiment(StopTime = 2));
end Flat;
EOF
sed 's/cos(x)/exp(-x)/; s/\^4/^6/; s/Flat/Flatter/' flat.mo >flatter.mo
for tol in 1e-3 1e-4 1e-6 1e-7 1e-8 1e-10; do
    for method in radau bdf dop853 dopri54; do
        stops flat Flat 0.5222381035 3e-4 '' --method $method --tol $tol # ln(tan(1/4 + pi/4))
        stops flatter Flatter 0.6487212707 3e-3 '' --method $method --tol $tol # sqrt(e) - 1
    done
done
# a determinant with a triple zero, of four rows: bdf creeps through noise towards it, with a suspicion in every step
model creeping <<'EOF'
model Creeping
  Real s(start=0,fixed=true), z[4], y(start=0,fixed=true);
equation
  der(s)=1;
  der(y)=z[1]-y;
  ((1)*(1.2+sin(5*s))*(1))*(z[1]-(exp(-s))) + ((1)*(1.2+sin(5*s))*(-0.563*cos(2*s+1.79)))*(z[2]-(exp(-s))) + ((1)*(1.2+sin(5*s))*(-0.801*cos(2*s+2.31)))*(z[3]-(exp(-s))) + ((1)*(1.2+sin(5*s))*(-0.122*cos(1*s+2.80)))*(z[4]-(sin(s))) = 0;
  ((0.523*cos(1*s+1.47))*(1.2+sin(5*s))*(1))*(z[1]-(exp(-s))) + ((0.523*cos(1*s+1.47))*(1.2+sin(5*s))*(-0.563*cos(2*s+1.79))+(0.532*cos(3*s+2.86))*((s-0.7866)^2+1e-3)*(1))*(z[2]-(exp(-s))) + ((0.523*cos(1*s+1.47))*(1.2+sin(5*s))*(-0.801*cos(2*s+2.31))+(0.532*cos(3*s+2.86))*((s-0.7866)^2+1e-3)*(-0.981*cos(1*s+1.07))+(-0.124*cos(1*s+2.94))*(0.3906-s)^3*(1))*(z[3]-(exp(-s))) + ((0.523*cos(1*s+1.47))*(1.2+sin(5*s))*(-0.122*cos(1*s+2.80))+(0.532*cos(3*s+2.86))*((s-0.7866)^2+1e-3)*(0.457*cos(1*s+0.80))+(-0.124*cos(1*s+2.94))*(0.3906-s)^3*(0.339*cos(2*s+2.76))+(1)*2.353*(1))*(z[4]-(sin(s))) = 0;
  ((-0.398*cos(3*s+0.95))*(1.2+sin(5*s))*(1))*(z[1]-(exp(-s))) + ((-0.398*cos(3*s+0.95))*(1.2+sin(5*s))*(-0.563*cos(2*s+1.79))+(0.072*cos(2*s+1.00))*((s-0.7866)^2+1e-3)*(1))*(z[2]-(exp(-s))) + ((-0.398*cos(3*s+0.95))*(1.2+sin(5*s))*(-0.801*cos(2*s+2.31))+(0.072*cos(2*s+1.00))*((s-0.7866)^2+1e-3)*(-0.981*cos(1*s+1.07))+(1)*(0.3906-s)^3*(1))*(z[3]-(exp(-s))) + ((-0.398*cos(3*s+0.95))*(1.2+sin(5*s))*(-0.122*cos(1*s+2.80))+(0.072*cos(2*s+1.00))*((s-0.7866)^2+1e-3)*(0.457*cos(1*s+0.80))+(1)*(0.3906-s)^3*(0.339*cos(2*s+2.76)))*(z[4]-(sin(s))) = 0;
  ((0.133*cos(3*s+1.23))*(1.2+sin(5*s))*(1))*(z[1]-(exp(-s))) + ((0.133*cos(3*s+1.23))*(1.2+sin(5*s))*(-0.563*cos(2*s+1.79))+(1)*((s-0.7866)^2+1e-3)*(1))*(z[2]-(exp(-s))) + ((0.133*cos(3*s+1.23))*(1.2+sin(5*s))*(-0.801*cos(2*s+2.31))+(1)*((s-0.7866)^2+1e-3)*(-0.981*cos(1*s+1.07)))*(z[3]-(exp(-s))) + ((0.133*cos(3*s+1.23))*(1.2+sin(5*s))*(-0.122*cos(1*s+2.80))+(1)*((s-0.7866)^2+1e-3)*(0.457*cos(1*s+0.80)))*(z[4]-(sin(s))) = 0;
  annotation(experiment(StopTime=2.0));
end Creeping;
EOF
answer 1 singular creeping.mo --method bdf --tol 1e-8 --max-time 20
near t 0.3906 1e-3
# a number that vanishes at a kink, behind which nothing can be solved for
model orifice <<'EOF'
model Orifices "levels meet at t = 1"
  Real h1(start = 2, fixed = true), h2(start = 1, fixed = true), q(start = 1);
equation
  der(h1) = -q;
  der(h2) = q;
  q^2*sign(q) = h1 - h2;
  annotation(experiment(StopTime = 3));
end Orifices;
EOF
for tol in 1e-4 1e-5 1e-6 1e-7 1e-8 1e-9; do
    for method in radau bdf dop853 dopri54; do
        stops orifice Orifices 1 1e-3 '' --method $method --tol $tol
    done
done
# a coefficient that touches zero, which errors keep away from it: found, or said
model touch <<'EOF'
model Touch "x = sin(time)"
  Real x(start = 0, fixed = true), z;
equation
  der(x) = cos(time);
  (1 - x)*z = 1;
  annotation(experiment(StopTime = 3));
end Touch;
EOF
for tol in 1e-4 1e-5 1e-6 1e-7 1e-8 1e-9 1e-10; do
    for method in radau bdf dop853; do
        run touch.mo Touch --json --method $method --tol $tol
        cat out >>answers
        [ "$(value status)" = singular ] || [[ $(value messages) == *"cannot be told whether the equations still determine z"* ]] ||
            complain "Touch, $method $tol: $(cat out)"
    done
done
# a corner, at tolerances in between too: steps meet it from both sides
for tol in 1e-3 1e-4 5e-5 2e-5 1e-5 5e-6 1e-7; do
    for method in radau bdf; do
        stops lost Corner 1 1e-6 '' --method $method --tol $tol
    done
done
# given steps that leap a zero, take the other root before it, land on it or have no first slope at it, of any size
model leapt <<'EOF'
model Choked "(1 - m^2) m' = m^3 ends at m = 1: 3/2 - ln 2"
  Real m(start = 0.5, fixed = true);
equation
  (1 - m^2)*der(m) = m^3;
  annotation(experiment(StopTime = 4));
end Choked;
model Emptied "x = (1 - t)^2; 0 and later parabolas follow x = 0 as well"
  Real x(start = 1, fixed = true), v(start = -2);
equation
  der(x) = v;
  v^2 = 4*x;
  annotation(experiment(StopTime = 4));
end Emptied;
model Root "x = (1 - 2 t/3)^(3/2)"
  Real x(start = 1, fixed = true);
equation
  der(x)^3 + x = 0;
  annotation(experiment(StopTime = 4));
end Root;
model Met "steps of 1/8 meet the zero itself"
  Real x(start = 0, fixed = true), z, q(start = 0, fixed = true);
equation
  der(x) = 1;
  (x - 1)*z = (x - 1)*cos(x);
  der(q) = z;
  annotation(experiment(StopTime = 2));
end Met;
EOF
for step in 0.1 0.02 0.013 0.01; do
    for method in rk4 heun2 bdf-1 bdf-2 bdf-3 gauss-2 radau-3 implicit-euler; do
        error=$step
        case $method in
        heun2 | bdf-1 | implicit-euler) error=$(awk -v h=$step 'BEGIN { print 3*h }') ;;
        esac
        stops leapt Choked 0.8068528194 "$error" '1 - m^2' --method $method --step $step
        stops leapt Emptied 1 "$error" v --method $method --step $step
        stops leapt Root 1.5 "$error" 'der(x)^2' --method $method --step $step
    done
done
for step in 0.5 0.25 0.125 0.015625; do
    for method in rk4 heun2 bdf-2 gauss-2 radau-3; do
        stops leapt Met 1 1e-6 'x - 1' --method $method --step $step
    done
done
# explicit methods take long steps where x' is simple, and find the root of another branch behind a fold
model branches <<'EOF'
model Waves "folds where cos(z) = -1/5: sqrt(24)/5 + acos(-1/5)/5; beyond it there are other branches"
  Real p(start = 0, fixed = true), z(start = 0);
equation
  der(p) = 1;
  sin(z) + 0.2*z = p;
  annotation(experiment(StopTime = 4));
end Waves;
model Crank "equal bars: b = -a crosses b = a - pi"
  Real a(start = 0.3, fixed = true), b(start = -0.3), x(start = 2);
equation
  der(a) = 1;
  sin(a) + sin(b) = 0;
  x = cos(a) + cos(b);
  annotation(experiment(StopTime = 4));
end Crank;
model Slow "z^3 - z = x - y folds at -2/sqrt(27)"
  Real x(start = 2, fixed = true), y(start = 0, fixed = true), z(start = 1.5);
equation
  der(x) = -1;
  der(y) = 0.25;
  z^3 - z + y = x;
  annotation(experiment(StopTime = 4));
end Slow;
EOF
for method in dop853 dopri54 bs32 radau bdf; do
    for tol in 1e-2 1e-3 1e-4 1e-5 1e-6 1e-8; do
        stops branches Waves 1.3342267466 1e-3 'cos(z) + 0.2' --method $method --tol $tol
        stops branches Crank 1.2707963268 1e-3 'cos(b)' --method $method --tol $tol
        stops branches Slow 1.9079201434 1e-3 '3*z^2 - 1' --method $method --tol $tol
    done
done
# zeros at kinks are zeros, and valleys that are not zero are none: of a branch that is left before, or as deep as 1e-13
model valleys <<'EOF'
model Folded "the factor vanishes at its kink, s = 1/2"
  Real s(start = 0, fixed = true), z, q(start = 0, fixed = true);
equation
  der(s) = 0.6*(1 + s);
  abs(s - 0.5)*z = abs(s - 0.5)*cos(time);
  der(q) = z;
  annotation(experiment(StopTime = 1.5));
end Folded;
model Offset "a hundredth above zero: the branch in front of the kink would get there"
  Real s(start = 0, fixed = true), x(start = 0, fixed = true);
equation
  der(s) = 0.5*(1 + s);
  (0.01 + abs(s - 0.48))*der(x) = (0.01 + abs(s - 0.48))*cos(time);
  annotation(experiment(StopTime = 1.5));
end Offset;
model Deep "1/cosh(30) at s = 1"
  Real s(start = 0, fixed = true), c(start = 1, fixed = true), z, q(start = 0, fixed = true);
equation
  der(s) = c;
  der(c) = -s;
  1/cosh(30*s)*z = 1/cosh(30*s)*cos(2*time);
  der(q) = z;
  annotation(experiment(StopTime = 1.6));
end Deep;
EOF
model crossing <<'EOF'
model Crossing "a bead on a lemniscate: its quarter is 1.3110287771 long"
  Real x(start = 1, fixed = true), y(start = 0), u(start = 0), v(start = 1, fixed = true), l;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -l*(4*x*(x^2 + y^2) - 2*x);
  der(v) = -l*(4*y*(x^2 + y^2) + 2*y);
  (x^2 + y^2)^2 = x^2 - y^2;
  annotation(experiment(StopTime = 3));
end Crossing;
EOF
for method in gauss-2 gauss-3 rk4 radau-3 midpoint; do
    for step in 0.02 0.013 0.01 0.005; do
        stops crossing Crossing 1.3110287771 1e-2 '' --method $method --step $step
    done
done
for way in '' '--method dop853' '--method bs32' '--method bdf' '--tol 1e-9' '--method rk4 --step 0.01' '--method radau-3 --step 0.013' \
    '--method bdf-2 --step 0.01'; do
    stops valleys Folded 0.6757751802 1e-3 'abs(s - 0.5)' $way
    answer 0 ok valleys.mo Offset $way
    near x 0.9974949866 1e-4
    answer 0 ok valleys.mo Deep $way
    near q -0.0291870717 1e-4
done
# expressions are those of the model: abs, sign, min and roots, and not what takes their place in a step
model written <<'EOF'
model Written
  parameter Integer which = 1;
  Real x(start = 0, fixed = true), z(start = 2);
equation
  der(x) = 1;
  if which == 1 then
    z*abs(z) - z = 2 - x;
  elseif which == 2 then
    z^2*sign(z) - z + 0.1*abs(z) = 2 - x;
  elseif which == 3 then
    z*max(z, 0.2*x) - z = 2 - x;
  elseif which == 4 then
    z*mod(z, 10) - z = 2 - x;
  else
    z - sqrt(z) = 2 - x;
  end if;
  annotation(experiment(StopTime = 5));
end Written;
EOF
stops written Written 2.25 1e-5 'abs(z) + z*sign(z) - 1'
stops written Written 2.2025 1e-5 '0.1*sign(z) + 2*z*sign(z) - 1' --set which=2
stops written Written 2.25 1e-5 'max(z, 0.2*x) + (if 0.2*x <= z then z else 0) - 1' --set which=3
stops written Written 2.25 1e-5 'z + mod(z, 10) - 1' --set which=4
stops written Written 2.25 1e-5 '1 - 0.5/sqrt(z)' --set which=5
# a zero that is smaller than the errors allowed: the solution ends there, and it is named without its nominal value too
model tiny <<'EOF'
model Tiny "x = a cos(t)"
  parameter Real a = 1e-7;
  Real x(start = a, fixed = true, nominal = size), v(start = 0, fixed = true, nominal = size), y(start = 0, fixed = true);
  parameter Real size = 1;
equation
  der(x) = v;
  der(v) = -x;
  x*der(y) = a;
end Tiny;
EOF
stops tiny Tiny 1.5707963268 1e-6 x --stop 3 --method rk4 --step 0.01
stops tiny Tiny 1.5707963268 1e-6 x --stop 3 --method rk4 --step 0.01 --set size=1e-7
# a coefficient of one unknown that fades beside others: the digits asked for, or the verdict that they are lost, in time
model column <<'EOF'
model Column "y = z = exp(-t), der(y) = 2*x*.../(2*x)"
  parameter Real k = 50;
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1, fixed = true);
equation
  der(x) = -k*x;
  x*der(y) + der(z) = -x*y - z;
  x*der(y) - der(z) = -x*y + z;
end Column;
EOF
for k in 5 20 30 50 80; do
    for method in radau bdf dop853; do
        for tol in 1e-4 1e-6 1e-8 1e-10; do
            run --json column.mo Column --set k=$k --method $method --tol $tol
            cat out >>answers
            if [ "$(value status)" = ok ]; then
                near y 0.36787944117144 "$(awk "BEGIN {print 10*$tol}")"
            elif [ "$(value status)" != singular ] || ! grep -q 'to the digits of the tolerance any more: a determinant in' out; then
                complain "Column, k = $k, $method, $tol: $(cut -c1-300 out)"
            fi
        done
    done
done
# where all terms of its row fade with it, and where the equations damp the errors, nothing is lost
model alone <<'EOF'
model Alone "y' = -y; z follows sin(t)"
  Real y(start = 1, fixed = true), z(start = 0, fixed = true);
equation
  exp(-30*time)*der(y) = -exp(-30*time)*y;
  exp(-30*time)*der(z) = sin(time) - z;
end Alone;
EOF
for method in radau bdf; do
    answer 0 ok alone.mo Alone --method $method --tol 1e-8
    near y 0.36787944117144 1e-7
    near z 0.8414709848079 1e-7
done
# a cusp, |t - 1/2|^(2/3), between given steps and within windows
model cusp <<'EOF'
model Cusp
  Real x(start = 1, fixed = true), z;
equation
  der(x) = -z;
  z^3 = time - 0.5;
end Cusp;
EOF
for steps in 'rk4 --step 0.03' 'euler --step 0.07' 'gauss-2 --step 0.13' 'radau-3 --step 0.03' 'chebyshev-8 --step 0.3' 'chebyshev-16 --step 0.7'; do
    stops cusp Cusp 0.5 1e-6 'z^2' --stop 1 --method $steps
done

# z^m = x with falling x: for even m two branches meet and end, for odd m the solution goes on as the root of x
for m in 2 3 4 5 6; do
    model order$m <<EOF
model Order$m
  Real x(start = 1, fixed = true), z(start = 1);
equation
  der(x) = -1;
  z^$m = x;
end Order$m;
EOF
    for method in radau bdf dopri54; do
        answer 1 singular order$m.mo Order$m --stop 3 --method $method
        near t 1 1e-6
        case $((m % 2))$(value reason) in
        0*'none continues beyond it'* | 1*'goes on, with an infinite slope'* | 1*'can continue'*) ;;
        *) complain "order $m, $method: $(value reason)" ;;
        esac
    done
done

# (1 - t) x' = -k x: x = (1 - t)^k arrives with a finite slope, and no second branch could meet it, since 1 - t does not
# depend on x'; x'^3 - 3 x' + x = 0 folds at x' = 1, where the middle branch and the upper one meet and end
model words <<'EOF'
model Lead
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  (1 - time)*der(x) + k*x = 0;
end Lead;
model Impasse
  Real x(start = 0.5, fixed = true);
equation
  der(x)^3 - 3*der(x) + x = 0;
end Impasse;
EOF
for method in radau bdf dopri54 'rk4 --step 0.013' 'gauss-2 --step 0.013'; do
    for k in 1 1.5 2 3; do
        answer 1 singular words.mo Lead --stop 2 --set k=$k --method $method
        near t 1 1e-6
        case $(value reason) in
        *'can continue, but others may begin'*) ;;
        *) complain "x = (1 - t)^$k, $method: $(value reason)" ;;
        esac
    done
    answer 1 singular words.mo Impasse --stop 5 --method $method
    near t 3.8893 1e-3
    case $(value reason) in
    *'none continues beyond it'*) ;;
    *) complain "Impasse, $method: $(value reason)" ;;
    esac
done

# a fold right behind the start, at tolerances where rounding of z disturbs the estimate of a step: the run ends there
# instead of creeping. t = (z0^2 - 1)/2 - log(z0)
model near_fold <<'EOF'
model NearFold
  parameter Real z0 = 1.01;
  Real x(start = z0^3/3 - z0, fixed = true), z(start = z0);
equation
  der(x) = -z;
  z^3/3 - z = x;
end NearFold;
EOF
for method in radau bdf dopri54 dop853; do
    for tol in 1e-8 1e-9 1e-10 1e-11; do
        for z0 in 1.1 1.03 1.01; do
            answer 1 singular near_fold.mo --stop 1 --method $method --tol $tol --set z0=$z0 --max-time 20
            near t "$(awk -v z=$z0 'BEGIN { printf "%.15g", (z*z - 1)/2 - log(z) }')" 1e-6
        done
    done
done

# an infinite slope at a kink: z |z| = x has a solution on either side, z^2 has none beyond x = 0, and that is said
model kinked <<'EOF'
model Passes
  Real x(start = -1, fixed = true), z(start = -1);
equation
  der(x) = 1;
  z*abs(z) = x;
end Passes;
model Ends
  Real x(start = 1, fixed = true), z(start = 1);
equation
  der(x) = -1;
  abs(z)*abs(z) = x;
end Ends;
EOF
for method in radau bdf dop853 'rk4 --step 0.013' 'gauss-2 --step 0.013'; do
    for way in 'Passes:with an infinite slope' 'Ends:none continues beyond it'; do
        answer 1 singular kinked.mo "${way%:*}" --stop 2 --method $method
        near t 1 1e-6
        case $(value reason) in
        *"${way#*:}"*) ;;
        *) complain "${way%:*}, $method: $(value reason)" ;;
        esac
    done
done

# blocks of hundreds of rows: a ladder of N unknowns whose determinant is N + 1 - a N, and one that turns just before
model ladder <<'EOF'
model Ladder "a = t reaches (N + 1)/N"
  parameter Integer N = 300;
  Real a(start = 0, fixed = true), z[N], x(start = 0, fixed = true);
equation
  der(a) = 1;
  (2 - a)*z[1] - z[2] = 1;
  for i in 2:N - 1 loop
    2*z[i] - z[i - 1] - z[i + 1] = 0;
  end for;
  2*z[N] - z[N - 1] = 0;
  der(x) = z[N];
  annotation(experiment(StopTime = 2));
end Ladder;
model Turning "the same, but a turns at 1: x = integral of 1/(N + 1 - a N)"
  parameter Integer N = 300;
  Real a(start = 0, fixed = true), z[N], x(start = 0, fixed = true);
equation
  der(a) = cos(time);
  (2 - a)*z[1] - z[2] = 1;
  for i in 2:N - 1 loop
    2*z[i] - z[i - 1] - z[i + 1] = 0;
  end for;
  2*z[N] - z[N - 1] = 0;
  der(x) = z[N]*(N + 1 - a*N);
  annotation(experiment(StopTime = 3));
end Turning;
EOF
for method in "" "--method bdf" "--method dop853" "--method rk4 --step 0.01" "--method radau-3 --step 0.01"; do
    for n in 40 300; do
        answer 1 singular ladder.mo Ladder --set N=$n $method
        near t "$(awk -v n=$n 'BEGIN { printf "%.17g", (n + 1)/n }')" 2e-3
        answer 0 ok ladder.mo Turning --set N=$n $method
        near x 3 1e-3
    done
done

# six parallel rods (242 rows) that become parallel to each other where cos(phi) = -1/3: a platform that nothing holds any more
for method in "" "--tol 1e-8" "--method bdf" "--method dop853"; do
    answer 1 singular "$DAEDAL_SOURCE/examples/delta_robot_parts.mo" DeltaRobotSixRods $method
    near 'motor[1].phi' 1.9106332362490186 2e-3
done
finish
