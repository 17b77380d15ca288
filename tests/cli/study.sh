#!/usr/bin/env bash
# daedal study: options, files, exit codes, limits; numbers that must agree with simulate. Usage: study.sh PATH_OF_DAEDAL
set -u
daedal=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
complain() { echo "$*"; failed=1; }

# expect CODE STREAM PATTERN ARGS...: exit code, and PATTERN on STREAM (out or err)
expect() {
    local code=$1 stream=$2 pattern=$3 got
    shift 3
    timeout 60 "$daedal" study "$@" >"$folder/out" 2>"$folder/err"
    got=$?
    if [ $got -ne "$code" ] || ! grep -qE -e "$pattern" "$folder/$stream"; then
        complain "daedal study $*: exit code $got, expected $code and \"$pattern\" on std$stream; got:"
        head -c 1500 "$folder/out" "$folder/err"
    fi
}

cat >"$folder/m.mop" <<'END'
model Decay
  parameter Real a = 1;
  Real x(start = 1, fixed = true), y[2](each start = 1, each fixed = true);
equation
  der(x) = -a*x;
  der(y) = -y;
end Decay;
model Pendulum
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, lam;
equation
  der(x) = u; der(y) = v; der(u) = -lam*x; der(v) = -lam*y - 1; x^2 + y^2 = 1;
end Pendulum;
model Broken
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
end Broken;
model Driven
  input Real u;
  Real x(start = 0, fixed = true);
equation
  der(x) = u - x;
end Driven;
optimization Fast(objectiveIntegrand = u^2, startTime = 0, finalTime = 1)
  extends Driven;
constraint
  x(finalTime) = 1;
end Fast;
END
m=$folder/m.mop

# ---- wrong usage is found before the model is read ----
expect 2 err 'a study of order needs a model' --kind order
expect 2 err 'a study of nodes is about methods alone: leave nowhere.mo out' nowhere.mo --kind nodes
expect 2 err 'expected one of order, work, drift' nowhere.mo --kind orders
expect 2 err 'there is no method "rk5"; did you mean "rk4"' nowhere.mo --methods rk5
expect 2 err 'there are no nodes "gausz"' --kind nodes --methods gausz
expect 2 err 'radau chooses its steps' nowhere.mo --methods radau
expect 2 err 'option --steps: expected positive numbers' nowhere.mo --steps 0.1:1:4
expect 2 err 'option --steps: expected positive numbers' nowhere.mo --steps 0.1,-1
expect 2 err 'option --steps: expected positive numbers' nowhere.mo --steps nan
expect 2 err 'option --intervals: expected positive whole numbers' nowhere.mo --intervals 2.5
expect 2 err 'option --tols does not belong to a study of order' nowhere.mo --tols 1e-3
expect 2 err 'option --step does not belong to a study of order' nowhere.mo --step 0.1
expect 2 err 'give a step or a tolerance, not both' nowhere.mo --kind local --step 0.1 --tol 1e-3
expect 2 err 'a study of drift takes one method' nowhere.mo --kind drift --methods rk4,euler
expect 2 err 'give relations or variables, not both' nowhere.mo --exact x=1 --variables x
expect 2 err 'bdf-2 has no matrix A' --kind spectra --methods bdf-2
expect 2 err 'gauss-S takes S from 1 to 20' --kind regions --methods gauss-21
expect 1 err 'cannot write .*/nowhere/x.csv' "$m" Decay -o "$folder/nowhere/x.csv"
expect 2 err 'is the model file' "$m" Decay -o "$m"
expect 1 err 'cannot read nowhere.mo' nowhere.mo

# ---- what only the model can tell ----
expect 2 err 'Decay has no variable "w"' "$m" Decay --variables w
expect 2 err 'option --exact:1:1: error: w is not declared$' "$m" Decay --exact w=1
expect 2 err 'option --exact:1:8: error: t is not declared: did you mean time\?' "$m" Decay --exact 'x=exp(-t)'
expect 2 err 'option --function:1:5: error: ' --kind nodes --function '1 + w'
expect 2 err 'there is no method "backward-euler"; did you mean "implicit-euler"' nowhere.mo --methods backward-euler
expect 2 err 'there is no method "explicit-euler"; did you mean "euler"' nowhere.mo --methods explicit-euler
expect 2 err 'expected NAME = EXPRESSION' "$m" Decay --exact 'exp(-time)'
expect 2 err 'steps must become smaller' "$m" Decay --steps 0.1,0.2
expect 2 err 'is an optimization: its methods are' "$m" Fast --methods rk4
expect 2 err 'a study of work is about simulations' "$m" Fast --kind work
expect 2 err 'there is no method "legendre-2"' "$m" Decay --methods legendre-2
expect 2 err 'nothing can drift' "$m" Decay --kind drift
expect 2 err 'is not after the start time' "$m" Decay --stop 0
expect 2 err 'expected an expression' --kind nodes --function 'x +'
expect 2 err 'contains more than x' --kind nodes --function 'x + time'
expect 1 err 'there is no reference to compare with' "$m" Broken --stop 2

# ---- results ----
expect 0 out 'rk4 +differential +4 +4\.0[0-9] .* as the theory' "$m" Decay --methods rk4 --steps 0.2:0.5:5 --exact 'x=exp(-a*time)' --exact 'y={exp(-time),exp(-time)}'
expect 0 out 'euler +differential +1 +[01]\.[0-9]+' "$m" Decay --methods euler --set a=2 --variables y
expect 0 out '^\{"status":"ok","kind":"order","model":"Decay","about":".*","runs":9,"failed":0,"summary":\[\{"method":"euler","variables":"differential","theory":1,"order":' "$m" Decay --methods euler --json
expect 0 out '"points":\[\{"method":"gauss-1","re":2,"im":0,"modulus":2\}\],"messages":\[\]\}$' --kind spectra --methods gauss-1 --json
expect 0 out 'radau-2 +objective +3 +[0-9.]+ ' "$m" Fast --methods radau-2 --intervals 2:2:4
expect 0 out 'radau-2 +control +2 ' "$m" Fast --methods radau-2 --intervals 2,4,8
expect 1 out 'failed: no run succeeded' "$m" Broken --stop 2 --exact 'x=1/(1-time)' --methods gauss-1 --steps 0.1
expect 0 out 'equispaced +10 +1\.9' --kind nodes --methods equispaced --degrees 10
expect 0 out 'highest' --kind nodes --methods gauss --degrees 10,100

# ---- files ----
expect 0 out 'written: .*/a.csv' "$m" Pendulum --kind drift --methods rk4 --step 0.05 --stop 10 -o "$folder/a.csv" --plot "$folder/a.svg" --report "$folder/a.html"
[ "$(head -n 1 "$folder/a.csv")" = stabilize,time,residual,residual0,residual1,distance ] || complain "columns of drift: $(head -n 1 "$folder/a.csv")"
grep -q '<title>Pendulum</title>' "$folder/a.svg" || complain "the picture has no title"
grep -q '>constraints as written</th>' "$folder/a.html" || complain "the page does not say what residual0 is"
grep -q 'baumgarte' "$folder/a.html" || complain "the page does not name the stabilizations"
# the largest residual of the file is what simulate reports
for how in none baumgarte; do
    said=$("$daedal" simulate "$m" Pendulum --method rk4 --step 0.05 --stop 10 --stabilize $how --tol 1e-13 --json | grep -o '"constraint_violation":[^,]*' | cut -d: -f2)
    awk -F, -v how=$how -v said="$said" '$1 == how && $3 > most { most = $3 } END { exit !(most > 0 && most / said > 0.999 && most / said < 1.001) }' "$folder/a.csv" ||
        complain "drift of $how differs from simulate ($said)"
done
# every kind draws
expect 0 out written "$m" Decay --plot "$folder/o.svg" --methods euler,rk4
# beside the points a line of the theory's order; no order where nothing is decided: two steps are too few
for order in 1 4; do
    grep -q "<title>order $order</title>" "$folder/o.svg" || complain "o.svg has no line of order $order"
done
grep -qE 'stroke-dasharray="[0-9 ]+" d="[^"]*"/><text [^>]*>order 1<' "$folder/o.svg" || complain "the key of a dashed line is solid"
expect 0 out undecided "$m" Decay --plot "$folder/u.svg" --methods rk4 --steps 0.1,0.05
grep -qE 'rk4: [0-9]|<title>order' "$folder/u.svg" && complain "u.svg shows an order that is undecided"
expect 0 out written "$m" Decay --kind work --plot "$folder/w.svg" --cost seconds --report "$folder/w.html"
expect 0 out written "$m" Pendulum --kind local --plot "$folder/l.svg" --tol 1e-4 --methods dopri54
# a table that is thinned out has both errors, whatever the number of rows
expect 0 out written "$m" Pendulum --kind local --report "$folder/l.html" --step 0.005 --methods rk4
[ "$(grep -o '<td>local<' "$folder/l.html" | wc -l)" -ge 50 ] && [ "$(grep -o '<td>global<' "$folder/l.html" | wc -l)" -ge 50 ] &&
    grep -q 'of 400 rows, evenly spaced' "$folder/l.html" || complain "the page of local errors lacks one of them"
expect 0 out written "$m" Fast --plot "$folder/f.svg" --intervals 4,8,16
expect 0 out written --kind nodes --plot "$folder/n.svg" --degrees 3,6
expect 0 out written --kind spectra --plot "$folder/s.svg" --report "$folder/s.html"
expect 0 out written --kind regions --plot "$folder/r.svg" --report "$folder/r.html"
for file in o w l f n s r; do
    if command -v xmllint >/dev/null; then
        xmllint --noout "$folder/$file.svg" || complain "$file.svg is not well formed"
    fi
    [ "$(grep -o '<path' "$folder/$file.svg" | wc -l)" -gt 3 ] || complain "$file.svg has no lines"
    ! grep -q 'nan' "$folder/$file.svg" || complain "$file.svg contains nan"
done
# the same numbers again: the same bytes
"$daedal" study "$m" Decay -o "$folder/1.csv" >/dev/null && "$daedal" study "$m" Decay -o "$folder/2.csv" >/dev/null
cmp -s "$folder/1.csv" "$folder/2.csv" || complain "two studies differ"

# ---- limits: what was computed is there, an old file stays ----
echo old >"$folder/kept.csv"
expect 1 out '"status":"time_limit","reason":' "$m" Decay --methods euler,rk4 --steps 0.001,1e-7 --max-time 0.8 --json -o "$folder/kept.csv"
[ "$(cat "$folder/kept.csv")" = old ] || complain "a study that was stopped replaced a file"
timeout -s INT 1 "$daedal" study "$m" Decay --methods euler,midpoint,heun2,rk4 --steps 1e-7 >"$folder/out" 2>"$folder/err"
code=$?
[ $code -eq 130 ] || [ $code -eq 124 ] || complain "Ctrl-C: exit code $code"
grep -q '^  interrupted: ' "$folder/out" || complain "Ctrl-C is not mentioned"
# the same Ctrl-C for the process and for its group is one; a later one ends the program at once
"$daedal" study "$m" Decay --methods euler,midpoint,heun2,rk4 --steps 1e-7 >"$folder/out" 2>"$folder/err" &
job=$!
sleep 0.3
kill -INT $job
kill -INT $job 2>/dev/null
wait $job
code=$?
[ $code -eq 130 ] || complain "Ctrl-C, twice at once: exit code $code"
grep -q '^  interrupted: ' "$folder/out" || complain "Ctrl-C, twice at once, is not mentioned"
# a file that cannot be written, and no memory
expect 1 err . "$m" Decay --methods euler -o "$folder/x.csv" --fail-file-at 1
expect 1 err 'memory' "$m" Decay --max-memory 100K
# Constraints that the analysis solves for a variable drift too when nothing keeps them; linear ones cannot, and it says so.
cat >"$folder/linear.mo" <<'END'
model Moving "y = 2 x + cos(t): time drives the constraint, and a method without stabilization leaves it"
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = -x + z;
  der(y) = x*y - z;
  y = 2*x + cos(time);
end Moving;
model Joined "two levels at one height"
  Real h(start = 1, fixed = true), k, q;
equation
  der(h) = -h + q;
  der(k) = -k - q;
  h = k;
end Joined;
model Led "time alone leads x1: no degree of freedom is left, but x1' = x2, x2' = x3 can be integrated"
  Real x1, x2, x3;
equation
  der(x1) = x2; der(x2) = x3; 0 = x1 - sin(time);
end Led;
END
expect 0 out '^ *none +[0-9.]+e-(0[1-9]|10)' "$folder/linear.mo" Moving --kind drift --methods rk4 --step 0.1
grep -q 'cannot drift' "$folder/out" && complain "a constraint that drifts is called one that cannot"
# rk4 integrates x2' = -sin(t) by Simpson's rule: its first step is wrong by h^5 sin(h/2)/2880 = 1.735e-10
expect 0 out '^ *none +1\.[0-9]+e-07' "$folder/linear.mo" Led --kind drift --methods rk4 --step 0.1 -o "$folder/led.csv"
awk -F, '$1 == "none" && $2 == 0.1 { exit !($5 > 1.70e-10 && $5 < 1.77e-10) }' "$folder/led.csv" ||
    complain "drift of the velocity that time leads: $(grep '^none,0.1,' "$folder/led.csv")"
expect 0 out '^ *projection +([0-9.]+e-1[5-9]|0) ' "$folder/linear.mo" Led --kind drift --methods rk4 --step 0.1
expect 0 out 'linear with constant coefficients, so it cannot drift' "$folder/linear.mo" Joined --kind drift --methods rk4 --step 0.1
# nothing is integrated: said, and no empty picture; as written gauss-2 does not converge (Hairer and Wanner II, VII.6)
expect 0 out 'rk4 +differential +0 +nothing integrated' "$folder/linear.mo" Led --methods rk4,gauss-2 --exact 'x2=cos(time)' --plot "$folder/led.svg"
grep -q 'Led has 0 degrees of freedom and .* nothing is integrated; the equations as written can be: --form original' "$folder/out" || complain "it is not said that nothing is integrated"
grep -q written: "$folder/out" && complain "an empty picture is called written"
grep -q "nothing to draw: $folder/led.svg is not written" "$folder/err" || complain "no word about the picture"
[ ! -e "$folder/led.svg" ] || complain "an empty picture was written"
expect 0 out 'gauss-2 +velocity +0\.00 .* no convergence' "$folder/linear.mo" Led --methods gauss-2 --form original --exact 'x2=cos(time)'

# in a page words begin at the left, also behind numbers
"$daedal" study "$m" Decay --methods euler --steps 0.1:0.5:3 --report "$folder/words.html" >/dev/null || complain "no page"
grep -q '<th scope="col" class="n">measured</th>' "$folder/words.html" && grep -q '<th scope="col">verdict</th>' "$folder/words.html" ||
    complain "words and numbers of a table are not told apart"

exit $failed
