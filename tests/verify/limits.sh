#!/usr/bin/env bash
# Limits hold wherever the time goes: set-up, analysis, factorisations, steps, rows, files. Usage: limits.sh DAEDAL
# A run may end a second or 5 % after its limit; on a busy machine what cannot be stopped takes longer, hence the rest.
. "$(dirname "$0")/../cli/simulate_kit.bash"

slack=4
# ends SECONDS VERB ARGS...: within the limit, with the status time_limit
ends() {
    local limit=$1 verb=$2 began now
    shift 2
    began=$(date +%s%N)
    timeout 120 "$daedal" "$verb" "$@" --json --max-time "$limit" >out 2>err </dev/null
    code=$?
    now=$(date +%s%N)
    [ $code -eq 1 ] && [[ $(value status) == time_limit ]] || { complain "$verb $* --max-time $limit: exit code $code"; show; }
    [ $(((now - began) / 1000000)) -le $((1000 * (limit + slack))) ] ||
        complain "$verb $* --max-time $limit: $(((now - began) / 1000000)) ms"
}

model grid <<'EOF'
model Grid
  parameter Integer n = 100;
  Real T[n,n](each start = 0);
equation
  for i in 1:n loop
    for j in 1:n loop
      der(T[i,j]) = n^2*((if i > 1 then T[i-1,j] else 0) + (if i < n then T[i+1,j] else 0) + (if j > 1 then T[i,j-1] else 0)
        + (if j < n then T[i,j+1] else 0) - 4*T[i,j]) + exp(-T[i,j]^2);
    end for;
  end for;
end Grid;
EOF
model long <<'EOF'
model Long
  Real x(start = 2, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = 20*(1 - x^2)*y - x;
end Long;
EOF
for limit in 1 2; do
    ends $limit check grid.mo --set n=700
done
for limit in 1 2 4 8 16; do
    ends $limit simulate grid.mo --set n=316
done
ends 2 simulate grid.mo --set n=250
for method in chebyshev bdf radau 'rk4 --step 1e-5' 'chebyshev-20 --step 1e-3' 'radau-3 --step 1e-4'; do
    ends 2 simulate long.mo --stop 1e7 --method $method --max-steps 1000000000000
done
# rows: no more than can be written in time, and they are
ends 3 simulate long.mo --points 100000000 -o rows.csv
[ "$(wc -l <rows.csv.partial)" -gt 1000 ] && [ ! -e rows.csv ] || complain "$(ls -l rows.csv* 2>&1)"
ends 3 simulate long.mo --points 100000000 --report page.html
[ -s page.html.partial ] || complain "no page"

# rows at the solver's steps, many columns: the same
model many <<'MO'
model Many
  parameter Integer n = 400;
  Real x[n](each start = 1, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = -0.01*i*x[i] + sin(i*time);
  end for;
end Many;
MO
ends 3 simulate many.mo --stop 1e5 -o wide.csv --report wide.html
[ -s wide.csv.partial ] && [ -s wide.html.partial ] && [ ! -e wide.csv ] || complain "$(ls -l wide* 2>&1)"
# Ctrl-C at any moment: what is there is whole, and marked
for moment in 0.2 0.5 0.9 1.4; do
    rm -f wide.*
    "$daedal" simulate many.mo --stop 60 -o wide.csv --report wide.html --json >out 2>err &
    pid=$!
    sleep $moment
    kill -INT $pid 2>/dev/null
    wait $pid
    code=$?
    for file in wide.csv*; do
        [ -e "$file" ] && ! awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' "$file" && complain "$file: rows of different length"
    done
    case $code in
    0) [ -s wide.csv ] && [ -s wide.html ] || complain "Ctrl-C at $moment: done, but $(ls wide* 2>&1)" ;;
    130) [ ! -e wide.csv ] || complain "Ctrl-C at $moment: wide.csv beside exit code 130" ;;
    *) complain "Ctrl-C at $moment: exit code $code" ;;
    esac
done

# memory: rows and factors are counted before they are made
expect 1 'rows of 3 numbers need .* MB, and the memory limit leaves' long.mo --points 100000000 -o rows.csv --max-memory 100000000
"$daedal" simulate grid.mo --set n=60 --max-memory 10000000 --json >out 2>err
[ $? -eq 1 ] && [[ $(cat out err) == *"memory limit"* ]] || { complain "10 MB"; show; }
# limits that are not met change nothing
answer 0 ok grid.mo --set n=20 --max-time 60 --max-memory 1000000000
# Ctrl-C
"$daedal" simulate grid.mo --set n=316 --json >out 2>err &
pid=$!
sleep 3
kill -INT $pid
began=$(date +%s%N)
wait $pid
code=$?
[ $code -eq 130 ] && [ $((($(date +%s%N) - began) / 1000000)) -le $((1000 * slack)) ] || complain "Ctrl-C: exit code $code"
finish
