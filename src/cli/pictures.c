/* pictures.c - pictures by the format that their name says: the library writes SVG, a program of the machine converts it. */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"

extern char **environ;

static const char CONVERTER[] = "rsvg-convert", PACKAGE[] = "librsvg2-bin";
static bool failed;

/* "png" or "pdf", "svg", or NULL for a name that ends otherwise; the name for an incomplete file counts like the whole one. */
static const char *format_of(const char *path)
{
    static const char *const formats[] = {"svg", "png", "pdf"};
    static const char partial[] = ".partial";
    size_t n = strlen(path);
    if (n > sizeof partial && strcmp(path + n - (sizeof partial - 1), partial) == 0) {
        n -= sizeof partial - 1;
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (n > 4 && path[n - 4] == '.' && strncmp(path + n - 3, formats[i], 3) == 0) {
            return formats[i];
        }
    }
    return NULL;
}

/* Is there a program of this name in the folders of PATH? */
static bool is_installed(const char *program)
{
    const char *at = getenv("PATH");
    char name[4096];
    while (at != NULL && *at != '\0') {
        const size_t length = strcspn(at, ":");
        snprintf(name, sizeof name, "%.*s/%s", (int)length, at, program);
        if (length > 0 && access(name, X_OK) == 0) {
            return true;
        }
        at += length + (at[length] == ':' ? 1 : 0);
    }
    return false;
}

int cli_check_picture(const char *verb, const char *option, const char *path)
{
    const char *format = path != NULL ? format_of(path) : "svg";
    if (format == NULL) {
        return cli_usage_error(verb, "%s %s: name the picture .svg, .png or .pdf", option, path);
    }
    if (strcmp(format, "svg") != 0 && !is_installed(CONVERTER)) {
        return cli_usage_error(verb,
                               "%s %s: only %s (package %s) turns pictures into %s, and it is not installed; name the "
                               "file .svg, or use the button `save` of a page for PNG",
                               option, path, CONVERTER, PACKAGE, format);
    }
    return CLI_GO_ON;
}

/* The converter with the words of its command line, no shell between; true when it succeeds. */
static bool convert(const char *format, const char *from, const char *to)
{
    /* twice the pixels of a screen: sharp on paper */
    const char *argv[] = {
        CONVERTER,  "--format", format, "--zoom", strcmp(format, "png") == 0 ? "2" : "1", "--background-color", "white",
        "--output", to,         from,   NULL};
    pid_t child;
    int status = 0;
    const int error = posix_spawnp(&child, CONVERTER, NULL, NULL, (char *const *)(uintptr_t)argv, environ);
    if (error != 0) {
        return false;
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void cli_finish_picture(const char *path)
{
    const char *format = format_of(path);
    char from[4300], svg[4310], to[4310];
    if (format == NULL || strcmp(format, "svg") == 0) {
        return;
    }
    /* a name that begins with - is no option */
    snprintf(from, sizeof from, "%s%s", path[0] == '-' ? "./" : "", path);
    snprintf(svg, sizeof svg, "%s.svg", from);
    snprintf(to, sizeof to, "%s.new", from);
    /* while it is SVG it is called so; what could not be converted stays there */
    if (rename(from, svg) == 0 && convert(format, svg, to) && rename(to, from) == 0) {
        unlink(svg);
        return;
    }
    unlink(to);
    failed = true;
    cli_complain("%s could not make %s; the picture is in %s", CONVERTER, path, svg);
}

bool cli_pictures_failed(void)
{
    return failed;
}
