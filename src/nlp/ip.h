/* ip.h - Daedal's interior-point solver. */
#ifndef DD_NLP_IP_H
#define DD_NLP_IP_H

#include "nlp/nlp.h"

extern const dd_nlp_solver dd_nlp_solver_daedal;

#endif
