/* vsitaco.c - the file system /vsitaco/: samples as files, FOLDERs as directories

   In: paths that GDAL opens, from any of its threads. Out: files, which GDAL itself opens by the
   /vsisubfile/ or plain path from taco_locate, so that reads take none of our locks. Positions and
   listings come from datasets that are kept open and used by one thread at a time. GDAL
   "VSIInstallPluginHandler". */
#include "gdal_bridge.h"

#define TACO__VSITACO_OPEN 16 /* most datasets kept open */

/* st_mode, the same on all systems that GDAL runs on. */
#define TACO__VSITACO_DIRECTORY 0040000
#define TACO__VSITACO_REGULAR   0100000

/* An open dataset. */
typedef struct taco__vsitaco_entry {
    taco_dataset *ds; /* NULL: the slot is free */
    char *name;
    uint64_t size, used; /* size of the file; time of last use */
    int64_t changed;     /* modification time of the file */
} taco__vsitaco_entry;

struct taco_gdal_files {
    taco__mem mem;
    taco_options options;
    CPLMutex *lock; /* protects all members below */
    taco__vsitaco_entry open[TACO__VSITACO_OPEN];
    uint64_t asked;
    taco__vsitaco_path path; /* path of the call that holds the lock */
};

/* ---- datasets ---- */

/* Frees a slot; does nothing if it is free already. */
static void taco__vsitaco_close(taco_gdal_files *g, taco__vsitaco_entry *e)
{
    taco_close(e->ds);
    if (e->name) { taco__mem_free(&g->mem, e->name, strlen(e->name) + 1); }
    memset(e, 0, sizeof *e);
}

/* Size and modification time of a local file; zeros for anything else. */
static void taco__vsitaco_stamp(const char *name, uint64_t *size, int64_t *changed)
{
    VSIStatBufL st;
    *size = 0;
    *changed = 0;
    if (taco__vsi_is_remote(taco__bytes_text(name)) || VSIStatL(name, &st) != 0) { return; }
    *size = (uint64_t)st.st_size;
    *changed = (int64_t)st.st_mtime;
}

/* Opens a dataset in a free slot. */
static bool taco__vsitaco_fill(taco_gdal_files *g, taco__vsitaco_entry *e, const char *name,
                               taco_error *err)
{
    size_t n = strlen(name) + 1;
    e->name = (char *)taco__mem_alloc(&g->mem, n, err);
    if (!e->name) { return false; }
    memcpy(e->name, name, n);
    e->ds = taco_open(name, &g->options, err);
    if (!e->ds) { taco__vsitaco_close(g, e); }
    return e->ds != NULL;
}

/* The dataset of that name: an open one that has not changed, or else a new one, which replaces the
   least recently used. NULL on failure. */
static taco__vsitaco_entry *taco__vsitaco_dataset(taco_gdal_files *g, const char *name,
                                                  taco_error *err)
{
    taco__vsitaco_entry *e, *oldest = &g->open[0];
    uint64_t size;
    int64_t changed;
    size_t i;
    taco__vsitaco_stamp(name, &size, &changed);
    for (i = 0; i < TACO__VSITACO_OPEN; i++) {
        e = &g->open[i];
        if (e->ds && strcmp(e->name, name) == 0) {
            e->used = ++g->asked;
            if (e->size == size && e->changed == changed) { return e; }
            oldest = e;
            break;
        }
        if (e->used < oldest->used) { oldest = e; }
    }
    taco__vsitaco_close(g, oldest);
    if (!taco__vsitaco_fill(g, oldest, name, err)) { return NULL; }
    oldest->size = size;
    oldest->changed = changed;
    oldest->used = ++g->asked;
    return oldest;
}

/* Takes the lock, and finds the sample of a path. The caller must always call
   taco__vsitaco_leave. */
static taco__vsitaco_entry *taco__vsitaco_enter(taco_gdal_files *g, const char *path,
                                                taco_sample *s, taco_error *err)
{
    taco__vsitaco_entry *e;
    CPLAcquireMutex(g->lock, 1000.0);
    taco__vsi_source_quiet();
    if (!taco__vsitaco_split(&g->path, path)) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no dataset in this path");
        return NULL;
    }
    e = taco__vsitaco_dataset(g, g->path.dataset, err);
    return e && taco_locate(e->ds, g->path.keys, s, err) == TACO_OK ? e : NULL;
}

static void taco__vsitaco_leave(taco_gdal_files *g)
{
    taco__vsi_source_loud();
    CPLReleaseMutex(g->lock);
}

/* ---- what GDAL calls ---- */

/* Only whole files of FOLDER datasets need a stat; sizes in archives are known. */
static int taco__vsitaco_stat(void *ctx, const char *path, VSIStatBufL *st, int flags)
{
    taco_gdal_files *g = (taco_gdal_files *)ctx;
    taco__vsitaco_entry *e;
    taco_sample s;
    int result = -1;
    memset(st, 0, sizeof *st);
    e = taco__vsitaco_enter(g, path, &s, NULL);
    if (e) {
        result = 0;
        st->st_mode = s.folder ? TACO__VSITACO_DIRECTORY : TACO__VSITACO_REGULAR;
        if (!s.folder) { st->st_size = (int64_t)s.size; }
        if (!s.folder && s.whole) { result = VSIStatExL(s.vsi, st, flags); }
        st->st_mtime = (time_t)e->changed;
    }
    taco__vsitaco_leave(g);
    return result;
}

/* Errors other than "no such sample" are passed on to GDAL, whose tools print them; otherwise they
   print errno. */
static void *taco__vsitaco_open(void *ctx, const char *path, const char *access)
{
    taco_gdal_files *g = (taco_gdal_files *)ctx;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_sample s;
    void *f = NULL;
    if (strchr(access, 'w') || strchr(access, 'a') || strchr(access, '+')) { return NULL; }
    if (taco__vsitaco_enter(g, path, &s, &err) && !s.folder) { f = VSIFOpenL(s.vsi, "rb"); }
    taco__vsitaco_leave(g);
    if (err.code != TACO_OK && err.code != TACO_ERR_NOT_FOUND) {
        CPLError(CE_Failure, CPLE_OpenFailed, "/vsitaco/%s: %s", path, taco_error_text(&err));
    }
    if (!f) { errno = ENOENT; }
    return f;
}

/* Appends a string to a GDAL list of known length and capacity; CSLAddString would count it each
   time. */
static char **taco__vsitaco_add(char **list, size_t *n, size_t *room, const char *text)
{
    if (*n + 1 >= *room) {
        *room = *room ? 2 * *room : 16;
        list = (char **)CPLRealloc(list, *room * sizeof *list);
    }
    list[(*n)++] = CPLStrdup(text);
    list[*n] = NULL;
    return list;
}

/* The ids of a FOLDER's samples, as keys of a path. */
static char **taco__vsitaco_list(taco_gdal_files *g, taco_dataset *ds, int most)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_cursor *row = taco_read(ds, g->path.keys, false, &err);
    taco__buf key = {NULL, NULL, 0, 0};
    char **list = NULL;
    size_t n = 0, room = 0;
    taco_bytes id;
    key.mem = &g->mem;
    while ((most <= 0 || n <= (size_t)most) && taco_cursor_next(row)) {
        key.len = 0;
        if (taco_cursor_bytes(row, "id", &id) && taco__nav_append_key(&key, id, &err) &&
            taco__buf_append_char(&key, 0, &err)) {
            list = taco__vsitaco_add(list, &n, &room, (const char *)key.data);
        }
    }
    taco_cursor_close(row, &err);
    taco__buf_free(&key);
    return list;
}

/* NULL if it is not a directory, which GDAL does not treat as an error. */
static char **taco__vsitaco_read_dir(void *ctx, const char *path, int most)
{
    taco_gdal_files *g = (taco_gdal_files *)ctx;
    taco_sample s;
    taco__vsitaco_entry *e = taco__vsitaco_enter(g, path, &s, NULL);
    char **list = e && s.folder ? taco__vsitaco_list(g, e->ds, most) : NULL;
    taco__vsitaco_leave(g);
    return list;
}

/* The handle of a file is the one from VSIFOpenL. */
static vsi_l_offset taco__vsitaco_tell(void *f)
{
    return VSIFTellL((VSILFILE *)f);
}

static int taco__vsitaco_seek(void *f, vsi_l_offset offset, int whence)
{
    return VSIFSeekL((VSILFILE *)f, offset, whence);
}

static size_t taco__vsitaco_read(void *f, void *dst, size_t size, size_t count)
{
    return VSIFReadL(dst, size, count, (VSILFILE *)f);
}

static int taco__vsitaco_read_many(void *f, int n, void **data, const vsi_l_offset *offsets,
                                   const size_t *sizes)
{
    return VSIFReadMultiRangeL(n, data, offsets, sizes, (VSILFILE *)f);
}

static int taco__vsitaco_eof(void *f)
{
    return VSIFEofL((VSILFILE *)f);
}

static int taco__vsitaco_close_file(void *f)
{
    return VSIFCloseL((VSILFILE *)f);
}

/* ---- install ---- */

/* Registers the functions above with GDAL. */
static bool taco__vsitaco_register(taco_gdal_files *g)
{
    VSIFilesystemPluginCallbacksStruct *calls = VSIAllocFilesystemPluginCallbacksStruct();
    bool ok;
    if (!calls) { return false; }
    calls->pUserData = g;
    calls->stat = taco__vsitaco_stat;
    calls->read_dir = taco__vsitaco_read_dir;
    calls->open = taco__vsitaco_open;
    calls->tell = taco__vsitaco_tell;
    calls->seek = taco__vsitaco_seek;
    calls->read = taco__vsitaco_read;
    calls->read_multi_range = taco__vsitaco_read_many;
    calls->eof = taco__vsitaco_eof;
    calls->close = taco__vsitaco_close_file;
    ok = VSIInstallPluginHandler("/vsitaco/", calls) == 0;
    VSIFreeFilesystemPluginCallbacksStruct(calls);
    return ok;
}

TACO_API taco_gdal_files *taco_gdal_install(const taco_options *opt, taco_error *err)
{
    taco__mem mem;
    taco_gdal_files *g;
    char **known = VSIGetFileSystemsPrefixes();
    bool there = CSLFindString(known, "/vsitaco/") >= 0;
    err = taco__error_fresh(err, NULL);
    CSLDestroy(known);
    if (there) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "/vsitaco/ is installed already");
        return NULL;
    }
    taco__mem_init(&mem, opt);
    g = (taco_gdal_files *)taco__mem_alloc(&mem, sizeof *g, err);
    if (!g) { return NULL; }
    memset(g, 0, sizeof *g);
    g->mem = mem;
    g->path.text.mem = &g->mem;
    if (opt) { g->options = *opt; }
    if (!g->options.open_file) { g->options.open_file = taco_gdal_open_file; }
    g->lock = CPLCreateMutex();
    if (g->lock) { CPLReleaseMutex(g->lock); }
    if (!g->lock || !taco__vsitaco_register(g)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "GDAL does not take the file system");
        taco_gdal_uninstall(g);
        return NULL;
    }
    return g;
}

TACO_API void taco_gdal_uninstall(taco_gdal_files *files)
{
    taco__mem mem;
    size_t i;
    if (!files) { return; }
    for (i = 0; i < TACO__VSITACO_OPEN; i++) {
        taco__vsitaco_close(files, &files->open[i]);
    }
    taco__buf_free(&files->path.text);
    if (files->lock) { CPLDestroyMutex(files->lock); }
    mem = files->mem;
    taco__mem_free(&mem, files, sizeof *files);
}
