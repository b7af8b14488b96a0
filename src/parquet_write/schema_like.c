/* schema_like.c - columns that are copies of another file's, with its schema elements as they are

   In: opt.like, an open file. Out: for a column of the caller that has the name, the types and the
   nullability of one of that file, the file's own SchemaElements, byte for byte: annotations and
   field ids, also those that this library does not know, names of the groups of lists and maps,
   physical types of decimals (parquet.thrift, SchemaElement). Readers have made fields of these
   elements (parquet/schema_nodes.c), and every optional or repeated element counts in one of them,
   so that the levels of the fields are those of the elements. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* Whether arrays of field f can be stored as field g of opt.like. Not if keys of a map may be null
   there, which the writer does not have, or if decimals of no fixed width would get one. */
static bool taco__schema_like_same(const taco__pq_metadata *m, const taco_field *f,
                                   const taco_field *g)
{
    uint32_t i;
    if (strcmp(f->name, g->name) != 0 || f->type != g->type || f->unit != g->unit ||
        f->utc != g->utc || f->width != g->width || f->precision != g->precision ||
        f->scale != g->scale || f->nullable != g->nullable || f->child_count != g->child_count) {
        return false;
    }
    if (f->type == TACO_MAP && g->children[0].children[0].nullable) { return false; }
    if (f->type == TACO_DECIMAL && f->width == 0) {
        return m->leaves[g->leaf].type == TACO__PQ_BYTE_ARRAY;
    }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__schema_like_same(m, &f->children[i], &g->children[i])) { return false; }
    }
    return true;
}

static void taco__schema_like_warn(const taco_pq_writer *w, const taco_field *f)
{
    taco_bytes name = taco__bytes_text(f->name);
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!w->opt.options->warn) { return; }
    TACO__FAIL(&e, TACO_ERR_TYPE, TACO_NO_OFFSET,
               "column %q cannot be written as the file has it: annotations and field ids that "
               "Arrow does not have are lost",
               &name);
    w->opt.options->warn(w->opt.options->warn_ctx, &e);
}

TACO__FN const taco__pq_schema_node *taco__schema_like_find(taco_pq_writer *w, size_t i,
                                                            uint32_t *next)
{
    const taco__pq_metadata *m = w->opt.like ? &w->opt.like->meta : NULL;
    uint32_t n = m ? m->column_count : 0, k, at;
    for (k = 0; k < n; k++) {
        at = *next + k < n ? *next + k : *next + k - n;
        if (strcmp(w->fields[i].name, m->columns[at].name) != 0) { continue; }
        w->all_alike = w->all_alike && at == i;
        *next = at + 1 < n ? at + 1 : 0;
        if (taco__schema_like_same(m, &w->fields[i], &m->columns[at])) { return &m->nodes[at]; }
        taco__schema_like_warn(w, &w->fields[i]);
        break;
    }
    w->all_alike = false;
    return NULL;
}

TACO__FN bool taco__schema_like_elements(taco_pq_writer *w, const taco__pq_schema_node *node)
{
    const taco__pq_schema_element *e = node->element;
    uint32_t n = e->next - (uint32_t)(e - w->opt.like->meta.elements), i;
    for (i = 0; i < n; i++) {
        if (!taco__buf_append(&w->footer.schema, e[i].raw.data, e[i].raw.len, &w->err)) {
            return false;
        }
        w->footer.schema_count++;
    }
    return true;
}

TACO__FN bool taco__schema_like_leaf(taco_pq_writer *w, taco__leaf_schema *s, uint32_t leaf)
{
    const taco__pq_metadata *m = &w->opt.like->meta;
    const taco__pq_leaf *from = &m->leaves[leaf];
    const taco__pq_schema_element *e;
    size_t n = 0;
    for (e = from->element; e != m->elements; e = &m->elements[e->parent]) {
        n++;
    }
    s->names = (taco_bytes *)taco__arena_array(&w->arena, n, sizeof *s->names, &w->err);
    if (!s->names) { return false; }
    s->name_count = n;
    for (e = from->element; n; e = &m->elements[e->parent]) {
        const char *name = taco__arena_text(&w->arena, e->name, &w->err);
        if (!name) { return false; }
        s->names[--n] = taco__bytes_of(name, e->name.len);
    }
    s->type = from->type;
    s->type_length = from->type == TACO__PQ_FIXED ? from->type_length : 0;
    s->order = taco__stats_order_of(from);
    return true;
}
