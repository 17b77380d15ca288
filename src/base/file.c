/* file.c - whole files in, whole files out.
 *
 * Writing: a new file in the same folder is filled, synced and renamed over the old one, then the folder is synced.
 * Until the rename the old file is untouched; afterwards the new one is complete. Every call into the system first
 * asks dd_file_fault, so that tests can make each of them fail in turn. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/state.h"

enum { READ_PIECE = 64 * 1024, WRITE_PIECE = 64 * 1024, WAIT_MILLISECONDS = 50, TEMPORARY_TRIES = 100 };

/* ---- system calls: repeated when a signal came in between, failing on request ---- */

static int open_file(dd_context *ctx, const char *path, int flags, mode_t mode)
{
    int fd;
    if (dd_file_fault(ctx)) {
        errno = EIO;
        return -1;
    }
    do {
        fd = open(path, flags | O_CLOEXEC, mode);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

static ssize_t read_some(dd_context *ctx, int fd, void *buffer, size_t size)
{
    ssize_t n;
    if (dd_file_fault(ctx)) {
        errno = EIO;
        return -1;
    }
    do {
        n = read(fd, buffer, size);
    } while (n < 0 && errno == EINTR);
    return n;
}

static int write_all(dd_context *ctx, int fd, const char *data, size_t length)
{
    /* a write may take less than asked for: go on with the rest */
    while (length > 0) {
        if (dd_file_fault(ctx)) {
            errno = EIO;
            return -1;
        }
        const ssize_t n = write(fd, data, length < INT_MAX ? length : INT_MAX);
        if (n < 0 && errno != EINTR) {
            return -1;
        }
        if (n > 0) {
            data += n;
            length -= (size_t)n;
        }
    }
    return 0;
}

static int sync_file(dd_context *ctx, int fd)
{
    int result;
    if (dd_file_fault(ctx)) {
        errno = EIO;
        return -1;
    }
    do {
        result = fsync(fd);
    } while (result != 0 && errno == EINTR);
    /* some file systems and pipes cannot sync and say so; there is nothing more to do then */
    return result != 0 && (errno == EINVAL || errno == ENOTSUP || errno == EROFS) ? 0 : result;
}

/* the descriptor is gone even when close fails, so this is never repeated */
static int close_file(dd_context *ctx, int fd)
{
    const int result = close(fd);
    if (dd_file_fault(ctx)) {
        errno = EIO;
        return -1;
    }
    return result != 0 && errno != EINTR ? -1 : 0;
}

static int rename_file(dd_context *ctx, const char *from, const char *to)
{
    if (dd_file_fault(ctx)) {
        errno = EIO;
        return -1;
    }
    return rename(from, to);
}

static dd_status fail_with_errno(dd_context *ctx, const char *what, const char *path, int error)
{
    /* messages are in English whatever the locale */
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const char *reason = plain != (locale_t)0 ? strerror_l(error, plain) : "unknown reason";
    const dd_status status = dd_fail(ctx, DD_IO, "cannot %s %s: %s", what, path, reason);
    if (plain != (locale_t)0) {
        freelocale(plain);
    }
    return status;
}

/* ---- reading ---- */

typedef struct {
    dd_pool *pool;
    const char *path;
    int fd;
    size_t max_bytes, expected;
    char *text;
    size_t length;
    dd_status status;
} reading;

/* Waits until the writer of a pipe has written something; looks at the stop conditions meanwhile. */
static dd_status wait_for_data(dd_context *ctx, int fd)
{
    /* short waits, so that an interrupt is noticed */
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (poll(&p, 1, WAIT_MILLISECONDS) <= 0) {
        const dd_status status = dd_poll_stop(ctx);
        if (status != DD_OK) {
            return status;
        }
    }
    return DD_OK;
}

static void read_body(void *arg)
{
    reading *r = arg;
    dd_context *ctx = dd_pool_context(r->pool);
    size_t capacity = r->expected + 2; /* one for the end, one so that the end of a file is seen without growing */
    r->text = dd_block_resize(r->pool, NULL, capacity);
    for (;;) {
        /* doubling keeps the total cost linear */
        if (r->length + 1 == capacity) {
            capacity = capacity < READ_PIECE ? READ_PIECE : 2 * capacity;
            r->text = dd_block_resize(r->pool, r->text, capacity);
        }
        const ssize_t n = read_some(ctx, r->fd, r->text + r->length, capacity - r->length - 1);
        /* a pipe that is empty for now, a failure, the end, or data */
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            r->status = wait_for_data(ctx, r->fd);
        } else if (n < 0) {
            r->status = fail_with_errno(ctx, "read", r->path, errno);
        } else if (n == 0) {
            break;
        } else {
            r->length += (size_t)n;
        }
        /* the limit holds for pipes, too, whose size is not known before */
        if (r->status == DD_OK && r->length > r->max_bytes) {
            r->status = dd_fail(ctx, DD_LIMIT, "%s is larger than %zu bytes", r->path, r->max_bytes);
        }
        if (r->status != DD_OK) {
            return;
        }
    }
    r->text[r->length] = '\0';
}

/* Refuses folders and files that are too large before anything is read; takes the size of a regular file. */
static dd_status look_at_file(dd_context *ctx, reading *r)
{
    struct stat info;
    if (fstat(r->fd, &info) != 0) {
        return fail_with_errno(ctx, "read", r->path, errno);
    }
    /* a folder opens without an error, but cannot be read */
    if (S_ISDIR(info.st_mode)) {
        return fail_with_errno(ctx, "read", r->path, EISDIR);
    }
    /* pipes and devices have no size */
    if (!S_ISREG(info.st_mode)) {
        return DD_OK;
    }
    if (info.st_size > 0 && (uintmax_t)info.st_size > r->max_bytes) {
        return dd_fail(ctx, DD_LIMIT, "%s is larger than %zu bytes", r->path, r->max_bytes);
    }
    r->expected = (size_t)info.st_size;
    return DD_OK;
}

dd_status dd_file_read(dd_pool *pool, const char *path, size_t max_bytes, char **text, size_t *length)
{
    dd_context *ctx = dd_pool_context(pool);
    *text = NULL;
    *length = 0;
    /* without O_NONBLOCK, opening a named pipe that nobody writes to would wait for ever */
    reading r = {.pool = pool, .path = path, .max_bytes = max_bytes < SIZE_MAX / 4 ? max_bytes : SIZE_MAX / 4};
    r.fd = open_file(ctx, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (r.fd < 0) {
        return fail_with_errno(ctx, "read", path, errno);
    }
    r.status = look_at_file(ctx, &r);
    /* the descriptor is closed whatever happens: memory may run out while reading */
    const dd_status raised = r.status == DD_OK ? dd_protect(ctx, read_body, &r) : DD_OK;
    close(r.fd);
    if (raised != DD_OK) {
        dd_raise_again(ctx, raised);
    }
    if (r.status != DD_OK) {
        dd_block_free(pool, r.text);
        return r.status;
    }
    *text = r.text;
    *length = r.length;
    return DD_OK;
}

/* ---- writing ---- */

typedef struct {
    char target[PATH_MAX];         /* the path with links followed */
    char folder[PATH_MAX];         /* "." when there is none in the path */
    char temporary[PATH_MAX + 64]; /* "" when there is none */
    mode_t mode;                   /* of the file that is replaced; 0 when there is none */
    bool is_special;               /* a device or pipe: written straight */
} writing;

/* Finds the target, its folder and its kind. Returns 0, or an errno. */
static int look_at_target(writing *w, const char *path)
{
    struct stat info;
    /* the buffers hold PATH_MAX bytes */
    if (strlen(path) >= sizeof w->target) {
        return ENAMETOOLONG;
    }
    if (path[0] == '\0') {
        return ENOENT;
    }
    strcpy(w->target, path);
    /* an existing file: links are followed, so that the link itself survives the rename */
    if (stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode)) {
            return EISDIR;
        }
        w->is_special = !S_ISREG(info.st_mode);
        w->mode = info.st_mode & 07777;
        if (!w->is_special && (access(path, W_OK) != 0 || !realpath(path, w->target))) {
            return errno;
        }
    } else if (errno != ENOENT) {
        return errno;
    }
    /* the folder that holds the target, for the temporary file and for the sync */
    strcpy(w->folder, w->target);
    char *slash = strrchr(w->folder, '/');
    if (!slash) {
        strcpy(w->folder, ".");
    } else {
        slash[slash == w->folder ? 1 : 0] = '\0';
    }
    return 0;
}

static int open_temporary(dd_context *ctx, writing *w)
{
    /* names of this process; an old one left by a crash with the same number is skipped */
    for (unsigned i = 0; i < TEMPORARY_TRIES; i++) {
        snprintf(w->temporary, sizeof w->temporary, "%s/.daedal-%ld-%u.tmp", w->folder, (long)getpid(), i);
        const int fd = open_file(ctx, w->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

/* ---- writing piece by piece ---- */

struct dd_file_out {
    dd_context *ctx;
    writing w;
    char path[PATH_MAX]; /* as the user wrote it */
    int fd, folder;      /* folder: -1 for a device or pipe */
    int error;           /* the first errno; 0: none */
    size_t held;
    char buffer[WRITE_PIECE];
};

static int open_target(dd_file_out *f)
{
    /* a device or pipe is written straight: there is nothing to rename */
    if (f->w.is_special) {
        f->fd = open_file(f->ctx, f->w.target, O_WRONLY | O_NOCTTY, 0);
        return f->fd < 0 ? errno : 0;
    }
    /* the folder is opened first, so that only its sync can still fail after the rename */
    f->folder = open_file(f->ctx, f->w.folder, O_RDONLY | O_DIRECTORY, 0);
    if (f->folder < 0) {
        return errno;
    }
    f->fd = open_temporary(f->ctx, &f->w);
    if (f->fd < 0) {
        int error = errno;
        f->w.temporary[0] = '\0';
        return error;
    }
    /* the new file keeps the permissions of the one it replaces */
    return f->w.mode && fchmod(f->fd, f->w.mode) != 0 ? errno : 0;
}

/* Closes the descriptors, removes the temporary file when it is still there, frees. */
static void end_writing(dd_file_out *f)
{
    /* an abandoned file leaves nothing behind */
    if (f->fd >= 0) {
        close(f->fd);
    }
    if (f->folder >= 0) {
        close(f->folder);
    }
    if (f->w.temporary[0] != '\0') {
        unlink(f->w.temporary);
    }
    dd_mem_free(f->ctx, f, sizeof *f);
}

dd_status dd_file_open(dd_file_out **out, dd_context *ctx, const char *path)
{
    *out = NULL;
    dd_file_out *f = dd_mem_new(ctx, sizeof *f);
    if (!f) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    f->ctx = ctx;
    f->fd = f->folder = -1;
    f->held = 0;
    f->w = (writing){0};
    /* nothing is written before target and folder are known to be fine */
    f->error = look_at_target(&f->w, path);
    if (f->error == 0) {
        strcpy(f->path, path);
        f->error = open_target(f);
    }
    if (f->error != 0) {
        const int error = f->error;
        end_writing(f);
        return fail_with_errno(ctx, "write", path, error);
    }
    *out = f;
    return DD_OK;
}

static void put(dd_file_out *f, const void *data, size_t length)
{
    if (f->error == 0 && write_all(f->ctx, f->fd, data, length) != 0) {
        f->error = errno;
    }
}

void dd_file_add(dd_file_out *f, const void *data, size_t length)
{
    /* small pieces are collected, a piece larger than the buffer goes straight to the file */
    if (f->held + length > sizeof f->buffer) {
        put(f, f->buffer, f->held);
        f->held = 0;
    }
    if (length > sizeof f->buffer) {
        put(f, data, length);
    } else if (length > 0) {
        memcpy(f->buffer + f->held, data, length);
        f->held += length;
    }
}

/* 0 when the target holds everything, else an errno */
static int commit(dd_file_out *f)
{
    /* data, sync, close: an error in any of them prevents the rename */
    put(f, f->buffer, f->held);
    if (f->error == 0 && sync_file(f->ctx, f->fd) != 0) {
        f->error = errno;
    }
    const int fd = f->fd;
    f->fd = -1;
    if (close_file(f->ctx, fd) != 0 && f->error == 0) {
        f->error = errno;
    }
    if (f->w.is_special || f->error != 0) {
        return f->error;
    }
    /* the moment at which the new file takes the place of the old one */
    if (rename_file(f->ctx, f->w.temporary, f->w.target) != 0) {
        return errno;
    }
    f->w.temporary[0] = '\0';
    /* the rename itself must survive a crash */
    return sync_file(f->ctx, f->folder) != 0 ? errno : 0;
}

dd_status dd_file_close(dd_file_out *f)
{
    if (!f) {
        return DD_OK;
    }
    dd_context *ctx = f->ctx;
    const int error = commit(f);
    const dd_status st = error == 0 ? DD_OK : fail_with_errno(ctx, "write", f->path, error);
    end_writing(f);
    return st;
}

void dd_file_abandon(dd_file_out *f)
{
    if (f) {
        end_writing(f);
    }
}

dd_status dd_file_write(dd_context *ctx, const char *path, const void *data, size_t length)
{
    dd_file_out *f;
    const dd_status st = dd_file_open(&f, ctx, path);
    if (!f) {
        return st;
    }
    dd_file_add(f, data, length);
    return dd_file_close(f);
}
