/* check.h - the analysis of a model: differential index, hidden constraints, degrees of freedom, initial values.
 *
 *     dd_system *s;
 *     if (dd_model_analyse(&s, model, NULL) == DD_OK) printf("index %d\n", dd_system_index(s));
 *     dd_system_free(s);
 *
 * A model that cannot be solved is a verdict of a successful call, not a failure.
 */
#ifndef DAEDAL_CHECK_H
#define DAEDAL_CHECK_H

#include "daedal/export.h"
#include "daedal/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dd_system dd_system;

#define DD_VERDICT_LIST(X)                                                                                             \
    X(OK, "ok")                     /* as many independent equations as unknowns: a finite index */                    \
    X(SINGULAR, "singular")         /* equations depend on each other, unknowns stay undetermined */                   \
    X(UNBALANCED, "unbalanced")     /* more equations than unknowns or fewer */                                        \
    X(INCONSISTENT, "inconsistent") /* equations without a common solution */
typedef enum dd_verdict {
#define DD_VERDICT_ENUM(id, name) DD_VERDICT_##id,
    DD_VERDICT_LIST(DD_VERDICT_ENUM)
#undef DD_VERDICT_ENUM
} dd_verdict;

/* How the answer was obtained. */
#define DD_CERTIFICATE_LIST(X)                                                                                         \
    X(STRUCTURAL, "structural")             /* structure, confirmed by a regular Jacobian at a consistent point */     \
    X(CONVERTED, "converted")               /* the same after exact combination of equations */                        \
    X(DERIVATIVE_ARRAY, "derivative_array") /* ranks of the differentiated equations at a consistent point */          \
    X(UNDECIDED, "undecided")               /* no confirmation was possible; warnings say why */
typedef enum dd_certificate {
#define DD_CERTIFICATE_ENUM(id, name) DD_CERTIFICATE_##id,
    DD_CERTIFICATE_LIST(DD_CERTIFICATE_ENUM)
#undef DD_CERTIFICATE_ENUM
} dd_certificate;

/* What is known about the start that the fixed values, the initial equations and the start values ask for. */
#define DD_GIVEN_START_LIST(X)                                                                                         \
    X(UNTESTED, "untested")                                                                                            \
    X(CONSISTENT, "consistent") /* a consistent point has these values, and the Jacobian is regular there */           \
    X(SINGULAR, "singular")     /* there is one, and the Jacobian is singular exactly there */                         \
    X(IMPOSSIBLE, "impossible") /* no consistent point has these values */                                             \
    X(NOT_FOUND, "not_found")   /* none was found, which proves nothing */
typedef enum dd_given_start {
#define DD_GIVEN_START_ENUM(id, name) DD_START_##id,
    DD_GIVEN_START_LIST(DD_GIVEN_START_ENUM)
#undef DD_GIVEN_START_ENUM
} dd_given_start;

typedef enum dd_system_kind { DD_SYSTEM_ODE, DD_SYSTEM_DAE, DD_SYSTEM_ALGEBRAIC } dd_system_kind;

DD_API const char *dd_verdict_name(dd_verdict verdict);
DD_API const char *dd_certificate_name(dd_certificate certificate);
DD_API const char *dd_system_kind_name(dd_system_kind kind);
DD_API const char *dd_given_start_name(dd_given_start start);

typedef struct dd_analyse_options {
    double rank_tolerance; /* relative size below which a scaled pivot is treated as zero (default 1e-9) */
    uint32_t max_index;    /* the most differentiations that the derivative array tries (default 12) */
    uint32_t max_formulas; /* the most formulas of visible and of hidden constraints; 0: all (default). The report
                              for people shows twelve and their total number */
    bool general_inputs;   /* inputs stay general, even those that a setting defines by a formula (default false) */
    bool input_offsets;    /* a parameter of value 0 is added to each formula that a setting defines for an input, so
                              that a simulation can differentiate with respect to it (default false) */
    /* The structural index, an upper bound, is accepted if its numbers of visible and hidden constraints are right: a
     * simulation needs no more. Default false: the index is verified by ranks of the differentiated equations, if these
     * are few. With max_formulas = 1, too, derivatives are not put into constraints that nobody reads. */
    bool trust_structure;
    bool explain; /* the JSON report has the key "explanation": the reduction step by step (default false) */
    /* Parameters keep their values: dd_sim_set and dd_ocp_set refuse them, and the equations of models made of parts
     * have numbers for them, which makes them shorter (default false: they can be set). `daedal optimize` sets this. */
    bool parameters_stay;
    /* Unknowns that follow others in closed form leave before the analysis, with the equations that determine them: copies
     * that connections make, flows, and what nothing else contains, if the text says no more about them than their
     * equation. For optimizations: their trajectories still show them, and costs and constraints may contain them. (The
     * trajectories of dd_sim do not, and the counts of the analysis are those of what is left.) A model for which that
     * leads to no confirmed answer is analysed whole (default false). `daedal optimize` sets this. */
    bool fewer_unknowns;
} dd_analyse_options;

DD_API dd_analyse_options dd_analyse_options_default(void);

/* Analyses a model. The model does not change and must outlive the system, which refers to its texts. The system
 * does not change afterwards either: simulations and optimizations only read it, and one that failed for lack of
 * memory can be made again. (Only one thread may use it at a time: all objects of a context share its memory.)
 * options may be NULL. *out is NULL after a failure; a NULL model (one that could not be loaded) fails with
 * DD_INVALID_ARGUMENT. */
DD_API dd_status dd_model_analyse(dd_system **out, const dd_model *model, const dd_analyse_options *options);
DD_API void dd_system_free(dd_system *system); /* NULL is fine */

/* The second half of `daedal check`: looks for the start that the model asks for as a simulation does (missing
 * conditions are completed by start values, then by 0), and repeats the analysis at that point. A start that is
 * singular, impossible or not found becomes a warning that names equations, variables and values; the verdict on the
 * equations stays, but the certificate is then "undecided". Call it before the system is used for anything else. */
DD_API dd_status dd_system_test_start(dd_system *system);

/* The answer. For a NULL system it is: singular, undecided, index and dof -1, all counts 0. */
DD_API dd_verdict dd_system_verdict(const dd_system *s);
DD_API dd_certificate dd_system_certificate(const dd_system *s);
DD_API dd_system_kind dd_system_get_kind(const dd_system *s);
DD_API int dd_system_index(const dd_system *s);            /* -1 where undefined */
DD_API int dd_system_structural_index(const dd_system *s); /* -1 where undefined */
DD_API int dd_system_dof(const dd_system *s);              /* -1 where undefined */
DD_API uint32_t dd_system_unknown_count(const dd_system *s);
DD_API uint32_t dd_system_equation_count(const dd_system *s);
DD_API uint32_t dd_system_constraint_count(const dd_system *s); /* visible ones, scalars */
DD_API uint32_t dd_system_hidden_count(const dd_system *s);     /* hidden ones, scalars */

/* One sentence on why the verdict is not ok; "" when it is. */
DD_API const char *dd_system_reason(const dd_system *s);

/* Constraints as formulas, one text per equation the user wrote (an array equation is one text). */
typedef struct dd_constraint_text {
    const char *equation;       /* in x, z, u, p, t: derivatives are substituted if that is possible in closed form */
    const char *differentiated; /* as it results from differentiating; equal to `equation` if nothing was substituted */
    uint32_t order;             /* number of differentiations; 0: visible */
    uint32_t rows;              /* number of scalar equations in it */
    const char *from;           /* "file:line", several separated by ", "; "" when built by calls */
} dd_constraint_text;
DD_API uint32_t dd_system_visible_text_count(const dd_system *s);
DD_API dd_constraint_text dd_system_visible_text(const dd_system *s, uint32_t i);
DD_API uint32_t dd_system_hidden_text_count(const dd_system *s);
DD_API dd_constraint_text dd_system_hidden_text(const dd_system *s, uint32_t i);

/* Initial values. */
DD_API dd_given_start dd_system_start_state(const dd_system *s);
DD_API uint32_t dd_system_initial_given(const dd_system *s); /* conditions given: fixed values and initial equations */
DD_API uint32_t dd_system_initial_missing(const dd_system *s); /* conditions still needed */
DD_API uint32_t dd_system_initial_excess(const dd_system *s);  /* conditions that depend on the others */

/* The reports of `daedal check`. A page: the answer, constraints as formulas, initial values, incidence and blocks, the
 * reduction step by step, in one HTML file that needs no other. One JSON object in a line, and text for people: these
 * live as long as the system. */
DD_API dd_status dd_system_write_report(dd_system *s, const char *path);
DD_API dd_status dd_system_json(const char **out, const dd_system *s);
DD_API dd_status dd_system_text(const char **out, const dd_system *s, bool colour);

/* The reduction step by step as one would do it on paper: equations, dF/dx' and its rank, what is differentiated and
 * put in, the count, consistency conditions, initial values, and when this holds. Markdown has its formulas between $$;
 * LaTeX is a whole document that needs amsmath alone. The text lives as long as the system. */
typedef enum dd_explain_format { DD_EXPLAIN_TEXT, DD_EXPLAIN_MARKDOWN, DD_EXPLAIN_LATEX } dd_explain_format;
DD_API dd_status dd_system_explain(const char **out, const dd_system *s, dd_explain_format format);

/* The reduced system as a model in the language, which can be checked and simulated like any other. Parameters stay
 * symbols, invariants are initial equations, starts that are not fixed are consistent values where a start was found,
 * and each equation has the place it comes from as its description. */
typedef enum dd_printed_form {
    DD_PRINT_REDUCED,       /* F(x', x, z, u, p, t) = 0 of index 1 at most, rows as the reduction makes them */
    DD_PRINT_SEMI_EXPLICIT, /* x' = f(x, z, u, t), 0 = g(x, z, u, t); rates without a formula are among z */
    DD_PRINT_NORMAL         /* x' = f(x, u, t), and z = xi(x, u, t) as assigned variables */
} dd_printed_form;

/* Fails with DD_INVALID_MODEL, and a message that names what remains, if there is no such form. The text lives as long
 * as the system. */
DD_API dd_status dd_system_print_form(const char **out, dd_system *s, dd_printed_form form);

#ifdef __cplusplus
}
#endif
#endif
