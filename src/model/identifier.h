/* identifier.h - names given by calls, as the language writes them: x, 'a.b', 'if'. */
#ifndef DD_MODEL_IDENTIFIER_H
#define DD_MODEL_IDENTIFIER_H

#include "base/pool.h"

enum { DD_IDENTIFIER_MAX = 1000 }; /* bytes, quotes included: the limit of the lexer */

/* The name in quotes where the language asks for them. A name that is in quotes already stays as it is. NULL when it
 * cannot be a name: empty, too long, control characters, broken UTF-8. */
const char *dd_identifier(dd_pool *pool, const char *name);

#endif
