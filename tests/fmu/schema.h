/* schema.h - which elements and attributes modelDescription.xml may have. Each ends the program with a message when not. */
#ifndef FMU_SCHEMA_H
#define FMU_SCHEMA_H

/* A tag that opens, with the text of its attributes; empty: <a/>. version: of FMI, 2 or 3. */
void schema_open(const char *name, const char *attributes, int empty, int version);
void schema_close(const char *name);
/* After the last tag. */
void schema_end(void);

#endif
