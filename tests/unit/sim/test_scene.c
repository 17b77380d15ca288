/* Drawings along a trajectory: the numbers of a scene are those of the variables at every frame; loops, parts, rotations,
 * branches and overlays; texts of a model that would be markup; a run does not depend on its drawing. */
#include "unit/sim/examples.h"

#include "sim/sim_impl.h"

#define PENDULUM                                                                                                       \
    "model P parameter Real L = 2; parameter Boolean forces = false; "                                                 \
    "Real phi(start = 1, fixed = true), w(start = 0, fixed = true) = der(phi); input Real u; Real p[2] = "             \
    "L*{sin(phi), -cos(phi)};\n"                                                                                       \
    "equation der(w) = -9.81/L*sin(phi) + u;\n"

static dd_scene *scene_of(run *r, dd_pool **pool)
{
    *pool = dd_pool_new(r->ctx);
    return dd_sim_scene(r->sim, *pool);
}

static dd_sim_options drawn_until(double stop)
{
    dd_sim_options o = until(stop);
    o.keep_curves = true;
    return o;
}

static double at_frame(const dd_scene *s, uint32_t frame, uint32_t shape, uint32_t i)
{
    return dd_scene_number(s, &s->motions[0], frame, &s->shapes[shape], i);
}

/* Points, lists, loops, sizes from parameters, rotations by an angle: at every frame, from phi there. */
static void numbers(void **state)
{
    (void)state;
    run r = simulate_text(PENDULUM "annotation(Daedal(draw(bob = sphere(p, radius = L/20, label = \"bob\"), "
                                   "marks = {{point(k*p/4), point({0, k})} for k in 1:3}, "
                                   "body = box(p/2, size = {0.1, L}, rotation = phi), "
                                   "f = if forces then arrow(p, {u, 0}) else {}, angle = trail({time, phi})))); end P;",
                          drawn_until(2));
    dd_pool *pool;
    const dd_scene *s = scene_of(&r, &pool);
    assert_int_equal(s->n_shapes, 1 + 6 + 1 + 1);
    assert_true(dd_scene_is_plane(s) && s->motions[0].frames > 1000);
    assert_string_equal(s->shapes[0].look.label, "bob");
    assert_string_equal(s->shapes[6].look.name, "marks");
    double turned = 0;
    for (uint32_t f = 0; f < s->motions[0].frames; f++) {
        const double t = at_frame(s, f, 8, 0), phi = at_frame(s, f, 8, 2);
        turned = fmax(turned, fabs(phi - 1));
        assert_true(fabs(t - s->motions[0].time[f]) < 1e-6);
        assert_true(fabs(at_frame(s, f, 0, 0) - 2 * sin(phi)) < 1e-6 &&
                    fabs(at_frame(s, f, 0, 2) + 2 * cos(phi)) < 1e-6);
        assert_true(at_frame(s, f, 0, 1) == 0 && fabs(at_frame(s, f, 0, 3) - 0.1) < 1e-7);
        assert_true(fabs(at_frame(s, f, 5, 0) - 1.5 * sin(phi)) < 1e-6 && at_frame(s, f, 6, 2) == 3);
        /* size 0.1 x 2, axes (cos, sin) and across the picture */
        assert_true(fabs(at_frame(s, f, 7, 3) - 0.1) < 1e-7 && at_frame(s, f, 7, 5) == 2);
        assert_true(fabs(at_frame(s, f, 7, 6) - cos(phi)) < 1e-6 && fabs(at_frame(s, f, 7, 8) - sin(phi)) < 1e-6);
    }
    assert_true(turned > 1.9);
    dd_pool_free(pool);
    end(&r);
}

/* The ground is in view where it is near, and not where everything else would be tiny. */
static void ground_in_view(void **state)
{
    (void)state;
    static const struct {
        const char *height;
        double low;
    } cases[] = {{"-3", -3}, {"-300", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "model B Real x(start = -1, fixed = true); equation der(x) = 1; "
                 "annotation(Daedal(draw(b = point({0, x}), g = ground(height = %s)))); end B;",
                 cases[i].height);
        run r = simulate_text(text, drawn_until(2));
        dd_pool *pool;
        double low[3], high[3];
        dd_scene_bounds(scene_of(&r, &pool), low, high);
        assert_true(fabs(low[2] - cases[i].low) < 1e-6 && fabs(high[2] - 1) < 1e-6);
        dd_pool_free(pool);
        end(&r);
    }
}

/* Forces from an input with a formula; the branch that a parameter opens. */
static void inputs(void **state)
{
    (void)state;
    run r = {0};
    const char *text = PENDULUM "annotation(Daedal(draw(f = if forces then arrow(p, {u, 0}) else {}))); end P;";
    const char *settings[] = {"forces=true", "u=3*sin(time)"};
    dd_load_options load = dd_load_options_default();
    load.settings = settings;
    load.n_settings = 2;
    assert_int_equal(dd_context_new(&r.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&r.model, r.ctx, "m.mo", text, strlen(text), &load), DD_OK);
    const dd_sim_options o = drawn_until(3);
    go(&r, &o);
    dd_pool *pool;
    const dd_scene *s = scene_of(&r, &pool);
    const dd_scene_motion *m = &s->motions[0];
    assert_int_equal(s->n_shapes, 1);
    for (uint32_t f = 0; f < m->frames; f++) {
        assert_true(fabs(at_frame(s, f, 0, 3) - 3 * sin(m->time[f])) < 1e-6);
    }
    assert_true(fabs(dd_scene_longest(s, pool)[0] - 3) < 1e-4);
    dd_pool_free(pool);
    end(&r);
}

/* Parts bring their drawings with them; a class replaces what it inherits by the same name; quaternions. */
static void parts(void **state)
{
    (void)state;
    run r = simulate_text(
        "model Part parameter Real L = 1; Real a(start = 0, fixed = true); equation der(a) = L; "
        "annotation(Daedal(draw(tip = point({cos(a), sin(a), L}), base = point({0, 0, L})))); end Part;\n"
        "model Round extends Part; annotation(Daedal(draw(base = frame({0, 0, 1}, rotation = {cos(a/2), 0, 0, "
        "sin(a/2)}), "
        "tip = false))); end Round;\n"
        "model M Part part[2](L = {1, 2}); Round round(L = 3); annotation(Daedal(draw(rods = {line(zeros(3), "
        "{cos(part[i].a), 0, 0}) for i in 1:size(part, 1)}))); end M;",
        drawn_until(1));
    dd_pool *pool;
    const dd_scene *s = scene_of(&r, &pool);
    assert_int_equal(s->n_shapes, 2 + 2 * 2 + 1);
    assert_string_equal(s->shapes[2].look.name, "part[1].tip");
    assert_string_equal(s->shapes[6].look.name, "round.base");
    const uint32_t last = s->motions[0].frames - 1;
    assert_true(fabs(at_frame(s, last, 1, 3) - cos(2.0)) < 1e-6);
    assert_true(fabs(at_frame(s, last, 4, 1) - sin(2.0)) < 1e-6 && at_frame(s, last, 4, 2) == 2);
    /* the first axis of the frame is turned by 3 about z */
    assert_true(fabs(at_frame(s, last, 6, 3) - cos(3.0)) < 1e-6 && fabs(at_frame(s, last, 6, 4) - sin(3.0)) < 1e-6);
    assert_false(dd_scene_is_plane(s));
    dd_pool_free(pool);
    end(&r);
}

/* The trajectory is the same, bit by bit, whether or not the model draws. */
static void no_effect(void **state)
{
    (void)state;
    run plain = simulate_text(PENDULUM "end P;", until(3));
    run drawn = simulate_text(
        PENDULUM "annotation(Daedal(draw(q = point({sin(phi)*w, w + phi*u}), r = point(L*p)))); end P;", until(3));
    assert_int_equal(dd_sim_row_count(plain.sim), dd_sim_row_count(drawn.sim));
    for (uint64_t row = 0; row < dd_sim_row_count(plain.sim); row++) {
        for (uint32_t i = 0; i < dd_sim_variable_count(plain.sim); i++) {
            assert_true(dd_sim_row_value(plain.sim, row, i) == dd_sim_row_value(drawn.sim, row, i));
        }
    }
    end(&plain);
    end(&drawn);
}

/* ---- files ---- */

static char *contents(const char *path, char *buffer, size_t size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t n = fread(buffer, 1, size - 1, f);
    buffer[n] = '\0';
    fclose(f);
    return buffer;
}

static void film(void **state)
{
    (void)state;
    static char buffer[1 << 20];
    run r = simulate_text(PENDULUM
                          "annotation(Daedal(draw(bob = sphere(p, radius = 0.1, label = \"</text><script>x\"), rod = "
                          "line({0, 0}, p), way = trail(p)))); end P;",
                          drawn_until(2));
    assert_int_equal(dd_sim_write_film(r.sim, "film_test.svg"), DD_OK);
    contents("film_test.svg", buffer, sizeof buffer);
    assert_non_null(strstr(buffer, "<svg"));
    assert_non_null(strstr(buffer, "&#60;/text&#62;&#60;script&#62;x"));
    assert_null(strstr(buffer, "<script"));
    uint32_t poses = 0, trails = 0;
    for (const char *at = buffer; (at = strstr(at, "<g opacity")) != NULL; at++) {
        poses++;
    }
    for (const char *at = buffer; (at = strstr(at, "class=\"trail\"")) != NULL; at++) {
        trails++;
    }
    assert_int_equal(poses, DD_FILM_POSES);
    assert_int_equal(trails, 1);
    end(&r);
    remove("film_test.svg");
}

/* Another run of the same model over this one; files that do not fit are refused before. */
static void overlays(void **state)
{
    (void)state;
    const char *text = PENDULUM "annotation(Daedal(draw(bob = point(p)))); end P;";
    run other = simulate_text(text, drawn_until(1));
    assert_int_equal(dd_sim_write_csv(other.sim, "overlay_test.csv"), DD_OK);
    run r = simulate_text(text, drawn_until(2));
    const char *file = "overlay_test.csv", *missing = "overlay_none.csv";
    assert_int_equal(dd_sim_set_overlays(r.sim, &file, 1), DD_OK);
    dd_pool *pool;
    const dd_scene *s = scene_of(&r, &pool);
    assert_int_equal(s->n_motions, 2);
    assert_string_equal(s->motions[1].name, file);
    const uint32_t last = s->motions[1].frames - 1;
    assert_true(fabs(dd_scene_number(s, &s->motions[1], last, &s->shapes[0], 0) - dd_sim_value(other.sim, "p[1]")) <
                1e-6);
    dd_pool_free(pool);
    assert_int_not_equal(dd_sim_set_overlays(r.sim, &missing, 1), DD_OK);
    FILE *f = fopen(file, "w");
    fputs("time,x\n0,1\n", f);
    fclose(f);
    assert_int_equal(dd_sim_set_overlays(r.sim, &file, 1), DD_INVALID_ARGUMENT);
    assert_non_null(strstr(dd_context_message(r.ctx), "overlay_test.csv has no column p[1]"));
    end(&r);
    end(&other);
    remove(file);
}

static void nothing_to_draw(void **state)
{
    (void)state;
    run r = simulate_text(PENDULUM "end P;", until(1));
    assert_int_equal(dd_sim_write_film(r.sim, "film_none.svg"), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_sim_set_overlays(r.sim, NULL, 0), DD_INVALID_ARGUMENT);
    assert_non_null(strstr(dd_context_message(r.ctx), "P draws nothing"));
    end(&r);
}

/* ---- failures ---- */

/* Everything from the text to both files, with one allocation that fails. */
static dd_status draw_all(uint64_t fail_at)
{
    const char *text =
        PENDULUM "annotation(Daedal(draw(bob = sphere(p, radius = 0.1, label = \"bob\"), marks = {point(k*p/3) for "
                 "k in 1:2}, way = trail(p), f = arrow(p, {u, 0}), view(follow = p)))); end P;";
    dd_context_options options = dd_context_options_default();
    options.fail_at = fail_at;
    run r = {0};
    dd_status st = dd_context_new(&r.ctx, &options);
    st = st == DD_OK ? dd_model_load_text(&r.model, r.ctx, "m.mo", text, strlen(text), NULL) : st;
    st = st == DD_OK ? dd_model_analyse(&r.system, r.model, NULL) : st;
    const dd_sim_options o = drawn_until(0.05);
    st = st == DD_OK ? dd_sim_new(&r.sim, r.system, &o) : st;
    st = st == DD_OK ? dd_sim_run(r.sim) : st;
    st = st == DD_OK && dd_sim_get_info(r.sim).status == DD_SIM_OUT_OF_MEMORY ? DD_OUT_OF_MEMORY : st;
    st = st == DD_OK ? dd_sim_write_film(r.sim, "film_fail.svg") : st;
    st = st == DD_OK ? dd_sim_write_report(r.sim, "film_fail.html") : st;
    end(&r);
    return st;
}

static void failing_allocations(void **state)
{
    (void)state;
    /* a prime step, so that all kinds of allocations are met; until none fails any more */
    enum { STEP = 23, MOST = 200000 };
    uint64_t at = 1, failed = 0;
    for (dd_status st = DD_OUT_OF_MEMORY; st != DD_OK && at < MOST; at += STEP, failed++) {
        st = draw_all(at);
        assert_true(st == DD_OK || st == DD_OUT_OF_MEMORY);
    }
    assert_true(failed > 20 && at < MOST);
    remove("film_fail.svg");
    remove("film_fail.html");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),  cmocka_unit_test(ground_in_view),  cmocka_unit_test(inputs),
        cmocka_unit_test(parts),    cmocka_unit_test(no_effect),       cmocka_unit_test(film),
        cmocka_unit_test(overlays), cmocka_unit_test(nothing_to_draw), cmocka_unit_test(failing_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
