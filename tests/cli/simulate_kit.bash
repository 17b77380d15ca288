# Helpers of the simulate*.sh tests: a folder of its own, models, runs, answers. Source it with the path of daedal in $1.
daedal=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export LC_ALL=C
failed=0

complain() {
    echo "$*"
    failed=1
}

# run ARGS...: daedal simulate, output in out and err, exit code in $code
run() {
    timeout 60 "$daedal" simulate "$@" >out 2>err </dev/null
    code=$?
}

show() {
    sed 's/^/    out: /' out | cut -c1-400 | head -20
    sed 's/^/    err: /' err | cut -c1-400 | head -20
}

# expect CODE PATTERN ARGS...: exit code, and the extended pattern in what is printed
expect() {
    local wanted=$1 pattern=$2
    shift 2
    run "$@"
    if [ $code -ne "$wanted" ] || ! cat out err | tr '\n' ' ' | grep -qE -e "$pattern"; then
        complain "simulate $*: exit code $code, expected $wanted and \"$pattern\""
        show
    fi
}

# value KEY: what is under a key of the JSON answer, also within `final` and `stats`; strings without quotes, escapes kept.
# In the shell itself, as it is asked for hundreds of times.
value() {
    local text part
    text=$(<out)
    part=${text#*"\"$1\":"}
    if [ "$part" = "$text" ]; then
        echo
        return
    fi
    case $part in
    '["'*) [[ $part =~ ^\[\"([^\"\\]|\\.)*\"(,\"([^\"\\]|\\.)*\")*\] ]] && echo "${BASH_REMATCH[0]}" ;;
    '"'*) [[ $part =~ ^\"(([^\"\\]|\\.)*)\" ]] && echo "${BASH_REMATCH[1]}" ;;
    *) echo "${part%%[,\}]*}" ;;
    esac
}

# one_line: is the output one line with its end?
one_line() {
    local lines
    mapfile -n 2 lines <out
    [ ${#lines[@]} -eq 1 ] && [[ ${lines[0]} == *$'\n' ]]
}

# answer CODE STATUS ARGS...: one valid JSON object on standard output with this status
answer() {
    local wanted=$1 status=$2
    shift 2
    run --json "$@"
    if [ $code -ne "$wanted" ] || ! one_line || [ "$(value status)" != "$status" ]; then
        complain "simulate --json $*: exit code $code, expected $wanted and the status $status"
        show
    fi
    echo "$(<out)" >>answers
}

# near KEY EXPECTED TOLERANCE: compares a number of the last answer
near() {
    local got
    got=$(value "$1")
    awk -v a="$got" -v b="$2" -v tol="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a != "" && a != "null" && d <= tol) }' ||
        complain "$1 is $got, expected $2 up to $3"
}

# model NAME: text from standard input
model() {
    cat >"$1.mo"
}

# All answers are valid JSON, where there is someone to ask.
finish() {
    if command -v python3 >/dev/null; then
        python3 -c 'import json; [json.loads(line) for line in open("answers")]' || complain "answers are not valid JSON"
    elif grep -qvE '^\{"status":"[a-z_]+",.*\}$' answers; then
        complain "answers are no JSON objects"
    fi
    exit $failed
}
