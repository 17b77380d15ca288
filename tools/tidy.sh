#!/bin/sh
# clang-tidy on some files, once for each text. Usage: tidy.sh BUILD_FOLDER FILE...
build=$1
shift
mkdir -p "$build/lint"
mode=deep
[ "${DEEP:-0}" = 1 ] || mode=shallow
failed=0
for file; do
    # what the result depends on: the tool, its settings, and the text with everything it includes
    key=$( (clang-tidy --version; cat .clang-tidy; echo "$mode"; "${CC:-cc}" -E -P -D_GNU_SOURCE -DDAEDAL_HAVE_IPOPT -Isrc -Iinclude "$file") 2>/dev/null | sha256sum | cut -c1-32)
    [ -e "$build/lint/$key" ] && continue
    if clang-tidy --quiet -p "$build" --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang \
        --extra-arg=mode=$mode "$file" 2>/dev/null; then
        : >"$build/lint/$key"
    else
        failed=1
    fi
done
exit $failed
