/* ==== ROOM collcheck: COLLECTION.json by itself. Uses: finding model coll. Spec: TACO 2.0 §5.6 ==== */

/* A breach of the rules of room model. */
TACO__FN bool taco__check_collection_report(void *ctx, bool warning, const taco_error *what)
{
    taco__findings *f = (taco__findings *)ctx;
    taco__findings_report(f, !warning, what);
    return !f->stop;
}
TACO__FN void taco__check_collection_repeated_keys(taco__findings *f, const taco__json *root)
{
    const taco__json *key;
    size_t            i;
    taco__findings_set_place(f, "COLLECTION.json");
    for (i = 0, key = taco__json_first(root); i < root->count && i < 1000;
         i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        if (taco__json_get_bytes(root, name) != key + 1) {
            TACO__FINDINGS_WARN(f, "the key %q occurs twice, the last one counts", &name);
        }
    }
}
/* taco:field_schema: an object of levels, each a list of [name, type, description]. */
TACO__FN void taco__check_collection_field_schema(taco__findings *f, const taco__json *n)
{
    const taco__json *key, *row;
    size_t            i, k;
    taco__findings_set_place(f, "COLLECTION.json: taco:field_schema");
    if (taco__rules_is_null(n)) {
        TACO__FINDINGS_WARN(f, "taco:field_schema is missing");
        return;
    }
    if (!taco__json_is(n, TACO__JSON_OBJECT)) {
        TACO__FINDINGS_ERROR(f, "must be an object of levels, found %s", taco__json_type_name(n));
        return;
    }
    for (i = 0, key = taco__json_first(n); i < n->count; i++, key = taco__json_next(key + 1)) {
        taco_bytes        name = taco__json_bytes(key);
        const taco__json *list = key + 1;
        taco__findings_set_place(f, "COLLECTION.json: taco:field_schema: %q", &name);
        if (!taco__json_is(list, TACO__JSON_ARRAY)) {
            TACO__FINDINGS_ERROR(f, "must be an array of fields, found %s",
                                 taco__json_type_name(list));
            continue;
        }
        for (k = 0, row = taco__json_first(list); k < list->count;
             k++, row = taco__json_next(row)) {
            if (!taco__json_text(taco__json_at(row, 0)) ||
                !taco__json_text(taco__json_at(row, 1))) {
                TACO__FINDINGS_ERROR(f, "field %u must be [name, type, description]", TACO__U(k));
            }
        }
    }
}
/* What can be said of the document alone. */
TACO__FN void taco__check_collection_document(taco__findings *f, const taco__collection *c)
{
    taco__check_collection_repeated_keys(f, c->doc.root);
    taco__findings_set_place(f, "COLLECTION.json");
    taco__rules_check_collection(&c->doc, false, taco__check_collection_report, f);
    taco__check_collection_field_schema(f, c->field_schema);
    taco__findings_end_table(f, "COLLECTION.json");
}
