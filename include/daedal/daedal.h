/* daedal.h - everything: include this one. */
#ifndef DAEDAL_H
#define DAEDAL_H

#include "daedal/check.h"
#include "daedal/context.h"
#include "daedal/expr.h"
#include "daedal/linearize.h"
#include "daedal/methods.h"
#include "daedal/model.h"
#include "daedal/rotation.h"
#include "daedal/sim.h"
#include "daedal/status.h"
#include "daedal/version.h"

#endif
