/* validate.c - taco validate: checks a dataset against every rule of the specification. Prints each
   problem with its location as it is found, then the result; as text or as one JSON object. The
   exit status says whether there is an error; warnings do not count. */
#include "tool.h"

#include <string.h>

bool print_problem(void *ctx, const taco_problem *p)
{
    problem_list *list = (problem_list *)ctx;
    end_progress();
    if (p->error && !list->first[0]) {
        snprintf(list->first, sizeof list->first, "%s", p->message);
    }
    if (list->a->json) {
        printf("%s\n {\"severity\":\"%s\",\"where\":", list->count ? "," : "",
               p->error ? "error" : "warning");
        print_json_string(p->where);
        printf(",\"message\":");
        print_json_string(p->message);
        if (p->clause) {
            printf(",\"clause\":");
            print_json_string(p->clause);
        }
        printf("}");
    } else if (p->error || !list->a->quiet) {
        bool color = use_color(list->a);
        const char *severity = p->error ? "error: " : "warning: ";
        char text[1024];
        size_t n;
        snprintf(text, sizeof text, "%s%s%s%s%s%s", p->where, p->where[0] ? ": " : "", p->message,
                 p->clause ? " [" : "", p->clause ? p->clause : "", p->clause ? "]" : "");
        n = strlen(severity);
        printf("%s%.*s%s: ",
               !color     ? ""
               : p->error ? "\033[1;31m"
                          : "\033[33m",
               (int)(n - 2), severity, color ? "\033[0m" : "");
        print_words(text, strlen(text), n, 2);
        putchar('\n');
    }
    list->count++;
    /* stop if the output is no longer read */
    return !ferror(stdout);
}

/* taco_validate_options.progress */
static bool show_progress(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx;
    draw_progress(done, total);
    return true;
}

/* Whether the dataset can be opened. Drops warnings, which validation repeats. */
static bool can_open(const char *path, const taco_options *opt, taco_error *err)
{
    taco_options silent = *opt;
    taco_dataset *ds;
    silent.warn = NULL;
    ds = taco_open(path, &silent, err);
    taco_close(ds);
    return ds != NULL;
}

/* Prints the last line, or the end of the JSON object. An invalid dataset's last line is its error
   instead. */
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

int validate_dataset(arguments *a, const char *path, const taco_options *opt)
{
    taco_validate_options how;
    taco_validated sum;
    problem_list list;
    taco_error err = {0};
    taco_status status;
    /* without JSON, a dataset that cannot be opened has no list of problems, only its error */
    if (!can_open(path, opt, &err) && !a->json) { return report_error(&err); }
    memset(&how, 0, sizeof how);
    /* as JSON, failing to open is a problem like others: validation finds it again */
    memset(&err, 0, sizeof err);
    memset(&list, 0, sizeof list);
    list.a = a;
    how.deep = a->deep;
    how.strict_pit = a->create.strict_pit;
    how.found = print_problem;
    begin_progress(a);
    how.progress = show_progress;
    how.ctx = &list;
    if (a->json) { printf("{\"problems\":["); }
    status = taco_validate(path, opt, &how, &sum, &err);
    end_progress();
    print_result(a, &list, &sum, status == TACO_OK);
    if (flush_stdout(DONE) != DONE) { return FAILED; }
    return status == TACO_OK ? DONE : report_error(&err);
}

/* Words: DATASET. */
static int run_validate(arguments *a, const taco_options *opt)
{
    if (a->word_count != 1) { return usage_error("validate needs one DATASET", NULL); }
    return validate_dataset(a, a->words[0], opt);
}

static const command_option validate_options[] = {
    OPTION("--deep"),
    OPTION("--strict-pit"),
    OPTION("--json"),
    OPTION_END,
};

const command validate_command = {
    "validate",
    "check a dataset against every rule of the format",
    "DATASET [options]",
    "Checks a dataset against every rule of the specification and lists each violation, "
    "with its place. The exit status is 1 if there are errors; warnings are problems that "
    "readers cope with. Tortilla, TACO 0.x and Rasteret collections are checked against "
    "their own specifications, and each problem names its clause.",
    NULL,
    NULL,
    validate_options,
    run_validate,
    true,
    false,
    false,
};
