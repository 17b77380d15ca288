/* ocp_page_more.h - parts of the page of an optimization beyond plots. */
#ifndef DD_OCP_OCP_PAGE_MORE_H
#define DD_OCP_OCP_PAGE_MORE_H

#include "ocp/ocp_impl.h"

/* A fit with its intervals and correlations, and the patterns of the program; p has a trajectory. Raises. */
void dd_ocp_page_more(dd_page_writer *page, dd_ocp *p, dd_pool *pool);

/* The section of a fit, where it is one. Raises. */
void dd_ocp_page_fit(dd_page_writer *page, dd_ocp *p, dd_pool *pool);

/* How many standard deviations a 95 % interval reaches to each side, by Student's distribution with n degrees of
 * freedom: 12.7 for 1, 1.96 for very many. NaN for 0. */
double dd_student_95(uint32_t n);

#endif
