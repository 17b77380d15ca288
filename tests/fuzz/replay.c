/* replay.c - runs a fuzz target once over stored inputs: every file named on the command line, and every file of
 * every folder named there. A missing folder counts as empty. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t inputs;

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    size_t size = 0, capacity = 4096;
    uint8_t *data = malloc(capacity);
    size_t n;
    while (data && (n = fread(data + size, 1, capacity - size, file)) > 0) {
        size += n;
        if (size == capacity) {
            capacity *= 2;
            data = realloc(data, capacity);
        }
    }
    fclose(file);
    /* an exact copy, so that a sanitizer sees the first byte read past the end */
    uint8_t *exact = malloc(size ? size : 1);
    if (!data || !exact) {
        fprintf(stderr, "%s: out of memory\n", path);
        exit(1);
    }
    memcpy(exact, data, size);
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    inputs++;
}

static void run_folder(const char *path)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char name[4096];
        const int length = snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && length < (int)sizeof name) {
            run_file(name);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct stat info;
        if (stat(argv[i], &info) != 0) {
            continue;
        }
        if (S_ISDIR(info.st_mode)) {
            run_folder(argv[i]);
        } else {
            run_file(argv[i]);
        }
    }
    printf("%zu inputs\n", inputs);
    return 0;
}
