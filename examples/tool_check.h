/* tool_check.h - taco validate, part of taco.c. */
#ifndef TOOL_CHECK_H
#define TOOL_CHECK_H

static const char usage_validate[] =
    "usage: taco validate DATASET [--deep] [--strict-pit] [--json]\n"
    "\n"
    "Holds every rule of the specification against a dataset and lists what breaks one, with its\n"
    "place. Exit status 1 when something does; warnings are what readers get over.\n"
    "\n"
    "  --deep        also every payload against its CRC, every page of every table, every cell of\n"
    "                the local tables (__meta__), and every archive of a catalogue\n"
    "  --strict-pit  the rule of June 2025: all FOLDERs of a level have the same children\n"
    "  --json        one JSON object\n";

typedef struct validate_state {
    args    *a;
    uint64_t found;
    bool     bar; /* progress is shown */
} validate_state;

static void bar_clear(validate_state *v)
{
    if (v->bar) {
        fputs("\r\033[K", stderr);
    }
    v->bar = false;
}
static bool validate_found(void *ctx, const taco_problem *p)
{
    validate_state *v = (validate_state *)ctx;
    bar_clear(v);
    if (v->a->json) {
        printf("%s\n {\"severity\":\"%s\",\"where\":", v->found ? "," : "",
               p->error ? "error" : "warning");
        put_string(p->where);
        printf(",\"message\":");
        put_string(p->message);
        printf("}");
    } else if (p->error || !v->a->quiet) {
        printf("%s: %s%s%s\n", p->error ? "error" : "warning", p->where, p->where[0] ? ": " : "",
               p->message);
    }
    v->found++;
    return !ferror(stdout);
}
/* On a terminal, for work of more than 64 MiB. */
static bool validate_progress(void *ctx, uint64_t done, uint64_t total)
{
    validate_state *v = (validate_state *)ctx;
    if (total > (uint64_t)64 << 20) {
        fprintf(stderr, "\r%3d %% of %llu MiB", (int)((double)done * 100.0 / (double)total),
                (unsigned long long)(total >> 20));
        v->bar = true;
    }
    return true;
}
static bool on_terminal(void)
{
#if defined(__unix__) || defined(__APPLE__)
    return isatty(2) != 0;
#else
    return false;
#endif
}
static int run_validate(args *a, const taco_options *opt)
{
    taco_validate_options how;
    taco_validated        sum;
    validate_state        v;
    taco_options          silent = *opt;
    taco_dataset         *ds;
    taco_error            err;
    taco_status           status;
    if (a->word_count != 1) {
        return complain("validate wants one DATASET", NULL);
    }
    memset(&err, 0, sizeof err);
    silent.warn = NULL;
    ds = taco_open(a->words[0], &silent, &err);
    taco_close(ds);
    if (!ds && !a->json) { /* there is nothing to list */
        return report(&err);
    }
    memset(&how, 0, sizeof how);
    memset(&err, 0, sizeof err);
    memset(&v, 0, sizeof v);
    v.a = a;
    how.deep = a->deep;
    how.strict_pit = a->strict_pit;
    how.found = validate_found;
    how.progress = !a->quiet && on_terminal() ? validate_progress : NULL;
    how.ctx = &v;
    if (a->json) {
        printf("{\"problems\":[");
    }
    status = taco_validate(a->words[0], opt, &how, &sum, &err);
    bar_clear(&v);
    if (a->json) {
        printf("%s],\n \"errors\":%llu,\"warnings\":%llu,\"rows\":%llu,\"valid\":%s}\n",
               v.found ? "\n" : "", (unsigned long long)sum.errors,
               (unsigned long long)sum.warnings, (unsigned long long)sum.rows,
               status == TACO_OK ? "true" : "false");
    } else if (status == TACO_OK && !a->quiet) {
        printf("valid: %llu rows, %llu warnings\n", (unsigned long long)sum.rows,
               (unsigned long long)sum.warnings);
    }
    return flush_stdout(DONE) != DONE ? FAILED : status == TACO_OK ? DONE : report(&err);
}

static const char usage_repair[] =
    "usage: taco repair DATASET OUTPUT [--json]\n"
    "\n"
    "Writes an archive or a FOLDER anew, around the same payloads: offsets from the central\n"
    "directory and the local tables, TACO_HEADER, tables and counts made again. OUTPUT must not\n"
    "exist. Prints what was wrong, and what is left that cannot be decided here.\n";

static int run_repair(args *a, const taco_options *opt)
{
    taco_validate_options how;
    taco_repaired         sum;
    validate_state        v;
    taco_error            err;
    taco_status           status;
    if (a->word_count != 2) {
        return complain("repair wants a DATASET and an OUTPUT", NULL);
    }
    memset(&how, 0, sizeof how);
    memset(&err, 0, sizeof err);
    memset(&v, 0, sizeof v);
    v.a = a;
    how.found = a->quiet ? NULL : validate_found;
    how.ctx = &v;
    if (a->json) {
        printf("{\"problems\":[");
    }
    stop_cleanly(a->words[1]);
    status = taco_repair(a->words[0], a->words[1], opt, &how, &sum, &err);
    if (a->json) {
        printf("%s],\n \"before\":%llu,\"after\":%llu,\"places\":%llu,\"from_meta\":%llu,"
               "\"metas\":%llu,\"rows\":%llu,\"files\":%llu,\"bytes\":%llu,\"valid\":%s}\n",
               v.found ? "\n" : "", (unsigned long long)sum.before, (unsigned long long)sum.after,
               (unsigned long long)sum.places, (unsigned long long)sum.from_meta,
               (unsigned long long)sum.metas, (unsigned long long)sum.rows,
               (unsigned long long)sum.files, (unsigned long long)sum.bytes,
               status == TACO_OK ? "true" : "false");
    } else if (sum.files || sum.rows) {
        printf(
            "%s: %llu rows and %llu payloads of %llu bytes written; %llu offsets put right, %llu "
            "rows taken from __meta__, %llu __meta__ made from the levels; errors: %llu before, "
            "%llu now\n",
            a->words[1], (unsigned long long)sum.rows, (unsigned long long)sum.files,
            (unsigned long long)sum.bytes, (unsigned long long)sum.places,
            (unsigned long long)sum.from_meta, (unsigned long long)sum.metas,
            (unsigned long long)sum.before, (unsigned long long)sum.after);
    }
    return flush_stdout(DONE) != DONE ? FAILED : status == TACO_OK ? DONE : report(&err);
}

static const char usage_tacocat[] =
    "usage: taco tacocat OUTPUT ARCHIVE... [--binary] [--fill] [--unchecked]\n"
    "\n"
    "Makes a catalogue of archives: all their metadata in one place. OUTPUT is the directory the\n"
    "archives are in, which gets a directory .tacocat; or OUTPUT itself is named .tacocat or\n"
    "__TACOCAT__ (the single file of the specification).\n"
    "\n"
    "  --binary     the directory gets the __TACOCAT__ file, too\n"
    "  --fill       columns that some archives lack are null there\n"
    "  --unchecked  the archives are taken as they are\n";
static const char usage_tacollection[] =
    "usage: taco tacollection OUTPUT DATASET...\n"
    "\n"
    "Merges the collections of datasets of the same tree: OUTPUT/TACOLLECTION.json, or the file\n"
    "OUTPUT where that ends in .json.\n";

static int run_merge(args *a, const taco_options *opt, const char *command,
                     taco_status (*merge)(const char *, const char *const *, size_t,
                                          const taco_merge_options *, taco_error *))
{
    taco_merge_options how;
    taco_error         err;
    if (a->word_count < 2) {
        return complain(command, "wants an OUTPUT and datasets");
    }
    memset(&how, 0, sizeof how);
    memset(&err, 0, sizeof err);
    how.options = opt;
    how.binary = a->binary;
    how.fill = a->fill;
    how.unchecked = a->unchecked;
    return merge(a->words[0], a->words + 1, a->word_count - 1, &how, &err) == TACO_OK
               ? DONE
               : report(&err);
}
static int run_tacocat(args *a, const taco_options *opt)
{
    return run_merge(a, opt, "tacocat", taco_create_tacocat);
}
static int run_tacollection(args *a, const taco_options *opt)
{
    return run_merge(a, opt, "tacollection", taco_create_tacollection);
}

#endif
