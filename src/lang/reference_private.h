/* reference_private.h - shared by the files reference*.c: the parts of a path, and what they offer each other. */
#ifndef DD_LANG_REFERENCE_PRIVATE_H
#define DD_LANG_REFERENCE_PRIVATE_H

#include "lang/flatten.h"

/* ---- parts of a NAME or PATH, counted from 0 ---- */

static inline const char *dd_reference_text(const dd_flattener *fl, uint32_t name)
{
    return dd_names_get(fl->m->names, name);
}

static inline uint32_t dd_path_count(const dd_flattener *fl, dd_form f)
{
    const dd_form_node *node = dd_form_get(fl->m->forms, f);
    return node->op == DD_FORM_PATH ? node->nargs : 1;
}

static inline dd_form dd_path_part(const dd_flattener *fl, dd_form f, uint32_t i)
{
    return dd_form_get(fl->m->forms, f)->op == DD_FORM_PATH ? dd_form_arg(fl->m->forms, f, i) : f;
}

static inline uint32_t dd_path_name(const dd_flattener *fl, dd_form f, uint32_t i)
{
    return dd_form_get(fl->m->forms, dd_path_part(fl, f, i))->payload;
}

static inline uint32_t dd_path_subscripts(const dd_flattener *fl, dd_form f, uint32_t i)
{
    return dd_form_get(fl->m->forms, dd_path_part(fl, f, i))->nargs;
}

/* ---- reference.c ---- */
/* The declaration of a member; a constant that is needed now is declared first. */
dd_flat_decl *dd_reference_declared(dd_flattener *fl, const dd_member *member);

/* ---- reference_report.c ---- */
const char *dd_path_printed(dd_flattener *fl, dd_form f);
/* Why the target of f is not a value; silent when that was reported before. */
void dd_reference_report(dd_flattener *fl, dd_form f, const dd_target *t);

/* ---- reference_family.c ---- */
/* The members that the open part of a path reaches, row-major: family->count of them, with the dimensions of the
 * components in family->view. False after a message. */
bool dd_family_members(dd_flattener *fl, const dd_target *t, dd_form f, dd_family *family, dd_member ***leaves);
/* A REF to the symbol of the family, with the subscripts written in f. False after a message. */
bool dd_family_reference(dd_flattener *fl, dd_resolver *r, dd_form f, const dd_target *t, dd_form *out);

#endif
