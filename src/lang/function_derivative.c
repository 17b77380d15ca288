/* function_derivative.c - annotation(derivative = f_der).
 *
 * f_der has the inputs of f, then the derivatives of its Real inputs, and returns the derivatives of its Real
 * outputs. It is linear in the derivatives, so its value at the unit vector e_j is the partial derivative p_j by
 * input scalar j, and each output scalar becomes an expression that carries its partials (dd_derived): d f = sum p_j
 * d x_j in every derivative that is taken later.
 *
 * With derivative(order = 2) = f_2 on f_der, f_2(x, v, 0) = D2f[v, v], and the derivative of p_i by x_j is, by
 * polarisation, (D2f[e_i + e_j, e_i + e_j] - D2f[e_i, e_i] - D2f[e_j, e_j])/2. Higher orders are differentiated from
 * there.
 *
 * zeroDerivative = k: holds only where k does not change; elsewhere f is differentiated as it is written.
 *
 * noDerivative = s says that the rate of s is not needed, because it is known in other ways: track({p, v, a}, t) = p
 * has the rate v. So f_der is the whole rate in time, but no partial derivative by s, and f does depend on s: an
 * equation p1 = track({p2, v2, a2}, time) may be the one that p2 follows from. Where s contains unknowns f is
 * therefore differentiated as it is written, by s too, which yields the same rate along solutions. Where s contains
 * inputs, parameters and time only, nothing is sought in it and f_der is used: that is how a motion is prescribed
 * whose derivatives are given as signals. */
#include <string.h>

#include "lang/function_private.h"

/* ---- reading the annotation ---- */

static const char *text_of(const dd_functions *fs, uint32_t name)
{
    return dd_names_get(fs->names, name);
}

/* noDerivative = x: marks the input. */
static bool mark_input(dd_functions *fs, const dd_function *fn, const dd_ast_mod *mod, bool *marks)
{
    /* the value must be the plain name of an input */
    const dd_form_node *node = mod->value != DD_FORM_NONE ? dd_form_get(fs->forms, mod->value) : NULL;
    uint32_t variable = node != NULL && node->op == DD_FORM_NAME ? dd_map_get(&fn->by_name, node->payload) : 0;
    for (uint32_t i = 0; i < fn->n_inputs && variable != 0; i++) {
        if (fn->inputs[i] == variable - 1) {
            marks[i] = true;
            return true;
        }
    }
    dd_error(fs->ctx, mod->span, "%s must name an input of %s", text_of(fs, mod->name), fn->name);
    return false;
}

static bool read_option(dd_functions *fs, const dd_function *fn, const dd_ast_mod *mod, dd_fderivative *d)
{
    /* the two options that name inputs, and the order */
    const char *name = text_of(fs, mod->name);
    if (strcmp(name, "noDerivative") == 0) {
        return mark_input(fs, fn, mod, d->ignored);
    }
    if (strcmp(name, "zeroDerivative") == 0) {
        return mark_input(fs, fn, mod, d->zero);
    }
    const dd_form_node *node = mod->value != DD_FORM_NONE ? dd_form_get(fs->forms, mod->value) : NULL;
    const char *number = node != NULL && node->op == DD_FORM_NUM ? text_of(fs, node->payload) : "";
    if (strcmp(name, "order") == 0 && strlen(number) == 1 && *number >= '1' && *number <= '9') {
        d->order = *number - '0';
        return true;
    }
    dd_error(fs->ctx, mod->span, "derivative(%s = ..) is not known: order, noDerivative and zeroDerivative are", name);
    return false;
}

/* The function that is named: through a call without arguments, which is never made. */
static dd_function *named_function(dd_functions *fs, const dd_function *fn, const dd_ast_mod *mod)
{
    dd_form_op op = mod->value != DD_FORM_NONE ? (dd_form_op)dd_form_get(fs->forms, mod->value)->op : DD_FORM_NUM;
    dd_element found = {.kind = DD_ELEMENT_NONE};
    dd_ast_name name = {.span = mod->span};
    /* looked up as a class from where the annotation is written */
    if (op == DD_FORM_NAME || op == DD_FORM_PATH) {
        uint32_t n = op == DD_FORM_PATH ? dd_form_get(fs->forms, mod->value)->nargs : 1;
        uint32_t *parts = dd_pool_alloc_array(fs->pool, n, sizeof *parts);
        for (uint32_t i = 0; i < n; i++) {
            dd_form part = op == DD_FORM_PATH ? dd_form_arg(fs->forms, mod->value, i) : mod->value;
            parts[i] = dd_form_get(fs->forms, part)->payload;
        }
        name.parts = parts;
        name.n = n;
        found = fs->scope.lookup(fs->scope.user, fn->annotated_in, &name);
    }
    if (found.kind != DD_ELEMENT_CLASS || found.class->kind != DD_CLASS_FUNCTION) {
        if (found.kind != DD_ELEMENT_BROKEN) {
            dd_error(fs->ctx, mod->span, "the derivative of %s must be a function", fn->name);
        }
        return NULL;
    }
    return dd_function_of(fs, found.class, mod->span);
}

static void read_derivatives(dd_functions *fs, dd_function *fn)
{
    dd_fderivative **end = &fn->derivatives;
    fn->derivatives_read = true;
    /* in the order of the annotations: the first that applies is used */
    for (uint32_t i = 0; i < fn->annotated.len; i++) {
        const dd_ast_mod *mod = fn->annotated.data[i];
        dd_fderivative *d = dd_pool_alloc(fs->pool, sizeof *d);
        d->order = 1;
        d->span = mod->span;
        d->ignored = dd_pool_alloc_array(fs->pool, fn->n_inputs + 1u, sizeof *d->ignored);
        d->zero = dd_pool_alloc_array(fs->pool, fn->n_inputs + 1u, sizeof *d->zero);
        bool ok = true;
        for (const dd_ast_mod *o = mod->nested; o != NULL; o = o->next) {
            ok = read_option(fs, fn, o, d) && ok;
        }
        d->function = ok ? named_function(fs, fn, mod) : NULL;
        if (d->function != NULL) {
            *end = d;
            end = &d->next;
        }
    }
}

bool dd_function_has_derivative(dd_functions *fs, dd_function *fn)
{
    if (!fn->derivatives_read) {
        read_derivatives(fs, fn);
    }
    return fn->derivatives != NULL;
}

/* ---- scalars ---- */

static bool has_reals(const dd_fvar *var)
{
    return var->type == DD_TYPE_REAL || var->type == DD_EV_RECORD;
}

/* inputs are given from outside: no equation determines them */
static bool is_unknown(const dd_el *el, dd_expr symbol)
{
    return dd_op_of(el->dag, symbol) == DD_OP_VAR &&
           el->m->vars.data[dd_symbol_id(el->dag, symbol)].kind != DD_KIND_INPUT;
}

/* Does the value contain more than parameters, or, with `unknowns`, unknowns? */
static bool changes(dd_el *el, const dd_ev *v, bool unknowns)
{
    /* any scalar with such a symbol is enough */
    uint32_t n = dd_ev_count(v);
    dd_expr *all = dd_pool_alloc_array(el->scratch, n, sizeof *all);
    dd_expr_vec symbols = {0};
    dd_ev_scalars(v, all);
    for (uint32_t k = 0; k < n; k++) {
        symbols.len = 0;
        dd_symbols(el->dag, all[k], true, &symbols, el->scratch);
        for (uint32_t i = 0; i < symbols.len; i++) {
            if (unknowns ? is_unknown(el, symbols.data[i]) : dd_op_of(el->dag, symbols.data[i]) != DD_OP_PARAM) {
                return true;
            }
        }
    }
    return false;
}

/* A value like v of which scalar number `one` (counted over all) is 1 and the rest are 0; negative: all 0. `and` is a
 * second 1. */
static void unit_like(dd_el *el, const dd_ev *v, int64_t one, int64_t and, dd_ev *out)
{
    /* fields continue the count of the scalars */
    dd_ev_copy(el->scratch, v, out);
    if (v->type == DD_EV_RECORD) {
        for (uint32_t i = 0; i < dd_record_size(v->record->type); i++) {
            const dd_ev *field = &v->record->fields[i];
            unit_like(el, field, one, and, &out->record->fields[i]);
            one -= dd_ev_count(field);
            and -= dd_ev_count(field);
        }
        return;
    }
    dd_expr *elems = out->ndim == 0 ? &out->one : out->elems;
    out->type = DD_TYPE_REAL;
    for (uint32_t k = 0; k < v->size; k++) {
        elems[k] = dd_num(el->dag, (double)(k == one) + (double)(k == and));
    }
}

/* ---- calling with partials ---- */

typedef struct derivation {
    dd_el *el;
    dd_form f;
    dd_function *fn;
    const dd_fderivative *d;
    const dd_ev *args;
    uint32_t n_inputs; /* that have derivatives */
    uint32_t *inputs;
    uint32_t n_scalars; /* of these inputs */
    dd_expr *scalars;
    uint32_t n_outputs; /* Real ones */
    uint32_t *outputs;
    uint32_t n_values; /* their scalars */
} derivation;

static bool applies(dd_el *el, const dd_function *fn, const dd_fderivative *d, const dd_ev *args)
{
    /* first order, its zeroDerivative inputs constant, its noDerivative inputs without unknowns */
    bool ok = d->order == 1;
    for (uint32_t i = 0; i < fn->n_inputs && ok; i++) {
        ok = !(d->zero[i] && changes(el, &args[i], false)) && !(d->ignored[i] && changes(el, &args[i], true));
    }
    return ok;
}

static void open_derivation(derivation *v, const dd_ev *outs)
{
    const dd_function *fn = v->fn;
    v->inputs = dd_pool_alloc_array(v->el->scratch, fn->n_inputs + 1u, sizeof *v->inputs);
    v->outputs = dd_pool_alloc_array(v->el->scratch, fn->n_outputs + 1u, sizeof *v->outputs);
    /* inputs with a derivative: Real, and not excluded by the annotation */
    for (uint32_t i = 0; i < fn->n_inputs; i++) {
        if (has_reals(&fn->vars[fn->inputs[i]]) && !v->d->ignored[i] && !v->d->zero[i]) {
            v->inputs[v->n_inputs++] = i;
            v->n_scalars += dd_ev_count(&v->args[i]);
        }
    }
    v->scalars = dd_pool_alloc_array(v->el->scratch, v->n_scalars + 1u, sizeof *v->scalars);
    /* all their scalars in one list: the x_j that partials refer to */
    uint32_t at = 0;
    for (uint32_t i = 0; i < v->n_inputs; i++) {
        dd_ev_scalars(&v->args[v->inputs[i]], v->scalars + at);
        at += dd_ev_count(&v->args[v->inputs[i]]);
    }
    /* outputs with a derivative */
    for (uint32_t i = 0; i < fn->n_outputs; i++) {
        if (has_reals(&fn->vars[fn->outputs[i]])) {
            v->outputs[v->n_outputs++] = i;
            v->n_values += dd_ev_count(&outs[i]);
        }
    }
}

static bool check_signature(const derivation *v, const dd_function *d, uint32_t derivatives)
{
    /* inputs of f, then one derivative (of each order) per Real input */
    uint32_t inputs = v->fn->n_inputs + derivatives * v->n_inputs;
    if (d->n_inputs == inputs && d->n_outputs == v->n_outputs) {
        return true;
    }
    if (v->el->e->quiet == 0) {
        dd_error(
            v->el->m->ctx, v->d->span,
            "%s is not a derivative of %s: it needs %u inputs and %u output%s (the inputs, then their derivatives), "
            "but has %u and %u",
            d->name, v->fn->name, inputs, v->n_outputs, v->n_outputs == 1 ? "" : "s", d->n_inputs, d->n_outputs);
    }
    return false;
}

/* d(x, u[, 0]) with u the unit vector of scalar `one` (and `and`), as the scalars of its outputs. `plain`: without
 * derivative annotations of d itself. */
static bool call_direction(const derivation *v, dd_function *d, int64_t one, int64_t and, bool second, dd_expr *out)
{
    dd_el *el = v->el;
    uint32_t n = v->fn->n_inputs, total = n + v->n_inputs * (second ? 2u : 1u), values = 0;
    dd_ev *args = dd_pool_alloc_array(el->scratch, total + 1u, sizeof *args);
    dd_ev *outs = dd_pool_alloc_array(el->scratch, v->n_outputs + 1u, sizeof *outs);
    /* x, then the direction u, then zero for the second derivatives */
    memcpy(args, v->args, n * sizeof *args);
    for (uint32_t i = 0; i < v->n_inputs; i++) {
        const dd_ev *input = &v->args[v->inputs[i]];
        unit_like(el, input, one, and, &args[n + i]);
        if (second) {
            unit_like(el, input, -1, -1, &args[n + v->n_inputs + i]);
        }
        one -= dd_ev_count(input);
        and -= dd_ev_count(input);
    }
    /* a second-order function is called without its own annotations: their derivative is not needed */
    if (second ? !dd_function_call_plain(el, v->f, d, args, outs) : !dd_function_call(el, v->f, d, args, outs)) {
        return false;
    }
    /* the sizes of the derivatives must be those of the outputs */
    for (uint32_t i = 0; i < v->n_outputs; i++) {
        values += dd_ev_count(&outs[i]);
    }
    if (values != v->n_values) {
        return dd_el_fail(el, v->f, "the outputs of %s have other sizes than those of %s, whose derivative it is",
                          d->name, v->fn->name);
    }
    for (uint32_t i = 0; i < v->n_outputs; i++) {
        dd_ev_scalars(&outs[i], out);
        out += dd_ev_count(&outs[i]);
    }
    return true;
}

static bool is_fixed(const derivation *v, uint32_t j)
{
    return dd_op_of(v->el->dag, v->scalars[j]) == DD_OP_NUM;
}

/* Second derivatives given by derivative(order = 2) of the derivative: the partials get partials. */
static bool derive_partials(const derivation *v, dd_function *second, dd_expr *partials)
{
    dd_dag *dag = v->el->dag;
    uint32_t n = v->n_scalars, m = v->n_values;
    dd_expr *squares = dd_pool_alloc_array(v->el->scratch, (size_t)n * m + 1, sizeof *squares);
    dd_expr *mixed = dd_pool_alloc_array(v->el->scratch, (size_t)n * m * n + 1, sizeof *mixed);
    /* D2f[e_j, e_j] */
    for (uint32_t j = 0; j < n; j++) {
        if (!is_fixed(v, j) && !call_direction(v, second, j, -1, true, squares + (size_t)j * m)) {
            return false;
        }
    }
    /* D2f[e_i, e_j] by polarisation; numbers have no derivative and are skipped */
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            dd_expr *here = mixed + ((size_t)i * n + j) * m;
            if (is_fixed(v, i) || is_fixed(v, j)) {
                for (uint32_t k = 0; k < m; k++) {
                    here[k] = dd_num(dag, 0);
                }
                continue;
            }
            if (i != j && !call_direction(v, second, i, j, true, here)) {
                return false;
            }
            for (uint32_t k = 0; k < m; k++) {
                dd_expr a = squares[(size_t)i * m + k], b = squares[(size_t)j * m + k];
                dd_expr twice = i == j ? a : dd_sub(dag, here[k], dd_add(dag, a, b));
                here[k] = i == j ? a : dd_mul(dag, dd_rational(dag, 1, 2), twice);
            }
        }
    }
    /* p_i carries its own partials d p_i/d x_j from here on */
    dd_expr *row = dd_pool_alloc_array(v->el->scratch, n + 1u, sizeof *row);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < m && !is_fixed(v, i); k++) {
            for (uint32_t j = 0; j < n; j++) {
                row[j] = mixed[((size_t)i * n + j) * m + k];
            }
            partials[(size_t)i * m + k] = dd_derived(dag, partials[(size_t)i * m + k], v->scalars, row, n);
        }
    }
    return true;
}

/* The derivative of second order that the first one names; NULL without. */
static dd_function *second_of(dd_functions *fs, dd_function *first)
{
    const dd_fderivative *d = dd_function_has_derivative(fs, first) ? first->derivatives : NULL;
    while (d != NULL && d->order != 2) {
        d = d->next;
    }
    return d != NULL ? d->function : NULL;
}

/* Replaces the scalars of a value by those that carry their partials; *at is the number of the next one. */
static void attach(const derivation *v, const dd_expr *partials, uint32_t *at, dd_ev *out)
{
    if (out->type == DD_EV_RECORD) {
        for (uint32_t i = 0; i < dd_record_size(out->record->type); i++) {
            attach(v, partials, at, &out->record->fields[i]);
        }
        return;
    }
    /* output scalar *at has the partials in row *at of all columns */
    dd_expr *row = dd_pool_alloc_array(v->el->scratch, v->n_scalars + 1u, sizeof *row);
    dd_expr *elems = out->ndim == 0 ? &out->one : out->elems;
    for (uint32_t k = 0; k < out->size; k++, (*at)++) {
        for (uint32_t j = 0; j < v->n_scalars; j++) {
            row[j] = partials[(size_t)j * v->n_values + *at];
        }
        if (out->type == DD_TYPE_REAL) {
            elems[k] = dd_derived(v->el->dag, elems[k], v->scalars, row, v->n_scalars);
        }
    }
}

static bool derive(derivation *v, dd_ev *outs)
{
    dd_el *el = v->el;
    dd_function *first = v->d->function, *second = second_of(el->e->functions, first);
    open_derivation(v, outs);
    if (!check_signature(v, first, 1) || (second != NULL && !check_signature(v, second, 2))) {
        return false;
    }
    /* column j: f_der at e_j, the partials by x_j; a number does not change, so its column is zero */
    dd_expr *partials = dd_pool_alloc_array(el->scratch, (size_t)v->n_scalars * v->n_values + 1, sizeof *partials);
    for (uint32_t j = 0; j < v->n_scalars; j++) {
        dd_expr *column = partials + (size_t)j * v->n_values;
        for (uint32_t k = 0; k < v->n_values && is_fixed(v, j); k++) {
            column[k] = dd_num(el->dag, 0);
        }
        if (!is_fixed(v, j) && !call_direction(v, first, j, -1, false, column)) {
            return false;
        }
    }
    if (second != NULL && !derive_partials(v, second, partials)) {
        return false;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < v->n_outputs; i++) {
        attach(v, partials, &at, &outs[v->outputs[i]]);
    }
    return true;
}

bool dd_function_call_derived(dd_el *el, dd_form f, dd_function *fn, const dd_ev *args, dd_ev *outs)
{
    /* the value of f itself as written, and the values of its inputs with defaults */
    dd_ev *values = dd_pool_alloc_array(el->scratch, fn->n_inputs + 1u, sizeof *values);
    if (!dd_function_call_keeping(el, f, fn, args, outs, values)) {
        return false;
    }
    /* the first annotation that holds for these arguments; none: f is differentiated as written */
    const dd_fderivative *d = fn->derivatives;
    while (d != NULL && !applies(el, fn, d, values)) {
        d = d->next;
    }
    if (d == NULL) {
        return true;
    }
    derivation v = {.el = el, .f = f, .fn = fn, .d = d, .args = values};
    return derive(&v, outs);
}
