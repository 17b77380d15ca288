/* cmd_control.c - daedal control: closes the loop around an optimization class. */
#include "cli/cli.h"
#include "daedal/control.h"
#include "daedal/daedal.h"

typedef struct control_options {
    cli_common common;
    dd_control_options control;
    uint64_t given;
    const char *output, *report, *plot, *film;
    cli_list show, overlay;
    const char *file;
} control_options;

static bool set_option(void *options, const char *name, const char *value, char *why)
{
    control_options *o = options;
    return dd_control_options_set(&o->control, name, value, why);
}

static int exit_code(dd_loop_status status)
{
    return status == DD_LOOP_OK ? CLI_DONE : status == DD_LOOP_INTERRUPTED ? CLI_INTERRUPTED : CLI_SAID_NO;
}

/* A run that was stopped leaves existing files alone. */
static bool is_stopped(const dd_loop_info *info)
{
    return info->status == DD_LOOP_INTERRUPTED || info->status == DD_LOOP_TIME_LIMIT;
}

static dd_status write_files(dd_loop *loop, const control_options *o)
{
    const dd_loop_info info = dd_loop_get_info(loop);
    const bool stopped = is_stopped(&info);
    dd_status st = DD_OK;
    if (info.samples == 0) {
        return st;
    }
    if (o->output) {
        st = dd_loop_write_csv(loop, stopped ? cli_partial_name(o->output) : o->output);
    }
    if (st == DD_OK && o->report) {
        st = dd_loop_write_report(loop, stopped ? cli_partial_name(o->report) : o->report);
    }
    if (st == DD_OK && o->plot) {
        const char *path = stopped ? cli_partial_name(o->plot) : o->plot;
        st = dd_loop_write_plot(loop, path, o->show.items, (uint32_t)o->show.count);
        cli_finish_picture(st == DD_OK ? path : "");
    }
    if (st == DD_OK && o->film) {
        const char *path = stopped ? cli_partial_name(o->film) : o->film;
        st = dd_loop_write_film(loop, path);
        cli_finish_picture(st == DD_OK ? path : "");
    }
    return st;
}

/* Where everything is, for people. */
static void print_files(const dd_loop_info *info, const control_options *o)
{
    const char *partial = is_stopped(info) ? ".partial" : "";
    const char *const names[] = {o->output, o->report, o->plot, o->film};
    static const char *const what[] = {"record", "plots", "picture", "film strip"};
    bool first = true;
    for (int i = 0; i < 4; i++) {
        if (names[i]) {
            printf("%s  %s in %s%s\n", first ? "\n" : "", what[i], names[i], partial);
            first = false;
        }
    }
}

static dd_status print_result(dd_loop *loop, const control_options *o, int *code)
{
    const char *text = "";
    const dd_loop_info info = dd_loop_get_info(loop);
    const dd_status st = o->common.json ? dd_loop_json(&text, loop) : dd_loop_text(&text, loop, cli_use_colour(stdout));
    if (st == DD_OK) {
        fputs(text, stdout);
        if (o->common.json) {
            putchar('\n');
        } else if (info.samples > 0) {
            print_files(&info, o);
        }
        *code = exit_code(info.status);
    }
    return st;
}

/* The plant, where it is another model than that of the class. */
static dd_status load_plant(const dd_system *system, const control_options *o, const dd_control_options *settings,
                            dd_model **model, dd_system **plant)
{
    if (settings->plant == NULL || settings->measurements != NULL) {
        return DD_OK;
    }
    dd_load_options load = dd_load_options_default();
    load.libraries = o->common.library.items;
    load.n_libraries = (uint32_t)o->common.library.count;
    const dd_status st = dd_loop_load_plant(model, system, o->file, settings->plant, &load);
    return st == DD_OK ? dd_model_analyse(plant, *model, NULL) : st;
}

static dd_status run(dd_context *ctx, dd_system *system, const void *options_given, int *code)
{
    const control_options *o = options_given;
    dd_control_options settings = o->control;
    dd_model *model = NULL;
    dd_system *plant = NULL;
    dd_loop *loop = NULL;
    dd_status st = dd_control_options_of(&settings, system, o->given);
    st = st == DD_OK ? load_plant(system, o, &settings, &model, &plant) : st;
    st = st == DD_OK ? dd_loop_new(&loop, system, plant, &settings) : st;
    st = st == DD_OK ? dd_loop_show(loop, o->show.items, (uint32_t)o->show.count) : st;
    if (st == DD_OK && (o->film || o->overlay.count > 0)) {
        st = dd_loop_set_overlays(loop, o->overlay.items, (uint32_t)o->overlay.count);
    }
    st = st == DD_OK ? dd_loop_run(loop) : st;
    /* files first: the printed result says where they are */
    if (st == DD_OK) {
        st = write_files(loop, o);
        if (st == DD_IO) {
            *code = cli_report_io(dd_context_message(ctx), o->common.json);
            st = DD_OK;
        } else if (st == DD_OK) {
            st = print_result(loop, o, code);
        }
    }
    dd_loop_free(loop);
    dd_system_free(plant);
    dd_model_free(model);
    return st;
}

int cmd_control(int argc, char **argv)
{
    static control_options o; /* a list of settings is large */
    o = (control_options){.control = dd_control_options_default()};
    const cli_library_options library = {dd_control_option, set_option, &o, &o.given};
    const cli_option options[] = {
        {"--output", 'o', CLI_TEXT, "FILE.csv", "write the record of the loop", &o.output},
        {"--report", 0, CLI_TEXT, "FILE.html", "write a page with plots, plans and timing", &o.report},
        {"--plot", 0, CLI_TEXT, "FILE.svg",
         "write a picture (SVG, PNG, PDF) of the variables in --show (default: the first ones)", &o.plot},
        {"--show", 0, CLI_LIST, "NAMES",
         "what pictures, pages and final values show: x,estimate.x or 'caption: x,v over y'; may be repeated", &o.show},
        {"--film", 0, CLI_TEXT, "FILE.svg", "write the motion of what the model draws as a picture of several poses",
         &o.film},
        {"--overlay", 0, CLI_LIST, "FILE.csv", "draw another trajectory of the model over the loop; may be repeated",
         &o.overlay},
        CLI_COMMON_OPTIONS(&o.common),
    };
    const cli_spec spec = {.verb = "control",
                           .operands = "FILE [CLASS]",
                           .summary =
                               "closes the loop: solves the class at every sample and simulates the plant in between",
                           .library = &library,
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_operands = 1,
                           .max_operands = 2};
    cli_operands operands;
    int code = cli_parse(&spec, argc, argv, &operands);
    if (code != CLI_GO_ON) {
        return code;
    }
    if (o.overlay.count > 0 && !o.film && !o.report) {
        return cli_usage_error("control", "--overlay belongs to --report FILE.html or --film FILE.svg");
    }
    int picture = cli_check_picture("control", "--plot", o.plot);
    picture = picture == CLI_GO_ON ? cli_check_picture("control", "--film", o.film) : picture;
    if (picture != CLI_GO_ON) {
        return picture;
    }
    const char *written[] = {o.output, o.report, o.plot, o.film};
    code = cli_check_outputs("control", &operands, written, sizeof written / sizeof *written, o.common.json);
    if (code != CLI_GO_ON) {
        return code;
    }
    o.file = operands.items[0];
    cli_limit_threads(o.control.threads);
    return cli_on_system(&operands, &o.common, cli_analysis(true), run, &o);
}
