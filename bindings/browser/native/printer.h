/* printer.h - exports of a module that turns batches into text or Arrow. The including file defines
   `options` and `failure`. */
EXPORT("printer_open")
taco_printer *printer_open(const taco_field *fields, size_t n, taco_format format)
{
    return taco_printer_open(fields, n, format, &options, &failure);
}

EXPORT("printer_batch") void printer_batch(taco_printer *p, const taco_batch *b, taco_bytes *out)
{
    *out = taco_printer_batch(p, b, &failure);
}

EXPORT("printer_close") void printer_close(taco_printer *p)
{
    taco_printer_close(p);
}
