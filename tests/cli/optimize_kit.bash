# optimize_kit.bash - what scripts about daedal optimize begin with; sourced with the path of daedal as $1. They run in a
# folder of their own and end with `exit $((failures > 0))`.
set -u
export LC_ALL=C
daedal=$(realpath "$1")
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
    "$daedal" optimize "$@" >out 2>err
    code=$?
    [ "$code" -eq "$want" ] || complain "optimize $*: exit code $code, expected $want: $(head -c 300 out err)"
}

# has REGEX [FILE], lacks REGEX [FILE]: of the answer, or of a file
has() { grep -qE -- "$1" "${2:-out}" || complain "$1 is not in: $(head -c 1500 "${2:-out}")"; }
lacks() { grep -qE -- "$1" "${2:-out}" && complain "$1 is in: $(head -c 1500 "${2:-out}")"; }

# value KEY: a number or a word of the JSON answer; holds NAME CONDITION: of awk
value() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" out; }
holds() { awk "BEGIN { exit !($2) }" || complain "$1: $2 does not hold: $(head -c 600 out)"; }
