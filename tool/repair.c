/* repair.c - taco repair: rewrites a dataset with the same payloads and corrected offsets, headers,
   tables and counts. Prints the problems found, and at the end what was done about them. */
#include "tool.h"

#include <string.h>

/* Prints the end of the JSON object, after the list of problems. */
static void print_json_result(const taco_repaired *sum, bool valid)
{
    printf(" \"before\":%llu,\"after\":%llu,\"places\":%llu,\"from_meta\":%llu,"
           "\"metas\":%llu,\"rows\":%llu,\"files\":%llu,\"bytes\":%llu,\"valid\":%s}\n",
           (unsigned long long)sum->before, (unsigned long long)sum->after,
           (unsigned long long)sum->places, (unsigned long long)sum->from_meta,
           (unsigned long long)sum->metas, (unsigned long long)sum->rows,
           (unsigned long long)sum->files, (unsigned long long)sum->bytes,
           valid ? "true" : "false");
}

/* The same for people, on one line. */
static void print_result(const char *path, const taco_repaired *sum)
{
    printf("%s: %llu rows and %llu payloads of %llu bytes written; %llu offsets corrected, %llu "
           "rows taken from __meta__, %llu __meta__ made from the levels; errors: %llu before, "
           "%llu now\n",
           path, (unsigned long long)sum->rows, (unsigned long long)sum->files,
           (unsigned long long)sum->bytes, (unsigned long long)sum->places,
           (unsigned long long)sum->from_meta, (unsigned long long)sum->metas,
           (unsigned long long)sum->before, (unsigned long long)sum->after);
}

/* Whether the first problem in a list for people was this error. */
static bool is_listed(const problem_list *list, const taco_error *err)
{
    size_t n = strlen(err->text), m = strlen(list->first);
    return !list->a->json && m && n >= m && strcmp(err->text + n - m, list->first) == 0;
}

/* Words: DATASET OUTPUT. FAILED if errors remain that cannot be fixed automatically. */
static int run_repair(arguments *a, const taco_options *opt)
{
    taco_validate_options how;
    taco_repaired sum;
    problem_list list;
    taco_error err = {0};
    taco_status status;
    if (a->word_count != 2) { return usage_error("repair needs a DATASET and an OUTPUT", NULL); }
    memset(&how, 0, sizeof how);
    memset(&list, 0, sizeof list);
    list.a = a;
    how.found = a->quiet ? NULL : print_problem;
    how.progress = not_interrupted;
    how.ctx = &list;
    if (a->json) { printf("{\"problems\":["); }
    status = taco_repair(a->words[0], a->words[1], opt, &how, &sum, &err);
    end_progress();
    if (a->json) {
        printf("%s],\n", list.count ? "\n" : "");
        print_json_result(&sum, status == TACO_OK);
    } else if (sum.files || sum.rows) {
        print_result(a->words[1], &sum);
    }
    if (flush_stdout(DONE) != DONE) { return FAILED; }
    if (status != TACO_OK && !sum.rows && is_listed(&list, &err)) {
        fprintf(stderr, "%s: cannot be repaired, nothing is written\n", a->words[0]);
        return FAILED;
    }
    return status == TACO_OK ? DONE : report_error(&err);
}

static const command_option repair_options[] = {
    OPTION("--json"),
    OPTION("--max-output"),
    OPTION("--overwrite"),
    OPTION_END,
};

const command repair_command = {
    "repair",
    "rewrite a dataset with errors corrected",
    "DATASET OUTPUT [options]",
    "Rewrites an archive or a FOLDER with the same payloads: offsets are taken from the "
    "central directory and the local tables; TACO_HEADER, tables and counts are made "
    "again. Prints what was wrong, and errors that remain because they cannot be "
    "corrected automatically.",
    NULL,
    NULL,
    repair_options,
    run_repair,
    true,
    false,
    false,
};
