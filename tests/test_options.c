/* test_options.c - every option of the tool with every command and verb: accepted if it is in the
   command's table, refused otherwise, so that none is silently ignored. */
#define main taco_main
#include "../tool/main.c"
#undef main
#include "test.h"

#include <unistd.h>

/* A value that the option takes; NULL for one without. */
static const char *value_of(const option *o, const command_option *row, char *choice)
{
    static const char *const values[][2] = {
        {"--bbox", "1,2,3,4"},
        {"--table", "data"},
        {"--codec", "zstd"},
        {"--band", "B1=1"},
        {"--rename", "a=b"},
        {"--crs", "{}"},
        {"--rewrite", "a=b"},
        {"--time", "2024-01-01"},
        {"--dates", "2020,2021"},
        {"--files-from", "Makefile"},
        {"--majortom-range", "-60,60"},
    };
    const char *value = row && row->value ? row->value : o->value;
    size_t i;
    if (o->kind == OPTION_FLAG || o->kind == OPTION_SWITCH) { return NULL; }
    for (i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (strcmp(o->name, values[i][0]) == 0) { return values[i][1]; }
    }
    if (value && strchr(value, '|')) {
        sprintf(choice, "%.*s", (int)strcspn(value, "|"), value);
        return choice;
    }
    return "7";
}

/* The row of an option in the list of a command, whatever the verb. */
static const command_option *row_of(const command_option *o, const char *name)
{
    for (; o && (o->name || o->help); o++) {
        if (o->name && strcmp(o->name, name) == 0) { return o; }
    }
    return NULL;
}

/* Parses COMMAND [VERB] OPTION [VALUE] WORD. */
static int try_option(const command *c, size_t verb, const option *o, const command_option *row)
{
    static char program[] = "taco", word[] = "word", level[] = "--where=id = 1";
    char choice[256], name[32], of[32], text[64], value[256], *argv[8];
    arguments *a = (arguments *)grow_list(NULL, 0, sizeof *a);
    const command *found = NULL;
    const char *given = value_of(o, row, choice);
    int argc = 0;
    memset(a, 0, sizeof *a);
    argv[argc++] = program;
    argv[argc++] = strcpy(name, c->name);
    if (c->verbs) { argv[argc++] = strcpy(of, c->verbs[verb].name); }
    argv[argc++] = strcpy(text, o->name);
    if (given) { argv[argc++] = strcpy(value, given); }
    argv[argc++] = word;
    /* options that are of no use alone */
    if (strcmp(o->name, "--level") == 0 && row) { argv[argc++] = level; }
    a->explain = true;
    return parse_arguments(a, argc, argv, &found);
}

static void test_every_option(void)
{
    size_t i, k, verb, tried = 0;
    for (i = 0; i < command_count; i++) {
        const command *c = commands[i];
        size_t verbs = verb_count(c);
        for (verb = 0; verb < (verbs ? verbs : 1); verb++) {
            for (k = 0; k < option_count; k++) {
                const option *o = &all_options[k];
                const command_option *row = row_of(c->options, o->name);
                bool taken = row && (!row->verbs || row->verbs >> verb & 1);
                if (row_of(global_options, o->name)) { taken = true; }
                if ((try_option(c, verb, o, row) == DONE) != taken) {
                    printf("%s %s %s: taken must be %d\n", c->name,
                           verbs ? c->verbs[verb].name : "", o->name, taken);
                    CHECK(false);
                }
                tried++;
            }
        }
    }
    CHECK(tried > 2500);
}

/* A row without an option would crash the help. */
static void test_rows(void)
{
    const command_option *o;
    size_t i, k;
    for (i = 0; i < command_count; i++) {
        for (o = commands[i]->options; o && (o->name || o->help); o++) {
            CHECK(!o->name || find_option(o->name, strlen(o->name)));
            CHECK(!o->name || row_of(commands[i]->options, o->name) == o);
            CHECK(!o->verbs || !(o->verbs >> verb_count(commands[i])));
        }
    }
    /* every option is one of some command */
    for (k = 0; k < option_count; k++) {
        bool used = row_of(global_options, all_options[k].name) != NULL;
        for (i = 0; i < command_count; i++) {
            used = used || row_of(commands[i]->options, all_options[k].name);
        }
        if (!used) { printf("%s is of no command\n", all_options[k].name); }
        CHECK(used);
    }
}

int main(void)
{
    int keep = dup(2);
    /* some thousand refusals */
    CHECK(freopen("/dev/null", "w", stderr) != NULL);
    RUN(test_every_option);
    RUN(test_rows);
    fflush(stderr);
    dup2(keep, 2);
    return test_end("test_options");
}
