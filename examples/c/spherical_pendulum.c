/* spherical_pendulum.c - a model built by calls, and what the analysis says about it.
 *
 * A mass m hangs on a rod of length L and may swing in every direction. In Cartesian coordinates p = (x, y, z) its
 * energies are simple, but the rod is a constraint between the coordinates: together with Lagrange's equations this is
 * a differential-algebraic equation of index 3.
 *
 *     cc spherical_pendulum.c $(pkg-config --cflags --libs daedal) -o spherical_pendulum
 */
#include <daedal/daedal.h>
#include <stdio.h>

/* The model. Calls that build expressions cannot fail loudly: after the first mistake everything that follows is
 * DD_EXPR_NONE, and the first cause is reported by the next call that returns a status. So only those are looked at. */
static dd_status build(dd_model *model)
{
    dd_status status;

    /* parameters with their values; size 0 is a scalar */
    const double mass_value = 1, length_value = 1, gravity_value = 9.81;
    dd_expr m, L, g;
    dd_model_add_parameter(model, "m", 0, &mass_value, &m);
    dd_model_add_parameter(model, "L", 0, &length_value, &L);
    dd_model_add_parameter(model, "g", 0, &gravity_value, &g);

    /* unknowns: the position, which begins at (0.6, 0, -0.8), and the force in the rod. Of the position two values are
     * fixed; the third follows from the rod, so its start is a guess. */
    dd_attributes at[3] = {dd_attributes_default(), dd_attributes_default(), dd_attributes_default()};
    at[0].start = 0.6;
    at[0].fixed = true;
    at[1].start = 0;
    at[1].fixed = true;
    at[2].start = -0.8;
    at[0].unit = "m";
    at[0].doc = "position of the mass";
    dd_expr p[3], lambda;
    dd_model_add_variable(model, "p", 3, at, p);
    dd_model_add_variable(model, "lambda", 0, NULL, &lambda);

    /* T = m/2 v*v with the speed v = der(p), V = m g z, and the rod: p*p - L^2 = 0 */
    dd_expr v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = dd_expr_der(model, p[i]);
    }
    dd_expr half_m = dd_expr_mul(model, dd_expr_number(model, 0.5), m);
    dd_expr T = dd_expr_mul(model, half_m, dd_expr_dot(model, v, v, 3));
    dd_expr V = dd_expr_mul(model, dd_expr_mul(model, m, g), p[2]);
    dd_expr rod = dd_expr_sub(model, dd_expr_dot(model, p, p, 3), dd_expr_mul(model, L, L));

    /* Lagrange's equations: three equations of motion and the constraint */
    dd_lagrange_input mechanics = {.q = p, .nq = 3, .T = T, .V = V, .c = &rod, .nc = 1, .lambda = &lambda};
    status = dd_model_add_lagrange(model, &mechanics);
    if (status != DD_OK) {
        return status;
    }

    /* the start: der(p[1]) = 0, der(p[2]) = 1; the third speed follows */
    dd_model_add_initial_equation(model, "", v[0], dd_expr_number(model, 0));
    return dd_model_add_initial_equation(model, "", v[1], dd_expr_number(model, 1));
}

static void show(const dd_system *s)
{
    printf("index               %d\n", dd_system_index(s));
    printf("degrees of freedom  %d\n", dd_system_dof(s));
    for (uint32_t i = 0; i < dd_system_visible_text_count(s); i++) {
        printf("constraint          %s\n", dd_system_visible_text(s, i).equation);
    }
    for (uint32_t i = 0; i < dd_system_hidden_text_count(s); i++) {
        printf("hidden constraint   %s\n", dd_system_hidden_text(s, i).equation);
    }
    printf("initial conditions  %u given, %u missing\n", dd_system_initial_given(s), dd_system_initial_missing(s));
}

int main(void)
{
    dd_context *ctx = NULL;
    dd_model *model = NULL;
    dd_system *system = NULL;
    const char *text = NULL;

    /* memory, limits and messages belong to a context; models and systems are made from it */
    dd_status status = dd_context_new(&ctx, NULL);
    if (status != DD_OK) {
        fprintf(stderr, "%s\n", dd_status_text(status));
        return 1;
    }
    status = dd_model_new(&model, ctx, "SphericalPendulum");
    if (status == DD_OK) {
        status = build(model);
    }
    if (status == DD_OK) {
        status = dd_model_analyse(&system, model, NULL);
    }
    if (status == DD_OK) {
        show(system);
        status = dd_model_flat_text(&text, model);
    }
    if (status == DD_OK) {
        printf("\nthe same model as text:\n\n%s", text);
    } else {
        fprintf(stderr, "%s\n", dd_context_message(ctx));
    }

    /* a pendulum with a rigid rod has index 3 and four degrees of freedom: two positions and two speeds */
    int wrong = status != DD_OK || dd_system_index(system) != 3 || dd_system_dof(system) != 4;

    dd_system_free(system);
    dd_model_free(model);
    dd_context_free(ctx);
    return wrong;
}
