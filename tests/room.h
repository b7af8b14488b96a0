/* Buffers with too little room. Text is appended in many small steps, but memory is asked for in few:
   here each step is the one that fails. Include it after the header under test. */
#ifndef TACO_TEST_ROOM_H
#define TACO_TEST_ROOM_H

/* Blocks from this size on are refused. */
static size_t refused_from = SIZE_MAX;
static taco__mem mem;
static taco_options room_options;
static taco_allocator room_allocator;

TEST_FN void *refusing(void *ctx, void *p, size_t old, size_t size)
{
    (void)ctx;
    (void)old;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return size >= refused_from ? NULL : realloc(p, size);
}

enum { LARGE = 1 << 17 };

/* Something that appends to a buffer. */
typedef bool (*appends)(taco__buf *out, const void *what, taco_error *e);

/* Runs it with every room that is too small, and with enough. Every byte that there is no room for
   is a failure, and the text does not depend on the room. */
TEST_FN void every_room(appends f, const void *what)
{
    taco__buf whole, out;
    taco_error e;
    size_t room;
    bool ok = false;
    memset(&whole, 0, sizeof whole);
    memset(&out, 0, sizeof out);
    memset(&e, 0, sizeof e);
    whole.mem = out.mem = &mem;
    CHECK(f(&whole, what, &e) && whole.len > 0);
    CHECK_TEXT(e.text, "");
    CHECK(taco__buf_reserve(&out, LARGE, &e));
    memset(out.data, 0, out.cap);
    for (room = 0; !ok && room < LARGE; room += whole.len < 3000 ? 1 : whole.len / 500) {
        memset(&e, 0, sizeof e);
        out.len = out.cap - room;
        refused_from = LARGE;
        ok = f(&out, what, &e);
        refused_from = SIZE_MAX;
        CHECK(ok ? room >= whole.len : e.code == TACO_ERR_MEMORY);
        CHECK(!ok || (out.len == out.cap - room + whole.len &&
                      memcmp(out.data + out.cap - room, whole.data, whole.len) == 0));
    }
    CHECK(ok);
    taco__buf_free(&whole);
    taco__buf_free(&out);
}

/* Before any test. */
TEST_FN void room_begin(void)
{
    memset(&room_options, 0, sizeof room_options);
    memset(&room_allocator, 0, sizeof room_allocator);
    room_allocator.resize = refusing;
    room_options.allocator = &room_allocator;
    taco__mem_init(&mem, &room_options);
}

#endif
