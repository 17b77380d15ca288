/* page_private.h - the writer of a page, for its own files. */
#ifndef DD_REPORT_PAGE_PRIVATE_H
#define DD_REPORT_PAGE_PRIVATE_H

#include "report/page.h"
#include "report/page_columns.h"

/* What stands open at the end of the body: the next thing closes it unless it belongs there. */
typedef enum dd_page_open { DD_OPEN_NOTHING, DD_OPEN_FIGURES, DD_OPEN_TABLES } dd_page_open;

struct dd_page_writer {
    dd_pool *pool;
    dd_page_head head;
    dd_text body;
    dd_page_open open;
    DD_VEC(const char *) sections, prefixes;
    dd_page_columns *columns;
    uint32_t n_figures;
};

/* Closes what is open and opens `kind`. */
void dd_page_enter(dd_page_writer *w, dd_page_open kind);
/* <tag class="css">text</tag>; nothing for an empty text. */
void dd_page_tag(dd_text *out, const char *tag, const char *css, const char *text);

/* A picture with an attribute of its element and JSON for a script. */
void dd_page_add_picture_with(dd_page_writer *w, const char *title, const char *doc, const char *svg, const char *mark,
                              const char *json);

#endif
