/* The equations of models made of parts: what connections say is no unknown, rates are in closed form, and the rows that
 * are chosen determine the derivatives. Flat models of the size of a thumb, and mechanisms from the library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "eval/derivative.h"
#include "eval/program.h"
#include "structure/equations.h"
#include "structure/variant.h"

typedef struct loaded {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_equations *q;
} loaded;

typedef struct call {
    loaded *l;
    dd_pool *pool;
    dd_form_of_equations form;
} call;

static void equations_body(void *arg)
{
    call *c = arg;
    c->l->q = dd_system_equations(c->l->system, c->form, 0, c->pool);
}

static void make_equations(loaded *l, dd_form_of_equations form)
{
    call c = {l, l->system->pool, form};
    assert_int_equal(dd_protect(l->ctx, equations_body, &c), DD_OK);
    assert_int_equal(l->q->rows.len, l->q->x.len + l->q->z.len); /* rows and unknowns balance */
}

static void analyse(loaded *l, bool parameters_stay)
{
    dd_analyse_options options = dd_analyse_options_default();
    options.parameters_stay = parameters_stay;
    assert_int_equal(dd_model_analyse(&l->system, l->model, &options), DD_OK);
    make_equations(l, DD_EQUATIONS_REDUCED);
}

static loaded load_text(const char *text)
{
    loaded l = {0};
    assert_int_equal(dd_context_new(&l.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&l.model, l.ctx, "m.mo", text, strlen(text), NULL), DD_OK);
    analyse(&l, false);
    return l;
}

static loaded load_file(const char *file, const char *class_name, bool parameters_stay)
{
    loaded l = {0};
    char path[1000];
    const char *source = getenv("DAEDAL_SOURCE");
    dd_load_options options = dd_load_options_default();
    options.class_name = class_name;
    snprintf(path, sizeof path, "%s/%s", source ? source : ".", file);
    assert_int_equal(dd_context_new(&l.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_file(&l.model, l.ctx, path, &options), DD_OK);
    analyse(&l, parameters_stay);
    return l;
}

static void release(loaded *l)
{
    dd_system_free(l->system);
    dd_model_free(l->model);
    dd_context_free(l->ctx);
}

/* Derivatives that are no explicit rate, in all rows. */
static uint32_t implicit_rates(const loaded *l)
{
    const dd_dag *dag = l->model->dag;
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->q->rows.len; i++) {
        dd_expr_vec symbols = {0};
        dd_symbols(l->model->dag, l->q->rows.data[i], false, &symbols, l->system->pool);
        uint32_t here = 0;
        for (uint32_t k = 0; k < symbols.len; k++) {
            here += dd_op_of(dag, symbols.data[k]) == DD_OP_VAR && dd_symbol_order(dag, symbols.data[k]) == 1;
        }
        count += l->q->rate.data[i] != DD_EXPR_NONE ? here - 1 : here;
    }
    return count;
}

/* A point on a rod whose end goes through three names. The rod's vector d is one of p: its rate is v in closed form, so no
 * square of a derivative is left in the row that gives the force. */
static void test_names_leave(void **state)
{
    (void)state;
    loaded l =
        load_text("model M Real p[2](start = {0.6, -0.8}), v[2] = der(p), a[2], b[2], c[2], d[2] = c - {0, 0}, f;"
                  "equation a = p; b = a; c = b; der(v) = -f*d - {0, 9.81}; d*d = 1; end M;");
    assert_int_equal(l.system->dof, 2);
    assert_true(l.q->x.len <= 6); /* p, v and at most one more name of p */
    assert_true(l.q->z.len <= 1);
    assert_int_equal(implicit_rates(&l), 0);
    release(&l);
}

/* w is a mere name of the rate of phi: phi'' is an unknown all the same. */
static void test_named_rate(void **state)
{
    (void)state;
    loaded l =
        load_text("model M Real x(start = 1), y(start = 0), phi(start = 0), w = der(phi), f[2], u = der(x), v = der(y);"
                  "equation der(u) = f[1]; der(v) = f[2] - 9.81; x*f[2] = y*f[1];"
                  "x*cos(phi) + y*sin(phi) = 1; x*sin(phi) = y*cos(phi); end M;");
    assert_int_equal(l.system->dof, 2);
    release(&l);
}

static void keeps_at_most(const loaded *l, const char *name, uint32_t most_x, uint32_t most_z)
{
    if (l->q->x.len > most_x || l->q->z.len > most_z) {
        fail_msg("%s: %u differential and %u algebraic unknowns are kept", name, l->q->x.len, l->q->z.len);
    }
}

/* Where joints determine bodies: joint coordinates and their rates in trees. Closed loops keep all coordinates where an
 * integrator marches, and for a transcription the joints', with the multipliers of the loop. */
static void test_mechanisms(void **state)
{
    (void)state;
    static const struct {
        const char *file, *name;
        int dof;
        uint32_t march_x, march_z, most_x, most_z;
    } mechanism[] = {
        {"examples/delta_robot_parts.mo", "DeltaRobotParts", 6, 60, 45, 12, 3}, /* 3 angles, a point; 3 rods */
        {"examples/four_bar.mo", "FourBar", 2, 24, 9, 6, 2}, /* 3 angles; the force that closes the loop */
        {"examples/four_bar.mo", "FourBarInSpace", 2, 48, 47, 6, 2},
        {"examples/slider_crank_parts.mo", "SliderCrankParts", 2, 20, 9, 4, 1},
        {"examples/spatial_chain.mo", "SpatialChain", 36, 84, 43, 84, 43}, /* 6 rods */
        {"examples/double_pendulum.mo", "DoublePendulum", 4, 4, 0, 4, 0},
        {"examples/satellite.mo", "Satellite", 16, 18, 4, 18, 4},
        {"tests/verify/ocp/mechanics/gantry_ball.mop", "Gantry", 10, 49, 40, 11, 1}, /* slides, quaternion, rates; mu */
        {"tests/verify/ocp/mechanics/scara_parts.mop", "Scara", 8, 8, 4, 8, 4},
    };
    for (size_t i = 0; i < sizeof mechanism / sizeof *mechanism; i++) {
        loaded l = load_file(mechanism[i].file, mechanism[i].name, false);
        assert_int_equal(l.system->dof, mechanism[i].dof);
        keeps_at_most(&l, mechanism[i].name, mechanism[i].march_x, mechanism[i].march_z);
        make_equations(&l, DD_EQUATIONS_UNDIVIDED);
        keeps_at_most(&l, mechanism[i].name, mechanism[i].most_x, mechanism[i].most_z);
        release(&l);
    }
}

#define ARM_HEAD "model Arm import Daedal.Mechanics.*; World world; input Real u[3];"
#define ARM_PARTS                                                                                                      \
    "Revolute shoulder(n = {0, 0, 1}, tau = u[1]), elbow(n = {0, 0.6, 0.8}, tau = u[2]); Prismatic slide(force = "     \
    "u[3]);"                                                                                                           \
    "Link upper(ra = {-0.2, 0, 0}, rb = {0.2, 0, 0}), lower(ra = {-0.1, 0, 0}, rb = {0.1, 0.1, 0}); Body hand(m = 2);"

/* A tree of joints whose axes lie anywhere, built in both directions: each joint may have either side nearer to the world. */
static void test_arm(void **state)
{
    (void)state;
    static const char *const models[] = {
        ARM_HEAD ARM_PARTS
        "equation connect(world.frame, shoulder.a); connect(shoulder.b, upper.a); connect(upper.b, elbow.a);"
        "connect(elbow.b, lower.a); connect(lower.b, slide.a); connect(slide.b, hand.frame); end Arm;",
        ARM_HEAD ARM_PARTS
        "equation connect(world.frame, shoulder.b); connect(shoulder.a, upper.a); connect(upper.b, elbow.b);"
        "connect(elbow.a, lower.a); connect(lower.b, slide.b); connect(slide.a, hand.frame); end Arm;",
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        loaded l = load_text(models[i]);
        assert_int_equal(l.system->dof, 6);
        assert_int_equal(l.q->x.len, 6);
        assert_int_equal(l.q->z.len, 0);
        assert_int_equal(l.q->invariants.len, 0);
        uint32_t rates = 0;
        for (uint32_t k = 0; k < l.q->rows.len; k++) {
            const dd_expr f = l.q->rate.data[k];
            assert_true((f == DD_EXPR_NONE) == (l.q->rate_of.data[k] == DD_NO_INDEX));
            if (f != DD_EXPR_NONE) { /* the row is the rate of its state, written as a residual */
                const dd_expr x = l.q->x.data[l.q->rate_of.data[k]];
                const dd_expr rate = dd_var(l.model->dag, dd_symbol_id(l.model->dag, x), 1);
                assert_int_equal(l.q->rows.data[k], dd_sub(l.model->dag, rate, f));
                rates++;
            }
        }
        assert_int_equal(rates, 3); /* of the joint coordinates */
        const dd_system *rest = l.q->system;
        assert_ptr_not_equal(rest, l.system);
        make_equations(&l, DD_EQUATIONS_UNDIVIDED);
        assert_ptr_equal(l.q->system, rest); /* condensed once, for all forms */
        assert_int_equal(l.q->x.len, 6);
        release(&l);
    }
}

typedef struct counted {
    loaded l;
    uint32_t residual, jacobian; /* instructions */
} counted;

static uint32_t instructions(loaded *l, const dd_expr *outputs, uint32_t n)
{
    dd_pool *pool = l->system->pool;
    dd_expr_vec symbols = {0}, in = {0}, constants = {0};
    dd_map seen = dd_map_new(pool);
    for (uint32_t i = 0; i < n; i++) {
        dd_symbols(l->model->dag, outputs[i], true, &symbols, pool);
    }
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (dd_map_get(&seen, symbols.data[i]) == 0) {
            const bool parameter = dd_op_of(l->model->dag, symbols.data[i]) == DD_OP_PARAM;
            dd_map_put(&seen, symbols.data[i], 1);
            dd_vec_push(pool, parameter ? &constants : &in, symbols.data[i]);
        }
    }
    const dd_program_spec spec = {.inputs = in.data,
                                  .n_inputs = in.len,
                                  .constants = constants.data,
                                  .n_constants = constants.len,
                                  .outputs = outputs,
                                  .n_outputs = n};
    return dd_program_get_info(dd_program_new(pool, l->model->dag, &spec)).instructions;
}

static void count_body(void *user)
{
    counted *c = user;
    loaded *l = &c->l;
    dd_expr_vec wanted = {0};
    l->q = dd_system_equations(l->system, DD_EQUATIONS_UNDIVIDED, 0, l->system->pool);
    for (uint32_t i = 0; i < l->q->x.len; i++) {
        const uint32_t var = dd_symbol_id(l->model->dag, l->q->x.data[i]);
        dd_vec_push(l->system->pool, &wanted, l->q->x.data[i]);
        dd_vec_push(l->system->pool, &wanted, dd_var(l->model->dag, var, 1));
    }
    const dd_derivative *d =
        dd_jacobian_new(l->system->pool, l->model->dag, l->q->rows.data, l->q->rows.len, wanted.data, wanted.len);
    c->residual = instructions(l, l->q->rows.data, l->q->rows.len);
    c->jacobian = instructions(l, d->entries, d->ptr[wanted.len]);
}

/* From parts the formulas are hardly longer than those from the energies: at most so many times. */
static void compare_operations(const char *parts_file, const char *energies_file, const char *name, double residual,
                               double jacobian)
{
    counted parts = {.l = load_file(parts_file, name, true)}, energies = {.l = load_file(energies_file, name, true)};
    assert_int_equal(dd_protect(parts.l.ctx, count_body, &parts), DD_OK);
    assert_int_equal(dd_protect(energies.l.ctx, count_body, &energies), DD_OK);
    assert_int_equal(parts.l.q->x.len, energies.l.q->x.len);
    if (parts.residual > residual * energies.residual || parts.jacobian > jacobian * energies.jacobian) {
        fail_msg("residual %u (energies %u), Jacobian %u (%u)", parts.residual, energies.residual, parts.jacobian,
                 energies.jacobian);
    }
    release(&parts.l);
    release(&energies.l);
}

/* An arm of seven joints in space, and one whose axes are all upright: there its angles add up. */
static void test_operations(void **state)
{
    (void)state;
    compare_operations("tests/verify/ocp/mechanics/arm_seven.mop", "tests/verify/ocp/mechanics/arm_seven_ode.mop",
                       "ArmOfSeven", 1, 1.9);
    compare_operations("tests/verify/ocp/mechanics/scara_parts.mop", "tests/verify/ocp/mechanics/scara_parts_ode.mop",
                       "Scara", 2, 4.2);
}

static void set_body(void *user)
{
    loaded *l = user;
    dd_variant *v = dd_variant_new(l->system, l->system->pool);
    const uint32_t length = dd_system_find(l->system, "b.ra[1]", l->system->pool);
    /* settable only where the equations still contain it */
    const bool stays = l->system->options.parameters_stay;
    assert_int_equal(dd_variant_set(v, length, 0.1), stays ? DD_INVALID_ARGUMENT : DD_OK);
    assert_true(!stays || strstr(dd_context_message(l->ctx), "keeps its value") != NULL);
}

/* Parameters leave the formulas when they keep their values; then they cannot be set. The states are the same. */
static void test_numbers(void **state)
{
    (void)state;
    static const char text[] =
        "model M import Daedal.Mechanics.*; World world; Revolute j(n = {0, 1, 0}, tau = 1);"
        "Link b(ra = {-0.3, 0, 0}); equation connect(world.frame, j.a); connect(j.b, b.a); end M;";
    for (int stay = 0; stay < 2; stay++) {
        loaded l = {0};
        assert_int_equal(dd_context_new(&l.ctx, NULL), DD_OK);
        assert_int_equal(dd_model_load_text(&l.model, l.ctx, "m.mo", text, strlen(text), NULL), DD_OK);
        analyse(&l, stay == 1);
        keeps_at_most(&l, "M", 2, 0);
        assert_int_equal(dd_protect(l.ctx, set_body, &l), DD_OK);
        release(&l);
    }
}

/* x is given by a row whose coefficient is zero but for rounding: nothing is divided by it. */
static void test_no_coefficient(void **state)
{
    (void)state;
    loaded l = load_text(
        "model M parameter Real a = 1.5707963267948966; Real p[2](start = {0, 1}), v[2] = der(p), s(start = 1), f;"
        "equation der(v) = {-f*sin(a), f*cos(a) - 9.81}; cos(a)*s = p[1]; sin(a)*s = p[2]; end M;");
    for (uint32_t i = 0; i < l.q->assigned.len; i++) {
        double value = 0;
        uint32_t culprit;
        dd_expr_vec symbols = {0}, partials = {0};
        dd_partials(l.model->dag, l.q->assigned.data[i].value, false, &symbols, &partials, l.system->pool);
        for (uint32_t k = 0; k < partials.len; k++) {
            if (dd_model_evaluate(l.model, partials.data[k], false, &value, &culprit)) {
                assert_true(value < 1e8 && value > -1e8);
            }
        }
    }
    release(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_leave), cmocka_unit_test(test_named_rate),     cmocka_unit_test(test_mechanisms),
        cmocka_unit_test(test_arm),         cmocka_unit_test(test_no_coefficient), cmocka_unit_test(test_operations),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
