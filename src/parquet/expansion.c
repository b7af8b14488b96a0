/* expansion.c - how much a table may make of its bytes

   In: a footer, and pages as they are decoded; out: LIMIT where a file that costs a writer nothing
   would cost its reader minutes: a run of 2^31 nulls in 4 bytes, one long text with 2^30 references
   to it, pages that compress a thousandfold, row groups that share a page.

   limits.max_values and limits.max_decoded are for each MiB of a table, a begun one counted, so
   that a large table may hold more. Values are known from the footer. Bytes are counted where they
   are made: uncompressed pages, and values that are longer than their indices or prefixes. A count
   belongs to one pass over the table (taco__row_reader, or a check of the file); without the limit
   nothing is counted. */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

TACO__FN uint64_t taco__expansion_total(uint64_t limit, uint64_t size)
{
    uint64_t total, mib = (size >> 20) + 1;
    return taco__checked_mul64(limit, mib, &total) ? total : UINT64_MAX;
}

/* LIMIT if the column chunks have more values than allowed. */
static bool taco__expansion_check_values(const taco_pq_file *f, taco_error *err)
{
    const uint64_t most = taco__expansion_total(f->options.limits.max_values, f->part.size);
    uint64_t values = 0;
    uint32_t g, i;
    for (g = 0; g < f->meta.group_count; g++) {
        for (i = 0; i < f->meta.leaf_count; i++) {
            values += (uint64_t)f->meta.groups[g].chunks[i].num_values;
            if (values > most) {
                TACO__FAIL(err, TACO_ERR_LIMIT, f->meta.footer_offset,
                           "%u values or more in %u bytes, limits.max_values is %u for each MiB",
                           values, f->part.size, f->options.limits.max_values);
                return false;
            }
        }
    }
    return true;
}

/* ---- ranges ---- */

typedef struct taco__expansion_range {
    taco__range at;
    uint32_t group, leaf;
} taco__expansion_range;

static int taco__expansion_compare(const void *ctx, const void *a, const void *b)
{
    const taco__expansion_range *x = (const taco__expansion_range *)a;
    const taco__expansion_range *y = (const taco__expansion_range *)b;
    (void)ctx;
    return (x->at.offset > y->at.offset) - (x->at.offset < y->at.offset);
}

/* Lists what chunks say is theirs: pages with values, and indexes of pages. */
static bool taco__expansion_list(const taco_pq_file *f, taco__buf *out, taco_error *err)
{
    taco__expansion_range r[3];
    uint32_t k;
    for (r[0].group = 0; r[0].group < f->meta.group_count; r[0].group++) {
        for (r[0].leaf = 0; r[0].leaf < f->meta.leaf_count; r[0].leaf++) {
            const taco__pq_column_chunk *c = &f->meta.groups[r[0].group].chunks[r[0].leaf];
            if (!c->num_values || c->external) { continue; }
            r[1] = r[2] = r[0];
            r[0].at = c->pages;
            r[1].at = c->column_index;
            r[2].at = c->offset_index;
            for (k = 0; k < TACO__COUNT(r); k++) {
                if (r[k].at.len && !taco__buf_append(out, &r[k], sizeof r[k], err)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Whether `what` has been filled with the first two ranges that share bytes. */
static bool taco__expansion_describe(const taco_pq_file *f, const taco__expansion_range *r,
                                     size_t n, taco_error *what)
{
    size_t i;
    for (i = 1; i < n; i++) {
        if (r[i].at.offset - r[i - 1].at.offset < r[i - 1].at.len) {
            char text[80];
            taco_bytes path = taco__schema_path(&f->meta, f->meta.leaves[r[i - 1].leaf].element,
                                                text, sizeof text);
            TACO__FAIL(what, TACO_ERR_CORRUPT, r[i].at.offset,
                       "shares bytes with %u from %u on, of row group %u, column %q",
                       r[i - 1].at.len, r[i - 1].at.offset, TACO__U(r[i - 1].group), &path);
            taco__footer_prefix_error(&f->meta, what, r[i].group, r[i].leaf);
            return true;
        }
    }
    return false;
}

TACO__FN bool taco__expansion_find_shared(const taco_pq_file *f, bool *shared, taco_error *what,
                                          taco_error *err)
{
    taco__buf list;
    bool ok;
    memset(&list, 0, sizeof list);
    list.mem = f->mem;
    *shared = false;
    ok = taco__expansion_list(f, &list, err) &&
         taco__sort_in(f->mem, list.data, list.len / sizeof(taco__expansion_range),
                       sizeof(taco__expansion_range), taco__expansion_compare, NULL, err);
    if (ok) {
        *shared =
            taco__expansion_describe(f, (const taco__expansion_range *)(const void *)list.data,
                                     list.len / sizeof(taco__expansion_range), what);
    }
    taco__buf_free(&list);
    return ok;
}

TACO__FN bool taco__expansion_check_file(const taco_pq_file *f, taco_error *err)
{
    bool shared = false;
    return taco__expansion_check_values(f, err) &&
           (!f->options.limits.max_decoded ||
            (taco__expansion_find_shared(f, &shared, err, err) && !shared));
}

/* ---- bytes ---- */

/* As taco__expansion_charge; at: the offset of a failure. */
static bool taco__expansion_charge_at(taco__chunk_reader *r, uint64_t bytes, uint64_t at,
                                      taco_error *err)
{
    uint64_t most;
    if (!r->decoded || !r->limits->max_decoded) { return true; }
    most = taco__expansion_total(r->limits->max_decoded, r->part->size);
    if (bytes <= most - TACO__MIN(*r->decoded, most)) {
        *r->decoded += bytes;
        return true;
    }
    TACO__FAIL(err, TACO_ERR_LIMIT, at,
               "%u bytes decoded from a table of %u, limits.max_decoded is %u for each MiB",
               *r->decoded + bytes, r->part->size, r->limits->max_decoded);
    return false;
}

TACO__FN bool taco__expansion_charge(taco__chunk_reader *r, uint64_t bytes, taco_error *err)
{
    return taco__expansion_charge_at(r, bytes, r->page.body_at, err);
}

TACO__FN bool taco__expansion_charge_values(taco__chunk_reader *r, size_t n, size_t text_before,
                                            taco_error *err)
{
    const taco__values *s = &r->batch.values;
    const int32_t *offsets = (const int32_t *)(const void *)r->dict.values.offsets.data;
    uint64_t bytes = 0;
    size_t i;
    if (!taco__array_is_var_length(r->field)) {
        bytes = (uint64_t)n * (uint64_t)TACO__MAX(r->field->width, 0);
    } else if (s->is_indices) {
        const int32_t *idx = (const int32_t *)(const void *)s->fixed.data + (s->count - n);
        for (i = 0; i < n; i++) {
            bytes += (uint64_t)(offsets[idx[i] + 1] - offsets[idx[i]]);
        }
    } else {
        bytes = s->bytes.len - TACO__MIN(text_before, s->bytes.len);
    }
    return taco__expansion_charge_at(r, bytes, TACO_NO_OFFSET, err);
}
