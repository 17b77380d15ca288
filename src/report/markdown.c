/* markdown.c - the Markdown of our own reports as HTML: nothing that they do not write is known. */
#include <string.h>

#include "report/mathml.h"
#include "report/plot.h"

static void add_escaped(dd_text *out, const char *begin, const char *end)
{
    dd_html_text(out, dd_pool_strndup(out->pool, begin, (size_t)(end - begin)));
}

/* Text up to `end` with $formulas$ and `code`. */
static void add_inline(dd_text *out, const char *at, const char *end)
{
    const char *plain = at;
    while (at < end) {
        const char *close = *at == '$' || *at == '`' ? memchr(at + 1, *at, (size_t)(end - at - 1)) : NULL;
        if (close == NULL) {
            at++;
            continue;
        }
        add_escaped(out, plain, at);
        if (*at == '$') {
            dd_mathml(out, at + 1, (size_t)(close - at - 1), false);
        } else {
            dd_text_add(out, "<code>");
            add_escaped(out, at + 1, close);
            dd_text_add(out, "</code>");
        }
        plain = at = close + 1;
    }
    add_escaped(out, plain, end);
}

static const char *end_of_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end != NULL ? end : at + strlen(at);
}

/* One line; *list says whether a list is open. */
static void add_line(dd_text *out, const char *at, const char *end, bool *list)
{
    const bool item = strncmp(at, "- ", 2) == 0;
    if (item != *list) {
        dd_text_add(out, item ? "<ul>\n" : "</ul>\n");
        *list = item;
    }
    const size_t length = (size_t)(end - at);
    if (length > 4 && strncmp(at, "$$", 2) == 0 && strncmp(end - 2, "$$", 2) == 0) {
        dd_text_add(out, "<div class=\"formula\">");
        dd_mathml(out, at + 2, length - 4, true);
        dd_text_add(out, "</div>\n");
    } else if (strncmp(at, "# ", 2) == 0 || length == 0) {
        return; /* the page has a headline */
    } else {
        const bool heading = strncmp(at, "## ", 3) == 0;
        const char *tag = heading ? "h3" : item ? "li" : "p";
        dd_text_printf(out, "<%s>", tag);
        add_inline(out, at + (heading ? 3 : item ? 2 : 0), end);
        dd_text_printf(out, "</%s>\n", tag);
    }
}

void dd_markdown_html(dd_text *out, const char *markdown)
{
    bool list = false;
    for (const char *at = markdown; *at;) {
        const char *end = end_of_line(at);
        add_line(out, at, end, &list);
        at = *end ? end + 1 : end;
    }
    dd_text_add(out, list ? "</ul>\n" : "");
}
