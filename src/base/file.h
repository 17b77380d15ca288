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

#endif
