/* gdal_bridge.h - between the library and GDAL: files both ways, images, and the /vsitaco/ paths

   vsi_source.c     GDAL's files as taco_source; taco_gdal_open_file. Start here
   vsi_sink.c       GDAL's files as taco_sink
   image_read.c     a sample as a GDAL dataset, windows of it as arrays
   image_facts.c    pixels, CRS, geotransform, centroid and footprint, for the writer
   vsitaco_path.c   splits DATASET/ID/ID
   vsitaco.c        the file system: datasets that are kept open, their samples as files, listings

   The folder is above all others, and only its sources include GDAL's headers: they are not part of
   the library, and are compiled only if GDAL is installed. Errors: GDAL's own message is appended
   to ours (taco__vsi_source_fail), and GDAL prints nothing while one of our calls runs. */
#ifndef TACO__GDAL_BRIDGE_H
#define TACO__GDAL_BRIDGE_H

#include "../api/taco_gdal.h"
#include "../base/base.h"
#include "../dataset/gdal_path.h"
#include "../dataset/navigation.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_multiproc.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <errno.h>
#include <ogr_srs_api.h>

/* ---- vsi_source.c ---- */

/* Begin and end one of our calls, during which GDAL prints nothing. The first also clears older
   messages. */
TACO__FN void taco__vsi_source_quiet(void);
TACO__FN void taco__vsi_source_loud(void);
/* Sets err to "NAME: WHAT: what GDAL said last". */
TACO__FN TACO__COLD taco_status taco__vsi_source_fail(taco_error *err, taco_status code,
                                                      const char *name, const char *what);
/* The name of a file for GDAL, NUL-terminated: URLs become GDAL paths. */
TACO__FN bool taco__vsi_source_name(taco__buf *out, const char *path, taco_error *err);

/* ---- vsitaco_path.c ---- */

/* A path below /vsitaco/: the dataset, and the keys of a sample, "" for the dataset itself. Both
   are NUL-terminated in one buffer. */
typedef struct taco__vsitaco_path {
    taco__buf text;
    const char *dataset, *keys;
} taco__vsitaco_path;

/* False, without an error, if the path names no dataset. */
TACO__FN bool taco__vsitaco_split(taco__vsitaco_path *p, const char *path);

#endif /* TACO__GDAL_BRIDGE_H */
