/* ocp_impl.h - one optimization: problem, transcription, solution. */
#ifndef DD_OCP_OCP_IMPL_H
#define DD_OCP_OCP_IMPL_H

#include "daedal/optimize.h"
#include "ocp/guess.h"
#include "ocp/outputs.h"
#include "ocp/transcription.h"

struct dd_ocp {
    dd_context *ctx;
    dd_pool *pool;
    dd_system *system;
    dd_ocp_options options;
    dd_ocp_info info;
    dd_ocp_problem *problem;
    dd_transcription *transcription;
    dd_tableau *tableau;       /* of shooting; NULL: collocation */
    dd_written_guess *written; /* the guess of the text */
    dd_ocp_outputs *outputs;
    dd_nlp_result result; /* x: the solution in scaled variables */
    double created;       /* wall clock */
    dd_pool *text;        /* of the last report */
};

#endif
