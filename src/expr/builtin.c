/* builtin.c - built-in functions by number and by name. */
#include <string.h>

#include "expr/form.h"

static const struct {
    const char *name;
    uint8_t least, most;
} builtins[] = {
#define OF_ONE(id, name, ...) {name, 1, 1},
#define OF_SEVERAL(id, name, least, most) {name, least, most},
    DD_ELEMENTARY_LIST(OF_ONE) DD_FN_LIST(OF_SEVERAL)};

dd_builtin dd_builtin_of(dd_form_fn fn)
{
    const dd_op op = (dd_op)(DD_OP_SIN + fn); /* both lists have the elementary functions in the same order */
    const dd_elementary *elementary = fn < DD_FN_ATAN2 ? dd_elementary_of(op) : NULL;
    return (dd_builtin){builtins[fn].name, builtins[fn].least, builtins[fn].most, elementary};
}

int dd_builtin_named(const char *name)
{
    /* the first letter decides most comparisons */
    for (int i = 0; i < DD_FN_COUNT; i++) {
        if (builtins[i].name[0] == name[0] && strcmp(builtins[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

void dd_builtin_count_words(dd_form_fn fn, uint32_t given, dd_text *out)
{
    const dd_builtin b = dd_builtin_of(fn);
    dd_text_printf(out, "%s takes %u", b.name, b.least);
    if (b.most > b.least) {
        dd_text_printf(out, " to %u", b.most);
    }
    dd_text_printf(out, " argument%s, but %u %s given", b.most == 1 ? "" : "s", given, given == 1 ? "is" : "are");
}
