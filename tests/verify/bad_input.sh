#!/usr/bin/env bash
# Wrong, broken and hostile input: exit code 1, a message with file:line:column, no crash, bounded time and memory.
# Usage: bad_input.sh PATH_OF_DAEDAL
set -u
daedal=$1
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
count=0
ulimit -c 0

complain() {
    echo "$1"
    sed 's/^/    /' err | cut -c1-300 | head -n 5
    failed=1
}

# refuse NAME PATTERN [ARGS]: bad.mo must be refused in at most 10 s and 512 MiB, with NAME.mo:LINE:COLUMN and the pattern
refuse() {
    local name=$1 pattern=$2 code
    shift 2
    count=$((count + 1))
    mv bad.mo "$name.mo"
    (ulimit -v 2000000; exec timeout 10 "$daedal" check --max-memory 512M "$name.mo" "$@" >out 2>err)
    code=$?
    if [ $code -ne 1 ]; then
        complain "$name: exit code $code, expected 1"
    elif ! grep -q -E "^($name\.mo|--set):[0-9]+:[0-9]+: error: " err; then
        complain "$name: no message with file:line:column"
    elif ! grep -q -i -E -e "$pattern" err; then
        complain "$name: the message does not say \"$pattern\""
    fi
    (ulimit -v 2000000; timeout 10 "$daedal" check --json --max-memory 512M "$name.mo" "$@" >out 2>err)
    code=$?
    if [ $code -ne 1 ] || ! grep -q -E '^\{"status":"invalid_model".*"line":[0-9]+,"column":[0-9]+' out || [ "$(wc -l <out)" -gt 1 ]; then
        complain "$name: --json gives exit code $code and $(head -c 200 out)"
    fi
}

# survive FILE: any answer with exit code 0 or 1, in time
survive() {
    count=$((count + 1))
    (ulimit -v 2000000; exec timeout 10 "$daedal" check --max-memory 512M "$1" >out 2>err)
    local code=$?
    [ $code -le 1 ] || complain "$1: exit code $code"
}

model() {
    printf 'model Bad\n%s\nend Bad;\n' "$1" >bad.mo
}
repeat() { # TEXT TIMES
    head -c "$2" /dev/zero | tr '\0' "$1"
}

# ---- bytes that are no model ----
: >bad.mo;                                       refuse empty 'model|class'
head -c 100000 /dev/urandom >bad.mo;             refuse random 'character|expected|byte'
head -c 100000 /dev/zero >bad.mo;                refuse zeros 'character|expected|byte'
printf '\377\376m\0o\0d\0e\0l\0' >bad.mo;        refuse utf16 'character|expected|byte'
printf '\xef\xbb\xbfmodel Bad\n Real \xc3\x28;\nend Bad;' >bad.mo; refuse broken_utf8 'character|expected|byte|UTF-8'
cp "$daedal" bad.mo && truncate -s 300000 bad.mo; refuse program 'character|expected|byte'
echo 'this is not a model at all' >bad.mo;       refuse prose 'model|expected'
repeat / 1000000 >bad.mo;                        refuse slashes 'model|class'
{ printf 'model Bad "'; repeat x 1000000; } >bad.mo; refuse open_string 'string'
{ printf 'model Bad /*'; repeat x 1000000; } >bad.mo; refuse open_comment 'comment'
{ printf 'model Bad Real '; repeat n 1000000; printf '; end Bad;'; } >bad.mo; refuse long_name 'name|long|equation|expected|identifier'

# ---- depth ----
{ printf 'model Bad\n Real x;\nequation\n x = '; repeat '(' 1000000; printf 1; repeat ')' 1000000; printf ';\nend Bad;\n'; } >bad.mo; refuse parentheses 'nest|deep'
{ printf 'model Bad\n Real x;\nequation\n x = '; repeat '(' 1000000; } >bad.mo;      refuse open_parentheses 'nest|deep'
{ printf 'model Bad\n Real x;\nequation\n x = '; repeat '{' 1000000; } >bad.mo;      refuse braces 'nest|deep'
{ printf 'model Bad\n Real x;\nequation\n x = '; repeat '[' 1000000; } >bad.mo;      refuse brackets 'nest|deep'
{ printf 'model Bad\n Real x;\nequation\n x = '; repeat '-' 1000000; printf '1;\nend Bad;\n'; } >bad.mo; refuse minuses 'nest|deep|sign|expected'
{ printf 'model Bad\n Real x;\nequation\n x = '; for i in $(seq 20000); do printf 'not sin(abs('; done; printf 'x'; } >bad.mo; refuse calls 'nest|deep|expected'
{ printf 'model Bad\n Real x;\nequation\n x = 2'; for i in $(seq 100000); do printf '^2'; done; printf ';\nend Bad;\n'; } >bad.mo; refuse powers 'parenthes|expected|associat|nest|deep'
{ printf 'model Bad\n Real x;\nequation\n'; for i in $(seq 20000); do printf 'for i in 1:2 loop '; done; } >bad.mo; refuse loops 'nest|deep'
{ printf 'model Bad\n Real x;\nequation\n'; for i in $(seq 20000); do printf 'if true then '; done; } >bad.mo; refuse ifs 'nest|deep'
{ printf 'model Bad\n Real x;\nequation\n x = '; for i in $(seq 20000); do printf 'if x > 0 then 1 else '; done; } >bad.mo; refuse if_chain 'nest|deep|expected'
{ printf 'model Bad\n Real x;\nequation\n x = '; for i in $(seq 20000); do printf 'der('; done; } >bad.mo; refuse ders 'nest|deep|expected'
{ printf 'model Bad\n Real x;\nequation\n x = time'; for i in $(seq 200000); do printf ' + time*%d' $i; done; printf ';\nend Bad;\n'; } >long_sum.mo; survive long_sum.mo
{ printf 'model Bad\n Real x;\nequation\n x = time'; for i in $(seq 50000); do printf ' * sin(%d*time)' $i; done; printf ';\nend Bad;\n'; } >long_product.mo; survive long_product.mo

# ---- sizes ----
model ' Real x[1000000000000];';                                        refuse huge_array 'size|large|elements|limit|many'
model ' Real x[1000000,1000000];';                                      refuse huge_matrix 'size|large|elements|limit|many'
model ' Real x[-3];';                                                   refuse negative_size 'size|negative'
model ' parameter Integer N = 1000000000000; Real x[N];';               refuse huge_parameter_size 'size|large|elements|limit|many|integer'
model ' Real x;
equation
 for i in 1:1000000000000 loop x = i; end for;';                        refuse huge_loop 'large|many|limit|loop|range|elements'
model ' Real x = sum({i for i in 1:1000000000000});';                   refuse huge_comprehension 'large|many|limit|range|elements'
model ' Real x = sum(fill(1, 1000000, 1000000));';                      refuse huge_fill 'large|many|limit|elements|size'
model ' Real x = sum(linspace(0, 1, 1000000000000));';                  refuse huge_linspace 'large|many|limit|elements|size'
model ' Real x = sum({{{{{{{{i*j for i in 1:9999} for j in 1:9999} for k in 1:9999}}}}}});'; refuse deep_comprehension 'large|many|limit|elements|size|dimension'
model ' parameter Real A[2,3] = [1, 2; 3, 4];';                         refuse wrong_binding '\[?2, ?3\]?|2x3|2 x 3|size'
model ' Real x[3], y[2];
equation
 x + y = {1, 2, 3};
 y = zeros(2);';                                                        refuse wrong_sizes '3.*2|2.*3'
model ' Real x[3];
equation
 x[4] = 1;
 x = zeros(3);';                                                        refuse out_of_range '4'
model ' Real x = 1e999;';                                               refuse infinite_number 'number|large|range'
model ' parameter Integer n = 1e30; Real x[n];';                        refuse large_integer 'integer|large|size|Real'

# ---- names ----
model ' Real x; Real y; Real x;
equation x = 1; y = 2;';                                                refuse duplicate 'x'
printf 'model A\nReal x=1;\nend A;\nmodel A\nReal x=1;\nend A;\n' >bad.mo; refuse duplicate_class 'A'
model ' Real velocity;
equation der(velocty) = 1;';                                            refuse misspelt 'did you mean.*velocity'
model ' parameter Real a = b, b = c, c = a; Real x = a;';               refuse cycle 'a.*b.*c|cycl'
model ' parameter Real a = a + 1; Real x = a;';                         refuse self_cycle 'a'
model ' parameter Real a; Real x = a;';                                 refuse no_value 'a.*value|value.*a'
model ' parameter Integer n = size(x, 1); Real x[n];';                  refuse size_cycle 'n|x|cycl'
model ' Real x = foo(3);';                                              refuse unknown_function 'foo'
model ' Real x(strat = 1);';                                            refuse unknown_attribute 'strat|start'
printf 'model Bad\n Real x = 1;\nend Other;\n' >bad.mo;                 refuse wrong_end 'Bad|Other'
model ' Real x;
equation x := 3;';                                                      refuse assignment ':=|='
model ' Real x;
equation when x > 1 then x = 2; end when;';                             refuse unsupported 'when'
model ' Real x = 1;';                                                   refuse missing_class 'Nothing|class|model' Nothing
model ' parameter Real a = 1; Real x = a;';                             refuse missing_setting 'b|parameter' --set b=2

# ---- components (the messages themselves: tests/corpus/errors) ----
printf 'model A\n A a;\nend A;\n' >bad.mo;                             refuse contains_itself 'A contains itself'
printf 'model A\n B b[3];\nend A;\nmodel B\n C c;\nend B;\nmodel C\n A a[2];\nend C;\nmodel T A a; end T;\n' >bad.mo; refuse contain_each_other 'A contains itself.*a\.b\[1\]\.c\.a'
printf 'model A\n extends B;\nend A;\nmodel B\n extends A;\nend B;\n' >bad.mo; refuse extend_each_other 'extends itself'
printf 'package P import Q.*; end P;\npackage Q import P.*; end Q;\nmodel T\n import P.*;\n Real x = y;\nend T;\n' >bad.mo; refuse import_each_other 'y'
printf 'model P\n Real x = 1;\nend P;\nmodel R\n P p[10000];\nend R;\nmodel T\n R r[10000];\nend T;\n' >hundred_million.mo; survive hundred_million.mo
printf 'model P\n Real x = 1;\nend P;\nmodel T\n P p[10000000];\nend T;\n' >bad.mo; refuse ten_million_parts 'more than 1000000 components'
printf 'model P\n Real x = y;\nend P;\nmodel T\n P p[5000];\nend T;\n' >bad.mo; refuse many_wrong_parts 'y is not declared'
[ "$(grep -c error: err)" -le 1 ] || complain "many_wrong_parts: one mistake is told more than once"
{ for i in $(seq 300); do printf 'model M%d\n M%d m;\nend M%d;\n' $i $((i + 1)) $i; done; printf 'model M301\n Real x = 1;\nend M301;\nmodel T\n M1 m;\nend T;\n'; } >bad.mo; refuse deep_parts 'nested'
{ printf 'model M0\n Real x = 1;\nend M0;\n'; for i in $(seq 300); do printf 'model M%d\n extends M%d;\nend M%d;\n' $i $((i - 1)) $i; done; } >bad.mo; refuse deep_extends 'more than'
for n in 'while y > 0 loop y := y + 1; end while' 'for i in 1:1000000, j in 1:1000000 loop y := y + i*j; end for'; do
    printf 'function f\n input Real x;\n output Real y = x;\nalgorithm\n %s;\nend f;\nmodel T\n Real z = f(1);\nend T;\n' "$n" >bad.mo; refuse endless_function 'too long'
done
printf 'function f\n input Real x;\n output Real y;\nalgorithm\n y := f(x + 1) + f(x + 2);\nend f;\nmodel T\n Real z = f(1);\nend T;\n' >bad.mo; refuse endless_recursion 'recursion|calls inside'
printf 'function f\n input Integer n;\n output Real y[n, n];\nalgorithm\n y[1, 1] := 1;\nend f;\nmodel T\n Real z = sum(f(1000000));\nend T;\n' >bad.mo; refuse huge_in_function 'limit|more than'
{ printf 'model T\n Real x = a'; repeat . 1 ; for i in $(seq 200); do printf 'b.'; done; printf 'c;\nend T;\n'; } >bad.mo; refuse long_path 'parts|declared|a'
{ printf 'model P\n parameter Real k = 1;\nend P;\nmodel T\n P p('; for i in $(seq 20000); do printf 'k('; done; } >bad.mo; refuse deep_modification 'nest|deep|expected'

# ---- files that cannot be read ----
for what in missing.mo "$folder" ''; do
    timeout 10 "$daedal" check "$what" >out 2>err
    code=$?
    [ $code -eq 1 ] || [ $code -eq 2 ] || complain "check '$what': exit code $code"
    [ -s err ] || complain "check '$what': no message"
done

# ---- truncated at every byte ----
for model in nilpotent energies_one_constraint; do
    grep -v '^//' "$here/../corpus/check/$model.mo" >whole
    size=$(wc -c <whole)
    [ "$size" -gt 100 ] || complain "$model.mo: nothing to cut"
    for ((n = 0; n < size; n++)); do
        head -c $n whole >cut.mo
        timeout 10 "$daedal" check --json cut.mo >out 2>err
        code=$?
        count=$((count + 1))
        if [ $code -ne 1 ] && ! { [ $code -eq 0 ] && [ $n -ge $((size - 2)) ]; }; then
            complain "$model.mo cut after $n bytes: exit code $code"
        elif [ $code -eq 1 ] && ! grep -q '"column":' out; then
            complain "$model.mo cut after $n bytes: no place in the answer"
        fi
    done
done
echo "$count inputs"
exit $failed
