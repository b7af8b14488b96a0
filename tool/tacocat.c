/* tacocat.c - taco tacocat and taco tacollection: a catalogue of archives, which has all their
   metadata in one place, and the merged collection of datasets. Both are made by one call of the
   library each. */
#include "tool.h"

#include <string.h>

static const char tacocat_usage[] =
    "usage: taco tacocat OUTPUT ARCHIVE... [--binary] [--fill] [--unchecked]\n"
    "\n"
    "Makes a catalogue of archives: all their metadata in one place. OUTPUT is the directory the\n"
    "archives are in, which gets a directory .tacocat; or OUTPUT itself is named .tacocat or\n"
    "__TACOCAT__ (the single file of the specification).\n"
    "\n"
    "  --binary     the directory gets the __TACOCAT__ file, too\n"
    "  --fill       columns that some archives lack are null there\n"
    "  --unchecked  the archives are taken as they are\n";

static const char tacollection_usage[] =
    "usage: taco tacollection OUTPUT DATASET...\n"
    "\n"
    "Merges the collections of datasets of the same tree: OUTPUT/TACOLLECTION.json, or the file\n"
    "OUTPUT where that ends in .json.\n";

/* taco_create_tacocat or taco_create_tacollection */
typedef taco_status merge_function(const char *out, const char *const *paths, size_t n,
                                   const taco_merge_options *how, taco_error *err);

/* Words: OUTPUT DATASET... */
static int run_merge(const arguments *a, const taco_options *opt, const char *name,
                     merge_function *merge)
{
    taco_merge_options how;
    taco_error err = {0};
    if (a->word_count < 2) { return usage_error(name, "wants an OUTPUT and datasets"); }
    memset(&how, 0, sizeof how);
    how.options = opt;
    /* of these, tacollection has none */
    how.binary = a->binary;
    how.fill = a->fill;
    how.unchecked = a->unchecked;
    return merge(a->words[0], a->words + 1, a->word_count - 1, &how, &err) == TACO_OK
               ? DONE
               : report_error(&err);
}

static int run_tacocat(arguments *a, const taco_options *opt)
{
    return run_merge(a, opt, "tacocat", taco_create_tacocat);
}

static int run_tacollection(arguments *a, const taco_options *opt)
{
    return run_merge(a, opt, "tacollection", taco_create_tacollection);
}

const command tacocat_command = {"tacocat", tacocat_usage, run_tacocat, NULL, false};
const command tacollection_command = {"tacollection", tacollection_usage, run_tacollection, NULL,
                                      false};
