#!/usr/bin/env bash
# Help, version, wrong usage: exit codes and where the text goes. Usage: usage.sh PATH_OF_DAEDAL
set -u
daedal=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# expect CODE STREAM PATTERN ARGS...: exit code, PATTERN on STREAM (out or err), nothing on the other one
expect() {
    local code=$1 stream=$2 pattern=$3 other=err got
    shift 3
    [ "$stream" = err ] && other=out
    "$daedal" "$@" >"$folder/out" 2>"$folder/err"
    got=$?
    if [ $got -ne "$code" ] || ! grep -q -e "$pattern" "$folder/$stream" || [ -s "$folder/$other" ]; then
        echo "daedal $*: exit code $got, expected $code and \"$pattern\" on std$stream alone; got:"
        sed 's/^/    out: /' "$folder/out"
        sed 's/^/    err: /' "$folder/err"
        failed=1
    fi
}

version=$(sed -n 's/^#define DD_VERSION "\(.*\)"/\1/p' "$DAEDAL_SOURCE/include/daedal/version.h")
expect 0 out "^daedal ${version//./\\.}\$" --version
expect 0 out '^  check ' help
expect 0 out '^  check ' --help
expect 2 err '--flat or --json, not both' check examples/spherical_pendulum.mo --flat --json
expect 2 err '--explain=html: expected text, markdown or latex' check examples/spherical_pendulum.mo --explain=html
expect 0 out '--explain\[=FORMAT\]' help check
expect 0 out '^usage: daedal check FILE' help check
expect 2 err '--at 1,0: expected a number, increasing numbers' linearize examples/spring_mass.mo --at 1,0
expect 2 err '--at 0:0:1: expected a number' linearize examples/spring_mass.mo --at 0:0:1
expect 2 err '0.05 is on its own: a list has commas and no blanks, as in --steps 0.1,0.05' study examples/spring_mass.mo --steps 0.1 0.05
expect 2 err '--at x: expected a number' linearize examples/spring_mass.mo --at x
expect 0 out '--max-memory BYTES' check --help
expect 2 err '^usage: daedal COMMAND'
expect 2 err 'there is no command "chekc"; did you mean "check"?' chekc
expect 2 err 'there is no command "chekc"; did you mean "check"?' help chekc
expect 2 err 'there is no command "frobnicate"$' frobnicate
expect 2 err 'unknown option --jsno; did you mean --json?' check --jsno model.mo
expect 2 err 'unknown option --nothing$' check --nothing=3 model.mo
expect 2 err 'check needs FILE' check
expect 2 err 'unexpected argument c' check a b c d e
expect 2 err '--max-time nan: expected a positive number' check --max-time nan model.mo
expect 2 err '--max-time -1: expected a positive number' check --max-time=-1 model.mo
expect 2 err '--max-memory 1Q: expected a number of bytes' check model.mo --max-memory 1Q
expect 2 err '--max-memory 99999999999999999999: expected' check model.mo --max-memory 99999999999999999999
expect 2 err '--set needs a value: NAME=VALUE' check model.mo --set
expect 2 err '--json takes no value' check --json=1 model.mo

# a full disk is not success
if [ -w /dev/full ]; then
    "$daedal" --version >/dev/full 2>"$folder/err"
    [ $? -eq 1 ] && grep -q 'standard output' "$folder/err" || { echo "a full standard output was not noticed"; failed=1; }
fi
exit $failed
