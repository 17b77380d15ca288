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

static bool set_number(const dd_option *o, double *member, const char *value, char *why)
{
    double number;
    if (!read_number(value, &number)) {
        return expected(why, o->kind == DD_OPTION_POSITIVE ? "a positive number" : "a number");
    }
    if (o->kind == DD_OPTION_POSITIVE && !(number > 0)) {
        return expected(why, "a positive number");
    }
    if (o->kind == DD_OPTION_POSITIVE && o->most > 0 && number >= o->most) {
        snprintf(why, DD_OPTION_WHY, "expected a number below %g", o->most);
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
    if (end == NULL || *end != '\0' || errno != 0 || (double)count < e->shown.least || (double)count > e->shown.most) {
        snprintf(why, DD_OPTION_WHY, "expected a whole number from %.0f to %.0f", e->shown.least, e->shown.most);
        return false;
    }
    if (e->store == DD_STORE_U64) {
        *(uint64_t *)member = count;
    } else {
        *(uint32_t *)member = (uint32_t)count;
    }
    return true;
}

/* The place of the word in its list is the value of the enum. */
static bool set_word(const dd_option_entry *e, void *member, const char *value, char *why)
{
    char list[DD_OPTION_WHY] = "";
    for (int i = 0; e->shown.words[i] != NULL; i++) {
        if (strcmp(value, e->shown.words[i]) == 0) {
            if (e->store == DD_STORE_BOOL) {
                *(bool *)member = i == 1;
            } else if (e->store == DD_STORE_NAME) {
                *(const char **)member = e->shown.words[i];
            } else {
                memcpy(member, &i, sizeof i); /* an enum has the size of an int */
            }
            return true;
        }
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i == 0 ? "" : ", ", e->shown.words[i]);
    }
    snprintf(why, DD_OPTION_WHY, "expected one of %.150s", list);
    return false;
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
