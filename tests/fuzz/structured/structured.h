/* structured.h - fuzzing of whole verbs: inputs that are a model, a command line and tables at once.
 *
 *     //! --tol 1e-6 --input data.csv        options, if the first line begins so
 *     model M ... end M;                     the model file
 *     //!file data.csv                       a file beside it, to the end of the input
 *     time,u
 *     0,1
 *
 * For the language both marks are comments, so every model is an input. A target names its verb and its options;
 * program.c runs the program on the input, mutator.c (with libFuzzer) changes models, options and tables by their own
 * rules.
 */
#ifndef DD_TESTS_FUZZ_STRUCTURED_H
#define DD_TESTS_FUZZ_STRUCTURED_H

#include <stddef.h>
#include <stdint.h>

#define FUZZ_OPTIONS_MARK "//! "
#define FUZZ_FILE_MARK "//!file data.csv\n"

/* Defined by the target. */
extern const char *const fuzz_verb;
extern const char *const fuzz_options[]; /* options with values to try: "--tol 1e-6"; ends with NULL */

/* json.c: ends the program when the text is not one JSON object. */
void fuzz_check_json(const char *json);
/* Says what is wrong with what, and ends the program. */
void fuzz_complain(const char *what, const char *text);

#endif
