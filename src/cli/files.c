/* files.c - whether a file can be written, and the message when it cannot. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

static void print_json_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        /* quotes, backslashes and control characters are escaped */
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c < 0x20) {
            printf("\\u%04x", c);
        } else {
            putchar(c);
        }
    }
    putchar('"');
}

int cli_report_io(const char *reason, bool json)
{
    cli_complain("%s", reason);
    if (json) {
        fputs("{\"status\":\"io_error\",\"reason\":", stdout);
        print_json_string(reason);
        puts("}");
    }
    return CLI_SAID_NO;
}

void cli_print_object(const char *text, const char *unwritten)
{
    const size_t length = strlen(text);
    if (!unwritten || length == 0 || text[length - 1] != '}') {
        puts(text);
        return;
    }
    printf("%.*s,\"unwritten\":{\"reason\":", (int)length - 1, text);
    print_json_string(unwritten);
    puts("}}");
}

static bool can_write(const char *path, bool json)
{
    if (!path) {
        return true;
    }
    /* the folder, for a file that does not exist yet */
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    struct stat info;
    /* an existing file must be writable, a new one needs a writable folder */
    const bool exists = stat(path, &info) == 0;
    const bool is_folder = exists && S_ISDIR(info.st_mode);
    if (!is_folder && access(exists ? path : slash ? folder : ".", W_OK) == 0) {
        return true;
    }
    char reason[4400];
    snprintf(reason, sizeof reason, "cannot write %s: %s", path, strerror(is_folder ? EISDIR : errno));
    cli_report_io(reason, json);
    return false;
}

int cli_spare_model(const char *verb, const cli_operands *operands, const char *const *written, size_t n)
{
    /* by device and number, so that links are seen through; some studies have no model */
    struct stat model, other;
    if (operands->items[0] == NULL || stat(operands->items[0], &model) != 0 || !S_ISREG(model.st_mode)) {
        return CLI_GO_ON;
    }
    for (size_t i = 0; i < n; i++) {
        if (written[i] && stat(written[i], &other) == 0 && other.st_dev == model.st_dev &&
            other.st_ino == model.st_ino) {
            return cli_usage_error(verb, "%s is the model file and would be overwritten", written[i]);
        }
    }
    return CLI_GO_ON;
}

int cli_check_outputs(const char *verb, const cli_operands *operands, const char *const *written, size_t n, bool json)
{
    int code = cli_spare_model(verb, operands, written, n);
    for (size_t i = 0; i < n && code == CLI_GO_ON; i++) {
        code = can_write(written[i], json) ? CLI_GO_ON : CLI_SAID_NO;
    }
    return code;
}

const char *cli_partial_name(const char *path)
{
    static char name[4200];
    snprintf(name, sizeof name, "%s.partial", path);
    return name;
}
