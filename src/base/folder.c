/* folder.c - a few questions to the file system. A folder that cannot be read is taken as empty: the caller then
 * reports the missing file. */
#include "base/folder.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool dd_path_is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool dd_path_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

const char *dd_path_folder(dd_pool *pool, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return ".";
    }
    return slash == path ? "/" : dd_pool_strndup(pool, path, (size_t)(slash - path));
}

const char *dd_path_join(dd_pool *pool, const char *folder, const char *name)
{
    size_t n = strlen(folder);
    return dd_pool_printf(pool, n > 0 && folder[n - 1] == '/' ? "%s%s" : "%s/%s", folder, name);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

typedef struct listing {
    dd_pool *pool;
    DIR *dir;
    DD_VEC(const char *) names;
} listing;

static void read_names(void *arg)
{
    listing *l = arg;
    const struct dirent *entry;
    /* no other thread has this stream, and then readdir is safe; readdir_r is obsolete */
    /* cppcheck-suppress readdirCalled */
    while ((entry = readdir(l->dir)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            dd_vec_push(l->pool, &l->names, dd_pool_strdup(l->pool, entry->d_name));
        }
    }
    dd_vec_push(l->pool, &l->names, NULL);
}

const char *const *dd_folder_names(dd_pool *pool, const char *path, size_t *count)
{
    static const char *const nothing[] = {NULL};
    listing l = {.pool = pool, .dir = opendir(path)};
    *count = 0;
    if (l.dir == NULL) {
        return nothing;
    }
    /* the folder is closed also when memory runs out */
    dd_context *ctx = dd_pool_context(pool);
    dd_status status = dd_protect(ctx, read_names, &l);
    closedir(l.dir);
    if (status != DD_OK) {
        dd_raise(ctx, status, "%s", dd_status_text(status));
    }
    *count = l.names.len - 1;
    qsort(l.names.data, *count, sizeof *l.names.data, compare_names);
    return l.names.data;
}

static const char *real_folder(dd_pool *pool, const char *path)
{
    char *real = realpath(path, NULL);
    if (real == NULL) {
        return "";
    }
    /* the folder of a file's real path */
    char *slash = strrchr(real, '/');
    const char *folder = slash != NULL ? dd_pool_strndup(pool, real, (size_t)(slash - real)) : "";
    free(real); // NOLINT: realpath's own memory, not the context's
    return folder;
}

void dd_program_folders(dd_pool *pool, const char *out[2])
{
    static const char here = 0; /* any object of this file: its address identifies the library it was loaded with */
    Dl_info info;
    out[0] = out[1] = "";
    /* a name without a slash is the program itself, found below */
    if (dladdr(&here, &info) != 0 && info.dli_fname != NULL && strchr(info.dli_fname, '/') != NULL) {
        out[0] = real_folder(pool, info.dli_fname);
    }
    out[1] = real_folder(pool, "/proc/self/exe");
}
