/* clang -g -O1 -fsanitize=fuzzer,address,undefined fuzz/fuzz_json.c -o build/fuzz_json &&
   build/fuzz_json -max_len=4096 seeds/json

   Any bytes as JSON and as COLLECTION.json. What is accepted must print, and parsing the output
   must print the same. */
#define TACO_IMPLEMENTATION
#include "../taco.h"

static void require(bool ok)
{
    if (!ok) { abort(); }
}

static void print(taco__mem *mem, const taco__json *n, size_t indent, taco__buf *out)
{
    memset(out, 0, sizeof *out);
    out->mem = mem;
    require(taco__json_print(out, n, indent, NULL));
}

static void reprint(taco__mem *mem, taco__arena *arena, const taco__json_doc *doc)
{
    taco__json_doc again;
    taco__buf a, b;
    size_t indent;
    for (indent = 0; indent < 3; indent += 2) {
        print(mem, doc->root, indent, &a);
        require(taco__json_parse(arena, taco__bytes_of(a.data, a.len), NULL, &again, NULL) ==
                TACO_OK);
        require(again.node_count == doc->node_count);
        print(mem, again.root, indent, &b);
        require(a.len == b.len && memcmp(a.data, b.data, a.len) == 0);
        taco__buf_free(&a);
        taco__buf_free(&b);
    }
}

static void visit(const taco__json_doc *doc)
{
    size_t i;
    for (i = 0; i < doc->node_count; i++) {
        const taco__json *n = &doc->root[i];
        int64_t x;
        double d;
        require(n->begin <= n->end && n->end <= doc->text.len && n->span >= 1 &&
                n->span <= doc->node_count - i);
        require(n->type != TACO__JSON_STRING ||
                (n->text[n->count] == 0 && taco__utf8_valid(taco__json_bytes(n))));
        require(taco__json_double(n, &d) == (n->type == TACO__JSON_NUMBER));
        (void)taco__json_int(n, &x);
        (void)taco__json_get(n, "a");
        (void)taco__json_at(n, 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco__mem mem;
    taco__arena arena;
    taco__json_doc doc;
    taco__collection coll;
    taco__buf out;
    taco_error err;
    taco__mem_init(&mem, NULL);
    memset(&arena, 0, sizeof arena);
    memset(&err, 0, sizeof err);
    arena.mem = &mem;
    if (taco__json_parse(&arena, taco__bytes_of(data, size), NULL, &doc, &err) == TACO_OK) {
        reprint(&mem, &arena, &doc);
        visit(&doc);
        if (taco__collection_parse(&arena, taco__bytes_of(data, size), NULL, &coll, &err) ==
            TACO_OK) {
            (void)taco__collection_check_extent(&coll, &err);
            require(taco__collection_check_same_pit(&coll, &coll, NULL) == TACO_OK);
            memset(&out, 0, sizeof out);
            out.mem = &mem;
            require(taco__collection_write_info(&out, &coll, NULL));
            taco__buf_free(&out);
        }
    } else {
        require(err.code != TACO_OK && err.text[0] &&
                (err.offset == TACO_NO_OFFSET || err.offset <= size));
    }
    taco__arena_free(&arena);
    require(mem.used == 0);
    return 0;
}
