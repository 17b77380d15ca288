/* base64.h - bytes and numbers as base64; numbers with their bytes in the order of browsers, the lowest first. */
#ifndef DD_REPORT_BASE64_H
#define DD_REPORT_BASE64_H

#include "base/text.h"

typedef struct dd_base64 {
    dd_text *out;
    uint8_t waiting[3];
    uint32_t n;
} dd_base64;

void dd_base64_byte(dd_base64 *e, uint8_t byte);
void dd_base64_double(dd_base64 *e, double value);
void dd_base64_float(dd_base64 *e, double value); /* rounded to 32 bits */
/* What is left is written; nothing may follow. */
void dd_base64_end(dd_base64 *e);

#endif
