/* ==== ROOM nav: from keys to samples, through the local metadata: read, locate, payload. Uses: dataset cursor store vsi.
   Spec: TACO 2.0 §6.2 "Local Metadata", §7.2.3 ==== */

/* A sample that was found by its key; what it points to lives in an arena. `__meta__` is what the children are read
   from: where it disagrees with the consolidated level (facts: disagreements 1), it is right. */
typedef struct taco__nav_node {
    taco__container *store;
    bool             root, folder;
    bool             has_range; /* archives */
    int64_t          offset, size;
    const char      *path;   /* FOLDER: below DATA/ */
    const char      *source; /* TACOCAT: the archive */
    uint32_t         level;  /* formats: where it stands */
    int64_t          row;
    const char      *walked; /* the keys that led here, which lead nowhere else; NULL: none */
    size_t           last;   /* where the last of them begins */
} taco__nav_node;

/* A __meta__ that is open. */
typedef struct taco__local_meta {
    taco_pq_file       pq;
    taco__table        table;
    taco__column_roles role;
    taco__file         file; /* FOLDER datasets: its own */
    bool               file_open, open;
    taco__file        *held; /* archives: where `range` is held until it is closed */
    taco__range        range;
} taco__local_meta;

TACO__FN void taco__local_meta_close(taco__local_meta *m)
{
    if (m->open && m->table.pq) {
        taco__pq_file_close(&m->pq);
    }
    if (m->held) {
        taco__file_release(m->held, m->range.offset, m->range.len);
    }
    if (m->file_open) {
        taco__file_close(&m->file);
    }
    memset(m, 0, sizeof *m);
}
/* id and type are what navigation goes by: they must be there, and text. */
TACO__FN bool taco__local_meta_find_roles(const taco__container *s, const taco__table *t,
                                          taco__column_roles *r, taco_error *err)
{
    taco__container_find_roles(s, t, r);
    if (r->id == TACO__NONE || r->type == TACO__NONE || t->fields[r->id].type != TACO_TEXT ||
        t->fields[r->type].type != TACO_TEXT) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id and type must be columns of text");
        return false;
    }
    return true;
}
/* Where the file with the bytes of a node is, in this dataset's sources. */
TACO__FN taco__file *taco__local_meta_archive_file(const taco__nav_node *n, taco_error *err)
{
    if (n->store->kind == TACO_KIND_ZIP) {
        return &n->store->file;
    }
    return taco__container_open_archive(n->store, taco__bytes_text(n->source), err);
}
TACO__FN const char *taco__local_meta_folder_path(const taco__nav_node *n, const char *suffix,
                                                  taco_error *err)
{
    const char *path = taco__container_join_path(n->store, n->store->dir, "DATA/", err);
    path = path ? taco__container_join_path(n->store, path, n->path, err) : NULL;
    return path ? taco__container_join_path(n->store, path, suffix, err) : NULL;
}
/* The children of a FOLDER of one of the caller's formats. */
TACO__FN bool taco__local_meta_open_format(const taco__nav_node *n, taco__arena *arena,
                                           taco__local_meta *m, taco_error *err)
{
    taco__format_folder of;
    memset(m, 0, sizeof *m);
    of.file = taco__local_meta_archive_file(n, err);
    of.offset = n->offset;
    of.size = n->size;
    of.row = n->row;
    of.level = n->level;
    of.source = n->source;
    of.folder = n->folder;
    m->open = of.file && n->store->format->children(n->store, &of, arena, &m->table, err);
    return m->open && taco__local_meta_find_roles(n->store, &m->table, &m->role, err);
}
/* Opens the __meta__ of a FOLDER, Parquet or Avro by its first bytes. */
TACO__FN bool taco__local_meta_open(const taco__nav_node *n, taco__arena *arena,
                                    taco__local_meta *m, taco_error *err)
{
    taco__file *file;
    taco__range range;
    uint8_t     magic[4] = {0};
    taco_source src;
    memset(m, 0, sizeof *m);
    if (n->store->format && n->store->format->children) {
        return taco__local_meta_open_format(n, arena, m, err);
    }
    if (n->store->kind == TACO_KIND_FOLDER) {
        const char *path = taco__local_meta_folder_path(n, "/__meta__", err);
        if (!path || !taco__source_open_path(n->store->options, path, &src, err)) {
            return false;
        }
        taco__file_init(&m->file, &src, "", n->store->mem);
        m->file_open = true;
        file = &m->file;
        range.offset = 0;
        range.len = src.size;
    } else {
        file = taco__local_meta_archive_file(n, err);
        if (!file) {
            return false;
        }
        if (!n->has_range) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "internal:offset or internal:size is null");
            return false;
        }
        range.offset = (uint64_t)n->offset;
        range.len = (uint64_t)n->size;
        if (!taco__checked_range(range.offset, range.len, file->src.size)) {
            TACO__FAIL(err, TACO_ERR_TRUNCATED, range.offset,
                       "%u bytes of __meta__, the archive ends at %u", range.len, file->src.size);
            return false;
        }
    }
    if (range.len < sizeof magic ||
        !taco__file_fetch(file, &range, range.len <= TACO__PQ_FILE_TAIL ? 1 : 0, err) ||
        !taco__file_read(file, range.offset, magic, sizeof magic, err)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, range.offset, "__meta__ of %u bytes", range.len);
        return false;
    }
    m->held = m->file_open || range.len > TACO__PQ_FILE_TAIL ? NULL : file;
    m->range = range;
    if (!taco__container_open_table(n->store, file, range, "__meta__",
                                    memcmp(magic, "Obj\1", 4) == 0, arena, &m->pq, &m->table,
                                    err)) {
        return false;
    }
    m->open = true;
    return taco__local_meta_find_roles(n->store, &m->table, &m->role, err);
}

/* ---- one key -------------------------------------------------------------------------------------- */

/* "@@12" is a position, padding counted. */
TACO__FN bool taco__nav_is_stored_position(taco_bytes key)
{
    return key.len > 2 && key.data[0] == '@' && key.data[1] == '@';
}
/* Ids of old formats may hold what paths are made of: '/', '\\' and '@' stand behind a '\\' there. */
TACO__FN bool taco__nav_is_special(uint8_t c)
{
    return c == '/' || c == '\\' || c == '@';
}
/* The key of an id. */
TACO__FN bool taco__nav_append_key(taco__buf *b, taco_bytes id, taco_error *err)
{
    bool   ok = true;
    size_t i;
    for (i = 0; ok && i < id.len; i++) {
        uint8_t c = id.data[i];
        ok = (!taco__nav_is_special(c) || (c == '@' && i) || taco__buf_append_char(b, '\\', err)) &&
             taco__buf_append_char(b, (char)c, err);
    }
    return ok;
}
/* The id of a key; itself where it has no '\\'. data is NULL when memory ends. */
TACO__FN taco_bytes taco__nav_key_to_id(taco_bytes key, taco__arena *arena, taco_error *err)
{
    uint8_t *to;
    size_t   i, n = 0;
    if (!key.len || !memchr(key.data, '\\', key.len)) {
        return key;
    }
    to = (uint8_t *)taco__arena_alloc(arena, key.len, err);
    for (i = 0; to && i < key.len; i++) {
        i += key.data[i] == '\\' && i + 1 < key.len && taco__nav_is_special(key.data[i + 1]);
        to[n++] = key.data[i];
    }
    return taco__bytes_of(to, n);
}
/* "@12" is a position; everything else is an id. */
TACO__FN bool taco__nav_parse_position(taco_bytes key, uint64_t *out)
{
    size_t skip = taco__nav_is_stored_position(key) ? 2 : 1;
    return key.len > 1 && key.data[0] == '@' &&
           taco__vsi_parse_number(taco__bytes_of(key.data + skip, key.len - skip), out);
}
/* A scan that only shows rows which are no padding, or have the id; expressions live in the arena. */
TACO__FN bool taco__nav_make_filter(const taco__table *t, const taco__column_roles *r,
                                    const taco_bytes *id, bool padding, taco__arena *arena,
                                    taco__expr **out, taco_error *err)
{
    *out = NULL;
    if (id) {
        *out = taco__expr_equals(arena, r->id, *id, err);
    } else if (!padding) {
        taco__level l; /* asks the statistics */
        memset(&l, 0, sizeof l);
        l.table = *t;
        l.role = *r;
        l.padded = -1;
        if (!taco__query_hide_padding(&l, arena, out, err)) {
            return false;
        }
    }
    return (!id || *out) && (!*out || taco__pred_bind(*out, t->fields, t->field_count, arena, err));
}
/* Copies the row that the reader holds into *out. */
TACO__FN bool taco__nav_read_node(const taco_array *a, const size_t *at, taco__nav_node *out,
                                  const taco__nav_node *parent, taco__arena *arena, taco_error *err)
{
    taco_bytes       type = taco_array_bytes(&a[at[1]], 0), id = taco_array_bytes(&a[at[0]], 0);
    int              folder = taco__sample_path_parse_type(type);
    taco__container *s = out->store;
    if (folder < 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   taco_array_valid(&a[at[1]], 0) ? "type is %q, must be FILE or FOLDER"
                                                  : "type is null, must be FILE or FOLDER",
                   &type);
        return false;
    }
    out->root = false;
    out->folder = folder > 0;
    if (s->kind == TACO_KIND_FOLDER) {
        const char *own;
        if (taco__vsi_check_path(id, false, "id", err) != TACO_OK) {
            return false;
        }
        own = taco__arena_text(arena, id, err);
        if (own && parent->path) {
            own = taco__container_join_path(s, "/", own, err);
            own = own ? taco__container_join_path(s, parent->path, own, err) : NULL;
        }
        out->path = own;
        return own != NULL;
    }
    if (at[2] == TACO__NONE || at[3] == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no internal:%s",
                   at[2] == TACO__NONE ? "offset" : "size");
        return false;
    }
    if (!taco__join_is_integer(a[at[2]].field->type) ||
        !taco__join_is_integer(a[at[3]].field->type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "internal:offset and internal:size must be integers");
        return false;
    }
    out->has_range = taco_array_valid(&a[at[2]], 0) && taco_array_valid(&a[at[3]], 0);
    out->offset = taco_array_int(&a[at[2]], 0);
    out->size = taco_array_int(&a[at[3]], 0);
    if (!out->has_range) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "internal:offset or internal:size is null");
        return false;
    }
    if (!taco__vsi_check_range(out->offset, out->size, err)) {
        return false;
    }
    out->level = parent->root ? 0 : parent->level + 1;
    out->row =
        at[5] != TACO__NONE && taco_array_valid(&a[at[5]], 0) ? taco_array_int(&a[at[5]], 0) : -1;
    if (s->kind == TACO_KIND_TACOCAT && parent->root) {
        taco_bytes source =
            at[4] == TACO__NONE ? taco__bytes_of(NULL, 0) : taco_array_bytes(&a[at[4]], 0);
        if (!s->format && taco__vsi_check_name(source, "internal:source_file", err) != TACO_OK) {
            return false;
        }
        out->source = taco__arena_text(arena, source, err);
        return out->source != NULL;
    }
    out->source = parent->source;
    return true;
}
/* Finds a key among the rows of a table. *left counts a position down, over several tables. False with err untouched
   when it is not there. */
TACO__FN bool taco__nav_find_key(const taco__table *t, const taco__column_roles *r, taco_bytes key,
                                 uint64_t *left, bool padding, const taco__nav_node *parent,
                                 taco__nav_node *out, taco__arena *arena, taco_error *err)
{
    taco__expr     *where;
    taco__scan      scan;
    const uint32_t *rows;
    uint64_t        base, position;
    bool            by_position = taco__nav_parse_position(key, &position), found = false;
    size_t          which[6], at[6], i, n = 0;
    const size_t    roles[6] = {r->id, r->type, r->offset, r->size, r->source, r->current};
    taco_bytes      id = by_position ? key : taco__nav_key_to_id(key, arena, err);
    if (!id.data ||
        !taco__nav_make_filter(t, r, by_position ? NULL : &id, padding, arena, &where, err)) {
        return false;
    }
    for (i = 0; i < 6; i++) {
        at[i] = roles[i] == TACO__NONE ? TACO__NONE : n;
        if (roles[i] != TACO__NONE) {
            which[n++] = roles[i];
        }
    }
    if (by_position && !where && *left < t->rows) { /* without padding the position is the row */
        taco__row_reader one;
        if (!taco__row_reader_open(&one, t, which, n, parent->store->mem, err)) {
            return false;
        }
        found = taco__row_reader_read_range(&one, *left, 1, err) &&
                taco__nav_read_node(one.arrays, at, out, parent, arena, err);
        taco__row_reader_close(&one);
        return found;
    }
    if (by_position && !where) {
        *left -= t->rows;
        return false;
    }
    if (!taco__scan_open(&scan, t, where, NULL, which, n, 0, parent->store->mem, err)) {
        return false;
    }
    while (by_position && *left) {
        n = taco__scan_next(&scan, (size_t)TACO__MIN(*left, (uint64_t)TACO__BATCH_ROWS), false,
                            &rows, &base, err);
        *left -= n;
        if (n == 0) {
            break;
        }
    }
    if ((!by_position || *left == 0) && taco__scan_next(&scan, 1, true, &rows, &base, err)) {
        found = taco__nav_read_node(scan.out.arrays, at, out, parent, arena, err);
    }
    taco__scan_close(&scan);
    return found;
}
/* One step down: the child of *node with that key; *node becomes it. */
TACO__FN bool taco__nav_step(taco_dataset *ds, taco__nav_node *node, taco_bytes key, bool padding,
                             taco__arena *arena, taco_error *err)
{
    taco__nav_node parent = *node;
    uint64_t       left = 0;
    size_t         i;
    bool           found = false;
    if (taco__nav_parse_position(key, &left)) {
        padding = padding || taco__nav_is_stored_position(key);
    }
    if (parent.root) {
        for (i = 0; i < ds->container_count && !found && err->code == TACO_OK; i++) {
            taco__level       *l = taco__container_level(&ds->stores[i], 0, err);
            taco__column_roles r;
            if (!l) {
                return false;
            }
            parent.store = node->store = &ds->stores[i];
            found =
                taco__local_meta_find_roles(&ds->stores[i], &l->table, &r, err) &&
                taco__nav_find_key(&l->table, &r, key, &left, padding, &parent, node, arena, err);
            if (!found && err->code != TACO_OK) {
                taco__error_prefix(err, "sample %q", &key);
                return taco__container_fail(&ds->stores[i], l->name, err);
            }
        }
    } else {
        taco__local_meta m;
        if (!parent.folder && !parent.store->format) { /* a format may have parts of a FILE */
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "no %q: its parent is a FILE, which has no children", &key);
            return false;
        }
        found =
            taco__local_meta_open(&parent, arena, &m, err) &&
            taco__nav_find_key(&m.table, &m.role, key, &left, padding, &parent, node, arena, err);
        taco__local_meta_close(&m);
    }
    if (!found) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "there is no sample %q", &key);
    }
    return found;
}
/* Notes the key that led to a node; a '/' in it, which an id was found to hold, gets its '\\'. */
TACO__FN bool taco__nav_append_walked(taco__nav_node *node, const taco__nav_node *parent,
                                      taco_bytes key, taco__arena *arena, taco_error *err)
{
    size_t n = parent->walked ? strlen(parent->walked) + 1 : 0, i;
    char  *to = (char *)taco__arena_alloc(arena, n + 2 * key.len + 1, err);
    if (!to) {
        return false;
    }
    if (n) {
        memcpy(to, parent->walked, n - 1);
        to[n - 1] = '/';
    }
    node->walked = to;
    node->last = n;
    for (to += n, i = 0; i < key.len; i++) {
        if (key.data[i] == '/') {
            *to++ = '\\';
        } else if (key.data[i] == '\\' && i + 1 < key.len &&
                   taco__nav_is_special(key.data[i + 1])) {
            *to++ = (char)key.data[i++];
        }
        *to++ = (char)key.data[i];
    }
    return true;
}
/* The end of the key at p: a '/' without '\\' in front, or the end of the path. */
TACO__FN const char *taco__nav_key_end(const char *p)
{
    for (; *p && *p != '/'; p++) {
        p += *p == '\\' && p[1] && taco__nav_is_special((uint8_t)p[1]);
    }
    return p;
}
#define TACO__NAV_MAX_DEPTH 256 /* keys of a path */

/* Walks the keys from p on, in `path`, down from *node. Ids of old formats may hold a '/': where there is no sample of a
   key, the next one is taken as a part of it. */
TACO__FN bool taco__nav_walk_keys(taco_dataset *ds, const char *path, const char *p, unsigned depth,
                                  bool padding, taco__nav_node *node, taco__arena *arena,
                                  taco_error *err)
{
    const char *end = taco__nav_key_end(p);
    taco_error  first;
    if (depth == TACO__NAV_MAX_DEPTH) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a path of more than %u keys",
                   TACO__U(TACO__NAV_MAX_DEPTH));
        return false;
    }
    for (memset(&first, 0, sizeof first);; end = taco__nav_key_end(end + 1)) {
        taco_bytes     key = taco__bytes_of(p, (size_t)(end - p));
        taco_bytes     done = taco__bytes_of(path, p != path ? (size_t)(p - path) - 1 : 0);
        taco__nav_node child = *node;
        bool           here = taco__nav_step(ds, &child, key, padding, arena, err);
        if (here && taco__nav_append_walked(&child, node, key, arena, err) &&
            (!*end ||
             taco__nav_walk_keys(ds, path, end + 1, depth + 1, padding, &child, arena, err))) {
            *node = child;
            return true;
        }
        if (!here && p != path) {
            taco__error_prefix(err, "%s: %q", node->store->name, &done);
        } else if (strncmp(err->text, node->store->name, strlen(node->store->name)) != 0) {
            taco__error_prefix(err, "%s", node->store->name);
        }
        first = first.code == TACO_OK ? *err : first;
        if (err->code != TACO_ERR_NOT_FOUND || !*end || !node->store->format) {
            *err = err->code == TACO_ERR_NOT_FOUND ? first : *err;
            return false;
        }
        memset(err, 0, sizeof *err);
    }
}
/* Walks a path of keys; "" is the root. */
TACO__FN bool taco__nav_walk(taco_dataset *ds, const char *path, bool padding, taco__nav_node *node,
                             taco__arena *arena, taco_error *err)
{
    memset(node, 0, sizeof *node);
    node->store = &ds->stores[0];
    node->root = node->folder = true;
    return !path[0] || taco__nav_walk_keys(ds, path, path, 0, padding, node, arena, err);
}

/* ---- public --------------------------------------------------------------------------------------- */

/* Directory of a FOLDER sample in a FOLDER dataset, as GDAL calls it. */
TACO__FN const char *taco__children_directory(const taco__nav_node *n, taco_error *err)
{
    const char *path = taco__container_join_path(
        n->store, n->store->vsi, taco__container_ends_with(n->store->vsi, "/") ? "DATA/" : "/DATA/",
        err);
    return path ? taco__container_join_path(n->store, path, n->path, err) : NULL;
}
/* Rows of a FOLDER's __meta__, or, for a FILE, its own row in the parent's. */
TACO__FN bool taco__children_open_rows(taco_cursor *c, const taco__nav_node *node, bool padding,
                                       taco_error *err)
{
    taco__table_reader *f = &c->readers[0];
    taco__local_meta    m;
    taco__column_roles  r;
    taco_field          text;
    taco_bytes          where;
    size_t              i;
    c->children = true;
    c->parent = node->store;
    if (!taco__local_meta_open(node, &c->arena, &m, err)) {
        taco__local_meta_close(&m);
        return false;
    }
    c->child_pq = m.pq; /* the cursor takes it over */
    c->child_open = m.table.pq != NULL;
    c->child_file = m.file;
    c->child_file_open = m.file_open;
    c->child_held = m.held;
    c->child_range = m.range;
    if (!m.file_open && c->child_open) {
        taco__container_count_archive_user(c->parent, m.pq.part.file, true);
    }
    c->child_table = m.table;
    if (c->child_open) {
        c->child_table.pq = &c->child_pq;
        c->child_pq.part.file = m.file_open ? &c->child_file : c->child_pq.part.file;
    }
    r = m.role;
    f->table = &c->child_table;
    if (!taco__nav_make_filter(f->table, &r, NULL, padding, &c->arena, &f->where, err) ||
        !taco__cursor_column_reserve(c, f->table->field_count + 1)) {
        return false;
    }
    for (i = 0; i < f->table->field_count; i++) {
        taco__cursor_column_add(c, TACO__CURSOR_COLUMN_STORED, 0, f->table->fields[i].name,
                                f->table->fields[i].name, &f->table->fields[i]);
    }
    taco__cursor_column_init_text(&text);
    taco__cursor_column_add(c, TACO__CURSOR_COLUMN_VSI, 0, TACO__GDAL_VSI, TACO__GDAL_VSI, &text);
    c->arrays = (taco_array *)taco__arena_array(&c->arena, c->count + 1, sizeof *c->arrays, err);
    if (!c->arrays) {
        return false;
    }
    if (node->store->format) {
        f->vsi.mode = r.subfile == TACO__NONE || f->table->fields[r.subfile].type != TACO_TEXT
                          ? TACO__SAMPLE_PATH_NONE
                          : TACO__SAMPLE_PATH_STORED;
        f->vsi.a = f->vsi.b = r.subfile == TACO__NONE ? r.id : r.subfile;
    } else if (node->store->kind == TACO_KIND_FOLDER) {
        const char *dir = taco__children_directory(node, err);
        f->vsi.mode = TACO__SAMPLE_PATH_CHILD;
        f->vsi.root = taco__bytes_text(dir);
        f->vsi.a = r.type;
        f->vsi.b = r.id;
        if (!dir) {
            return false;
        }
    } else {
        const char *root = node->source ? taco__container_join_path(node->store, node->store->vsi,
                                                                    node->source, err)
                                        : node->store->vsi;
        f->vsi.mode = TACO__SAMPLE_PATH_ZIP;
        f->vsi.root = taco__bytes_text(root);
        f->vsi.a = r.offset;
        f->vsi.b = r.size;
        if (r.offset == TACO__NONE || r.size == TACO__NONE ||
            !taco__join_is_integer(f->table->fields[r.offset].type) ||
            !taco__join_is_integer(f->table->fields[r.size].type)) {
            where = taco__bytes_text(r.offset == TACO__NONE ? "internal:offset" : "internal:size");
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "__meta__ has no %q of integers, no path can be made", &where);
            return false;
        }
    }
    return taco__table_reader_open(c, f, &r, c->outs, c->count, err);
}
/* id = 'key', as a predicate. */
TACO__FN const char *taco__nav_id_predicate(taco__arena *arena, const char *id, taco_bytes key,
                                            taco_error *err)
{
    size_t n = strlen(id);
    char  *text = (char *)taco__arena_alloc(arena, n + key.len * 2 + 16, err), *p = text;
    size_t i;
    if (!text) {
        return NULL;
    }
    *p++ = '"';
    memcpy(p, id, n);
    memcpy(p + n, "\" = '", 5);
    for (p += n + 5, i = 0; i < key.len; i++) {
        *p++ = (char)key.data[i];
        if (key.data[i] == '\'') {
            *p++ = '\'';
        }
    }
    *p++ = '\'';
    *p = 0;
    return text;
}
/* What the ids of a level are called: Tortilla has a name of its own. */
TACO__FN const char *taco__nav_id_column(const taco__container *s, uint32_t level)
{
    const taco__level *l = &s->levels[level];
    return level < s->level_count && l->opened && l->role.id != TACO__NONE &&
                   l->table.field_count > l->role.id
               ? l->table.fields[l->role.id].name
               : "id";
}
TACO__FN taco_cursor *taco__children_read(taco_dataset *ds, const char *path, bool inside,
                                          bool padding, taco_error *err);

/* A cursor over the one row of a FILE, in the table of its parent. */
TACO__FN taco_cursor *taco__children_open_own_row(taco_cursor *c, const taco__nav_node *node,
                                                  bool padding)
{
    const taco__container *s = node->store;
    taco_bytes             key = taco__bytes_text(node->walked + node->last), stored = key,
               parent = taco__bytes_of(node->walked, node->last ? node->last - 1 : 0);
    uint64_t     position = 0;
    bool         by_position = taco__nav_parse_position(key, &position);
    taco_cursor *rows;
    if (!by_position) {
        key = taco__nav_key_to_id(key, &c->arena, &c->err);
        if (!key.data) {
            return NULL;
        }
    }
    if (!node->last) {
        taco_query q;
        memset(&q, 0, sizeof q);
        q.limit = 1;
        q.offset = position;
        q.padding = padding || !by_position || taco__nav_is_stored_position(stored);
        q.where = by_position
                      ? NULL
                      : taco__nav_id_predicate(&c->arena, taco__nav_id_column(s, 0), key, &c->err);
        return c->err.code == TACO_OK ? taco_select(c->ds, &q, &c->err) : NULL;
    } else {
        char *text = taco__arena_text(&c->arena, parent, &c->err);
        rows = text ? taco__children_read(
                          c->ds, text, true,
                          padding || !by_position || taco__nav_is_stored_position(stored), &c->err)
                    : NULL;
    }
    if (rows) {
        const taco__table *t = rows->readers[0].table;
        taco__column_roles r;
        char              *id = taco__arena_text(&rows->arena, key,
                                                 &c->err); /* the path is the caller's, the condition stays */
        taco__expr        *e =
            by_position || !id
                       ? NULL
                       : (taco__container_find_roles(s, t, &r),
                   taco__expr_equals(&rows->arena, r.id, taco__bytes_text(id), &c->err));
        rows->left = 1;
        rows->skip = position;
        if (c->err.code == TACO_OK &&
            (by_position ||
             (e && taco__pred_bind(e, t->fields, t->field_count, &rows->arena, &c->err) &&
              taco__table_reader_set_filter(rows, e)))) {
            return rows;
        }
        taco_cursor_close(rows, &c->err);
    }
    return NULL;
}
/* The rows below a sample; for a FILE its own row, or, `inside`, its parts. */
TACO__FN taco_cursor *taco__children_read(taco_dataset *ds, const char *path, bool inside,
                                          bool padding, taco_error *err)
{
    taco_cursor   *c;
    taco__nav_node node;
    if (!ds || !path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given", ds ? "path" : "dataset");
        return NULL;
    }
    if (!path[0]) {
        taco_query q;
        memset(&q, 0, sizeof q);
        q.padding = padding;
        return taco_select(ds, &q, err);
    }
    c = taco__cursor_alloc(ds, 1, err);
    if (!c) {
        return NULL;
    }
    if (!taco__nav_walk(ds, path, padding, &node, &c->arena, &c->err)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    if (!node.folder && !inside) {
        taco_cursor *rows = taco__children_open_own_row(c, &node, padding);
        taco_cursor_close(c, err);
        return rows;
    }
    c->folder = node.walked;
    if (!c->folder || !taco__children_open_rows(c, &node, padding, &c->err)) {
        taco_bytes where = taco__bytes_text(path);
        taco__error_prefix(&c->err, "%s: %q", node.store->name, &where);
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}
TACO_API taco_cursor *taco_read(taco_dataset *ds, const char *path, bool padding, taco_error *err)
{
    return taco__children_read(ds, path, false, padding, err);
}
/* The id of one row of a level, appended to a path. */
TACO__FN bool taco__nav_append_row_id(taco__level *l, uint64_t row, taco__buf *path,
                                      taco_error *err)
{
    taco__row_reader one;
    bool             ok;
    if (l->role.id == TACO__NONE || l->table.fields[l->role.id].type != TACO_TEXT) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id must be a column of text");
        return false;
    }
    ok = taco__row_reader_open(&one, &l->table, &l->role.id, 1, path->mem, err) &&
         taco__row_reader_read_range(&one, row, 1, err);
    if (ok) {
        taco_bytes id = taco_array_bytes(&one.arrays[0], 0);
        ok = taco__buf_append_char(path, '/', err) && taco__nav_append_key(path, id, err);
    }
    taco__row_reader_close(&one);
    return ok;
}
/* The path of a row of a level: its ancestor's place at the top, then ids. */
TACO__FN bool taco__nav_path_of_row(taco_dataset *ds, size_t store, uint32_t level, uint64_t row,
                                    taco__buf *path, taco_error *err)
{
    taco__container *s = &ds->stores[store];
    uint64_t         up[TACO__MAX_LEVELS], at = 0;
    char             digits[24];
    uint32_t         l;
    size_t           i;
    up[level] = row;
    for (l = level; l > 0; l--) {
        int64_t parent;
        if (!taco__lookup_parent(s, l, up[l], &parent, err)) {
            return false;
        }
        if (parent < 0) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "row %u has no parent", up[l]);
            return taco__container_fail(s, s->levels[l].name, err);
        }
        up[l - 1] = (uint64_t)parent;
    }
    for (i = 0; i < store; i++) {
        at += ds->stores[i].levels[0].table.rows;
    }
    if (!taco__buf_append_text(path, "@@", err) ||
        !taco__buf_append(path, digits, taco__num_format_u64(digits, at + up[0]), err)) {
        return false;
    }
    for (l = 1; l <= level; l++) {
        if (!taco__nav_append_row_id(&s->levels[l], up[l], path, err)) {
            return taco__container_fail(s, s->levels[l].name, err);
        }
    }
    return true;
}
TACO_API taco_cursor *taco_cursor_children(taco_cursor *row, taco_error *err)
{
    taco_bytes   id, relative;
    uint64_t     number;
    size_t       store;
    taco__buf    path;
    taco_cursor *c = NULL;
    if (!row || !row->begun) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "the cursor is not on a row");
        return NULL;
    }
    memset(&path, 0, sizeof path);
    path.mem = row->mem;
    if (taco__compose_sample_row(row, row->row, &store, &number)) {
        relative = taco__bytes_of(NULL, 0);
        if (!taco__nav_path_of_row(row->ds, store, row->level, number, &path, err)) {
            taco__buf_free(&path);
            return NULL;
        }
    } else if (taco_cursor_bytes(row, "internal:relative_path", &relative) && relative.len) {
        relative.len -= relative.data[relative.len - 1] == '/';
    } else if (row->level == 0 && taco_cursor_bytes(row, "id", &id)) {
        relative = taco__bytes_of(NULL, 0);
        if ((row->folder && (!taco__buf_append_text(&path, row->folder, err) ||
                             !taco__buf_append_char(&path, '/', err))) ||
            !taco__nav_append_key(&path, id, err)) {
            taco__buf_free(&path);
            return NULL;
        }
    } else {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "the row has neither id nor internal:relative_path");
        return NULL;
    }
    if (taco__buf_append(&path, relative.data, relative.len, err) &&
        taco__buf_append_char(&path, 0, err)) {
        c = taco_read(row->ds, (const char *)path.data, row->padding, err);
    }
    taco__buf_free(&path);
    return c;
}
TACO_API taco_status taco_locate(taco_dataset *ds, const char *path, taco_sample *out,
                                 taco_error *err)
{
    taco_error     own = {0, TACO_OK, 0, {0}};
    taco__nav_node n;
    taco__arena    arena;
    bool           ok;
    memset(out, 0, sizeof *out);
    err = err ? err : &own;
    if (!ds || !path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          ds ? "path" : "dataset");
    }
    arena.mem = &ds->mem;
    arena.head = NULL;
    ds->locate_vsi.len = ds->locate_file.len = 0;
    ok = taco__nav_walk(ds, path, false, &n, &arena, err);
    if (ok && n.root) {
        out->folder = out->whole = true;
        out->vsi = out->file = "";
    } else if (ok && n.store->kind == TACO_KIND_FOLDER) {
        const char *file = taco__local_meta_folder_path(&n, n.folder ? "/__meta__" : "", err);
        const char *dir = file ? taco__children_directory(&n, err) : NULL;
        out->folder = n.folder;
        out->whole = true;
        ok = dir && taco__buf_append_text(&ds->locate_file, file, err) &&
             taco__buf_append_char(&ds->locate_file, 0, err) &&
             taco__buf_append_text(&ds->locate_vsi, dir, err) &&
             (!n.folder || taco__buf_append_text(&ds->locate_vsi, "/__meta__", err)) &&
             taco__buf_append_char(&ds->locate_vsi, 0, err);
    } else if (ok) {
        taco_bytes source = taco__bytes_text(n.source ? n.source : "");
        out->folder = n.folder;
        out->offset = (uint64_t)n.offset;
        out->size = (uint64_t)n.size;
        ok = taco__buf_append_text(&ds->locate_file, n.source ? n.store->parts : n.store->name,
                                   err) &&
             taco__buf_append(&ds->locate_file, source.data, source.len, err) &&
             taco__buf_append_char(&ds->locate_file, 0, err) &&
             taco__vsi_append_subfile(&ds->locate_vsi, out->offset, out->size,
                                      taco__bytes_text(n.store->vsi), source, err) &&
             taco__buf_append_char(&ds->locate_vsi, 0, err);
    }
    if (ok && !n.root) {
        out->vsi = (const char *)ds->locate_vsi.data;
        out->file = (const char *)ds->locate_file.data;
    }
    taco__arena_free(&arena);
    return ok ? TACO_OK : err->code;
}

/* ---- payload -------------------------------------------------------------------------------------- */

typedef struct taco__payload {
    taco_source base;
    uint64_t    offset;
    taco__mem  *mem;
    bool        own; /* closes base */
} taco__payload;

TACO__FN bool taco__payload_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco__payload *p = (taco__payload *)ctx;
    return p->base.read(p->base.ctx, p->offset + offset, dst, len);
}
TACO__FN void taco__payload_close(void *ctx)
{
    taco__payload *p = (taco__payload *)ctx;
    if (p->own && p->base.close) {
        p->base.close(p->base.ctx);
    }
    taco__mem_free(p->mem, p, sizeof *p);
}
TACO_API taco_status taco_payload(taco_dataset *ds, const char *path, taco_source *out,
                                  taco_error *err)
{
    taco_error     own = {0, TACO_OK, 0, {0}};
    taco_sample    s;
    taco__payload *p;
    taco_bytes     name = taco__bytes_text(path);
    memset(out, 0, sizeof *out);
    err = err ? err : &own;
    if (taco_locate(ds, path, &s, err) != TACO_OK) {
        return err->code;
    }
    if (s.folder) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "%s: sample %q is a FOLDER, only a FILE has bytes", ds->stores[0].name,
                          &name);
    }
    p = (taco__payload *)taco__mem_alloc(&ds->mem, sizeof *p, err);
    if (!p) {
        return err->code;
    }
    p->mem = &ds->mem;
    p->offset = s.offset;
    p->own = true;
    if (ds->container_count == 1 &&
        ds->stores[0].kind == TACO_KIND_ZIP) { /* the archive is open already */
        p->base = ds->stores[0].file.src;
        p->own = false;
    } else if (!taco__source_open_path(&ds->options, s.file, &p->base, err)) {
        taco__mem_free(&ds->mem, p, sizeof *p);
        taco__error_prefix(err, "%s: sample %q", ds->stores[0].name, &name);
        return err->code;
    }
    if (!s.whole && !taco__checked_range(s.offset, s.size, p->base.size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, s.offset, "payload of %u bytes, the archive ends at %u",
                   s.size, p->base.size);
        taco__error_prefix(err, "%s: sample %q", s.file, &name);
        taco__payload_close(p);
        return err->code;
    }
    out->ctx = p;
    out->size = s.whole ? p->base.size : s.size;
    out->read = taco__payload_read;
    out->close = taco__payload_close;
    return TACO_OK;
}
