/* daedal.h - includes all public headers.
 *
 * Calls that return a status return DD_INVALID_ARGUMENT for handles, results or required texts that are NULL. Getters
 * return 0, "", NULL or not-a-number for a NULL handle or an index beyond the end. */
#ifndef DAEDAL_H
#define DAEDAL_H

#include "daedal/check.h"
#include "daedal/context.h"
#include "daedal/control.h"
#include "daedal/export_code.h"
#include "daedal/expr.h"
#include "daedal/linearize.h"
#include "daedal/methods.h"
#include "daedal/model.h"
#include "daedal/nlp.h"
#include "daedal/optimize.h"
#include "daedal/options.h"
#include "daedal/rotation.h"
#include "daedal/sim.h"
#include "daedal/status.h"
#include "daedal/study.h"
#include "daedal/version.h"

#endif
