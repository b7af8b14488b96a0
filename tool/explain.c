/* explain.c - taco query --explain: the plan of a query instead of its rows: the row groups and
   pages that would be read and those that are pruned, columns, bytes, requests. */
#include "tool.h"

int explain_query(const arguments *a, taco_dataset *ds, taco_error *err)
{
    taco_view *all = taco_view_open(ds, a->sql ? NULL : &a->query, err);
    taco_view *view = a->sql ? taco_view_sql(all, a->sql, err) : all;
    taco_plan *plan = view ? taco_view_plan(view, err) : NULL;
    output out;
    int status = plan ? output_open(&out, a->output) : FAILED;
    if (status == DONE) {
        taco_bytes text = a->json ? taco_plan_json(plan, err) : taco_plan_text(plan, err);
        if (write_bytes(out.file, text) && a->json) { putc('\n', out.file); }
        status = output_close(&out, a->output, err->code == TACO_OK ? DONE : FAILED);
    }
    taco_plan_free(plan);
    /* without SQL the two are one */
    if (view != all) { taco_view_free(view); }
    taco_view_free(all);
    return err->code != TACO_OK ? report_error(err) : status;
}
