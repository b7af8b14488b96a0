// snippets.js - code and commands to copy for reading a sample elsewhere

const shell = s => `'${s.replaceAll("'", `'\\''`)}'`
const c = s => JSON.stringify(s)

// List of [label, text]: for the row of a sample and its path for GDAL. place: {dataset, path} in the dataset, or null.
export function snippets (vsi, row, place) {
  const path = ['VSI path', vsi]
  if (row.type === 'FOLDER') return [path]
  return [
    path,
    ['gdalinfo', `gdalinfo ${shell(vsi)}`],
    ['Python', `import rasterio\n\nwith rasterio.open(${c(vsi)}) as src:\n    pixels = src.read()\n`],
    ['C', place ? located(place) : opened(vsi)]
  ]
}

// Finds the sample in its dataset; one at a URL is read through GDAL.
function located ({ dataset, path }) {
  const isUrl = /^https?:/i.test(dataset)
  return `#define TACO_IMPLEMENTATION
#include "${isUrl ? 'taco_gdal.h" /* link with -lgdal */' : 'taco.h"'}
#include <stdio.h>

int main(void)
{
    taco_error err = {0};
    taco_options options = {0};
    taco_sample at = {0};
    taco_dataset *ds;
${isUrl ? '    options.open_file = taco_gdal_open_file;\n' : ''}    ds = taco_open(${c(dataset)}, &options, &err);
    if (taco_locate(ds, ${c(path)}, &at, &err) == TACO_OK) { puts(at.vsi); }
    taco_close(ds);
    if (err.code) { fprintf(stderr, "%s\\n", taco_error_text(&err)); }
    return err.code != TACO_OK;
}
`
}

// Opens the path for GDAL, as the place in the dataset is not known.
const opened = vsi => `#include <gdal.h> /* link with -lgdal */
#include <stdio.h>

int main(void)
{
    GDALDatasetH image;
    GDALAllRegister();
    image = GDALOpen(${c(vsi)}, GA_ReadOnly);
    if (!image) { return 1; }
    printf("%d x %d, %d bands\\n", GDALGetRasterXSize(image), GDALGetRasterYSize(image), GDALGetRasterCount(image));
    GDALClose(image);
    return 0;
}
`
