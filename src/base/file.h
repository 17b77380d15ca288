/* file.h - reading whole files with a size limit, and writing them atomically: a temporary name in the same folder,
 * synced, renamed. An existing file is never left half written. */
#ifndef DD_BASE_FILE_H
#define DD_BASE_FILE_H

#include "base/pool.h"

/* Reads a whole file into the pool (terminated by an extra 0). Returns DD_IO with a message ("cannot read
 * model.mo: No such file or directory") when that fails; DD_LIMIT above max_bytes. Raises when memory runs out.
 * Folders, pipes: handled, never hang on a regular call. */
dd_status dd_file_read(dd_pool *pool, const char *path, size_t max_bytes, char **text, size_t *length);

/* Writes all bytes or changes nothing. "-" is not special. DD_IO with a message on failure; the temporary file is
 * removed. */
dd_status dd_file_write(dd_context *ctx, const char *path, const void *data, size_t length);

/* The same piece by piece, for data too large to be held as one text. */
typedef struct dd_file_out dd_file_out;

/* Opens a temporary file beside the target. DD_IO or DD_OUT_OF_MEMORY with *out NULL. */
dd_status dd_file_open(dd_file_out **out, dd_context *ctx, const char *path);
/* Adds bytes. The first failure is kept and reported by dd_file_close; bytes added afterwards are dropped. */
void dd_file_add(dd_file_out *file, const void *data, size_t length);
/* Syncs and renames, or removes the temporary file when anything failed. Frees `file` in both cases; NULL is DD_OK. */
dd_status dd_file_close(dd_file_out *file);
/* Removes the temporary file; the target stays as it was. NULL is fine. */
void dd_file_abandon(dd_file_out *file);

#endif
