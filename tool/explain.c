/* explain.c - taco query --explain: the plan of a query instead of its rows: the row groups and
   pages that would be read and those that are pruned, columns, bytes, requests. */
#include "tool.h"

int explain_query(const arguments *a, taco_dataset *ds, taco_error *err)
{
    taco_view *view = open_view(a, ds, err);
    taco_plan *plan = view ? taco_view_plan(view, err) : NULL;
    output out;
    int status = plan ? output_open(&out, a->output) : FAILED;
    if (status == DONE) {
        taco_bytes text = a->json ? taco_plan_json(plan, err) : taco_plan_text(plan, err);
        const taco_bytes newline = {(const uint8_t *)"\n", 1};
        if (out.terminal && !a->json) {
            print_lines(text);
        } else if (output_write(&out, text) && a->json) {
            output_write(&out, newline);
        }
        status = output_close(&out, a->output, err->code == TACO_OK ? DONE : FAILED);
    }
    taco_plan_free(plan);
    taco_view_free(view);
    return err->code != TACO_OK ? report_error(err) : status;
}
