/* taco rasteret: collections of raster tiles by offset. Included by taco.c behind its common helpers. */
static const char usage_rasteret[] =
    "usage: taco rasteret header FILE.tif [--json]\n"
    "       taco rasteret validate COLLECTION\n"
    "       taco rasteret build TABLE.parquet|COLLECTION TARGET [options]\n"
    "       taco rasteret enrich TABLE.parquet|COLLECTION TARGET [options]\n"
    "       taco rasteret from-taco DATASET TARGET [options]\n"
    "       taco rasteret to-taco COLLECTION TARGET --collection FILE.json\n"
    "\n"
    "  header    what a tile reader needs of a TIFF's header, as one JSON object\n"
    "  validate  holds a collection, a directory or a Parquet file, against the schema contract\n"
    "  build     writes a collection: what the contract wants is derived where it is missing\n"
    "  enrich    the same with {band}_metadata columns from the headers of the assets; what "
    "cannot\n"
    "            be read is null, and a warning says so\n"
    "  from-taco the TIFFs of a TACO dataset as a collection; tile offsets count from the "
    "archive's\n"
    "            beginning\n"
    "  to-taco   the files of a collection's first band as a TACO dataset\n"
    "\n"
    "  --name TEXT --description TEXT --data-source TEXT --dates START,END\n"
    "  --rename COLUMN=NAME    gives a column its name in the contract, too; repeatable\n"
    "  --href-column COLUMN    where there are no assets: made of this and the bands\n"
    "  --band NAME[=INDEX]     a band, and which sample of the file it is; repeatable\n"
    "  --rewrite FROM=TO       replaces what the values of the href column begin with; repeatable\n"
    "  --partition-by COLS     instead of year,month; none: one file in the directory\n"
    "  --single                TARGET is one Parquet file\n"
    "  --base DIR              where relative hrefs begin, instead of the working directory\n";

enum { RASTERET_MOST = 256 };

static struct {
    taco_rasteret_options options;
    taco_rasteret_pair    rename[RASTERET_MOST], rewrite[RASTERET_MOST];
    taco_rasteret_band    bands[RASTERET_MOST];
    const char           *partition[RASTERET_MOST];
    char                  base[4096];
    const char           *collection;
} rasteret;

static int rasteret_pair(taco_rasteret_pair *list, size_t *n, char *value)
{
    char *equals = strchr(value, '=');
    if (!equals || *n == RASTERET_MOST) {
        return complain(value, "is not FROM=TO, or one too many");
    }
    *equals = 0;
    list[*n].from = value;
    list[(*n)++].to = equals + 1;
    return DONE;
}
static int rasteret_band(char *value)
{
    char    *equals = strrchr(value, '=');
    uint64_t index = 0;
    if (rasteret.options.band_count == RASTERET_MOST ||
        (equals && (!number(equals + 1, &index) || index > 65535))) {
        return wants("--band", "NAME or NAME=INDEX", value);
    }
    if (equals) {
        *equals = 0;
    }
    rasteret.bands[rasteret.options.band_count].name = value;
    rasteret.bands[rasteret.options.band_count++].index = (int64_t)index;
    return DONE;
}
static int rasteret_option(const char *name, char *value)
{
    taco_rasteret_options *o = &rasteret.options;
    if (strcmp(name, "--name") == 0) {
        o->name = value;
    } else if (strcmp(name, "--description") == 0) {
        o->description = value;
    } else if (strcmp(name, "--data-source") == 0) {
        o->data_source = value;
    } else if (strcmp(name, "--dates") == 0) {
        char *comma = strchr(value, ',');
        if (!comma) {
            return wants(name, "START,END", value);
        }
        *comma = 0;
        o->start_date = value;
        o->end_date = comma + 1;
    } else if (strcmp(name, "--rename") == 0) {
        return rasteret_pair(rasteret.rename, &o->rename_count, value);
    } else if (strcmp(name, "--rewrite") == 0) {
        return rasteret_pair(rasteret.rewrite, &o->rewrite_count, value);
    } else if (strcmp(name, "--collection") == 0) {
        rasteret.collection = value;
    } else if (strcmp(name, "--href-column") == 0) {
        o->href_column = value;
    } else if (strcmp(name, "--band") == 0) {
        return rasteret_band(value);
    } else if (strcmp(name, "--base") == 0) {
        size_t n = strlen(value);
        if (n + 2 > sizeof rasteret.base) {
            return complain(name, "is too long");
        }
        memcpy(rasteret.base, value, n + 1);
        if (n && value[n - 1] != '/') {
            memcpy(rasteret.base + n, "/", 2);
        }
        o->base = rasteret.base;
    } else {
        for (; *value; o->partition_count++) {
            char *comma = strchr(value, ',');
            if (o->partition_count == RASTERET_MOST) {
                return complain(name, "has too many columns");
            }
            rasteret.partition[o->partition_count] = value;
            value = comma ? comma + 1 : value + strlen(value);
            if (comma) {
                *comma = 0;
            }
        }
        if (o->partition_count == 1 && strcmp(rasteret.partition[0], "none") == 0) {
            o->partition_count = 0;
        }
        o->partition = rasteret.partition;
    }
    return DONE;
}
/* Takes the options of this command out of the command line; the others are left for parse. */
static int rasteret_options(int *argc, char **argv)
{
    static const char *const names[] = {"--name",   "--description", "--data-source",  "--dates",
                                        "--rename", "--href-column", "--band",         "--rewrite",
                                        "--base",   "--collection",  "--partition-by", "--single"};
    enum { COUNT = sizeof names / sizeof names[0] };
    int i, n = 2, k, status = DONE;
    for (i = 2; i < *argc && status == DONE; i++) {
        char *equals = strchr(argv[i], '=');
        for (k = 0; k < COUNT; k++) {
            size_t len = strlen(names[k]);
            if (strncmp(argv[i], names[k], len) == 0 &&
                (!argv[i][len] || argv[i] + len == equals)) {
                break;
            }
        }
        if (k == COUNT) {
            argv[n++] = argv[i];
        } else if (k == COUNT - 1) {
            rasteret.options.single = true;
        } else if (argv[i][strlen(names[k])]) {
            status = rasteret_option(names[k], equals + 1);
        } else if (i + 1 == *argc) {
            status = complain(names[k], "wants a value");
        } else {
            status = rasteret_option(names[k], argv[++i]);
        }
    }
    *argc = n;
    rasteret.options.rename = rasteret.rename;
    rasteret.options.rewrite = rasteret.rewrite;
    rasteret.options.bands = rasteret.bands;
    return status;
}

static int rasteret_header(const char *path, const taco_options *opt)
{
    taco_error  err = {0};
    taco_source src;
    taco_tiff  *t = NULL;
    taco_bytes  text;
    if (taco_source_file(&src, path, &err) == TACO_OK) {
        t = taco_tiff_open(&src, path, opt, &err);
        src.close(src.ctx);
    }
    if (t && taco_tiff_tiles_ok(t, &err) == TACO_OK) {
        text = taco_tiff_json(t, &err);
        if (text.len) {
            puts((const char *)text.data);
        }
    }
    taco_tiff_close(t);
    return err.code ? report(&err) : DONE;
}
/* COLLECTION.json from a file, NUL-terminated; the caller frees it. */
static char *rasteret_collection(const char *path, taco_error *err)
{
    taco_source src;
    char       *text = NULL;
    if (taco_source_file(&src, path, err) == TACO_OK) {
        text = src.size < 1U << 30 ? (char *)malloc((size_t)src.size + 1) : NULL;
        if (text) {
            text[src.size] = 0;
        }
        if (text && !src.read(src.ctx, 0, text, (size_t)src.size)) {
            free(text);
            text = NULL;
        }
        src.close(src.ctx);
    }
    return text;
}
static int rasteret_across(const char *verb, const char *source, const char *target)
{
    taco_error err = {0};
    char      *text;
    if (strcmp(verb, "from-taco") == 0) {
        return taco_rasteret_from_taco(source, target, &rasteret.options, &err) == TACO_OK
                   ? DONE
                   : report(&err);
    }
    if (!rasteret.collection) {
        return complain(verb, "wants --collection FILE.json");
    }
    text = rasteret_collection(rasteret.collection, &err);
    if (!text && !err.code) {
        fprintf(stderr, "%s: reading failed\n", rasteret.collection);
        return FAILED;
    }
    if (text) {
        taco_rasteret_to_taco(source, target, text, &rasteret.options, NULL, &err);
    }
    free(text);
    return err.code ? report(&err) : DONE;
}
static int run_rasteret(args *a, const taco_options *opt)
{
    static const char *const verbs[] = {"header", "validate",  "build",
                                        "enrich", "from-taco", "to-taco"};
    const char              *verb = a->word_count ? a->words[0] : "";
    taco_error               err = {0};
    size_t                   i;
    bool                     enrich = strcmp(verb, "enrich") == 0;
    if (strcmp(verb, "header") == 0 && a->word_count == 2) {
        return rasteret_header(a->words[1], opt);
    }
    if (strcmp(verb, "validate") == 0 && a->word_count == 2) {
        return taco_rasteret_validate(a->words[1], opt, &err) == TACO_OK ? DONE : report(&err);
    }
    if ((strcmp(verb, "from-taco") == 0 || strcmp(verb, "to-taco") == 0) && a->word_count == 3) {
        rasteret.options.options = opt;
        return rasteret_across(verb, a->words[1], a->words[2]);
    }
    if ((enrich || strcmp(verb, "build") == 0) && a->word_count == 3) {
        rasteret.options.options = opt;
        rasteret.options.enrich = enrich;
        return taco_rasteret_build(a->words[1], a->words[2], &rasteret.options, &err) == TACO_OK
                   ? DONE
                   : report(&err);
    }
    for (i = 0; i < sizeof verbs / sizeof verbs[0] && strcmp(verb, verbs[i]) != 0; i++) {
    }
    return i < sizeof verbs / sizeof verbs[0]
               ? complain(verb, i < 2 ? "wants one FILE (see taco rasteret --help)"
                                      : "wants a source and a TARGET (see taco rasteret --help)")
               : wants("rasteret", "header, validate, build, enrich, from-taco or to-taco", verb);
}
