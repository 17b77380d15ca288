/* folder_write.c - a folder of files, all or none.
 *
 *   new:        DIR.tmp-123/  NAME.h ...   ->   DIR
 *   existing:   file by file, each atomically, the header last
 *
 * The sources of an export check the fingerprint in its header, so that files of two exports never become one program. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "export/export_impl.h"

static void remove_folder(dd_export *x, const char *path)
{
    size_t count;
    const char *const *names = dd_folder_names(x->pool, path, &count);
    for (size_t i = 0; i < count; i++) {
        unlink(dd_path_join(x->pool, path, names[i]));
    }
    rmdir(path);
}

static _Noreturn void fail(dd_export *x, const char *path, const char *temporary)
{
    const int why = errno;
    if (temporary) {
        remove_folder(x, temporary);
    }
    dd_raise(x->ctx, DD_IO, "cannot make the folder %s: %s", path, strerror(why));
}

/* From the last file to the first, which is the header. */
static dd_status write_all(dd_export *x, const dd_export_files *files, const char *folder)
{
    dd_status st = DD_OK;
    for (uint32_t i = files->len; i-- > 0 && st == DD_OK;) {
        const dd_export_file *f = &files->data[i];
        st = dd_file_write(x->ctx, dd_path_join(x->pool, folder, f->path), f->data, f->length);
    }
    return st;
}

static void write_new(dd_export *x, const dd_export_files *files, const char *target)
{
    const char *temporary = dd_pool_printf(x->pool, "%s.tmp-%d", target, (int)getpid());
    errno = EIO;
    if (dd_file_fault(x->ctx) || mkdir(temporary, 0777) != 0) {
        fail(x, target, NULL);
    }
    const dd_status st = write_all(x, files, temporary);
    if (st != DD_OK) {
        remove_folder(x, temporary);
        dd_raise(x->ctx, st, "%s", dd_context_message(x->ctx));
    }
    if (rename(temporary, target) != 0) {
        fail(x, target, temporary);
    }
}

void dd_export_write_folder(dd_export *x, const dd_export_files *files, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    const char *target = dd_pool_strndup(x->pool, path, length);
    struct stat info;
    if (stat(target, &info) != 0) {
        write_new(x, files, target);
        return;
    }
    if (!S_ISDIR(info.st_mode)) {
        dd_raise(x->ctx, DD_IO, "%s is a file: name a folder for the export of %s", target, x->system->model->name);
    }
    const dd_status st = write_all(x, files, target);
    if (st != DD_OK) {
        dd_raise(x->ctx, st, "%s", dd_context_message(x->ctx));
    }
}
