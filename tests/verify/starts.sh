#!/usr/bin/env bash
# What `check` says about the given start and what `simulate` makes of it agree, for every model of tests/corpus and
# examples: a start that check calls consistent is found, from one that it calls impossible no run gets anywhere, and no answer is
# unconfirmed where the simulation starts. (Missing conditions are completed by 0 in both, --auto-init.)
# Usage: starts.sh PATH_OF_DAEDAL
set -u
daedal=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/../.." || exit 1
export OPENBLAS_NUM_THREADS=1
compared=0
failed=0

# value of "key":"..." in a line of JSON
value_of() {
    sed -n "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/p" <<<"$2" | head -n 1
}

# compare FILE [MODEL and settings]
compare() {
    local answer run start certificate status
    answer=$("$daedal" check "$@" --json 2>/dev/null)
    [ "$(value_of verdict "$answer")" = ok ] || return
    case $answer in *'"optimization":'*) return ;; esac
    start=$(value_of start "$answer")
    certificate=$(value_of certificate "$answer")
    run=$("$daedal" simulate "$@" --json --auto-init --stop 1e-7 --points 1 --max-time 20 2>/dev/null)
    status=$(value_of status "$run")
    compared=$((compared + 1))
    case $start:$certificate:$status in
    consistent:undecided:*) ;;
    consistent:*:init_failed) # check takes inputs as general ones, simulate as 0
        case $answer in *'treated as a general input'* | *'"input_derivatives":["'*) return ;; esac ;;
    consistent:*) return ;;
    impossible:undecided:ok) ;;
    impossible:undecided:* | not_found:undecided:init_failed) return ;;
    singular:undecided:*) return ;;
    untested:undecided:init_failed) return ;;
    untested:structural:*) # nothing to start: a model without unknowns
        case $answer in *'"unknowns":0,'*) return ;; esac ;;
    esac
    echo "check $*: start $start, certificate $certificate, but simulate: $status"
    failed=1
}

for file in tests/corpus/check/*.mo tests/corpus/flat/*.mo examples/*.mo; do
    compare "$file"
    while IFS= read -r line; do
        case $line in *@* | '' | *--flat*) continue ;; esac
        read -r -a words <<<"$line"
        compare "$file" "${words[@]}"
    done < <(sed -n 's|^// run: ||p' "$file")
done
echo "$compared starts compared"
[ "$compared" -gt 300 ] || { echo "too few"; failed=1; }
exit $failed
