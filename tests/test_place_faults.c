/* Everything that reads or converts a dataset, over every kind of dataset: each place that
   allocates or reads fails once, and bytes of files are changed. The result is the same, or an
   error that says why; nothing leaks, and no other kind of error hides the fault. */
#define HOME "build/test_place_faults"
#include "works.h"

static const work directory = {"directory", NULL, make_of_directory, true};

/* All works over the first, some over each of the others. */
enum { MAIN = 6 };

static const char *const paths[] = {"examples/data/nested.tacozip",
                                    "examples/data/nested_folder",
                                    "examples/data/refbug_unsorted.tacozip",
                                    "tests/data/legacy/mixed.tortilla",
                                    HOME "/tiff.tacozip",
                                    HOME "/rasteret",
                                    "examples/data/geo_stac.tacozip",
                                    "examples/data/geo_istac.tacozip",
                                    "examples/data/types_exotic.tacozip",
                                    "examples/data/padded_old.tacozip",
                                    "examples/data/ragged.tacozip",
                                    "examples/data/era_0130_folder",
                                    "examples/data/multi",
                                    "examples/data/tacocat_binary",
                                    "tests/data/legacy/a0.tortilla",
                                    "tests/data/legacy/taco_inside.tortilla"};

enum { PATHS = sizeof paths / sizeof paths[0] };

static bool is_tried(size_t path, size_t k)
{
    return path < MAIN || (path + k) % 7 == 0;
}

static void every_place(void)
{
    size_t i, k;
    for (i = 0; i < PATHS; i++) {
        for (k = 0; k < WORKS && test_bad < 40; k++) {
            if (is_tried(i, k)) { tour(&works[k], paths[i]); }
        }
    }
    tour(&directory, HOME "/files");
    printf("%u places that allocate, %u that read\n", (unsigned)tried.tried, (unsigned)reads_tried);
}

/* ---- files that are damaged ---- */

/* Some bytes of one file are others, at its ends rather than in its middle. */
static void other_bytes(void)
{
    size_t i, k, n, errors = 0, points = 0;
    for (i = 0; i < PATHS; i++) {
        taco_error e;
        disk.count = 0;
        perform(&works[1], paths[i], &options, &e);
        for (n = 0; n < 16 && disk.count; n++) {
            size_t len = 0, which = any(disk.count);
            uint8_t *data = load(disk.names[which], &len);
            static char name[160];
            if (!data || !len) { continue; }
            snprintf(name, sizeof name, "%s", disk.names[which]);
            for (k = 0; k < 1 + n % 3; k++) {
                size_t at = n % 2 ? any(len) : len - 1 - any(len < 900 ? len : 900);
                at = n % 3 == 0 && len > 200 ? any(200) : at;
                data[at] = (uint8_t)(n % 5 ? data[at] ^ 1U << any(8) : any(256));
            }
            disk.changed = name;
            disk.data = data;
            disk.len = n % 7 == 6 ? any(len) : len;
            for (k = 0; k < 2; k++) {
                errors += damaged(&works[any(WORKS)], paths[i]);
                points++;
            }
            disk.changed = NULL;
            free(data);
        }
    }
    CHECK(errors > points / 20);
    printf("%u of %u works over damaged files refused\n", (unsigned)errors, (unsigned)points);
}

/* The end of the value of JSON that begins at a place; that place where none begins there. */
static size_t value_end(const char *s, size_t n, size_t at)
{
    size_t i = at, depth = 0;
    do {
        if (s[i] == '"') {
            for (i++; i < n && s[i] != '"'; i += s[i] == '\\' ? 2 : 1) {}
        } else if (s[i] == '[' || s[i] == '{') {
            depth++;
        } else if (s[i] == ']' || s[i] == '}') {
            if (!depth) { return at; }
            depth--;
        } else if (!depth && !strchr("0123456789-+.eEtrufalsn", s[i])) {
            return i;
        }
        i++;
    } while (i < n && (depth || strchr("0123456789-+.eEtrufalsn", s[i])));
    return i < n ? i : n;
}

/* Each value of a JSON file is another one, or is not there. */
static void other_values(const char *path, const char *file)
{
    static const char *const others[] = {"null",
                                         "1",
                                         "-0.5",
                                         "\"x\"",
                                         "[]",
                                         "{}",
                                         "true",
                                         "[null]",
                                         "1e300",
                                         "\"\"",
                                         "[{\"a\":[1,\"b\"]}]"};
    const char *other;
    size_t len = 0, at, end, n = 0, errors = 0, m;
    char *text = (char *)load(file, &len), *made = (char *)malloc(len + 100);
    CHECK(text != NULL);
    for (at = 0; text && at < len; at++) {
        if ((at && !strchr(":[, \n", text[at - 1])) || strchr(" \n,:", text[at])) { continue; }
        end = value_end(text, len, at);
        if (end == at) { continue; }
        other = others[n++ % (sizeof others / sizeof others[0])];
        m = strlen(other);
        memcpy(made, text, at);
        memcpy(made + at, other, m);
        memcpy(made + at + m, text + end, len - end);
        disk.changed = file;
        disk.data = (const uint8_t *)made;
        disk.len = at + m + len - end;
        errors += damaged(&works[11], path); /* validation */
        errors += n % 4 == 0 && damaged(&works[any(WORKS)], path);
        disk.changed = NULL;
    }
    CHECK(n > 100 && errors > 20);
    printf("%s: %u values, %u works refused\n", file, (unsigned)n, (unsigned)errors);
    free(made);
    free(text);
}

static void other_json(void)
{
    other_values(HOME "/folder", HOME "/folder/COLLECTION.json");
    other_values("examples/data/multi/TACOLLECTION.json", "examples/data/multi/TACOLLECTION.json");
}

int main(void)
{
    int here;
    openers[0] = taco_legacy_opener();
    openers[1] = taco_rasteret_opener();
    places_begin(&tried, &here, &options, &allocator);
    options.open_file = disk_open;
    options.openers = openers;
    make_datasets();
    RUN(every_place);
    places_exact = false;
    RUN(other_bytes);
    RUN(other_json);
    test_names_remove(HOME);
    return test_end("test_place_faults");
}
