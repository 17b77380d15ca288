/* ipopt.h - IPOPT as an entry of the list of solvers. */
#ifndef DD_NLP_IPOPT_H
#define DD_NLP_IPOPT_H

#include "nlp/nlp.h"

extern const dd_nlp_solver dd_nlp_solver_ipopt;

#endif
