/* findings.c - problems found by validation: place, count, when to stop

   In: problems, each a rule's format and values, from the checks of this folder; out: calls of
   the caller's `found` with place and message, the counts in taco_validated, and the first
   error, which is what taco_validate returns.

   A check sets the place (taco__findings_set_place), then reports with TACO__FINDINGS_ERROR or
   _WARN any number of times: only the first hundred per rule and table become messages.
   taco__findings_end_table closes a table with one line about the rest. Errors of the readers
   below (a corrupt page, a bad record) become problems by taco__findings_take_error. Also here:
   CRCs of ranges with progress, and the hash by which all checks compare names and paths. */
#include "validate.h"
#include "../base/base.h"

/* Most problems of one rule reported in one table. The others are only counted: a large file with
   one systematic fault would produce millions of messages. */
#define TACO__FINDINGS_PER_RULE 100

/* Sets the place of the following problems: a format as for TACO__FAIL (%q quotes a taco_bytes).
   The part of a catalogue is put before it. Truncated to the size of f->where. */
TACO__FN void taco__findings_set_place(taco__findings *f, const char *where, ...)
{
    taco__fmt out;
    va_list args;
    out.at = f->where;
    out.end = f->where + sizeof f->where;
    *out.at = 0;
    taco__fmt_text(&out, f->part);
    va_start(args, where);
    taco__fmt_args(&out, where, args);
    va_end(args);
}

/* Counts a problem and passes it to the caller, who may stop validation by returning false. The
   first error is kept with its place, as the result of the validation. */
TACO__FN void taco__findings_report(taco__findings *f, bool error, const taco_error *e)
{
    taco_problem p;
    if (f->stop) { return; }
    p.error = error;
    p.where = f->where;
    p.message = e->text;
    p.clause = f->clause;
    f->sum->errors += error;
    f->sum->warnings += !error;
    if (error && f->first.code == TACO_OK) {
        f->first = *e;
        if (f->where[0]) { taco__error_prefix(&f->first, "%s", f->where); }
    }
    f->stop = f->how->found && !f->how->found(f->how->ctx, &p);
}

/* The counter of a rule, initially 0. The table never fills up: rules are the formats of our own
   messages. */
static uint64_t *taco__findings_rule_count(taco__findings *f, const char *rule)
{
    uint64_t hash = taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, taco__bytes_text(rule)) | 1;
    size_t at = (size_t)(hash >> 32), tries;
    for (tries = 0; tries < TACO__FINDINGS_RULES; tries++, at++) {
        taco__findings_rule *r = &f->rules[at % TACO__FINDINGS_RULES];
        if (r->hash == 0 || r->hash == hash) {
            r->hash = hash;
            return &r->reported;
        }
    }
    return &f->rules[at % TACO__FINDINGS_RULES].reported;
}

TACO__FN bool taco__findings_may_report(taco__findings *f, bool error, const char *rule)
{
    uint64_t *reported = f->stop ? NULL : taco__findings_rule_count(f, rule);
    if (!reported || *reported >= TACO__FINDINGS_PER_RULE) {
        f->unreported++;
        f->sum->errors += error;
        f->sum->warnings += !error;
        return false;
    }
    ++*reported;
    return true;
}

/* Reports a problem of a rule, or only counts it if the rule has been broken often in this
   table. */
TACO__FN void taco__findings_add(taco__findings *f, bool error, const char *rule,
                                 const taco_error *e)
{
    if (taco__findings_may_report(f, error, rule)) { taco__findings_report(f, error, e); }
}

/* Turns a failure of a reader into a problem and clears *e. False if it is not about the dataset:
   lack of memory and failed reads stay in *e for the caller to return. */
TACO__FN bool taco__findings_take_error(taco__findings *f, taco_error *e)
{
    if (taco__error_is_of_machine(e)) { return false; }
    if (e->code != TACO_OK) { taco__findings_report(f, true, e); }
    memset(e, 0, sizeof *e);
    return true;
}

/* Ends a table: one line sums up what was only counted, and every rule may be reported again. */
TACO__FN void taco__findings_end_table(taco__findings *f, const char *table)
{
    if (f->unreported && !f->stop) {
        uint64_t left = f->unreported;
        taco_error e;
        memset(&e, 0, sizeof e);
        taco__findings_set_place(f, "%s", table);
        TACO__FAIL(&e, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "%u further problems of these kinds",
                   left);
        f->sum->warnings--; /* they have been counted already */
        taco__findings_report(f, false, &e);
    }
    f->unreported = 0;
    memset(f->rules, 0, sizeof f->rules);
}

/* Counts bytes that were read, and asks the caller whether to go on. */
TACO__FN void taco__findings_progress(taco__findings *f, uint64_t bytes)
{
    f->done += bytes;
    f->sum->bytes += bytes;
    if (f->how->progress && !f->how->progress(f->how->ctx, f->done, f->total)) { f->stop = true; }
}

/* Reads a whole range, a window at a time, for its CRC-32. False with *e set if it cannot be read.
   If the caller stops validation, *crc covers only a part: check f->stop. */
TACO__FN bool taco__findings_read_crc(taco__findings *f, taco__file *file, taco__range r,
                                      taco__buf *window, uint32_t *crc, taco_error *e)
{
    *crc = 0;
    while (r.len && !f->stop) {
        size_t n = (size_t)TACO__MIN(r.len, (uint64_t)TACO__FILE_WINDOW);
        const uint8_t *p = taco__file_view(file, r.offset, n, window, e);
        if (!p) { return false; }
        *crc = taco__crc32(*crc, p, n);
        r.offset += n;
        r.len -= n;
        taco__findings_progress(f, n);
    }
    return true;
}

/* FNV-1a, continued from state h. A row's path is hashed from its parent's: hash(hash(parent,
   "/"), id). */
TACO__FN uint64_t taco__findings_hash_path(uint64_t h, taco_bytes b)
{
    size_t i;
    for (i = 0; i < b.len; i++) {
        h = (h ^ b.data[i]) * (uint64_t)0x100000001B3U;
    }
    return h;
}
