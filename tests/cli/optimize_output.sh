#!/usr/bin/env bash
# What comes out of daedal optimize: the table and that it can be fed back, multipliers, page and picture, the iteration table,
# nothing but the answer with --json. Usage: optimize_output.sh PATH_OF_DAEDAL
. "$(dirname "$0")/optimize_kit.bash"
. "$(dirname "$0")/page_kit.bash"

cat >swing.mop <<'M'
model Swing
  Real phi(start = 0, fixed = true) "angle & <more>";
  Real w(start = 0, fixed = true), e;
  input Real u(min = -4, max = 4);
equation
  der(phi) = w;
  der(w) = -3*sin(phi) + u;
  e = w^2/2 - u;
end Swing;
optimization Up(objectiveIntegrand = u^2, startTime = 0, finalTime = 2.5) extends Swing;
constraint
  phi(finalTime) = 3;
  w(finalTime) = 0;
  w + u <= 4.5;
end Up;
M

# ---- the table ----
# NAME: one row per time, or two where u jumps; times do not fall; returns the number of repeated times
repeated() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "u") c = i; next }
             NR > 2 && $1 < t { bad = 1 }
             NR > 2 && $1 == t { n++; if ($c == u) bad = 2 }
             { t = $1; u = $c }
             END { print bad ? "bad" : n + 0 }' u.csv
}
for control in constant linear polynomial; do
    "$daedal" optimize swing.mop --intervals 30 --degree 4 --control $control -o u.csv --json >answer 2>messages ||
        complain "$control: $(cat answer)"
    [ -s messages ] && complain "$control: noise with --json: $(cat messages)"
    [ "$(wc -l <answer)" -eq 1 ] || complain "$control: more than one line with --json"
    head -n 1 u.csv | grep -qx 'time,phi,w,e,u' || complain "$control: header $(head -n 1 u.csv)"
    rows=$(repeated)
    rows_all=$(wc -l <u.csv)
    case $control in
    constant) [ "$rows" -gt 15 ] && [ "$rows_all" -le 151 ] || complain "constant: $rows jumps, $rows_all rows" ;;
    linear) [ "$rows" = 0 ] && [ "$rows_all" -eq 122 ] || complain "linear: $rows jumps, $rows_all rows" ;;
    polynomial) [ "$rows" != bad ] && [ "$rows_all" -gt 500 ] || complain "polynomial: $rows jumps, $rows_all rows" ;;
    esac
    # fed back it ends where the optimiser says
    "$daedal" simulate swing.mop Swing --input u.csv --stop 2.5 --tol 1e-10 --json >again
    sed 's/.*"final":{"phi":\([^,]*\),"w":\([^,]*\),.*/\1 \2/' answer again | paste - - |
        awk '{ a = $1 - $3; b = $2 - $4; exit !(a*a < 1e-10 && b*b < 1e-10) }' || complain "$control: fed back it ends elsewhere"
done

# steps of shooting with polynomial controls: jumps inside an interval as well
"$daedal" optimize swing.mop --intervals 10 --method shooting --substeps 3 --control polynomial -o u.csv >answer ||
    complain "shooting: $(cat answer)"
"$daedal" simulate swing.mop Swing --input u.csv --stop 2.5 --tol 1e-10 --json >again
sed 's/.*"final":{"phi":\([^,]*\),"w":\([^,]*\),.*/\1 \2/' again |
    awk '{ a = $1 - 3; exit !(a*a < 1e-6 && $2*$2 < 1e-6) }' || complain "shooting: fed back it ends elsewhere: $(cat again)"

# a control that jumps inside every interval wants hundreds of rows in each: their number is limited by the mesh, with
# phases too, and the motion is still repeated
cat >ring.mop <<'M'
model Ring
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  input Real u(min = -1, max = 1);
equation
  der(x) = u - x;
  der(y) = x*sin(200*time) + 0.1*u*sin(170*time);
end Ring;
optimization Rung(objective = y(finalTime), startTime = 0, finalTime = 2) extends Ring;
end Rung;
optimization Leg(objective = y(finalTime))
  extends Ring;
end Leg;
optimization Twice
  Leg one(startTime = 0, finalTime = 1);
  Leg two(startTime = one.finalTime, finalTime = 2);
constraint
  connect(one, two);
end Twice;
M
rows_of() {
    "$daedal" optimize ring.mop "$1" --intervals 300 --control polynomial -o u.csv --report u.html --json >answer 2>messages
    [ -s u.csv ] || complain "$1: no table: $(cat answer messages)"
    wc -l <u.csv
}
# 40 between the points of an interval; with points and both sides of boundaries 46 at most
rows=$(rows_of Rung)
[ "$rows" -gt 6000 ] && [ "$rows" -le $((300*46 + 1)) ] || complain "a control that jumps: $rows rows for 300 intervals"
"$daedal" simulate ring.mop Ring --input u.csv --stop 2 --tol 1e-10 --json >again
sed 's/.*"final":{"x":\([^,]*\),"y":\([^,]*\),.*/\1 \2/' answer again | paste - - |
    awk '{ a = $1 - $3; b = $2 - $4; exit !(a*a < 1e-8 && b*b < 1e-8) }' || complain "jumps: fed back it ends elsewhere"
rows=$(rows_of Twice)
[ "$rows" -gt 6000 ] && [ "$rows" -le $((2*300*46 + 1)) ] || complain "two phases: $rows rows for 300 intervals"

# ---- multipliers ----
"$daedal" optimize swing.mop --intervals 20 --multipliers -o m.csv --json >answer || complain "multipliers: $(cat answer)"
head -n 1 m.csv | grep -qx 'time,phi,w,e,u,costate(phi),costate(w),multiplier(w + u <= 4.5),multiplier(u)' ||
    complain "multipliers: header $(head -n 1 m.csv)"
grep -q '"multipliers":{"phi(finalTime) = 3":[-0-9.e]*,"w(finalTime) = 0":[-0-9.e]*}' answer ||
    complain "multipliers: not in the answer"
grep -q '"costates":{"initial":{"phi":[-0-9.e]*,"w":[-0-9.e]*},"final":{' answer || complain "costates: not in the answer"
"$daedal" optimize swing.mop --json | grep -q multipliers && complain "multipliers: nobody asked for them"

# ---- page and picture ----
"$daedal" optimize swing.mop --multipliers --report page.html >answer || complain "page: $(cat answer)"
"$daedal" optimize swing.mop --multipliers --plot picture.svg --show 'angle: phi' --show 'w over phi' \
    --show 'costate(w)' >answer || complain "picture: $(cat answer)"
grep -q 'costate(w)  *[-0-9]' answer || complain "--show: the costate is not among the values"
for word in States Controls 'Algebraic variables' 'Path constraints' Costates Multipliers Mesh Convergence Summary \
    'prefers-color-scheme: dark' '&#60;more&#62;' 'stroke-dasharray="7 3"'; do
    grep -q -e "$word" page.html || complain "page: no $word"
done
self_contained page.html || complain "page: something from elsewhere"
# costates are there without being asked for; multipliers of rows, the table and the answer stay as they are
"$daedal" optimize swing.mop --report plain.html -o plain.csv >answer || complain "page: $(cat answer)"
grep -q '>Costates</h2>' plain.html && grep -q '"title":"costate(w)"' plain.html || complain "page: no costates"
grep -q '>Multipliers</h2>' plain.html && complain "page: multipliers that nobody asked for"
grep -q costate plain.csv && complain "page: its costates are in the table"
grep -q 'costate(w)' picture.svg || complain "picture: no costate"
"$daedal" optimize swing.mop --plot p.svg --show nothing >answer 2>&1
[ $? -eq 2 ] && grep -q 'no variable "nothing"' answer && [ ! -f p.svg ] || complain "picture: $(cat answer)"

# a model from parts: the joint is a figure, what stands still and copies in connectors are none
cat >joint.mop <<'EOF'
model Rod
  import Daedal.Mechanics.Planar.*;
  input Real u;
  World world;
  Revolute hinge(tau = u, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Link rod(m = 1, I = 0.1, ra = {-0.5, 0}, rb = {0.5, 0}, g = {0, 0});
equation
  connect(world.frame, hinge.a);
  connect(hinge.b, rod.a);
end Rod;
optimization Turn(objectiveIntegrand = u^2, startTime = 0, finalTime = 1)
  extends Rod;
constraint
  hinge.phi(finalTime) = 1;
  hinge.w(finalTime) = 0;
end Turn;
EOF
"$daedal" optimize joint.mop --report joint.html >answer || complain "parts: $(cat answer)"
grep -q '"title":"hinge.phi"' joint.html && grep -q '"title":"rod.r"' joint.html || complain "parts: the page lacks joint or body"
grep -q '"title":"world.frame.r"\|"title":"hinge.tau"' joint.html && complain "parts: the page shows constants or copies"
grep -q '<td>hinge.tau</td><td class="n">u<' joint.html || complain "parts: the page does not say whose copy the torque is"
# values: joints first, then the control; what stands still is not among them
sed -n '/Values at/,$p' answer | awk 'NF == 2 { print $1 }' | head -n 3 | tr '\n' ' ' | grep -qx 'hinge.phi hinge.w u ' ||
    complain "parts: the values at the end begin with others: $(cat answer)"
sed -n '/Values at/,$p' answer | head -n 14 | grep -q 'world.frame' && complain "parts: the world stands before what moves: $(cat answer)"

# a variable that follows the control with the opposite sign, one that stands still, equal intervals: none is a figure
cat >still.mop <<'EOF'
optimization Still(objectiveIntegrand = u^2, startTime = 0, finalTime = 1)
  Real x(start = 0, fixed = true), mass, minus, twice;
  input Real u;
equation
  der(x) = u - x;
  mass = 1000;
  minus = -u;
  twice = 2*u;
constraint
  x(finalTime) = 1;
end Still;
EOF
"$daedal" optimize still.mop --report still.html >answer || complain "still: $(cat answer)"
grep -o '"title":"[^"]*"' still.html | tr '\n' ' ' >titles
grep -q '"title":"u" "title":"twice"' titles || complain "still: figures of $(cat titles)"
grep -q '"title":"\(mass\|minus\|width of the intervals\)"' titles && complain "still: figures of $(cat titles)"
grep -q '<td>mass</td><td class="n">1000<' still.html && grep -q '<td>minus</td><td class="n">−u<' still.html || complain "still: no table"

# --show chooses the printed values, too, and the figures of the page
"$daedal" optimize swing.mop --show phi --report shown.html >answer 2>&1 || complain "--show: $(cat answer)"
[ "$(sed -n '/Values at/,/^$/p' answer | awk 'NF == 2 { print $1 }')" = phi ] || complain "--show phi prints: $(cat answer)"
grep -q '>Shown</h2>' shown.html || complain "--show: the page has no figure of it"
grep -q '>Controls</h2>' shown.html && complain "--show: the page shows all variables"

# a page about what has no solution says why
sed 's/phi(finalTime) = 3/phi(finalTime) = 3000/' swing.mop >never.mop
"$daedal" optimize never.mop --intervals 10 --max-iterations 30 --report never.html >answer 2>&1
grep -q 'class="fail"' never.html && grep -q 'Largest violations' never.html || complain "page of a failure: incomplete"

# ---- the iteration table ----
"$daedal" optimize swing.mop >answer 2>messages
[ -s messages ] && complain "iterations where no terminal is: $(head -n 3 messages)"
"$daedal" optimize swing.mop --verbose --refine 1e-3 >answer 2>messages
grep -q '^ *iter  *objective  *violation  *dual  *barrier  *step' messages && grep -q '^50 intervals$' messages ||
    complain "verbose: no table: $(head -n 5 messages)"
"$daedal" optimize swing.mop --verbose --quiet >answer 2>messages
grep -q 'iter ' messages && complain "quiet: a table"
if command -v script >/dev/null; then
    script -qec "$daedal optimize swing.mop" /dev/null </dev/null | grep -q 'iter  *objective' || complain "terminal: no table"
    script -qec "$daedal optimize swing.mop --json" /dev/null </dev/null | grep -q 'iter  *objective' && complain "terminal: a table with --json"
fi

# ---- odds and ends ----
printf 'print_level 5\nmax_iter 1\n' >ipopt.opt
"$daedal" optimize swing.mop >answer || complain "an ipopt.opt in the folder is read: $(cat answer)"
[ "$(wc -l <answer)" -lt 15 ] || complain "the solver prints"
"$daedal" optimize swing.mop --json >answer
grep -q '"solver":"[a-z]*","seconds":{' answer || complain "the JSON does not name the solver: $(cat answer)"
# the parts of the time are all of it, and the solver's own is inside that of the solve; solves that look for cheaper
# solutions or for the reason of a failure belong to the verification
add_up() {
    "$daedal" optimize "$@" --json >answer
    grep -oE '"seconds":\{[^}]*' answer | tail -1 | tr '{,' '\n\n' | awk -F: '
        { gsub(/"/, "", $1); t[$1] = $2 }
        END { rest = t["total"] - t["setup"] - t["solve"] - t["verify"]; inside = t["evaluate"] + t["linear_algebra"]
              exit !(t["solve"] > 0 && t["verify"] > 0 && rest*rest < 1e-12 && inside <= t["solve"] && inside > 0 &&
                     t["factor"] <= t["linear_algebra"]) }' || complain "$*: seconds do not add up: $(cat answer)"
}
add_up swing.mop
add_up swing.mop --refine 1e-3
add_up swing.mop --multistart 3
sed 's/finalTime = 2.5/finalTime = 0.5/' swing.mop >soon.mop
add_up soon.mop
grep -q '"status":"infeasible"' answer || complain "too soon, and not infeasible: $(cat answer)"
add_up "$(dirname "$0")/../verify/ocp/minimum_time/robot.mop" --intervals 100 --degree 3 --control polynomial
grep -q '"alternatives":{"tried":[1-9]' answer || complain "no cheaper solution was looked for: $(cat answer)"
"$daedal" optimize swing.mop --threads 2 >answer || complain "threads: $(cat answer)"
"$daedal" optimize swing.mop --threads 0 >answer 2>&1
[ $? -eq 2 ] || complain "no threads are accepted"
"$daedal" optimize swing.mop -o /nowhere/u.csv --json >answer 2>/dev/null
[ $? -eq 1 ] && grep -q '"status":"io_error"' answer || complain "a file that cannot be written: $(cat answer)"
exit $((failures > 0))
