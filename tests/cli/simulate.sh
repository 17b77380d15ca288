#!/usr/bin/env bash
# daedal simulate: options, JSON, CSV, what people see. Usage: simulate.sh PATH_OF_DAEDAL
set -u
: "${DAEDAL_SOURCE:=$(realpath "$(dirname "$0")/../..")}"
. "$(dirname "$0")/page_kit.bash"
. "$(dirname "$0")/simulate_kit.bash"

model decay <<'EOF'
model Decay "a rate"
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
  Real twice = 2*x;
equation
  der(x) = -k*x;
  annotation(experiment(StartTime = 0, StopTime = 2, Tolerance = 1e-8));
end Decay;
EOF
model pendulum <<'EOF'
model Pendulum
  Real p[2](start = {1, 0}, fixed = {false, true});
  Real v[2](start = {0, 0}, fixed = {false, true}) = der(p);
  Real lam;
equation
  der(v[1]) = -lam*p[1];
  der(v[2]) = -lam*p[2] - 1;
  p*p = 1;
end Pendulum;
EOF
model matrix <<'EOF'
model Matrix
  Real A[2,2](start = {{1, 2}, {3, 4}}, each fixed = true);
equation
  for i in 1:2 loop
    for j in 1:2 loop
      der(A[i,j]) = -A[i,j];
    end for;
  end for;
end Matrix;
EOF

# ---- times and tolerances: options before the experiment before 0 and 1 ----
answer 0 ok decay.mo
near t 2 0
near x 0.1353352832366127 1e-7
near twice 0.2706705664732254 2e-7
answer 0 ok decay.mo --stop 1
near x 0.36787944117144233 1e-7
answer 0 ok decay.mo --start 1 --stop 2
near t0 1 0
near x 0.36787944117144233 1e-7
answer 0 ok decay.mo --start -1e0 --stop=1
near x 0.1353352832366127 1e-7
answer 0 ok matrix.mo
near t0 0 0
near t 1 0
near 'A[2,1]' 1.103638323514327 1e-4
answer 0 ok decay.mo --set k=2 --set x=3 --stop 1
near x 0.4060058497098381 1e-6
for tol in 1e-4 1e-7 1e-10; do
    answer 0 ok decay.mo --tol $tol --atol $tol
    near x 0.1353352832366127 "$tol"
done
answer 0 ok decay.mo --method auto
answer 0 ok decay.mo --method radau --threads 2
[[ $(value method) == radau* ]] || complain "the method is $(value method)"
for key in steps rejected residuals jacobians factorizations newton seconds; do
    [ -n "$(value $key)" ] || complain "stats have no $key"
done
[ "$(value model)" = Decay ] || complain "the model is $(value model)"
near constraint_violation 0 0
near constraint_distance 0 0

# ---- constraints: none are left open, and they are kept ----
answer 0 ok pendulum.mo --stop 5
near constraint_violation 0 1e-10
near constraint_distance 0 1e-10
awk -v a="$(value 'p[1]')" -v b="$(value 'p[2]')" 'BEGIN { r = a*a + b*b - 1; exit !(r < 1e-10 && r > -1e-10) }' ||
    complain "the pendulum leaves its circle"
answer 0 ok pendulum.mo --stop 5 --stabilize none
awk -v c="$(value constraint_violation)" 'BEGIN { exit !(c > 1e-12) }' || complain "no drift without projection?"

# ---- rows ----
answer 0 ok decay.mo --points 4 -o points.csv
[ "$(wc -l <points.csv)" -eq 6 ] || complain "--points 4 gives $(wc -l <points.csv) lines"
[ "$(cut -d, -f1 points.csv | tr '\n' ' ')" = "time 0 0.5 1 1.5 2 " ] || complain "--points 4: $(cut -d, -f1 points.csv)"
[ "$(head -1 points.csv)" = "time,x,twice" ] || complain "the header is $(head -1 points.csv)"
[ "$(sed -n 2p points.csv)" = "0,1,2" ] || complain "the first row is $(sed -n 2p points.csv)"
[ "$(value output)" = points.csv ] || complain "the answer does not name the file"
answer 0 ok decay.mo --interval 0.8 -o interval.csv
[ "$(cut -d, -f1 interval.csv | tr '\n' ' ')" = "time 0 0.80000000000000004 1.6000000000000001 " ] ||
    complain "--interval 0.8: $(cut -d, -f1 interval.csv | tr '\n' ' ')"
answer 0 ok decay.mo -o steps.csv
[ "$(wc -l <steps.csv)" -eq $(($(value steps) + 2)) ] || complain "the solver's own steps are not the rows"
awk -F, 'NR > 2 && $1 <= t { exit 1 } NR > 1 { t = $1; e = $2 - exp(-$1); if (e > 1e-7 || e < -1e-7 || $3 != 2*$2) exit 1 }' \
    steps.csv || complain "rows of the trajectory are wrong"
expect 0 'Decay: from time 0 to 2' decay.mo -o steps.csv # a file that is there is replaced
answer 0 ok matrix.mo -o matrix.csv
[ "$(head -1 matrix.csv)" = 'time,"A[1,1]","A[1,2]","A[2,1]","A[2,2]"' ] || complain "the header is $(head -1 matrix.csv)"
LC_ALL=de_DE.UTF-8 "$daedal" simulate decay.mo --points 4 -o german.csv --json >german.json || complain "german: exit code $?"
cmp -s points.csv german.csv || complain "the locale changes the trajectory"
# 17 digits are enough to read the same numbers again, and inputs are read from what is written
model follow <<'EOF'
model Follow
  input Real x;
  Real y = x;
end Follow;
EOF
answer 0 ok decay.mo --interval 0.1 -o one.csv
answer 0 ok follow.mo --input one.csv --stop 2 --interval 0.1 -o two.csv
cmp -s <(cut -d, -f1,2 one.csv | sed 1d) <(sed 1d two.csv) || complain "a trajectory does not survive the way through a file"

# ---- for people ----
expect 0 'Decay: from time 0 to 2 with .*, tolerance 1e-8 .*steps.*Values at time 2 *x +0\.135335 *twice +0\.270671' decay.mo
expect 0 'constraints kept to' pendulum.mo
expect 0 'trajectory in steps.csv \([0-9]+ rows, 3 columns\)' decay.mo -o steps.csv
expect 0 's of integration' decay.mo -v
expect 0 'with heun, tolerance' decay.mo --tableau "$DAEDAL_SOURCE/examples/tableaux/heun.json"
expect 2 'by its name or by a tableau file' decay.mo --tableau "$DAEDAL_SOURCE/examples/tableaux/heun.json" --method radau
run decay.mo --quiet
[ -s err ] && complain "something on standard error although all is well"
run decay.mo --progress --json
[ "$(wc -l <out)" -eq 1 ] || complain "progress disturbs the answer"
grep -q $'\033' out err && complain "colours where there is no terminal"

# ---- a page with plots ----
answer 0 ok pendulum.mo --stop 5 --report page.html
grep -q '<svg' page.html && grep -q '</html>' page.html || complain "the page has no plots"
self_contained page.html || complain "the page needs something from elsewhere"
# position, velocity, force; step size, order, error, residual
[ "$(grep -c '<figure' page.html)" -eq 7 ] || complain "7 figures, not $(grep -c '<figure' page.html)"
for part in States 'Other variables' Steps 'step size' 'residual of the constraints' Settings Effort; do
    grep -q ">$part" page.html || complain "the page has no $part"
done
[ "$(markup page.html | wc -c)" -lt 200000 ] || complain "the page has $(markup page.html | wc -c) bytes beside its scripts"
model script <<'EOF'
model Script "a < b & </style>"
  Real '<script>x'(start = 1, fixed = true) "</title><b>";
equation
  der('<script>x') = 0;
end Script;
EOF
answer 0 ok script.mo --report script.html
markup script.html | grep -qE '<script>x|<b>|& ' && complain "texts are not escaped"
sed -n 's/^<script type="application.json">//p' script.html | grep -v '^[^<]*</script></figure>$' && complain "JSON ends its element"

# ---- a picture ----
answer 0 ok pendulum.mo --stop 5 --plot picture.svg --show 'the bob: p' --show 'p[2] over p[1]'
grep -q '</svg>' picture.svg && grep -q '>the bob<' picture.svg && grep -q '>time<' picture.svg || complain "the picture is not one"
cp picture.svg first.svg
answer 0 ok pendulum.mo --stop 5 --plot picture.svg --show 'the bob: p' --show 'p[2] over p[1]'
cmp -s picture.svg first.svg || complain "the same picture is not the same file"
expect 2 'there is no variable "p\[4\]" to plot; did you mean' pendulum.mo --stop 1e9 --plot picture.svg --show p[4]
cmp -s picture.svg first.svg || complain "a refused picture was written"
run pendulum.mo --stop 1 --show 'p[2:3]' --show '*am'
grep -q ' p\[2\] ' out && grep -q ' lam ' out && ! grep -qE 'p\[1\]|v\[' out || complain "final values asked for: $(cat out)"

# What is chosen for a page: the same scalar of all parts is one figure; rounding about zero is no curve.
cat >parts.mo <<'END'
model Cell
  parameter Real k = 1;
  Real T(start = k, fixed = true, unit = "K");
equation
  der(T) = -T;
end Cell;
model Row
  Cell cell[9](k = 1:9);
  Real sum(unit = "K") = cell[1].T + cell[9].T;
  Real none(unit = "K") = sin(1e5*time)*1e-14;
end Row;
END
answer 0 ok parts.mo Row --report parts.html
grep -q '<figcaption>cell\[:\].T .*7 of 9 shown' parts.html || complain "the cells are not one figure"
grep -q '<figcaption>none' parts.html && complain "rounding is drawn"
grep -q '<figcaption>sum ' parts.html || complain "a scalar beside the cells has no figure"
answer 0 ok pendulum.mo --stop 5 --report shown.html --show '*[1]' --show 'equal: p[2] over p[1]' --show 'heat: p' --show 'profile: p at 0, 2.5'
[ "$(grep -c '<figure' shown.html)" -eq 8 ] || complain "4 figures asked for and 4 of steps, not $(grep -c '<figure' shown.html)"
expect 2 'name the picture .svg, .png or .pdf' pendulum.mo --plot p.jpg

# PNG and PDF come from a converter of the machine: refused with its package where it is missing; else it gets its words
# without a shell, and a failure leaves the picture under a name that is true
mkdir bin
cat >bin/rsvg-convert <<'E'
#!/bin/sh
[ -z "$REFUSE" ] || exit 1
printf '%s\n' "$@" >"$FOLDER/words"
for word; do from=$word; done
[ "$(head -c 4 "$from")" = '<svg' ] && echo converted >"$8"
E
chmod +x bin/rsvg-convert
said=$(PATH=/nowhere "$daedal" simulate pendulum.mo --stop 1 --plot p.png 2>&1)
[ $? -eq 2 ] && grep -q 'package librsvg2-bin' <<<"$said" || complain "PNG without a converter: $said"
FOLDER=$PWD PATH=$PWD/bin:$PATH "$daedal" simulate pendulum.mo --stop 1 --plot '-a $(b).png' >out 2>&1 || complain "PNG: $(cat out)"
[ "$(cat -- './-a $(b).png')" = converted ] && [ "$(xargs -d '\n' <words)" = '--format png --zoom 2 --background-color white --output ./-a $(b).png.new ./-a $(b).png.svg' ] ||
    complain "PNG: the converter got $(cat words)"
[ ! -e './-a $(b).png.svg' ] && grep -q 'picture in -a' out || complain "PNG: files that are left, or no name: $(cat out)"
REFUSE=1 PATH=$PWD/bin:$PATH "$daedal" simulate pendulum.mo --stop 1 --plot q.pdf >out 2>&1
[ $? -eq 1 ] && grep -q 'the picture is in q.pdf.svg' out && [ -e q.pdf.svg ] && [ ! -e q.pdf ] || complain "PDF that fails: $(cat out)"
expect 2 'at x: expected times' pendulum.mo --show 'p at x'
expect 2 'over v: one variable is needed, not 2' pendulum.mo --show 'p[1] over v'

# positions are parameters as a rule; the rows of a heat map are as high as what they stand for; a sum that vanishes is no figure
cat >rod.mo <<'EOF'
model Rod
  parameter Real z[3](each unit = "m") = {0.1, 0.2, 0.9}, y[2] = {1, 2};
  Real T[3](each unit = "K", start = {1, 2, 3}, each fixed = true);
  Real sum0(unit = "K") = (T[1] + T[2]) - T[2] - T[1] "zero but for rounding";
equation
  der(T) = -T;
end Rod;
EOF
answer 0 ok rod.mo --plot rod.svg --show 'heat: T over z' --show 'T over z at 0, 1'
[ "$(grep -o '>z \[m\]<' rod.svg | wc -l)" -eq 2 ] || complain "profiles over a parameter do not name it"
[ "$(sed -n 's/.*class="g"//; s/<rect x="[0-9.]*" y="[0-9.]*" width="[0-9.]*" height="\([0-9.]*\)" fill="#[0-9a-f]*"\/>/\n\1\n/gp' rod.svg |
    grep -xE '[0-9.]+' | sort -nu | wc -l)" -eq 3 ] || complain "rows of a heat map at uneven places have one height"
expect 2 'over y: 3 variables are needed, not 2' rod.mo --show 'T over y'
expect 2 'there is no variable "z" to plot' rod.mo --show z
answer 0 ok rod.mo --report rod.html
markup rod.html | grep -q 'sum0</td><td class="n">0 K<' || complain "rounding is drawn"
answer 0 ok script.mo --plot script.svg
grep -qE '<script|<b>|& ' script.svg && complain "texts are not escaped in the picture"

# more variables than are printed: joints first, in text and page, and nothing that stands still
"$daedal" simulate "$DAEDAL_SOURCE/examples/double_pendulum.mo" DoublePendulum --stop 1 --report parts.html >out 2>err || complain "parts: $(cat err)"
[ "$(sed -n '/Values at/,$p' out | awk 'NR > 1 && NR < 4 { print $1 }' | tr '\n' ' ')" = "shoulder.phi elbow.phi " ] ||
    complain "values at the end begin with others: $(sed -n '/Values at/,$p' out)"
sed -n '/Values at/,$p' out | grep -q 'world' && complain "values at the end are those of the world"
markup parts.html | sed 's/.*>Values at time 1<//' | grep -q '<td>shoulder.phi</td>' || complain "the page lists others first"

# ---- auto: where only stability limits the steps, of which every second one is tried too long first, Radau goes on ----
model robertson <<'EOF'
model Robertson
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
equation
  der(a) = -0.04*a + 1e4*b*c;
  der(b) = 0.04*a - 1e4*b*c - 3e7*b^2;
  der(c) = 3e7*b^2;
end Robertson;
EOF
for tol in 1e-4 7e-5 3e-5 1e-5; do
    answer 0 ok robertson.mo --stop 40 --tol $tol
    near a 0.7158270687 $tol # the published value at 40
    [ "$(value steps)" -lt 300 ] || complain "auto takes $(value steps) steps at $tol"
done

# ---- help ----
"$daedal" help simulate >out || complain "no help"
for option in start stop method tol atol step points interval form stabilize alpha input interpolate sensitivity auto-init \
    project output report plot show threads set json max-time max-memory verbose quiet progress; do
    grep -q -e "--$option" out || complain "help does not tell --$option"
done

# times that are too large for the length of the run: numbers near 1e16 are 2 apart
model late <<'EOF'
model Late
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Late;
EOF
answer 1 step_too_small late.mo --start 1e16 --stop 10000000000000002
[[ $(value reason) == *'numbers of this size are 2 apart'* ]] || complain "times that are far apart: $(value reason)"
answer 0 ok late.mo --start 1e6 --stop 1000001
near x 0.36787944117144233 1e-6
answer 0 ok late.mo --start 1e10 --stop 10000000001
near x 0.36787944117144233 1e-5
finish
