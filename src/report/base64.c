/* base64.c - three bytes are four letters; what is missing at the end is '='. */
#include "report/base64.h"

#include <string.h>

static void encode_group(dd_base64 *e)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint32_t bits = (uint32_t)e->waiting[0] << 16 | (uint32_t)e->waiting[1] << 8 | e->waiting[2];
    char text[4] = {letters[bits >> 18], letters[bits >> 12 & 63], letters[bits >> 6 & 63], letters[bits & 63]};
    for (uint32_t i = e->n + 1; i < 4; i++) {
        text[i] = '=';
    }
    dd_text_add_n(e->out, text, 4);
    memset(e->waiting, 0, sizeof e->waiting);
    e->n = 0;
}

void dd_base64_byte(dd_base64 *e, uint8_t byte)
{
    e->waiting[e->n++] = byte;
    if (e->n == 3) {
        encode_group(e);
    }
}

static void encode(dd_base64 *e, uint64_t bits, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        dd_base64_byte(e, (uint8_t)(bits >> (8 * i)));
    }
}

void dd_base64_double(dd_base64 *e, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    encode(e, bits, sizeof bits);
}

void dd_base64_float(dd_base64 *e, double value)
{
    const float near = (float)value;
    uint32_t bits;
    memcpy(&bits, &near, sizeof bits);
    encode(e, bits, sizeof bits);
}

void dd_base64_end(dd_base64 *e)
{
    if (e->n > 0) {
        encode_group(e);
    }
}
