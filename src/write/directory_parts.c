/* directory_parts.c - which dataset a sample goes into: groups by value, parts by size

   In: the samples of level 0, sorted; out: datasets with a name and a run of samples each, as
   the reference cuts and names them: NAME_VALUE_part0001.tacozip.

   Groups are numbered in the order of their first samples (taco__dir_parts_assign_groups), then
   samples are sorted by group, and each group is cut when the next sample would exceed
   split_size (taco__dir_parts_cut). taco__dir_parts_file_name makes file names from values; two
   groups with the same name are an error.

   Example: target out.tacozip, group_by split, split_size 1 GB: out_train_part0001.tacozip,
   out_train_part0002.tacozip, out_test.tacozip, and .tacocat over all three. */
#include "write.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* Most parts of one name: their numbers have four digits. */
#define TACO__DIR_PARTS_MAX 9999

/* ---- datasets: one, parts, groups ---- */

/* Length in UTF-8 of a Unicode white-space character, as in Python's \\s; 0 for others. */
static size_t taco__dir_parts_space_length(const uint8_t *p, size_t n)
{
    uint32_t c = n ? p[0] : 'x';
    if (c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F)) { return 1; }
    if (n >= 2 && c == 0xC2) { return p[1] == 0x85 || p[1] == 0xA0 ? 2 : 0; }
    if (n < 3 || c < 0xE1 || c > 0xE3) { return 0; }
    c = (c & 15) << 12 | (uint32_t)(p[1] & 63) << 6 | (p[2] & 63);
    return c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
                   c == 0x202F || c == 0x205F || c == 0x3000
               ? 3
               : 0;
}

/* Appends a group's value as part of a file name: characters that file systems refuse, white space
   and '_' become one '_', and are removed at the ends. */
static bool taco__dir_parts_file_name(taco_bytes key, taco__buf *out, taco_error *err)
{
    size_t i = 0, from = out->len;
    while (i < key.len) {
        uint8_t c = key.data[i];
        size_t n = taco__dir_parts_space_length(key.data + i, key.len - i);
        bool gap = n || c == '_' || c == 0 || (c < 0x80 && strchr("/\\:*?\"<>|'", c) != NULL);
        if (gap && (out->len == from || out->data[out->len - 1] == '_')) {
            i += n ? n : 1;
            continue;
        }
        if (!taco__buf_append_char(out, gap ? '_' : (char)c, err)) { return false; }
        i += gap && n ? n : 1;
    }
    while (out->len > from && out->data[out->len - 1] == '_') {
        out->len--;
    }
    return true;
}

/* Appends a value as Python's str() writes it: None, True, 2020-01-01 00:00:00+00:00. */
static bool taco__dir_parts_append_value(const taco_array *a, size_t row, taco__buf *out,
                                         taco_error *err)
{
    size_t begin = out->len, i;
    bool null = false;
    if (!a || !taco_array_valid(a, row)) { return taco__buf_append_text(out, "None", err); }
    if (a->field->type == TACO_BOOL) {
        return taco__buf_append_text(out, taco_array_int(a, row) ? "True" : "False", err);
    }
    if (!taco__cell_bare(out, a, row, &null, err)) { return false; }
    if (a->field->type ==
        TACO_TIMESTAMP) { /* 2020-01-01T00:00:00.000000Z -> 2020-01-01 00:00:00+00:00 */
        bool utc = out->data[out->len - 1] == 'Z';
        out->len -= utc;
        for (i = begin; i < out->len; i++) {
            if (out->data[i] == 'T') { out->data[i] = ' '; }
        }
        while (i > begin && out->data[i - 1] == '0') {
            i--;
        }
        if (i > begin && out->data[i - 1] == '.') { out->len = i - 1; } /* no fraction */
        return !utc || taco__buf_append_text(out, "+00:00", err);
    }
    return true;
}

/* Appends the key of a sample's group: its values of all group columns, with '_' between them. */
static bool taco__dir_parts_append_key(taco__from_dir *g, const taco__dir_scan_entry *e,
                                       taco__buf *out)
{
    char text[TACO__DIR_VALUES_CODE];
    size_t i;
    out->len = 0;
    for (i = 0; i < g->how->group_by_count; i++) {
        const char *name = g->how->group_by[i];
        size_t table = 0;
        const taco_array *a = taco__sample_rows_column(g, 0, name, &table);
        bool here = a && e->row != TACO__SAMPLE_ROWS_NONE && e->row >> 32 == table, ok;
        if (i && !taco__buf_append_char(out, '_', g->err)) { return false; }
        if (!a && strcmp(name, "spatialgroup:code") == 0 &&
            (g->how->near_count || g->how->near_size)) {
            ok = taco__buf_append_text(
                out, e->near == UINT32_MAX ? "None" : taco__dir_values_group_code(e->near, text),
                g->err);
        } else if (!a && strcmp(name, "majortom:code") == 0 && g->how->grid_km > 0) {
            ok = (!e->has_point || taco__dir_values_grid_code(g, e, text)) &&
                 taco__buf_append_text(out, e->has_point ? text : "None", g->err);
        } else if (!a && strcmp(name, "id") == 0) {
            ok = taco__buf_append_text(out, e->name, g->err);
        } else if (!a) {
            taco_bytes b = taco__bytes_text(name);
            TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "no table has a column %q of samples of level 0 to group by", &b);
            return false;
        } else {
            ok = taco__dir_parts_append_value(
                here ? a : NULL, here ? (size_t)(e->row & UINT32_MAX) : 0, out, g->err);
        }
        if (!ok) { return false; }
    }
    return true;
}

/* Assigns every sample the number of its group, in the order of their first samples; *count is the
   number of groups, keys[group] the key of each. */
TACO__FN bool taco__dir_parts_assign_groups(taco__from_dir *g, taco__dir_scan_list *l,
                                            taco_bytes **keys, size_t *count)
{
    taco__hash_map groups; /* group numbers by key */
    taco__buf key;
    size_t i;
    bool ok;
    memset(&groups, 0, sizeof groups);
    memset(&key, 0, sizeof key);
    groups.mem = key.mem = &g->mem;
    *keys = (taco_bytes *)taco__arena_array(&g->arena, l->count, sizeof **keys, g->err);
    ok = *keys != NULL;
    for (i = 0; ok && i < l->count; i++) {
        taco__hash_slot *slot = NULL;
        bool added = false;
        if (taco__dir_parts_append_key(g, &l->entries[i], &key)) {
            slot = taco__hash_map_add(&groups, taco__bytes_of(key.data, key.len), &added, g->err);
        }
        ok = slot != NULL;
        if (ok && added) {
            const char *copy = taco__arena_text(&g->arena, slot->key, g->err);
            ok = copy != NULL;
            slot->key = taco__bytes_of(copy, key.len);
            slot->value = groups.count - 1;
            (*keys)[slot->value] = slot->key;
        }
        if (ok) { l->entries[i].set = (uint32_t)slot->value; }
    }
    *count = groups.count;
    taco__hash_map_free(&groups);
    taco__buf_free(&key);
    return ok;
}

/* Order by group, then by sample. */
TACO__FN int taco__dir_parts_compare_groups(const void *ctx, const void *a, const void *b)
{
    const taco__dir_scan_entry *x = (const taco__dir_scan_entry *)a,
                               *y = (const taco__dir_scan_entry *)b;
    return x->set != y->set ? (x->set < y->set ? -1 : 1) : taco__dir_scan_compare(ctx, a, b);
}

/* The name of a dataset: target with key and part before its extension. key NULL, part 0:
   without. */
static const char *taco__dir_parts_target(taco__from_dir *g, const char *target,
                                          const taco_bytes *key, size_t part)
{
    const char *dot = strrchr(target, '.'),
               *name = target + taco__plat_dir_length(target, strlen(target));
    size_t n = dot && dot > name ? (size_t)(dot - target) : strlen(target);
    taco__buf b;
    const char *out = NULL;
    char digits[24];
    bool ok;
    memset(&b, 0, sizeof b);
    b.mem = &g->mem;
    ok = taco__buf_append(&b, target, n, g->err) &&
         (!key ||
          (taco__buf_append_char(&b, '_', g->err) && taco__dir_parts_file_name(*key, &b, g->err)));
    if (ok && part) {
        *taco__spatial_write_digits(digits, (int64_t)part) = 0;
        ok =
            taco__buf_append_text(&b, "_part", g->err) && taco__buf_append_text(&b, digits, g->err);
    }
    ok = ok && taco__buf_append_text(&b, target + n, g->err);
    if (ok) { out = taco__arena_text(&g->arena, taco__bytes_of(b.data, b.len), g->err); }
    taco__buf_free(&b);
    return out;
}

/* Warns if an earlier dataset of that name had more than n parts. */
static bool taco__dir_parts_warn_of_more(taco__from_dir *g, const char *target,
                                         const taco_bytes *key, size_t n)
{
    const char *next = taco__dir_parts_target(g, target, key, n + 1);
    if (next) { taco__staged_warn_of_more(&g->options, next, "dataset", n); }
    return next != NULL;
}

/* Appends the parts for samples first to end: a new part begins when one more sample would exceed
   the size. */
TACO__FN bool taco__dir_parts_cut(taco__from_dir *g, taco__dir_scan_list *l, size_t first,
                                  size_t end, const char *target, const taco_bytes *key,
                                  taco__buf *parts)
{
    uint64_t most = g->how->split_size ? g->how->split_size : UINT64_MAX;
    size_t from = parts->len / sizeof(taco__dir_parts_part), at = first, count, i;
    taco__dir_parts_part p;
    memset(&p, 0, sizeof p);
    while (at < end) {
        size_t to = at + 1;
        uint64_t sum = l->entries[at].size;
        while (to < end && sum <= most && l->entries[to].size <= most - sum) {
            sum += l->entries[to++].size;
        }
        p.first = at;
        p.count = to - at;
        if (!taco__buf_append(parts, &p, sizeof p, g->err)) { return false; }
        at = to;
    }
    count = parts->len / sizeof p - from;
    if (count > TACO__DIR_PARTS_MAX) {
        TACO__FAIL(g->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u parts, allowed are %u: they are too small", TACO__U(count),
                   TACO__U(TACO__DIR_PARTS_MAX));
        return false;
    }
    for (i = 0; i < count; i++) {
        taco__dir_parts_part *part = (taco__dir_parts_part *)(void *)parts->data + from + i;
        part->name = taco__dir_parts_target(g, target, key, count > 1 ? i + 1 : 0);
        if (!part->name) { return false; }
    }
    return count < 2 || !g->create.overwrite || taco__dir_parts_warn_of_more(g, target, key, count);
}

/* Order by name. */
static int taco__dir_parts_compare_names(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What would be overwritten, and must not be. */
static bool taco__dir_parts_is_taken(const taco__from_dir *g, const char *path, bool zip)
{
    uint64_t size;
    return !(zip && g->create.overwrite && taco__plat_stat(path, &size) == TACO__PATH_FILE) &&
           !taco__temporary_is_free(path, &g->options);
}

/* ARGUMENT if two datasets have the same name, or an existing file would be overwritten. */
TACO__FN bool taco__dir_parts_check_free(taco__from_dir *g, const taco__dir_parts_part *parts,
                                         size_t n, bool zip, const char *catalogue)
{
    const char **names = (const char **)taco__arena_array(&g->arena, n, sizeof *names, g->err);
    size_t i;
    for (i = 0; names && i < n; i++) {
        names[i] = parts[i].name;
        if (taco__dir_parts_is_taken(g, names[i], zip)) {
            TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s exists already", names[i]);
            return false;
        }
    }
    if (catalogue && taco__dir_parts_is_taken(g, catalogue, false)) {
        TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s exists already: the parts would have no catalogue", catalogue);
        return false;
    }
    if (!names || !taco__sort_in(g->arena.mem, (void *)names, n, sizeof *names,
                                 taco__dir_parts_compare_names, NULL, g->err)) {
        return false;
    }
    for (i = 1; i < n; i++) {
        if (strcmp(names[i - 1], names[i]) == 0) {
            TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "two groups would both be %s",
                       names[i]);
            return false;
        }
    }
    return true;
}
