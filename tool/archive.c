/* archive.c - taco archive: shows and sets TACO_HEADER, makes archives from any files, replaces a
   member. Each verb is one call of the library (taco_header_*, taco_archive_*). */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* In the order of the verbs of the command. */
typedef enum archive_verb {
    ARCHIVE_HEADER,
    ARCHIVE_SET_HEADER,
    ARCHIVE_CREATE,
    ARCHIVE_REPLACE,
    ARCHIVE_VERBS
} archive_verb;

/* Words: header ARCHIVE. */
static int show_header(const arguments *a, const taco_options *opt, taco_error *err)
{
    taco_header h;
    uint32_t i;
    if (taco_header_read(a->words[1], opt, &h, err) != TACO_OK) { return report_error(err); }
    if (a->json) { printf("["); }
    for (i = 0; i < h.count; i++) {
        printf(a->json ? "%s{\"offset\":%llu,\"size\":%llu}" : "%s%llu:%llu\n",
               a->json && i ? "," : "", (unsigned long long)h.ranges[i].offset,
               (unsigned long long)h.ranges[i].size);
    }
    if (a->json) { printf("]\n"); }
    return flush_stdout(DONE);
}

/* OFFSET:SIZE */
static bool parse_range(const char *text, taco_header_range *out)
{
    char *copy = copy_text(text), *colon = strchr(copy, ':');
    if (!colon) { return false; }
    *colon = 0;
    return parse_number(copy, &out->offset) && parse_number(colon + 1, &out->size);
}

/* Words: set-header ARCHIVE OFFSET:SIZE... */
static int set_header(const arguments *a, taco_error *err)
{
    taco_header h;
    size_t i;
    memset(&h, 0, sizeof h);
    if (a->word_count - 2 > TACO_HEADER_RANGES) {
        return usage_error("a TACO_HEADER has up to 7 ranges", NULL);
    }
    for (i = 2; i < a->word_count; i++) {
        if (!parse_range(a->words[i], &h.ranges[h.count++])) {
            return value_error("archive set-header", "OFFSET:SIZE", a->words[i]);
        }
    }
    return taco_header_write(a->words[1], &h, err) == TACO_OK ? DONE : report_error(err);
}

/* FILE or NAME=FILE; the default name is the path of the file as given. */
static taco_member parse_member(const arguments *a, const char *word)
{
    char *copy = copy_text(word), *equals = strchr(copy, '=');
    taco_member m;
    size_t i;
    memset(&m, 0, sizeof m);
    m.name = m.path = copy;
    if (equals) {
        *equals = 0;
        m.path = equals + 1;
    }
    for (i = 0; i < a->listed_member_count; i++) {
        m.listed = m.listed || strcmp(a->listed_members[i], m.name) == 0;
    }
    return m;
}

/* Words: create OUT FILE|NAME=FILE... */
static int create_archive(arguments *a, const taco_options *opt, taco_error *err)
{
    taco_archive_options how;
    taco_member *members = NULL;
    size_t i, n = 0, listed = 0;
    memset(&how, 0, sizeof how);
    how.options = opt;
    how.mtime = a->create.mtime;
    how.overwrite = a->create.overwrite;
    if (check_overwrite(a, a->words[1]) != DONE) { return FAILED; }
    for (i = 2; i < a->word_count; i++) {
        members = (taco_member *)grow_list(members, n, sizeof *members);
        members[n] = parse_member(a, a->words[i]);
        listed += members[n++].listed;
    }
    if (listed != a->listed_member_count) {
        return usage_error("--list names something that is not a member, or a member twice", NULL);
    }
    return taco_archive_create(a->words[1], members, n, &how, err) == TACO_OK ? DONE
                                                                              : report_error(err);
}

/* Words: replace ARCHIVE NAME FILE. */
static int replace_member(const arguments *a, taco_error *err)
{
    taco_member m;
    memset(&m, 0, sizeof m);
    m.name = a->words[2];
    m.path = a->words[3];
    return taco_archive_replace(a->words[1], &m, err) == TACO_OK ? DONE : report_error(err);
}

static int run_archive(arguments *a, const taco_options *opt);

static const command_verb archive_verbs[] = {
    {"header", "ARCHIVE [--json]",
     "print the ranges in TACO_HEADER, OFFSET:SIZE: level tables, COLLECTION.json"},
    {"set-header", "ARCHIVE OFFSET:SIZE...", "set the ranges, up to seven"},
    {"create", "OUT FILE|NAME=FILE... [--list NAME]...",
     "make an uncompressed archive of any files, with a TACO_HEADER"},
    {"replace", "ARCHIVE NAME FILE", "replace the bytes of the member NAME by those of FILE"},
    {NULL, NULL, NULL},
};

static const command_option archive_options[] = {
    OPTION_OF(1U << ARCHIVE_HEADER, "--json"),
    OPTION_OF(1U << ARCHIVE_CREATE, "--list"),
    OPTION_OF(1U << ARCHIVE_CREATE, "--mtime"),
    OPTION_OF(1U << ARCHIVE_CREATE, "--overwrite"),
    OPTION_END,
};

/* The first word is the verb. */
static int run_archive(arguments *a, const taco_options *opt)
{
    static const size_t least[] = {2, 2, 2, 4}, most[] = {2, SIZE_MAX, SIZE_MAX, 4};
    taco_error err = {0};
    size_t verb = a->word_count ? find_verb(&archive_command, a->words[0]) : ARCHIVE_VERBS;
    if (verb == ARCHIVE_VERBS || a->word_count < least[verb] || a->word_count > most[verb]) {
        return usage_error("archive needs header, set-header, create or replace, and an ARCHIVE",
                           NULL);
    }
    switch ((archive_verb)verb) {
    case ARCHIVE_HEADER: return show_header(a, opt, &err);
    case ARCHIVE_SET_HEADER: return set_header(a, &err);
    case ARCHIVE_CREATE: return create_archive(a, opt, &err);
    default: return replace_member(a, &err);
    }
}

const command archive_command = {
    "archive",
    "show or set TACO_HEADER; make an archive of any files, replace a member",
    NULL,
    "An archive begins with TACO_HEADER, which says where its metadata is. Changes in place are "
    "appended: the old bytes and directory stay in the file until taco folder2zip or repair "
    "rewrites it.",
    NULL,
    archive_verbs,
    archive_options,
    run_archive,
    false,
    false,
    false,
};
