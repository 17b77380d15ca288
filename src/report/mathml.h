/* mathml.h - formulas as MathML, which browsers draw themselves: from the LaTeX that expr/latex.c writes. */
#ifndef DD_REPORT_MATHML_H
#define DD_REPORT_MATHML_H

#include "base/text.h"

/* Adds a <math> element for `length` letters of LaTeX in math mode. Commands that latex.c does not write appear as words.
 * block: it stands on a line by itself, with the text of \tag behind it. Raises when memory runs out. */
void dd_mathml(dd_text *out, const char *latex, size_t length, bool block);

/* Adds Markdown as reports write it: headings "## ", paragraphs, lists, `code`, $formulas$ and $$ formulas $$. */
void dd_markdown_html(dd_text *out, const char *markdown);

#endif
