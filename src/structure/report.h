/* report.h - what the two reports share. */
#ifndef DD_STRUCTURE_REPORT_H
#define DD_STRUCTURE_REPORT_H

#include "base/json.h"
#include "structure/system.h"

/* Columns as a list for people: whole arrays as p[1:3]; at most `most` items, then "and N more". */
void dd_report_columns(const dd_system *s, const uint32_t *cols, uint32_t n, uint32_t most, dd_text *out);

/* Differentiated columns, or the others. */
dd_index_vec dd_report_pick(const dd_system *s, bool differentiated, dd_pool *pool);

/* All algebraic unknowns are plain assignments: for people an ODE. */
bool dd_report_is_assigned_ode(const dd_system *s);

/* Adds a formula of the model as LaTeX: products of its vectors get a dot. */
void dd_report_latex(const dd_system *s, const char *formula, dd_text *out);

/* ---- report_sentence.c ---- */
/* Adds a sentence that begins in column `at` in lines of 100 characters, all but the first indented by four, and ends the line.
 * When it needs several and `clauses` is set, the text after a semicolon begins a line like the first. */
void dd_report_sentence(dd_text *out, const char *text, uint32_t at, bool clauses);

/* ---- report_phases.c ---- */
uint32_t dd_report_phase_count(const dd_system *s); /* 0: no optimization with phases */
dd_expr dd_report_in_phase_time(const dd_system *s, dd_expr e, uint32_t order, dd_pool *pool);
void dd_report_phases_text(const dd_system *s, dd_text *out, dd_pool *pool);
void dd_report_phases_json(const dd_system *s, dd_json *j, dd_pool *pool);

#endif
