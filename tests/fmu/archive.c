/* archive.c - zip without compression, a small reader of XML, rules of modelDescription.xml. */
#include "archive.h"

#include "schema.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(stdout, format, args);
    printf("\n");
    va_end(args);
    exit(1);
}

/* ---- zip ---- */

static uint32_t little(const unsigned char *at, int bytes)
{
    uint32_t value = 0;
    for (int i = bytes - 1; i >= 0; i--) {
        value = value << 8 | at[i];
    }
    return value;
}

static uint32_t crc_of(const unsigned char *data, size_t n)
{
    uint32_t c = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        c ^= data[i];
        for (int bit = 0; bit < 8; bit++) {
            c = (c & 1) != 0 ? c >> 1 ^ 0xedb88320u : c >> 1;
        }
    }
    return ~c;
}

static void make_folders(char *path)
{
    for (char *at = path + 1; *at; at++) {
        if (*at == '/') {
            *at = '\0';
            if (mkdir(path, 0777) != 0 && errno != EEXIST) {
                fail("cannot make %s", path);
            }
            *at = '/';
        }
    }
}

static void unpack(const char *archive, const char *folder)
{
    FILE *file = fopen(archive, "rb");
    if (!file) {
        fail("cannot read %s", archive);
    }
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    unsigned char *data = malloc((size_t)size + 1);
    if (fread(data, 1, (size_t)size, file) != (size_t)size || size < 22 || little(data + size - 22, 4) != 0x06054b50) {
        fail("%s is no zip archive", archive);
    }
    fclose(file);
    /* the central directory leads to the files */
    const uint32_t entries = little(data + size - 12, 2);
    const unsigned char *at = data + little(data + size - 6, 4);
    for (uint32_t i = 0; i < entries; i++) {
        char path[4096];
        const uint32_t crc = little(at + 16, 4), length = little(at + 24, 4), name = little(at + 28, 2);
        const unsigned char *local = data + little(at + 42, 4);
        if (little(at, 4) != 0x02014b50 || little(at + 10, 2) != 0 || little(local, 4) != 0x04034b50) {
            fail("entry %u of the archive is not stored", i);
        }
        const unsigned char *bytes = local + 30 + little(local + 26, 2) + little(local + 28, 2);
        if (crc_of(bytes, length) != crc) {
            fail("entry %u has a wrong check sum", i);
        }
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)name, at + 46);
        make_folders(path);
        file = fopen(path, "wb");
        if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) {
            fail("cannot write %s", path);
        }
        at += 46 + name + little(at + 30, 2) + little(at + 32, 2);
    }
    free(data);
}

/* ---- XML ---- */

typedef struct tag {
    char name[64];
    char *attributes; /* name="value" ... */
    int closing, empty;
} tag;

/* The next tag; its text is changed in place. 0: the end. */
static int next_tag(char **at, tag *t)
{
    char *open = strchr(*at, '<');
    if (!open) {
        return 0;
    }
    char *end = strchr(open, '>');
    if (!end) {
        fail("a tag has no end");
    }
    *end = '\0';
    *at = end + 1;
    t->closing = open[1] == '/';
    t->empty = end[-1] == '/';
    if (t->empty) {
        end[-1] = '\0';
    }
    open += 1 + t->closing;
    const size_t n = strcspn(open, " \n\t");
    snprintf(t->name, sizeof t->name, "%.*s", (int)n, open);
    t->attributes = open + n;
    return 1;
}

static const char *attribute(const tag *t, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = t->attributes; (at = strstr(at, name)) != NULL; at += n) {
        if (isspace((unsigned char)at[-1]) && at[n] == '=' && at[n + 1] == '"') {
            const char *value = at + n + 2, *end = strchr(value, '"');
            if (!end) {
                fail("%s: an attribute has no end", t->name);
            }
            char *copy = malloc((size_t)(end - value) + 1);
            memcpy(copy, value, (size_t)(end - value));
            copy[end - value] = '\0';
            return copy;
        }
    }
    return NULL;
}

static const char *required(const tag *t, const char *name)
{
    const char *value = attribute(t, name);
    if (!value) {
        fail("<%s> has no %s", t->name, name);
    }
    return value;
}

/* ---- reading ---- */

static int place_of(const fmu_description *d, const char *text, int reference)
{
    const unsigned int k = (unsigned int)strtoul(text, NULL, 10);
    for (int i = 0; i < d->n_variables; i++) {
        if (reference ? d->variables[i].reference == k : (unsigned int)i + 1 == k) {
            return i;
        }
    }
    fail("there is no variable %s", text);
}

int fmu_dependency(const fmu_description *d, const char *entry)
{
    return place_of(d, entry, d->version == 3);
}

static void read_variable(fmu_description *d, const tag *t)
{
    d->variables = realloc(d->variables, (size_t)(d->n_variables + 1) * sizeof *d->variables);
    fmu_variable *v = &d->variables[d->n_variables++];
    *v = (fmu_variable){.name = required(t, "name"),
                        .reference = (unsigned int)strtoul(required(t, "valueReference"), NULL, 10),
                        .causality = attribute(t, "causality"),
                        .variability = attribute(t, "variability"),
                        .initial = attribute(t, "initial")};
}

static void read_real(fmu_variable *v, const tag *t)
{
    v->start = attribute(t, "start");
    v->unit = attribute(t, "unit");
    v->derivative = attribute(t, "derivative");
    v->min = attribute(t, "min");
    v->max = attribute(t, "max");
    v->nominal = attribute(t, "nominal");
}

static void read_unknown(fmu_description *d, const tag *t, int list)
{
    d->unknowns = realloc(d->unknowns, (size_t)(d->n_unknowns + 1) * sizeof *d->unknowns);
    fmu_unknown *u = &d->unknowns[d->n_unknowns++];
    const int three = d->version == 3;
    u->list = list;
    u->variable = place_of(d, required(t, three ? "valueReference" : "index"), three);
    u->dependencies = attribute(t, "dependencies");
    u->kinds = attribute(t, "dependenciesKind");
}

/* Elements in the order of the schema. */
static void check_order(const char *name, int version, int *last)
{
    static const char *const order[] = {"fmiModelDescription", "ModelExchange",  "CoSimulation",
                                        "UnitDefinitions",     "LogCategories",  "DefaultExperiment",
                                        "ModelVariables",      "ModelStructure", NULL};
    (void)version;
    for (int i = 0; order[i]; i++) {
        if (strcmp(order[i], name) == 0) {
            if (i < *last) {
                fail("<%s> is out of order", name);
            }
            *last = i;
        }
    }
}

static char *units[1000];
static int n_units;

static void read_tag(fmu_description *d, const tag *t, int *list, int *last)
{
    check_order(t->name, d->version, last);
    /* general attributes, then variables, then the structure */
    if (strcmp(t->name, "fmiModelDescription") == 0) {
        const char *version = required(t, "fmiVersion");
        d->version = strcmp(version, "2.0") == 0 ? 2 : strcmp(version, "3.0") == 0 ? 3 : 0;
        d->model = required(t, "modelName");
        d->convention = attribute(t, "variableNamingConvention");
        d->token = required(t, d->version == 3 ? "instantiationToken" : "guid");
        const char *count = attribute(t, "numberOfEventIndicators");
        d->indicators = count ? atoi(count) : 0;
    } else if (strcmp(t->name, "ModelExchange") == 0 || strcmp(t->name, "CoSimulation") == 0) {
        const char *identifier = required(t, "modelIdentifier");
        if (d->identifier && strcmp(d->identifier, identifier) != 0) {
            fail("the identifiers %s and %s belong to one binary here", d->identifier, identifier);
        }
        d->identifier = identifier;
    } else if (strcmp(t->name, "DefaultExperiment") == 0) {
        static const char *const names[] = {"startTime", "stopTime", "tolerance", "stepSize"};
        for (int i = 0; i < 4; i++) {
            d->experiment[i] = attribute(t, names[i]);
        }
    } else if (strcmp(t->name, "Unit") == 0) {
        units[n_units++] = (char *)required(t, "name");
        for (int i = 0; i + 1 < n_units; i++) {
            if (strcmp(units[i], units[n_units - 1]) == 0) {
                fail("the unit %s is defined twice", units[i]);
            }
        }
    } else if (strcmp(t->name, "ScalarVariable") == 0) {
        read_variable(d, t);
    } else if (strcmp(t->name, "Real") == 0) {
        read_real(&d->variables[d->n_variables - 1], t);
    } else if (strcmp(t->name, "Float64") == 0) {
        read_variable(d, t);
        read_real(&d->variables[d->n_variables - 1], t);
    } else if (strcmp(t->name, "Outputs") == 0 || strcmp(t->name, "Derivatives") == 0 ||
               strcmp(t->name, "InitialUnknowns") == 0) {
        *list = t->name[0] == 'O' ? 0 : t->name[0] == 'D' ? 1 : 2;
    } else if (strcmp(t->name, "Unknown") == 0) {
        read_unknown(d, t, *list);
    } else if (strcmp(t->name, "Output") == 0) {
        read_unknown(d, t, 0);
    } else if (strcmp(t->name, "ContinuousStateDerivative") == 0) {
        read_unknown(d, t, 1);
    } else if (strcmp(t->name, "InitialUnknown") == 0) {
        read_unknown(d, t, 2);
    } else if (strcmp(t->name, "EventIndicator") == 0) {
        read_unknown(d, t, 3);
        d->indicators++;
    }
}

/* ---- rules ---- */

static int is(const char *value, const char *word)
{
    return value && strcmp(value, word) == 0;
}

static void check_variable(const fmu_description *d, int i)
{
    const fmu_variable *v = &d->variables[i];
    for (int k = 0; k < i; k++) {
        if (strcmp(d->variables[k].name, v->name) == 0) {
            fail("the name %s is there twice", v->name);
        }
        if (d->variables[k].reference == v->reference) {
            fail("%s and %s have the same reference", d->variables[k].name, v->name);
        }
    }
    /* causality and initial decide about the start */
    const int exact = is(v->initial, "exact"), calculated = is(v->initial, "calculated");
    const int input = is(v->causality, "input"), independent = is(v->causality, "independent");
    const int parameter = is(v->causality, "parameter"), follows = is(v->causality, "calculatedParameter");
    if (!input && !independent && !parameter && !follows && !is(v->causality, "local") && !is(v->causality, "output")) {
        fail("%s has the causality %s", v->name, v->causality);
    }
    if ((input || independent) == (v->initial != NULL)) {
        fail("%s: initial does not go with %s", v->name, v->causality);
    }
    if ((parameter && !exact) || (follows && !calculated)) {
        fail("%s: %s with initial %s", v->name, v->causality, v->initial);
    }
    if ((exact || input) != (v->start != NULL)) {
        fail("%s: a start value is %s", v->name, v->start ? "not allowed" : "missing");
    }
    const int fixed = is(v->variability, "fixed") || is(v->variability, "tunable");
    if ((parameter || follows) != fixed || (!fixed && !is(v->variability, "continuous"))) {
        fail("%s: variability %s", v->name, v->variability);
    }
    /* units are defined, derivatives are of states */
    int found = v->unit == NULL;
    for (int k = 0; k < n_units; k++) {
        found = found || is(v->unit, units[k]);
    }
    if (!found) {
        fail("%s: the unit %s is not defined", v->name, v->unit);
    }
    if (v->derivative && !is(d->variables[fmu_dependency(d, v->derivative)].initial, "exact")) {
        fail("%s is the derivative of what has no start", v->name);
    }
}

/* Must this variable be in the list? */
static int belongs(const fmu_variable *v, int list)
{
    const int calculated = is(v->initial, "calculated");
    switch (list) {
    case 0:
        return is(v->causality, "output");
    case 1:
        return v->derivative != NULL;
    default:
        return calculated && (is(v->causality, "output") || v->derivative || is(v->causality, "calculatedParameter"));
    }
}

static void check_structure(const fmu_description *d)
{
    for (int list = 0; list < 3; list++) {
        int last = -1;
        for (int k = 0; k < d->n_unknowns; k++) {
            const fmu_unknown *u = &d->unknowns[k];
            if (u->list == list && !belongs(&d->variables[u->variable], list)) {
                fail("%s does not belong to list %d", d->variables[u->variable].name, list);
            }
            if (u->list == list && u->variable <= last) {
                fail("list %d is not in order", list);
            }
            last = u->list == list ? u->variable : last;
        }
        for (int i = 0; i < d->n_variables; i++) {
            int found = 0;
            for (int k = 0; k < d->n_unknowns; k++) {
                found = found || (d->unknowns[k].list == list && d->unknowns[k].variable == i);
            }
            if (belongs(&d->variables[i], list) && !found) {
                fail("%s is missing in list %d", d->variables[i].name, list);
            }
        }
    }
    /* what something depends on is a state or an input; at the start a parameter too */
    for (int k = 0; k < d->n_unknowns; k++) {
        char *list = strdup(d->unknowns[k].dependencies ? d->unknowns[k].dependencies : "");
        for (char *word = strtok(list, " "); word; word = strtok(NULL, " ")) {
            const fmu_variable *v = &d->variables[fmu_dependency(d, word)];
            if (!is(v->causality, "input") && !is(v->initial, "exact")) {
                fail("%s cannot be depended on", v->name);
            }
            if (d->unknowns[k].list != 2 && is(v->causality, "parameter")) {
                fail("%s is no known of a list but the start's", v->name);
            }
        }
        free(list);
    }
}

void fmu_open(fmu_description *d, const char *archive, const char *folder)
{
    char path[4096];
    tag t;
    int list = 0, last = 0;
    *d = (fmu_description){0};
    /* the text, tag by tag; a description may be given by itself */
    const size_t length = strlen(archive);
    if (length > 4 && strcmp(archive + length - 4, ".xml") == 0) {
        snprintf(path, sizeof path, "%s", archive);
    } else {
        unpack(archive, folder);
        snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
    }
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail("there is no modelDescription.xml");
    }
    char *text = calloc(1, 1 << 24), *at = text;
    if (fread(text, 1, (1 << 24) - 1, file) == 0) {
        fail("modelDescription.xml is empty");
    }
    fclose(file);
    while (next_tag(&at, &t)) {
        if (!t.closing && t.name[0] != '?') {
            read_tag(d, &t, &list, &last);
            schema_open(t.name, t.attributes, t.empty, d->version);
        } else if (t.closing) {
            schema_close(t.name);
        }
    }
    schema_end();
    /* the rules */
    if (d->version == 0 || !d->identifier || last != 7) {
        fail("modelDescription.xml is not complete");
    }
    for (int i = 0; i < d->n_variables; i++) {
        check_variable(d, i);
    }
    check_structure(d);
    fmu_check_rules(d);
    snprintf(d->library, sizeof d->library, "%s/binaries/%s/%s.so", folder,
             d->version == 3 ? "x86_64-linux" : "linux64", d->identifier);
}
