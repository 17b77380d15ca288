/* fmu_description.c - modelDescription.xml of FMI 2.0 and 3.0, and buildDescription.xml of FMI 3.0. */
#include <math.h>
#include <string.h>

#include "daedal/version.h"
#include "export/fmu_impl.h"

/* ---- XML ---- */

static void attribute(dd_text *out, const char *name, const char *value)
{
    dd_text_printf(out, " %s=\"", name);
    dd_text_add_xml(out, value);
    dd_text_add_char(out, '"');
}

static void number(dd_text *out, const char *name, double value)
{
    char buffer[32];
    attribute(out, name, isinf(value) ? (value > 0 ? "INF" : "-INF") : dd_number_text(value, buffer));
}

static void whole(dd_text *out, const char *name, uint32_t value)
{
    dd_text_printf(out, " %s=\"%u\"", name, value);
}

/* ---- variables ---- */

static const dd_array *array_of(const dd_fmu *f, const dd_fmu_variable *v)
{
    const dd_model *m = f->x->system->model;
    return v->var == DD_NO_INDEX ? NULL : &m->arrays.data[m->vars.data[v->var].array];
}

/* Causality, variability and initial: FMI 2.0.4, tables of section 2.2.7; FMI 3.0, section 2.4.7.5. */
static void role(dd_text *out, const dd_fmu_variable *v)
{
    static const struct {
        const char *causality, *variability, *initial;
    } roles[] = {[DD_FMU_TIME] = {"independent", "continuous", NULL},
                 [DD_FMU_VARIABLE] = {"local", "continuous", "calculated"},
                 [DD_FMU_STATE] = {"local", "continuous", "exact"},
                 [DD_FMU_INPUT] = {"input", "continuous", NULL},
                 [DD_FMU_PARAMETER] = {"parameter", "tunable", "exact"},
                 [DD_FMU_CALCULATED_PARAMETER] = {"calculatedParameter", "tunable", "calculated"},
                 [DD_FMU_DERIVATIVE] = {"local", "continuous", "calculated"},
                 [DD_FMU_INDICATOR] = {"local", "continuous", "calculated"}};
    attribute(out, "causality", v->output ? "output" : roles[v->kind].causality);
    attribute(out, "variability", roles[v->kind].variability);
    if (roles[v->kind].initial) {
        attribute(out, "initial", roles[v->kind].initial);
    }
}

/* Unit, range, size, start; the derivative's state by its number in the list (FMI 2) or its reference (FMI 3). */
static void real_attributes(const dd_fmu *f, dd_text *out, const dd_fmu_variable *v)
{
    const dd_array *array = array_of(f, v);
    const dd_variable *d = array ? &f->x->system->model->vars.data[v->var] : NULL;
    if (array && array->quantity[0]) {
        attribute(out, "quantity", array->quantity);
    }
    if (array && array->unit[0]) {
        attribute(out, "unit", array->unit);
    }
    /* a range that the start does not keep is no range of this model */
    if (d && d->has_min && (!v->has_start || v->start >= d->min_value)) {
        number(out, "min", d->min_value);
    }
    if (d && d->has_max && (!v->has_start || v->start <= d->max_value)) {
        number(out, "max", d->max_value);
    }
    if (d && d->has_nominal && d->nominal_value > 0) {
        number(out, "nominal", d->nominal_value);
    }
    if (v->has_start) {
        number(out, "start", v->start);
    }
    if (v->kind == DD_FMU_DERIVATIVE) {
        whole(out, "derivative", f->x->options.fmi == 3 ? f->variables.data[v->of].reference : v->of + 1);
    }
}

static void variable(const dd_fmu *f, dd_text *out, const dd_fmu_variable *v)
{
    const bool three = f->x->options.fmi == 3;
    const dd_array *array = array_of(f, v);
    dd_text_add(out, three ? "    <Float64" : "    <ScalarVariable");
    attribute(out, "name", v->name);
    whole(out, "valueReference", v->reference);
    if (array && array->doc[0]) {
        attribute(out, "description", array->doc);
    }
    role(out, v);
    if (!three) {
        dd_text_add(out, ">\n      <Real");
    }
    real_attributes(f, out, v);
    dd_text_add(out, three ? "/>\n" : "/>\n    </ScalarVariable>\n");
}

static void units(const dd_fmu *f, dd_text *out)
{
    dd_names *seen = dd_names_new(f->x->pool);
    for (uint32_t i = 0; i < f->variables.len; i++) {
        const dd_array *array = array_of(f, &f->variables.data[i]);
        if (!array || !array->unit[0] || dd_names_find(seen, array->unit, strlen(array->unit)) != 0) {
            continue;
        }
        dd_text_add(out, dd_names_count(seen) == 0 ? "  <UnitDefinitions>\n" : "");
        dd_names_intern(seen, array->unit, strlen(array->unit));
        dd_text_add(out, "    <Unit");
        attribute(out, "name", array->unit);
        dd_text_add(out, "/>\n");
    }
    dd_text_add(out, dd_names_count(seen) > 0 ? "  </UnitDefinitions>\n" : "");
}

/* ---- the structure ---- */

/* The list of what v depends on: numbers of variables in FMI 2, references in FMI 3. parameters: of the start too. */
static void dependencies(const dd_fmu *f, dd_text *out, const dd_fmu_variable *v, bool parameters)
{
    const dd_export *x = f->x;
    const uint32_t row = v->kind == DD_FMU_DERIVATIVE ? x->y.len + v->place
                         : v->kind == DD_FMU_STATE    ? f->state_output[v->place]
                                                      : v->place;
    const uint8_t *set = f->depends + (size_t)row * f->knowns;
    dd_text list = dd_text_new(x->pool);
    for (uint32_t k = 0; k < f->knowns; k++) {
        const bool state = k < x->nx, input = !state && k < x->nx + x->u.len;
        if (!set[k] || (!state && !input && !parameters)) {
            continue;
        }
        const uint32_t at = state   ? f->state_place[k]
                            : input ? f->input_place[k - x->nx]
                                    : f->parameter_place[k - x->nx - x->u.len];
        /* what follows from other parameters is no known of the start */
        if (at == DD_NO_INDEX || f->variables.data[at].kind == DD_FMU_CALCULATED_PARAMETER) {
            continue;
        }
        dd_text_printf(&list, "%s%u", list.len > 0 ? " " : "",
                       x->options.fmi == 3 ? f->variables.data[at].reference : at + 1);
    }
    attribute(out, "dependencies", dd_text_str(&list));
}

static void unknown(const dd_fmu *f, dd_text *out, const char *element, uint32_t i, bool initial)
{
    const dd_fmu_variable *v = &f->variables.data[i];
    const bool three = f->x->options.fmi == 3;
    dd_text_printf(out, three ? "    <%s" : "      <Unknown", element);
    whole(out, three ? "valueReference" : "index", three ? v->reference : i + 1);
    if (v->kind != DD_FMU_INDICATOR && v->kind != DD_FMU_CALCULATED_PARAMETER) {
        dependencies(f, out, v, initial);
    }
    dd_text_add(out, "/>\n");
}

typedef enum part { OUTPUTS, DERIVATIVES, INITIAL, INDICATORS } part;

static bool belongs(const dd_fmu_variable *v, part p)
{
    switch (p) {
    case OUTPUTS:
        return v->output;
    case DERIVATIVES:
        return v->kind == DD_FMU_DERIVATIVE;
    case INITIAL: /* what the start computes */
        return (v->output && v->kind == DD_FMU_VARIABLE) || v->kind == DD_FMU_DERIVATIVE ||
               v->kind == DD_FMU_CALCULATED_PARAMETER;
    default:
        return v->kind == DD_FMU_INDICATOR;
    }
}

static void structure(const dd_fmu *f, dd_text *out)
{
    static const struct {
        const char *list, *element;
        part p;
    } parts[] = {{"Outputs", "Output", OUTPUTS},
                 {"Derivatives", "ContinuousStateDerivative", DERIVATIVES},
                 {"InitialUnknowns", "InitialUnknown", INITIAL},
                 {NULL, "EventIndicator", INDICATORS}};
    const bool three = f->x->options.fmi == 3;
    dd_text_add(out, "  <ModelStructure>\n");
    /* FMI 2 wraps each kind in a list of its own, FMI 3 has them in one */
    for (uint32_t k = 0; k < (three ? 4u : 3u); k++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < f->variables.len; i++) {
            if (belongs(&f->variables.data[i], parts[k].p)) {
                if (count++ == 0 && !three) {
                    dd_text_printf(out, "    <%s>\n", parts[k].list);
                }
                unknown(f, out, parts[k].element, i, parts[k].p == INITIAL);
            }
        }
        if (count > 0 && !three) {
            dd_text_printf(out, "    </%s>\n", parts[k].list);
        }
    }
    dd_text_add(out, "  </ModelStructure>\n");
}

/* ---- the whole ---- */

static void kinds(const dd_fmu *f, dd_text *out)
{
    const bool three = f->x->options.fmi == 3;
    static const char *const elements[] = {"ModelExchange", "CoSimulation"};
    for (int k = 0; k < 2; k++) {
        dd_text_printf(out, "  <%s", elements[k]);
        attribute(out, "modelIdentifier", f->x->name);
        if (k == 1) {
            attribute(out, "canHandleVariableCommunicationStepSize", "true");
        }
        attribute(out, three ? "canGetAndSetFMUState" : "canGetAndSetFMUstate", "true");
        attribute(out, three ? "canSerializeFMUState" : "canSerializeFMUstate", "true");
        attribute(out, three ? "providesDirectionalDerivatives" : "providesDirectionalDerivative", "true");
        if (three) {
            attribute(out, "providesAdjointDerivatives", "true");
            dd_text_add(out, "/>\n");
        } else {
            dd_text_printf(out, ">\n    <SourceFiles>\n      <File name=\"%s.c\"/>\n    </SourceFiles>\n  </%s>\n",
                           f->x->name, elements[k]);
        }
    }
}

const char *dd_fmu_description(dd_fmu *f)
{
    const dd_export *x = f->x;
    const dd_model *m = x->system->model;
    const bool three = x->options.fmi == 3;
    dd_text out = dd_text_new(x->pool);
    /* names and version */
    dd_text_add(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
    attribute(&out, "fmiVersion", three ? "3.0" : "2.0");
    attribute(&out, "modelName", m->name);
    attribute(&out, three ? "instantiationToken" : "guid", f->guid);
    if (m->doc[0]) {
        attribute(&out, "description", m->doc);
    }
    attribute(&out, "generationTool", "Daedal " DD_VERSION);
    attribute(&out, "variableNamingConvention", "structured");
    if (!three) {
        whole(&out, "numberOfEventIndicators", f->indicated.len);
    }
    dd_text_add(&out, ">\n");
    /* elements in the order of the schemas */
    kinds(f, &out);
    units(f, &out);
    dd_text_add(&out, "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n    <Category "
                      "name=\"logStatusDiscard\"/>\n    <Category name=\"logStatusWarning\"/>\n"
                      "  </LogCategories>\n  <DefaultExperiment");
    number(&out, "startTime", x->t0);
    number(&out, "stopTime", x->stop);
    number(&out, "tolerance", x->tol);
    number(&out, "stepSize", x->step);
    dd_text_add(&out, "/>\n  <ModelVariables>\n");
    for (uint32_t i = 0; i < f->variables.len; i++) {
        variable(f, &out, &f->variables.data[i]);
    }
    dd_text_add(&out, "  </ModelVariables>\n");
    structure(f, &out);
    dd_text_add(&out, "</fmiModelDescription>\n");
    return dd_text_str(&out);
}

const char *dd_fmu_build_description(dd_fmu *f)
{
    return dd_pool_printf(
        f->x->pool,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
        "  <BuildConfiguration modelIdentifier=\"%s\">\n    <SourceFileSet language=\"C99\">\n"
        "      <SourceFile name=\"%s.c\"/>\n    </SourceFileSet>\n"
        "    <Library name=\"m\" external=\"true\"/>\n  </BuildConfiguration>\n</fmiBuildDescription>\n",
        f->x->name, f->x->name);
}
