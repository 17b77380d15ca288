/* ir.h - the values of a program before instructions are chosen, for the files of this folder.
 *
 *   value   op, arguments (values), kind       numbers and inputs are values too; equal values are made once
 *   main    the steps of the computation at a point, in order, with the sides of selections marked:
 *
 *     COMPUTE x | BRANCH m | (then side) | OTHER m | (else side) | MERGE m | COMPUTE y ...   m = (condition, then,
 *     else)
 *
 *   prologue  values that depend on constants alone, in order
 *
 * A product with a part that does not depend on inputs is K*V with all of that part in K, so that V is shared and K is
 * computed in advance.
 */
#ifndef DD_EVAL_IR_H
#define DD_EVAL_IR_H

#include "base/hash.h"
#include "eval/code.h"
#include "eval/tape_impl.h"

/* Operations: those of tapes that compute (a sum has signs, DD_SUBTRACT, at its arguments), and the leaves. */
enum { DD_IR_INPUT = DD_TAPE_OP_COUNT, DD_IR_CONSTANT, DD_IR_NUMBER };

typedef enum dd_ir_kind { DD_IR_IS_NUMBER, DD_IR_IS_FIXED, DD_IR_VARIES } dd_ir_kind;

typedef struct dd_ir_value {
    uint8_t op;
    uint8_t kind;
    uint32_t scope;
    uint32_t first, n; /* args[first .. first+n-1]; of leaves: first is the number of the input, constant or number */
} dd_ir_value;

typedef enum dd_ir_step { DD_STEP_COMPUTE, DD_STEP_BRANCH, DD_STEP_OTHER, DD_STEP_MERGE, DD_STEP_NONE } dd_ir_step;

typedef struct dd_ir_item {
    dd_ir_step step;
    uint32_t value;
} dd_ir_item;

typedef DD_VEC(uint32_t) dd_u32_vec;
typedef DD_VEC(double) dd_double_vec;

#define DD_NO_VALUE UINT32_MAX

typedef struct dd_ir {
    dd_pool *pool;
    uint32_t n_inputs, n_constants; /* values 0 .. n_inputs-1 are the inputs, then the constants */
    DD_VEC(dd_ir_value) values;
    dd_u32_vec args;
    DD_VEC(dd_ir_item) main;
    dd_u32_vec prologue;
    dd_double_vec numbers;
    uint32_t *outputs; /* values */
    uint32_t n_outputs;
} dd_ir;

/* The values of a tape whose inputs are first the program's inputs, then its constants. Raises. */
dd_ir *dd_ir_new(dd_pool *pool, const dd_tape *tape, uint32_t n_inputs);

/* Removes values that no output needs, and selections whose sides are so short that both are computed (all of them when
 * `flat`). */
void dd_ir_clean(dd_ir *ir, bool flat);

/* Takes common factors out of sums (ir_factor.c); what nothing needs was removed. Raises. */
void dd_ir_factor(dd_ir *ir);

static inline const uint32_t *dd_ir_args(const dd_ir *ir, uint32_t value)
{
    return ir->args.data + ir->values.data[value].first;
}

#endif
