#!/usr/bin/env bash
# daedal simulate when it cannot be done: wrong usage, verdicts with reason and time, files that are kept. Usage:
# simulate_failures.sh PATH_OF_DAEDAL
set -u
. "$(dirname "$0")/../cli/simulate_kit.bash"

model oscillator <<'EOF'
model Oscillator
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
end Oscillator;
EOF

# ---- wrong usage: exit code 2 and what would be right ----
expect 2 'there is no method "raadu"; did you mean "radau"' oscillator.mo --method raadu
expect 2 'there is no method "dopri45"; did you mean "dopri54"' oscillator.mo --method dopri45
expect 2 'there is no method' oscillator.mo --method ''
expect 2 '--tol -1: expected a positive number' oscillator.mo --tol -1
expect 2 '--tol 0: expected a positive number' oscillator.mo --tol 0
expect 2 '--tol nan: expected' oscillator.mo --tol nan
expect 2 '--tol 2: expected a number below 1' oscillator.mo --tol 2
expect 2 '--atol inf: expected' oscillator.mo --atol inf
expect 2 '--start nan: expected a number' oscillator.mo --start nan
expect 2 '--stop soon: expected a number' oscillator.mo --stop soon
expect 2 'the stop time 1 is not after the start time 2' oscillator.mo --start 2 --stop 1
expect 2 'the stop time 0 is not after the start time 0' oscillator.mo --stop 0
expect 2 '--points -3: expected' oscillator.mo --points -3
expect 2 '--points 0: expected a whole number from 1' oscillator.mo --points 0
expect 2 '--threads: expected a whole number from 1 to 1024' oscillator.mo --threads 5000
expect 2 '--max-steps 0: expected a whole number' oscillator.mo --max-steps 0
expect 2 'points or --interval, not both' oscillator.mo --points 3 --interval 1
expect 2 '--interval 0: expected' oscillator.mo --interval 0
expect 2 '--step -0.1: expected' oscillator.mo --step=-0.1
expect 2 '--form big: expected one of reduced, original' oscillator.mo --form big
expect 2 '--stabilize x: expected one of projection, baumgarte, dummy, none' oscillator.mo --stabilize x
expect 2 '--interpolate x: expected one of linear, spline' oscillator.mo --input a.csv --interpolate x
expect 2 'belongs to --input' oscillator.mo --interpolate spline
expect 2 'belongs to --stabilize baumgarte' oscillator.mo --alpha 3
expect 2 'unknown option --tool; did you mean --tol' oscillator.mo --tool 3
expect 2 'needs FILE'
expect 2 'see: daedal methods|did you mean' oscillator.mo --method runge
answer 2 invalid_argument oscillator.mo --start 2 --stop 1

# ---- models and files that cannot be read ----
answer 1 invalid_model missing.mo
printf 'model A Real x; equation x = ; end A;\n' >broken.mo
answer 1 invalid_model broken.mo
grep -q '"line":1' out || complain "no place in the answer"
model two <<'EOF'
model Two
  Real x;
equation
  x = 1;
  x = 2;
end Two;
EOF
answer 1 invalid_model two.mo
[[ $(value reason) == *x* ]] || complain "the reason does not name x"
answer 1 invalid_model oscillator.mo --set mass=3

# ---- finite-time blow-up: x = 1/(1 - t) ----
model blowup <<'EOF'
model BlowUp
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
end BlowUp;
EOF
for tol in 1e-4 1e-6 1e-10; do
    answer 1 step_too_small blowup.mo --stop 2 --tol $tol -o blowup.csv
    near t 1 1e-3
    [[ $(value reason) == *"at time "*" x may grow"* ]] || complain "the reason names no time or variable: $(value reason)"
    [ -e blowup.csv ] && complain "an incomplete trajectory under its final name"
    [ "$(value output)" = blowup.csv.partial ] || complain "the answer does not name blowup.csv.partial"
    [ "$(wc -l <blowup.csv.partial)" -gt 10 ] || complain "the trajectory so far is missing"
done
expect 1 'stopped at time .* in a run from 0 to 2 \(step_too_small\)' blowup.mo --stop 2

# ---- what cannot be computed ----
model root <<'EOF'
model Root
  Real x(start = 1, fixed = true);
equation
  der(x) = -1 - sqrt(x);
end Root;
EOF
answer 1 nonfinite root.mo --stop 2
awk -v t="$(value t)" 'BEGIN { exit !(t > 0.5 && t < 0.7) }' || complain "sqrt: stopped at $(value t), expected 2 - 2 log 2 = 0.6137"
model aside <<'EOF'
model Aside
  Real x(start = 1, fixed = true);
  Real y = sqrt(x);
equation
  der(x) = -1;
end Aside;
EOF
answer 1 nonfinite aside.mo --stop 2 -o aside.csv
near t 1 1e-9
[[ $(value reason) == *"on y is not a number"* ]] || complain "the reason does not name y: $(value reason)"
grep -qiE 'nan|inf' aside.csv.partial && complain "the trajectory has values that are no numbers"

# ---- assertions: found within a step, message and place told ----
model limit <<'EOF'
model Limit
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 0.5, "x must stay below one half");
end Limit;
EOF
answer 1 assertion_failed limit.mo
near t 0.5 1e-9
[[ $(value reason) == *"x must stay below one half"*"limit.mo:5"* ]] || complain "the reason is $(value reason)"
answer 1 assertion_failed limit.mo --set x=0.7
near t 0 0
answer 0 ok limit.mo --stop 0.4

# ---- assertions that only warn: one message each, and the run goes on ----
model warns <<'END'
model Warns
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  assert(x > 0.5, "x is small", AssertionLevel.warning);
  assert(x > -1, "never", level = AssertionLevel.warning);
end Warns;
END
answer 0 ok warns.mo --stop 5
near x 0.006737946999085467 1e-5
[ "$(grep -o 'by time [0-9.]*: x is small' out | wc -l)" -eq 1 ] || complain "the warning of an assertion is not told once"
grep -q never out && complain "an assertion that holds warns"

# ---- chattering, too many steps ----
model sliding <<'EOF'
model Sliding
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = if x > 0.25*sin(10*y) then -2 else 3;
  der(y) = 1;
end Sliding;
EOF
for method in auto radau bdf dopri54; do # 1 - 2t = sin(10t)/4, and there both branches lead back
    answer 1 chattering sliding.mo --stop 2 --method $method
    near t 0.569429658844477 1e-8
    [[ $(value reason) == *"switch back and forth"* ]] || complain "the reason is $(value reason)"
done
model zero <<'EOF'
model Zero
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
end Zero;
EOF
answer 1 chattering zero.mo --stop 3
near t 1 1e-8
answer 1 chattering zero.mo --stop 3 --method radau
answer 1 too_many_steps oscillator.mo --stop 1e6 --max-steps 100
near steps 100 0

# ---- files that cannot be written: known before the run, or at its end ----
expect 1 'cannot write .*nowhere/a.csv' oscillator.mo -o nowhere/a.csv
expect 1 'cannot write .*nowhere/a.html' oscillator.mo --report nowhere/a.html
expect 1 'cannot write .*Is a directory' oscillator.mo -o "$folder"
answer 1 io_error oscillator.mo -o 'no"where/a.csv'
answer 1 io_error oscillator.mo -o out.csv --fail-file-at 6
if [ -w /dev/full ]; then
    expect 1 'cannot write /dev/full' oscillator.mo -o /dev/full
fi
echo old >kept.csv
for n in 2 3 4 5; do
    run oscillator.mo -o kept.csv --fail-file-at $((n + 2))
    [ $code -eq 0 ] || [ "$(cat kept.csv)" = old ] || complain "a failed write changed the file"
done

# ---- memory that fails anywhere: no crash, no file left behind ----
run oscillator.mo -o swept.csv --report swept.html -v
allocations=$(sed -n 's/.* \([0-9]*\) allocations/\1/p' err)
[ "${allocations:-0}" -gt 100 ] || complain "allocations are not counted"
for ((n = 2; n <= allocations * 9 / 10; n += allocations / 60 + 1)); do
    run oscillator.mo -o swept.csv --report swept.html --json --fail-at $n
    if [ $code -eq 0 ] && grep -q '"error_growth":null.*memory ran out while it was looked at whether errors grow' out; then
        rm -f swept.csv swept.html # what is told beside the answer may be left out, and that is said
        continue
    fi
    [ $code -eq 1 ] || complain "allocation $n fails: exit code $code"
    [ "$(value status)" = out_of_memory ] || complain "allocation $n fails: $(head -c 200 out)"
done
ls -a | grep -q '\.tmp$' && complain "temporary files are left behind"

# ---- limits and interruption: what there is is kept, a file that is there stays ----
echo old >kept.csv
answer 1 time_limit oscillator.mo --stop 1e9 --max-time 0.5 -o kept.csv
[ "$(cat kept.csv)" = old ] || complain "time limit: the old file is gone"
[ "$(wc -l <kept.csv.partial)" -gt 100 ] || complain "time limit: no trajectory so far"
answer 1 out_of_memory oscillator.mo --stop 1e9 --max-memory 4M -o kept.csv
[ "$(cat kept.csv)" = old ] || complain "memory limit: the old file is gone"
[ "$(wc -l <kept.csv.partial)" -gt 100 ] || complain "memory limit: no trajectory so far"
rm kept.csv.partial
"$daedal" simulate oscillator.mo --stop 1e9 -o kept.csv --report kept.html --json >out 2>err &
job=$!
sleep 0.6
kill -INT $job
wait $job
code=$?
[ $code -eq 130 ] || complain "interrupted: exit code $code"
[ "$(value status)" = interrupted ] || complain "interrupted: the status is $(value status)"
[ "$(cat kept.csv)" = old ] || complain "interrupted: the old file is gone"
[ "$(wc -l <kept.csv.partial)" -gt 100 ] || complain "interrupted: no trajectory so far"
grep -q '</html>' kept.html.partial || complain "interrupted: no plots so far"
[ "$(tail -1 kept.csv.partial | cut -d, -f1)" = "$(awk -v t="$(value t)" 'BEGIN { printf "%.17g", t }')" ] ||
    complain "interrupted: the last row is not the time reached"
finish
