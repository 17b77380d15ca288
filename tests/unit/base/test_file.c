/* Files: whole or not at all, with every operation failing in turn. */
#include "unit/base/support.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static char folder[64];
static char path[128];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/daedal-test-XXXXXX");
    if (!mkdtemp(folder)) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails when a temporary file was left behind */
}

typedef struct {
    dd_pool *pool;
    const char *path;
    size_t max_bytes;
    char *text;
    size_t length;
    dd_status status;
} reading;

static void read_body(void *arg)
{
    reading *r = arg;
    r->status = dd_file_read(r->pool, r->path, r->max_bytes, &r->text, &r->length);
}

static reading read_from(dd_pool *pool, const char *from, size_t max_bytes)
{
    reading r = {.pool = pool, .path = from, .max_bytes = max_bytes};
    assert_int_equal(dd_protect(dd_pool_context(pool), read_body, &r), DD_OK);
    return r;
}

static size_t count_entries(void)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(dir);
    return count;
}

static size_t count_descriptors(void)
{
    size_t count = 0;
    for (int fd = 0; fd < 256; fd++) {
        count += fcntl(fd, F_GETFD) != -1;
    }
    return count;
}

static void expect_content(const char *expected, size_t length)
{
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    const reading r = read_from(pool, path, 1 << 24);
    assert_int_equal(r.status, DD_OK);
    assert_int_equal(r.length, length);
    assert_memory_equal(r.text, expected, length);
    assert_int_equal(r.text[length], 0);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

static void test_write_and_read(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    assert_int_equal(dd_file_write(ctx, path, "hello", 5), DD_OK);
    expect_content("hello", 5);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(dd_file_write(ctx, path, "", 0), DD_OK);
    expect_content("", 0);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0600); /* the mode of the replaced file stays */

    static char big[3000000];
    for (size_t i = 0; i < sizeof big; i++) {
        big[i] = (char)(i * 31 % 251);
    }
    assert_int_equal(dd_file_write(ctx, path, big, sizeof big), DD_OK);
    expect_content(big, sizeof big);
    assert_int_equal(count_entries(), 1);
    dd_context_free(ctx);
}

static void test_link_is_followed(void **state)
{
    (void)state;
    char link_path[160];
    snprintf(link_path, sizeof link_path, "%s/link", folder);
    dd_context *ctx = new_context();
    assert_int_equal(dd_file_write(ctx, path, "old", 3), DD_OK);
    assert_int_equal(symlink("file", link_path), 0);
    assert_int_equal(dd_file_write(ctx, link_path, "new", 3), DD_OK);
    expect_content("new", 3);
    struct stat info;
    assert_int_equal(lstat(link_path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    unlink(link_path);
    dd_context_free(ctx);
}

static void expect_message(const dd_context *ctx, const char *begin, const char *end)
{
    const char *message = dd_context_message(ctx);
    assert_memory_equal(message, begin, strlen(begin));
    assert_string_equal(message + strlen(message) - strlen(end), end);
}

static void test_failures_are_told(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    assert_int_equal(read_from(pool, path, 100).status, DD_IO);
    expect_message(ctx, "cannot read /tmp/", ": No such file or directory");
    assert_int_equal(read_from(pool, folder, 100).status, DD_IO);
    expect_message(ctx, "cannot read /tmp/", ": Is a directory");
    assert_int_equal(dd_file_write(ctx, folder, "x", 1), DD_IO);
    expect_message(ctx, "cannot write /tmp/", ": Is a directory");
    assert_int_equal(dd_file_write(ctx, "/nonexistent/folder/file", "x", 1), DD_IO);
    expect_message(ctx, "cannot write /nonexistent/folder/file", ": No such file or directory");
    assert_int_equal(dd_file_write(ctx, "", "x", 1), DD_IO);
    static char endless[10000];
    memset(endless, 'a', sizeof endless - 1);
    assert_int_equal(dd_file_write(ctx, endless, "x", 1), DD_IO);
    assert_int_equal(dd_file_write(ctx, path, "123456", 6), DD_OK);
    assert_int_equal(read_from(pool, path, 6).status, DD_OK);
    assert_int_equal(read_from(pool, path, 5).status, DD_LIMIT);
    assert_non_null(strstr(dd_context_message(ctx), "larger than 5 bytes"));
    assert_int_equal(read_from(pool, "/dev/zero", 100000).status, DD_LIMIT);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

/* devices are written to, never replaced; a full one is reported */
static void test_devices(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    assert_int_equal(dd_file_write(ctx, "/dev/null", "x", 1), DD_OK);
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(dd_file_write(ctx, "/dev/full", "x", 1), DD_IO);
        expect_message(ctx, "cannot write /dev/full", ": No space left on device");
    }
    dd_context_free(ctx);
}

static void *slow_writer(void *arg)
{
    const int fd = *(const int *)arg;
    for (int i = 0; i < 5; i++) {
        usleep(10000);
        if (write(fd, "part ", 5) != 5) {
            break;
        }
    }
    close(fd);
    return NULL;
}

static void test_pipes(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    assert_int_equal(mkfifo(path, 0600), 0);
    /* nobody writes: nothing comes, and the call returns */
    reading r = read_from(pool, path, 100);
    assert_int_equal(r.status, DD_OK);
    assert_int_equal(r.length, 0);
    dd_pool_free(pool);
    dd_context_free(ctx);

    /* a writer that stays silent: the time limit ends the wait */
    dd_context_options options = dd_context_options_default();
    options.max_seconds = 0.2;
    assert_int_equal(dd_context_new(&ctx, &options), DD_OK);
    pool = dd_pool_new(ctx);
    const int silent = open(path, O_RDWR);
    assert_int_equal(read_from(pool, path, 100).status, DD_TIME_LIMIT);
    close(silent);
    dd_pool_free(pool);
    dd_context_free(ctx);

    /* a slow writer is waited for */
    ctx = new_context();
    pool = dd_pool_new(ctx);
    const int both = open(path, O_RDWR);
    int writer = open(path, O_WRONLY); /* the thread closes it */
    close(both);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, slow_writer, &writer), 0);
    r = read_from(pool, path, 100);
    assert_int_equal(r.status, DD_OK);
    pthread_join(thread, NULL);
    assert_int_equal(r.length, 25);
    assert_memory_equal(r.text, "part part part part part ", 26);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

static void test_every_file_operation_may_fail(void **state)
{
    (void)state;
    dd_context *plain = new_context();
    const size_t descriptors = count_descriptors();
    uint64_t n = 1;
    for (;; n++) {
        assert_int_equal(dd_file_write(plain, path, "old content", 11), DD_OK);
        dd_context_options options = dd_context_options_default();
        options.fail_file_at = n;
        dd_context *ctx;
        assert_int_equal(dd_context_new(&ctx, &options), DD_OK);
        const dd_status status = dd_file_write(ctx, path, "NEW", 3);
        if (status != DD_OK) {
            assert_int_equal(status, DD_IO);
            expect_message(ctx, "cannot write /tmp/", ": Input/output error");
        }
        dd_context_free(ctx);
        assert_int_equal(count_entries(), 1);
        assert_int_equal(count_descriptors(), descriptors);
        /* old or new, never a mixture; new without failure */
        dd_pool *pool = dd_pool_new(plain);
        const reading r = read_from(pool, path, 100);
        const bool is_old = r.length == 11 && memcmp(r.text, "old content", 11) == 0;
        const bool is_new = r.length == 3 && memcmp(r.text, "NEW", 3) == 0;
        assert_true(status == DD_OK ? is_new : is_old || is_new);
        dd_pool_free(pool);
        if (status == DD_OK) {
            break;
        }
    }
    assert_int_equal(n, 8); /* open folder, open, write, sync, close, rename, sync folder */
    dd_context_free(plain);
}

static void read_sweep(void *arg)
{
    dd_pool *pool = arg;
    char *text;
    size_t length;
    assert_int_equal(dd_file_read(pool, path, 1 << 20, &text, &length), DD_OK);
    assert_int_equal(length, 11);
    assert_int_equal(dd_file_read(pool, "/dev/null", 1 << 20, &text, &length), DD_OK);
}

static void test_reading_may_fail_anywhere(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    assert_int_equal(dd_file_write(ctx, path, "old content", 11), DD_OK);
    dd_context_free(ctx);
    const size_t descriptors = count_descriptors();
    assert_true(sweep_failures(read_sweep) >= 3);
    uint64_t n = 1;
    for (dd_status status = DD_IO; status != DD_OK; n++) {
        dd_context_options options = dd_context_options_default();
        options.fail_file_at = n;
        assert_int_equal(dd_context_new(&ctx, &options), DD_OK);
        dd_pool *pool = dd_pool_new(ctx);
        const size_t before = dd_context_memory(ctx);
        const reading r = read_from(pool, path, 100);
        status = r.status;
        if (status != DD_OK) {
            assert_int_equal(status, DD_IO);
            assert_null(r.text);
            assert_int_equal(dd_context_memory(ctx), before);
        }
        dd_pool_free(pool);
        dd_context_free(ctx);
    }
    assert_true(n > 3);
    assert_int_equal(count_descriptors(), descriptors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_write_and_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_link_is_followed, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_failures_are_told, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_devices, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_pipes, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_every_file_operation_may_fail, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_reading_may_fail_anywhere, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
