#!/usr/bin/env bash
# Mechanics: models with a known answer. Usage: mechanics.sh PATH_OF_DAEDAL
set -u
: "${DAEDAL_SOURCE:=$(realpath "$(dirname "$0")/../..")}"
. "$(dirname "$0")/../cli/simulate_kit.bash"

# A rate that is only a name: w = der(phi) is never differentiated, phi'' is an unknown all the same.
model named <<'END'
model Named "a pendulum, its angle, and the name of the angle's rate"
  Real x(start = 1), y(start = 0), phi(start = 0, fixed = true), w(start = 0, fixed = true) = der(phi), f[2];
  Real vx = der(x), vy = der(y), energy = 0.5*w^2 + 9.81*sin(phi);
equation
  der(vx) = f[1];
  der(vy) = f[2] - 9.81;
  x*f[2] = y*f[1];
  x*cos(phi) + y*sin(phi) = 1;
  x*sin(phi) = y*cos(phi);
end Named;
END
answer 0 ok named.mo --stop 2 --tol 1e-9
near energy 0 1e-7
near constraint_violation 0 1e-13

# plain FILE: a CSV file without quotes, A[1;2] for A[1,2]
plain() {
    sed -E '1s/\[([0-9]+),([0-9]+)\]/[\1;\2]/g; 1s/"//g' "$1"
}

# range_of FILE COLUMN: largest less smallest value
range_of() {
    plain "$1" | awk -v name="$2" -F, '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
        NR == 2 { low = high = $at }
        { if ($at < low) low = $at; if ($at > high) high = $at }
        END { if (!at) print "missing"; else printf "%.17g", high - low }'
}

# kept FILE COLUMN TOLERANCE: a quantity that must not change
kept() {
    local spread
    spread=$(range_of "$1" "$2")
    awk -v a="$spread" -v tol="$3" 'BEGIN { exit !(a != "missing" && a <= tol) }' || complain "$2 of $1 changes by $spread, allowed are $3"
}

# agree FILE FILE TOLERANCE NAME=NAME...: columns of two CSV files with the same rows
agree() {
    local first=$1 second=$2 tol=$3 worst
    shift 3
    for pair in "$@"; do
        worst=$(awk -v a="${pair%=*}" -v b="${pair#*=}" -F, '
            FNR == 1 { file++; at = 0; for (i = 1; i <= NF; i++) if ($i == (file == 1 ? a : b)) at = i
                       if (!at) bad = 1; next }
            file == 1 { value[FNR] = $at; rows = FNR }
            file == 2 { d = $at - value[FNR]; if (d < 0) d = -d; if (d > most) most = d; seen = FNR }
            END { if (bad || seen != rows || rows < 3) print "missing"; else printf "%.17g", most }' <(plain "$first") <(plain "$second"))
        awk -v d="$worst" -v tol="$tol" 'BEGIN { exit !(d != "missing" && d <= tol) }' ||
            complain "$pair of $first and $second: $worst, allowed are $tol"
    done
}

# ---- every part against what is known about it ----
parts=0
for kind in space:Space plane:Plane; do
    file=$DAEDAL_SOURCE/tests/cli/mechanics/${kind%:*}.mo
    for name in $(sed -n 's/^  model \([A-Za-z]*\).*/\1/p' "$file"); do
        answer 0 ok "$file" "${kind#*:}.$name" --tol 1e-9
        near constraint_violation 0 1e-11
        for key in $(grep -oE '"err(\[[0-9]+\])?":' out | tr -d '":'); do
            near "$key" 0 3e-8
            parts=$((parts + 1))
        done
    done
done
[ $parts -gt 80 ] || complain "only $parts numbers of parts were looked at"

# every model of the library is used by some test
for kind in package:space Planar:plane; do
    for name in $(sed -n 's/^  model \([A-Za-z]*\).*/\1/p' "$DAEDAL_SOURCE/lib/Daedal/Mechanics/${kind%:*}.mo"); do
        grep -qE "^ +$name [a-z]" "$DAEDAL_SOURCE/tests/cli/mechanics/${kind#*:}.mo" ||
            grep -qE "^ +$name [a-z]" "$DAEDAL_SOURCE"/examples/*.mo || complain "$name of ${kind%:*}.mo has no test"
    done
done

# ---- the delta robot: parts against Lagrange's equations, free and with motors ----
examples=$DAEDAL_SOURCE/examples
same="motor[1].phi=alpha[1] motor[2].phi=alpha[2] motor[3].phi=alpha[3] motor[1].w=w[1] motor[2].w=w[2] motor[3].w=w[3]
    platform.r[1]=p[1] platform.r[2]=p[2] platform.r[3]=p[3] platform.v[1]=v[1] platform.v[2]=v[2] platform.v[3]=v[3]"
answer 0 ok "$examples/delta_robot.mo" --stop 2 --tol 1e-12 --points 40 -o lagrange.csv
answer 0 ok "$examples/delta_robot_parts.mo" DeltaRobotParts --stop 2 --tol 1e-12 --points 40 -o parts.csv
near constraint_violation 0 1e-13
agree parts.csv lagrange.csv 1e-9 $same
kept parts.csv energy 1e-9
motors=(--set 'tau[1]=-0.366+0.05*sin(4*time)' --set 'tau[2]=-0.366+0.04*cos(5*time)' --set 'tau[3]=-0.366' --stop 2 --points 40)
answer 0 ok "$examples/delta_robot.mo" --tol 1e-12 "${motors[@]}" -o lagrange.csv
answer 0 ok "$examples/delta_robot_parts.mo" DeltaRobotParts --tol 1e-12 "${motors[@]}" -o parts.csv
agree parts.csv lagrange.csv 1e-9 $same
answer 0 ok "$examples/delta_robot_parts.mo" DeltaRobotSixRods --tol 1e-12 "${motors[@]}" -o parts.csv
agree parts.csv lagrange.csv 1e-9 $same
lines=$(sed -n '/^model DeltaRobotParts/,/^end DeltaRobotParts/p' "$examples/delta_robot_parts.mo" | wc -l)
[ "$lines" -lt 40 ] || complain "the delta robot from parts has $lines lines"

# ---- other mechanisms: the same motion written otherwise, and what is kept ----
answer 0 ok "$examples/double_pendulum.mo" DoublePendulum --stop 2 --tol 1e-10 -o out.csv
kept out.csv energy 1e-8
answer 0 ok "$examples/double_pendulum.mo" DoublePendulum --stop 2 --tol 1e-10 --points 40 -o parts.csv
answer 0 ok "$examples/double_pendulum.mo" DoublePendulumAngles --stop 2 --tol 1e-10 --points 40 -o angles.csv
agree parts.csv angles.csv 1e-7 upper.phi=a lower.phi=b upper.w=u lower.w=v
for name in FourBar FourBarInSpace; do
    answer 0 ok "$examples/four_bar.mo" $name --stop 2 --tol 1e-10 -o out.csv
    near constraint_violation 0 1e-12
    kept out.csv energy 1e-8
    answer 0 ok "$examples/four_bar.mo" $name --stop 2 --tol 1e-10 --points 40 -o $name.csv
done
agree FourBar.csv FourBarInSpace.csv 1e-7 j1.phi=j1.phi j1.w=j1.w rocker.b.r[1]=rocker.b.r[1] rocker.b.r[2]=rocker.b.r[3]
answer 0 ok "$examples/slider_crank_parts.mo" --stop 2 --tol 1e-10 -o out.csv
near constraint_violation 0 1e-12
near 'piston.r[2]' 0 1e-12
kept out.csv energy 1e-8
answer 0 ok "$examples/spatial_chain.mo" --stop 1 --tol 1e-10 -o out.csv
near constraint_violation 0 1e-12
kept out.csv energy 1e-8
kept out.csv spin 1e-8
answer 0 ok "$examples/satellite.mo" --stop 60 --tol 1e-10 -o out.csv
for i in 1 2 3; do
    kept out.csv "momentum[$i]" 1e-8
done
kept out.csv energy 1e-8
near 'turn[1]' 0 1e-2 # on its way
for axis in 1 2 3; do
    answer 0 ok "$examples/tumbling_body.mo" --set axis=$axis --stop 20 --tol 1e-10 -o out.csv
    for i in 1 2 3; do
        kept out.csv "momentum[$i]" 1e-8
    done
    kept out.csv energy 1e-8
    case $axis in # near its axis all the time, or not
    2) awk -v a="$(range_of out.csv away)" 'BEGIN { exit !(a > 2) }' || complain "turning about the middle axis is stable" ;;
    *) kept out.csv away 0.02 ;;
    esac
done

# ---- mistakes ----
model axis <<'END'
model Axis
  import Daedal.Mechanics.*;
  World world;
  Revolute j(n = {1, 1, 0});
  Body b;
equation
  connect(world.frame, j.a);
  connect(j.b, b.frame);
end Axis;
END
answer 1 invalid_model axis.mo
grep -q 'the axis n must have the length 1' out || complain "a wrong axis is not named"

# a start value chooses the branch also where it is written at the other end of a connection
model branch <<'END'
model Branch
  Real p(start = -0.8), d, e;
equation
  d = 2*e;
  e = p;
  d^2 = 2.56;
end Branch;
END
answer 0 ok branch.mo
near p -0.8 1e-12

# ---- a loop that is closed twice is named, with the remedy ----
"$daedal" check "$examples/mistakes/redundant_loop.mo" >out 2>err
[ $? -eq 1 ] || complain "the redundant loop is accepted"
for words in 'j1, j2, j3 and j4' 'over-determined' 'RevolutePlanarLoop'; do
    tr -s '\n ' '  ' <out | grep -q "$words" || complain "the redundant loop: nothing about $words"
done

# ---- a slider-crank in space from a user's first parts: each refusal begins with the part to use, and with it the model runs ----
# crank FILE JOINT [PART]: the joint at the piston, and what is connected where the joints meet
crank() {
    cat >"$1" <<END
model SliderCrank
  import Daedal.Mechanics.*;
  World world;
  Revolute motor(n = {0, 1, 0}, phi(start = 0.7, fixed = true), w(start = 5, fixed = true));
  Link crank(m = 1, I = diagonal({0.001, 1/12, 1/12}), ra = {-0.5, 0, 0}, rb = {0.5, 0, 0});
  Revolute big(n = {0, 1, 0});
  Link rod(m = 1, I = diagonal({0.001, 0.1875, 0.1875}), ra = {-0.75, 0, 0}, rb = {0.75, 0, 0});
  $2 small(n = {0, 1, 0});
  Prismatic cylinder(n = {1, 0, 0}, s(start = 2.1));
  ${3:+$3 pin;}
equation
  connect(world.frame, motor.a);
  connect(motor.b, crank.a);
  connect(crank.b, big.a);
  connect(big.b, rod.a);
  connect(rod.b, small.a);
  connect(small.b, cylinder.b);
  connect(world.frame, cylinder.a);
  ${3:+connect(pin.frame, cylinder.b);}
end SliderCrank;
END
}
# says_first FILE WORDS: they stand in the first sentence of the verdict
says_first() {
    "$daedal" check "$1" >out 2>err
    [ $? -eq 1 ] || complain "$1 is accepted"
    sed -n '2,/;$/p' out | tr -s '\n ' '  ' | grep -q "$2" || complain "$1: the verdict does not begin with $2"
}
crank twice.mo Revolute
says_first twice.mo 'about motor, big and small: .*RevolutePlanarLoop'
crank open.mo RevolutePlanarLoop
says_first open.mo 'about cylinder.b: .*Massless'
crank closed.mo RevolutePlanarLoop Massless
answer 0 ok closed.mo --stop 2 --tol 1e-10
in_space=$(value cylinder.s)
# the same in the plane, whose angles count the other way: an independent formulation
model plane <<'END'
model Plane
  import Daedal.Mechanics.Planar.*;
  World world;
  Revolute motor(phi(start = -0.7, fixed = true), w(start = -5, fixed = true)), big, small;
  Link crank(m = 1, I = 1/12, ra = {-0.5, 0}, rb = {0.5, 0}), rod(m = 1, I = 0.1875, ra = {-0.75, 0}, rb = {0.75, 0});
  Prismatic cylinder(s(start = 2.1));
equation
  connect(world.frame, motor.a);
  connect(motor.b, crank.a);
  connect(crank.b, big.a);
  connect(big.b, rod.a);
  connect(rod.b, small.a);
  connect(small.b, cylinder.b);
  connect(world.frame, cylinder.a);
end Plane;
END
answer 0 ok plane.mo --stop 2 --tol 1e-10
near cylinder.s "$in_space" 1e-7

finish
