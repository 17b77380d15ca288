/* daedal.h - everything: include this one.
 *
 * Calls that return a status answer NULL handles, results and required texts with DD_INVALID_ARGUMENT; getters answer a
 * NULL handle or a number beyond the end with nothing: 0, "", NULL or not a number. */
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
#include "daedal/version.h"

#endif
