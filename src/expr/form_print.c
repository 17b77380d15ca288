/* form_print.c - forms as text in the modelling language, with the fewest parentheses.
 *
 * Each form has a level in Modelica's grammar; it is put in parentheses where the grammar asks for a higher one:
 *   if < range < or < and < not < relation < sum, sign < product < power < primary
 * Loop variables that the environment binds are replaced by their values, and forms that then consist of integers alone
 * are folded: p[i + 1] with i = 3 is printed as p[4].
 */
#include <string.h>

#include "expr/form_fold.h"

enum level { AT_IF, AT_RANGE, AT_OR, AT_AND, AT_NOT, AT_RELATION, AT_SUM, AT_TERM, AT_FACTOR, AT_PRIMARY };

typedef struct printer {
    dd_form_view view;
    dd_text *out;
    bool tight; /* inside a range: n-1 rather than n - 1 */
} printer;

static const char *const rel_names[] = {" < ", " <= ", " > ", " >= ", " == ", " <> "};

static void print(const printer *p, dd_form f, enum level at_least);

/* ---- pieces ---- */

static void print_number(const printer *p, double value)
{
    char buffer[32];
    dd_text_add(p->out, dd_number_text(value, buffer));
}

static void print_list(const printer *p, dd_form f, uint32_t first, const char *separator, enum level at_least)
{
    uint32_t n = dd_form_get(p->view.forms, f)->nargs;
    for (uint32_t i = first; i < n; i++) {
        if (i > first) {
            dd_text_add(p->out, separator);
        }
        print(p, dd_form_arg(p->view.forms, f, i), at_least);
    }
}

static void print_bracketed(const printer *p, dd_form f, char open, const char *separator, char close)
{
    printer inner = *p;
    inner.tight = false;
    dd_text_add_char(p->out, open);
    print_list(&inner, f, 0, separator, AT_IF);
    dd_text_add_char(p->out, close);
}

static void print_subscripts(const printer *p, dd_form f)
{
    if (dd_form_get(p->view.forms, f)->nargs > 0) {
        print_bracketed(p, f, '[', ",", ']');
    }
}

static bool plain_name(const char *name)
{
    /* a name that begins with a digit needs quotes */
    if (*name >= '0' && *name <= '9') {
        return false;
    }
    for (; *name != 0; name++) {
        /* letters, digits, underscore and the dots between parts */
        bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || *name == '_';
        if (!letter && !(*name >= '0' && *name <= '9') && *name != '.') {
            return false;
        }
    }
    return true;
}

static void print_name(const printer *p, uint32_t name_id)
{
    const char *name = dd_names_get(p->view.forms->names, name_id);
    dd_text_printf(p->out, plain_name(name) ? "%s" : "'%s'", name);
}

/* A name as parsed: sub distinguishes the dotted a.b from the quoted 'a.b'. */
static void print_parsed_name(const printer *p, const dd_form_node *node)
{
    const char *name = dd_names_get(p->view.forms->names, node->payload);
    bool plain = plain_name(name) && (node->sub != 0 || strchr(name, '.') == NULL);
    dd_text_printf(p->out, plain ? "%s" : "'%s'", name);
}

static void print_string(const printer *p, const char *s)
{
    dd_text_add_char(p->out, '"');
    for (; *s != 0; s++) {
        if (*s == '"' || *s == '\\') {
            dd_text_add_char(p->out, '\\');
        }
        dd_text_add_char(p->out, *s);
    }
    dd_text_add_char(p->out, '"');
}

static void print_loop(const printer *p, uint32_t loop)
{
    const dd_form_env *env = dd_view_binding(&p->view, loop);
    if (env == NULL) {
        print_name(p, dd_forms_loop_name(p->view.forms, loop));
    } else {
        print_number(p, dd_view_env_is_integer(env) ? (double)env->value : env->real);
    }
}

static void print_sign(const printer *p, bool minus, bool first)
{
    if (first) {
        dd_text_add(p->out, minus ? "-" : "");
    } else if (p->tight) {
        dd_text_add_char(p->out, minus ? '-' : '+');
    } else {
        dd_text_add(p->out, minus ? " - " : " + ");
    }
}

static void print_sum(const printer *p, dd_form f)
{
    int64_t constant, v;
    bool joined = dd_view_sum_folds(&p->view, f, &constant), first = true, bound = false;
    uint32_t n = dd_form_get(p->view.forms, f)->nargs;
    /* terms in order, with their signs between them */
    for (uint32_t i = 0; i < n; i++) {
        dd_form term = dd_form_arg(p->view.forms, f, i);
        /* joined integers come at the end; the last term stays when all others vanished */
        if ((joined && dd_view_fold(&p->view, term, &v, &bound)) ||
            (dd_view_term_vanishes(&p->view, term) && !(first && i + 1 == n))) {
            continue;
        }
        /* the value of a folded term may have changed its sign */
        bool minus = dd_form_get(p->view.forms, term)->op == DD_FORM_NEG, number = dd_view_folds(&p->view, term, &v);
        if (number) {
            minus = v < 0;
        }
        print_sign(p, minus, first);
        if (number) {
            print_number(p, (double)(minus ? -v : v));
        } else {
            /* a sum inside a sum needs parentheses except in front, where the grammar reads it the same way */
            print(p, minus ? dd_form_arg(p->view.forms, term, 0) : term, first && !minus ? AT_SUM : AT_TERM);
        }
        first = false;
    }
    /* the joined integers, unless they cancelled and something else is there */
    if (joined && (constant != 0 || first)) {
        print_sign(p, constant < 0, first);
        print_number(p, (double)(constant < 0 ? -constant : constant));
    }
}

static void print_binary(const printer *p, dd_form f, const char *symbol, enum level left, enum level right)
{
    print(p, dd_form_arg(p->view.forms, f, 0), left);
    dd_text_add(p->out, symbol);
    print(p, dd_form_arg(p->view.forms, f, 1), right);
}

static void print_if(const printer *p, dd_form f)
{
    uint32_t n = dd_form_get(p->view.forms, f)->nargs;
    /* c1 then v1 elseif c2 then v2 ... else v */
    for (uint32_t i = 0; i + 1 < n; i += 2) {
        dd_text_add(p->out, i == 0 ? "if " : " elseif ");
        print(p, dd_form_arg(p->view.forms, f, i), AT_RANGE);
        dd_text_add(p->out, " then ");
        print(p, dd_form_arg(p->view.forms, f, i + 1), AT_RANGE);
    }
    dd_text_add(p->out, " else ");
    print(p, dd_form_arg(p->view.forms, f, n - 1), AT_IF);
}

/* body for i in r, j in s */
static void print_iterators(const printer *p, dd_form f)
{
    uint32_t n = dd_form_get(p->view.forms, f)->nargs;
    print(p, dd_form_arg(p->view.forms, f, 0), AT_IF);
    for (uint32_t i = 1; i + 1 < n; i += 2) {
        dd_text_add(p->out, i == 1 ? " for " : ", ");
        print_name(p, dd_forms_loop_name(p->view.forms,
                                         dd_form_get(p->view.forms, dd_form_arg(p->view.forms, f, i))->payload));
        dd_text_add(p->out, " in ");
        print(p, dd_form_arg(p->view.forms, f, i + 1), AT_IF);
    }
}

static void print_comprehension(const printer *p, dd_form f)
{
    bool braces = dd_form_get(p->view.forms, f)->sub == 0;
    printer inner = *p;
    inner.tight = false;
    dd_text_add(p->out, braces ? "{" : "");
    print_iterators(&inner, f);
    dd_text_add(p->out, braces ? "}" : "");
}

static void print_range(const printer *p, dd_form f)
{
    printer inner = *p;
    inner.tight = true;
    print_list(&inner, f, 0, ":", AT_OR);
}

static void print_point(const printer *p, dd_form f)
{
    print(p, dd_form_arg(p->view.forms, f, 0), AT_PRIMARY);
    dd_text_add_char(p->out, '(');
    print(p, dd_form_arg(p->view.forms, f, 1), AT_IF);
    dd_text_add_char(p->out, ')');
}

/* ---- dispatch ---- */

static enum level level_of(const printer *p, dd_form f)
{
    const dd_form_node *node = dd_form_get(p->view.forms, f);
    /* from the loosest to the tightest binding */
    switch (node->op) {
    case DD_FORM_IF:
        return AT_IF;
    case DD_FORM_RANGE:
        return AT_RANGE;
    case DD_FORM_OR:
        return AT_OR;
    case DD_FORM_AND:
        return AT_AND;
    case DD_FORM_NOT:
        return AT_NOT;
    case DD_FORM_REL:
        return AT_RELATION;
    case DD_FORM_NEG:
    case DD_FORM_SUM:
    case DD_FORM_EADD:
    case DD_FORM_ESUB:
        return AT_SUM;
    case DD_FORM_MUL:
    case DD_FORM_DIV:
    case DD_FORM_EMUL:
    case DD_FORM_EDIV:
        return AT_TERM;
    case DD_FORM_POW:
    case DD_FORM_EPOW:
        return AT_FACTOR;
    /* a bound variable is a number; a negative one needs parentheses like a sum */
    case DD_FORM_LOOP: {
        const dd_form_env *env = dd_view_binding(&p->view, node->payload);
        return env != NULL && (dd_view_env_is_integer(env) ? env->value < 0 : env->real < 0) ? AT_SUM : AT_PRIMARY;
    }
    default:
        return AT_PRIMARY;
    }
}

static void print_leaf(const printer *p, const dd_form_node *node)
{
    switch (node->op) {
    case DD_FORM_NUM:
        dd_text_add(p->out, dd_names_get(p->view.forms->names, node->payload));
        break;
    case DD_FORM_BOOL:
        dd_text_add(p->out, node->payload != 0 ? "true" : "false");
        break;
    case DD_FORM_STRING:
        print_string(p, dd_names_get(p->view.forms->names, node->payload));
        break;
    case DD_FORM_LOOP:
        print_loop(p, node->payload);
        break;
    case DD_FORM_TIME:
        dd_text_add(p->out, "time");
        break;
    case DD_FORM_COLON:
        dd_text_add_char(p->out, ':');
        break;
    default:
        dd_text_add(p->out, "end");
        break;
    }
}

static void print_operator(const printer *p, dd_form f, const dd_form_node *node)
{
    /* the left side may bind as loosely as the operator, the right side more tightly: a - (b - c) */
    switch (node->op) {
    case DD_FORM_NEG:
        dd_text_add_char(p->out, '-');
        print(p, dd_form_arg(p->view.forms, f, 0), AT_TERM);
        break;
    case DD_FORM_SUM:
        print_sum(p, f);
        break;
    case DD_FORM_MUL:
        print_binary(p, f, "*", AT_TERM, AT_FACTOR);
        break;
    case DD_FORM_DIV:
        print_binary(p, f, "/", AT_TERM, AT_FACTOR);
        break;
    /* powers do not associate: both sides are primaries */
    case DD_FORM_POW:
        print_binary(p, f, "^", AT_PRIMARY, AT_PRIMARY);
        break;
    case DD_FORM_EADD:
        print_binary(p, f, " .+ ", AT_SUM, AT_TERM);
        break;
    case DD_FORM_ESUB:
        print_binary(p, f, " .- ", AT_SUM, AT_TERM);
        break;
    case DD_FORM_EMUL:
        print_binary(p, f, " .* ", AT_TERM, AT_FACTOR);
        break;
    case DD_FORM_EDIV:
        print_binary(p, f, " ./ ", AT_TERM, AT_FACTOR);
        break;
    case DD_FORM_EPOW:
        print_binary(p, f, " .^ ", AT_PRIMARY, AT_PRIMARY);
        break;
    case DD_FORM_REL:
        print_binary(p, f, rel_names[node->sub], AT_SUM, AT_SUM);
        break;
    case DD_FORM_AND:
        print_list(p, f, 0, " and ", AT_NOT);
        break;
    case DD_FORM_OR:
        print_list(p, f, 0, " or ", AT_AND);
        break;
    default:
        dd_text_add(p->out, "not ");
        print(p, dd_form_arg(p->view.forms, f, 0), AT_RELATION);
        break;
    }
}

/* Arguments from `first` on, `n` of them, in brackets; nothing when all of them are `:`. */
static void print_own_subscripts(const printer *p, dd_form f, uint32_t first, uint32_t n)
{
    /* x[:, :] is x */
    bool all = true;
    for (uint32_t i = 0; i < n; i++) {
        all = all && dd_form_get(p->view.forms, dd_form_arg(p->view.forms, f, first + i))->op == DD_FORM_COLON;
    }
    for (uint32_t i = 0; i < n && !all; i++) {
        dd_text_add_char(p->out, i == 0 ? '[' : ',');
        print(p, dd_form_arg(p->view.forms, f, first + i), AT_IF);
    }
    dd_text_add(p->out, n > 0 && !all ? "]" : "");
}

/* arm[i].elbow[k]: each part of the name takes its own subscripts. */
static void print_reference(const printer *p, dd_form f, const dd_form_node *node)
{
    const dd_form_symbol *symbol = &p->view.forms->symbols.data[node->payload];
    /* a plain name with all subscripts behind it */
    if (symbol->parts == NULL) {
        dd_text_add(p->out, symbol->name);
        print_subscripts(p, f);
        return;
    }
    /* parts share the subscripts by their dimensions; the last one takes the rest */
    uint32_t at = 0, nargs = node->nargs;
    bool quoted = p->view.forms->listing;
    dd_text_add(p->out, quoted ? "'" : "");
    for (uint32_t i = 0; i < symbol->n_parts; i++) {
        uint32_t rest = nargs - at,
                 n = i + 1 == symbol->n_parts || symbol->parts[i].ndim > rest ? rest : symbol->parts[i].ndim;
        dd_text_add(p->out, symbol->parts[i].text);
        dd_text_add(p->out, quoted && i + 1 == symbol->n_parts ? "'" : "");
        print_own_subscripts(p, f, at, n);
        at += n;
    }
}

/* f(a, b) with arguments from `first` on; those left out at the end are not printed. */
static void print_call(const printer *p, dd_form f, uint32_t first)
{
    uint32_t n = dd_form_get(p->view.forms, f)->nargs;
    /* defaults at the end are not written */
    while (n > first && dd_form_get(p->view.forms, dd_form_arg(p->view.forms, f, n - 1))->op == DD_FORM_COLON) {
        n--;
    }
    dd_text_add_char(p->out, '(');
    for (uint32_t i = first; i < n; i++) {
        dd_text_add(p->out, i > first ? ", " : "");
        print(p, dd_form_arg(p->view.forms, f, i), AT_IF);
    }
    dd_text_add_char(p->out, ')');
}

/* References to components and functions. */
static void print_composed(const printer *p, dd_form f, const dd_form_node *node)
{
    /* in the order of the language: paths, calls, locals, elements, tuples */
    switch (node->op) {
    case DD_FORM_PATH:
        dd_text_add(p->out, node->sub != 0 ? "." : "");
        print_list(p, f, 0, ".", AT_PRIMARY);
        break;
    case DD_FORM_UNKNOWN_CALL:
        if (node->sub != 0) {
            print(p, dd_form_arg(p->view.forms, f, 0), AT_PRIMARY);
        } else {
            print_name(p, node->payload);
        }
        print_call(p, f, node->sub != 0);
        break;
    case DD_FORM_USER_CALL:
        dd_text_add(p->out, dd_forms_function_name(p->view.forms, node->payload));
        print_call(p, f, 0);
        break;
    case DD_FORM_LOCAL:
        print_name(p, p->view.forms->loops.data[node->payload]);
        print_subscripts(p, f);
        break;
    case DD_FORM_ELEMENT:
        print(p, dd_form_arg(p->view.forms, f, 0), AT_PRIMARY);
        if (node->sub != 0) {
            dd_text_add_char(p->out, '.');
            print_name(p, node->payload);
        }
        print_own_subscripts(p, f, 1, node->nargs - 1);
        break;
    default:
        print_call(p, f, 0);
        break;
    }
}

static void print_construct(const printer *p, dd_form f, const dd_form_node *node)
{
    /* names, then statements of the language, then brackets of all kinds */
    switch (node->op) {
    case DD_FORM_NAME:
        print_parsed_name(p, node);
        print_subscripts(p, f);
        break;
    case DD_FORM_REF:
        print_reference(p, f, node);
        break;
    case DD_FORM_IF:
        print_if(p, f);
        break;
    case DD_FORM_DER:
        dd_text_add(p->out, "der");
        print_bracketed(p, f, '(', ", ", ')');
        break;
    case DD_FORM_CALL:
        dd_text_add(p->out, dd_builtin_of((dd_form_fn)node->sub).name);
        print_bracketed(p, f, '(', ", ", ')');
        break;
    case DD_FORM_NAMED_ARG:
        print_name(p, node->payload);
        dd_text_add(p->out, " = ");
        print(p, dd_form_arg(p->view.forms, f, 0), AT_IF);
        break;
    case DD_FORM_POINT:
        print_point(p, f);
        break;
    case DD_FORM_ARRAY:
        print_bracketed(p, f, '{', ", ", '}');
        break;
    case DD_FORM_MATRIX:
        print_bracketed(p, f, '[', "; ", ']');
        break;
    case DD_FORM_ROW:
        print_list(p, f, 0, ", ", AT_IF);
        break;
    case DD_FORM_RANGE:
        print_range(p, f);
        break;
    default:
        print_comprehension(p, f);
        break;
    }
}

static void print_bare(const printer *p, dd_form f)
{
    const dd_form_node *node = dd_form_get(p->view.forms, f);
    /* leaves, then names and constructors, then components and functions; the rest are operators */
    switch (node->op) {
    case DD_FORM_NUM:
    case DD_FORM_BOOL:
    case DD_FORM_STRING:
    case DD_FORM_LOOP:
    case DD_FORM_TIME:
    case DD_FORM_COLON:
    case DD_FORM_END:
        print_leaf(p, node);
        break;
    case DD_FORM_NAME:
    case DD_FORM_REF:
    case DD_FORM_IF:
    case DD_FORM_DER:
    case DD_FORM_CALL:
    case DD_FORM_NAMED_ARG:
    case DD_FORM_POINT:
    case DD_FORM_ARRAY:
    case DD_FORM_MATRIX:
    case DD_FORM_ROW:
    case DD_FORM_RANGE:
    case DD_FORM_COMPREHENSION:
        print_construct(p, f, node);
        break;
    case DD_FORM_PATH:
    case DD_FORM_UNKNOWN_CALL:
    case DD_FORM_USER_CALL:
    case DD_FORM_LOCAL:
    case DD_FORM_ELEMENT:
    case DD_FORM_TUPLE:
        print_composed(p, f, node);
        break;
    default:
        print_operator(p, f, node);
        break;
    }
}

static void print(const printer *p, dd_form f, enum level at_least)
{
    /* in this environment f may be a branch, a term or a number */
    int64_t value;
    f = dd_view_effective(&p->view, f);
    bool number = dd_view_folds(&p->view, f, &value);
    /* parentheses where the place asks for a tighter binding */
    enum level level = !number ? level_of(p, f) : value < 0 ? AT_SUM : AT_PRIMARY;
    if (level < at_least) {
        dd_text_add_char(p->out, '(');
    }
    if (number) {
        print_number(p, (double)value);
    } else {
        print_bare(p, f);
    }
    if (level < at_least) {
        dd_text_add_char(p->out, ')');
    }
}

void dd_form_print(const dd_forms *forms, dd_form f, const dd_form_env *env, dd_text *out)
{
    printer p = {{forms, env}, out, false};
    print(&p, f, AT_IF);
}
