/* written.c - a pool of its own, a respite from limits of time, the text, the file. */
#include "report/written.h"

#include "base/context.h"
#include "base/file.h"

typedef struct keeping {
    dd_pool *pool;
    dd_requests *into;
    dd_requests from;
} keeping;

static void keep_body(void *arg)
{
    const keeping *k = arg;
    const char **items = dd_pool_alloc_array(k->pool, (size_t)k->from.count + 1, sizeof *items);
    for (uint32_t i = 0; i < k->from.count; i++) {
        items[i] = dd_pool_strdup(k->pool, k->from.items[i]);
    }
    *k->into = (dd_requests){items, k->from.count};
}

dd_status dd_requests_keep(dd_context *ctx, dd_pool *pool, dd_requests *into, const char *const *items, uint32_t count)
{
    keeping k = {pool, into, {items, count}};
    return dd_protect(ctx, keep_body, &k);
}

dd_status dd_written_make(dd_written *w, void (*body)(void *written))
{
    w->pool = dd_pool_new(w->ctx);
    if (w->pool == NULL) {
        return dd_fail(w->ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    /* a page is still written after a time limit */
    const dd_respite before = dd_respite_begin(w->ctx);
    dd_status status = dd_protect(w->ctx, body, w);
    if (status == DD_OK && w->path != NULL) {
        status = dd_file_write(w->ctx, w->path, dd_text_str(&w->text), w->text.len);
    }
    dd_respite_end(w->ctx, &before);
    dd_pool_free(w->pool);
    w->pool = NULL;
    return status;
}

void dd_written_picture(dd_written *w, const dd_curves *c, const char *title, const char *doc)
{
    w->text = dd_text_new(w->pool);
    dd_panels_picture(&w->text, c, title, doc != NULL ? doc : "", w->requests, w->n_requests, w->pool);
}

void dd_written_film(dd_written *w, const dd_scene *scene)
{
    if (scene == NULL) {
        dd_raise(w->ctx, DD_INVALID_ARGUMENT, "there is nothing to draw: see docs/animation.md");
    }
    w->text = dd_text_new(w->pool);
    dd_film_svg(&w->text, scene, scene->title, true, w->pool);
}
