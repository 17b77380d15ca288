/* json.c - brackets match, strings end, no control characters: enough to notice a broken writer. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "structured.h"

enum { MOST_DEPTH = 64 };

void fuzz_complain(const char *what, const char *text)
{
    FILE *file = fopen("complaint", "w"); /* in the folder of the run: libFuzzer may have closed standard error */
    if (file) {
        fprintf(file, "%s:\n%s\n", what, text);
        fclose(file);
    }
    fprintf(stderr, "%s:\n%s\n", what, text);
    abort();
}

void fuzz_check_json(const char *json)
{
    char open[MOST_DEPTH];
    int depth = 0;
    bool in_string = false;
    for (const char *p = json; *p; p++) {
        const unsigned char c = (unsigned char)*p;
        if (in_string) {
            if (c < 0x20) {
                fuzz_complain("a control character in a string", json);
            }
            p += c == '\\' && p[1];
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (depth == MOST_DEPTH) {
                fuzz_complain("nested too deep", json);
            }
            open[depth++] = c == '{' ? '}' : ']';
        } else if ((c == '}' || c == ']') && (depth == 0 || open[--depth] != (char)c)) {
            fuzz_complain("brackets do not match", json);
        } else if (strncmp(p, "nan", 3) == 0 || strncmp(p, "inf", 3) == 0) {
            fuzz_complain("a number that is none", json);
        }
    }
    if (depth || in_string) {
        fuzz_complain("the end is missing", json);
    }
}
