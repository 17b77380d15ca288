/* cmd_help.c - `daedal help [VERB]`. */
#include <string.h>

#include "cli/cli.h"

enum { MOST_COMMANDS = 32 };

int cli_unknown_command(const char *name)
{
    const char *names[MOST_COMMANDS];
    size_t count = 0;
    /* the closest command, for a mistyped one */
    for (; count < cli_command_count && count < MOST_COMMANDS; count++) {
        names[count] = cli_commands[count].name;
    }
    const char *meant = cli_suggest(name, names, count);
    if (meant) {
        return cli_usage_error(NULL, "there is no command \"%s\"; did you mean \"%s\"?", name, meant);
    }
    return cli_usage_error(NULL, "there is no command \"%s\"", name);
}

/* without arguments the list goes to standard error, since nothing was asked for */
static void print_commands(FILE *stream)
{
    fprintf(stream, "usage: daedal COMMAND [arguments]\n\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        fprintf(stream, "  %-10s %s\n", cli_commands[i].name, cli_commands[i].summary);
    }
    fprintf(stream, "\n  daedal --version prints the version\n");
}

int cmd_help(int argc, char **argv)
{
    if (argc < 2) {
        print_commands(argc == 0 ? stderr : stdout);
        return CLI_DONE;
    }
    if (argc > 2) {
        return cli_usage_error(NULL, "help takes one command");
    }
    const cli_command *command = cli_find_command(argv[1]);
    if (!command) {
        return cli_unknown_command(argv[1]);
    }
    if (command->run == cmd_help) {
        print_commands(stdout);
        return CLI_DONE;
    }
    /* help of one command is its own --help */
    char verb[32], option[] = "--help";
    snprintf(verb, sizeof verb, "%s", command->name);
    char *asked[] = {verb, option, NULL};
    return command->run(2, asked);
}
