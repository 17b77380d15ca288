/* library.c - the classes of the model's file, and the files that are found for other names.
 *
 * A top-level class NAME is the file NAME.mo or the folder NAME with a package.mo, in the first root that has one of
 * them; members of a folder package lie in its folder in the same way. Each is read when it is first asked for, then
 * kept in the index of its package, so a file is read once and a second question costs one look into a hash table.
 */
#include "lang/library.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/folder.h"
#include "lang/lexer.h"
#include "lang/library_private.h"
#include "lang/parser.h"

#define MAX_FILE_BYTES ((size_t)64 << 20)

static const dd_element nothing = {.kind = DD_ELEMENT_NONE};
static const dd_element broken = {.kind = DD_ELEMENT_BROKEN};

/* ---- roots ---- */

static void add_root(dd_library *lib, const char *folder)
{
    /* each folder once, in order */
    for (uint32_t i = 0; i < lib->roots.len; i++) {
        if (strcmp(lib->roots.data[i], folder) == 0) {
            return;
        }
    }
    if (folder[0] != '\0' && dd_path_is_folder(folder)) {
        dd_vec_push(lib->pool, &lib->roots, folder);
    }
}

/* The parts of a:b:c. */
static void add_root_list(dd_library *lib, const char *list)
{
    while (list != NULL && *list != '\0') {
        size_t n = strcspn(list, ":");
        add_root(lib, dd_pool_strndup(lib->pool, list, n));
        list += n + (list[n] == ':');
    }
}

/* share/daedal/lib of the prefix that a program in bin/ or a library in lib/ or lib/ARCH was installed under. */
static void add_installed_root(dd_library *lib, const char *folder)
{
    static const char *const ways[] = {"../share/daedal/lib", "../../share/daedal/lib"};
    for (size_t i = 0; folder[0] != '\0' && i < sizeof ways / sizeof ways[0]; i++) {
        add_root(lib, dd_path_join(lib->pool, folder, ways[i]));
    }
}

static void find_roots(dd_library *lib)
{
    const char *programs[2];
    if (lib->has_roots) {
        return;
    }
    /* in the order that library.h promises */
    lib->has_roots = true;
    for (const char *const *p = lib->paths; p != NULL && *p != NULL; p++) {
        add_root(lib, *p);
    }
    add_root_list(lib, getenv("DAEDAL_PATH"));
    dd_program_folders(lib->pool, programs);
    add_installed_root(lib, programs[0]);
    add_installed_root(lib, programs[1]);
#ifdef DAEDAL_SOURCE_LIB
    add_root(lib, DAEDAL_SOURCE_LIB); /* a program that is run where it was built */
#endif
}

/* ---- files ---- */

/* Only plain names are looked for as files: a quoted one could be any path. */
static bool may_be_file(const char *name)
{
    for (const char *s = name; *s != '\0'; s++) {
        bool letter = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || *s == '_';
        if (!letter && !(*s >= '0' && *s <= '9' && s > name)) {
            return false;
        }
    }
    return name[0] != '\0';
}

/* folder/NAME/package.mo or folder/NAME.mo; NULL without. */
static const char *find_file(dd_library *lib, const char *folder, const char *name, bool *is_folder)
{
    /* a folder package comes before a file of the same name */
    const char *inside = dd_path_join(lib->pool, folder, dd_pool_printf(lib->pool, "%s/package.mo", name));
    *is_folder = dd_path_is_file(inside);
    if (*is_folder) {
        return inside;
    }
    const char *path = dd_path_join(lib->pool, folder, dd_pool_printf(lib->pool, "%s.mo", name));
    return dd_path_is_file(path) ? path : NULL;
}

/* The text of a file as a source; false after a message. */
static bool read_source(dd_library *lib, const char *path, uint32_t *source)
{
    /* the source keeps its own copy of the text */
    char *text;
    size_t length;
    dd_pool *file_pool = dd_pool_child(lib->pool);
    dd_status status = dd_file_read(file_pool, path, MAX_FILE_BYTES, &text, &length);
    if (status == DD_OK) {
        *source = dd_source_add(lib->ctx, path, text, length);
    } else {
        dd_error(lib->ctx, DD_NO_SPAN, "%s", dd_pool_strdup(lib->pool, dd_context_message(lib->ctx)));
    }
    dd_pool_free(file_pool);
    return status == DD_OK;
}

static bool same_name(const dd_ast_name *name, const dd_ast_class *package)
{
    /* from the innermost part outwards */
    uint32_t n = name->n;
    for (const dd_ast_class *c = package; c != NULL; c = c->parent) {
        if (n == 0 || name->parts[--n] != c->name) {
            return false;
        }
    }
    return n == 0;
}

/* `within` says where the file belongs; it must be where it was found. */
static bool check_within(dd_library *lib, const dd_ast_file *ast, const dd_ast_class *class,
                         const dd_ast_class *package)
{
    if (!ast->has_within || same_name(&ast->within, package)) {
        return true;
    }
    const char *place = package != NULL ? dd_class_full_name(lib, package, lib->pool) : "";
    const char *written = dd_ast_name_text(lib->names, &ast->within, lib->pool);
    /* the message shows the line that the file should begin with */
    dd_span span = ast->within.n > 0 ? ast->within.span : class->span;
    if (package == NULL) {
        dd_error(lib->ctx, span, "this file says `within %s;`, but by its location its class belongs to no package",
                 written);
    } else {
        dd_error(lib->ctx, span, "this file is in the folder of %s: it must begin with `within %s;`%s%s", place, place,
                 ast->within.n > 0 ? ", not with " : "", written);
    }
    return false;
}

/* The class `name` of a parsed file; NULL after a message. */
static dd_ast_class *class_of_file(dd_library *lib, const dd_ast_file *ast, uint32_t source, uint32_t name)
{
    /* the class that its place promises */
    for (dd_ast_class *c = ast->classes; c != NULL; c = c->next) {
        if (c->name == name) {
            return c;
        }
    }
    const char *text = dd_names_get(lib->names, name);
    dd_span top = ast->classes != NULL ? ast->classes->span : (dd_span){source, 0, 0};
    if (ast->classes != NULL) {
        dd_error(lib->ctx, top, "by its location this file should define the class %s, but it defines %s", text,
                 dd_names_get(lib->names, ast->classes->name));
    } else {
        dd_error(lib->ctx, top, "by its location this file should define the class %s, but it is empty", text);
    }
    return NULL;
}

/* Reads the file of class `name` inside `package` (NULL: top level). NULL after a message. */
static dd_ast_class *load_class(dd_library *lib, const char *path, bool is_folder, uint32_t name, dd_ast_class *package)
{
    uint32_t source = 0;
    size_t before = dd_context_error_count(lib->ctx);
    /* parse, find the class, check its place; anything wrong was reported */
    dd_ast_file ast = {0};
    if (!read_source(lib, path, &source)) {
        return NULL;
    }
    dd_parser parser = dd_parser_new(lib->ctx, lib->pool, lib->forms, source, 0);
    dd_parse_file(&parser, &ast);
    if (dd_context_error_count(lib->ctx) > before) {
        return NULL;
    }
    dd_ast_class *class = class_of_file(lib, &ast, source, name);
    if (class == NULL || !check_within(lib, &ast, class, package)) {
        return NULL;
    }
    /* only packages can have members in files */
    if (is_folder && class->kind != DD_CLASS_PACKAGE) {
        dd_error(lib->ctx, class->span, "a package.mo defines a package, but %s is a %s",
                 dd_names_get(lib->names, name), dd_class_kind_word(class->kind));
        return NULL;
    }
    class->next = NULL;
    class->parent = package;
    class->folder = is_folder ? dd_path_folder(lib->pool, path) : NULL;
    return class;
}

dd_element dd_library_folder_member(dd_library *lib, dd_ast_class *package, uint32_t name)
{
    bool is_folder;
    /* the answer is remembered, also when there is none: a missing name is looked up in every scope */
    uint64_t missing = (uint64_t)1 << 32 | name; /* a key apart from the names: missing, or wrong */
    uint32_t known = dd_map_get(&package->class_by_name, missing);
    if (known != 0) {
        return known == DD_LIBRARY_BROKEN ? broken : nothing;
    }
    const char *text = dd_names_get(lib->names, name);
    const char *path = may_be_file(text) ? find_file(lib, package->folder, text, &is_folder) : NULL;
    if (path == NULL) {
        dd_map_put(&package->class_by_name, missing, DD_LIBRARY_MISSING);
        return nothing;
    }
    dd_map_put(&package->class_by_name, missing, DD_LIBRARY_BROKEN); /* while it is read, and if that fails */
    dd_ast_class *class = load_class(lib, path, is_folder, name, package);
    if (class == NULL) {
        return broken;
    }
    /* kept in the index of its package like a class that was written inside */
    *package->classes_end = class;
    package->classes_end = &class->next;
    dd_library_add_nested(lib, package, class);
    return (dd_element){.kind = DD_ELEMENT_CLASS, .class = class};
}

void dd_library_folder_candidates(dd_library *lib, const dd_ast_class *package, dd_pool *pool, const char ***names,
                                  uint32_t *count)
{
    size_t n;
    DD_VEC(const char *) list = {0};
    const char *const *files = dd_folder_names(pool, package->folder, &n);
    /* NAME.mo and folders; package.mo is the package itself */
    for (size_t i = 0; i < n && !lib->own_only; i++) {
        size_t length = strlen(files[i]);
        if (length > 3 && strcmp(files[i] + length - 3, ".mo") == 0) {
            if (strcmp(files[i], "package.mo") != 0) {
                dd_vec_push(pool, &list, dd_pool_strndup(pool, files[i], length - 3));
            }
        } else if (may_be_file(files[i])) {
            dd_vec_push(pool, &list, files[i]);
        }
    }
    *names = list.data;
    *count = list.len;
}

/* ---- the top level ---- */

static dd_element top_element(dd_library *lib, uint32_t index)
{
    if (index == DD_LIBRARY_MISSING || index == DD_LIBRARY_BROKEN) {
        return index == DD_LIBRARY_BROKEN ? broken : nothing;
    }
    return (dd_element){.kind = DD_ELEMENT_CLASS, .class = lib->classes.data[index - 1]};
}

static void add_top(dd_library *lib, dd_ast_class *class)
{
    dd_vec_push(lib->pool, &lib->classes, class);
    dd_map_put(&lib->top, class->name, lib->classes.len);
}

dd_element dd_library_top(dd_library *lib, uint32_t name)
{
    uint32_t known = dd_map_get(&lib->top, name);
    if (known != 0) {
        return top_element(lib, known);
    }
    /* not known yet: the first root that has a file for it */
    const char *text = dd_names_get(lib->names, name);
    if (lib->own_only || !may_be_file(text)) {
        return nothing;
    }
    find_roots(lib);
    for (uint32_t i = 0; i < lib->roots.len; i++) {
        bool is_folder;
        const char *path = find_file(lib, lib->roots.data[i], text, &is_folder);
        if (path != NULL) {
            dd_map_put(&lib->top, name, DD_LIBRARY_BROKEN);
            dd_ast_class *class = load_class(lib, path, is_folder, name, NULL);
            if (class != NULL) {
                add_top(lib, class);
            }
            return top_element(lib, dd_map_get(&lib->top, name));
        }
    }
    dd_map_put(&lib->top, name, DD_LIBRARY_MISSING);
    return nothing;
}

dd_ast_class *dd_library_classes(dd_library *lib)
{
    return lib->ast->classes;
}

/* ---- the model's own file ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* A file that says `within A.B` belongs to that package, whose folders lie around it. */
static dd_ast_class *package_of_file(dd_library *lib, const char *path, bool is_package)
{
    const char *folder = dd_path_folder(lib->pool, path);
    /* up as many folders as `within` has parts */
    for (uint32_t i = 0; i < lib->ast->within.n + is_package; i++) {
        folder = dd_path_join(lib->pool, folder, "..");
    }
    find_roots(lib);
    if (dd_path_is_folder(folder)) { /* before all others */
        dd_vec_push(lib->pool, &lib->roots, folder);
        memmove(lib->roots.data + 1, lib->roots.data, (lib->roots.len - 1) * sizeof *lib->roots.data);
        lib->roots.data[0] = folder;
    }
    /* the package as seen from the top level, read from those folders */
    dd_ast_name name = lib->ast->within;
    name.global = true;
    return dd_lookup_class(lib, NULL, &name);
}

static void add_to_package(dd_library *lib, dd_ast_class *package)
{
    dd_library_index(lib, package);
    for (dd_ast_class *c = lib->ast->classes; c != NULL; c = c->next) {
        c->parent = package;
        dd_library_add_nested(lib, package, c);
    }
}

static void add_own_classes(dd_library *lib)
{
    /* two top-level classes of one name: the first one stays */
    for (dd_ast_class *c = lib->ast->classes; c != NULL; c = c->next) {
        uint32_t first = dd_map_get(&lib->top, c->name);
        if (first != 0 && top_element(lib, first).kind == DD_ELEMENT_CLASS) {
            dd_error(lib->ctx, c->span, "the %s %s is defined twice, the first time in line %u",
                     c->kind == DD_CLASS_TYPE ? "type" : "class",
                     dd_name_quoted(lib->pool, dd_names_get(lib->names, c->name)),
                     (unsigned)dd_span_line(lib->ctx, lib->classes.data[first - 1]->span));
            continue;
        }
        add_top(lib, c);
    }
}

static dd_ast_class *make_enumeration(dd_library *lib, const char *name, const char *const *literals)
{
    /* without a place in any text: span.file is 0 */
    dd_ast_class *class = dd_pool_alloc(lib->pool, sizeof *class);
    dd_ast_literal **end = &class->literals;
    *class = (dd_ast_class){.kind = DD_CLASS_TYPE, .is_short = true, .is_enumeration = true};
    class->name = dd_names_intern(lib->names, name, strlen(name));
    for (; *literals != NULL; literals++, class->n_literals++) {
        *end = dd_pool_alloc(lib->pool, sizeof **end);
        (*end)->name = dd_names_intern(lib->names, *literals, strlen(*literals));
        end = &(*end)->next;
    }
    return class;
}

static void add_predefined(dd_library *lib)
{
    static const char *const types[] = {"Real", "Integer", "Boolean", "String"};
    static const char *const select[] = {"never", "avoid", "default", "prefer", "always", NULL};
    static const char *const levels[] = {"warning", "error", NULL};
    /* names that every scope sees */
    for (int i = 0; i < 4; i++) {
        lib->predefined[i] = dd_names_intern(lib->names, types[i], strlen(types[i]));
    }
    lib->enumerations = make_enumeration(lib, "StateSelect", select);
    lib->enumerations->next = make_enumeration(lib, "AssertionLevel", levels);
}

dd_library *dd_library_new(dd_pool *pool, dd_forms *forms, dd_ast_file *ast, uint32_t file, const char *const *paths)
{
    dd_library *lib = dd_pool_alloc(pool, sizeof *lib);
    *lib = (dd_library){.ctx = dd_pool_context(pool), .pool = pool, .forms = forms, .ast = ast, .file = file};
    lib->names = dd_forms_names(forms);
    lib->paths = paths;
    lib->top = dd_map_new(pool);
    add_predefined(lib);
    /* a file of a package sees it; any other file has its classes at the top level */
    const char *path = dd_source_name(lib->ctx, file);
    bool is_package = ends_with(path, "/package.mo") || strcmp(path, "package.mo") == 0;
    if (is_package && ast->classes != NULL && ast->classes->kind == DD_CLASS_PACKAGE) {
        ast->classes->folder = dd_path_folder(pool, path);
    }
    dd_ast_class *package = ast->within.n > 0 ? package_of_file(lib, path, is_package) : NULL;
    if (package != NULL) {
        add_to_package(lib, package);
    } else {
        add_own_classes(lib);
    }
    return lib;
}
