// snippets.js - code and commands to copy for reading a sample elsewhere

const shell = s => `'${s.replaceAll("'", `'\\''`)}'`
const c = s => JSON.stringify(s)

// List of [label, text], from a sample's path for GDAL, the dataset and the sample's id.
export function snippets (vsi, dataset, id) {
  return [
    ['VSI path', vsi],
    ['gdalinfo', `gdalinfo ${shell(vsi)}`],
    ['Python', `import rasterio\n\nwith rasterio.open(${c(vsi)}) as src:\n    pixels = src.read()\n`],
    ['C', `#define TACO_IMPLEMENTATION
#include "taco.h"
#include <stdio.h>

int main(void)
{
    taco_error err = {0};
    taco_sample at = {0};
    taco_dataset *ds = taco_open(${c(dataset)}, NULL, &err);
    if (taco_locate(ds, ${c(String(id))}, &at, &err) == TACO_OK) { puts(at.vsi); }
    taco_close(ds);
    if (err.code) { fprintf(stderr, "%s\\n", taco_error_text(&err)); }
    return err.code != TACO_OK;
}
`]
  ]
}
