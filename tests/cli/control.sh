#!/usr/bin/env bash
# daedal control: its answer, its files, its options, and what it says to wrong input. Usage: control.sh PATH_OF_DAEDAL
set -u
export LC_ALL=C
daedal=$(realpath "$1")
. "$(dirname "$0")/page_kit.bash"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

complain() {
    echo "$*"
    failures=$((failures + 1))
}

# run CODE ARGS...: the answer is in out, messages in err
run() {
    local want=$1 code
    shift
    timeout 60 "$daedal" control "$@" >out 2>err
    code=$?
    [ "$code" -eq "$want" ] || complain "control $*: exit code $code, expected $want: $(head -c 300 out err)"
}
has() { grep -qE -- "$1" "${2:-out}" || complain "$1 is not in: $(head -c 600 "${2:-out}")"; }
# value KEY: a number or word of the answer
value() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" out; }
# holds CONDITION NAME=VALUE...: a condition of awk
holds() {
    local condition=$1 settings=()
    shift
    for s in "$@"; do settings+=(-v "$s"); done
    awk "${settings[@]}" "BEGIN { exit !($condition) }" || complain "not true: $condition ($*)"
}
# refused CODE REGEX ARGS...: with that message
refused() {
    local code=$1 what=$2
    shift 2
    run "$code" "$@"
    has "$what" err
}

cat >tank.mop <<'M'
model Tank
  parameter Real k = 1;
  Real h(start = 1, fixed = true, min = 0, max = 3, unit = "m");
  input Real q(min = 0, max = 2, unit = "m3/s");
equation
  der(h) = q - k*h;
end Tank;
model Leaking
  parameter Real k = 1, leak = 0;
  Real h(start = 1, fixed = true, unit = "m"), b(start = 1, fixed = true);
  input Real q, d;
equation
  der(h) = q - k*h + d - leak;
  der(b) = 0;
end Leaking;
model Bursting
  Real h(start = 1, fixed = true), b(start = 1, fixed = true);
  input Real q;
equation
  der(h) = q - h;
  der(b) = b^2;
end Bursting;
optimization Level(objectiveIntegrand = (h - hRef)^2 + 0.01*(q - k*hRef)^2, startTime = 0, finalTime = 2)
  extends Tank;
  parameter Real hRef = 1.5;
  annotation(experiment(StopTime = 3), Daedal(
    nmpc(samplePeriod = 0.2, plant = "Leaking(k = 1.1)", measured = {"h"}, noise = {0.01})));
end Level;
M

# the answer has the keys of the contract, the file a row per sample and rows between them
run 0 tank.mop Level --json -o out.csv
for key in status samples cost max_violation failed_solves softened iterations solve_ms preparation_ms feedback_ms final estimates messages median p99 max; do
    has "\"$key\":"
done
[ "$(wc -l <out)" -eq 1 ] || complain "the answer is not one line"
has '"status":"ok"'
has '"samples":15,'
has '"failed_solves":0,"softened":0'
[ "$(head -1 out.csv)" = time,h,b,q,estimate.h,solve_ms,iterations,status ] || complain "header: $(head -1 out.csv)"
# rows of samples are complete and exactly at k*0.2; the others have empty fields of samples
awk -F, '
    NR > 1 && $8 != "" { d = $1 - n*0.2; if (d > 1e-12 || d < -1e-12 || $5 == "" || $6 == "" || $7 == "" || $4 == "") bad = 1; n++ }
    NR > 1 && $8 == "" { if ($5 $6 $7 != "" || $2 == "" || $4 == "") bad = 1; between++ }
    NR > 2 && $1 < last { bad = 1 }
    { last = $1 }
    END { exit bad || n != 15 || between < 15 || last < 3 - 1e-12 }' out.csv || complain "rows of out.csv: $(head -4 out.csv)"

# noise: the same numbers for the same seed, others for another; of the deviation asked for
first=$(value cost)
run 0 tank.mop Level --json
[ "$(value cost)" = "$first" ] || complain "the same seed gives another cost"
run 0 tank.mop Level --json --seed 2
[ "$(value cost)" != "$first" ] || complain "another seed gives the same cost"
run 0 tank.mop Level --json -o n.csv --stop 100
awk -F, 'NR > 1 && $8 != "" { s += ($5 - $2)^2; n++ } END { s = sqrt(s/n); exit !(n == 500 && s > 0.009 && s < 0.011) }' n.csv ||
    complain "the noise has not the standard deviation 0.01"

# options win over the annotation: no noise and the model as the plant is a loop that settles at the set-point
run 0 tank.mop Level --json --plant Tank --noise 0 --stop 12 --sample-period 0.4
has '"samples":30,'
holds 'h > 1.5 - 1e-6 && h < 1.5 + 1e-6' h="$(value h)"
for mode in converge rti; do
    run 0 tank.mop Level --json --plant Tank --noise 0 --stop 12 --mode $mode --delay 0.1
    holds 'h > 1.5 - 1e-6 && h < 1.5 + 1e-6' h="$(value h)"
done

# inputs that follow a polynomial plan stay within their bounds between its points
run 0 tank.mop Level --json --control polynomial --noise 0
holds 'v != "" && v < 1e-7' v="$(value max_violation)"

# set-points and disturbances from files: relative names of the annotation are beside the model
printf 'time,hRef\n0,1.5\n6,0.8\n' >ref.csv
printf 'time,d,leak\n0,0,0\n0.6,0.3,0.1\n' >wind.csv
mkdir sub
sed 's/noise = {0.01}/reference = "ref.csv"/; s/"Leaking(k = 1.1)"/"Tank"/' tank.mop >sub/tank.mop
cp ref.csv sub/
run 0 sub/tank.mop Level --json --stop 14 -o ref_out.csv
holds 'h > 0.8 - 1e-6 && h < 0.8 + 1e-6' h="$(value h)"
has '^time,h,q,estimate.h,hRef,' ref_out.csv
# the disturbance is a step of 0.2 in the balance: h*k = q + 0.2 at rest
run 0 tank.mop Level --json --plant Leaking --noise 0 --disturbance wind.csv --stop 40
holds 'h - q - 0.2 < 1e-5 && h - q - 0.2 > -1e-5' h="$(value h)" q="$(value q)"
# with preview the input moves before the set-point does
run 0 tank.mop Level --plant Tank --noise 0 --reference ref.csv --stop 6 -o now.csv --json
run 0 tank.mop Level --plant Tank --noise 0 --reference ref.csv --stop 6 -o ahead.csv --preview --json
awk -F, 'NR == FNR { q[FNR] = $3; next } $1 > 5.5 && q[FNR] - $3 > 0.05 { moved = 1 } END { exit !moved }' now.csv ahead.csv ||
    complain "preview changes nothing before the set-point does"

# x' = u, x(finalTime) = r, and u^2 is the cost: u = 2 (r - x) over a horizon of half a second, of which a sample takes a fifth. So
# r - x falls by 0.8 from sample to sample, from 0.6 on, when the horizon first sees r jump at time 1
cat >ahead.mop <<'M'
model Cart
  Real x(start = 0, fixed = true);
  input Real u(min = -2.5, max = 2.5);
equation
  der(x) = u;
end Cart;
optimization Follow(objectiveIntegrand = u^2, startTime = 0, finalTime = 0.5)
  extends Cart;
  parameter Real r = 0;
constraint
  x(finalTime) = r;
  annotation(experiment(StopTime = 2), Daedal(nmpc(samplePeriod = 0.1, plant = "Cart", reference = "jump.csv", preview = true)));
end Follow;
M
printf 'time,r\n0,0\n1,1\n' >jump.csv
run 0 ahead.mop Follow --intervals 5 --json -o follow.csv
# follows TOLERANCE: x at the samples
follows() {
    awk -F, -v tol="$1" 'NR > 1 && $4 != "" {
            n++; d = $2 - ($1 < 0.65 ? 0 : 1 - 0.8^int(($1 - 0.6)/0.1 + 0.5)); if (!(d < tol && -d < tol)) bad++ }
        END { exit !(n >= 20 && bad == 0) }' follow.csv || complain "the set-point ahead is not followed: $(head -40 follow.csv)"
}
follows 1e-6
sed 's/x(finalTime) = r/x(finalTime) - x(0.25) = r/' ahead.mop >apart.mop
run 1 apart.mop Follow
has 'the set-point r is known over the horizon, and values at several times do not determine its time'
sed 's/x(finalTime) = r;//; s/objectiveIntegrand = u^2/objective = 1e6*(x(finalTime) - r)^2, objectiveIntegrand = u^2/' ahead.mop >soft.mop
run 0 soft.mop Follow --intervals 5 --json -o follow.csv
follows 1e-4

# wrong settings are named with their place
wrong() { sed "s/$1/$2/" tank.mop >wrong.mop; }
wrong 'samplePeriod' 'samplPeriod'
refused 1 'wrong.mop:[0-9]+: .*samplPeriod' wrong.mop Level
wrong 'samplePeriod = 0.2' 'samplePeriod = -1'
refused 1 'wrong.mop:[0-9]+: samplePeriod = -1: expected a positive number' wrong.mop Level
wrong 'noise = {0.01}' 'mode = "fast"'
refused 1 'wrong.mop:[0-9]+: mode = fast: .*converge, rti' wrong.mop Level
wrong 'noise = {0.01}' 'preview = 3'
refused 1 'wrong.mop:[0-9]+: preview' wrong.mop Level
wrong 'samplePeriod = 0.2, ' ''
refused 2 'samplePeriod.*--sample-period' wrong.mop Level
refused 2 'sample period 0.3 .*horizon 2' tank.mop Level --sample-period 0.3
refused 2 '15 intervals' tank.mop Level --intervals 15
refused 2 'delay -1 must be between 0 and' tank.mop Level --delay=-1
refused 2 'delay 1e\+300 must be .*sample periods of 0.2' tank.mop Level --delay 1e300
refused 2 '"x"' tank.mop Level --measured x
refused 2 '2 numbers for 1' tank.mop Level --noise 0.01,0.02
refused 2 'negative' tank.mop Level --noise=-0.01
refused 2 '"a" is not a number' tank.mop Level --noise a
refused 2 '1e-09 .*into 2e\+09 intervals' tank.mop Level --sample-period 1e-9
refused 2 '0.285714 or 0.333333 would' tank.mop Level --sample-period 0.3
refused 2 'h is named twice' tank.mop Level --measured h,h
refused 2 'no input to decide' tank.mop Level --set q=0.5
refused 2 'estimate is a setting of the moving-horizon estimator' tank.mop Level --estimate k
refused 2 'processNoise is a setting of' tank.mop Level --process-noise h:1
refused 2 'stops at 1' tank.mop Level --start 3 --stop 1
refused 2 'not an `optimization`' tank.mop Tank
refused 2 'mode' tank.mop Level --mode fast
run 0 tank.mop Level --show h,estimate.h
[ "$(awk '/^    / { print $1 }' out | xargs)" = "h h" ] || complain "--show h,estimate.h prints: $(cat out)"
refused 1 'Tonk' tank.mop Level --plant Tonk
refused 1 '^plant = "Tank.kk = 1.":1:1: error: Tank has no parameter or variable kk' tank.mop Level --plant 'Tank(kk = 1)'
refused 1 'parenthesis' tank.mop Level --plant 'Tank(k = 1'
refused 1 'none.mo' tank.mop Level --plant none.mo:Tank
refused 1 'none.mop' none.mop

# wrong files
printf 'time,zz\n0,1\n' >unknown.csv
printf 'time,h\n0,1\n' >state.csv
printf 'time,q\n0,1\n' >controlled.csv
printf 'time,hRef\n0,abc\n' >word.csv
printf 'time,hRef\n' >empty.csv
printf 'hRef\n1\n' >timeless.csv
for file in reference disturbance; do
    refused 1 'none.csv' tank.mop Level --$file none.csv
    refused 2 'unknown.csv: .*zz' tank.mop Level --$file unknown.csv
    refused 1 'state.csv: the column h' tank.mop Level --$file state.csv
    refused 1 'timeless.csv' tank.mop Level --$file timeless.csv
done
refused 1 'word.csv:2: .*abc' tank.mop Level --reference word.csv
refused 1 'empty.csv' tank.mop Level --reference empty.csv
for file in reference disturbance; do
    printf 'time,%s,%s\n0,1,1\n' k k >double.csv
    refused 1 'double.csv:1: the column `k` appears twice' tank.mop Level --$file double.csv
    printf 'time,k\n' >header.csv
    refused 1 'header.csv has no rows' tank.mop Level --$file header.csv
done
printf 'time,h,h,q\n0,1,1,1\n' >double.csv
refused 1 'double.csv:1: the column `h` appears twice' tank.mop Level --mhe-horizon 3 --measurements double.csv
# recorded data: an empty cell of an input holds the value before, so both files say the same; the first row must have one
printf 'time,h,q\n0,1,1\n0.2,1,\n0.4,1.02,1\n0.6,,nan\n0.8,1.03,0.9\n' >holes.csv
printf 'time,h,q\n0,1,1\n0.2,1,1\n0.4,1.02,1\n0.6,,1\n0.8,1.03,0.9\n' >whole.csv
for file in holes whole; do
    run 0 tank.mop Level --json --mhe-horizon 3 --process-noise h:0.1 --measurements $file.csv
    has '"samples":5,'
    grep -o '"estimates":{[^}]*}' out >$file.estimates
done
cmp -s holes.estimates whole.estimates || complain "holes of inputs: $(cat holes.estimates whole.estimates)"
printf 'time,h,q\n0,1,\n0.2,1,1\n' >open.csv
refused 1 'open.csv: the first row has no value of the input q' tank.mop Level --mhe-horizon 3 --measurements open.csv
refused 1 'controlled.csv: the column q .*the controller sets' tank.mop Level --disturbance controlled.csv

# an answer in JSON whatever happens
run 1 none.mop --json
has '^\{"status":"invalid_model","reason":".*none.mop'
echo 'optimization O(objectiveIntegrand = y^2, finalTime = 1) Real x; equation der(x) = 1; end O;' >bad.mop
run 1 bad.mop --json
has '"status":"invalid_model".*"errors":\[\{"file":"bad.mop","line":1'

# a set-point outside the constraints: the loop goes on at the bound (q <= 2, so h ends at 2/k)
printf 'time,hRef\n0,5\n' >far.csv
run 0 tank.mop Level --json --plant Tank --noise 0 --stop 30 --reference far.csv
holds 'h > 2 - 1e-4 && h < 2 + 1e-6 && v < 1e-6' h="$(value h)" v="$(value max_violation)"
has '"failed_solves":0'

# the start violates a bound: no plan, and the reason names it
run 1 tank.mop Level --json --plant 'Leaking(h(start = -1))' -o never.csv
has '"status":"infeasible_start".*"reason":"[^"]*h >= 0'
has '"samples":0,"cost":null,"max_violation":null'
[ ! -e never.csv ] || complain "a file without a sample was written"

# noise alone puts the first measurement below the bound: that is no infeasible start (of four seeds at least one does)
below=0
for seed in 1 2 3 4; do
    run 0 tank.mop Level --json --plant 'Leaking(h(start = 0))' --noise 0.02 --seed $seed --stop 1 -o noisy.csv
    has '"status":"ok",.*"samples":5,.*"failed_solves":0'
    below=$((below + $(awk -F, 'NR == 2 { print $5 < 0 }' noisy.csv)))
done
[ "$below" -gt 0 ] || complain "no seed has a first measurement below the bound"

# in the middle it gives way instead: a disturbance throws the tank over its bound
printf 'time,d\n0,0\n1,6\n2,0\n' >flood.csv
run 0 tank.mop Level --json --disturbance flood.csv --noise 0 --stop 6
holds 's > 0 && f == 0 && v > 0' s="$(value softened)" f="$(value failed_solves)" v="$(value max_violation)"
has '"messages":\[".*these gave way: h by'

# a plant that fails at time 1 (b = 1/(1 - t)): what was recorded is written
run 1 tank.mop Level --json --plant Bursting -o burst.csv
has '"status":"plant_failed".*"t":(1|1\.0000|0\.9999).*"reason":".*b may grow'
tail -1 burst.csv | awk -F, '{ exit !($1 > 0.999 && $1 < 1.001) }' || complain "burst.csv ends with $(tail -1 burst.csv)"

# a free final time: a cart is moved by 1 in the shortest time, 2 s; the plan is followed by time and finished, so it arrives exactly
cat >fast.mop <<'END'
model Cart
  Real s(start = 0, fixed = true), v(start = 0, fixed = true) = der(s);
  input Real u(min = -1, max = 1);
equation
  der(v) = u;
end Cart;
optimization Move(objective = finalTime, startTime = 0, finalTime(free = true, min = 0.1, max = 8, initialGuess = 2))
  extends Cart;
constraint
  s(finalTime) = 1;
  v(finalTime) = 0;
  annotation(experiment(StopTime = 6), Daedal(nmpc(samplePeriod = 0.05, plant = "Cart")));
end Move;
END
run 0 fast.mop --json
holds 'f == 0 && s == 0 && c - 2 < 1e-3 && c > 2 - 1e-6' f="$(value failed_solves)" s="$(value softened)" c="$(value cost)"
sed 's/.*"final":{"s":\([^,]*\),"v":\([^,]*\),.*/\1 \2/' out | awk '{ exit !($1 - 1 < 1e-7 && 1 - $1 < 1e-7 && $2 < 1e-7 && -$2 < 1e-7) }' ||
    complain "it does not arrive: $(head -c 400 out)"

# a delay of a whole sample period, whose end is the next sample but for rounding; a loop without end
run 0 tank.mop Level --json --delay 0.2 -o whole.csv
has '"status":"ok".*"samples":15,'
[ "$(awk -F, 'NR > 1 && $NF != ""' whole.csv | wc -l)" = 15 ] || complain "rows of samples are missing"
run 1 tank.mop Level --json --stop 1e300 --max-time 0.2
has '"status":"time_limit"'

# a delay of 2.5 samples with an exact model: from its end on the loop is the one without a delay that starts there, also with inputs
# that follow the plan
cat >mass.mop <<'END'
model Mass
  Real s(start = 1, fixed = true), v(start = 0.5, fixed = true);
  input Real F(min = -3, max = 3, start = 0.3);
equation
  der(s) = v;
  der(v) = F + 0.5*s;
end Mass;
optimization Hold(objectiveIntegrand = s^2 + v^2 + 0.1*F^2, startTime = 0, finalTime = 4)
  extends Mass;
  annotation(experiment(StopTime = 4.5), Daedal(nmpc(samplePeriod = 0.2)));
end Hold;
END
for kind in constant linear polynomial; do
    run 0 mass.mop --json --delay 0.5 --control $kind --tol 1e-10 -o late.csv
    has '"t":4.5,"samples":23,.*"failed_solves":0,'
    # shellcheck disable=SC2046
    set -- $(awk -F, '$1 == 0.5 { print $2, $3 }' late.csv)
    # s = c cosh(w t) + d sinh(w t) - F/w^2 under F = 0.3 until then, w^2 = 0.5
    holds 's - x < 1e-7 && x - s < 1e-7' s="$1" x="$(awk 'BEGIN { w = sqrt(0.5); a = exp(w/2); b = 1/a; printf "%.12g", 0.8*(a + b) + 0.25/w*(a - b) - 0.6 }')"
    sed "s/start = 1,/start = $1,/; s/start = 0.5,/start = $2,/" mass.mop >mass_later.mop
    run 0 mass_later.mop --json --start 0.5 --control $kind --tol 1e-10 -o soon.csv
    awk -F, 'function off(a, b) { return a > b ? a - b : b - a }
        FNR > 1 { t = sprintf("%.9g", $1) }
        NR == FNR { s[t] = $2; f[t] = $4; next }
        FNR > 1 && $9 != "" && $1 < 4.45 && t in s { n++; if (off(s[t], $2) > 1e-6 || off(f[t], $4) > 1e-6) bad++ }
        END { exit !(n == 20 && bad == 0) }' soon.csv late.csv || complain "$kind: a delay of 2.5 samples is not that of the loop after it"
done
# a horizon that shrinks: the goal is reached at the end of the last plan
run 0 fast.mop --json --delay 0.12
sed 's/.*"final":{"s":\([^,]*\),"v":\([^,]*\),.*/\1 \2/' out | awk '{ exit !($1 - 1 < 1e-6 && 1 - $1 < 1e-6 && $2 < 1e-6 && -$2 < 1e-6) }' ||
    complain "with a delay it does not arrive: $(head -c 400 out)"
# the moving-horizon estimator is told what acted: with the model of the plant and no noise it is right
run 0 mass.mop --json --delay 0.5 --measured s --mhe-horizon 5 --process-noise 'v: 0.01' --initial-error 's: 0.1, v: 0.5' -o seen.csv
awk -F, '$1 > 2 && $9 != "" { n++; d = $3 - $6; if (d > 0.01 || d < -0.01) bad++ } END { exit !(n > 5 && bad == 0) }' seen.csv ||
    complain "the estimator does not see the inputs that acted: $(tail -3 seen.csv)"

# pages and pictures
run 0 tank.mop Level --reference ref.csv --stop 7 --report shown.html --plot plot.svg --show 'level: h,estimate.h,hRef' --show q
has '>level' shown.html
grep -q 'The plant' shown.html && complain "--show: the page shows all variables"
run 0 tank.mop Level --reference ref.csv --stop 7 --report page.html
for part in 'The plant' 'Set-points' 'Inputs, applied and planned' 'States: plant, estimates, plans' 'Timing' 'distribution' 'histogram' 'Settings' 'Summary' 'planned at' '>bound<'; do
    has "$part" page.html
done
# plant, applied and planned inputs, states: each figure with its unit
[ "$(grep -c '<figcaption>h <span>\[m\]<' page.html)/$(grep -c '<figcaption>q <span>\[m3/s\]<' page.html)" = 2/1 ] ||
    complain "units are missing: $(grep -o '<figcaption>[^/]*' page.html | tr '\n' ' ')"
markup page.html | grep -qi 'nan\b' && complain "the page has numbers that are none"
has '^</svg>|</svg>$' plot.svg
has 'estimate.h' plot.svg
refused 2 'zz' tank.mop Level --plot other.svg --show zz
[ ! -e other.svg ] || complain "a picture of nothing was written"
refused 1 'cannot write' tank.mop Level -o none/out.csv
refused 1 'cannot write' tank.mop Level --report none/page.html
refused 2 'tank.mop' tank.mop Level --report tank.mop

# stopped: old files stay, what was recorded is beside them
for stop in limit interrupt early; do
    for file in out.csv page.html plot.svg; do echo old >$file; done
    rm -f ./*.partial
    set -- tank.mop Level --json --stop 1e6 -o out.csv --report page.html --plot plot.svg
    case $stop in
    limit)
        run 1 "$@" --max-time 0.5
        has '"status":"time_limit".*"reason":"stopped'
        ;;
    early)
        run 1 "$@" --max-time 0.0001
        has '"status":"time_limit"'
        ;;
    interrupt)
        "$daedal" control "$@" >out 2>err &
        job=$!
        sleep 0.6
        kill -INT $job
        wait $job
        code=$?
        [ $code -eq 130 ] || complain "interrupt: exit code $code"
        has '"status":"interrupted"'
        ;;
    esac
    for file in out.csv page.html plot.svg; do
        [ "$(cat $file)" = old ] || complain "$stop: $file was changed"
        [ $stop = early ] || [ -s $file.partial ] || complain "$stop: there is no $file.partial"
    done
    [ $stop = early ] && continue
    has '"failed_solves":0'
    # complete rows up to the last one
    awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || NR < 3 }' out.csv.partial || complain "$stop: rows are torn"
done

# plans that are followed, linear and polynomial: at samples z jumps with the input, and the plant that integrates the cost itself
# agrees with the cost of the loop, also where intervals are shorter than a sample
cat >follow.mop <<'M'
model M
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), z;
  input Real u(min = -3, max = 3);
equation
  der(x) = v;
  der(v) = z - 0.5*v;
  z + 0.3*z^3 = u;
end M;
model P
  extends M;
  Real c(start = 0, fixed = true);
equation
  der(c) = (x - 1)^2 + 0.1*u^2;
end P;
optimization C(objectiveIntegrand = (x - 1)^2 + 0.1*u^2, startTime = 0, finalTime = 1)
  extends M;
  annotation(experiment(StopTime = 1), Daedal(nmpc(samplePeriod = 0.25, plant = "P", measured = {"x", "v"})));
end C;
M
for how in constant linear 'linear --intervals 12' polynomial 'polynomial --degree 2 --intervals 8'; do
    # shellcheck disable=SC2086
    run 0 follow.mop C --json --control $how
    holds 'cost - c < 1e-8 && c - cost < 1e-8' cost="$(value cost)" c="$(sed 's/.*"final"//; s/.*"c":\([^,}]*\).*/\1/' out)"
done

# set-points that change where samples are, known before: the same loop a second later, whatever rounding makes of the times
cat >later.mop <<'M'
model M
  Real x(start = 0, fixed = true);
  input Real u(min = -3, max = 3);
equation
  der(x) = u - x;
end M;
optimization C(objectiveIntegrand = (x - r)^2 + 0.1*u^2, startTime = 0, finalTime = 3.4)
  extends M;
  parameter Real r = 0;
  annotation(experiment(StartTime = 0, StopTime = 2), Daedal(nmpc(samplePeriod = 0.2, plant = "M", reference = "goals0.csv", preview = true)));
end C;
M
for by in 1 0.7 12.3; do
    printf 'time,r\n0,1\n1,2\n2.2,-1\n3,0\n' >goals0.csv
    awk -F, -v by="$by" 'NR > 1 { $1 += by } { print }' OFS=, goals0.csv >goals1.csv
    sed "s/startTime = 0, finalTime = 3.4/startTime = $by, finalTime = $by + 3.4/; s/StartTime = 0, StopTime = 2/StartTime = $by, StopTime = $by + 2/; s/goals0/goals1/" later.mop >later1.mop
    run 0 later.mop C --json --control linear
    first=$(value cost)
    run 0 later1.mop C --json --control linear
    holds 'a - b < 1e-8*b && b - a < 1e-8*b' a="$(value cost)" b="$first"
done

# killed: the old files stay as they are
for file in out.csv page.html plot.svg; do echo old >$file; done
"$daedal" control tank.mop Level --json --stop 1e6 -o out.csv --report page.html --plot plot.svg >out 2>err &
job=$!
sleep 0.4
kill -KILL $job
wait $job 2>/dev/null
for file in out.csv page.html plot.svg; do [ "$(cat $file)" = old ] || complain "killed: $file was changed"; done

exit $((failures > 0))
