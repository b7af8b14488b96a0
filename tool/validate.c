/* validate.c - taco validate: every rule of the specification checked on a dataset. Prints each
   problem with its place as it is found, then the result; as text or as one JSON object. The
   exit status says whether there is an error; warnings do not count. */
#include "tool.h"

#include <string.h>

static const char usage[] =
    "usage: taco validate DATASET [--deep] [--strict-pit] [--json]\n"
    "\n"
    "Holds every rule of the specification against a dataset and lists what breaks one, with its\n"
    "place. Exit status 1 when something does; warnings are what readers get over.\n"
    "\n"
    "  --deep        also every payload against its CRC, every page of every table, every cell of\n"
    "                the local tables (__meta__), and every archive of a catalogue\n"
    "  --strict-pit  the rule of June 2025: all FOLDERs of a level have the same children\n"
    "  --json        one JSON object\n";

/* Wipes the line of progress from the terminal. */
static void clear_progress(problem_list *list)
{
    if (list->progress_shown) { fputs("\r\033[K", stderr); }
    list->progress_shown = false;
}

bool print_problem(void *ctx, const taco_problem *p)
{
    problem_list *list = (problem_list *)ctx;
    clear_progress(list);
    if (list->a->json) {
        printf("%s\n {\"severity\":\"%s\",\"where\":", list->count ? "," : "",
               p->error ? "error" : "warning");
        print_json_string(p->where);
        printf(",\"message\":");
        print_json_string(p->message);
        printf("}");
    } else if (p->error || !list->a->quiet) {
        printf("%s: %s%s%s\n", p->error ? "error" : "warning", p->where, p->where[0] ? ": " : "",
               p->message);
    }
    list->count++;
    /* nobody reads on: the work ends */
    return !ferror(stdout);
}

/* taco_validate_options.progress, with a problem_list as its context: drawn for work of more
   than 64 MiB. */
static bool show_progress(void *ctx, uint64_t done, uint64_t total)
{
    problem_list *list = (problem_list *)ctx;
    if (total > (uint64_t)64 << 20) {
        fprintf(stderr, "\r%3d %% of %llu MiB", (int)((double)done * 100.0 / (double)total),
                (unsigned long long)(total >> 20));
        list->progress_shown = true;
    }
    return true;
}

/* Whether the dataset can be opened, without its warnings, which validation gives again. */
static bool can_open(const char *path, const taco_options *opt, taco_error *err)
{
    taco_options silent = *opt;
    taco_dataset *ds;
    silent.warn = NULL;
    ds = taco_open(path, &silent, err);
    taco_close(ds);
    return ds != NULL;
}

/* The last line, or the end of the JSON object. What is not valid ends with its error instead. */
static void print_result(const arguments *a, const problem_list *list, const taco_validated *sum,
                         bool valid)
{
    if (a->json) {
        printf("%s],\n \"errors\":%llu,\"warnings\":%llu,\"rows\":%llu,\"valid\":%s}\n",
               list->count ? "\n" : "", (unsigned long long)sum->errors,
               (unsigned long long)sum->warnings, (unsigned long long)sum->rows,
               valid ? "true" : "false");
    } else if (valid && !a->quiet) {
        printf("valid: %llu rows, %llu warnings\n", (unsigned long long)sum->rows,
               (unsigned long long)sum->warnings);
    }
}

/* Words: DATASET. */
static int run_validate(arguments *a, const taco_options *opt)
{
    taco_validate_options how;
    taco_validated sum;
    problem_list list;
    taco_error err = {0};
    taco_status status;
    if (a->word_count != 1) { return usage_error("validate wants one DATASET", NULL); }
    /* without JSON, what cannot be opened has no list of problems, only its error */
    if (!can_open(a->words[0], opt, &err) && !a->json) { return report_error(&err); }
    memset(&how, 0, sizeof how);
    /* as JSON, what cannot be opened is a problem like others: validation finds it again */
    memset(&err, 0, sizeof err);
    memset(&list, 0, sizeof list);
    list.a = a;
    how.deep = a->deep;
    how.strict_pit = a->strict_pit;
    how.found = print_problem;
    how.progress = !a->quiet && on_terminal() ? show_progress : NULL;
    how.ctx = &list;
    if (a->json) { printf("{\"problems\":["); }
    status = taco_validate(a->words[0], opt, &how, &sum, &err);
    clear_progress(&list);
    print_result(a, &list, &sum, status == TACO_OK);
    if (flush_stdout(DONE) != DONE) { return FAILED; }
    return status == TACO_OK ? DONE : report_error(&err);
}

const command validate_command = {"validate", usage, run_validate, NULL, false};
