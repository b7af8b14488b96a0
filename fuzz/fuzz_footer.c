/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_footer
   fuzz_footer.c

   Any bytes as a footer, a page header, a column index or an offset index. The first byte chooses
   which, the next two its position in the file. What is accepted must have the properties that
   validation promises. */
#define TACO_PARQUET_IMPLEMENTATION
#include "../extra/taco_parquet_inspect.h"

#include "holds.h"

/* The tree agrees with itself: levels never fall on the way down, leaves are counted once. */
static void check_node(const taco__pq_metadata *m, const taco__pq_schema_node *n, int16_t def,
                       int16_t rep)
{
    uint32_t i, leaf = n->leaf;
    bool list = n->field->type == TACO_LIST || n->field->type == TACO_MAP;
    HOLDS(n->def >= def && n->rep >= rep && n->leaf + n->leaf_count <= m->leaf_count);
    HOLDS(n->field->leaf == n->leaf && n->field->leaf_count == n->leaf_count && n->field->name);
    HOLDS(!list || (n->list_def > n->def && n->list_rep > n->rep && n->field->child_count == 1));
    for (i = 0; i < n->field->child_count; i++) {
        const taco__pq_schema_node *c = &n->children[i];
        HOLDS(c->field == &n->field->children[i] && c->leaf == leaf);
        leaf += c->leaf_count;
        check_node(m, c, list ? n->list_def : n->def, list ? n->list_rep : n->rep);
    }
    if (n->field->type != TACO_STRUCT && n->field->child_count == 0) {
        const taco__pq_leaf *l = &m->leaves[n->leaf];
        HOLDS(n->leaf_count == 1 && l->node == n && l->max_def == n->def && l->max_rep == n->rep);
    } else {
        HOLDS(leaf == n->leaf + n->leaf_count);
    }
}

static void check_footer(taco__pq_metadata *m, taco__arena *arena, taco__buf *out)
{
    uint32_t i, c;
    int64_t rows = 0;
    for (i = 0; i < m->column_count; i++) {
        check_node(m, &m->nodes[i], 0, 0);
        HOLDS(taco__type_name_append(&m->columns[i], out, NULL) || arena->mem->used > 0);
    }
    for (i = 0; i < m->group_count; i++) {
        HOLDS(m->groups[i].rows >= 0 && m->groups[i].first_row == rows);
        rows += m->groups[i].rows;
        for (c = 0; c < m->leaf_count; c++) {
            const taco__pq_column_chunk *k = &m->groups[i].chunks[c];
            taco__pq_bounds b;
            HOLDS(k->pages.len == 0 ||
                  (k->pages.offset >= 4 &&
                   taco__checked_range(k->pages.offset, k->pages.len, m->footer_offset)));
            HOLDS(
                k->column_index.len == 0 ||
                taco__checked_range(k->column_index.offset, k->column_index.len, m->footer_offset));
            HOLDS(
                k->offset_index.len == 0 ||
                taco__checked_range(k->offset_index.offset, k->offset_index.len, m->footer_offset));
            HOLDS(k->bloom.offset == 0 || k->bloom.offset < m->footer_offset);
            HOLDS(k->num_values >= 0);
            taco__stats_bounds(m, &m->leaves[c], &k->stats, &b);
        }
    }
    HOLDS(rows == m->num_rows);
    out->len = 0;
    taco__schema_text_append(m, out, NULL);
    taco__footer_json_append(m, out, NULL);
}

/* A header that parses needs every one of its bytes: each shorter piece is TRUNCATED, and more
   behind it changes nothing. */
static void check_page(const uint8_t *data, size_t size, uint64_t at)
{
    taco__pq_page_header p, q;
    taco_error err;
    size_t len, n, again;
    memset(&err, 0, sizeof err);
    if (taco__page_header_parse(taco__bytes_of(data, size), at, &p, &len, &err) != TACO_OK) {
        HOLDS(err.code != TACO_OK && err.text[0] && len == 0);
        return;
    }
    HOLDS(len > 0 && len <= size && p.compressed_size <= INT32_MAX && p.num_values <= INT32_MAX);
    HOLDS((uint64_t)p.def_len + p.rep_len <= p.compressed_size && p.num_nulls <= p.num_values);
    for (n = len; n-- > 0 && len - n < 40;) {
        HOLDS(taco__page_header_parse(taco__bytes_of(data, n), at, &q, &again, NULL) ==
              TACO_ERR_TRUNCATED);
    }
    HOLDS(taco__page_header_parse(taco__bytes_of(data, len), at, &q, &again, NULL) == TACO_OK &&
          again == len);
}

static void check_indexes(const uint8_t *data, size_t size, uint64_t at, taco__arena *arena,
                          bool offsets)
{
    size_t i;
    if (offsets) {
        taco__pq_offset_index ix;
        taco__pq_column_chunk chunk;
        memset(&chunk, 0, sizeof chunk);
        chunk.pages.offset = 4;
        chunk.pages.len = at * 16;
        if (taco__page_index_parse_offsets(arena, taco__bytes_of(data, size), at, &chunk, 1000, &ix,
                                           NULL) == TACO_OK) {
            for (i = 0; i < ix.pages; i++) {
                HOLDS(ix.page[i].offset >= 4 &&
                      ix.page[i].offset + ix.page[i].size <= 4 + chunk.pages.len);
                HOLDS(ix.page[i].first_row >= (i ? ix.page[i - 1].first_row : 0) &&
                      ix.page[i].first_row <= 1000);
            }
        }
    } else {
        taco__pq_column_index ix;
        if (taco__page_index_parse_columns(arena, taco__bytes_of(data, size), at, SIZE_MAX, &ix,
                                           NULL) == TACO_OK) {
            HOLDS(ix.pages <= size && ix.null_pages && ix.min && ix.max);
            for (i = 0; i < ix.pages; i++) {
                HOLDS(ix.min[i].data && ix.max[i].data && ix.null_pages[i] <= 1);
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco__mem mem;
    taco__arena arena;
    taco__buf out;
    taco_error err;
    taco_options opt;
    taco__pq_metadata m;
    uint64_t at;
    if (size < 3) { return 0; }
    at = 4 + taco__load_le16(data + 1);
    memset(&opt, 0, sizeof opt);
    memset(&err, 0, sizeof err);
    memset(&arena, 0, sizeof arena);
    memset(&out, 0, sizeof out);
    opt.limits.max_memory = (uint64_t)64 << 20;
    taco__mem_init(&mem, &opt);
    arena.mem = out.mem = &mem;
    switch (data[0] & 7) {
    case 5: check_page(data + 3, size - 3, at); break;
    case 6: check_indexes(data + 3, size - 3, at, &arena, false); break;
    case 7: check_indexes(data + 3, size - 3, at, &arena, true); break;
    default:
        if (taco__footer_parse(&arena, taco__bytes_of(data + 3, size - 3), at + size + 5, at, NULL,
                               &m, &err) == TACO_OK) {
            check_footer(&m, &arena, &out);
        } else {
            HOLDS(err.code != TACO_OK && err.text[0]);
        }
        break;
    }
    taco__buf_free(&out);
    taco__arena_free(&arena);
    HOLDS(mem.used == 0);
    return 0;
}
