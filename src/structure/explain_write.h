/* explain_write.h - the formulas and steps of an explanation as LaTeX, for its writers. */
#ifndef DD_STRUCTURE_EXPLAIN_WRITE_H
#define DD_STRUCTURE_EXPLAIN_WRITE_H

#include "structure/explain.h"

void dd_explain_math(const dd_explanation *x, const char *formula, dd_text *out);
void dd_explain_line_math(const dd_explanation *x, const dd_explain_line *line, dd_text *out);
void dd_explain_matrix_math(const dd_explanation *x, const dd_explain_matrix *a, dd_text *out);
/* A step without its title, for LaTeX or, with $$, for Markdown. */
void dd_explain_step_math(const dd_explanation *x, const dd_explain_step *step, bool latex, dd_text *out);

#endif
