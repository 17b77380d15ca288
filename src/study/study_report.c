/* study_report.c - a study as JSON, CSV and a picture; the text for people is in study_text.c. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/json.h"
#include "report/written.h"
#include "result/csv.h"
#include "study/study_impl.h"

const char *dd_study_subject(const dd_study *study)
{
    static const char *const titles[] = {
        [DD_STUDY_NODES] = "Interpolation", [DD_STUDY_SPECTRA] = "Spectra", [DD_STUDY_REGIONS] = "Stability regions"};
    return study->system ? study->system->model->name : titles[study->options.kind];
}

/* ---- JSON ---- */

static void put_cell(dd_json *j, const dd_grid *g, uint32_t row, uint32_t column)
{
    const dd_cell *cell = dd_grid_at(g, row, column);
    dd_json_key(j, g->columns[column].name);
    if (cell->word) {
        dd_json_string(j, cell->word);
    } else {
        dd_json_number(j, cell->number);
    }
}

static void put_grid(dd_json *j, const char *key, const dd_grid *g)
{
    dd_json_key(j, key);
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < dd_grid_rows(g); i++) {
        dd_json_begin_object(j);
        for (uint32_t c = 0; c < g->n_columns; c++) {
            put_cell(j, g, i, c);
        }
        dd_json_end_object(j);
    }
    dd_json_end_array(j);
}

static void write_json(dd_study *study, dd_text *out, bool colour)
{
    (void)colour;
    dd_json j = dd_json_new(out);
    dd_json_begin_object(&j);
    dd_json_put_string(&j, "status", dd_study_status_name(study->info.status));
    if (study->info.reason[0] != '\0') {
        dd_json_put_string(&j, "reason", study->info.reason);
    }
    dd_json_put_string(&j, "kind", dd_study_kind_name(study->options.kind));
    dd_json_key(&j, "model");
    if (study->system) {
        dd_json_string(&j, study->system->model->name);
    } else {
        dd_json_null(&j);
    }
    dd_json_put_string(&j, "about", study->headline);
    dd_json_put_int(&j, "runs", study->info.runs);
    dd_json_put_int(&j, "failed", study->info.failed);
    put_grid(&j, "summary", &study->summary);
    put_grid(&j, "points", &study->points);
    dd_json_put_strings(&j, "messages", study->notes.data, study->notes.len);
    dd_json_end_object(&j);
}

typedef struct writing {
    dd_study *study;
    void (*write)(dd_study *study, dd_text *out, bool colour);
    bool colour;
    const char *text;
} writing;

static void write_body(void *arg)
{
    writing *w = arg;
    dd_text out = dd_text_new(w->study->pool);
    w->write(w->study, &out, w->colour);
    w->text = dd_text_str(&out);
}

/* Reports come after a limit, too. */
static dd_status make_text(const char **out, dd_study *study, writing *w)
{
    if (!out || !study) {
        return DD_INVALID_ARGUMENT;
    }
    const dd_respite before = dd_respite_begin(study->ctx);
    const dd_status st = dd_protect(study->ctx, write_body, w);
    dd_respite_end(study->ctx, &before);
    *out = st == DD_OK ? w->text : "";
    return st;
}

dd_status dd_study_json(const char **out, dd_study *study)
{
    writing w = {.study = study, .write = write_json};
    return make_text(out, study, &w);
}

dd_status dd_study_text(const char **out, dd_study *study, bool colour)
{
    writing w = {.study = study, .write = dd_study_write_text, .colour = colour};
    return make_text(out, study, &w);
}

/* ---- files ---- */

typedef struct noted {
    dd_study *study;
    const char *path;
    uint32_t which;
} noted;

static void note_body(void *arg)
{
    const noted *n = arg;
    n->study->files[n->which] = dd_pool_strdup(n->study->pool, n->path);
}

dd_status dd_study_note_file(dd_study *study, uint32_t which, const char *path, dd_status st)
{
    noted n = {study, path, which};
    study->files[which] = NULL;
    return st == DD_OK ? dd_protect(study->ctx, note_body, &n) : st;
}

dd_status dd_study_write_csv(dd_study *study, const char *path)
{
    if (!study || !path) {
        return DD_INVALID_ARGUMENT;
    }
    const dd_grid *g = &study->points;
    dd_csv_writer *w;
    const dd_respite before = dd_respite_begin(study->ctx);
    dd_status st = dd_csv_open(&w, study->ctx, path);
    if (st == DD_OK) {
        for (uint32_t c = 0; c < g->n_columns; c++) {
            dd_csv_name(w, g->columns[c].name);
        }
        dd_csv_end_record(w);
        /* words are quoted like names; what is not known stays empty */
        for (uint32_t i = 0; i < dd_grid_rows(g); i++) {
            for (uint32_t c = 0; c < g->n_columns; c++) {
                const dd_cell *cell = dd_grid_at(g, i, c);
                if (cell->word || isnan(cell->number)) {
                    dd_csv_name(w, cell->word ? cell->word : "");
                } else {
                    dd_csv_number(w, cell->number);
                }
            }
            dd_csv_end_record(w);
        }
        st = dd_csv_close(w);
    }
    dd_respite_end(study->ctx, &before);
    return dd_study_note_file(study, DD_STUDY_FILE_CSV, path, st);
}

static void plot_body(void *arg)
{
    dd_written *out = arg;
    dd_study *study = out->user;
    out->text = dd_text_new(out->pool);
    if (study->options.kind == DD_STUDY_REGIONS) {
        dd_study_regions_picture(study, "Stability regions", "filled where a step does not amplify", &out->text);
        return;
    }
    dd_plot_picture(&out->text, dd_study_subject(study), study->headline, study->plots.data, study->plots.len);
}

bool dd_study_has_picture(const dd_study *study)
{
    return study &&
           (study->plots.len > 0 || (study->options.kind == DD_STUDY_REGIONS && dd_grid_rows(&study->points) > 0));
}

dd_status dd_study_write_plot(dd_study *study, const char *path)
{
    if (!study || !path) {
        return DD_INVALID_ARGUMENT;
    }
    if (!dd_study_has_picture(study)) {
        return dd_fail(study->ctx, DD_INVALID_ARGUMENT, "there is nothing to draw");
    }
    dd_written out = {.ctx = study->ctx, .user = study, .path = path};
    const dd_status st = dd_written_make(&out, plot_body);
    return dd_study_note_file(study, DD_STUDY_FILE_PLOT, path, st);
}
