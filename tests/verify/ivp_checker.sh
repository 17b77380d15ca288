#!/usr/bin/env bash
# The judge of the initial-value tests (ivp/digits.sh) is judged: it accepts end values that are good enough and refuses
# too few digits, not-a-number, a missing variable, a wrong end time, a failing status, and silence.
set -u
root=${DAEDAL_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0

# a program that answers with the reference values, each multiplied by $FACTOR, after the edit $EDIT (sed)
cat >"$folder/daedal" <<'FAKE'
#!/usr/bin/env bash
problem=$(basename "$2" .mo)
awk -v p="$problem" -v factor="${FACTOR:-1}" '
    $1 == "problem" { inside = $2 == p; if (inside) stop = $3 }
    inside && $1 == "value" { values = values sprintf("%s\"%s\":%.17g", values == "" ? "" : ",", $2, $3*factor) }
    END { printf "{\"status\":\"ok\",\"model\":\"M\",\"t0\":0,\"t\":%.17g,\"final\":{%s},\"stats\":{\"steps\":12}}\n", stop, values }
' "$ROOT/tests/verify/ivp/reference.txt" | sed "${EDIT:-}"
FAKE
chmod +x "$folder/daedal"

# expect 0|1 "text in the output" FACTOR EDIT problem...
expect() {
    local code=$1 text=$2 factor=$3 edit=$4
    shift 4
    ROOT=$root FACTOR=$factor EDIT=$edit bash "$root/tests/verify/ivp/digits.sh" "$folder/daedal" "$@" >"$folder/out"
    if [ $? -ne "$code" ] || ! grep -q "$text" "$folder/out"; then
        echo "expected exit code $code and '$text' for factor $factor, edit '$edit':"
        cat "$folder/out"
        bad=1
    fi
}

expect 0 'crank .* 9.9 .* ok' 1 ''
# 1 - 1e-7 in every value: 7 digits at least where the values are large against the tolerance
expect 1 'vdpol .*1e-6 .* 7.20 .* 5.9 .* ok' 0.9999999 '' vdpol
expect 1 'vdpol .*1e-8 .* 7.20 .* 8.0 .* too_few_digits' 0.9999999 '' vdpol
expect 0 'ok' 0.99999999999 '' chemakzo medakzo
expect 1 'rober .*1e-4 .*1.00 .*too_few_digits' 0.9 '' rober
expect 1 'not_a_number:y=nan' 1 's/"y":[^,}]*/"y":nan/' pend3
expect 1 'not_a_number:y=null' 1 's/"y":[^,}]*/"y":null/' pend3
expect 0 'ok' 1 's/"lam":[^,}]*/"lam":null/' pend3
expect 1 'missing:p\[20,3\]' 1 's/"p\[20,3\]"/"q[99,3]"/' fekete
expect 1 'stopped_at_0.5' 1 's/"t":1/"t":0.5/' jay3
expect 1 'step_too_small' 1 's/"status":"ok"/"status":"step_too_small"/' jay3
expect 1 'no_output' 1 d jay3
exit $bad
