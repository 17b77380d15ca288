/* numbers.c - equations on their way to compiled programs: symbols, inputs, frozen switches. Start at compile_all.
 *
 * All programs share one list of inputs in four segments: w', w, (time, inputs), frozen switches; parameters are
 * constants. */
#include "dynamics/numbers.h"

#include <string.h>

#include "dynamics/numbers_impl.h"

/* ---- compiling ---- */

static void note_parameters(dd_compiler *c, const dd_expr *e, uint32_t n)
{
    dd_dag *dag = c->q->system->model->dag;
    dd_expr_vec symbols = {0};
    dd_symbols_of_all(dag, e, n, true, &symbols, c->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (dd_op_of(dag, symbols.data[i]) == DD_OP_PARAM && !dd_map_get(&c->known_parameter, symbols.data[i])) {
            dd_map_put(&c->known_parameter, symbols.data[i], 1);
            dd_vec_push(c->pool, &c->parameters, symbols.data[i]);
        }
    }
    dd_vec_free(c->scratch, &symbols);
}

dd_compiled *dd_numbers_compile(dd_compiler *c, const dd_expr *outputs, uint32_t n, uint32_t lanes)
{
    const dd_system *s = c->q->system;
    /* one list of inputs for all programs; parameters are constants that may change between runs */
    dd_program_spec spec = {.inputs = c->symbols.data,
                            .n_inputs = c->symbols.len,
                            .n_segments = DD_MOST_SEGMENTS,
                            .constants = c->parameters.data,
                            .n_constants = c->parameters.len,
                            .outputs = outputs,
                            .n_outputs = n};
    memcpy(spec.segment, c->segment, sizeof spec.segment);
    dd_compiled *p = dd_pool_alloc(c->pool, sizeof *p);
    p->work = NULL;
    p->program = dd_program_new(c->pool, s->model->dag, &spec);
    dd_system_must(s, dd_program_work_new(&p->work, c->q->ctx, p->program, lanes), "compiling");
    return p;
}

/* ---- symbols ---- */

typedef struct input_map {
    const dd_system *s;
    const dd_map *supplied;
    bool offsets; /* derivatives may be taken by inputs: a parameter of value 0 is added to each */
} input_map;

/* Inputs that nobody supplies keep their start value, 0 without; their derivatives are 0. */
static dd_expr input_value(void *user, dd_expr symbol)
{
    const input_map *m = user;
    dd_dag *dag = m->s->model->dag;
    if (dd_op_of(dag, symbol) != DD_OP_VAR) {
        return DD_EXPR_NONE;
    }
    uint32_t var = dd_symbol_id(dag, symbol);
    bool input = var < m->s->model->vars.len && m->s->model->vars.data[var].kind == DD_KIND_INPUT;
    if (!input || dd_map_get(m->supplied, var + 1)) {
        return DD_EXPR_NONE;
    }
    const dd_variable *v = &m->s->model->vars.data[var];
    /* a constant: its start value; derivatives of a constant vanish */
    const bool constant = dd_symbol_order(dag, symbol) == 0 && v->has_start;
    const dd_expr held = !constant                  ? dd_rational(dag, 0, 1)
                         : v->start != DD_EXPR_NONE ? v->start
                                                    : dd_num(dag, v->start_value);
    return m->offsets && dd_symbol_order(dag, symbol) == 0 ? dd_add(dag, held, dd_param(dag, var)) : held;
}

dd_expr dd_numbers_put_inputs(dd_compiler *c, dd_expr e)
{
    input_map map = {c->q->system, &c->supplied, c->q->directions != NULL};
    return dd_substitute(c->q->system->model->dag, e, input_value, &map);
}

static void note_inputs(dd_compiler *c, dd_expr e, dd_map *seen)
{
    dd_numbers *q = c->q;
    dd_dag *dag = q->system->model->dag;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, e, false, &symbols, c->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t var = dd_symbol_id(dag, symbols.data[i]);
        if (var < q->system->model->vars.len && q->system->model->vars.data[var].kind == DD_KIND_INPUT &&
            !dd_map_get(seen, symbols.data[i])) {
            dd_map_put(seen, symbols.data[i], 1);
            dd_vec_push(c->pool, &q->inputs, symbols.data[i]);
        }
    }
    dd_vec_free(c->scratch, &symbols);
}

static void list_unknowns(dd_compiler *c)
{
    dd_numbers *q = c->q;
    const dd_equations *eq = q->equations;
    dd_dag *dag = q->system->model->dag;
    c->column = dd_map_new(c->scratch);
    q->n = eq->x.len + eq->z.len;
    /* columns 1..n are w, n + 1..2n are w': one map for both */
    for (uint32_t j = 0; j < q->n; j++) {
        bool x = j < eq->x.len;
        dd_expr symbol = x ? eq->x.data[j] : eq->z.data[j - eq->x.len];
        /* z has no derivative: a symbol that appears nowhere keeps the places */
        dd_expr rate =
            x ? dd_var(dag, dd_symbol_id(dag, symbol), 1) : dd_var(dag, q->system->model->vars.len + 1 + j, 0);
        dd_vec_push(c->pool, &q->w, symbol);
        dd_vec_push(c->pool, &q->rate_symbol, rate);
        dd_map_put(&c->column, symbol, j + 1);
        dd_map_put(&c->column, rate, q->n + j + 1);
    }
}

static void list_symbols(dd_compiler *c)
{
    dd_numbers *q = c->q;
    /* the order of the segments: w', w, time and inputs, switches */
    for (uint32_t j = 0; j < q->n; j++) {
        dd_vec_push(c->pool, &c->symbols, q->rate_symbol.data[j]);
    }
    for (uint32_t j = 0; j < q->n; j++) {
        dd_vec_push(c->pool, &c->symbols, q->w.data[j]);
    }
    dd_vec_push(c->pool, &c->symbols, dd_time(q->system->model->dag));
    for (uint32_t i = 0; i < q->inputs.len; i++) {
        dd_vec_push(c->pool, &c->symbols, q->inputs.data[i]);
    }
    for (uint32_t i = 0; i < q->switches.len; i++) {
        dd_vec_push(c->pool, &c->symbols, q->switches.data[i].node);
    }
    const uint32_t segment[DD_MOST_SEGMENTS] = {q->n, q->n, 1 + q->inputs.len, q->switches.len};
    memcpy(c->segment, segment, sizeof segment);
}

/* ---- all together ---- */

/* Does e contain w' or z? */
static bool is_implicit(dd_compiler *c, dd_expr e)
{
    const dd_numbers *q = c->q;
    dd_expr_vec symbols = {0};
    bool found = false;
    dd_symbols(q->system->model->dag, e, false, &symbols, c->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        found = found || (uint32_t)dd_map_get(&c->column, symbols.data[i]) > q->equations->x.len;
    }
    dd_vec_free(c->scratch, &symbols);
    return found;
}

/* The unknowns in g. */
static void note_columns(dd_compiler *c, dd_switch *s)
{
    dd_expr_vec symbols = {0};
    dd_symbols(c->q->system->model->dag, s->g, false, &symbols, c->scratch);
    s->column = dd_pool_alloc_array(c->pool, symbols.len + 1, sizeof *s->column);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const uint32_t at = (uint32_t)dd_map_get(&c->column, symbols.data[i]);
        if (at > 0 && at <= c->q->n) {
            s->column[s->columns++] = at - 1;
        }
    }
    dd_vec_free(c->scratch, &symbols);
}

/* Relations that change together: a < b, b <= a. */
static void find_twins(dd_compiler *c, dd_switch_vec *switches)
{
    dd_dag *dag = c->q->system->model->dag;
    /* g and -g vanish together: only the first relation of each is watched */
    dd_map first = dd_map_new(c->scratch);
    for (uint32_t i = 0; i < switches->len; i++) {
        dd_switch *s = &switches->data[i];
        const dd_expr negative = dd_neg(dag, s->g);
        const uint32_t same = dd_map_get(&first, s->g), opposite = dd_map_get(&first, negative);
        s->twin = same > 0 ? same - 1 : opposite > 0 ? opposite - 1 : i;
        s->twin_sign = same == 0 && opposite > 0 ? -1.0 : 1.0;
        if (same == 0 && opposite == 0 && s->kind == DD_SWITCH_RELATION) {
            dd_map_put(&first, s->g, i + 1);
        }
    }
}

static void list_conditions(dd_compiler *c, dd_switch_vec *switches, dd_expr_vec *g)
{
    for (uint32_t i = 0; i < switches->len; i++) {
        dd_vec_push(c->scratch, g, switches->data[i].g);
        switches->data[i].implicit = is_implicit(c, switches->data[i].g);
        note_parameters(c, &switches->data[i].g, 1);
        note_columns(c, &switches->data[i]);
    }
}

/* The outputs with their kinks as inputs, behind the switches. */
static void compile_sides(dd_compiler *c, const dd_expr *sides)
{
    dd_numbers *q = c->q;
    /* kinks become further inputs behind the switches; only the outputs are compiled with them */
    for (uint32_t i = 0; i < q->kinks.len; i++) {
        dd_vec_push(c->pool, &c->symbols, q->kinks.data[i].node);
    }
    c->segment[DD_MOST_SEGMENTS - 1] += q->kinks.len;
    q->side_mode = dd_pool_alloc_array(c->pool, (size_t)q->switches.len + q->kinks.len + 1, sizeof(double));
    q->sides = dd_numbers_compile(c, sides, q->system->declared, 1);
}

static void compile_checked(dd_compiler *c, dd_expr *rows)
{
    dd_numbers *q = c->q;
    bool roots = false;
    /* rows with the true powers, for points where only a continuation has a value */
    for (uint32_t k = 0; k < q->switches.len; k++) {
        roots = roots || q->switches.data[k].kind == DD_SWITCH_MARGIN;
    }
    if (roots) {
        dd_switches_apply(q->system, rows, q->n, &q->switches, c->scratch);
        q->checked = dd_numbers_compile(c, rows, q->n, 1);
        q->row_value = dd_pool_alloc_array(c->pool, q->n + 1, sizeof(double));
        q->aside = dd_pool_alloc_array(c->pool, q->n + 1, sizeof(double));
    }
}

/* All expressions of a problem on their way to programs. */
typedef struct expressions {
    uint32_t n, ni, no;   /* rows; invariants and integrals; outputs and assertions */
    dd_expr *all;         /* in this order */
    dd_expr *checked;     /* n: the rows before powers are continued */
    dd_expr *sides;       /* declared: the outputs with the jumps that the rows do not have */
    dd_expr_vec g, kinks; /* switching functions, and those of `sides` alone */
    dd_expr_vec divisors; /* what was divided by */
    dd_map seen;          /* inputs */
} expressions;

static expressions list_expressions(dd_compiler *c)
{
    dd_numbers *q = c->q;
    const dd_system *s = q->system;
    const dd_equations *eq = q->equations;
    const uint32_t constraints = eq->invariants.len;
    expressions x = {.n = q->n,
                     .ni = constraints + q->integrals.len,
                     .no = s->declared + s->model->assertions.len,
                     .seen = dd_map_new(c->scratch)};
    x.all = dd_pool_alloc_array(c->scratch, x.n + x.ni + x.no + 1, sizeof *x.all);
    for (uint32_t i = 0; i < x.n; i++) {
        x.all[i] = eq->rows.data[i];
    }
    for (uint32_t i = 0; i < x.ni; i++) {
        x.all[x.n + i] = i < constraints ? eq->invariants.data[i] : q->integrals.data[i - constraints];
    }
    /* declared variables that left the equations keep their formulas */
    dd_expr *outputs = x.all + x.n + x.ni;
    dd_map value = dd_map_new(c->scratch);
    for (uint32_t i = 0; i < eq->assigned.len; i++) {
        dd_map_put(&value, eq->assigned.data[i].symbol, eq->assigned.data[i].value);
    }
    for (uint32_t i = 0; i < s->model->assertions.len; i++) {
        outputs[s->declared + i] = s->model->assertions.data[i].condition;
    }
    dd_equations_resolve_all(s, eq, outputs + s->declared, s->model->assertions.len);
    for (uint32_t j = 0; j < s->declared; j++) {
        dd_expr symbol = dd_var(s->model->dag, s->unknown[j], 0), known = (dd_expr)dd_map_get(&value, symbol);
        outputs[j] = known != DD_EXPR_NONE ? known : symbol;
    }
    return x;
}

/* Inputs that nobody supplies become constants, in all expressions alike. */
static void put_all_inputs(dd_compiler *c, expressions *x, const dd_index_vec *supplied)
{
    const dd_system *s = c->q->system;
    const uint32_t total = x->n + x->ni + x->no;
    c->supplied = dd_map_new(c->scratch);
    for (uint32_t i = 0; supplied && i < supplied->len; i++) {
        dd_map_put(&c->supplied, supplied->data[i] + 1, 1);
    }
    input_map map = {s, &c->supplied, c->q->directions != NULL};
    dd_substitute_all(s->model->dag, x->all, total, input_value, &map, x->all);
    for (uint32_t i = 0; i < total; i++) {
        note_inputs(c, x->all[i], &x->seen);
    }
}

/* An assertion fails where it does so with frozen relations and as written: at the end of a step that reaches a kink, relations of
 * one quantity may differ by rounding. */
static void freeze_assertions(const dd_compiler *c, dd_expr *conditions, uint32_t n)
{
    dd_dag *dag = c->q->system->model->dag;
    dd_expr *written = dd_pool_alloc_array(c->scratch, n + 1, sizeof *written);
    memcpy(written, conditions, n * sizeof *written);
    dd_switches_apply(c->q->system, conditions, n, &c->q->switches, c->pool);
    for (uint32_t i = 0; i < n; i++) {
        conditions[i] = dd_binary(dag, DD_OP_OR, conditions[i], written[i]);
    }
}

/* Relations and kinks become frozen inputs, alike in rows and invariants, so that stages and projections see the same
 * smooth piece. */
static void freeze_switches(dd_compiler *c, expressions *x)
{
    dd_numbers *q = c->q;
    const dd_system *s = q->system;
    dd_expr *outputs = x->all + x->n + x->ni;
    x->checked = dd_pool_alloc_array(c->scratch, x->n + 1, sizeof *x->checked);
    memcpy(x->checked, x->all, x->n * sizeof *x->checked);
    /* numbers of variables behind those of list_unknowns are free */
    q->seen_kinks = dd_switches_find(s, x->all, x->n + x->ni, s->model->vars.len + 1 + x->n, &q->switches, c->pool);
    dd_switches_apply(s, outputs, s->declared, &q->switches, c->pool);
    freeze_assertions(c, outputs + s->declared, x->no - s->declared);
    /* outputs may have kinks that the rows do not: both sides of their jumps are wanted */
    x->sides = dd_pool_alloc_array(c->scratch, s->declared + 1, sizeof *x->sides);
    memcpy(x->sides, outputs, s->declared * sizeof *x->sides);
    dd_switches_look(s, x->sides, s->declared, &q->switches, &q->kinks, c->pool);
    dd_switches_look_quiet(s, x->sides, &q->switches, &q->kinks, c->pool);
    list_conditions(c, &q->switches, &x->g);
    find_twins(c, &q->switches);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        q->changing += q->switches.data[k].kind != DD_SWITCH_SLOPE && q->switches.data[k].kind != DD_SWITCH_MARGIN;
    }
    list_conditions(c, &q->kinks, &x->kinks);
    find_twins(c, &q->kinks);
}

/* The inputs of all programs: sizes are final behind this. */
static void note_symbols(dd_compiler *c, expressions *x)
{
    dd_numbers *q = c->q;
    const dd_equations *eq = q->equations;
    note_parameters(c, x->all, x->n + x->ni + x->no);
    /* divisors and conditions are watched for zeros, so they need values too */
    for (uint32_t i = 0; i < eq->divisors.len; i++) {
        dd_vec_push(c->scratch, &x->divisors, dd_numbers_put_inputs(c, eq->divisors.data[i].value));
        note_inputs(c, x->divisors.data[i], &x->seen);
        note_parameters(c, &x->divisors.data[i], 1);
    }
    for (uint32_t i = 0; i < q->system->conditions.len; i++) {
        const dd_expr value = dd_numbers_put_inputs(c, q->system->conditions.data[i].value);
        note_parameters(c, &value, 1);
    }
    list_symbols(c);
    const size_t sw = q->switches.len;
    q->mode = dd_pool_alloc_array(c->pool, sw + 1, sizeof(double));
    for (size_t k = 0; k < sw; k++) {
        q->mode[k] = q->switches.data[k].literal ? DD_SWITCH_LIVE : 0.0;
    }
    q->mode_spread = dd_pool_alloc_array(c->pool, sw * DD_MOST_LD + 1, sizeof(double));
    q->outside = dd_pool_alloc_array(c->pool, (1 + (size_t)q->inputs.len) * DD_MOST_LD, sizeof(double));
    q->input_value = dd_pool_alloc_array(c->pool, q->inputs.len + 1, sizeof(double));
}

static void keep(dd_compiler *c, dd_expr_vec *to, const dd_expr *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        dd_vec_push(c->pool, to, list[i]);
    }
}

static void keep_expressions(dd_compiler *c, const expressions *x)
{
    dd_numbers *q = c->q;
    keep(c, &q->rows_written, x->checked, x->n);
    keep(c, &q->row_values, x->all, x->n);
    keep(c, &q->invariant_values, x->all + x->n, q->equations->invariants.len);
    keep(c, &q->switch_values, x->g.data, x->g.len);
    keep(c, &q->output_values, x->all + x->n + x->ni, x->no);
}

static void compile_programs(dd_compiler *c, const expressions *x)
{
    enum { LANES = 8 }; /* residuals come in batches of stages, everything else point by point */
    dd_numbers *q = c->q;
    const dd_expr *invariants = x->all + x->n, *outputs = invariants + x->ni;
    q->residual = dd_numbers_compile(c, x->all, x->n, LANES);
    dd_numbers_compile_jacobian(c, x->all, x->divisors.data);
    dd_expr_vec matrix = dd_numbers_compile_invariants(c, invariants, q->equations->invariants.len);
    dd_numbers_compile_integrals(c, invariants);
    q->switching = dd_numbers_compile(c, x->g.data, x->g.len, 1);
    q->outputs = dd_numbers_compile(c, outputs, x->no, 1);
    dd_numbers_describe(c);
    dd_numbers_describe_assigned(c, outputs);
    compile_checked(c, x->checked);
    if (q->directions) {
        dd_numbers_compile_derivatives(c, x->all, invariants, &matrix, &x->g, outputs);
    }
    if (q->kinks.len > 0) {
        q->kinking = dd_numbers_compile(c, x->kinks.data, x->kinks.len, 1);
        compile_sides(c, x->sides); /* the last: it changes the list of inputs */
    }
}

static void compile_all(dd_compiler *c, const dd_index_vec *supplied)
{
    list_unknowns(c);
    dd_numbers_find_integrals(c, c->q->equations->rows.data);
    expressions x = list_expressions(c);
    put_all_inputs(c, &x, supplied);
    freeze_switches(c, &x);
    note_symbols(c, &x);
    keep_expressions(c, &x);
    compile_programs(c, &x);
}

static dd_compiled **programs(dd_numbers *q, uint32_t i)
{
    /* in one list, so that parameters are set and memory is freed alike */
    dd_compiled **const list[] = {&q->residual,
                                  &q->jacobian,
                                  &q->invariants,
                                  &q->invariant_jacobian,
                                  &q->switching,
                                  &q->kinking,
                                  &q->sides,
                                  &q->outputs,
                                  &q->checked,
                                  &q->kept,
                                  &q->kept_jacobian,
                                  &q->linear,
                                  &q->row_table.program,
                                  &q->invariant_table.program,
                                  &q->matrix_table.program,
                                  &q->switch_table.program,
                                  &q->output_table.program,
                                  &q->matrix_change};
    const uint32_t count = sizeof list / sizeof *list;
    if (i == count && q->solvable) {
        return &q->solvable->program;
    }
    return i < count ? list[i] : NULL;
}

void dd_numbers_free(dd_numbers *q)
{
    if (!q) {
        return;
    }
    for (uint32_t i = 0; programs(q, i); i++) {
        dd_compiled *p = *programs(q, i);
        if (p) {
            dd_program_work_free(p->work);
            p->work = NULL;
        }
    }
    dd_solvable_free(q->solvable);
    dd_numbers_free_pattern(q->ctx, &q->problem.pattern);
    dd_numbers_free_pattern(q->ctx, &q->problem.invariant_pattern);
    dd_numbers_free_pattern(q->ctx, &q->problem.kept_pattern);
}

void dd_numbers_set_parameters(dd_numbers *q)
{
    for (uint32_t i = 0; i < q->parameters.len; i++) {
        q->parameter_value[i] = q->system->parameter[dd_symbol_id(q->system->model->dag, q->parameters.data[i])];
    }
    for (uint32_t i = 0; programs(q, i); i++) {
        if (*programs(q, i)) {
            dd_program_set_constants((*programs(q, i))->work, q->parameter_value);
        }
    }
    dd_numbers_finish_integrals(q);
}

typedef struct build_call {
    dd_compiler c;
    const dd_index_vec *supplied;
} build_call;

static void build_body(void *arg)
{
    build_call *call = arg;
    dd_numbers *q = call->c.q;
    compile_all(&call->c, call->supplied);
    q->parameters = call->c.parameters;
    q->parameter_value = dd_pool_alloc_array(call->c.pool, q->parameters.len + 1, sizeof *q->parameter_value);
    dd_numbers_set_parameters(q);
}

dd_numbers *dd_numbers_new(const dd_system *s, dd_form_of_equations form, double baumgarte,
                           const dd_index_vec *supplied, const dd_direction_vec *directions, dd_pool *pool)
{
    return dd_numbers_of(s, dd_system_equations(s, form, baumgarte, pool), supplied, directions, pool);
}

dd_numbers *dd_numbers_of(const dd_system *s, const dd_equations *equations, const dd_index_vec *supplied,
                          const dd_direction_vec *directions, dd_pool *pool)
{
    dd_numbers *q = dd_pool_alloc(pool, sizeof *q);
    *q = (dd_numbers){.system = s, .ctx = s->ctx, .directions = directions, .equations = equations};
    build_call call = {.c = {.q = q, .pool = pool, .scratch = dd_pool_child(pool)}, .supplied = supplied};
    call.c.known_parameter = dd_map_new(call.c.scratch);
    /* a failure raises inside; the programs' memory belongs to the context, not to the pool */
    dd_status st = dd_protect(s->ctx, build_body, &call);
    dd_pool_free(call.c.scratch);
    if (st != DD_OK) {
        dd_numbers_free(q);
        dd_raise(s->ctx, st, "%s", dd_context_message(s->ctx));
    }
    return q;
}
