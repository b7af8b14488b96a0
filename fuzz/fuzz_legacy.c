/* Old files that work together, and the writers of old files. The input is an archive, whose
   members are the files, or a single old file. One operation:

       look      all of them as one dataset, their columns united or the same: levels, children
       validate  the first, by its name
       convert   all of them to TACO 2, with padding, any tree, a query
       create    rows and payloads of the first, written again: parts, a chain, tiles of TIFFs
       edit      another footer or collection for the first
       compile   the rows of a query

   The member `collection` is the collection that writers are given. What they make can be opened
   again. */
#include "operations.h"
#include "members.h"

static const taco_opener *openers[2];
static unsigned how_bits; /* choices within an operation */
static const char *list[MEMBERS_PATHS];
static size_t list_count;
static char collection[8192];

static const char good[] =
    "{\"id\":\"demo\",\"taco_version\":\"0.2.0\",\"dataset_version\":\"1.0.0\",\"description\":"
    "\"d\",\"licenses\":[\"CC0-1.0\"],\"providers\":[{\"name\":\"x\"}],\"curators\":[{\"name\":"
    "\"y\"}],\"extent\":{\"spatial\":[[-1,-2,3,4]],\"temporal\":[[\"2020-01-01\",\"2021-01-01\"]]}"
    "}";

static void warned(void *ctx, const taco_error *w)
{
    (void)ctx;
    HOLDS(w->code != TACO_OK && w->text[0]);
}

static void noted(void *ctx, const char *text)
{
    (void)ctx;
    HOLDS(text[0]);
}

static bool ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), k = strlen(end);
    return n >= k && strcmp(path + n - k, end) == 0;
}

/* The files that the input holds, and the collection of the writers. */
static void take(const uint8_t *data, size_t size)
{
    unsigned i, n = members_unpack(data, size, "in");
    strcpy(collection, good);
    list_count = 0;
    if (!n) {
        bool taco = size > 2 && memcmp(data, "WX", 2) == 0;
        /* a member whose file cannot be made may have left its directories */
        HOLDS(mkdir(fuzz_path("in"), 0700) == 0 || errno == EEXIST);
        fuzz_put(taco ? "in/a.taco" : "in/a.tortilla", data, size);
        snprintf(members_paths[0], sizeof members_paths[0], "%s",
                 fuzz_path(taco ? "in/a.taco" : "in/a.tortilla"));
        n = 1;
    }
    for (i = 0; i < n && i < MEMBERS_PATHS; i++) {
        if (ends_with(members_paths[i], ".tortilla") || ends_with(members_paths[i], ".taco")) {
            list[list_count++] = members_paths[i];
        } else if (ends_with(members_paths[i], "/collection")) {
            FILE *f = fopen(members_paths[i], "rb");
            HOLDS(f != NULL);
            collection[fread(collection, 1, sizeof collection - 1, f)] = 0;
            fclose(f);
        }
    }
}

static taco_dataset *open_all(taco_error *err)
{
    taco_dataset *ds;
    memset(err, 0, sizeof *err);
    ds = taco_open_many(list, list_count, (taco_column_mode)(how_bits % 3), &fuzz_options, err);
    HOLDS((ds != NULL) == (err->code == TACO_OK) && (ds || err->text[0]));
    return ds;
}

/* The rows of a cursor, which is closed. */
static void drain(taco_cursor *c, taco_error *err)
{
    int n = 0;
    while (n++ < 50 && taco_cursor_next(c)) {
        taco_cursor_json(c);
        taco_cursor_vsi(c);
    }
    taco_cursor_close(c, err);
}

/* Rows of all levels; children of the first rows and theirs. */
static void look(void)
{
    static const char *const keys[] = {"@0",    "@1",       "@2",       "@0/@0",
                                       "@1/@1", "@0/@0/@0", "s0/s0/s0", "@0/@0/@0/@0/@0/@0/@0"};
    taco_error err;
    taco_query q;
    taco_dataset *ds = open_all(&err);
    uint32_t level, levels = ds && how_bits < 32 ? taco_levels(ds) : 0;
    size_t i;
    for (level = 0; level < levels; level++) {
        memset(&q, 0, sizeof q);
        memset(&err, 0, sizeof err);
        q.table = level;
        drain(taco_select(ds, &q, &err), &err);
    }
    for (i = 0; ds && i < sizeof keys / sizeof *keys; i++) {
        taco_source src;
        memset(&err, 0, sizeof err);
        drain(taco_read(ds, keys[i], false, &err), &err);
        memset(&err, 0, sizeof err);
        if (taco_payload(ds, keys[i], &src, &err) == TACO_OK) {
            char bytes[64];
            src.read(src.ctx, 0, bytes, src.size < 64 ? (size_t)src.size : 64);
            if (src.close) { src.close(src.ctx); }
        }
    }
    taco_close(ds);
}

static void validate(void)
{
    taco_validate_options check;
    taco_validated sum;
    taco_error err;
    taco_status st;
    unsigned found = 0;
    memset(&check, 0, sizeof check);
    memset(&err, 0, sizeof err);
    check.deep = how_bits % 2;
    check.found = fuzz_complain;
    check.ctx = &found;
    st = taco_validate(list[0], &fuzz_options, &check, &sum, &err);
    HOLDS(st == err.code && (st == TACO_OK || err.text[0]));
}

static void convert(void)
{
    taco_convert_options how;
    taco_query q;
    taco_error err;
    taco_status st;
    const char *out = fuzz_path(how_bits & 32 ? "o" : "o.tacozip");
    memset(&how, 0, sizeof how);
    memset(&q, 0, sizeof q);
    memset(&err, 0, sizeof err);
    q.limit = 1;
    q.order = how_bits == 63 ? "id" : NULL;
    q.where = how_bits & 16 ? "id >= 's1'" : NULL;
    how.create.options = &fuzz_options;
    how.create.any_values = true;
    how.create.any_tree = how_bits & 1;
    how.pad = how_bits & 2;
    how.query = how_bits & 4 ? &q : NULL;
    how.note = how_bits & 8 ? noted : NULL;
    st = taco_convert_to_taco2(list, list_count, out, &how, &err);
    fuzz_ends(st, &err, out);
    if (st == TACO_OK) { fuzz_opens(out); }
}

/* Whether any file is in the directory of the output. */
static bool wrote(void)
{
    struct dirent *e;
    DIR *d = opendir(fuzz_path("out"));
    bool any = false;
    while (d && (e = readdir(d)) != NULL) {
        any = any || e->d_name[0] != '.';
    }
    if (d) { closedir(d); }
    return any;
}

/* A writer of old files writes all of its output, or nothing. */
static void ends(taco_status st, const taco_error *err, const char *out)
{
    HOLDS(st == err->code && (st == TACO_OK || err->text[0]));
    HOLDS((st == TACO_OK) == wrote());
    if (st == TACO_OK && fuzz_is_there(out)) { fuzz_opens(out); }
}

static bool payload(void *ctx, size_t row, taco_source *out)
{
    char key[32];
    sprintf(key, "@%lu", (unsigned long)row);
    return taco_payload((taco_dataset *)ctx, key, out, NULL) == TACO_OK;
}

/* The rows of the first file, or some of their columns. */
static void rewrite(const char *out, bool create)
{
    taco_tortilla_options how;
    taco_query q;
    taco_batch rows;
    taco_error err;
    taco_dataset *ds;
    taco_cursor *c;
    memset(&how, 0, sizeof how);
    memset(&q, 0, sizeof q);
    memset(&err, 0, sizeof err);
    ds = taco_open(list[0], &fuzz_options, &err);
    q.select = how_bits % 8 == 7   ? "\"tortilla:file_format\""
               : how_bits % 8 == 6 ? "\"tortilla:id\", \"tortilla:file_format\""
                                   : NULL;
    c = ds ? taco_select(ds, &q, &err) : NULL;
    if (c && taco_cursor_batch(c, &rows)) {
        taco_status st;
        how.options = &fuzz_options;
        how.collection = how_bits & 1 ? collection : NULL;
        how.part_bytes = how_bits & 2 ? 1 : 0;
        how.chain = how_bits & 8;
        how.chunks = how_bits & 16;
        how.any_format = how_bits & 32;
        memset(&err, 0, sizeof err);
        st = create ? taco_tortilla_create(out, &rows, payload, ds, &how, &err)
                    : taco_tortilla_edit_footer(list[0], out, &rows, &fuzz_options, &err);
        ends(st, &err, out);
    }
    taco_cursor_close(c, NULL);
    taco_close(ds);
}

static void edit(const char *out)
{
    taco_error err;
    taco_status st;
    memset(&err, 0, sizeof err);
    if (how_bits % 4 == 0) {
        rewrite(out, false);
        return;
    }
    st = how_bits % 4 == 1 ? taco_tortilla_from_taco(list[0], out, &fuzz_options, &err)
         : how_bits % 4 == 2
             ? taco_tortilla_edit_collection(list[0], out, collection, &fuzz_options, &err)
             : taco_tortilla_to_taco(list[0], out, collection, &fuzz_options, &err);
    HOLDS(st == err.code && (st == TACO_OK) == wrote());
    if (st == TACO_OK) { fuzz_opens_like(out, list[0]); }
}

static void compile(const char *out)
{
    taco_query q;
    taco_error err;
    taco_dataset *ds = open_all(&err);
    memset(&q, 0, sizeof q);
    memset(&err, 0, sizeof err);
    q.table = how_bits & 1;
    q.offset = how_bits & 2 ? 1 : 0;
    if (ds) { ends(taco_tortilla_compile(ds, &q, out, &err), &err, out); }
    taco_close(ds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned choice = mutator_choice(data, size, 6 * 64);
    char out[128];
    how_bits = choice / 6;
    fuzz_begin();
    openers[0] = taco_legacy_opener();
    fuzz_options.openers = openers;
    fuzz_options.warn = warned;
    take(data, size);
    if (!list_count) { return 0; }
    HOLDS(mkdir(fuzz_path("out"), 0700) == 0);
    snprintf(out, sizeof out, "%s", fuzz_path(how_bits & 1 ? "out/o.taco" : "out/o.tortilla"));
    switch (choice % 6) {
    case 0: look(); break;
    case 1: validate(); break;
    case 2: convert(); break;
    case 3: rewrite(out, true); break;
    case 4: edit(out); break;
    default: compile(out); break;
    }
    return 0;
}
