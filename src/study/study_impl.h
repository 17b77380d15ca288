/* study_impl.h - a study, for the files of this folder.
 *
 *     options --lists.c--> methods, steps ... --order.c, work.c, ...--> two grids of cells and plots
 *                                                                          |
 *                                     study_text.c, study_json.c, CSV, picture, page
 *
 * A kind of study is an entry of the list in study.c: its function fills study->points, study->summary, study->plots. */
#ifndef DD_STUDY_STUDY_IMPL_H
#define DD_STUDY_STUDY_IMPL_H

#include "base/pool.h"
#include "base/text.h"
#include "daedal/methods.h"
#include "daedal/study.h"
#include "report/plot.h"
#include "structure/system.h"

/* ---- grid.c: a table of numbers and words ---- */

typedef struct dd_grid_column {
    const char *name;    /* of CSV and JSON: "error" */
    const char *heading; /* for people; NULL: the name */
    int digits;          /* significant ones, for people; negative: behind the point; 0: a column of words */
} dd_grid_column;

typedef struct dd_cell {
    const char *word; /* NULL: a number */
    double number;    /* NaN: empty */
} dd_cell;

typedef struct dd_grid {
    dd_pool *pool;
    const dd_grid_column *columns;
    uint32_t n_columns;
    DD_VEC(dd_cell) cells; /* row by row */
} dd_grid;

dd_grid dd_grid_new(dd_pool *pool, const dd_grid_column *columns, uint32_t n);
/* The next cell of the row under way. Raise. */
void dd_grid_word(dd_grid *g, const char *word);
void dd_grid_number(dd_grid *g, double number);
uint32_t dd_grid_rows(const dd_grid *g);
const dd_cell *dd_grid_at(const dd_grid *g, uint32_t row, uint32_t column);
/* Is there nothing in the column? */
bool dd_grid_is_empty(const dd_grid *g, uint32_t column);
/* The first row with these words in two columns of words (other UINT32_MAX: in one); the number of rows without. */
uint32_t dd_grid_find(const dd_grid *g, uint32_t column, const char *word, uint32_t other, const char *other_word);
/* Distinct words of a column in their order; group not NULL: only rows with this word in group_column. */
dd_string_vec dd_grid_words(const dd_grid *g, uint32_t column, uint32_t group_column, const char *group, dd_pool *pool);
/* A cell as people read it; buffer: 40 bytes. */
const char *dd_cell_text(const dd_cell *cell, const dd_grid_column *column, char buffer[40]);

/* ---- lists.c: names with commas, progressions ---- */

typedef DD_VEC(double) dd_number_vec;
/* Splits at commas outside brackets; blanks around names are left out. Raises DD_INVALID_ARGUMENT for empty names. */
dd_string_vec dd_study_names(dd_pool *pool, const char *option, const char *text);
/* "first:factor:count" or "a,b,c". Raises DD_INVALID_ARGUMENT with the option's name; whole: numbers are rounded, and
 * must be whole in a list. */
dd_number_vec dd_study_numbers(dd_pool *pool, const char *option, const char *text, bool whole);

/* ---- fit.c: orders from errors ---- */

typedef enum dd_point_use {
    DD_POINT_USED,
    DD_POINT_COARSE,   /* the asymptotic range begins with a smaller step */
    DD_POINT_ROUNDING, /* the error is at the level of rounding, or of the reference */
    DD_POINT_FAILED    /* no error is known */
} dd_point_use;
const char *dd_point_use_name(dd_point_use use); /* "", "coarse", "rounding", "failed" */

typedef struct dd_fit {
    double order;  /* slope of log(error) over log(h) by least squares; NaN without enough points */
    double spread; /* largest minus smallest slope of neighbours in the range */
    uint32_t used; /* points in the range */
    bool exact;    /* every error is at the level of rounding */
    bool steady;   /* the slopes agree: the range is asymptotic */
} dd_fit;

/* n points with falling h; floor[n]: errors below it say nothing. use[n] receives what each point was used for. */
dd_fit dd_fit_order(const double *h, const double *error, uint32_t n, const double *floor, dd_point_use *use);
/* floor: what the errors cannot be told from. Is it so much of the size of the quantity that it is no rounding, but doubt
 * about the reference? Then nothing is exact. */
bool dd_fit_is_hidden(double floor, double size);
/* One word for people: "as the theory", "above", "below", "rounding level", "undecided"; theory NaN:
 * "measured", "no convergence". */
const char *dd_fit_verdict(const dd_fit *fit, double theory);
/* Slope between neighbours i - 1 and i; NaN for the first and where an error is not known. */
double dd_fit_slope(const double *h, const double *error, uint32_t i);

/* ---- groups.c: variables that the theory treats alike ---- */

enum { DD_MOST_GROUPS = 4 };

typedef struct dd_groups {
    uint32_t count;
    const char *name[DD_MOST_GROUPS]; /* "differential", "algebraic"; "position", "velocity", "algebraic" */
    uint32_t level[DD_MOST_GROUPS];   /* times that the reduction differentiates its variables; 0: algebraic */
    uint32_t *of;                     /* declared column -> group; UINT32_MAX: not compared */
} dd_groups;
/* original: the equations as written are integrated, so that levels matter. Raises for unknown names. */
dd_groups dd_study_groups(const dd_study *study, bool original);

/* ---- theory.c ---- */
/* Order of a fixed-step method in variables of this level, at constant steps; NaN where there is no statement. index: of
 * the equations integrated. Raises. */
double dd_theory_order(const dd_study *study, const char *method, int index, uint32_t level, bool worst);

/* ---- runs.c: simulations of a study ---- */

typedef struct dd_run {
    dd_sim *sim;
    bool ok;
    const char *why; /* "" when ok */
    double cpu;      /* seconds of the processor for the run alone */
} dd_run;
/* Makes and runs a simulation that is freed with the pool. Stops (raises) for limits of the whole study; a run that
 * fails by itself is not ok. */
dd_run dd_study_simulate(dd_study *study, const dd_sim_options *options, dd_pool *pool);
/* Raises a status that ends the whole study: memory, time, an interrupt. */
void dd_study_heed(const dd_study *study, dd_status st);
/* Options of the study for a simulation with this method; step 0: error control with tol. */
dd_sim_options dd_study_sim_options(const dd_study *study, const char *method, double step, double tol);
/* A step that divides the run into equal parts, the largest not above h. */
double dd_study_fit_step(const dd_study *study, double h);

/* ---- truth.c: relations that the exact solution satisfies ---- */

typedef struct dd_truth dd_truth;
/* From options.exact; NULL without. Raises DD_INVALID_ARGUMENT for one that cannot be read. */
dd_truth *dd_truth_new(dd_study *study, const dd_groups *groups);
/* error[group] and scale[group] grow to the largest residual and the largest variable at this point; values: of the
 * declared columns. */
void dd_truth_look(dd_truth *e, double t, const double *values, double *error, double *scale);
/* Does a relation speak about this group? */
bool dd_truth_covers(const dd_truth *e, uint32_t group);
/* The objective that a relation "objective = NUMBER" gives; NaN without. */
double dd_truth_objective(const dd_truth *e);

/* ---- reference.c: the error of a simulation ---- */

typedef struct dd_reference_run {
    const dd_groups *groups;
    dd_truth *exact;              /* NULL: values of a reference run */
    double *end;                  /* declared columns of that run at the end */
    double doubt[DD_MOST_GROUPS]; /* how well it is known */
    double scale[DD_MOST_GROUPS]; /* size of the variables */
    const char *text;             /* for people: "a run with tolerance 1e-13" */
    bool everywhere;              /* errors are the largest over all steps */
} dd_reference_run;
/* Raises. */
dd_reference_run dd_study_reference(dd_study *study, const dd_groups *groups, bool everywhere);
/* error[group] of a finished run: at the end, or over all its steps (step: their length). NaN where a group has no
 * exact relation. */
void dd_reference_compare(dd_study *study, dd_reference_run *r, const dd_run *run, double step, double *error);
/* Errors below this say nothing. */
double dd_reference_floor(const dd_reference_run *r, uint32_t group);

/* ---- the study ---- */

struct dd_study {
    dd_context *ctx;
    const dd_system *system; /* NULL: none */
    dd_pool *pool;
    dd_study_options options;
    dd_string_vec methods;
    double start, stop;
    bool optimization;
    bool still;              /* the equations that are integrated contain no differential variable */
    uint32_t n_values;       /* what is compared: the declared columns; of optimizations also the inputs */
    const char **value_name; /* of each */
    uint32_t *value_of;      /* variable of the model -> its place; DD_NO_INDEX: none */
    dd_study_info info;
    const char *headline; /* what was compared with what */
    dd_grid points, summary;
    DD_VEC(dd_plot) plots;
    dd_string_vec notes;
    struct dd_method **method; /* of regions: as many as methods */
    const char *files[3];      /* written: CSV, picture, page; NULL: not */
    uint32_t planned;          /* runs in all */
};

bool dd_study_options_possible(const dd_study_options *options, char *why); /* DD_OPTION_WHY bytes */
/* An integrator that has no given steps at all: radau, bdf. */
bool dd_study_has_own_steps(const char *name);
/* The next run: progress, limits. Raises. */
void dd_study_begin_run(dd_study *study, const char *what);
void dd_study_note(dd_study *study, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Kinds: the work, and the plots of what there is afterwards. They raise. */
void dd_study_order(dd_study *study);
void dd_study_order_plots(dd_study *study);
void dd_study_meshes(dd_study *study); /* the order of an optimization */
void dd_study_meshes_plots(dd_study *study);
void dd_study_work(dd_study *study);
void dd_study_work_plots(dd_study *study);
void dd_study_drift(dd_study *study);
void dd_study_drift_plots(dd_study *study);
void dd_study_local(dd_study *study);
void dd_study_local_plots(dd_study *study);
void dd_study_nodes(dd_study *study);
void dd_study_nodes_plots(dd_study *study);
void dd_study_spectra(dd_study *study);
void dd_study_spectra_plots(dd_study *study);
void dd_study_regions(dd_study *study);
/* A whole SVG file; texts may be "". */
void dd_study_regions_picture(dd_study *study, const char *title, const char *subtitle, dd_text *out);

/* ---- study_text.c ---- */
void dd_study_write_text(dd_study *study, dd_text *out, bool colour);

/* ---- study_report.c ---- */
const char *dd_study_subject(const dd_study *study); /* the model, or the kind */
/* The reports mention files that were written (st is DD_OK). Returns st, or that memory ran out. */
enum { DD_STUDY_FILE_CSV, DD_STUDY_FILE_PLOT, DD_STUDY_FILE_PAGE };
dd_status dd_study_note_file(dd_study *study, uint32_t which, const char *path, dd_status st);

/* ---- nodes.c ---- */
int dd_study_node_family(const char *name); /* -1: there is none of this name */

/* ---- meshes.c ---- */
/* "radau-D", "legendre-D", "shooting:NAME" into options; false for another name. */
bool dd_study_transcription(const char *name, dd_ocp_options *options);

/* ---- order.c ---- */
/* options.steps or a default: largest first, each dividing the run. Raises. */
dd_number_vec dd_study_steps(dd_study *study);

/* ---- pictures.c ---- */
/* Rows of study->points as lines: one per word of the column `name`, a panel per word of the column `group`. */
typedef struct dd_line_spec {
    uint32_t x, y;        /* columns of numbers */
    uint32_t name, group; /* columns of words; group UINT32_MAX: one panel */
    const char *x_name, *caption;
    bool log_x, log_y;
    double floor;      /* smaller values are drawn here: 0 has no place on a logarithmic axis */
    bool of_variables; /* groups are kinds of variables */
    dd_line_style style;
    int slope; /* of an error of order 1: 1 over steps, -1 over numbers of intervals; 0: the plot is not about orders */
} dd_line_spec;
void dd_study_add_lines(dd_study *study, const dd_line_spec *spec);

#endif
