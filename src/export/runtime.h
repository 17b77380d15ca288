/* runtime.h - the files of src/export/runtime as texts; their definition is made when the library is built. */
#ifndef DD_EXPORT_RUNTIME_H
#define DD_EXPORT_RUNTIME_H

typedef struct dd_runtime_file {
    const char *name; /* without .in; NULL behind the last */
    const char *text;
} dd_runtime_file;
extern const dd_runtime_file dd_runtime_files[];

#endif
