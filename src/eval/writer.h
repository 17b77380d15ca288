/* writer.h - writing code: instructions that follow each other with the same operation become one run. */
#ifndef DD_EVAL_WRITER_H
#define DD_EVAL_WRITER_H

#include <string.h>

#include "eval/code.h"

#define DD_NO_RUN UINT32_MAX

typedef struct dd_writer {
    dd_pool *pool;
    DD_VEC(uint16_t) words;
    uint32_t run;  /* where the run at the end begins; DD_NO_RUN when nothing may be added to it */
    uint32_t runs; /* so far */
} dd_writer;

static inline void dd_writer_word(dd_writer *w, uint32_t word)
{
    dd_vec_push(w->pool, &w->words, (uint16_t)word);
}

/* Begins an instruction; its operands follow as words. */
static inline void dd_writer_begin(dd_writer *w, dd_code_op op)
{
    bool open = w->run != DD_NO_RUN;
    if (open && w->words.data[w->run] == op + DD_CODE_RUN && w->words.data[w->run + 1] < UINT16_MAX) {
        w->words.data[w->run + 1]++;
    } else if (open && w->words.data[w->run] == op) { /* the single instruction at the end becomes a run of two */
        dd_writer_word(w, 0);
        uint16_t *run = w->words.data + w->run;
        memmove(run + 2, run + 1, (w->words.len - w->run - 2) * sizeof *run);
        run[0] = (uint16_t)(op + DD_CODE_RUN);
        run[1] = 2;
    } else {
        w->run = w->words.len;
        w->runs++;
        dd_writer_word(w, op);
    }
}

/* Begins an instruction that is not a run: BRANCH, SKIP, END. */
static inline void dd_writer_single(dd_writer *w, dd_code_op op)
{
    w->run = DD_NO_RUN;
    dd_writer_word(w, op);
}

#endif
