/* ==== ROOM publish: the call of the public API. Uses: items write ==== */

/* The collection under the key that STAC GeoParquet 1.1 gives it. */
TACO__FN bool taco__geoparquet_collection_key(taco__geoparquet *x, taco_pq_key *key)
{
    taco__buf  b;
    taco_bytes id = taco__bytes_text(x->how.id);
    bool       ok;
    memset(&b, 0, sizeof b);
    b.mem = &x->mem;
    ok = taco__buf_append_text(&b, "{\"version\":\"1.1.0\",\"collections\":{", &x->err) &&
         taco__json_write_utf8(&b, id, &x->err) && taco__buf_append_char(&b, ':', &x->err) &&
         taco__buf_append_text(&b, x->how.collection, &x->err) &&
         taco__buf_append_text(&b, "}}", &x->err);
    key->key = "stac-geoparquet";
    key->value = ok ? taco__arena_text(&x->fixed, taco__bytes_of(b.data, b.len), &x->err) : NULL;
    taco__buf_free(&b);
    return key->value != NULL;
}
TACO__FN bool taco__geoparquet_write_options(taco__geoparquet *x, taco_pq_write_options *o)
{
    size_t       n = o->key_count;
    taco_pq_key *keys = (taco_pq_key *)taco__arena_array(&x->fixed, n + 1, sizeof *keys, &x->err);
    taco_pq_geometry *g =
        (taco_pq_geometry *)taco__arena_array(&x->fixed, o->geometry_count + 1, sizeof *g, &x->err);
    if (!keys || !g) {
        return false;
    }
    if (x->how.kind == TACO_PUBLISH_PARQUET) {
        return true;
    }
    memset(g, 0, sizeof *g);
    g->column = "geometry";
    g->crs = x->how.crs;
    g->covering = x->how.kind == TACO_PUBLISH_STAC
                      ? "bbox"
                      : x->how.covering; /* STAC wants bbox of an item */
    if (o->geometry_count) {
        memcpy(g + 1, o->geometries, o->geometry_count * sizeof *g);
    }
    o->geometries = g;
    o->geometry_count++;
    if (n) {
        memcpy(keys, o->keys, n * sizeof *keys);
    }
    if (x->how.kind == TACO_PUBLISH_STAC && x->how.id && x->how.collection) {
        if (!taco__geoparquet_collection_key(x, &keys[n])) {
            return false;
        }
        o->key_count++;
    }
    o->keys = keys;
    return true;
}
TACO__FN void taco__geoparquet_write_rows(taco__geoparquet *x, taco_cursor *rows,
                                          const taco_sink *sink)
{
    taco_pq_write_options o = x->how.write;
    taco_pq_writer       *w = NULL;
    taco_batch            b, out;
    if (!taco__geoparquet_plan(x) || !taco__geoparquet_write_options(x, &o)) {
        taco__sink_abort(sink);
    } else {
        w = taco_pq_write(sink, x->out, x->count, &o, &x->err);
    }
    while (w && taco_cursor_batch(rows, &b)) {
        if (!taco__geoparquet_batch_make(x, &b, &out) || taco_pq_writer_batch(w, &out) != TACO_OK) {
            break;
        }
    }
    if (taco_cursor_close(rows, &x->err) != TACO_OK || x->err.code != TACO_OK) {
        taco_pq_writer_abort(w);
    } else {
        (void)taco_pq_writer_close(w, &x->err);
    }
}
TACO_API taco_status taco_publish(taco_cursor *rows, const taco_sink *sink,
                                  const taco_publish_options *how, taco_error *err)
{
    taco__geoparquet x;
    memset(&x, 0, sizeof x);
    if (!rows || !sink || (err && err->code != TACO_OK)) {
        TACO__FAIL(&x.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                   rows ? "sink" : "rows");
        taco__sink_abort(sink);
        taco_cursor_close(rows, NULL);
    } else {
        if (how) {
            x.how = *how;
            x.how.href = how->id ? how->href : NULL; /* the link goes with the name, either way */
        }
        taco__mem_init(&x.mem, x.how.write.options);
        x.fixed.mem = x.batch.mem = &x.mem;
        x.in = taco_cursor_fields(rows, &x.in_count);
        taco__geoparquet_write_rows(&x, rows, sink);
        taco__arena_free(&x.batch);
        taco__arena_free(&x.fixed);
    }
    if (err && err->code == TACO_OK) {
        *err = x.err;
    }
    return err ? err->code : x.err.code;
}
