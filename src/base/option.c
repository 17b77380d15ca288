/* option.c - values of options from text, checked by the list. */
#include "base/option.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool expected(char *why, const char *what)
{
    snprintf(why, DD_OPTION_WHY, "expected %s", what);
    return false;
}

/* ---- values ---- */

static bool read_number(const char *text, double *value)
{
    const char *end;
    *value = dd_number_parse(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

static bool set_flag(void *member, const char *value, char *why)
{
    if (value != NULL && strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
        return expected(why, "true or false");
    }
    *(bool *)member = value == NULL || strcmp(value, "true") == 0;
    return true;
}

/* Is the number one that the option takes? */
static bool number_fits(const dd_option *o, double number, char *why)
{
    if (!isfinite(number) || (o->kind == DD_OPTION_POSITIVE && !(number > 0))) {
        return expected(why, o->kind == DD_OPTION_POSITIVE ? "a positive number" : "a number");
    }
    if (o->kind == DD_OPTION_POSITIVE && o->most > 0 && number >= o->most) {
        snprintf(why, DD_OPTION_WHY, "expected a number below %g", o->most);
        return false;
    }
    return true;
}

static bool count_fits(const dd_option *o, double count, char *why)
{
    if (count < o->least || count > o->most) {
        snprintf(why, DD_OPTION_WHY, "expected a whole number from %.0f to %.0f", o->least, o->most);
        return false;
    }
    return true;
}

static bool set_number(const dd_option *o, double *member, const char *value, char *why)
{
    double number;
    if (!read_number(value, &number)) {
        number = NAN;
    }
    if (!number_fits(o, number, why)) {
        return false;
    }
    *member = number;
    return true;
}

static bool set_count(const dd_option_entry *e, void *member, const char *value, char *why)
{
    char *end = NULL;
    errno = 0;
    /* digits only: strtoull would accept a sign */
    const unsigned long long count = *value >= '0' && *value <= '9' ? strtoull(value, &end, 10) : 0;
    const bool whole = end != NULL && *end == '\0' && errno == 0;
    if (!count_fits(&e->shown, whole ? (double)count : INFINITY, why)) {
        return false;
    }
    if (e->store == DD_STORE_U64) {
        *(uint64_t *)member = count;
    } else {
        *(uint32_t *)member = (uint32_t)count;
    }
    return true;
}

static bool word_expected(const dd_option *o, char *why)
{
    char list[DD_OPTION_WHY] = "";
    for (int i = 0; o->words[i] != NULL; i++) {
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i == 0 ? "" : ", ", o->words[i]);
    }
    snprintf(why, DD_OPTION_WHY, "expected one of %.150s", list);
    return false;
}

/* The place of the word in its list is the value of the enum. */
static bool set_word(const dd_option_entry *e, void *member, const char *value, char *why)
{
    for (int i = 0; e->shown.words[i] != NULL; i++) {
        if (strcmp(value, e->shown.words[i]) != 0) {
            continue;
        }
        if (e->store == DD_STORE_BOOL) {
            *(bool *)member = i == 1;
        } else if (e->store == DD_STORE_NAME) {
            *(const char **)member = e->shown.words[i];
        } else {
            memcpy(member, &i, sizeof i); /* an enum has the size of an int */
        }
        return true;
    }
    return word_expected(&e->shown, why);
}

/* ---- by name ---- */

static bool set_entry(const dd_option_entry *e, char *options, const char *value, char *why)
{
    void *member = options + e->offset;
    if (e->shown.kind != DD_OPTION_FLAG && value == NULL) {
        return expected(why, "a value");
    }
    /* each kind has its own member type and its own range */
    switch (e->shown.kind) {
    case DD_OPTION_FLAG:
        return set_flag(member, value, why);
    case DD_OPTION_REAL:
    case DD_OPTION_POSITIVE:
        return set_number(&e->shown, member, value, why);
    case DD_OPTION_COUNT:
        return set_count(e, member, value, why);
    case DD_OPTION_WORD:
        return set_word(e, member, value, why);
    case DD_OPTION_TEXT:
        *(const char **)member = value;
        return true;
    }
    return expected(why, "an option of a known kind");
}

bool dd_option_set(const dd_option_entry *entries, size_t count, void *options, const char *name, const char *value,
                   char *why)
{
    /* a caller without room for the reason gets a plain refusal */
    if (why == NULL || options == NULL || name == NULL) {
        return why != NULL && expected(why, "options and the name of one");
    }
    for (size_t i = 0; i < count; i++) {
        const dd_option_entry *e = &entries[i];
        if (strcmp(e->shown.name, name) != 0) {
            continue;
        }
        if (!set_entry(e, options, value, why)) {
            return false;
        }
        /* options whose absence means "the model's own" have a flag beside their value */
        if (e->has_given) {
            *((bool *)((char *)options + e->given)) = true;
        }
        return true;
    }
    snprintf(why, DD_OPTION_WHY, "there is no option %.100s", name);
    return false;
}

/* ---- members set by a program ---- */

/* A word as a member: an enum within the list. Names are looked up by their users, and a bool is always one of two. */
static bool word_fits(const dd_option_entry *e, const void *member, char *why)
{
    int place, count = 0;
    if (e->store != DD_STORE_USUAL) {
        return true;
    }
    memcpy(&place, member, sizeof place);
    while (e->shown.words[count] != NULL) {
        count++;
    }
    return (place >= 0 && place < count) || word_expected(&e->shown, why);
}

static bool member_fits(const dd_option_entry *e, const void *member, char *why)
{
    switch (e->shown.kind) {
    case DD_OPTION_REAL:
    case DD_OPTION_POSITIVE:
        return number_fits(&e->shown, *(const double *)member, why);
    case DD_OPTION_COUNT:
        return count_fits(
            &e->shown, e->store == DD_STORE_U64 ? (double)*(const uint64_t *)member : *(const uint32_t *)member, why);
    case DD_OPTION_WORD:
        return word_fits(e, member, why);
    default:
        return true;
    }
}

/* Bytes of the member. */
static size_t member_size(const dd_option_entry *e)
{
    switch (e->shown.kind) {
    case DD_OPTION_REAL:
    case DD_OPTION_POSITIVE:
        return sizeof(double);
    case DD_OPTION_COUNT:
        return e->store == DD_STORE_U64 ? sizeof(uint64_t) : sizeof(uint32_t);
    case DD_OPTION_WORD:
        return e->store == DD_STORE_BOOL ? sizeof(bool) : e->store == DD_STORE_NAME ? sizeof(char *) : sizeof(int);
    case DD_OPTION_FLAG:
        return sizeof(bool);
    default:
        return sizeof(char *);
    }
}

bool dd_option_check(const dd_option_entry *entries, size_t count, const void *options, const void *defaults, char *why)
{
    for (size_t i = 0; i < count; i++) {
        const dd_option_entry *e = &entries[i];
        const char *member = (const char *)options + e->offset;
        char reason[DD_OPTION_WHY];
        /* defaults may lie outside the range: 0 for "found by the program" */
        bool usual = memcmp(member, (const char *)defaults + e->offset, member_size(e)) == 0;
        if (!usual && !member_fits(e, member, reason)) {
            snprintf(why, DD_OPTION_WHY, "%s: %.150s", e->shown.name, reason);
            return false;
        }
    }
    return true;
}
