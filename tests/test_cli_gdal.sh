#!/bin/sh
# test_cli_gdal.sh - taco create --stats beside `gdalinfo -stats`, centroids in a CRS that is PROJ's alone, and the example
# that reads pixels. Needs taco-gdal beside the tool, and GDAL's own programs.
. tests/cli.sh
test -x "$(dirname "$taco")/san/taco-gdal" && taco=$(dirname "$taco")/san/taco
gdal=$(dirname "$taco")/taco-gdal
if ! [ -x "$gdal" ] || ! command -v gdal_translate >/dev/null || ! command -v gdalinfo >/dev/null; then
    echo "SKIPPED tests/test_cli_gdal.sh: no $gdal, or no gdal_translate and gdalinfo"
    good
    result
    exit
fi
mkdir "$dir/src"
cat >"$dir/c.json" <<'E'
{"id":"demo","dataset_version":"1.0.0","description":"d","licenses":["MIT"],"providers":[{"name":"x"}],"tasks":["other"]}
E
grid() { # NAME TYPE CRS: 40 x 30 pixels of a pattern, two bands, no data where it is -9
    awk -v k="$2" 'BEGIN { print "ncols 40\nnrows 30\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\nNODATA_value -9"
        for (i = 0; i < 30; i++) { for (j = 0; j < 40; j++) printf "%s ", (i * j) % 17 == 3 ? -9 : (i * 7 + j * j * 3) % 211 + (k == "Float32" ? i / 8 : 0); print "" } }' >"$dir/$1.asc"
    gdal_translate -q -ot "$2" -a_srs "$3" -of GTiff "$dir/$1.asc" "$dir/one.tif" &&
        gdal_translate -q -b 1 -b 1 -scale_2 0 255 255 0 -co TILED=YES "$dir/one.tif" "$dir/src/$1.tif"
}
grid a Float32 EPSG:32630 && grid b Int16 EPSG:5070 && cp "$dir/src/a.tif" "$dir/src/c.tif" && good || bad 'gdal_translate'
is 'create --stats' '' create "$dir/src" "$dir/d.tacozip" --collection "$dir/c.json" --stats --tiff
# numbers of each band: ours to as many digits as gdalinfo prints
for f in a b; do
    gdalinfo -stats "$dir/src/$f.tif" | awk -F'[=,]' '/STATISTICS_MINIMUM/ { a = $2 } /STATISTICS_MAXIMUM/ { b = $2 } /STATISTICS_MEAN/ { c = $2 }
        /STATISTICS_STDDEV/ { d = $2 } /STATISTICS_VALID_PERCENT/ { printf "%.4f %.4f %.4f %.4f %.2f\n", b, a, c, d, $2 }
        /STATISTICS_MAXIMUM/ { b = $2 }' | awk '{ t = $1; $1 = $2; $2 = t; print }' >"$dir/theirs"
    rm -f "$dir/src/$f.tif.aux.xml"
    "$taco" query "$dir/d.tacozip" --where "id = '$f.tif'" --select '"geotiff:stats"' --format ndjson | sed 's/.*\[\[//; s/\]\].*//; s/\],\[/\n/' |
        awk -F, '{ printf "%.4f %.4f %.4f %.4f %.2f\n", $1, $2, $3, $4, $5 }' >"$dir/ours"
    awk 'NR == FNR { a[FNR] = $0; next } { split(a[FNR], x); split($0, y)
        for (i = 1; i <= 5; i++) { d = x[i] - y[i]; if (d < 0) d = -d; if (d > 0.0005 + (i == 5 ? 0.005 : 0)) bad = 1 } } END { exit bad || FNR != 2 }' "$dir/ours" "$dir/theirs" &&
        good || bad "$f.tif: $(cat "$dir/ours") beside $(cat "$dir/theirs")"
done
# Albers is not computed in the library, by PROJ it is: no warning, and an extent
[ -s "$dir/err" ] && bad "warnings: $(cat "$dir/err")" || good
"$taco" info "$dir/d.tacozip" --json | grep -q '"spatial": *\[-' && good || bad "no extent: $("$taco" info "$dir/d.tacozip" --json)"
"$taco" validate "$dir/d.tacozip" --deep >"$dir/a" 2>&1 && good || bad "$(cat "$dir/a")"
# shares of classes: 1 and 2 of all pixels that are one of them
is '--classes' '' create "$dir/src" "$dir/e.tacozip" --collection "$dir/c.json" --stats --classes 0,3,252,255 --quiet
"$taco" query "$dir/e.tacozip" --limit 1 --select '"geotiff:stats"' --format ndjson | grep -q '\[\[0\.[0-9]*,0\.[0-9]*,0\.[0-9]*,0\.[0-9]*\],' && good || bad "$("$taco" query "$dir/e.tacozip" --limit 1 --select '"geotiff:stats"' --format ndjson)"
refuses '--classes alone' 2 '--classes needs --stats' create "$dir/src" "$dir/f.tacozip" --collection "$dir/c.json" --classes 1
# a file that is no TIFF has none, and that is told
echo no >"$dir/src/d.tif"
notes 'no TIFF' 'd.tif' create "$dir/src" "$dir/g.tacozip" --collection "$dir/c.json" --stats
is 'null' '{"geotiff:stats":null}' query "$dir/g.tacozip" --where "id = 'd.tif'" --select '"geotiff:stats"' --format ndjson
if [ -x "$bin/gdal_stats" ]; then
    "$bin/gdal_stats" >"$dir/a" 2>&1 && [ "$(grep -c '^/vsisubfile/' "$dir/a")" -eq 12 ] && grep -q '  band 1: .* mean ' "$dir/a" && good || bad "gdal_stats: $(head -5 "$dir/a")"
fi
result
