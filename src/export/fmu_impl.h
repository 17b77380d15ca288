/* fmu_impl.h - the parts of an FMU: variables with dependencies, modelDescription.xml, binary, archive. */
#ifndef DD_EXPORT_FMU_IMPL_H
#define DD_EXPORT_FMU_IMPL_H

#include "export/export_impl.h"

typedef enum dd_fmu_kind {
    DD_FMU_TIME,
    DD_FMU_VARIABLE,
    DD_FMU_STATE,
    DD_FMU_INPUT,
    DD_FMU_PARAMETER,
    DD_FMU_CALCULATED_PARAMETER,
    DD_FMU_DERIVATIVE,
    DD_FMU_INDICATOR
} dd_fmu_kind;

typedef struct dd_fmu_variable {
    dd_fmu_kind kind;
    const char *name;
    uint32_t reference; /* as runtime/fmu.c.in numbers them */
    uint32_t place;     /* in y, w, u, p or the list of indicators */
    uint32_t var;       /* of the model, for its attributes; DD_NO_INDEX: none */
    bool output;
    bool has_start;
    double start;
    uint32_t of; /* derivatives: place of the state in this list */
} dd_fmu_variable;

typedef struct dd_fmu {
    dd_export *x;
    DD_VEC(dd_fmu_variable) variables;
    dd_index_vec indicated; /* conditions with an event indicator */
    uint32_t *state_place;  /* nx: place of x_j in variables */
    uint32_t *state_output; /* nx: place of x_j in y */
    uint32_t *input_place, *parameter_place;
    /* per declared variable, then per derivative of x: which x, u, p it depends on, a byte each */
    uint8_t *depends;
    uint32_t knowns;
    const char *guid;
} dd_fmu;

/* ---- fmu_variables.c ---- */
void dd_fmu_list(dd_fmu *f);
/* ---- fmu_dependencies.c ---- */
void dd_fmu_find_dependencies(dd_fmu *f);
/* ---- fmu_source.c ---- */
/* Functions and tables that only FMUs have; then the whole source and header. */
void dd_fmu_files(dd_fmu *f, dd_export_files *sources);
/* ---- fmu_description.c ---- */
const char *dd_fmu_description(dd_fmu *f);
const char *dd_fmu_build_description(dd_fmu *f);
/* ---- fmu_compile.c ---- */
/* The shared library of the sources, by the C compiler of this machine. Raises. */
dd_export_file dd_fmu_compile(dd_export *x, const dd_export_files *sources);
/* ---- zip.c ---- */
/* An archive without compression. */
void dd_zip_write(dd_export *x, const dd_export_files *files, dd_text *out);

#endif
