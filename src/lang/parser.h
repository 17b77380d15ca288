/* parser.h - recursive descent from tokens to ast.h.
 *
 * Errors are reported where they are found; then the parser skips to the next `;`, `end` or section and goes on, so
 * that one run shows several. Constructs of later stages of the language are named and skipped as a whole.
 *
 *   parser.c           tokens, messages, recovery
 *   parse_file.c       within, then classes
 *   parse_class.c      headings, short definitions, the end of a class; unsupported kinds
 *   parse_element.c    extends, import, annotations, sections
 *   parse_decl.c       type names, declarations, modifications
 *   parse_equation.c   equations and constraints, for and if
 *   parse_algorithm.c  assignments and other statements of functions
 *   parse_expr.c       expressions: operators by precedence
 *   parse_operand.c    their operands: literals, brackets
 *   parse_reference.c  names, paths and calls
 *   parse_range.c      the range of `for i loop`
 */
#ifndef DD_LANG_PARSER_H
#define DD_LANG_PARSER_H

#include "lang/ast.h"
#include "lang/lexer.h"

#define DD_PARSE_MAX_NESTING 250 /* parentheses, calls, loops inside each other; bounds the recursion */
#define DD_PARSE_MAX_DEPTH 500   /* operators of one expression; below DD_FORM_MAX_DEPTH, derivatives need room */

typedef struct dd_parser {
    dd_context *ctx;
    dd_pool *pool; /* of the ast */
    dd_forms *forms;
    dd_names *names;
    dd_lexer lexer;
    dd_token tok, ahead[2];
    uint32_t n_ahead;
    dd_span previous;       /* the token before tok */
    uint32_t previous_word; /* its name, where it is one; else 0 */
    uint32_t nesting;
    uint32_t subscripts;    /* inside how many [ ] of a name: `end` is a value there */
    bool in_optimization;   /* `constraint` is a keyword */
    bool in_import;         /* a name may end before .{ */
    uint32_t in_annotation; /* inside how many: graphics and functions of other tools are allowed there */
    bool in_message;        /* of assert: String(x) is allowed there */
    uint32_t tuple_at;      /* where (a, b) may begin: 1 + the place of its parenthesis, 0: nowhere */
    uint32_t unclosed;      /* name of the last class whose `end` was missed */
    DD_VEC(dd_form) stack;  /* arguments being collected */
    char found[96];         /* buffer of dd_parse_found */
} dd_parser;

dd_parser dd_parser_new(dd_context *ctx, dd_pool *pool, dd_forms *forms, uint32_t file, uint32_t at);

/* ---- tokens ---- */
void dd_parse_advance(dd_parser *p);
dd_token dd_parse_peek(dd_parser *p, uint32_t k); /* the k-th token after tok, k = 1 or 2 */
static inline bool dd_parse_at(const dd_parser *p, dd_token_kind kind)
{
    return p->tok.kind == kind;
}
bool dd_parse_accept(dd_parser *p, dd_token_kind kind);      /* skips it when it is there */
bool dd_parse_at_word(const dd_parser *p, const char *word); /* a name with this text */
const char *dd_parse_name(const dd_parser *p, uint32_t id);
dd_span dd_parse_since(const dd_parser *p, dd_span begin); /* from begin to the last token read */

/* ---- messages ---- */
void dd_parse_error(dd_parser *p, dd_span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *dd_parse_found(dd_parser *p);                                /* "found `x`" for messages */
void dd_parse_unsupported(dd_parser *p, dd_span span, const char *what); /* "`what` is not supported yet" */
bool dd_parse_enter(dd_parser *p);                                       /* one level deeper; false past the limit */
void dd_parse_leave(dd_parser *p);
void dd_parse_stop(dd_parser *p); /* only EOF and silence from here on */

/* Skips it, or reports "expected `kind` `context`" and returns false. */
bool dd_parse_expect(dd_parser *p, dd_token_kind kind, const char *context);
/* The `;` after `what`: a missing one at the end of a line is reported and taken as written. */
bool dd_parse_semicolon(dd_parser *p, const char *what);
/* A name that is not a keyword; 0 after a message "expected `what`". */
uint32_t dd_parse_ident(dd_parser *p, const char *what);
uint32_t dd_parse_doc(dd_parser *p); /* optional string; 0 without */

/* ---- recovery ---- */
void dd_parse_skip_statement(dd_parser *p); /* past the next `;`, or before `end`, a section, EOF */
void dd_parse_skip_past_end(dd_parser *p, dd_token_kind kind, uint32_t name); /* past `end kind;` or `end name;` */
bool dd_parse_at_section(dd_parser *p); /* equation, initial equation, algorithm, constraint ... */

/* ---- the grammar ---- */
dd_form dd_parse_expression(dd_parser *p); /* DD_FORM_NONE after a message */
dd_form dd_parse_subscripts(dd_parser *p); /* [..] as an ARRAY of sizes, after a look at `[` */
dd_form dd_parse_make(dd_parser *p, dd_form_op op, uint8_t sub, uint32_t payload, const dd_form *args, uint32_t n,
                      dd_span span); /* dd_form_new with the depth limit of the parser */
/* Arguments of n-ary forms are collected on p->stack: push them, then make one form of those above base, or drop
 * them. */
void dd_parse_push(dd_parser *p, dd_form f);
dd_form dd_parse_collected(dd_parser *p, dd_form_op op, uint8_t sub, uint32_t payload, uint32_t base, dd_span span);
dd_form dd_parse_drop(dd_parser *p, uint32_t base); /* DD_FORM_NONE */
dd_form dd_parse_binary(dd_parser *p, dd_form_op op, dd_form a, dd_form b, dd_span begin);
void dd_parse_refuse_list(dd_parser *p, dd_span span); /* (a, b) where one value is needed */
/* An operand, up to the operator behind it; der(..); name[..], f(..), x(t); .b.c behind `first` (DD_FORM_NONE: .b.c
 * alone). */
dd_form dd_parse_primary(dd_parser *p);
dd_form dd_parse_der(dd_parser *p);
dd_form dd_parse_reference(dd_parser *p);
dd_form dd_parse_path(dd_parser *p, dd_form first, dd_span begin);
/* The body is on top of the stack and `for` is the token: replaces it by the comprehension. bare: without braces. */
bool dd_parse_comprehension(dd_parser *p, bool bare, dd_span begin);
/* i in range; without a range (DD_FORM_NONE) it is found from the use of i in a form, or in the body of a loop. */
bool dd_parse_iterator(dd_parser *p, dd_form *loop, dd_form *range);
dd_form dd_parse_range_from(dd_parser *p, dd_form f, uint32_t name); /* DD_FORM_NONE without */
void dd_parse_find_range(dd_parser *p, dd_ast_equation *loop);
void dd_parse_no_range(dd_parser *p, dd_span span, uint32_t name); /* says so */
/* "a.b" of a NAME or PATH without subscripts, for names that are known by their text; NULL otherwise. */
const char *dd_path_text(const dd_forms *forms, dd_form f, dd_pool *pool);
bool dd_parse_is_later_function(const char *name); /* pre, edge, sample: stage 3 */

dd_ast_mod *dd_parse_modifications(dd_parser *p, bool *ok); /* ( ... ), after a look at `(` */
/* parameter, input, flow, final, ...; those of later stages are named. */
void dd_parse_prefixes(dd_parser *p, dd_ast_decl *decl);
/* The rest of a declaration after its prefixes; appends to those of the class. False after an error, then
 * the caller recovers. */
bool dd_parse_declarations(dd_parser *p, dd_ast_class *class, const dd_ast_decl *prefixes);
bool dd_parse_type_ref(dd_parser *p, dd_ast_type_ref *type);
/* "doc" annotation(...), both optional; doc may be NULL. */
bool dd_parse_comment(dd_parser *p, uint32_t *doc);
/* a.b.c or .a.b, where a class is named. */
bool dd_parse_class_name(dd_parser *p, const char *what, dd_ast_name *out);
dd_ast_class *dd_parse_new_class(dd_parser *p, dd_ast_class_kind kind);

/* Statements up to the end of the section; appended to those the class has. */
void dd_parse_equations(dd_parser *p, dd_ast_section section, dd_ast_class *owner);
/* One statement of an algorithm that is neither for nor if; NULL after an error, somewhere inside it. */
dd_ast_equation *dd_parse_algorithm_statement(dd_parser *p);
dd_ast_equation *dd_parse_new_equation(dd_parser *p, dd_ast_equation_kind kind, dd_span span);
/* The statements inside for, if, while; and `end for;` with `advice` for the message when it is not there. */
dd_ast_equation *dd_parse_body(dd_parser *p, dd_ast_section section);
void dd_parse_end_of(dd_parser *p, dd_token_kind kind, dd_span opened, const char *advice);
bool dd_parse_recover_head(dd_parser *p, dd_token_kind word);
/* The left side of an equation or assignment: an expression or a list (a, , b). */
dd_form dd_parse_left_side(dd_parser *p);
bool dd_parse_is_call_alone(const dd_parser *p, dd_form f); /* f(x); */
dd_ast_equation *dd_parse_assert(dd_parser *p);
bool dd_parse_at_class(dd_parser *p); /* model X, or optimization X(: the class before is not closed */
const char *dd_class_kind_word(dd_ast_class_kind kind);
bool dd_parse_is_class_word(dd_token_kind kind); /* a keyword that begins a class */
bool dd_parse_at_optimization(dd_parser *p);     /* optimization NAME, where such a class is allowed */
/* One class with its `;`, appended to *end. prefixes: those before it. */
void dd_parse_class(dd_parser *p, dd_ast_class *parent, dd_ast_class ***end, const dd_ast_decl *prefixes);
/* A heading with its statements. True when there were statements: no declaration can follow. */
bool dd_parse_section(dd_parser *p, dd_ast_class *class, bool *is_protected);
/* A declaration, an extends clause, an import or a nested class. */
void dd_parse_element(dd_parser *p, dd_ast_class *class, bool is_protected);
/* annotation(...): merged into the class when given. */
bool dd_parse_annotation(dd_parser *p, dd_ast_class *owner);

void dd_parse_file(dd_parser *p, dd_ast_file *file);
/* lhs = rhs, or one expression (rhs is DD_FORM_NONE), to the end of the text. */
bool dd_parse_equation_text(dd_parser *p, dd_form *lhs, dd_form *rhs);
/* NAME or NAME[subscripts], and nothing else up to `stop`. */
dd_form dd_parse_reference_text(dd_parser *p, dd_token_kind stop);

#endif
