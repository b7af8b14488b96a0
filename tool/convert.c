/* convert.c - taco convert: converts Tortilla, TACO 0.x, TACO 3 and Rasteret collections to TACO 2,
   and a TACO 2 dataset to an old file. The direction follows from the name of the output and the format
   of the first dataset. export and zip2folder call the same code for old datasets. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* taco_convert_options.note: prints what the other format cannot store. */
static void print_note(void *ctx, const char *text)
{
    if (((const arguments *)ctx)->quiet) { return; }
    end_progress();
    fprintf(stderr, "note: %s\n", text);
}

/* Sets the options of both directions. Returns the text of the collection, which *o borrows and the
   caller frees; NULL if there is none or it cannot be read. */
static char *prepare_convert(arguments *a, const taco_options *opt, taco_convert_options *o,
                             taco_error *err)
{
    char *text = a->collection ? read_text(a->collection, err) : NULL;
    memset(o, 0, sizeof *o);
    o->create = a->create;
    o->create.options = opt;
    if (!o->create.progress) { o->create.progress = not_interrupted; }
    o->pad = a->pad;
    o->keep_parts = !a->create.overwrite;
    o->note = print_note;
    o->note_ctx = a;
    o->collection = text;
    return text;
}

/* A Rasteret collection is always converted as a whole, and needs --collection. */
static int convert_rasteret(const arguments *a, const taco_options *opt,
                            const taco_convert_options *o, taco_error *err)
{
    taco_rasteret_options rasteret;
    bool whole = !o->query || (!a->filter_count && !a->query.limit);
    if (!o->collection || a->word_count != 2 || !whole) {
        fprintf(stderr,
                "%s: a Rasteret collection: converted to TACO 2 one at a time and whole, with "
                "--collection FILE.json\n",
                a->words[0]);
        return USAGE;
    }
    memset(&rasteret, 0, sizeof rasteret);
    rasteret.options = opt;
    taco_rasteret_to_taco(a->words[0], a->words[1], o->collection, &rasteret, &o->create, err);
    return DONE;
}

int convert_to_taco(arguments *a, const char *format, const taco_options *opt,
                    const taco_query *query)
{
    taco_convert_options o;
    taco_error err = {0};
    size_t last = a->word_count - 1;
    char *text = prepare_convert(a, opt, &o, &err);
    int status = DONE;
    o.query = query;
    if (err.code != TACO_OK) { return report_error(&err); }
    if (strcmp(format, "rasteret") == 0) {
        status = convert_rasteret(a, opt, &o, &err);
    } else if (strcmp(format, "taco3") == 0 && !query) {
        convert_v3(a, text, &o.create, opt, &err);
    } else if (strcmp(format, "taco3") == 0) {
        status = usage_error("a TACO 3 is converted whole: export from the result", NULL);
    } else {
        taco_convert_to_taco2(a->words, last, a->words[last], &o, &err);
    }
    free(text);
    return err.code != TACO_OK ? report_error(&err) : status;
}

/* Converts a TACO 2 dataset to an old file. */
static int convert_to_old(arguments *a, const taco_options *opt)
{
    taco_convert_options o;
    taco_error err = {0};
    char *text;
    if (a->word_count != 2) {
        return usage_error("convert makes an old file from one dataset only", NULL);
    }
    text = prepare_convert(a, opt, &o, &err);
    if (err.code == TACO_OK) { taco_convert_from_taco2(a->words[0], a->words[1], &o, &err); }
    free(text);
    return err.code != TACO_OK ? report_error(&err) : DONE;
}

/* Words: OLD... NEW, or DATASET OLD. The name of the output and the format of the first dataset
   determine the direction. */
static int run_convert(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_options quiet = *opt;
    taco_dataset *ds;
    const char *format, *out;
    if (a->word_count < 2) { return usage_error("convert needs OLD... and NEW", NULL); }
    out = a->words[a->word_count - 1];
    /* a separator at its end asked for a FOLDER (replace.c) */
    if (!a->create.container && (ends_with(out, ".tortilla") || ends_with(out, ".taco"))) {
        return convert_to_old(a, opt);
    }
    /* the conversion warns; the first part alone is no reason to */
    quiet.warn = NULL;
    ds = taco_open(a->words[0], &quiet, &err);
    if (!ds) { return report_error(&err); }
    /* a constant, which outlives the dataset */
    format = taco_dataset_format(ds);
    taco_close(ds);
    if (*format) { return convert_to_taco(a, format, opt, NULL); }
    fprintf(stderr,
            "%s: already a TACO 2 dataset: name the output .tortilla or .taco to convert it back; "
            "taco export writes another container\n",
            a->words[0]);
    return FAILED;
}

static const command_option convert_options[] = {
    OPTION_AS("--collection", NULL,
              "COLLECTION.json of TACO 2, instead of one made from the old collection"),
    OPTION("--pad"),
    OPTION("--any-tree"),
    OPTION("--any-values"),
    OPTION("--files-from"),
    OPTION("--max-output"),
    OPTION("--keep-damaged"),
    OPTION("--overwrite"),
    OPTION_END,
};

const command convert_command = {
    "convert",
    "Tortilla, TACO 0.x and TACO 3 to TACO 2, and back",
    "OLD... NEW [options]\n"
    "NEW OLD.tortilla|OLD.taco",
    "Converts Tortilla and TACO 0.x files, or a TACO 3, read as one, to a TACO 2 archive "
    "(.tacozip, .zip) or FOLDER, or a TACO 2 dataset to an old file. Nested tortillas, "
    "and samples of TACO 3, become FOLDERs. Whatever the other format has no place for is listed "
    "on standard error.",
    NULL,
    NULL,
    convert_options,
    run_convert,
    true,
    true,
    true,
};
