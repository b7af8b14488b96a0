/* int96_units.c - the unit that columns of INT96 have in Arrow, which must be known before the rows

   In: columns of tables. Out: taco_field.unit of INT96: none, which is nanoseconds; TACO_MICRO
   where a value is outside of what 64 bits of nanoseconds hold, 1677 to 2262; TACO_MILLI, which
   hold all that an INT96 has, where one is beyond microseconds: the finest that holds all values.
   Neither statistics nor the schema tell: INT96 has no order in Parquet (parquet.thrift,
   ColumnOrder), so that the values are read once more. c_schema.c and c_array.c use the unit. */
#include "scan.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"

TACO__FN bool taco__int96_units_has(const taco_field *f)
{
    uint32_t i;
    for (i = 0; i < f->child_count; i++) {
        if (taco__int96_units_has(&f->children[i])) { return true; }
    }
    return f->type == TACO_INT96;
}

/* Looks at the values of an array and of those below it. */
static void taco__int96_units_look(const taco_array *a, taco__int96_seen *seen)
{
    size_t i;
    if (a->null_count == a->length) { return; }
    for (i = 0; i < a->field->child_count; i++) {
        taco__int96_units_look(&a->children[i], seen);
    }
    for (i = 0; a->field->type == TACO_INT96 && i < a->length; i++) {
        int64_t value, nanos;
        const uint8_t *p = a->v.u8 + i * 12;
        if (!taco_array_valid(a, i)) { continue; }
        nanos = (int64_t)taco__load_le64(p);
        seen->has_nanos = seen->has_nanos || nanos % 1000 != 0;
        seen->has_micros = seen->has_micros || nanos % 1000000 != 0;
        if (!taco__time_int96_to(p, TACO_NANO, &value)) {
            seen->beyond_nanos = true;
            seen->beyond_micros =
                seen->beyond_micros || !taco__time_int96_to(p, TACO_MICRO, &value);
        }
    }
}

TACO__FN bool taco__int96_units_read(const taco__table *t, size_t column, taco__mem *mem,
                                     taco__int96_seen *seen, taco_error *err)
{
    taco__scan *s = (taco__scan *)taco__mem_alloc(mem, sizeof *s, err);
    const uint32_t *rows;
    uint64_t base;
    bool ok;
    if (!s) { return false; }
    ok = taco__scan_open(s, t, NULL, NULL, &column, 1, 0, mem, err);
    while (ok && !(seen->beyond_micros && seen->has_micros) &&
           taco__scan_next(s, SIZE_MAX, true, &rows, &base, err)) {
        taco__int96_units_look(s->out.arrays, seen);
    }
    taco__scan_close(s);
    taco__mem_free(mem, s, sizeof *s);
    return ok && err->code == TACO_OK;
}

/* The field and those below it, copies that may be changed. */
static void taco__int96_units_set(taco_field *f, taco_unit unit)
{
    uint32_t i;
    for (i = 0; i < f->child_count; i++) {
        taco__int96_units_set((taco_field *)&f->children[i], unit);
    }
    if (f->type == TACO_INT96) { f->unit = unit; }
}

TACO__FN bool taco__int96_units_choose(taco__arena *arena, const taco__int96_seen *seen,
                                       const taco_options *options, taco_field *f, taco_error *err)
{
    taco_bytes name = taco__bytes_text(f->name);
    taco_field copy;
    taco_error w;
    if (!seen->beyond_nanos) { return true; }
    if (!taco__field_copy(arena, f, &copy, err)) { return false; }
    taco__int96_units_set(&copy, seen->beyond_micros ? TACO_MILLI : TACO_MICRO);
    *f = copy;
    memset(&w, 0, sizeof w);
    if (options->warn && (seen->beyond_micros ? seen->has_micros : seen->has_nanos)) {
        TACO__FAIL(
            &w, TACO_ERR_TYPE, TACO_NO_OFFSET,
            "column %q: with INT96 times outside of %s it leaves as %s, and digits below are "
            "cut",
            &name, seen->beyond_micros ? "-290308 to 294247" : "1677 to 2262",
            seen->beyond_micros ? "milliseconds" : "microseconds");
        options->warn(options->warn_ctx, &w);
    }
    return true;
}
