/* zip.c - an archive as FMI wants it, without compression: a local header and the bytes of each file, then the central
 * directory (PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16). Times are fixed, so that the same model makes the
 * same archive. */
#include <string.h>

#include "export/fmu_impl.h"

enum {
    LOCAL_HEADER = 0x04034b50,
    CENTRAL_HEADER = 0x02014b50,
    END_RECORD = 0x06054b50,
    VERSION = 20,
    DATE = (2024 - 1980) << 9 | 1 << 5 | 1, /* any valid date: the first of January 2024 */
    UTF8 = 1 << 11
};

/* The cyclic redundancy check of zip: polynomial 0xedb88320, bits reversed. */
static uint32_t checksum(const char *data, size_t n)
{
    uint32_t table[256], c = UINT32_MAX;
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t r = i;
        for (int bit = 0; bit < 8; bit++) {
            r = (r & 1) != 0 ? r >> 1 ^ 0xedb88320u : r >> 1;
        }
        table[i] = r;
    }
    for (size_t i = 0; i < n; i++) {
        c = c >> 8 ^ table[(c ^ (unsigned char)data[i]) & 255];
    }
    return ~c;
}

static void put(dd_text *out, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        dd_text_add_char(out, (char)(value >> 8 * i & 255));
    }
}

/* The fields that both headers of a file share. */
static void put_file(dd_text *out, const dd_export_file *file, uint32_t crc)
{
    put(out, VERSION, 2);
    put(out, UTF8, 2);
    put(out, 0, 2); /* stored */
    put(out, 0, 2);
    put(out, DATE, 2);
    put(out, crc, 4);
    put(out, (uint32_t)file->length, 4);
    put(out, (uint32_t)file->length, 4);
    put(out, (uint32_t)strlen(file->path), 2);
    put(out, 0, 2);
}

void dd_zip_write(dd_export *x, const dd_export_files *files, dd_text *out)
{
    dd_text central = dd_text_new(x->pool);
    for (uint32_t i = 0; i < files->len; i++) {
        const dd_export_file *f = &files->data[i];
        const uint32_t crc = checksum(f->data, f->length);
        if (out->len + f->length > INT32_MAX) {
            dd_raise(x->ctx, DD_LIMIT, "the archive would have more than 2 GB");
        }
        put(&central, CENTRAL_HEADER, 4);
        put(&central, 3 << 8 | VERSION, 2); /* made on Unix */
        put_file(&central, f, crc);
        put(&central, 0, 2); /* comment */
        put(&central, 0, 2); /* disk */
        put(&central, 0, 2);
        put(&central, (uint32_t)(strstr(f->path, ".so") ? 0100755 : 0100644) << 16, 4);
        put(&central, (uint32_t)out->len, 4);
        dd_text_add(&central, f->path);
        put(out, LOCAL_HEADER, 4);
        put_file(out, f, crc);
        dd_text_add(out, f->path);
        dd_text_add_n(out, f->data, f->length);
    }
    const uint32_t begin = (uint32_t)out->len;
    dd_text_add_n(out, central.data ? central.data : "", central.len);
    put(out, END_RECORD, 4);
    put(out, 0, 4);
    put(out, files->len, 2);
    put(out, files->len, 2);
    put(out, (uint32_t)central.len, 4);
    put(out, begin, 4);
    put(out, 0, 2);
}
