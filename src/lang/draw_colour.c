/* draw_colour.c - colours by name, chosen to be told apart (also by people who see red and green alike), or #rrggbb. */
#include <string.h>

#include "lang/draw.h"

static const struct colour {
    const char *name;
    int32_t value;
} colours[] = {
    {"black", 0x22262b}, {"white", 0xf5f6f7},  {"grey", 0x8a929b},   {"gray", 0x8a929b},   {"silver", 0xc3c9d0},
    {"red", 0xd1495b},   {"orange", 0xe07a1f}, {"yellow", 0xe9b824}, {"green", 0x2a9d78},  {"teal", 0x17858f},
    {"cyan", 0x3ab7d8},  {"blue", 0x2f7fc1},   {"navy", 0x264b7a},   {"purple", 0x7d5ba6}, {"magenta", 0xc2568f},
    {"brown", 0x8b5e3c}, {"steel", 0x6c7f93},  {"gold", 0xc99a2e},
};
enum { COLOURS = sizeof colours / sizeof *colours };

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

int32_t dd_colour_named(const char *text)
{
    for (size_t i = 0; i < COLOURS; i++) {
        if (strcmp(text, colours[i].name) == 0) {
            return colours[i].value;
        }
    }
    /* six hexadecimal digits */
    if (text[0] != '#' || strlen(text) != 7) {
        return -1;
    }
    int32_t value = 0;
    for (size_t i = 1; i < 7; i++) {
        if (digit(text[i]) < 0) {
            return -1;
        }
        value = value * 16 + digit(text[i]);
    }
    return value;
}

const char *dd_colour_suggest(const char *text)
{
    const char *names[COLOURS];
    for (size_t i = 0; i < COLOURS; i++) {
        names[i] = colours[i].name;
    }
    return dd_closest_name(text, names, COLOURS);
}
