/* query --explain: what a query will read, told instead of done. */
static int explain_query(const args *a, taco_dataset *ds, taco_error *err)
{
    taco_view *all = taco_view_open(ds, a->sql ? NULL : &a->query, err),
              *view = a->sql ? taco_view_sql(all, a->sql, err) : all;
    taco_plan *plan = view ? taco_view_plan(view, err) : NULL;
    taco_bytes text = {NULL, 0};
    output     out;
    int        status = plan ? output_open(&out, a->output) : FAILED;
    if (status == DONE) {
        text = a->json ? taco_plan_json(plan, err) : taco_plan_text(plan, err);
        if (put(out.file, text) && a->json) {
            putc('\n', out.file);
        }
        status = output_close(&out, a->output, err->code == TACO_OK ? DONE : FAILED);
    }
    taco_plan_free(plan);
    if (view != all) {
        taco_view_free(view);
    }
    taco_view_free(all);
    return err->code != TACO_OK ? report(err) : status;
}
