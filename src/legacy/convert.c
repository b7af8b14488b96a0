/* convert.c - what conversions to TACO 2 and back have in common: options, memory, notes

   Both open their source with the opener of old files, keep their results in one arena until
   taco__convert_free, and report everything that the other format cannot express to the caller's
   taco_convert_options.note. */
#include "legacy.h"
#include "../base/base.h"

TACO__FN void taco__convert_note(taco__conversion *f, const char *text, const char *what)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    if (f->opt.note) {
        TACO__FAIL(&e, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, text, what);
        f->opt.note(f->opt.note_ctx, e.text);
    }
}

TACO__FN void taco__convert_init(taco__conversion *f, const taco_convert_options *opt,
                                 taco_error *err)
{
    memset(f, 0, sizeof *f);
    if (opt) { f->opt = *opt; }
    taco__options_init(&f->options, f->opt.create.options);
    f->openers[0] = taco_legacy_opener();
    f->options.openers = f->openers;
    f->opt.create.options = &f->options;
    taco__mem_init(&f->mem, &f->options);
    f->arena.mem = &f->mem;
    f->err = err;
}

TACO__FN void taco__convert_free(taco__conversion *f)
{
    taco__arena_free(&f->arena);
    taco_close(f->ds);
    f->ds = NULL;
}
