/* dataset/collection.c: what a collection must have, what it may have, its output, and when two
   trees are compatible. */
#include "../src/base/base.h"
#include "../src/base/json.h"
#include "../src/dataset/dataset.h"
#include "../taco_parquet.h"
#include "../taco.h"
#include "test.h"

#define PIT_FLAT "\"taco:pit_schema\":{\"root\":{\"n\":4,\"type\":\"FILE\"},\"hierarchy\":{}}"
#define PIT_OF(hierarchy)                                                                          \
    "{\"id\":\"x\",\"taco:pit_schema\":{\"root\":{\"n\":3,\"type\":\"FOLDER\"},"                   \
    "\"hierarchy\":" hierarchy "}}"

static taco__mem mem;
static taco__arena arena;
static taco__collection coll;
static taco_error err;

static void begin(void)
{
    taco__arena_free(&arena);
    CHECK(mem.used == 0);
    taco__mem_init(&mem, NULL);
    arena.mem = &mem;
    memset(&err, 0, sizeof err);
}

static taco_status parse(const char *text)
{
    size_t len = strlen(text);
    char *copy = (char *)malloc(len + 1);
    taco_status s;
    memcpy(copy, text, len);
    begin();
    s = taco__collection_parse(&arena, taco__bytes_of(copy, len), NULL, &coll, &err);
    memset(copy, '#', len); /* the collection keeps a text of its own */
    free(copy);
    return s;
}

static const char *info(void)
{
    static char text[4096];
    taco__buf out;
    memset(&out, 0, sizeof out);
    out.mem = &mem;
    text[0] = 0;
    if (taco__collection_write_info(&out, &coll, &err) && taco__buf_append_char(&out, 0, &err) &&
        out.len <= sizeof text) {
        memcpy(text, out.data, out.len);
    }
    taco__buf_free(&out);
    return text;
}

static void whole(void)
{
    static const char text[] =
        "{\"id\":\"ragged\",\"dataset_version\":\"1.2.0\",\"description\":\"d "
        "\\u00fc\",\"licenses\":[\"CC-BY-4.0\",\"MIT\"],"
        "\"providers\":[{\"name\":\"n\"}],\"tasks\":[\"classification\"],\"taco_version\":\"0.5."
        "0\",\"title\":\"T\","
        "\"curators\":null,\"keywords\":[\"a\",1,\"b\"],\"extent\":{\"spatial\":[-180.0,-90,1.5e1,"
        "90.0],"
        "\"temporal\":[\"2020-01-01T00:00:00Z\",\"2021-01-01T00:00:00Z\"]},\"labels:n\":3,"
        "\"taco:pit_schema\":{\"root\":{\"n\":3,\"type\":\"FOLDER\"},\"shape\":[3,3,3],"
        "\"hierarchy\":{"
        "\"2\":[{\"n\":6,\"type\":[\"FILE\",\"FILE\"],\"id\":[\"x0\",\"x1\"]},{\"type\":[\"FILE\"],"
        "\"id\":[\"y\\u0000z\"]}],"
        "\"1\":[{\"n\":9,\"type\":[\"FOLDER\",\"FOLDER\",\"FILE\"],\"id\":[\"a\",\"b\",\"c.txt\"]}]"
        "}},"
        "\"taco:field_schema\":{\"level0\":[]},\"taco:sources\":{\"count\":2}}";
    const taco__pit *pit = &coll.pit;
    CHECK(parse(text) == TACO_OK);
    CHECK_TEXT(coll.id, "ragged");
    CHECK_TEXT(coll.dataset_version, "1.2.0");
    CHECK_TEXT(coll.description, "d \xC3\xBC");
    CHECK_TEXT(coll.taco_version, "0.5.0");
    CHECK_TEXT(coll.title, "T");
    CHECK(coll.licenses.count == 2 && coll.tasks.count == 1 && coll.keywords.count == 2);
    CHECK_TEXT(coll.licenses.items[1], "MIT");
    CHECK_TEXT(coll.keywords.items[1], "b");
    CHECK(taco__json_length(coll.providers) == 1 && taco__json_is(coll.curators, TACO__JSON_NULL));
    CHECK(coll.field_schema != NULL && coll.sources != NULL);
    CHECK(coll.has_spatial && coll.spatial[0] < -179.9 && coll.spatial[2] > 14.9 &&
          coll.spatial[2] < 15.1);
    CHECK(coll.has_temporal);
    CHECK_TEXT(coll.temporal[1], "2021-01-01T00:00:00Z");
    CHECK(taco__collection_check_extent(&coll, &err) == TACO_OK);
    CHECK(pit->folders && pit->n == 3 && pit->depth == 2 && pit->shape_count == 3 &&
          pit->shape[2] == 3);
    CHECK(pit->levels[0].present && pit->levels[0].count == 1 && pit->levels[1].count == 2 &&
          !pit->levels[2].present);
    CHECK(pit->levels[0].patterns[0].count == 3 && pit->levels[0].patterns[0].n == 9);
    CHECK(pit->levels[0].patterns[0].folders[1] == 1 && pit->levels[0].patterns[0].folders[2] == 0);
    CHECK_TEXT((const char *)pit->levels[0].patterns[0].ids[2].data, "c.txt");
    CHECK(pit->levels[1].patterns[1].n == -1 && pit->levels[1].patterns[1].ids[0].len == 3);
}

static void defaults(void)
{
    CHECK(parse("{\"id\":\"x\"," PIT_FLAT "}") == TACO_OK);
    CHECK_TEXT(coll.dataset_version, "unknown");
    CHECK_TEXT(coll.description, "");
    CHECK_TEXT(coll.taco_version, "");
    CHECK(coll.title == NULL && !coll.has_spatial && !coll.has_temporal && coll.tasks.count == 0);
    CHECK(coll.providers == NULL && coll.extent == NULL && coll.field_schema == NULL &&
          coll.sources == NULL);
    CHECK(!coll.pit.folders && coll.pit.n == 4 && coll.pit.depth == 0 && coll.pit.shape == NULL);
    CHECK(taco__collection_check_extent(&coll, &err) == TACO_OK);
    CHECK_TEXT(
        info(),
        "\"id\":\"x\",\"version\":\"unknown\",\"description\":\"\",\"tasks\":[],\"extent\":{},"
        "\"providers\":[],"
        "\"licenses\":[],\"title\":null,\"curators\":null,\"keywords\":null,\"taco_version\":null,"
        "\"pit_schema\":{\"root\":{\"n\":4,\"type\":\"FILE\"},\"hierarchy\":{}},\"field_schema\":{}"
        ","
        "\"collection\":{\"id\":\"x\"," PIT_FLAT "}");
    /* odd values are taken for missing; n and shape are hints */
    CHECK(parse("\xEF\xBB\xBF{\"id\":\"first\",\"id\":\"last\",\"title\":7,\"tasks\":"
                "\"regression\",\"keywords\":{},\"licenses\":[1],"
                "\"taco:pit_schema\":{\"shape\":[1,\"2\"],\"root\":{\"n\":-1,\"type\":\"FILE\"},"
                "\"hierarchy\":{\"1\":[]}}}") == TACO_OK);
    CHECK_TEXT(coll.id, "last");
    CHECK(coll.title == NULL && coll.tasks.count == 1 && coll.keywords.count == 0 &&
          coll.licenses.count == 0);
    CHECK_TEXT(coll.tasks.items[0], "regression");
    CHECK(coll.pit.shape == NULL && coll.pit.n == -1 && coll.pit.depth == 1 &&
          coll.pit.levels[0].count == 0);
    /* values are printed as they stand in the document */
    CHECK(parse("{\"id\":\"\\u00fc\",\"extent\":{\"spatial\":[1.50,2e1]},\"title\":null," PIT_FLAT
                "}") == TACO_OK);
    CHECK(strstr(info(), "\"id\":\"\xC3\xBC\",") != NULL &&
          strstr(info(), "\"extent\":{\"spatial\":[1.50,2e1]},") != NULL);
}

static void refusals(void)
{
    static const struct {
        const char *text;
        uint32_t at;
        const char *message;
    } cases[] = {
        {"[1,2,3]", 0, "at byte 0: a collection must be a JSON object, found an array"},
        {" 7", 1, "at byte 1: a collection must be a JSON object, found a number"},
        {"{}", 0, "at byte 0: id must be a string, found nothing"},
        {"{\"id\":5," PIT_FLAT "}", 6, "at byte 6: id must be a string, found a number"},
        {"{\"id\":\"x\xFF\"}", 8, "at byte 8: expected UTF-8 in a string, found byte 0xff"},
        {"{\"id\":\"x\"}", 0,
         "at byte 0: taco:pit_schema must be an object with root and hierarchy, found nothing"},
        {"{\"id\":\"x\",\"taco:pit_schema\":[]}", 28,
         "at byte 28: taco:pit_schema must be an object with root and hierarchy, found an array"},
        {"{\"id\":\"x\",\"taco:pit_schema\":{}}", 28,
         "at byte 28: taco:pit_schema.root must be an object with type, found nothing"},
        {"{\"id\":\"x\",\"taco:pit_schema\":{\"root\":{}}}", 36,
         "at byte 36: taco:pit_schema.root.type must be FILE or FOLDER, found nothing"},
        {"{\"id\":\"x\",\"taco:pit_schema\":{\"root\":{\"type\":1}}}", 44,
         "at byte 44: taco:pit_schema.root.type must be FILE or FOLDER, found a number"},
        {"{\"id\":\"x\",\"taco:pit_schema\":{\"root\":{\"type\":\"file\"}}}", 44,
         "at byte 44: taco:pit_schema.root.type is 'file', must be FILE or FOLDER"},
        {"{\"id\":\"x\",\"taco:pit_schema\":{\"root\":{\"type\":\"FILE\"}}}", 28,
         "at byte 28: taco:pit_schema.hierarchy must be an object with a key for each level below "
         "the root, found nothing"},
        {PIT_OF("[]"), 72,
         "at byte 72: taco:pit_schema.hierarchy must be an object with a key for each level below "
         "the root, found an array"},
        {PIT_OF("{\"a\":[]}"), 73,
         "at byte 73: taco:pit_schema.hierarchy has the key 'a', must be a depth from 1 to 5"},
        {PIT_OF("{\"0\":[]}"), 73,
         "at byte 73: taco:pit_schema.hierarchy has the key '0', must be a depth from 1 to 5"},
        {PIT_OF("{\"6\":[]}"), 73,
         "at byte 73: taco:pit_schema.hierarchy has the key '6', must be a depth from 1 to 5"},
        {PIT_OF("{\"1\":{}}"), 77,
         "at byte 77: taco:pit_schema.hierarchy.1 must be an array of patterns, found an object"},
        {PIT_OF("{\"2\":[3]}"), 78,
         "at byte 78: taco:pit_schema.hierarchy.2[0] must be an object with type and id, found a "
         "number"},
        {PIT_OF("{\"1\":[{\"id\":[\"a\"]}]}"), 78,
         "at byte 78: taco:pit_schema.hierarchy.1[0].type must be an array with an entry for each "
         "child, found nothing"},
        {PIT_OF("{\"1\":[{\"type\":[\"FILE\"]}]}"), 78,
         "at byte 78: taco:pit_schema.hierarchy.1[0].id must be an array with an entry for each "
         "child, found nothing"},
        {PIT_OF("{\"1\":[{\"type\":[\"FILE\"],\"id\":\"a\"}]}"), 100,
         "at byte 100: taco:pit_schema.hierarchy.1[0].id must be an array with an entry for each "
         "child, found a string"},
        {PIT_OF("{\"1\":[{\"type\":[],\"id\":[]}]}"), 86,
         "at byte 86: taco:pit_schema.hierarchy.1[0].type is empty, a folder has at least one "
         "child"},
        {PIT_OF("{\"1\":[{\"type\":[\"FILE\",\"FILE\"],\"id\":[\"a\"]}]}"), 78,
         "at byte 78: taco:pit_schema.hierarchy.1[0]: type has 2 entries, id has 1, must be "
         "the same number"},
        {PIT_OF("{\"1\":[{\"type\":[\"LINK\"],\"id\":[\"a\"]}]}"), 87,
         "at byte 87: taco:pit_schema.hierarchy.1[0].type[0] is 'LINK', must be FILE or FOLDER"},
        {PIT_OF("{\"1\":[{\"type\":[null],\"id\":[\"a\"]}]}"), 87,
         "at byte 87: taco:pit_schema.hierarchy.1[0].type[0] must be a string, found null"},
        {PIT_OF("{\"1\":[{\"type\":[\"FILE\",\"FILE\"],\"id\":[\"a\",2]}]}"), 112,
         "at byte 112: taco:pit_schema.hierarchy.1[0].id[1] must be a string, found a number"},
    };

    taco_limits limits;
    size_t i;
    for (i = 0; i < TACO__COUNT(cases); i++) {
        CHECK(parse(cases[i].text) == TACO_ERR_CORRUPT);
        CHECK(err.code == TACO_ERR_CORRUPT && err.offset == cases[i].at);
        CHECK_TEXT(err.text, cases[i].message);
    }
    begin();
    memset(&limits, 0, sizeof limits);
    limits.max_metadata = 10;
    CHECK(taco__collection_parse(&arena, taco__bytes_text("{\"id\":\"x\"," PIT_FLAT "}"), &limits,
                                 &coll, &err) == TACO_ERR_LIMIT);
    CHECK(strstr(err.text, "limits.max_metadata is 10") != NULL && mem.used == 0);
    begin();
    CHECK(taco__collection_parse(&arena, taco__bytes_text("{}"), NULL, &coll, NULL) ==
          TACO_ERR_CORRUPT);
}

static const char *extent(const char *value)
{
    char text[512];
    snprintf(text, sizeof text, "{\"id\":\"x\",\"extent\":%s," PIT_FLAT "}", value);
    CHECK(parse(text) == TACO_OK); /* whatever it is, the dataset opens */
    CHECK(taco__collection_check_extent(&coll, &err) == err.code);
    return err.text;
}

static void extents(void)
{
    CHECK_TEXT(extent("null"), "");
    CHECK_TEXT(extent("{}"), "");
    CHECK_TEXT(extent("{\"spatial\":null,\"temporal\":null}"), "");
    CHECK(!coll.has_spatial && !coll.has_temporal);
    CHECK_TEXT(extent("{\"spatial\":[170,-1,-170,1]}"), ""); /* over the antimeridian */
    CHECK(coll.has_spatial);
    CHECK_TEXT(extent("[]"), "at byte 19: extent must be an object, found an array");
    CHECK_TEXT(extent("{\"spatial\":[200,95],\"temporal\":[\"x\"]}"),
               "at byte 30: extent.spatial must be four numbers: west, south, east, north; found "
               "an array of 2");
    CHECK(!coll.has_spatial && !coll.has_temporal);
    CHECK_TEXT(extent("{\"spatial\":[1,2,3,\"4\"]}"),
               "at byte 30: extent.spatial must be four numbers: west, south, east, north; found "
               "an array of 4");
    CHECK_TEXT(extent("{\"spatial\":[0,0,180.5,1]}"),
               "at byte 35: extent.spatial: east is '180.5', must lie between -180 and 180");
    CHECK_TEXT(extent("{\"spatial\":[0,-90.1,1,1]}"),
               "at byte 33: extent.spatial: south is '-90.1', must lie between -90 and 90");
    CHECK_TEXT(extent("{\"spatial\":[0,2,1,1]}"),
               "at byte 30: extent.spatial: south is '2', above north, '1'");
    CHECK_TEXT(extent("{\"temporal\":[\"a\",1]}"),
               "at byte 31: extent.temporal must be two strings: start, end; found an array of 2");
}

static const char *compare(const char *first, const char *second)
{
    static taco__collection other;
    CHECK(parse(first) == TACO_OK);
    CHECK(taco__collection_parse(&arena, taco__bytes_text(second), NULL, &other, &err) == TACO_OK);
    CHECK(taco__collection_check_same_pit(&coll, &other, &err) == err.code);
    CHECK(err.code == TACO_OK || (err.code == TACO_ERR_ARGUMENT && err.offset == TACO_NO_OFFSET));
    return err.text;
}

static void same(void)
{
    static const char base[] =
        PIT_OF("{\"1\":[{\"n\":6,\"type\":[\"FILE\",\"FOLDER\"],\"id\":[\"a\",\"b\"]}]}");
    CHECK_TEXT(compare(base, base), "");
    CHECK_TEXT(compare(base, "{\"id\":\"y\",\"taco:pit_schema\":{\"hierarchy\":{\"1\":[{\"id\":["
                             "\"a\",\"\\u0062\"],\"type\":[\"FILE\",\"FOLDER\"]}]},"
                             "\"shape\":[9],\"root\":{\"type\":\"FOLDER\"}}}"),
               "");
    CHECK_TEXT(compare(base, "{\"id\":\"x\"," PIT_FLAT "}"),
               "taco:pit_schema differs at root: samples are FOLDER in the first dataset, FILE in "
               "the second");
    CHECK_TEXT(compare(base, PIT_OF("{}")),
               "taco:pit_schema differs: only the first dataset has hierarchy.1");
    CHECK_TEXT(compare(PIT_OF("{}"), PIT_OF("{\"2\":[]}")),
               "taco:pit_schema differs: only the second dataset has hierarchy.2");
    CHECK_TEXT(
        compare(base, PIT_OF("{\"1\":[]}")),
        "taco:pit_schema differs at hierarchy.1: 1 patterns in the first dataset, 0 in the second");
    CHECK_TEXT(compare(base, PIT_OF("{\"1\":[{\"type\":[\"FILE\"],\"id\":[\"a\"]}]}")),
               "taco:pit_schema differs at hierarchy.1[0]: 2 children in the first dataset, 1 in "
               "the second");
    CHECK_TEXT(
        compare(base, PIT_OF("{\"1\":[{\"type\":[\"FILE\",\"FOLDER\"],\"id\":[\"a\",\"c\"]}]}")),
        "taco:pit_schema differs at hierarchy.1[0]: child 1 is FOLDER 'b' in the first dataset, "
        "FOLDER 'c' in the second");
    CHECK_TEXT(
        compare(base, PIT_OF("{\"1\":[{\"type\":[\"FOLDER\",\"FOLDER\"],\"id\":[\"a\",\"b\"]}]}")),
        "taco:pit_schema differs at hierarchy.1[0]: child 0 is FILE 'a' in the first dataset, "
        "FOLDER 'a' in the second");
    CHECK(parse(base) == TACO_OK && taco__collection_check_same_pit(&coll, &coll, NULL) == TACO_OK);
}

/* Counts that are none, versions, and limits that leave things to the defaults. */
static void odd_members(void)
{
    static const char *const known[] = {"2.0", "2.0.Z", "1.2.3-a+b", "2.0A"}, *const none[] = {
                                                                                  "2.a",  "2.:",
                                                                                  "2./",  "2..0 ",
                                                                                  "2.0:", "2.0@",
                                                                                  "2.0[", "2.0`",
                                                                                  "2.0{", "2.0,"};
    taco_limits limits;
    size_t i;
    CHECK(parse(PIT_OF("{\"1\":[{\"n\":-1,\"type\":[\"FILE\"],\"id\":[\"a\"]}]}")) == TACO_OK &&
          coll.pit.levels[0].patterns[0].n == -1);
    CHECK(parse(PIT_OF("{\"1\":[{\"n\":5,\"type\":[\"FILE\"],\"id\":[\"a\"]}]}")) == TACO_OK &&
          coll.pit.levels[0].patterns[0].n == 5);
    CHECK(parse(PIT_OF("{\"10\":[]}")) == TACO_ERR_CORRUPT);
    CHECK(parse(PIT_OF("{\"\":[]}")) == TACO_ERR_CORRUPT);
    for (i = 0; i < TACO__COUNT(known); i++) {
        CHECK(taco__collection_is_version(taco__bytes_text(known[i])));
    }
    for (i = 0; i < TACO__COUNT(none); i++) {
        CHECK(!taco__collection_is_version(taco__bytes_text(none[i])));
    }
    begin();
    memset(&limits, 0, sizeof limits);
    CHECK(taco__collection_parse(&arena, taco__bytes_text("{\"id\":\"x\"," PIT_FLAT "}"), &limits,
                                 &coll, &err) == TACO_OK);
}

int main(void)
{
    RUN(odd_members);
    RUN(whole);
    RUN(defaults);
    RUN(refusals);
    RUN(extents);
    RUN(same);
    begin();
    return test_end("test_coll");
}
