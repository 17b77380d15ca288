/* folder.h - paths and folders: files that exist, and where this program and its library are. */
#ifndef DD_BASE_FOLDER_H
#define DD_BASE_FOLDER_H

#include <stdbool.h>

#include "base/pool.h"

bool dd_path_is_file(const char *path); /* a regular file, or a link to one */
bool dd_path_is_folder(const char *path);
/* The folder a path lies in: "a/b.mo" -> "a", "b.mo" -> ".", "/b.mo" -> "/". */
const char *dd_path_folder(dd_pool *pool, const char *path);
const char *dd_path_join(dd_pool *pool, const char *folder, const char *name);
/* The names in a folder but "." and "..", sorted; NULL-terminated. Empty when it cannot be read. */
const char *const *dd_folder_names(dd_pool *pool, const char *path, size_t *count);

/* The folders of the shared library this code is in and of the running program; "" where unknown. */
void dd_program_folders(dd_pool *pool, const char *out[2]);

#endif
