/* team.h - threads that share the parts of a piece of work.
 *
 *     dd_team_new(&team, ctx, 2);
 *     dd_team_run(team, parts, work, user);     calls work(user, part, member) once for every part; returns when all are done
 *     dd_team_free(team);
 *
 * The caller is member 0 and takes parts like the others, so nothing waits for a thread that the system does not run.
 * Which member takes a part differs from run to run: results must depend on the part alone. Work must not allocate from
 * the context nor raise. A team runs one piece of work at a time.
 */
#ifndef DD_BASE_TEAM_H
#define DD_BASE_TEAM_H

#include "base/context.h"

typedef struct dd_team dd_team;

/* With one thread (or none) there is no team: *out is NULL, which all calls below accept. The same where the system has no
 * threads left. Fails with DD_OUT_OF_MEMORY. */
dd_status dd_team_new(dd_team **out, dd_context *ctx, uint32_t threads);
void dd_team_free(dd_team *team);
uint32_t dd_team_size(const dd_team *team); /* members: 1 without a team */

typedef void (*dd_team_work)(void *user, uint32_t part, uint32_t member);
void dd_team_run(dd_team *team, uint32_t parts, dd_team_work work, void *user);

/* The same in two calls, between which the caller does something else; not without a team. dd_team_end takes the parts
 * that nobody has taken. */
void dd_team_begin(dd_team *team, uint32_t parts, dd_team_work work, void *user);
void dd_team_end(dd_team *team);

#endif
