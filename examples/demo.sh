#!/bin/sh
# demo.sh TACO - run by `make demo`: filters a bundled dataset of GeoTIFFs three ways, prints paths, and opens one with GDAL.
set -e
taco=${1:-build/taco} data=examples/data/geo_stac.tacozip

say() { printf '\n$ %s\n' "$*"; }
say "taco info $data"
"$taco" info "$data"

say "taco query $data --bbox=-10,35,30,60 --time 2020-01-01/2023-12-31 \\"
printf "       --where '\"scaling:scale_factor\" < 0.9' --select 'id, \"stac:crs\", \"stac:time_start\"'\n"
"$taco" query "$data" --bbox=-10,35,30,60 --time 2020-01-01/2023-12-31 \
    --where '"scaling:scale_factor" < 0.9' --select 'id, "stac:crs", "stac:time_start"'

say "the same with --format vsi: the paths GDAL opens"
paths=$("$taco" query "$data" --bbox=-10,35,30,60 --time 2020-01-01/2023-12-31 \
    --where '"scaling:scale_factor" < 0.9' --format vsi)
printf '%s\n' "$paths"
[ -n "$paths" ] || { echo "demo: no paths" >&2; exit 1; }

first=$(printf '%s\n' "$paths" | head -n 1)
if command -v gdalinfo >/dev/null 2>&1; then
    say "gdalinfo $first"
    told=$(gdalinfo "$first") # all of it would fill the screen
    printf '%s\n' "$told" | grep -E '^(Driver|Files|Size|Origin|Pixel|Upper Left|Lower Right|Center|Band)'
else
    printf '\n(gdalinfo is not installed; with GDAL, this opens the first one:\n  gdalinfo %s)\n' "$first"
fi
