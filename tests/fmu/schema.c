/* schema.c - elements and attributes of modelDescription.xml, as the schemas of FMI 2.0 and 3.0 list them: which element stands
 * in which, which attributes it may and must have, and what their values look like. */
#include "schema.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"

/* Attributes: NAME, `!` for one that must be there, then what it is: `:d` a number, `:u` a count, `:b` true or false, `:l` a list of
 * counts, `:a|b|c` one of these words; else any text. */
typedef struct element {
    const char *name, *parent;
    int version; /* 2, 3; 0: both */
    const char *attributes;
} element;

#define CAPABLE_2                                                                                                      \
    "modelIdentifier! needsExecutionTool:b canBeInstantiatedOnlyOncePerProcess:b "                                     \
    "canNotUseMemoryManagementFunctions:b canGetAndSetFMUstate:b canSerializeFMUstate:b "                              \
    "providesDirectionalDerivative:b "
#define CAPABLE_3                                                                                                      \
    "modelIdentifier! needsExecutionTool:b canBeInstantiatedOnlyOncePerProcess:b canGetAndSetFMUState:b "              \
    "canSerializeFMUState:b providesDirectionalDerivatives:b providesAdjointDerivatives:b "                            \
    "providesPerElementDependencies:b "
#define GENERAL                                                                                                        \
    "modelName! description author version copyright license generationTool generationDateAndTime "                    \
    "variableNamingConvention:|flat|structured| "
#define ROLE                                                                                                           \
    "variability:|constant|fixed|tunable|discrete|continuous| initial:|exact|approx|calculated| "                      \
    "canHandleMultipleSetPerTimeInstant:b "
#define REAL                                                                                                           \
    "declaredType quantity unit displayUnit relativeQuantity:b min:d max:d nominal:d unbounded:b derivative:u "        \
    "reinit:b "

static const element elements[] = {
    {"fmiModelDescription", "", 2, "fmiVersion!:|2.0| guid! numberOfEventIndicators:u " GENERAL},
    {"fmiModelDescription", "", 3, "fmiVersion!:|3.0| instantiationToken! " GENERAL},
    {"ModelExchange", "fmiModelDescription", 2, CAPABLE_2 "completedIntegratorStepNotNeeded:b"},
    {"ModelExchange", "fmiModelDescription", 3,
     CAPABLE_3 "needsCompletedIntegratorStep:b providesEvaluateDiscreteStates:b"},
    {"CoSimulation", "fmiModelDescription", 2,
     CAPABLE_2 "canHandleVariableCommunicationStepSize:b canInterpolateInputs:b maxOutputDerivativeOrder:u "
               "canRunAsynchronuously:b"},
    {"CoSimulation", "fmiModelDescription", 3,
     CAPABLE_3 "canHandleVariableCommunicationStepSize:b fixedInternalStepSize:d maxOutputDerivativeOrder:u "
               "recommendedIntermediateInputSmoothness providesIntermediateUpdate:b mightReturnEarlyFromDoStep:b "
               "canReturnEarlyAfterIntermediateUpdate:b hasEventMode:b providesEvaluateDiscreteStates:b"},
    {"SourceFiles", "ModelExchange", 2, ""},
    {"SourceFiles", "CoSimulation", 2, ""},
    {"File", "SourceFiles", 2, "name!"},
    {"UnitDefinitions", "fmiModelDescription", 0, ""},
    {"Unit", "UnitDefinitions", 0, "name!"},
    {"LogCategories", "fmiModelDescription", 0, ""},
    {"Category", "LogCategories", 0, "name! description"},
    {"DefaultExperiment", "fmiModelDescription", 0, "startTime:d stopTime:d tolerance:d stepSize:d"},
    {"ModelVariables", "fmiModelDescription", 0, ""},
    {"ScalarVariable", "ModelVariables", 2,
     "name! valueReference!:u description "
     "causality:|parameter|calculatedParameter|input|output|local|independent| " ROLE},
    {"Real", "ScalarVariable", 2, "start:d " REAL},
    {"Float64", "ModelVariables", 3,
     "name! valueReference!:u description intermediateUpdate:b previous:u clocks:l start:d "
     "causality:|parameter|calculatedParameter|input|output|local|independent|structuralParameter| " ROLE REAL},
    {"ModelStructure", "fmiModelDescription", 0, ""},
    {"Outputs", "ModelStructure", 2, ""},
    {"Derivatives", "ModelStructure", 2, ""},
    {"InitialUnknowns", "ModelStructure", 2, ""},
    {"Unknown", "Outputs", 2, "index!:u dependencies:l dependenciesKind"},
    {"Unknown", "Derivatives", 2, "index!:u dependencies:l dependenciesKind"},
    {"Unknown", "InitialUnknowns", 2, "index!:u dependencies:l dependenciesKind"},
    {"Output", "ModelStructure", 3, "valueReference!:u dependencies:l dependenciesKind"},
    {"ContinuousStateDerivative", "ModelStructure", 3, "valueReference!:u dependencies:l dependenciesKind"},
    {"InitialUnknown", "ModelStructure", 3, "valueReference!:u dependencies:l dependenciesKind"},
    {"EventIndicator", "ModelStructure", 3, "valueReference!:u dependencies:l dependenciesKind"},
};

static char open_tags[16][64];
static int depth;

static const element *find(const char *name, int version)
{
    const char *parent = depth > 0 ? open_tags[depth - 1] : "";
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        const element *e = &elements[i];
        if (strcmp(e->name, name) == 0 && strcmp(e->parent, parent) == 0 &&
            (e->version == 0 || e->version == version)) {
            return e;
        }
    }
    fail("<%s> must not stand in <%s>", name, parent);
}

/* The entry of this attribute in the list; NULL: there is none. n: the length of its name. */
static const char *entry_of(const char *list, const char *name, size_t n)
{
    while (*list) {
        const size_t length = strcspn(list, " "), own = strcspn(list, "!: ");
        if (own == n && strncmp(list, name, n) == 0) {
            return list;
        }
        list += length + strspn(list + length, " ");
    }
    return NULL;
}

static int is_number(const char *value, int whole)
{
    char *end;
    if (*value == '\0' || (whole && value[strspn(value, "0123456789")] != '\0')) {
        return 0;
    }
    strtod(value, &end);
    return *end == '\0';
}

static int is_list(const char *value)
{
    return value[strspn(value, "0123456789 ")] == '\0';
}

static void check_value(const element *e, const char *entry, const char *name, const char *value)
{
    const char *colon = entry + strcspn(entry, ": ");
    if (*colon != ':') {
        return;
    }
    char kind[400], word[400];
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(colon + 1, " "), colon + 1);
    snprintf(word, sizeof word, "|%s|", value);
    const int fine = kind[0] == 'd'   ? is_number(value, 0)
                     : kind[0] == 'u' ? is_number(value, 1)
                     : kind[0] == 'l' ? is_list(value)
                     : kind[0] == 'b' ? strcmp(value, "true") == 0 || strcmp(value, "false") == 0
                                      : strstr(kind, word) != NULL;
    if (!fine) {
        fail("<%s> has %s=\"%s\"", e->name, name, value);
    }
}

/* NAME="VALUE" one after the other. */
static void check_attributes(const element *e, const char *attributes)
{
    char seen[40][64];
    int n = 0;
    for (const char *at = attributes + strspn(attributes, " \n\t"); *at; at += strspn(at, " \n\t")) {
        const size_t length = strcspn(at, "= \n\t");
        char value[4096];
        if (at[length] != '=' || at[length + 1] != '"' || n == 40 || length > 63) {
            fail("<%s> has attributes that cannot be read: %.60s", e->name, at);
        }
        snprintf(seen[n], sizeof seen[n], "%.*s", (int)length, at);
        for (int k = 0; k < n; k++) {
            if (strcmp(seen[k], seen[n]) == 0) {
                fail("<%s> has %s twice", e->name, seen[n]);
            }
        }
        const char *entry = entry_of(e->attributes, at, length), *text = at + length + 2, *end = strchr(text, '"');
        if (!entry) {
            fail("<%s> must not have %s", e->name, seen[n]);
        }
        if (!end) {
            fail("<%s>: %s has no end", e->name, seen[n]);
        }
        snprintf(value, sizeof value, "%.*s", (int)(end - text), text);
        check_value(e, entry, seen[n++], value);
        at = end + 1;
    }
    /* those that must be there */
    for (const char *list = e->attributes; *list; list += strcspn(list, " "), list += strspn(list, " ")) {
        const size_t length = strcspn(list, "!: ");
        int found = list[length] != '!';
        for (int k = 0; k < n; k++) {
            found = found || (strlen(seen[k]) == length && strncmp(seen[k], list, length) == 0);
        }
        if (!found) {
            fail("<%s> has no %.*s", e->name, (int)length, list);
        }
    }
}

void schema_open(const char *name, const char *attributes, int empty, int version)
{
    check_attributes(find(name, version), attributes);
    if (!empty && depth < 16) {
        snprintf(open_tags[depth++], sizeof open_tags[0], "%s", name);
    }
}

void schema_close(const char *name)
{
    if (depth == 0 || strcmp(open_tags[--depth], name) != 0) {
        fail("</%s> closes nothing", name);
    }
}

void schema_end(void)
{
    if (depth != 0) {
        fail("<%s> has no end", open_tags[depth - 1]);
    }
}
