/* utf8.h - reading UTF-8 that may be broken. */
#ifndef DD_BASE_UTF8_H
#define DD_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DD_UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Decodes the character at s (n > 0 bytes left). Returns its length in bytes, 1 to 4. A byte that belongs to no
 * valid character has length 1 and *code is UINT32_MAX. Overlong forms and surrogates are not valid. */
size_t dd_utf8_decode(const char *s, size_t n, uint32_t *code);

/* Columns of this character in a terminal: 0 for combining marks, 2 for wide East Asian ones and emoji, else 1. */
unsigned dd_utf8_width(uint32_t code);

/* Columns of a whole text. */
uint32_t dd_utf8_columns(const char *text);

static inline bool dd_utf8_is_continuation(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

#endif
