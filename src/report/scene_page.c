/* scene_page.c - a scene in a page: its film strip, for paper and where scripts or WebGL are missing, and its data for the
 * viewer (web/scene*.js), which takes the place of the strip. */
#include "report/page.h"
#include "report/scene.h"

void dd_page_add_scene(dd_page_writer *w, const dd_scene *s, dd_pool *pool)
{
    if (s == NULL) {
        return;
    }
    dd_text html = dd_text_new(pool), json = dd_text_new(pool);
    dd_page_section(w, "Motion");
    dd_page_use_scripts(w, "scene");
    dd_text_add(&html, "<figure class=\"scene\">\n");
    dd_film_svg(&html, s, dd_pool_printf(pool, "Poses of %s, from faint (early) to solid (the end)", s->title), false,
                pool);
    dd_text_add(&html, "<script type=\"application/json\">");
    dd_scene_json(&json, s);
    dd_page_json(&html, dd_text_str(&json));
    dd_text_add(&html, "</script>\n</figure>\n");
    dd_page_add_markup(w, dd_text_str(&html));
}
