/* tortilla_check.c - checks the input of writers of old files before the first byte is written

   In: the columns of samples, or the text of a collection; out: the first error that taco_validate
   would find in a file with them (legacy_rules.c, legacy_collection.c), as a failure of the
   writer. Warnings go to taco_options.warn. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

TACO__FN const taco_array *taco__tortilla_check_find(const taco_array *columns, size_t n,
                                                     const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(columns[i].field->name, name) == 0) { return &columns[i]; }
    }
    return NULL;
}

/* Findings of a writer, and the options to report them. */
typedef struct taco__tortilla_findings {
    taco__findings f;
    taco_validate_options how;
    taco_validated sum;
    const taco_options *options;
} taco__tortilla_findings;

/* taco_validate_options.found: stops at an error, passes warnings to the caller's warn. */
static bool taco__tortilla_check_found(void *ctx, const taco_problem *p)
{
    const taco__tortilla_findings *t = (const taco__tortilla_findings *)ctx;
    taco_error e;
    if (!p->error && t->options->warn) {
        memset(&e, 0, sizeof e);
        TACO__FAIL(&e, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s: %s [%s]", p->where, p->message,
                   p->clause ? p->clause : "");
        t->options->warn(t->options->warn_ctx, &e);
    }
    return !p->error;
}

/* Findings that stop at the first error. */
static void taco__tortilla_check_begin(taco__tortilla_findings *t, const taco_options *options)
{
    memset(t, 0, sizeof *t);
    t->how.found = taco__tortilla_check_found;
    t->how.ctx = t;
    t->f.how = &t->how;
    t->f.sum = &t->sum;
    t->f.part = "";
    t->options = options;
}

/* True if there is no error; otherwise *err is the first, with code ARGUMENT: nothing has been
   written yet. */
static bool taco__tortilla_check_end(const taco__tortilla_findings *t, taco_error *err)
{
    if (t->f.first.code == TACO_OK) { return err->code == TACO_OK; }
    if (err->code == TACO_OK) {
        *err = t->f.first;
        err->code = TACO_ERR_ARGUMENT;
    }
    return false;
}

TACO__FN bool taco__tortilla_check_rows(taco__tortilla_writer *w, const taco_array *columns,
                                        size_t n, size_t rows, bool any_format)
{
    taco__tortilla_findings t;
    taco__legacy_rows r;
    taco__tortilla_check_begin(&t, &w->options);
    memset(&r, 0, sizeof r);
    r.f = &t.f;
    r.mem = &w->mem;
    r.columns = columns;
    r.column_count = n;
    r.rows = rows;
    r.place = "";
    r.any_format = any_format;
    return taco__legacy_rules_check_rows(&r, w->err) && taco__tortilla_check_end(&t, w->err);
}

TACO__FN bool taco__tortilla_check_name(taco__tortilla_writer *w, const char *path, bool taco)
{
    const char *suffix = taco ? ".taco" : ".tortilla";
    if (taco__container_ends_with(path, suffix)) { return true; }
    TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "the name of a file with%s collection must end in %s", taco ? " a" : "out a",
               suffix);
    return false;
}

TACO__FN bool taco__tortilla_check_collection(taco__tortilla_writer *w, const char *text,
                                              taco_bytes *out)
{
    taco__tortilla_findings t;
    taco__json_doc doc;
    *out = taco__bytes_text(text);
    if (taco__json_parse(&w->arena, *out, &w->options.limits, &doc, w->err) != TACO_OK) {
        taco__error_prefix(w->err, "collection");
        return false;
    }
    if (!taco__json_is(doc.root, TACO__JSON_OBJECT)) {
        TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a collection is a JSON object");
        return false;
    }
    taco__tortilla_check_begin(&t, &w->options);
    taco__legacy_collection_check(&t.f, doc.root, true);
    return taco__tortilla_check_end(&t, w->err);
}
