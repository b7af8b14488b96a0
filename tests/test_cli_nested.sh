#!/bin/sh
# test_cli_nested.sh - the usual dataset, 30 FOLDERs of an image and a mask: made from GeoTIFFs, it has places and times on
# level 0, and every command and format works on FOLDERs.
. tests/cli.sh
cat >"$dir/c.json" <<'E'
{"id":"demo","dataset_version":"1.0.0","description":"d","licenses":["MIT"],"providers":[{"name":"x"}],"tasks":["semantic-segmentation"]}
E

# placed FROM BYTES: a TIFF at $north, whose sixth byte, of a double after so many bytes, is 1024 m each
placed() { # FILE BYTES
    head -c "$2" "$1" && printf "\\$north" && tail -c +$(($2 + 2)) "$1"
}
scenes=$dir/scenes tile=$data/nested_folder/DATA/tile_01
echo id,stac:time_start,stac:time_end >"$dir/times.csv"
echo id,split,cloud >"$dir/tiles.csv"
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    mkdir -p "$scenes/tile_$i"
    north=$(printf '%03o' $((200 + ${i#0})))
    placed "$tile/image" 291 >"$scenes/tile_$i/image.tif"
    placed "$tile/label" 255 >"$scenes/tile_$i/mask.tif"
    for f in image mask; do echo "tile_$i/$f.tif,2020-01-${i}T10:00:00,2020-01-${i}T12:00:00"; done >>"$dir/times.csv"
    case $i in 2* | 30) split=test ;; *) split=train ;; esac
    echo "tile_$i,$split,$i.5" >>"$dir/tiles.csv"
done
d=$dir/demo.tacozip
is create '' create "$scenes" "$d" --collection "$dir/c.json" --samples "$dir/tiles.csv" --samples "$dir/times.csv" --tiff
is validate 'valid: 90 rows, 0 warnings' validate "$d" --deep

# ---- filters of level 0
rows 'all' 30 query "$d"
rows 'a box' 30 query "$d" --bbox=-4,39,0,41
rows 'no box' 0 query "$d" --bbox=10,39,11,41
rows 'a box of some' 10 query "$d" --bbox=-4,39.94,0,41
rows 'a time' 10 query "$d" --time 2020-01-11/2020-01-20
is 'columns' 'id       stac:crs    stac:tensor_shape  stac:time_middle            stac:centroid
tile_01  EPSG:32630  [12,16]            2020-01-01T11:00:00.000000  POINT (-2.99907 39.7586)' query "$d" --limit 1 --select id,stac:crs,stac:tensor_shape,stac:time_middle,stac:centroid

# ---- filters test the rows of --table; names of other levels
rows 'FILEs by their own id' 30 query "$d" --table l1 --where "id = 'image.tif'"
rows 'of a level' 30 query "$d" --table level1 --where "id = 'image.tif'"
rows 'images of a split' 11 query "$d" --table l1 --where "l0:split = 'test' AND l1:id = 'image.tif'"
rows 'FOLDERs of an image' 11 query "$d" --where "split = 'test' AND l1:id = 'image.tif'"
rows 'another level' 22 query "$d" --table l1 --level 0 --where "split = 'test'"
refuses 'a column of another level' 1 'level 0 has it: l0:split' query "$d" --table l1 --where "split = 'test'"
refuses 'a place of another level' 1 'level 0 has stac:centroid (--level 0)' query "$data/nested.tacozip" --table l1 --bbox 0,0,1,1
refuses 'a time of another level' 1 'level 0 has stac:time_start (--level 0)' query "$data/nested.tacozip" --table level1 --time 2020
notes 'no places of a map' 'level 0 has stac:centroid (--table level0)' query "$data/nested.tacozip" --table level1 --format map
notes 'no places in GeoJSON' 'level 0 has stac:centroid (--table level0)' query "$data/nested.tacozip" --table level1 --format geojson
refuses 'no places in GeoParquet' 1 'level 0 has stac:centroid (--table level0)' query "$data/nested.tacozip" --table level1 -o "$dir/no.geoparquet"
refuses 'no tiles' 1 'FILEs are in --table l1' query "$d" --format gti
rows 'a box and a time of FILEs' 20 query "$d" --table l1 --time 2020-01-11/2020-01-20 --bbox=-4,39,0,41

# ---- every format has the places
"$taco" query "$d" --format geojson >"$dir/f.geojson"
[ "$(grep -c '"geometry":{"type":"Polygon"' "$dir/f.geojson")" -eq 30 ] && good || bad 'GeoJSON'
for f in geoparquet stac-geoparquet; do
    is "$f" '' query "$d" --format "$f" -o "$dir/f.$f"
    "$taco" parquet cat "$dir/f.$f" --select geometry --format ndjson >"$dir/out"
    [ "$(grep -c '"geometry":"0103' "$dir/out")" -eq 30 ] && good || bad "$f: $(head -n 1 "$dir/out")"
done
# of FILEs below FOLDERs, too
for f in geoparquet stac-geoparquet; do
    is "$f of FILEs" '' query "$d" --table l1 --where "id = 'mask.tif'" --format "$f" -o "$dir/l1.$f"
    "$taco" parquet cat "$dir/l1.$f" --select geometry --format ndjson >"$dir/out"
    [ "$(grep -c '"geometry":"0103' "$dir/out")" -eq 30 ] && good || bad "$f of FILEs: $(head -n 1 "$dir/out")"
done
says 'ids of items' '{"id":"tile_30/mask.tif","proj:code":"EPSG:32630","proj:shape":[12,16]}' parquet cat "$dir/l1.stac-geoparquet" --select id,proj:code,proj:shape --format ndjson
"$taco" query "$d" --format map >"$dir/map" && grep -q '30 samples' "$dir/map" && good || bad "map: $(tail -n 2 "$dir/map")"
is report '' report "$d" -o "$dir/r.html" --thumbnails 0 --where "split = 'test'"
grep -q '>11 footprints<' "$dir/r.html" && good || bad 'a map in the report'
result
