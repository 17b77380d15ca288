#!/usr/bin/env bash
# Exported controllers beside the library on the same samples: milliseconds of the processor per sample, without the first.
#
#   export.sh DAEDAL [LOOP]
#
# A loop runs in the library; the generated code, compiled with FLAGS (default -O3 -march=native) by CC (default gcc), then gets
# what was measured. Both run REPEATS times in turn (default 7), and each sample counts with the least of its times: what differs
# between runs is the machine. The last two columns are ratios: below 1 the exported controller is faster. LOOP: a part of the
# name of the loops to run; MODES: default "converge rti".
export LC_ALL=C
daedal=$(realpath "$1")
wanted=${2:-}
cd "$(dirname "$0")/../.." || exit 1
compiler=${CC:-gcc}
flags=${FLAGS:--O3 -march=native}
repeats=${REPEATS:-7}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
# shellcheck source=tests/cli/controllers.bash
. tests/cli/controllers.bash
record=$(dirname "$daedal")/tests/record_loop

# name, file, class, options of the loop, options of both. Loops with an estimator are recorded with noise, until the time in the
# place of their options
loops="pendulum N=20 d=2|control_pendulum|PendulumNMPC||--degree 2
pendulum N=40 d=3|control_pendulum|PendulumNMPC||--intervals 40 --degree 3
crane|control_crane|CraneControl||
chain of masses|control_chain|MoveChain||
delta robot|control_delta|PickAndPlace||
reactor with mhe|control_cstr|ReactorNMPC|until 20|"

# times FILE...: the column solve_ms of each run of the library to the least of every sample
times() {
    awk -F, 'FNR == 1 { n = 0; next } $2 != "" { n++; if (!(n in t) || $2 < t[n]) t[n] = $2; most = n > most ? n : most }
        END { for (i = 1; i <= most; i++) print t[i] }' "$@"
}

# least FILE...: the same of lines with one number
least() { awk '!(FNR in t) || $1 < t[FNR] { t[FNR] = $1 } { most = FNR > most ? FNR : most } END { for (i = 1; i <= most; i++) print t[i] }' "$@"; }

# spread FILE: mean and median without the first sample
spread() {
    sed 1d "$1" | sort -g | awk '{ t[NR] = $1; sum += $1 } END { m = NR % 2 ? t[(NR + 1)/2] : (t[NR/2] + t[NR/2 + 1])/2; printf "%.5f %.5f\n", sum/NR, m }'
}

# in_library RUN: the loop, its measurements and its times
in_library() {
    if [ "${loop#until }" != "$loop" ]; then
        # shellcheck disable=SC2086
        "$record" "$file" "$class" "${loop#until }" 0 mode "$mode" ${both//--/} >"$folder/loop.csv" 2>/dev/null || return 1
        cp "$folder/loop.csv" "$folder/y.csv"
        # shellcheck disable=SC2046
        numbers "$folder/loop.csv" solve_ms >"$folder/library.$1"
    else
        # shellcheck disable=SC2086
        "$daedal" control "$file" "$class" --mode "$mode" $loop $both --output "$folder/loop.csv" --json >/dev/null 2>&1
        # shellcheck disable=SC2046
        numbers "$folder/loop.csv" $(names "$folder/loop.csv" '^estimate\.') >"$folder/y.csv"
        numbers "$folder/loop.csv" solve_ms >"$folder/library.$1"
    fi
}

# build: the generated code with clocks around its two calls
build() {
    local calls="-Wl,--wrap=${class}_prepare,--wrap=${class}_step"
    rm -rf "$folder/c"
    # shellcheck disable=SC2086
    "$daedal" export "$file" "$class" --c "$folder/c" --mode "$mode" $both --json >"$folder/out" 2>&1 || { cat "$folder/out"; return 1; }
    # shellcheck disable=SC2086
    "$compiler" -std=c99 $flags -c -o "$folder/class.o" "$folder/c/$class.c" &&
        "$compiler" $flags -I "$folder/c" -DCLASS="$class" -include "$class.h" "$calls" -o "$folder/run" bench/control/export_time.c \
            "$folder/c/main.c" "$folder/class.o" -lm
}

printf '%-20s %-9s %9s %9s %9s %9s %9s %7s %7s\n' '' '' library '' exported '' samples ratio ''
printf '%-20s %-9s %9s %9s %9s %9s %9s %7s %7s\n' loop mode mean median mean median '' mean median
while IFS='|' read -r name file class loop both; do
    [ -z "$wanted" ] || [ "${name#*"$wanted"}" != "$name" ] || continue
    file=examples/$file.mop
    for mode in ${MODES:-converge rti}; do
        rm -f "$folder"/library.* "$folder"/exported.*
        build || { printf '%-20s %-9s not built\n' "$name" "$mode"; continue; }
        for run in $(seq "$repeats"); do
            in_library "$run" </dev/null || { printf '%-20s %-9s no loop\n' "$name" "$mode"; continue 2; }
            "$folder/run" <"$folder/y.csv" 3>"$folder/exported.$run" >"$folder/u.csv" 2>/dev/null
        done
        times "$folder"/library.* >"$folder/library"
        least "$folder"/exported.* >"$folder/exported"
        read -r a b < <(spread "$folder/library")
        read -r c d < <(spread "$folder/exported")
        printf '%-20s %-9s %9s %9s %9s %9s %9d %7.2f %7.2f\n' "$name" "$mode" "$a" "$b" "$c" "$d" "$(wc -l <"$folder/exported")" \
            "$(awk -v a="$a" -v c="$c" 'BEGIN { print c/a }')" "$(awk -v b="$b" -v d="$d" 'BEGIN { print d/b }')"
    done
done <<<"$loops"
