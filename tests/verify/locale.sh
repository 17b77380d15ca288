#!/usr/bin/env bash
# A program that has switched to a locale with a decimal comma gets the same bytes: JSON, report and flat text of the
# whole corpus. The locale is made with localedef; skipped where that is not possible. Usage: locale.sh PATH_OF_DAEDAL
set -u
build=${DAEDAL_BUILD:-$(dirname "$1")}
root=${DAEDAL_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" >/dev/null 2>&1 || { echo "localedef cannot make de_DE.UTF-8: skipped"; exit 77; }

cat >"$folder/report.c" <<'C'
#include <locale.h>
#include <stdio.h>
#include <daedal/daedal.h>

int main(int argc, char **argv)
{
    if (!setlocale(LC_ALL, argv[1])) {
        fprintf(stderr, "no locale %s\n", argv[1]);
        return 77;
    }
    fprintf(stderr, "%s: one half is %.1f\n", argv[1], 0.5);
    for (int i = 2; i < argc; i++) {
        dd_context *ctx;
        dd_model *model = NULL;
        dd_system *system = NULL;
        const char *text;
        if (dd_context_new(&ctx, NULL) == DD_OK && dd_model_load_file(&model, ctx, argv[i], NULL) == DD_OK &&
            dd_model_analyse(&system, model, NULL) == DD_OK) {
            dd_system_json(&text, system);
            puts(text);
            dd_system_text(&text, system, false);
            puts(text);
            dd_model_flat_text(&text, model);
            puts(text);
        } else {
            printf("%s: %s\n", argv[i], dd_context_message(ctx));
        }
        dd_system_free(system);
        dd_model_free(model);
        dd_context_free(ctx);
    }
    return 0;
}
C
"${CC:-cc}" -std=c17 -I"$root/include" "$folder/report.c" -L"$build" -ldaedal -Wl,-rpath,"$build" -o "$folder/report" || exit 1
cd "$root/tests/corpus/check" || exit 1
"$folder/report" C ./*.mo ./*.mop >"$folder/c" 2>"$folder/c.err" || exit 1
LOCPATH=$folder "$folder/report" de_DE.UTF-8 ./*.mo ./*.mop >"$folder/de" 2>"$folder/de.err" || { cat "$folder/de.err"; exit 77; }
grep -q '0,5' "$folder/de.err" || { echo "the locale has no decimal comma"; exit 77; }
if ! cmp "$folder/c" "$folder/de"; then
    diff "$folder/c" "$folder/de" | head -n 20
    exit 1
fi
echo "$(wc -c <"$folder/c") bytes, the same in both locales"
