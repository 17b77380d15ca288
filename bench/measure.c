/* measure FILE COMMAND...: runs it with its output in FILE and prints "SECONDS BYTES": user CPU time and peak memory. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: measure FILE COMMAND...\n");
        return 2;
    }
    const pid_t child = fork();
    if (child == 0) {
        const int out = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (out >= 0 && dup2(out, 1) == 1) {
            execvp(argv[2], argv + 2);
        }
        perror(argv[2]);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        perror("measure");
        return 1;
    }
    printf("%.3f %lld\n", (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec,
           1024LL * usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
