/* info.c - taco info: the collection of a dataset, and the rows and columns of its levels, as
   text for a person or as one JSON object. Reads the collection and the footers of the tables,
   no rows. */
#include "tool.h"

#include <inttypes.h>
#include <string.h>

static const char usage[] =
    "usage: taco info DATASET... [--json] [--base-path P] [--column-mode MODE]\n"
    "\n"
    "Prints the collection, and the rows and columns of every level.\n"
    "\n"
    "  --json         one JSON object\n"
    "  --base-path P  TACOCAT: where the archives are, instead of beside the catalogue\n"
    "  --column-mode  several datasets: intersection (default), fill_missing, strict\n";

/* A member of the collection, its first thousand bytes, unless it is missing or null. */
static void print_member(const char *label, taco_bytes json)
{
    if (json.data && !(json.len == 4 && memcmp(json.data, "null", 4) == 0)) {
        printf("%-12s %.*s\n", label, (int)(json.len > 1000 ? 1000 : json.len),
               (const char *)json.data);
    }
}

/* One line: the number of rows, and the names of all columns. */
static int print_level(taco_dataset *ds, uint32_t level, taco_error *err)
{
    size_t i, n;
    int64_t rows = taco_level_rows(ds, level, err);
    const taco_field *fields = taco_level_fields(ds, level, &n, err);
    if (!fields) { return report_error(err); }
    printf("level %-6u %" PRId64 " rows, %u columns:", (unsigned)level, rows, (unsigned)n);
    for (i = 0; i < n; i++) {
        printf("%s %s", i ? "," : "", fields[i].name);
    }
    printf("\n");
    return DONE;
}

/* The parts of the collection that a person looks for first, then the levels. */
static int print_dataset(taco_dataset *ds, taco_error *err)
{
    /* by taco_kind; formats that are not TACO 2 have names of their own */
    static const char *const kinds[] = {"", "zip", "folder", "tacocat", ""};
    const char *format = taco_dataset_format(ds);
    uint32_t level;
    int status = DONE;
    printf("%-12s %s\n%-12s %s\n", "id", taco_id(ds), "version", taco_dataset_version(ds));
    printf("%-12s %s\n%-12s %s\n", "kind", *format ? format : kinds[taco_dataset_kind(ds)],
           "description", taco_description(ds));
    print_member("tasks", taco_collection(ds, "tasks"));
    print_member("licenses", taco_collection(ds, "licenses"));
    for (level = 0; level < taco_levels(ds) && status == DONE; level++) {
        status = print_level(ds, level, err);
    }
    return status;
}

/* Words: DATASET... */
static int run_info(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_dataset *ds;
    int status = DONE;
    if (a->word_count == 0) { return usage_error("info wants a DATASET", NULL); }
    ds = open_datasets(a, a->word_count, opt, &err);
    if (ds && a->json) {
        if (write_bytes(stdout, taco_info_json(ds, &err))) { putchar('\n'); }
        status = flush_stdout(status);
    } else if (ds) {
        status = flush_stdout(print_dataset(ds, &err));
    }
    taco_close(ds);
    return err.code != TACO_OK && status == DONE ? report_error(&err) : status;
}

const command info_command = {"info", usage, run_info, NULL, false};
