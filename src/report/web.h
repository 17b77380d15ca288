/* web.h - the texts that pages carry: our style and scripts (web/), and uPlot where the build found it. The file with
 * them is written by cmake (cmake/Web.cmake). */
#ifndef DD_REPORT_WEB_H
#define DD_REPORT_WEB_H

#include <stddef.h>

typedef struct dd_web_file {
    const char *name; /* "page.js"; NULL ends the list */
    const char *text; /* fit to stand in <script> or <style> as it is */
    size_t length;
    const char *sha256; /* of the text, hexadecimal: by this the page allows it to run */
} dd_web_file;

extern const dd_web_file dd_web_files[];

#endif
