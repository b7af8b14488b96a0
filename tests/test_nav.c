/* From keys to samples: read, locate and payload in every container. */
#include "../src/base/base.h"
#include "../taco.h"

#include "test.h"

static taco_error none(void)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    return e;
}

static taco_dataset *open_it(const char *path)
{
    taco_error e = none();
    taco_dataset *ds = taco_open(path, NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    return ds;
}

/* The bytes of a FILE as text. */
static const char *payload(taco_dataset *ds, const char *path, char buf[64])
{
    taco_error e = none();
    taco_source s;
    buf[0] = 0;
    if (taco_payload(ds, path, &s, &e) != TACO_OK) {
        printf("%s\n", e.text);
        return "(failed)";
    }
    CHECK(s.size < 64 && s.read(s.ctx, 0, buf, (size_t)s.size));
    buf[s.size < 64 ? s.size : 0] = 0;
    s.close(s.ctx);
    return buf;
}

static void refused(const char *dataset, const char *path, taco_status code, const char *words)
{
    taco_dataset *ds = open_it(dataset);
    taco_error e = none();
    taco_sample s;
    CHECK(taco_locate(ds, path, &s, &e) == code);
    if (!strstr(e.text, words) || strncmp(e.text, dataset, strlen(dataset)) != 0) {
        printf("%s\n", e.text);
    }
    CHECK(strstr(e.text, words) != NULL && strncmp(e.text, dataset, strlen(dataset)) == 0);
    e = none();
    CHECK(taco_read(ds, path, false, &e) == NULL && e.code == code);
    taco_close(ds);
}

/* Walks a whole tree by id and by position: ids, types and payloads must agree. Returns the number
   of FILEs. */
static size_t walk(taco_dataset *ds, const char *path, int depth)
{
    taco_error e = none();
    taco_cursor *c = taco_read(ds, path, false, &e);
    size_t n = 0, files = 0;
    CHECK_TEXT(taco_error_text(&e), "");
    while (taco_cursor_next(c)) {
        char by_id[512], by_position[512], b1[64], b2[64];
        taco_sample s;
        const char *id = taco_cursor_text(c, "id"), *type = taco_cursor_text(c, "type");
        bool folder = type && strcmp(type, "FOLDER") == 0;
        snprintf(by_id, sizeof by_id, "%s%s%s", path, path[0] ? "/" : "", id ? id : "");
        snprintf(by_position, sizeof by_position, "%s%s@%u", path, path[0] ? "/" : "",
                 (unsigned)n++);
        CHECK(taco_locate(ds, by_id, &s, &e) == TACO_OK && s.folder == folder);
        CHECK(strstr(s.vsi, taco_cursor_vsi(c)) ==
              s.vsi); /* a FOLDER directory's child path lacks /__meta__ */
        if (folder) {
            taco_cursor *k = taco_cursor_children(c, &e);
            size_t below = 0;
            CHECK_TEXT(taco_error_text(&e), "");
            while (taco_cursor_next(k)) {
                below++;
            }
            CHECK(below > 0 && taco_cursor_close(k, &e) == TACO_OK);
            files += depth < 6 ? walk(ds, by_id, depth + 1) : 0;
        } else {
            taco_source p;
            files++;
            CHECK(taco_payload(ds, by_id, &p, &e) == TACO_OK);
            if (p.close) {
                bool little = p.size < 64;
                p.close(p.ctx);
                if (little) {
                    payload(ds, by_id, b1);
                    CHECK_TEXT(payload(ds, by_position, b2), b1);
                }
            }
        }
    }
    CHECK(taco_cursor_close(c, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    return files;
}

static void every_container(void)
{
    static const struct {
        const char *path;
        size_t files;
    } sets[] = {{"examples/data/nested.tacozip", 12},
                {"examples/data/nested_folder", 12},
                {"examples/data/era_0130_folder", 12},
                {"examples/data/era_0130.tacozip", 12},
                {"examples/data/multi", 18},
                {"examples/data/tacocat_binary/__TACOCAT__", 0},
                {"examples/data/ragged.tacozip", 18},
                {"examples/data/geo_nested.tacozip", 0},
                {"examples/data/padded_old.tacozip", 0},
                {"examples/data/multi/.tacocat", 18}};

    size_t i;
    for (i = 0; i < sizeof sets / sizeof *sets; i++) {
        taco_dataset *ds = open_it(sets[i].path);
        size_t n = ds ? walk(ds, "", 0) : 0;
        if (sets[i].files ? n != sets[i].files : n == 0) {
            printf("%s: %u files\n", sets[i].path, (unsigned)n);
        }
        CHECK(sets[i].files ? n == sets[i].files : n > 0);
        taco_close(ds);
    }
}

/* The writer glued the offsets of `zebra` to other rows: __meta__ is right. */
static void local_metadata_wins(void)
{
    taco_dataset *ds = open_it("examples/data/refbug_unsorted.tacozip");
    taco_error e = none();
    taco_sample s;
    taco_cursor *c = taco_read(ds, "zebra", false, &e);
    char b[64];
    int64_t offset = 0;
    CHECK(taco_locate(ds, "zebra/one", &s, &e) == TACO_OK && s.offset == 201 && s.size == 9);
    CHECK(taco_locate(ds, "@0/@1", &s, &e) == TACO_OK && s.offset == 254);
    CHECK(taco_cursor_next(c) && taco_cursor_int(c, "internal:offset", &offset) && offset == 201);
    CHECK(taco_cursor_close(c, &e) == TACO_OK);
    CHECK(strstr(payload(ds, "zebra/one", b), "zebra") != NULL);
    CHECK(strstr(payload(ds, "apple/two", b), "apple") != NULL);
    taco_close(ds);
}

static void bad_keys(void)
{
    refused("examples/data/nested.tacozip", "nope", TACO_ERR_NOT_FOUND,
            "there is no sample 'nope'");
    refused("examples/data/nested.tacozip", "@99", TACO_ERR_NOT_FOUND, "there is no sample '@99'");
    refused("examples/data/nested.tacozip", "@0/@99", TACO_ERR_NOT_FOUND,
            "there is no sample '@99'");
    refused("examples/data/nested.tacozip", "@0/@0/x", TACO_ERR_NOT_FOUND, "its parent is a FILE");
    refused("examples/data/nested.tacozip", "@0/", TACO_ERR_NOT_FOUND, "there is no sample ''");
    refused("examples/data/nested.tacozip", "@-1", TACO_ERR_NOT_FOUND, "there is no sample '@-1'");
    refused("examples/data/nested_folder", "..", TACO_ERR_NOT_FOUND, "there is no sample '..'");
    refused("examples/data/nested_folder", "@0/../@0", TACO_ERR_NOT_FOUND,
            "there is no sample '..'");
    refused("examples/data/multi", "@0/nope", TACO_ERR_NOT_FOUND, "there is no sample 'nope'");
}

static void folders_have_no_payload(void)
{
    taco_dataset *ds = open_it("examples/data/nested.tacozip");
    taco_error e = none();
    taco_source s;
    CHECK(taco_payload(ds, "@0", &s, &e) == TACO_ERR_ARGUMENT &&
          strstr(e.text, "is a FOLDER") != NULL);
    taco_close(ds);
}

/* A part that is not there: the catalogue opens and is queried, what needs the part names it. */
static void missing_part(void)
{
    taco_dataset *ds = open_it("examples/data/multi");
    taco_error e = none();
    taco_source s;
    CHECK(taco_set_base_path(ds, "/nowhere", &e) == TACO_OK);
    CHECK(taco_payload(ds, "@0/@0", &s, &e) == TACO_ERR_NOT_FOUND);
    CHECK(strstr(e.text, "/nowhere/multi_part0001.tacozip") != NULL);
    taco_close(ds);
}

/* A base that does not exist is absolute in GDAL paths, as one that exists. */
static void relative_base(void)
{
    static const struct {
        const char *base, *below; /* below: what follows the working directory */
    } t[] = {{"nowhere", "/nowhere/"},
             {"./nowhere//deeper/../x/", "/nowhere/x/"},
             {"examples/../nowhere", "/nowhere/"},
             {"examples/data", "/examples/data/"}};

    taco_dataset *ds = open_it("examples/data/multi");
    char here[TACO__PATH_MAX + 1], want[TACO__PATH_MAX + 100], full[TACO__PATH_MAX + 100];
    size_t i;
    taco_error e = none();
    if (!TACO__REALPATH(".", here)) { here[0] = 0; }
    for (i = 0; here[0] && i < sizeof t / sizeof t[0]; i++) {
        taco_cursor *c;
        CHECK(taco_set_base_path(ds, t[i].base, &e) == TACO_OK);
        c = taco_select(ds, NULL, &e);
        CHECK(taco_cursor_next(c));
        snprintf(want, sizeof want, ",%s%smulti_part0001.tacozip", here, t[i].below);
        snprintf(full, sizeof full, "%s", strchr(taco_cursor_vsi(c), ','));
        for (; strchr(full, '\\') != NULL; *strchr(full, '\\') = '/') {}
        for (; strchr(want, '\\') != NULL; *strchr(want, '\\') = '/') {}
        CHECK_TEXT(full, want);
        taco_cursor_close(c, &e);
    }
    CHECK_TEXT(taco_error_text(&e), "");
    taco_close(ds);
}

/* Children of two archives of a catalogue, read by turns. */
static void two_parts_at_once(void)
{
    taco_dataset *ds = open_it("examples/data/multi");
    taco_error e = none();
    taco_cursor *a = taco_read(ds, "tile_00", false, &e), *b = taco_read(ds, "tile_02", false, &e),
                *c = taco_read(ds, "tile_04", false, &e);
    int n = 0;
    while (taco_cursor_next(a) && taco_cursor_next(b) && taco_cursor_next(c)) {
        CHECK(strstr(taco_cursor_vsi(a), "multi_part0001.tacozip") != NULL);
        CHECK(strstr(taco_cursor_vsi(b), "multi_part0002.tacozip") != NULL);
        CHECK_TEXT(taco_cursor_text(a, "id"), taco_cursor_text(b, "id"));
        n++;
    }
    CHECK(n == 3);
    CHECK(taco_cursor_close(b, &e) == TACO_OK && taco_cursor_close(a, &e) == TACO_OK &&
          taco_cursor_close(c, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    taco_close(ds);
}

static void null_handles(void)
{
    taco_error e = none();
    taco_sample s;
    taco_source p;
    CHECK(taco_read(NULL, "x", false, &e) == NULL && e.code == TACO_ERR_ARGUMENT);
    e = none();
    CHECK(taco_locate(NULL, "x", &s, &e) == TACO_ERR_ARGUMENT);
    CHECK(taco_payload(NULL, "x", &p, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_locate(NULL, NULL, &s, NULL) == TACO_ERR_ARGUMENT &&
          taco_payload(NULL, NULL, &p, NULL) == TACO_ERR_ARGUMENT);
    e = none();
    CHECK(taco_cursor_children(NULL, &e) == NULL && e.code == TACO_ERR_STATE);
}

int main(void)
{
    RUN(every_container);
    RUN(local_metadata_wins);
    RUN(bad_keys);
    RUN(folders_have_no_payload);
    RUN(missing_part);
    RUN(relative_base);
    RUN(two_parts_at_once);
    RUN(null_handles);
    return test_end("test_nav");
}
