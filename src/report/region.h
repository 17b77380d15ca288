/* region.h - a picture of the part of the complex plane where a function is at most 1, as a self-contained SVG. */
#ifndef DD_REPORT_REGION_H
#define DD_REPORT_REGION_H

#include "base/text.h"

typedef struct dd_region {
    const char *title;    /* above the picture */
    const char *subtitle; /* below it, smaller; NULL: none */
    const char *label;    /* of the shaded part, in the legend: "|R(z)| <= 1" */
    double reach;         /* half the side of the square around 0 in which the boundary is looked for */
    double (*value)(const void *user, double re, double im); /* nonnegative, HUGE_VAL allowed; not NaN */
    const void *user;
} dd_region;

/* Writes the picture to out: the region shaded, with deeper shades where the value is below 1/2 and 1/10, its boundary,
 * axes with numbers. The window shows the whole boundary as far as it lies within `reach`. Raises. */
void dd_region_svg(dd_text *out, const dd_region *region);

/* Several regions in one picture with one window: boundaries in different colours, lightly filled, labels in a legend.
 * subtitle may be NULL. Raises. */
void dd_regions_svg(dd_text *out, const char *title, const char *subtitle, const dd_region *regions, uint32_t count);

#endif
