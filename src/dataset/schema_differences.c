/* schema_differences.c - how the columns of datasets differ, all in one message

   In: the columns of one level in two datasets, pair after pair. Out: one error with as many
   differences as its text has room for and the number of others; each is also passed to the
   caller's warn function. TACO 2.0 §6.6 and §7.2.4 (strict): if a merge is refused, the user sees
   at once everything that has to be changed. Start with taco__differences_compare. */
#include "container.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"

TACO__FN TACO__ONCE void taco__differences_init(taco__differences *d, const taco_options *options)
{
    memset(d, 0, sizeof *d);
    d->options = options;
}

/* Records a difference, and leaves *one empty for the next. */
static TACO__ONCE void taco__differences_add(taco__differences *d, taco_error *one)
{
    size_t n = strlen(one->text), room = sizeof d->text - 1 - d->len;
    if (d->options && d->options->warn) { d->options->warn(d->options->warn_ctx, one); }
    if (d->count++ == 0) { d->code = one->code; }
    if (one->code == TACO_ERR_TYPE) { d->code = TACO_ERR_TYPE; }
    if (d->named + 1 == d->count && n + 2 <= room) {
        memcpy(d->text + d->len, d->named ? "; " : "", d->named ? 2 : 0);
        d->len += d->named ? 2 : 0;
        memcpy(d->text + d->len, one->text, n + 1);
        d->len += n;
        d->named++;
    }
    memset(one, 0, sizeof *one);
}

/* Compares a column that both have, and records a difference of types. */
static TACO__ONCE bool taco__differences_compare_types(taco__differences *d,
                                                       const taco__differing *b,
                                                       const taco_field *x, const taco_field *y,
                                                       const char *first, taco__mem *mem,
                                                       taco_error *err)
{
    taco_error one;
    taco_bytes name = taco__bytes_text(x->name);
    taco__buf own, other;
    bool ok;
    if (taco__unify_same_type(x, y)) { return true; }
    memset(&one, 0, sizeof one);
    memset(&own, 0, sizeof own);
    own.mem = mem;
    other = own;
    ok = taco__type_name_append(x, &other, err) && taco__buf_append_char(&other, 0, err) &&
         taco__type_name_append(y, &own, err) && taco__buf_append_char(&own, 0, err);
    if (ok) {
        TACO__FAIL(&one, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "%s: level %u: column %q has another type than in %s: %s, there %s", b->name,
                   TACO__U(b->level), &name, first, (const char *)own.data,
                   (const char *)other.data);
        taco__differences_add(d, &one);
    }
    taco__buf_free(&own);
    taco__buf_free(&other);
    return ok;
}

/* Records the columns of `first` that b lacks, or has with another type. */
static TACO__ONCE bool taco__differences_compare_first(taco__differences *d,
                                                       const taco__differing *first,
                                                       const taco__differing *b,
                                                       const taco__field_index *names,
                                                       const char *without, bool only_types,
                                                       taco__mem *mem, taco_error *err)
{
    taco_error one;
    size_t i, n = without ? strlen(without) : 0;
    memset(&one, 0, sizeof one);
    for (i = 0; i < first->count; i++) {
        const taco_field *x = &first->fields[i];
        taco_bytes name = taco__bytes_text(x->name);
        size_t at = taco__field_index_find(names, x->name);
        if (without && strncmp(x->name, without, n) == 0) { continue; }
        if (at != SIZE_MAX) {
            if (!taco__differences_compare_types(d, b, x, &b->fields[at], first->name, mem, err)) {
                return false;
            }
        } else if (!only_types) {
            TACO__FAIL(&one, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%s: level %u: column %q of %s is missing", b->name, TACO__U(b->level),
                       &name, first->name);
            taco__differences_add(d, &one);
        }
    }
    return true;
}

/* Records the differences between the columns of two datasets at one level; `first` is the one the
   others are compared with. Columns whose names begin with `without` (NULL: none) are ignored; with
   only_types, so are columns that one of the two lacks. False if there is no memory. */
TACO__FN bool taco__differences_compare(taco__differences *d, const taco__differing *first,
                                        const taco__differing *b, const char *without,
                                        bool only_types, taco__mem *mem, taco_error *err)
{
    taco__field_index names;
    taco_error one;
    size_t i, n = without ? strlen(without) : 0;
    bool ok;
    memset(&one, 0, sizeof one);
    taco__field_index_init(&names, b->fields, b->count, mem);
    ok = taco__differences_compare_first(d, first, b, &names, without, only_types, mem, err);
    taco__field_index_free(&names);
    if (!ok || only_types) { return ok; }
    taco__field_index_init(&names, first->fields, first->count, mem);
    for (i = 0; i < b->count; i++) {
        taco_bytes name = taco__bytes_text(b->fields[i].name);
        if (taco__field_index_find(&names, b->fields[i].name) != SIZE_MAX ||
            (without && strncmp(b->fields[i].name, without, n) == 0)) {
            continue;
        }
        TACO__FAIL(&one, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s: level %u: column %q is not in %s",
                   b->name, TACO__U(b->level), &name, first->name);
        taco__differences_add(d, &one);
    }
    taco__field_index_free(&names);
    return true;
}

/* True if there are none. Else fills *err, with TYPE if types differ: the difference itself, or the
   number of differences and as many as fit. */
TACO__FN TACO__ONCE bool taco__differences_none(const taco__differences *d, taco_error *err)
{
    if (d->count > d->named) {
        TACO__FAIL(err, d->code, TACO_NO_OFFSET, "%u differences: %s; and %u more",
                   TACO__U(d->count), d->text, TACO__U(d->count - d->named));
    } else if (d->count > 1) {
        TACO__FAIL(err, d->code, TACO_NO_OFFSET, "%u differences: %s", TACO__U(d->count), d->text);
    } else if (d->count) {
        TACO__FAIL(err, d->code, TACO_NO_OFFSET, "%s", d->text);
    }
    return d->count == 0;
}
