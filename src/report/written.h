/* written.h - a page or a picture from its text to its file, the same way for all of them. */
#ifndef DD_REPORT_WRITTEN_H
#define DD_REPORT_WRITTEN_H

#include "report/panel.h"
#include "report/scene.h"

/* Requests of --show that a page remembers. */
typedef struct dd_requests {
    const char *const *items;
    uint32_t count;
} dd_requests;

/* A copy in the pool. DD_OUT_OF_MEMORY leaves the old ones. */
dd_status dd_requests_keep(dd_context *ctx, dd_pool *pool, dd_requests *into, const char *const *items, uint32_t count);

typedef struct dd_written {
    dd_context *ctx;
    void *user;                  /* what it shows */
    const char *path;            /* NULL: the body only looks whether it could be made */
    const char *const *requests; /* panels of a picture */
    uint32_t n_requests;
    dd_pool *pool; /* of the body: all it makes lives here */
    dd_text text;  /* what the body has to say */
} dd_written;

/* Calls body with `w`, which fills w->text, and writes that to w->path. Work on results goes on after a limit of time
 * (dd_respite_begin). What the body raises is returned, as is a failure of the file. */
dd_status dd_written_make(dd_written *w, void (*body)(void *written));

/* For a body: the picture of w->requests as its text. doc may be NULL. Raises as dd_panels_picture does. */
void dd_written_picture(dd_written *w, const dd_curves *c, const char *title, const char *doc);

/* For a body: the film strip of a scene as its text. Raises DD_INVALID_ARGUMENT where there is none (NULL). */
void dd_written_film(dd_written *w, const dd_scene *scene);

#endif
