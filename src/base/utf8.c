/* utf8.c - see utf8.h; the ranges follow RFC 3629, table 3-7 of the Unicode standard, and UAX 11 for widths. */
#include "base/utf8.h"

#include <string.h>

/* length by the leading byte and the smallest code point that needs this length; 0 when it cannot lead */
static size_t sequence_length(unsigned char lead, uint32_t *smallest)
{
    /* 0xc0 and 0xc1 would be overlong, beyond 0xf4 lies no character */
    if (lead >= 0xc2 && lead <= 0xdf) {
        *smallest = 0x80;
        return 2;
    }
    if (lead >= 0xe0 && lead <= 0xef) {
        *smallest = 0x800;
        return 3;
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
        *smallest = 0x10000;
        return 4;
    }
    return 0;
}

size_t dd_utf8_decode(const char *s, size_t n, uint32_t *code)
{
    const unsigned char lead = (unsigned char)s[0];
    if (lead < 0x80) {
        *code = lead;
        return 1;
    }
    uint32_t smallest = 0;
    const size_t length = sequence_length(lead, &smallest);
    *code = UINT32_MAX;
    /* a byte that cannot lead, or a sequence cut off by the end */
    if (length == 0 || length > n) {
        return 1;
    }
    /* payload bits of the lead byte, then six of each continuation */
    uint32_t value = lead & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (!dd_utf8_is_continuation(s[i])) {
            return 1;
        }
        value = value << 6 | ((unsigned char)s[i] & 0x3fu);
    }
    /* overlong forms, beyond Unicode, or half of a surrogate pair */
    if (value < smallest || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
        return 1;
    }
    *code = value;
    return length;
}

typedef struct {
    uint32_t first, last;
} range;

static const range zero_width[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
    {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
};
static const range double_width[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},
    {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x2fffd}, {0x30000, 0x3fffd},
};

static bool in_ranges(uint32_t code, const range *ranges, size_t count)
{
    /* ranges are in rising order */
    for (size_t i = 0; i < count && code >= ranges[i].first; i++) {
        if (code <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

unsigned dd_utf8_width(uint32_t code)
{
    /* Latin, and bytes shown as U+FFFD */
    if (code < 0x300 || code == UINT32_MAX) {
        return 1;
    }
    if (in_ranges(code, zero_width, sizeof zero_width / sizeof *zero_width)) {
        return 0;
    }
    return in_ranges(code, double_width, sizeof double_width / sizeof *double_width) ? 2 : 1;
}

uint32_t dd_utf8_columns(const char *text)
{
    const size_t length = strlen(text);
    uint32_t columns = 0, code;
    for (size_t i = 0; i < length; columns += dd_utf8_width(code)) {
        i += dd_utf8_decode(text + i, length - i, &code);
    }
    return columns;
}
