/* program_impl.h - the parts of a program, for the files of this folder.
 *
 *   pool of the main part:  [ numbers | hoisted ]     hoisted: outputs of the prologue
 *   the prologue is code like the main part: its inputs are the constants, its pool holds its own numbers
 */
#ifndef DD_EVAL_PROGRAM_IMPL_H
#define DD_EVAL_PROGRAM_IMPL_H

#include "eval/select.h"

typedef struct dd_part {
    dd_code code;
    uint32_t n_inputs, n_outputs;
    uint32_t segment[DD_MOST_SEGMENTS], n_segments;
    double *numbers;
    uint32_t n_numbers, n_pool;
} dd_part;

struct dd_program {
    dd_part main, prologue;
    uint32_t n_constants;
    size_t bytes;
};

#endif
