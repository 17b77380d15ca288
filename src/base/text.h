/* text.h - building strings, interning names, numbers to text and back independent of the locale. */
#ifndef DD_BASE_TEXT_H
#define DD_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"

/* A growing string. data is always terminated once something was added (and "" via dd_text_str). Text that is added
 * must not be a part of the same string. */
typedef struct dd_text {
    dd_pool *pool;
    char *data;
    size_t len, cap;
} dd_text;

dd_text dd_text_new(dd_pool *pool);
void dd_text_add(dd_text *text, const char *s);
void dd_text_add_n(dd_text *text, const char *s, size_t n);
void dd_text_add_char(dd_text *text, char c);
void dd_text_add_uint(dd_text *text, uint32_t value);
void dd_text_printf(dd_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* As text or an attribute of XML: characters with a meaning there are written by name, control characters as spaces. */
void dd_text_add_xml(dd_text *text, const char *s);
const char *dd_text_str(const dd_text *text);
void dd_text_clear(dd_text *text);

/* The shortest decimal text that reads back as exactly this double ("0.1", "1e-07" is written 1e-7, "9.81").
 * buffer needs 32 bytes. "nan", "inf", "-inf" for those. '.' as decimal point in every locale. */
const char *dd_number_text(double value, char buffer[32]);

/* Reads a number at the start of s in the C notation, whatever the locale. Sets *end. */
double dd_number_parse(const char *s, const char **end);

/* vsnprintf and snprintf that write '.' as the decimal point in every locale. */
int dd_format(char *buffer, size_t size, const char *format, va_list args);
int dd_snprintf(char *buffer, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Names as numbers: equal strings get equal ids (from 1), id -> string in O(1). */
typedef struct dd_names dd_names;
dd_names *dd_names_new(dd_pool *pool);
uint32_t dd_names_intern(dd_names *names, const char *s, size_t n);
uint32_t dd_names_find(const dd_names *names, const char *s, size_t n); /* 0 when absent */
const char *dd_names_get(const dd_names *names, uint32_t id);
uint32_t dd_names_count(const dd_names *names);

/* The candidate closest to `name` by Damerau-Levenshtein distance, for "did you mean"; NULL when none is near
 * (distance at most a third of the length, at least 1). */
const char *dd_closest_name(const char *name, const char *const *candidates, size_t count);

#endif
