/* rules.c - rules of FMI 2.0.4 (sections 2.2.7 to 2.2.9) and 3.0 (section 2.4) that relate attributes with each other: names,
 * ranges, derivatives, lists of dependencies. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"

static int is(const char *value, const char *word)
{
    return value && strcmp(value, word) == 0;
}

/* ---- names ---- */

static int is_identifier(const char *text, size_t n)
{
    int fine = n > 0 && !isdigit((unsigned char)text[0]);
    for (size_t i = 0; i < n; i++) {
        fine = fine && (isalnum((unsigned char)text[i]) || text[i] == '_');
    }
    return fine;
}

/* What may follow a name: [1,2], then the end or the next part. NULL: the indices are wrong. */
static const char *skip_indices(const char *at)
{
    if (*at != '[') {
        return at;
    }
    do {
        const size_t digits = strspn(++at, "0123456789");
        at = digits > 0 ? at + digits : "";
    } while (*at == ',');
    return *at == ']' ? at + 1 : NULL;
}

/* The structured names of the specification: a.b[1,2].c, der(name) and der(name,2). Quotes in names are &apos; or as they are. */
static int is_structured(const char *name)
{
    char inner[1000];
    const size_t length = strlen(name);
    if (strncmp(name, "der(", 4) == 0 && length > 5 && length < sizeof inner && name[length - 1] == ')') {
        memcpy(inner, name + 4, length - 5);
        inner[length - 5] = '\0';
        char *order = strrchr(inner, ',');
        if (order && order[1 + strspn(order + 1, "0123456789")] == '\0' && !strchr(order, ']')) {
            *order = '\0';
        }
        return is_structured(inner);
    }
    for (const char *at = name;; at++) {
        if (*at == '\'') { /* a quoted name may have anything */
            at = strchr(at + 1, '\'');
            if (!at) {
                return 0;
            }
            at++;
        } else {
            const size_t n = strcspn(at, ".[");
            if (!is_identifier(at, n)) {
                return 0;
            }
            at += n;
        }
        at = skip_indices(at);
        if (!at || *at != '.') {
            return at && *at == '\0';
        }
    }
}

/* ---- variables ---- */

static void check_range(const fmu_variable *v)
{
    const double start = v->start ? strtod(v->start, NULL) : 0;
    if (v->min && v->max && !(strtod(v->min, NULL) <= strtod(v->max, NULL))) {
        fail("%s: min %s is above max %s", v->name, v->min, v->max);
    }
    if ((v->start && v->min && start < strtod(v->min, NULL)) || (v->start && v->max && start > strtod(v->max, NULL))) {
        fail("%s: the start %s is out of its range", v->name, v->start);
    }
    if (v->nominal && !(strtod(v->nominal, NULL) > 0)) {
        fail("%s: nominal %s is not positive", v->name, v->nominal);
    }
}

/* A derivative is continuous, calculated, of another variable, and the only one of it. */
static void check_derivative(const fmu_description *d, int i)
{
    const fmu_variable *v = &d->variables[i];
    if (!v->derivative) {
        return;
    }
    const int of = fmu_dependency(d, v->derivative);
    if (of == i || !is(v->variability, "continuous") || (!is(v->causality, "local") && !is(v->causality, "output"))) {
        fail("%s cannot be a derivative", v->name);
    }
    if (!is(d->variables[of].variability, "continuous")) {
        fail("%s is the derivative of %s, which is not continuous", v->name, d->variables[of].name);
    }
    for (int k = 0; k < i; k++) {
        if (d->variables[k].derivative && fmu_dependency(d, d->variables[k].derivative) == of) {
            fail("%s and %s are derivatives of %s", d->variables[k].name, v->name, d->variables[of].name);
        }
    }
}

static void check_variables(const fmu_description *d)
{
    int independent = 0;
    for (int i = 0; i < d->n_variables; i++) {
        const fmu_variable *v = &d->variables[i];
        independent += is(v->causality, "independent");
        if (is(d->convention, "structured") && !is_structured(v->name)) {
            fail("%s is no structured name", v->name);
        }
        check_range(v);
        check_derivative(d, i);
    }
    if (independent > 1 || (d->version == 3 && independent != 1)) {
        fail("%d variables are independent", independent);
    }
}

/* ---- the structure ---- */

static int count_words(const char *text)
{
    int n = 0;
    for (const char *at = text + strspn(text, " "); *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        n++;
    }
    return n;
}

/* No variable twice; a kind for each where there are kinds, and at the start none that needs a time. */
static void check_dependencies(const fmu_description *d, const fmu_unknown *u)
{
    const char *name = d->variables[u->variable].name, *list = u->dependencies ? u->dependencies : "";
    char *seen = calloc((size_t)d->n_variables + 1, 1);
    for (const char *at = list + strspn(list, " "); *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        const int of = fmu_dependency(d, at);
        if (seen[of]++) {
            fail("%s depends on %s twice", name, d->variables[of].name);
        }
    }
    free(seen);
    if (u->kinds && (!u->dependencies || count_words(u->kinds) != count_words(list))) {
        fail("%s: dependenciesKind is not as long as dependencies", name);
    }
    char *kinds = strdup(u->kinds ? u->kinds : "");
    for (char *word = strtok(kinds, " "); word; word = strtok(NULL, " ")) {
        const int timed = is(word, "fixed") || is(word, "tunable") || is(word, "discrete");
        if (!timed && !is(word, "dependent") && !is(word, "constant")) {
            fail("%s: the kind %s is not one of those", name, word);
        }
        if (timed && u->list == 2) {
            fail("%s: the kind %s is not for initial unknowns", name, word);
        }
    }
    free(kinds);
}

void fmu_check_rules(const fmu_description *d)
{
    if (!is_identifier(d->identifier, strlen(d->identifier))) {
        fail("%s is no identifier of C", d->identifier);
    }
    if (d->token[0] == '\0') {
        fail("the token is empty");
    }
    check_variables(d);
    for (int k = 0; k < d->n_unknowns; k++) {
        check_dependencies(d, &d->unknowns[k]);
    }
    /* an experiment that can be run */
    const char *const *e = d->experiment;
    if (e[0] && e[1] && !(strtod(e[0], NULL) < strtod(e[1], NULL))) {
        fail("the experiment ends at %s before it begins", e[1]);
    }
    if ((e[2] && !(strtod(e[2], NULL) > 0)) || (e[3] && !(strtod(e[3], NULL) > 0))) {
        fail("the experiment has no tolerance or step");
    }
}
