/* leave_out.c - when to look for constraints that repeat others, the solve without them, and the way back. */
#include "ocp/leave_out.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/boundary.h"
#include "ocp/kept.h"
#include "ocp/motion.h"
#include "ocp/redundant.h"
#include "ocp/repeated.h"

#define NEARLY_FEASIBLE 1e-3 /* violation below which ranks mean something */
#define BEYOND_MEASURE 1e6   /* of multipliers' residuals and of the regularization of the Hessian */
#define SHORT_STEP 0.05      /* part of a step that is taken */
#define SAME_OBJECTIVE 1e-6  /* relative: leaving out repetitions changes nothing */
enum {
    FIRST_LOOK = 5,
    NEXT_LOOK = 4,
    LOOKS = 3
}; /* signs of a stall until rows are compared, times that many, how often */
enum { AGAIN_ITERATIONS = 200, ROUNDS = 4 };
enum { MOST_OTHERS = 4 }; /* other choices of rows to leave out that are tried when the first one leads nowhere */

/* ---- signs of a stall ---- */

typedef struct looking {
    dd_ocp *p;
    const dd_nlp_iteration *it;
} looking;

static void compare(void *user)
{
    const looking *l = user;
    l->p->repeats = dd_ocp_find_repeated(l->p, l->it->x, false);
}

bool dd_ocp_stalls_on_rows(dd_ocp *p, const dd_nlp_iteration *it)
{
    /* signs that multipliers are not unique: restoration, huge regularization or multipliers, short steps */
    bool lost = it->restoration || it->regularization > BEYOND_MEASURE || it->dual_infeasibility > BEYOND_MEASURE ||
                it->alpha < SHORT_STEP;
    p->stall_signs = it->number == 0 ? 0 : p->stall_signs;
    p->stall_looks = it->number == 0 ? 0 : p->stall_looks;
    p->stall_signs += lost && it->violation < NEARLY_FEASIBLE ? 1 : 0;
    /* after 5, 20 and 80 signs */
    uint32_t next = FIRST_LOOK;
    for (uint32_t i = 0; i < p->stall_looks; i++) {
        next *= NEXT_LOOK;
    }
    if (!p->compare_rows || it->x == NULL || p->stall_looks >= LOOKS || p->stall_signs < next) {
        return false;
    }
    /* from inside the solver: nothing may be raised here */
    looking l = {p, it};
    p->stall_looks++;
    *it->evaluated = true;
    p->look_failed = dd_protect(p->ctx, compare, &l); /* raised when the solver has returned */
    return p->look_failed != DD_OK || p->repeats.len > 0;
}

/* ---- out and back ---- */

/* In the order of the rows, like their residuals. */
static void list_redundant(dd_ocp_problem *o)
{
    o->redundant.len = 0;
    for (uint32_t i = 0; i < o->points.len; i++) {
        if (o->points.data[i].dropped) {
            dd_vec_push(o->pool, &o->redundant, o->points.data[i].follows);
        }
    }
}

/* The bounds of the present transcription: those of a constraint, or of a guard. */
static void set_bounds(dd_ocp *p)
{
    const dd_transcription *t = p->transcription;
    double *lower = dd_elements_row_lower(t->elements), *upper = dd_elements_row_upper(t->elements);
    /* in place: the program keeps its rows, so solves continue */
    for (uint32_t i = 0; i < t->tags.len; i++) {
        const dd_row_tag *tag = &t->tags.data[i];
        const dd_ocp_row *row = tag->kind == DD_ROW_POINT ? &p->problem->points.data[tag->index] : NULL;
        if (row != NULL && row->compared) {
            lower[i] = row->dropped ? row->guard_lower : row->lower;
            upper[i] = row->dropped ? row->guard_upper : row->upper;
        }
    }
    dd_ocp_count_rows(p);
}

/* Leaves out the rows of a list; number `swapped` of it in place of the one that it belongs to (0: none). */
static void leave_out(dd_ocp *p, const dd_repeat_vec *list, uint32_t swapped, const char *when)
{
    dd_ocp_problem *o = p->problem;
    uint32_t count = 0;
    dd_text text = dd_text_new(o->pool);
    for (uint32_t i = 0; i < o->points.len; i++) { /* a choice made elsewhere ends here */
        o->points.data[i].dropped = o->points.data[i].dropped && !o->points.data[i].repeated;
        o->points.data[i].repeated = false;
    }
    dd_text_printf(&text, "%s constraints depend on each other: ", when);
    /* guards instead of constraints; the message names the source of each */
    for (uint32_t i = 0; i < list->len; i += 1 + list->data[i].others) {
        bool other = swapped > i && swapped <= i + list->data[i].others;
        const dd_repeat *repeat = &list->data[other ? swapped : i];
        dd_ocp_row *row = &o->points.data[repeat->row];
        row->dropped = row->repeated = row->compared = true;
        row->guard_size = row->value > DD_OCP_NO_VALUE ? row->value : repeat->size;
        row->guard_lower = row->lower - DD_OCP_GUARD * row->guard_size;
        row->guard_upper = row->upper + DD_OCP_GUARD * row->guard_size;
        row->follows = dd_pool_printf(o->pool, "%s: follows from %s", row->name, repeat->from);
        dd_text_printf(&text, "%s%s repeats %s", count++ > 0 ? "; " : "", row->name, repeat->from);
    }
    dd_text_printf(&text, "; solved again without %s", count == 1 ? "it" : "them");
    /* one message, whatever the number of rounds */
    if (p->repeated_said) {
        o->messages.data[p->repeated_note] = dd_text_str(&text);
    } else {
        p->repeated_note = o->messages.len;
        dd_ocp_say(p, dd_text_str(&text));
    }
    p->repeated_said = true;
    list_redundant(o);
    set_bounds(p);
}

/* All of them are constraints again, and stay so. */
static void take_back(dd_ocp *p)
{
    dd_ocp_problem *o = p->problem;
    /* they did not hold at the solution: constraints after all */
    for (uint32_t i = 0; i < o->points.len; i++) {
        dd_ocp_row *row = &o->points.data[i];
        row->dropped = row->dropped && !row->repeated;
        row->repeated = false;
    }
    list_redundant(o);
    set_bounds(p);
    p->compare_rows = false;
    o->messages.data[p->repeated_note] = dd_pool_printf(
        o->pool, "%s, where they do not hold: they are constraints again", o->messages.data[p->repeated_note]);
}

/* The rows and their message as they were when the solution that is put back was found. */
static void restore_choice(dd_ocp *p, const dd_ocp_row *before, const char *message)
{
    dd_ocp_problem *o = p->problem;
    for (uint32_t i = 0; i < o->points.len; i++) {
        const bool compared = o->points.data[i].compared;
        o->points.data[i] = before[i];
        o->points.data[i].compared = compared; /* its bounds were changed meanwhile */
    }
    list_redundant(o);
    set_bounds(p);
    p->compare_rows = false;
    o->messages.data[p->repeated_note] = message;
}

static bool settled(dd_ocp *p)
{
    return dd_ocp_solved(p) && dd_ocp_repeated_hold(p);
}

/* ---- after a solve ---- */

/* More equations than variables: whether they repeat each other shows on a motion of the model. */
static void compare_on_motion(dd_ocp *p)
{
    dd_pool *scratch = dd_pool_child(p->pool);
    dd_motion m = dd_motion_new(p);
    dd_guess motion;
    /* rank needs a point on the equations of the model */
    if (dd_motion_guess(&m, 0, &motion)) {
        dd_transcription *t = dd_transcribe(p->problem, &p->transcription->mesh, &motion, scratch);
        uint32_t n = t->nlp->n;
        /* the motion is also a better start */
        memcpy(dd_elements_start(p->transcription->elements), dd_elements_start(t->elements), n * sizeof(double));
        memcpy(p->result.x, dd_elements_start(t->elements), n * sizeof(double));
        dd_transcription_free(t);
        p->repeats = dd_ocp_find_repeated(p, p->result.x, false);
    }
    dd_motion_restore(&m);
    dd_pool_free(scratch);
}

/* Looks for repeated rows where the last solve ended; NULL: none were found, else when it was. */
static const char *look(dd_ocp *p)
{
    const char *when = NULL;
    /* rows that the solver stalled on, else those at its last point */
    if (p->repeats.len > 0) {
        when = "where the solver stalled";
    } else if (dd_ocp_stopped(p) || p->info.status == DD_OCP_OPTIMAL) {
        return NULL;
    } else if (p->info.violation < NEARLY_FEASIBLE) {
        when = "where the solver ended";
        p->repeats = dd_ocp_find_repeated(p, p->result.x, false);
    }
    if (p->repeats.len == 0 && dd_ocp_overdetermined(p)) {
        when = "on the motions of the model";
        compare_on_motion(p);
    }
    return p->repeats.len > 0 ? when : NULL;
}

typedef struct another_try {
    const char *when; /* NULL: nothing was left out */
    dd_repeat_vec list;
    double *ended; /* where the solver had ended, if that was near the rows */
    void (*run)(dd_ocp *p, void *user);
    void *user;
} another_try;

static void run_from(dd_ocp *p, const another_try *t, const double *x)
{
    memcpy(p->result.x, x, p->transcription->nlp->n * sizeof *x);
    t->run(p, t->user);
}

/* The solve without the rows that seemed to add nothing led nowhere. It may have begun too far away. And away from a
 * solution every row of a dependent set seems to follow from the others, while at the solution one of them has no
 * gradient left (a row that a first integral turns into a double root): that one must go, the others are needed. */
static bool try_others(dd_ocp *p, const another_try *t)
{
    const double *start = dd_elements_start(p->transcription->elements);
    if (t->ended != NULL) {
        leave_out(p, &t->list, 0, t->when);
        run_from(p, t, t->ended);
    }
    uint32_t tried = 0, owner = 0;
    for (uint32_t i = 0; i < t->list.len && tried < MOST_OTHERS && !settled(p) && !dd_ocp_stopped(p); i++) {
        if (i > owner + t->list.data[owner].others) {
            owner = i;
        }
        if (i != owner) {
            leave_out(p, &t->list, i, t->when);
            run_from(p, t, start);
            tried++;
        }
    }
    return dd_ocp_stopped(p) || settled(p);
}

static bool any_left_out(const dd_ocp *p)
{
    bool any = false;
    for (uint32_t i = 0; i < p->problem->points.len; i++) {
        any = any || p->problem->points.data[i].repeated;
    }
    return any;
}

void dd_ocp_solve_without_repeated(dd_ocp *p, void (*run)(dd_ocp *p, void *user), void *user)
{
    uint32_t rounds = 0, n = p->transcription->nlp->n;
    const double *start = dd_elements_start(p->transcription->elements);
    another_try t = {.run = run, .user = user};
    dd_pool *scratch = dd_pool_child(p->pool);
    /* each round may find that another choice is better */
    for (const char *when; rounds < ROUNDS && p->compare_rows && (when = look(p)) != NULL; rounds++) {
        if (rounds == 0) {
            t.when = when;
            t.list = p->repeats;
            t.ended = p->info.violation < NEARLY_FEASIBLE ? dd_pool_alloc_array(scratch, n + 1, sizeof *t.ended) : NULL;
            if (t.ended != NULL) {
                memcpy(t.ended, p->result.x, n * sizeof *t.ended);
            }
            /* as if they had never been there; later from where the choice turned out poor */
            memcpy(p->result.x, start, n * sizeof *start);
        }
        dd_repeat_vec list = p->repeats;
        p->repeats = (dd_repeat_vec){0};
        leave_out(p, &list, 0, when);
        run(p, user);
    }
    /* a coarser mesh explained more: what was left out there need not hold here */
    if (rounds == 0 && any_left_out(p) && dd_ocp_solved(p) && !dd_ocp_repeated_hold(p)) {
        take_back(p);
        run_from(p, &t, start);
    }
    /* they do not hold without being asked for: others, else the first program again */
    if (rounds > 0 && !settled(p) && !dd_ocp_stopped(p) && !try_others(p, &t)) {
        take_back(p);
        run_from(p, &t, start);
    }
    dd_pool_free(scratch);
}

/* ---- at a solution ---- */

void dd_ocp_compare_at_solution(dd_ocp *p)
{
    if (!p->compare_rows) {
        return;
    }
    dd_pool *scratch = dd_pool_child(p->pool);
    /* exact ranks at an optimum: only now is a repetition sure */
    p->repeats = dd_ocp_find_repeated(p, p->result.x, true);
    if (p->repeats.len > 0) {
        dd_kept before = dd_ocp_keep(p, scratch);
        double size = fmax(fabs(before.info.objective), 1);
        dd_repeat_vec list = p->repeats;
        /* the choice of a stall, when this solution was found with one */
        const uint32_t rows = p->problem->points.len;
        dd_ocp_row *choice = dd_pool_alloc_array(scratch, rows + 1, sizeof *choice);
        memcpy(choice, p->problem->points.data, rows * sizeof *choice);
        const char *said = p->repeated_said ? p->problem->messages.data[p->repeated_note] : NULL;
        p->repeats = (dd_repeat_vec){0};
        leave_out(p, &list, 0, "at the solution");
        dd_ocp_run_again(p, AGAIN_ITERATIONS);
        /* no dearer, and the rows hold: they are redundant; else everything as before. Cheaper where errors of the
         * mesh had made an isolated point of one of many */
        if (!dd_ocp_stopped(p) && (!settled(p) || p->info.objective - before.info.objective > SAME_OBJECTIVE * size)) {
            if (said != NULL) {
                restore_choice(p, choice, said);
            } else {
                take_back(p);
            }
            dd_ocp_put_back(p, &before);
        }
    }
    dd_pool_free(scratch);
}
