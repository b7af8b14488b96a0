/* temporary.c - unique temporary names for files and directories until they are complete

   See temporary.h for the form of the name. It is created exclusively, with other digits if the
   name is taken, and before anything is renamed or removed its identity is checked: what someone
   else has put there stays. Start with taco__temporary_make. */
#include "temporary.h"
#include "sink.h"

#ifndef TACO_NO_STDIO
#define TACO__TEMPORARY_BASE   200 /* bytes of the output's name: most systems take 255 in all */
#define TACO__TEMPORARY_SUFFIX 23  /* ".0123456789abcdef.part" and its NUL */
#define TACO__TEMPORARY_TRIES  64

/* The name without its digits, which go at the returned offset; 0 if there is no memory. */
static size_t taco__temporary_name(taco__temporary *t, taco_bytes path, taco_error *err)
{
    const size_t slash = taco__plat_dir_length((const char *)path.data, path.len);
    size_t n = TACO__MIN(path.len - slash, (size_t)TACO__TEMPORARY_BASE);
    while (n && slash + n < path.len && (path.data[slash + n] & 0xC0) == 0x80) {
        n--; /* not inside a UTF-8 character */
    }
    n += slash;
    t->size = n + TACO__TEMPORARY_SUFFIX;
    t->name = (char *)taco__mem_alloc(t->mem, t->size, err);
    if (!t->name) { return 0; }
    memcpy(t->name, path.data, n);
    memcpy(t->name + n, ".0123456789abcdef.part", TACO__TEMPORARY_SUFFIX);
    return n + 1;
}

static void taco__temporary_tell(const taco__temporary *t, bool begun)
{
    if (t->told) { t->told(t->told_ctx, t->name, begun); }
}

/* True if the name was created; *taken: something else has it. */
static bool taco__temporary_try(taco__temporary *t, FILE **f, bool *taken)
{
    if (!f) { return taco__plat_create_dir(t->name, &t->id, taken); }
    *f = taco__plat_create_file(t->name, &t->id, taken);
    return *f != NULL;
}

/* What is at the path may be replaced: *old is its identity. */
static bool taco__temporary_may_replace(const char *path, const taco_options *opt,
                                        taco__plat_id *old)
{
    return opt && opt->replace && taco__plat_identify(path, old) &&
           opt->replace(opt->replace_ctx, path);
}

/* The host is told before the name exists, so that a signal between the two leaves nothing. */
TACO__FN bool taco__temporary_make(taco__temporary *t, const char *path, FILE **f,
                                   const taco_options *opt, taco__mem *mem, taco_error *err)
{
    size_t at, i, k;
    bool made = false, taken = true;
    int reason = 0;
    memset(t, 0, sizeof *t);
    t->mem = mem;
    t->directory = !f;
    if (opt) {
        t->told = opt->temporary;
        t->told_ctx = opt->temporary_ctx;
        t->warn = opt->warn;
        t->warn_ctx = opt->warn_ctx;
    }
    t->replaces = taco__temporary_may_replace(path, opt, &t->old);
    at = taco__temporary_name(t, taco__bytes_text(path), err);
    for (i = 0; at && taken && i < TACO__TEMPORARY_TRIES; i++) {
        uint64_t x = taco__plat_seed() + i * 0x9E3779B97F4A7C15U;
        for (k = 0; k < 16; k++) {
            t->name[at + k] = "0123456789abcdef"[x >> 4 * k & 15];
        }
        taco__temporary_tell(t, true);
        made = taco__temporary_try(t, f, &taken);
        reason = taco__plat_reason();
        if (!made) { taco__temporary_tell(t, false); }
    }
    if (at && !made) {
        taco__plat_set_reason(reason);
        taco__sink_open_error(path, err);
        taco__mem_free(mem, t->name, t->size);
    }
    if (!made) { t->name = NULL; }
    return made;
}

/* Files replace files by renaming; anything else is exchanged. */
static bool taco__temporary_move(taco__temporary *t, const char *path)
{
    uint64_t size;
    if (!t->replaces || !taco__plat_name_exists(path) ||
        (!t->directory && taco__plat_stat(path, &size) == TACO__PATH_FILE)) {
        taco__plat_keep_mode(path, t->name);
        return taco__plat_rename(t->name, path, t->directory);
    }
    if (!taco__plat_is_same(path, &t->old, true)) { return false; }
    taco__plat_keep_mode(path, t->name);
    t->exchanged = taco__plat_exchange(t->name, path);
    return t->exchanged;
}

TACO__FN bool taco__temporary_rename(taco__temporary *t, const char *path)
{
    t->renamed = taco__plat_is_same(t->name, &t->id, false) && taco__temporary_move(t, path);
    if (t->renamed) {
        taco__plat_sync_name(path);
        if (!t->exchanged) { taco__temporary_tell(t, false); }
    }
    return t->renamed;
}

TACO__FN void taco__temporary_undo(taco__temporary *t, const char *path)
{
    if (!t->renamed || !taco__plat_is_same(path, &t->id, false)) { return; }
    if (!t->exchanged) { taco__temporary_tell(t, true); }
    if (t->exchanged) {
        t->renamed = t->exchanged = !taco__plat_exchange(path, t->name);
    } else {
        t->renamed = !taco__plat_rename(path, t->name, t->directory);
    }
}

/* Removes what had the path before: it is complete, so it is named if it cannot be removed. */
static void taco__temporary_remove_old(const taco__temporary *t)
{
    taco_error why = {0, TACO_OK, 0, {0}};
    taco_bytes name = taco__bytes_text(t->name);
    if (!taco__plat_is_same(t->name, &t->old, true) || taco__plat_remove_tree(t->name, &t->old) ||
        remove(t->name) == 0 || !t->warn) {
        return;
    }
    TACO__FAIL(&why, TACO_ERR_IO, TACO_NO_OFFSET,
               "%q cannot be removed; it is what the output was before", &name);
    t->warn(t->warn_ctx, &why);
}

TACO__FN void taco__temporary_remove(taco__temporary *t)
{
    if (t->name && t->exchanged) {
        taco__temporary_remove_old(t);
        taco__temporary_tell(t, false);
    } else if (t->name && !t->renamed) {
        if (t->directory) {
            (void)taco__plat_remove_tree(t->name, &t->id);
        } else if (taco__plat_is_same(t->name, &t->id, false)) {
            remove(t->name);
        }
        taco__temporary_tell(t, false);
    }
    if (t->name) { taco__mem_free(t->mem, t->name, t->size); }
    t->name = NULL;
}

TACO__FN void taco__temporary_remove_made(const char *path, const taco__plat_id *id)
{
    if (taco__plat_is_same(path, id, false) && !taco__plat_remove_tree(path, id)) { remove(path); }
}

/* ---- several files at once ---- */

TACO__FN bool taco__temporary_stage(taco__temporary *t, taco__staged *to, taco_error *err)
{
    char *name = (char *)taco__mem_alloc(to->mem, t->size, err);
    if (!name) { return false; }
    memcpy(name, t->name, t->size);
    taco__mem_free(t->mem, t->name, t->size);
    to->temporary = *t;
    to->temporary.mem = to->mem;
    to->temporary.name = name;
    t->name = NULL;
    return true;
}

TACO__FN bool taco__staged_rename(taco__staged *list, size_t n, taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__staged *s = &list[i];
        s->replaces = s->temporary.name && taco__plat_name_exists(s->path);
        if (s->temporary.name && !taco__temporary_rename(&s->temporary, s->path)) {
            taco__sink_open_error(s->path, err);
            break;
        }
    }
    if (i == n) { return true; }
    while (i > 0) {
        taco__staged *s = &list[--i];
        if (s->temporary.name && (!s->replaces || s->temporary.exchanged)) {
            taco__temporary_undo(&s->temporary, s->path);
        }
    }
    return false;
}

TACO__FN void taco__staged_free(taco__staged *list, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__temporary_remove(&list[i].temporary);
    }
}
#endif

TACO__FN bool taco__temporary_is_free(const char *path, const taco_options *opt)
{
#ifndef TACO_NO_STDIO
    taco__plat_id old;
    return !taco__plat_name_exists(path) || taco__temporary_may_replace(path, opt, &old);
#else
    (void)path;
    (void)opt;
    return true;
#endif
}

TACO__FN void taco__staged_warn_of_more(const taco_options *opt, const char *next, const char *what,
                                        size_t n)
{
    taco_error why = {0, TACO_OK, 0, {0}};
    if (!opt->warn || !taco__plat_name_exists(next)) { return; }
    TACO__FAIL(&why, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "%s is a part of an earlier %s and stays: this one has %u parts", next, what,
               TACO__U(n));
    opt->warn(opt->warn_ctx, &why);
}
