/* option.h - a list of options as entries: the names and help that users see, and the member of a struct for the
 * value. */
#ifndef DD_BASE_OPTION_H
#define DD_BASE_OPTION_H

#include <stddef.h>

#include "daedal/options.h"

/* How wide the member is: a COUNT may be 32 or 64 bits, a WORD an enum, a bool or the word itself. */
typedef enum dd_option_store {
    DD_STORE_USUAL, /* bool, double, uint32_t, an enum, const char * by the kind */
    DD_STORE_U64,   /* a COUNT */
    DD_STORE_BOOL,  /* a WORD out of two: the second is true */
    DD_STORE_NAME   /* a WORD as const char *, the list's own */
} dd_option_store;

typedef struct dd_option_entry {
    dd_option shown;
    size_t offset;         /* of the member */
    dd_option_store store; /* its type */
    bool has_given;        /* there is a member that says that the option was given, */
    size_t given;          /* here: a bool */
} dd_option_entry;

/* Finds the entry, reads the value and stores it; false with a reason. */
bool dd_option_set(const dd_option_entry *entries, size_t count, void *options, const char *name, const char *value,
                   char *why);

/* The same ranges for members that a program has set itself: each value must be possible or that of `defaults`. False
 * with a reason that begins with the option's name. */
bool dd_option_check(const dd_option_entry *entries, size_t count, const void *options, const void *defaults,
                     char *why);

#endif
