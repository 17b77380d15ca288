/* tableau_file.c - from a JSON tree to a tableau, with messages that name the entry. */
#include "methods/tableau_file.h"

#include <string.h>

#include "base/file.h"
#include "base/json_read.h"
#include "base/text.h"
#include "methods/expression.h"
#include "methods/tableau_build.h"

enum { LARGEST_FILE = 4 << 20 };

typedef struct {
    dd_context *ctx;
    dd_pool *pool;
    const char *name, *path, *text; /* path or text is NULL */
    size_t length;
    dd_tableau *tableau;
    dd_status status;
    dd_tableau_room *room;
    dd_tableau_input input;
    const dd_json_value *A, *b, *c, *bhat, *title;
} reading;

/* ---- keys ---- */

static const char *const known[] = {"A",      "b",     "c",    "bhat",        "name",      "embedded",
                                    "stages", "order", "kind", "row_sums_ok", "stability", "comment"};
enum { KNOWN = sizeof known / sizeof *known };

static void put(reading *r, const dd_json_value **place, const dd_json_value *value)
{
    if (*place) {
        dd_error(r->ctx, value->key_span, "\"%s\" is given twice", value->key);
    }
    *place = value;
}

static void unknown_key(reading *r, const dd_json_value *member)
{
    const char *meant = dd_closest_name(member->key, known, KNOWN);
    if (meant) {
        dd_error(r->ctx, member->key_span, "\"%.60s\" is not known in a tableau; did you mean \"%s\"?", member->key,
                 meant);
    } else {
        dd_error(r->ctx, member->key_span,
                 "\"%.60s\" is not known in a tableau, which has A, b and, where wanted, c, bhat, name, comment",
                 member->key);
    }
}

static void take_members(reading *r, const dd_json_value *root)
{
    for (const dd_json_value *m = root->first; m; m = m->next) {
        /* an unknown key is an error: a misspelt "bhat" would silently drop the error estimate */
        uint32_t k = 0;
        while (k < KNOWN && strcmp(m->key, known[k]) != 0) {
            k++;
        }
        /* the first entries of `known` are read; the others appear in our own JSON output, or are comments */
        const dd_json_value **places[] = {&r->A, &r->b, &r->c, &r->bhat, &r->title};
        if (k == KNOWN) {
            unknown_key(r, m);
        } else if (m->kind != DD_JSON_NULL && k < sizeof places / sizeof *places) {
            put(r, places[k], m);
        } else if (strcmp(m->key, "embedded") == 0 && m->kind == DD_JSON_OBJECT) {
            /* our own JSON output nests the weights of the error estimate in "embedded" */
            for (const dd_json_value *e = m->first; e; e = e->next) {
                if (strcmp(e->key, "bhat") == 0 && e->kind != DD_JSON_NULL) {
                    put(r, &r->bhat, e);
                }
            }
        }
    }
}

/* ---- entries ---- */

/* the place inside a text in quotes; with escapes in it, the whole text */
static dd_span place_in(const dd_json_value *v, size_t at)
{
    /* escapes make the text shorter than its source, so positions inside it cannot be mapped */
    if (v->kind != DD_JSON_STRING || v->span.end - v->span.begin != v->length + 2) {
        return v->span;
    }
    const uint32_t begin = v->span.begin + 1 + (uint32_t)at;
    return (dd_span){v->span.file, begin, begin + 1};
}

static void read_entry(reading *r, const dd_json_value *v, const char *called, dd_quad *value)
{
    dd_expression_error error;
    if (v->kind != DD_JSON_NUMBER && v->kind != DD_JSON_STRING) {
        dd_error(r->ctx, v->span, "%s must be a number or a formula in quotes such as \"1/6\", not %s", called,
                 dd_json_kind_name(v->kind));
    } else if (!dd_expression_evaluate(v->text, v->length, value, &r->input.accuracy, &error)) {
        dd_error(r->ctx, place_in(v, error.at), "%s: %s", called, error.message);
    } else if (dd_quad_abs(*value) > (dd_quad)1e100) {
        /* products of a few such coefficients overflow a double */
        dd_error(r->ctx, v->span, "%s is too large", called);
    }
}

/* An array of s entries into values; what: "b", "row 2 of A". */
static void read_row(reading *r, const dd_json_value *v, const char *what, uint32_t s, dd_quad *values)
{
    if (v->kind != DD_JSON_ARRAY) {
        dd_error(r->ctx, v->span, "%s must be an array of %u number%s, not %s", what, s, s == 1 ? "" : "s",
                 dd_json_kind_name(v->kind));
        return;
    }
    if (v->count != s) {
        dd_error(r->ctx, v->span, "%s has %u %s; %u %s needed, one for each stage", what, v->count,
                 v->count == 1 ? "entry" : "entries", s, s == 1 ? "is" : "are");
        return;
    }
    uint32_t i = 0;
    for (const dd_json_value *e = v->first; e; e = e->next, i++) {
        const char *called = dd_pool_printf(r->pool, "%s, entry %u", what, i + 1);
        read_entry(r, e, called, &values[i]);
    }
}

static void read_matrix(reading *r, uint32_t s)
{
    uint32_t i = 0;
    for (const dd_json_value *row = r->A->first; row; row = row->next, i++) {
        const char *what = dd_pool_printf(r->pool, "row %u of A", i + 1);
        read_row(r, row, what, s, r->room->A + (size_t)i * s);
    }
}

/* the number of stages, 0 after an error */
static uint32_t find_stages(reading *r, const dd_json_value *root)
{
    if (!r->A || !r->b) {
        const dd_span start = {root->span.file, root->span.begin, root->span.begin + 1};
        dd_error(r->ctx, start, "the tableau has no \"%s\"; a method is given by its matrix A and its weights b",
                 r->A ? "b" : "A");
        return 0;
    }
    if (r->A->kind != DD_JSON_ARRAY || r->A->count == 0) {
        dd_error(r->ctx, r->A->span, "A must be an array of rows, such as [[0, 0], [\"2/3\", 0]]");
        return 0;
    }
    if (r->A->count > DD_TABLEAU_STAGES) {
        dd_error(r->ctx, r->A->key_span, "A has %u rows; methods with up to %d stages are possible", r->A->count,
                 DD_TABLEAU_STAGES);
        return 0;
    }
    return r->A->count;
}

static void interpret(reading *r, const dd_json_value *root)
{
    if (root->kind != DD_JSON_OBJECT) {
        dd_error(r->ctx, root->span, "a tableau is an object {\"A\": ..., \"b\": ...}, not %s",
                 dd_json_kind_name(root->kind));
        return;
    }
    /* all keys first: the size of A determines how many entries the others must have */
    take_members(r, root);
    const uint32_t s = find_stages(r, root);
    if (s == 0) {
        return;
    }
    r->input.stages = s;
    r->input.A = r->room->A;
    r->input.b = r->room->b;
    /* every entry is read even after an error, so that one run reports all of them */
    read_matrix(r, s);
    read_row(r, r->b, "b", s, r->room->b);
    /* c is optional (row sums of A), and so are the weights of the error estimate */
    if (r->c) {
        read_row(r, r->c, "c", s, r->room->c);
        r->input.c = r->room->c;
    }
    if (r->bhat) {
        read_row(r, r->bhat, "bhat", s, r->room->bhat);
        r->input.bhat = r->room->bhat;
    }
    if (r->title && r->title->kind != DD_JSON_STRING) {
        dd_error(r->ctx, r->title->span, "name must be a text in quotes");
    } else if (r->title) {
        r->input.name = r->title->text;
    }
}

/* ---- the call ---- */

static void read_body(void *arg)
{
    reading *r = arg;
    /* errors of earlier reads in the same context do not matter */
    const size_t errors = dd_context_error_count(r->ctx);
    if (r->path) {
        char *text;
        r->status = dd_file_read(r->pool, r->path, LARGEST_FILE, &text, &r->length);
        r->text = text;
        if (r->status != DD_OK) {
            return;
        }
    }
    const uint32_t file = dd_source_add(r->ctx, r->name, r->text, r->length);
    r->room = dd_pool_alloc(r->pool, sizeof *r->room);
    const char *slash = strrchr(r->name, '/');
    /* the file's name, without its folders, until the file names itself */
    r->input.name = slash && slash[1] ? slash + 1 : r->name;
    const dd_json_value *root = dd_json_read(r->pool, file);
    if (root) {
        interpret(r, root);
    }
    if (dd_context_error_count(r->ctx) > errors) {
        r->status =
            dd_fail(r->ctx, DD_INVALID_MODEL, "%s does not contain a Runge-Kutta method; see the messages", r->name);
        return;
    }
    r->status = dd_tableau_finish(&r->tableau, r->ctx, &r->input, NULL);
}

static dd_status read_tableau(dd_tableau **out, reading *r)
{
    *out = NULL;
    r->pool = dd_pool_new(r->ctx);
    if (!r->pool) {
        return dd_fail(r->ctx, DD_OUT_OF_MEMORY, NULL);
    }
    /* reading raises on memory and limits; the tableau that may exist by then is freed here */
    const dd_status raised = dd_protect(r->ctx, read_body, r);
    dd_pool_free(r->pool);
    if (raised != DD_OK || r->status != DD_OK) {
        dd_tableau_free(r->tableau);
        return raised != DD_OK ? raised : r->status;
    }
    *out = r->tableau;
    return DD_OK;
}

dd_status dd_tableau_read(dd_tableau **out, dd_context *ctx, const char *path)
{
    reading r = {.ctx = ctx, .name = path, .path = path};
    return read_tableau(out, &r);
}

dd_status dd_tableau_read_text(dd_tableau **out, dd_context *ctx, const char *name, const char *text, size_t length)
{
    reading r = {.ctx = ctx, .name = name, .text = text, .length = length};
    return read_tableau(out, &r);
}
