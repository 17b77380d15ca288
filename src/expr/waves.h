/* waves.h - sums of products of symbols, sines and cosines, collected.
 *
 * Rotations written with half angles, 1 - 2*s^2 with s = sin(phi/2), are short in whole angles: cos(phi). With numbers for
 * all lengths and axes most terms of a mechanism's formulas cancel so. */
#ifndef DD_EXPR_WAVES_H
#define DD_EXPR_WAVES_H

#include "expr/dag.h"

/* Replaces n expressions, in place, by equal ones (to rounding) that are shorter. Products are multiplied out with sin^2 =
 * 1 - cos^2 and, for half angles a = 1/2*b, with sin(a)*cos(a) = 1/2*sin(b) and its like; terms are collected, and those that
 * cancel to the rounding of their numbers leave. Inside of the expressions sums become sums of a few terms, and products
 * become single terms, where that is no longer; products look into noEvent around a few terms. An expression as a whole
 * becomes a sum of at most most_terms terms if that has fewer nodes. Two sums of unknowns are never multiplied
 * out: digits that cancel in (x - a)^2 would be lost in x^2 - 2*a*x + a^2. DD_EXPR_NONE stays. */
void dd_collect_waves(dd_dag *dag, dd_expr *e, uint32_t n, uint32_t most_terms);

/* One expression as a sum of at most most_terms terms, if that has less than half of its nodes; else the expression. Looks into
 * noEvent directly in it, no deeper. For what others share with it: where little is gained, more is lost with what they share. */
dd_expr dd_collect_waves_near(dd_dag *dag, dd_expr e, uint32_t most_terms);

/* The parts of an attitude: cos(a)*cos(b) - sin(a)*sin(b) and its like become functions of a + b (or all of a - b) where a and b
 * leave all n of them so: rotations about axes that are parallel to each other. Looks into noEvent around these expressions and in
 * them, no deeper. In place. */
void dd_join_angles(dd_dag *dag, dd_expr *e, uint32_t n);

#endif
