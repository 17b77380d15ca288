/* data.c - see data.h; both files are lines of words. */
#include "data.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool read_problem_line(const char *line, const char *problem, ivp_reference *out)
{
    char name[32];
    memset(out, 0, sizeof *out);
    return sscanf(line, "problem %31s %lf %lf", name, &out->stop, &out->factor) == 3 && strcmp(name, problem) == 0;
}

int ivp_read_reference(const char *path, const char *problem, ivp_reference *out)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        return -1;
    }
    char line[256];
    bool inside = false, wrong = false;
    while (!wrong && fgets(line, sizeof line, file)) {
        if (strncmp(line, "problem ", 8) == 0) {
            if (inside) {
                break;
            }
            inside = read_problem_line(line, problem, out);
        } else if (inside && strncmp(line, "value ", 6) == 0) {
            const int i = out->n++;
            wrong = i == IVP_MAX_N ||
                    sscanf(line, "value %15s %lf %hhu", out->name[i], &out->value[i], &out->counts[i]) != 3;
        }
    }
    fclose(file);
    return inside && !wrong && out->n > 0 ? 0 : -1;
}

int ivp_read_recorded(const char *path, const char *problem, const char *code, ivp_curve *out)
{
    out->count = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        return -1;
    }
    char line[256], name[32], who[32];
    double tolerance, digits, ms;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%31s %31s %lf %lf %lf", name, who, &tolerance, &digits, &ms) == 5 &&
            strcmp(name, problem) == 0 && strcmp(who, code) == 0) {
            ivp_curve_add(out, digits, ms);
        }
    }
    fclose(file);
    return 0;
}
