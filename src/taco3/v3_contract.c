/* v3_contract.c - taco:structure and taco:metadata: the levels, and the files that every sample has

   In: the root of COLLECTION.json. Out: a taco__v3_contract: levels with parents before children,
   and declared files with the level of their rows. taco:structure is a list of relative paths,
   whose last component may be a sequence, `img*[1,12].tif`: img0.tif and at most eleven more.
   taco:metadata has the levels, with the fields of each. TACO 3 "Structure", "Metadata contract".

   Start reading at taco__v3_contract_read. */
#include "v3.h"

/* ---- levels ---- */

/* The name of a level's table: "children/a/b" is in children__a__b.parquet. */
static const char *taco__v3_contract_file_name(taco__arena *arena, taco_bytes name, taco_error *err)
{
    size_t i, n = 0;
    char *to = (char *)taco__arena_alloc(arena, 2 * name.len + 9, err);
    for (i = 0; to && i < name.len; i++) {
        to[n++] = name.data[i] == '/' ? '_' : (char)name.data[i];
        if (name.data[i] == '/') { to[n++] = '_'; }
    }
    if (to) { memcpy(to + n, ".parquet", 9); }
    return to;
}

/* Whether a path, or the name of a level, can be one inside a sample. */
static bool taco__v3_contract_check_path(taco_bytes path, const char *what, taco_error *err)
{
    size_t i;
    for (i = 0; i < path.len && path.data[i] >= 0x20 && path.data[i] <= 0x7E; i++) {}
    if (i < path.len) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "%s: %q is not printable ASCII", what,
                   &path);
        return false;
    }
    return taco__vsi_check_path(path, false, what, err) == TACO_OK;
}

/* The bytes before the last '/'; {NULL, 0} without one. */
static taco_bytes taco__v3_contract_folder(taco_bytes path)
{
    size_t n = path.len;
    while (n && path.data[n - 1] != '/') {
        n--;
    }
    return taco__bytes_of(path.data, n ? n - 1 : 0);
}

/* How deep a level is: 0 for sample, 1 for children. */
static size_t taco__v3_contract_depth(taco_bytes name)
{
    size_t i, n = taco__bytes_starts_with(name, "children");
    for (i = 0; i < name.len; i++) {
        n += name.data[i] == '/';
    }
    return n;
}

/* By depth, then by name: parents come first. */
static int taco__v3_contract_compare(taco_bytes a, taco_bytes b)
{
    size_t m = taco__v3_contract_depth(a), n = taco__v3_contract_depth(b);
    return m != n ? (m < n ? -1 : 1) : taco__bytes_compare(a, b);
}

/* taco__sort_compare. */
static int taco__v3_contract_compare_levels(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return taco__v3_contract_compare(taco__bytes_text(((const taco__v3_level *)a)->name),
                                     taco__bytes_text(((const taco__v3_level *)b)->name));
}

/* The index of a level; TACO__NONE: there is none of that name. */
TACO__FN size_t taco__v3_contract_find_level(const taco__v3_contract *c, taco_bytes name)
{
    size_t at = 0;
    TACO__LOWER_BOUND(at, c->level_count, i,
                      taco__v3_contract_compare(taco__bytes_text(c->levels[i].name), name) < 0);
    return at < c->level_count && taco__bytes_equal(taco__bytes_text(c->levels[at].name), name)
               ? at
               : TACO__NONE;
}

/* Adds one level, if its name can be one. */
static bool taco__v3_contract_add_level(taco__arena *arena, taco__v3_contract *c,
                                        const taco__json *key, const taco__json *fields,
                                        taco_error *err)
{
    taco_bytes name = taco__json_bytes(key);
    taco__v3_level *l = &c->levels[c->level_count];
    if (!taco__json_is(fields, TACO__JSON_OBJECT)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, key->begin,
                   "taco:metadata: level %q must be an object, found %s", &name,
                   taco__json_type_name(fields));
        return false;
    }
    if (!(taco__bytes_equal(name, taco__bytes_text("sample")) ||
          taco__bytes_equal(name, taco__bytes_text("children")) ||
          taco__bytes_starts_with(name, "children/"))) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, key->begin, "taco:metadata: %q is not a level", &name);
        return false;
    }
    if (!taco__v3_contract_check_path(name, "taco:metadata", err)) { return false; }
    l->name = taco__arena_text(arena, name, err);
    l->file = l->name ? taco__v3_contract_file_name(arena, name, err) : NULL;
    l->fields = fields;
    c->level_count += l->file != NULL;
    return l->file != NULL;
}

/* Finds the parent of each level. */
static bool taco__v3_contract_find_parents(taco__v3_contract *c, taco_error *err)
{
    size_t i;
    for (i = 0; i < c->level_count; i++) {
        taco_bytes name = taco__bytes_text(c->levels[i].name);
        taco_bytes above = taco__v3_contract_folder(name);
        if (i == 0) {
            c->levels[i].parent = TACO__NONE;
            continue;
        }
        if (strcmp(c->levels[i - 1].name, c->levels[i].name) == 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "taco:metadata has level %q twice",
                       &name);
            return false;
        }
        c->levels[i].parent = above.len ? taco__v3_contract_find_level(c, above) : 0;
        if (c->levels[i].parent == TACO__NONE) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "taco:metadata has level %q, but not its parent %q", &name, &above);
            return false;
        }
    }
    return true;
}

/* Reads taco:metadata. The order of the document does not matter: levels are sorted by depth, so
   that a level can be resolved after its parent. */
static bool taco__v3_contract_read_levels(taco__arena *arena, const taco__json *root,
                                          taco__v3_contract *c, taco_error *err)
{
    const taco__json *metadata = taco__json_get(root, "taco:metadata"), *key;
    size_t n = taco__json_is(metadata, TACO__JSON_OBJECT) ? metadata->count : 0;
    if (!taco__json_is(metadata, TACO__JSON_OBJECT) || n > TACO__V3_MOST) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, (metadata ? metadata : root)->begin,
                   "taco:metadata must be an object of at most %u levels, found %s",
                   TACO__U(TACO__V3_MOST), taco__json_type_name(metadata));
        return false;
    }
    c->levels = (taco__v3_level *)taco__arena_array(arena, n + 1, sizeof *c->levels, err);
    for (key = c->levels ? taco__json_first(metadata) : NULL; key && n; n--) {
        const taco__json *value = key + 1;
        if (!taco__v3_contract_add_level(arena, c, key, value, err)) { return false; }
        key = n > 1 ? taco__json_next(value) : NULL;
    }
    if (!c->levels || !taco__sort_in(arena->mem, c->levels, c->level_count, sizeof *c->levels,
                                     taco__v3_contract_compare_levels, NULL, err)) {
        return false;
    }
    if (c->level_count < 2 || strcmp(c->levels[0].name, "sample") != 0 ||
        strcmp(c->levels[1].name, "children") != 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, metadata->begin,
                   "taco:metadata must have the levels sample and children");
        return false;
    }
    return taco__v3_contract_find_parents(c, err);
}

/* ---- files ---- */

/* A number without leading zeros, with blanks around it; moves *p past it. */
static bool taco__v3_contract_read_number(const char **p, uint64_t *out)
{
    const char *from;
    while (**p == ' ') {
        ++*p;
    }
    from = *p;
    while (taco__ascii_is_digit((uint8_t) * *p)) {
        ++*p;
    }
    if (!taco__num_parse_u64(taco__bytes_of(from, (size_t)(*p - from)), out) ||
        (*from == '0' && *p - from > 1)) {
        return false;
    }
    while (**p == ' ') {
        ++*p;
    }
    return true;
}

/* prefix*[a,b]suffix, where `star` is the '*' of a file's last component. */
static bool taco__v3_contract_read_sequence(taco__arena *arena, taco__v3_file *f, const char *star,
                                            taco_error *err)
{
    const char *p = star + 1;
    taco_bytes path = taco__bytes_text(f->path);
    f->sequence = true;
    if (*p++ != '[' || !taco__v3_contract_read_number(&p, &f->least) || *p++ != ',' ||
        !taco__v3_contract_read_number(&p, &f->most) || *p++ != ']' || strchr(p, '*') ||
        f->name.len == 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "taco:structure: %q is not prefix*[least,most]suffix", &path);
        return false;
    }
    if (f->least < 1 || f->most < f->least) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "taco:structure: %q has from %u to %u files, must be at least 1 and not less",
                   &path, f->least, f->most);
        return false;
    }
    f->after = taco__bytes_text(p);
    f->made = taco__arena_text(arena, taco__bytes_of(f->path, (size_t)(star - f->path)), err);
    return f->made != NULL;
}

/* Reads one declared path. */
static bool taco__v3_contract_read_file(taco__arena *arena, const taco__v3_contract *c,
                                        const taco__json *node, taco__v3_file *f, taco_error *err)
{
    taco_bytes path = taco__json_bytes(node), folder, level;
    const char *star;
    char *name;
    if (!taco__v3_contract_check_path(path, "taco:structure", err)) { return false; }
    folder = taco__v3_contract_folder(path);
    name = (char *)taco__arena_alloc(arena, folder.len + 10, err);
    f->path = f->made = taco__arena_text(arena, path, err);
    if (!name || !f->path) { return false; }
    memcpy(name, "children/", 9);
    if (folder.len) { memcpy(name + 9, folder.data, folder.len); }
    level = taco__bytes_of(name, folder.len ? folder.len + 9 : 8);
    f->level = taco__v3_contract_find_level(c, level);
    if (f->level == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, node->begin,
                   "taco:structure has %q, but taco:metadata has no level %q", &path, &level);
        return false;
    }
    f->name = taco__bytes_text(f->path + (folder.len ? folder.len + 1 : 0));
    star = strchr(f->path, '*');
    if (!star) { return true; }
    if ((const uint8_t *)star < f->name.data) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, node->begin, "taco:structure: a '*' in a folder of %q",
                   &path);
        return false;
    }
    f->name.len = (size_t)((const uint8_t *)star - f->name.data);
    return taco__v3_contract_read_sequence(arena, f, star, err);
}

/* The number of a file of a sequence, if the name in its folder is one: without leading zeros,
   below `most`. */
TACO__FN bool taco__v3_contract_number(const taco__v3_file *f, taco_bytes name, uint64_t *out)
{
    taco_bytes digits;
    size_t n = f->name.len + f->after.len;
    if (name.len <= n || memcmp(name.data, f->name.data, f->name.len) != 0 ||
        (f->after.len &&
         memcmp(name.data + name.len - f->after.len, f->after.data, f->after.len) != 0)) {
        return false;
    }
    digits = taco__bytes_of(name.data + f->name.len, name.len - n);
    return taco__vsi_parse_number(digits, out) && (digits.data[0] != '0' || digits.len == 1) &&
           *out < f->most;
}

/* Whether bytes could be part of the number of a file. */
static bool taco__v3_contract_all_digits(const uint8_t *p, size_t n)
{
    while (n && taco__ascii_is_digit(p[n - 1])) {
        n--;
    }
    return n == 0;
}

/* Whether two sequences of a folder may have a name in common: one prefix continues the other with
   digits, and one suffix the other. */
static bool taco__v3_contract_meet(const taco__v3_file *a, const taco__v3_file *b)
{
    size_t p = TACO__MIN(a->name.len, b->name.len), s = TACO__MIN(a->after.len, b->after.len);
    const taco__v3_file *x = a->name.len > b->name.len ? a : b;
    const taco__v3_file *y = a->after.len > b->after.len ? a : b;
    return (!p || memcmp(a->name.data, b->name.data, p) == 0) &&
           taco__v3_contract_all_digits(x->name.data + p, x->name.len - p) &&
           (!s ||
            memcmp(a->after.data + a->after.len - s, b->after.data + b->after.len - s, s) == 0) &&
           taco__v3_contract_all_digits(y->after.data, y->after.len - s);
}

/* No name may be one of a sequence and also of something else. */
static bool taco__v3_contract_check_sequences(taco__arena *arena, const taco__v3_contract *c,
                                              taco_error *err)
{
    size_t *list = (size_t *)taco__arena_array(arena, c->file_count + 1, sizeof *list, err);
    size_t i, k, n = 0;
    uint64_t number;
    for (i = 0; list && i < c->file_count; i++) {
        if (c->files[i].sequence) { list[n++] = i; }
    }
    if (list && n > TACO__V3_MOST_SEQUENCES) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "taco:structure has %u sequences, at most %u are supported", TACO__U(n),
                   TACO__U(TACO__V3_MOST_SEQUENCES));
        return false;
    }
    for (k = 0; list && k < n; k++) {
        const taco__v3_file *a = &c->files[list[k]];
        for (i = 0; i < c->file_count; i++) {
            const taco__v3_file *b = &c->files[i];
            if (i == list[k] || a->level != b->level ||
                !(b->sequence ? taco__v3_contract_meet(a, b)
                              : taco__v3_contract_number(a, b->name, &number))) {
                continue;
            }
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "taco:structure: %s and %s have names in common", a->path, b->path);
            return false;
        }
    }
    return list != NULL;
}

/* Reads the contract of a collection. What only validation minds, such as names that differ in case
   alone, is left to it, and two columns of one name are refused when level 0 is opened. */
TACO__FN bool taco__v3_contract_read(taco__arena *arena, const taco__json *root,
                                     taco__v3_contract *out, taco_error *err)
{
    const taco__json *structure = taco__json_get(root, "taco:structure"), *node;
    size_t n = taco__json_length(structure);
    memset(out, 0, sizeof *out);
    if (taco__json_is(structure, TACO__JSON_NULL)) { /* until taco-eo 0.8: no files are declared */
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, structure->begin,
                   "taco:structure is null, as in drafts of one undeclared file per sample, which "
                   "are not read");
        return false;
    }
    if (!taco__json_is(structure, TACO__JSON_ARRAY) || n == 0 || n > TACO__V3_MOST) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, (structure ? structure : root)->begin,
                   "taco:structure must be a list of 1 to %u paths, found %s of %u",
                   TACO__U(TACO__V3_MOST), taco__json_type_name(structure), TACO__U(n));
        return false;
    }
    if (!taco__v3_contract_read_levels(arena, root, out, err)) { return false; }
    out->files = (taco__v3_file *)taco__arena_array(arena, n, sizeof *out->files, err);
    for (node = out->files ? taco__json_first(structure) : NULL; node && out->file_count < n;
         out->file_count++) {
        if (!taco__v3_contract_read_file(arena, out, node, &out->files[out->file_count], err)) {
            return false;
        }
        node = out->file_count + 1 < n ? taco__json_next(node) : NULL;
    }
    return out->files && taco__v3_contract_check_sequences(arena, out, err);
}
