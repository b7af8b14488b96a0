/* tool_legacy.h - the commands of the tool for old datasets. Included by taco.c behind its helpers. */

static const char usage_convert[] =
    "usage: taco convert OLD... NEW [--collection FILE.json] [--pad] [--any-tree] [--overwrite]\n"
    "       taco convert NEW OLD.tortilla|OLD.taco\n"
    "\n"
    "Makes a TACO 2 archive (.tacozip, .zip) or folder of Tortilla and TACO 0.x files, which are\n"
    "read as one, or an old file of a TACO 2 dataset. Nested tortillas become FOLDERs. What the\n"
    "other format has no place for is told on standard error.\n"
    "\n"
    "  --collection FILE  COLLECTION.json of TACO 2, instead of one made of the old collection\n"
    "  --pad              FOLDERs of a level get __TACOPAD__N rows up to the fullest of them\n"
    "  --any-tree         samples need not have the same tree\n"
    "  --overwrite        replace an archive that is there\n";
static const char usage_tortilla[] =
    "usage: taco tortilla create TABLE.parquet OUT [--collection FILE.json] [--part-size SIZE]\n"
    "       taco tortilla compile FILE... OUT [filters of query]\n"
    "       taco tortilla to-taco FILE OUT --collection FILE.json\n"
    "       taco tortilla to-tortilla FILE OUT\n"
    "       taco tortilla edit-collection FILE OUT --collection FILE.json\n"
    "       taco tortilla edit-footer FILE OUT --samples TABLE.parquet\n"
    "\n"
    "Writes Tortilla 0.5 and TACO 0.x for those who must still deliver them. OUT may be FILE.\n"
    "\n"
    "  create           the columns of the table, of which `path` names the files (from where the\n"
    "                   table is), tortilla:id and tortilla:file_format must be there\n"
    "  compile          the rows that filters leave as a tortilla of their own\n"
    "  to-taco          a collection behind a tortilla; to-tortilla takes it away\n"
    "  edit-footer      other rows and columns; tortilla:offset and tortilla:length stay true\n"
    "  --part-size SIZE payload bytes of a part, such as 4GB (20000000000)\n"
    "  --chain          create: with the chain of footers of TACO 0.2.0\n"
    "  --chunks         and with its table of the tiles of the TIFFs\n";

static const char usage_collection[] =
    "usage: taco collection DATASET --to stac|datacite|datacard|croissant [--year YYYY]\n"
    "            [--samples TABLE.parquet] [-o FILE]\n"
    "\n"
    "What the collection of a dataset says, old or new: as a Collection of STAC 1.1, as JSON of\n"
    "DataCite 4.5 (which wants the year of publication), as a data card in Markdown, or as "
    "JSON-LD\n"
    "of Croissant 1.0. Croissant cannot read inside an archive: --samples names the Parquet file\n"
    "with the rows, made by taco query --format geoparquet, whose columns become its fields.\n";

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}
static void convert_note(void *ctx, const char *text)
{
    if (!((const args *)ctx)->quiet) {
        fprintf(stderr, "note: %s\n", text);
    }
}
/* A file as a NUL-terminated text; NULL when it cannot be read. */
static char *legacy_text(const char *path, taco_error *err)
{
    taco_source src;
    char       *text = NULL;
    if (taco_source_file(&src, path, err) != TACO_OK) {
        return NULL;
    }
    if (src.size < (size_t)64 << 20) {
        text = (char *)malloc((size_t)src.size + 1);
    }
    if (text && src.read(src.ctx, 0, text, (size_t)src.size)) {
        text[src.size] = 0;
    } else {
        free(text);
        text = NULL;
        err->code = TACO_ERR_IO;
        sprintf(err->text, "%.200s: cannot be read", path);
    }
    src.close(src.ctx);
    return text;
}
/* What both directions ask for. The text of the collection, which *o borrows; NULL without one, or when it cannot be read. */
static char *convert_options(args *a, const taco_options *opt, taco_convert_options *o,
                             taco_error *err)
{
    char *text = a->collection ? legacy_text(a->collection, err) : NULL;
    memset(o, 0, sizeof *o);
    o->create = a->create;
    o->create.options = opt;
    o->pad = a->pad;
    o->note = convert_note;
    o->note_ctx = a;
    o->collection = text;
    return text;
}
/* A dataset of another format becomes one of TACO 2. query NULL: all of it. */
static int convert_other(args *a, const char *format, const taco_options *opt,
                         const taco_query *query)
{
    taco_convert_options o;
    taco_error           err = {0};
    size_t               n = a->word_count - 1;
    bool                 records = strcmp(format, "rasteret") == 0;
    char                *text = convert_options(a, opt, &o, &err);
    o.query = query;
    if (err.code != TACO_OK) {
        return report(&err);
    }
    if (records && (!text || n != 1 || (query && (a->filter_count || a->query.limit)))) {
        free(text);
        fprintf(stderr,
                "%s: a Rasteret collection: one at a time, whole, with --collection FILE.json, "
                "becomes a TACO 2 dataset\n",
                a->words[0]);
        return USAGE;
    }
    if (records) {
        rasteret.options.options = opt;
        taco_rasteret_to_taco(a->words[0], a->words[n], text, &rasteret.options, &o.create, &err);
    } else {
        taco_convert_to_taco2(a->words, n, a->words[n], &o, &err);
    }
    free(text);
    return err.code != TACO_OK ? report(&err) : DONE;
}
/* A dataset of TACO 2 becomes an old file. */
static int convert_back(args *a, const taco_options *opt)
{
    taco_convert_options o;
    taco_error           err = {0};
    char                *text;
    if (a->word_count != 2) {
        return complain("convert makes an old file of one dataset", NULL);
    }
    text = convert_options(a, opt, &o, &err);
    if (err.code == TACO_OK) {
        taco_convert_from_taco2(a->words[0], a->words[1], &o, &err);
    }
    free(text);
    return err.code != TACO_OK ? report(&err) : DONE;
}
static int run_convert(args *a, const taco_options *opt)
{
    taco_error    err = {0};
    taco_dataset *ds;
    const char   *format, *out;
    if (a->word_count < 2) {
        return complain("convert wants OLD... and NEW", NULL);
    }
    out = a->words[a->word_count - 1];
    if (ends_with(out, ".tortilla") || ends_with(out, ".taco")) {
        return convert_back(a, opt);
    }
    ds = taco_open(a->words[0], opt, &err);
    if (!ds) {
        return report(&err);
    }
    format = taco_dataset_format(ds); /* a constant: it outlives the dataset */
    taco_close(ds);
    if (*format) {
        return convert_other(a, format, opt, NULL);
    }
    fprintf(stderr,
            "%s: a TACO 2 dataset: to a name ending in .tortilla or .taco it goes back, taco "
            "export writes another container\n",
            a->words[0]);
    return FAILED;
}

/* ---- tortilla ---- */

/* The rows of a Parquet file in one batch, which lives as long as the reader. */
typedef struct old_table {
    taco_pq_file   *file;
    taco_pq_reader *reader;
    taco_batch      batch;
} old_table;

static bool old_table_open(old_table *t, const char *path, const taco_options *opt, taco_error *err)
{
    taco_pq_query q;
    memset(t, 0, sizeof *t);
    memset(&q, 0, sizeof q);
    t->file = taco_pq_open(path, opt, err);
    if (!t->file) {
        return false;
    }
    q.batch_rows = (size_t)taco_pq_rows(t->file);
    t->reader = taco_pq_read(t->file, &q, err);
    if (t->reader && taco_pq_reader_next(t->reader, &t->batch) &&
        t->batch.length == (size_t)taco_pq_rows(t->file)) {
        return true;
    }
    if (err->code == TACO_OK) {
        err->code = TACO_ERR_ARGUMENT;
        sprintf(err->text, "%.200s: no rows, or too many for one table", path);
    }
    return false;
}
static void old_table_close(old_table *t, taco_error *err)
{
    taco_pq_reader_close(t->reader, err);
    taco_pq_close(t->file);
}
typedef struct old_files {
    const taco_array *path;
    const char       *table;
} old_files;

static bool old_payload(void *ctx, size_t row, taco_source *out)
{
    const old_files *f = (const old_files *)ctx;
    taco_bytes       name = taco_array_bytes(f->path, row);
    const char      *slash = strrchr(f->table, '/');
    size_t           n = slash ? (size_t)(slash - f->table) + 1 : 0;
    char            *path;
    bool             ok;
    if (!name.data) {
        return false;
    }
    path = (char *)malloc(n + name.len + 1);
    if (!path) {
        return false;
    }
    n = name.len && name.data[0] == '/' ? 0 : n;
    memcpy(path, f->table, n);
    memcpy(path + n, name.data, name.len);
    path[n + name.len] = 0;
    ok = taco_source_file(out, path, NULL) == TACO_OK;
    free(path);
    return ok;
}
static void tortilla_create(args *a, const char *collection, const taco_options *opt,
                            taco_error *err)
{
    old_table             t;
    old_files             files;
    taco_tortilla_options o;
    taco_array            columns[4096];
    size_t                i, n = 0;
    memset(&o, 0, sizeof o);
    memset(&files, 0, sizeof files);
    o.options = opt;
    o.collection = collection;
    o.part_bytes = a->split_size;
    o.chain = a->chain;
    o.chunks = a->chunks;
    files.table = a->words[1];
    if (old_table_open(&t, a->words[1], opt, err)) {
        for (i = 0; i < t.batch.column_count && n < 4096; i++) {
            if (strcmp(t.batch.columns[i].field->name, "path") == 0) {
                files.path = &t.batch.columns[i];
            } else {
                columns[n++] = t.batch.columns[i];
            }
        }
        if (files.path && files.path->field->type == TACO_TEXT) {
            t.batch.columns = columns;
            t.batch.column_count = n;
            taco_tortilla_create(a->words[2], &t.batch, old_payload, &files, &o, err);
        } else {
            err->code = TACO_ERR_ARGUMENT;
            sprintf(err->text, "%.200s: a column `path` of text must name the files", a->words[1]);
        }
    }
    old_table_close(&t, err);
}
static void tortilla_compile(args *a, const taco_options *opt, taco_error *err)
{
    const char *const *files = (const char *const *)a->words + 1;
    taco_dataset      *ds = taco_open_many(files, a->word_count - 2, a->mode, opt, err);
    prepare_query(a);
    if (ds) {
        taco_tortilla_compile(ds, &a->query, a->words[a->word_count - 1], err);
    }
    taco_close(ds);
}
static void tortilla_edit_footer(args *a, const taco_options *opt, taco_error *err)
{
    old_table t;
    if (old_table_open(&t, a->samples[0], opt, err)) {
        taco_tortilla_edit_footer(a->words[1], a->words[2], &t.batch, opt, err);
    }
    old_table_close(&t, err);
}
static int run_tortilla(args *a, const taco_options *opt)
{
    static const struct {
        const char *name, *option; /* that it cannot do without */
    } verbs[] = {
        {"create", NULL},
        {"compile", NULL},
        {"to-tortilla", NULL},
        {"to-taco", "--collection"},
        {"edit-footer", "--samples"},
        {"edit-collection", "--collection"},
    };
    taco_error  err = {0};
    const char *what = a->word_count ? a->words[0] : "";
    char       *text = NULL;
    bool        compile = strcmp(what, "compile") == 0;
    size_t      i;
    for (i = 0; i < sizeof verbs / sizeof verbs[0] && strcmp(what, verbs[i].name) != 0; i++) {
    }
    if (i == sizeof verbs / sizeof verbs[0]) {
        return wants("tortilla",
                     "create, compile, to-taco, to-tortilla, edit-collection or edit-footer", what);
    }
    if (a->word_count < 3 || (!compile && a->word_count != 3)) {
        return complain(what, "wants a FILE and OUT (see taco tortilla --help)");
    }
    if (verbs[i].option && !(strcmp(verbs[i].option, "--samples") == 0 ? a->samples_count != 0
                                                                       : a->collection != NULL)) {
        return complain(what, verbs[i].option[2] == 's' ? "wants --samples TABLE.parquet"
                                                        : "wants --collection FILE.json");
    }
    if (a->collection && !(text = legacy_text(a->collection, &err))) {
        return report(&err);
    }
    if (strcmp(what, "create") == 0) {
        tortilla_create(a, text, opt, &err);
    } else if (compile) {
        tortilla_compile(a, opt, &err);
    } else if (strcmp(what, "to-tortilla") == 0) {
        taco_tortilla_from_taco(a->words[1], a->words[2], opt, &err);
    } else if (strcmp(what, "edit-footer") == 0) {
        tortilla_edit_footer(a, opt, &err);
    } else if (strcmp(what, "to-taco") == 0) {
        taco_tortilla_to_taco(a->words[1], a->words[2], text, opt, &err);
    } else {
        taco_tortilla_edit_collection(a->words[1], a->words[2], text, opt, &err);
    }
    free(text);
    return err.code != TACO_OK ? report(&err) : DONE;
}

static int run_collection(args *a, const taco_options *opt)
{
    static const char *const       names[] = {"", "stac", "datacite", "datacard", "croissant"};
    taco_collection_export_options o;
    taco_error                     err = {0};
    taco_dataset                  *ds;
    taco_bytes                     text = {NULL, 0};
    output                         out;
    int                            status = FAILED, kind;
    for (kind = 4; kind && (!a->to || strcmp(a->to, names[kind]) != 0); kind--) {
    }
    if (a->word_count != 1) {
        return complain("collection wants one DATASET", NULL);
    }
    if (!kind) {
        return wants("--to", "stac, datacite, datacard or croissant", a->to ? a->to : "");
    }
    if (kind == 2 && !a->year) {
        return complain("DataCite wants the year of publication: --year YYYY", NULL);
    }
    if (a->year && (strlen(a->year) != 4 || strspn(a->year, "0123456789") != 4)) {
        return wants("--year", "a year, YYYY", a->year);
    }
    memset(&o, 0, sizeof o);
    o.year = a->year;
    o.table = a->samples_count ? a->samples[0] : NULL;
    ds = open_datasets(a, a->word_count, opt, &err);
    if (ds) {
        text = taco_collection_export(ds, (taco_collection_format)kind, &o, &err);
    }
    if (text.data && output_open(&out, a->output) == DONE) {
        status = output_close(&out, a->output, put(out.file, text) ? DONE : FAILED);
    }
    taco_close(ds);
    return err.code != TACO_OK ? report(&err) : status;
}
