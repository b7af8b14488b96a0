#!/bin/sh
# test_cli_write.sh - what writers of the tool are asked for: Parquet options of the tables, TACO_HEADER and members of
# archives, columns that are computed.
. tests/cli.sh
case $taco in /*) tool=$taco ;; *) tool=$PWD/$taco ;; esac
mkdir "$dir/src" && for i in 1 2 3; do echo "payload $i" >"$dir/src/f$i.bin"; done
cat >"$dir/c.json" <<'E'
{"id":"demo","dataset_version":"1.0.0","description":"d","licenses":["MIT"],"providers":[{"name":"x"}],"tasks":["other"]}
E
create() { # OUT ARGUMENTS...
    out=$1
    shift
    is "create $out" '' create "$dir/src" "$dir/$out" --collection "$dir/c.json" "$@"
}
member() { # ARCHIVE NUMBER FILE: the bytes of a range of TACO_HEADER
    range=$("$taco" archive header "$1" | sed -n "${2}p")
    tail -c +$((${range%:*} + 1)) "$1" | head -c "${range#*:}" >"$3"
}

# ---- tables of the metadata have every option of Parquet
create d.tacozip --codec gzip:9 --page-rows 2 --no-statistics --bloom
member "$dir/d.tacozip" 1 "$dir/l0.parquet"
"$taco" parquet meta "$dir/l0.parquet" >"$dir/a" 2>&1
if grep -q 'GZIP.*bloom' "$dir/a" && ! grep -q ZSTD "$dir/a"; then good; else bad "create --codec gzip --bloom: $(cat "$dir/a")"; fi
is 'export takes them' '' export "$dir/d.tacozip" "$dir/e.tacozip" --codec none --no-page-index
member "$dir/e.tacozip" 1 "$dir/l0.parquet"
"$taco" parquet meta "$dir/l0.parquet" >"$dir/a" 2>&1
if grep -q 'NONE\|UNCOMPRESSED' "$dir/a" && ! grep -q 'page index' "$dir/a"; then good; else bad "export --no-page-index: $(cat "$dir/a")"; fi
cp "$dir/d.tacozip" "$dir/d2.tacozip"
is 'tacocat takes them' '' tacocat "$dir/.tacocat" "$dir/d.tacozip" "$dir/d2.tacozip" --codec snappy --bloom
"$taco" parquet meta "$dir/.tacocat/level0.parquet" >"$dir/a" 2>&1
if grep -q 'SNAPPY.*bloom' "$dir/a" && ! grep -q ZSTD "$dir/a"; then good; else bad "tacocat --codec snappy: $(cat "$dir/a")"; fi

# ---- columns with names of the format: `path` is a user's column in every writer, the others are refused by all
printf 'id,path,row\nf1.bin,199,31\nf2.bin,200,32\nf3.bin,201,33\n' >"$dir/path.csv" && cut -d, -f1,2 "$dir/path.csv" >"$dir/path2.csv"
create path.tacozip --samples "$dir/path.csv" && create plain.tacozip
is 'add of a path' '' add "$dir/plain.tacozip" --samples "$dir/path2.csv"
is 'export of a path' '' export "$dir/path.tacozip" "$dir/path.folder"
is 'folder2zip of a path' '' folder2zip "$dir/path.folder" "$dir/again.tacozip"
for x in path.tacozip plain.tacozip path.folder again.tacozip; do
    is "$x keeps its path" "$(cat "$dir/path2.csv")" query "$dir/$x" --select id,path --format csv
done
for x in type Type ID internal:x Internal:Size; do
    sed "1s/path/$x/" "$dir/path2.csv" >"$dir/taken.csv"
    refuses "create with $x" 1 "taken.csv: column '$x': id, type and internal:* are the format's own" \
        create "$dir/src" "$dir/taken.tacozip" --collection "$dir/c.json" --samples "$dir/taken.csv"
    refuses "add of $x" 1 "taken.csv: column '$x': id, type and internal:* are the format's own" add "$dir/path.tacozip" --samples "$dir/taken.csv"
done

# ---- TACO_HEADER, and archives of any files
header=$("$taco" archive header "$dir/d.tacozip")
is 'a header as JSON' "[$(echo "$header" | sed 's/\(.*\):\(.*\)/{"offset":\1,"size":\2}/' | paste -sd, -)]" archive header "$dir/d.tacozip" --json
member "$dir/d.tacozip" 2 "$dir/a" && grep -q '"id": "demo"' "$dir/a" && good || bad 'the last range is no COLLECTION.json'
is 'an archive' '' archive create "$dir/a.zip" "x/y=$dir/c.json" "z=$dir/src/f1.bin" --list z
member "$dir/a.zip" 1 "$dir/a" && same 'a listed member' "$dir/a" "$dir/src/f1.bin"
is 'a member is replaced' '' archive replace "$dir/a.zip" z "$dir/src/f2.bin"
member "$dir/a.zip" 1 "$dir/a" && same 'a replaced member' "$dir/a" "$dir/src/f2.bin"
is 'a header is set' '' archive set-header "$dir/a.zip" 0:4 30:11
is 'a header that was set' '0:4
30:11' archive header "$dir/a.zip"
refuses 'a range outside' 1 'range 0: 99999999 bytes at 0' archive set-header "$dir/a.zip" 0:99999999
refuses 'no such member' 1 "no member is named 'q'" archive replace "$dir/a.zip" q "$dir/c.json"
refuses 'a sample' 1 "'DATA/f1.bin' is a sample" archive replace "$dir/d.tacozip" DATA/f1.bin "$dir/c.json"
refuses 'no range' 2 "needs OFFSET:SIZE, not '5'" archive set-header "$dir/a.zip" 5
refuses 'lists no member' 2 '--list names something that is not a member' archive create "$dir/b.zip" "z=$dir/c.json" --list y
refuses 'no verb' 2 'archive needs header, set-header, create or replace' archive shred "$dir/a.zip"

# ---- columns that are computed: centroids of a CRS that is known, cells of a grid with another range and separator
row() { # FILE CRS NORTH END
    printf '{"id":"%s","stac:crs":"%s","stac:tensor_shape":[2,2],"stac:geotransform":[10,1,0,%s,0,-1],"stac:time_start":"2020-01-01","stac:time_end":"%s"}\n' "$@"
}
{ row f1.bin EPSG:4326 50 2020-01-03 && row f2.bin EPSG:4326 80 2020-01-02 && row f3.bin EPSG:4326 -9 2020-01-02; } >"$dir/s.ndjson"
create g.tacozip --samples "$dir/s.ndjson" --majortom 100 --majortom-range=-60,60 --majortom-separator -
is 'a grid' 'id,majortom:code,stac:time_middle
f1.bin,0100km-0054U-0008R,2020-01-02T00:00:00.000000
f2.bin,0100km-0067U-0006R,2020-01-01T12:00:00.000000
f3.bin,0100km-0012D-0012R,2020-01-01T12:00:00.000000' query "$dir/g.tacozip" --select '"id","majortom:code","stac:time_middle"' --format csv
sed 's/4326/5070/' "$dir/s.ndjson" >"$dir/t.ndjson"
notes 'places that are not known' 'has no extent.spatial' create "$dir/src" "$dir/u.tacozip" --collection "$dir/c.json" --samples "$dir/t.ndjson"
"$taco" info "$dir/u.tacozip" --json >"$dir/a" && ! grep -q '180.0' "$dir/a" && grep -q '2020-01-01T00:00:00' "$dir/a" && good || bad "an extent: $(cat "$dir/a")"
"$taco" validate "$dir/u.tacozip" --deep >"$dir/a" 2>&1 && good || bad "no box, validated: $(cat "$dir/a")"
create v.tacozip --samples "$dir/t.ndjson" --no-derived --quiet
"$taco" query "$dir/v.tacozip" --format csv | head -n 1 | grep -q 'centroid\|middle' && bad '--no-derived' || good

# ---- a tortilla has all columns of its table, however many: `path`, the last one, too
awk 'BEGIN { for (k = 0; k < 4; k++) { printf k ? "f" k ".bin" : "id"; for (i = 0; i < 4200; i++) printf k ? ",1" : ",c" i; print "" } }' >"$dir/wide.csv"
create wide.tacozip --samples "$dir/wide.csv" --codec none
"$taco" query "$dir/wide.tacozip" --sql "SELECT * EXCLUDE (id, type), id AS \"tortilla:id\", 'BYTES' AS \"tortilla:file_format\", 'src/' || id AS path FROM data" -o "$dir/wide.parquet" --quiet
"$taco" tortilla create "$dir/wide.parquet" "$dir/wide.tortilla" --quiet >"$dir/a" 2>&1
"$taco" query "$dir/wide.tortilla" --select c0,c4199 --format csv --limit 1 >>"$dir/a" 2>&1
[ "$(cat "$dir/a")" = 'c0,c4199
1,1' ] && good || bad "wide tortilla: $(cut -c1-200 "$dir/a")"

# ---- rules of the extensions: refused where data is made, told where it is copied
printf 'id,split\nf1.bin,train\nf2.bin,holdout\nf3.bin,test\n' >"$dir/v.csv"
echo '{"id": 5}' >"$dir/bad.json"
refuses 'a collection that is none' 1 "$dir/bad.json: at byte 7: id must be a string, found a number" create "$dir/src" "$dir/w.tacozip" --collection "$dir/bad.json"
refuses 'a split' 1 'holdout' create "$dir/src" "$dir/w.tacozip" --collection "$dir/c.json" --samples "$dir/v.csv"
create w.tacozip --samples "$dir/v.csv" --any-values
notes 'an export tells' "sample 1 of level 0, 'f2.bin'" export "$dir/w.tacozip" "$dir/w2.tacozip"
refuses 'no more payload than --max-output' 1 'limits.max_output is 10' export examples/data/nested.tacozip "$dir/m.tacozip" --max-output 10
refuses 'which is a size' 2 '--max-output' export examples/data/nested.tacozip "$dir/m.tacozip" --max-output 0
is 'unless it is to be so' '' export "$dir/w.tacozip" "$dir/w3.tacozip" --any-values

# ---- a damaged payload is not written, nor shown, unless it is to be so
sed 's/payload 2/payload 7/' "$dir/w.tacozip" >"$dir/bad.tacozip"
for how in "export $dir/bad.tacozip $dir/bad.zip" "zip2folder $dir/bad.tacozip $dir/bad.folder" \
    "convert $dir/bad.tacozip $dir/bad.tortilla" "get $dir/bad.tacozip f2.bin -o $dir/bad.bin"; do
    refuses "${how%% *}: damaged" 1 "sample 'f2.bin': its bytes are damaged" $how --quiet
    notes "${how%% *} --keep-damaged" "they are copied" $how --keep-damaged
done

# ---- several datasets into one, by filters and by SQL over all of them
nested=examples/data/nested.tacozip
is 'two into one' '' export "$nested" examples/data/multi "$dir/both.tacozip" --quiet \
    --sql "SELECT id FROM data WHERE \"internal:source_file\" = 'nested.tacozip' AND id < 'tile_02' OR id > 'tile_03'"
is 'samples of both' 'id
tile_00
tile_01
tile_04
tile_05' query "$dir/both.tacozip" --select id --format csv
rows 'files of both' 12 query "$dir/both.tacozip" --table level1
is 'two by a filter' '' export "$nested" examples/data/multi "$dir/late.tacozip" --where "id > 'tile_03'" --quiet
rows 'by a filter' 2 query "$dir/late.tacozip"
"$taco" validate "$dir/both.tacozip" --deep >"$dir/a" 2>&1 && good || bad "samples of two: $(cat "$dir/a")"
"$taco" info "$dir/both.tacozip" --json | grep -q '"root":{"n":4,' && good || bad 'pit_schema of samples of two'
refuses 'one id twice' 1 "both have the id 'tile_00'" export "$nested" examples/data/multi "$dir/x.tacozip" --quiet

# ---- no copy loses rows, or makes what validate refuses
mkdir -p "$dir/nest/s1" "$dir/nest/s2" && for i in s1/a s1/b s2/a s2/b; do echo "$i" >"$dir/nest/$i"; done
is 'two samples' '' create "$dir/nest" "$dir/n.tacozip" --collection "$dir/c.json"
level1() { # NAME SELECT: n.tacozip with another level 1
    "$taco" query "$dir/n.tacozip" --sql "$2" -o "$dir/l1.parquet" --quiet
    cp "$dir/n.tacozip" "$dir/$1" && "$taco" archive replace "$dir/$1" METADATA/level1.parquet "$dir/l1.parquet" && rm "$dir/l1.parquet"
}
level1 orphan.tacozip 'SELECT * EXCLUDE ("internal:parent_id", "internal:gdal_vsi"), CASE WHEN "internal:current_id" = 3 THEN 99 ELSE "internal:parent_id" END AS "internal:parent_id" FROM level1'
refuses 'a copy without a row' 1 'METADATA/level1.parquet: row 3: internal:parent_id names no row of the level above' zip2folder "$dir/orphan.tacozip" "$dir/orphan"
refuses 'an export without a row' 1 'METADATA/level1.parquet: row 3: internal:parent_id names no row' export "$dir/orphan.tacozip" "$dir/orphan"
notes 'a subset without a row' 'METADATA/level1.parquet: row 3: internal:parent_id names no row' export "$dir/orphan.tacozip" "$dir/some.zip" --where "id = 's1'"
"$taco" query "$dir/n.tacozip" --sql "SELECT * EXCLUDE (type, \"internal:gdal_vsi\"), CASE WHEN id = 's2' THEN 'FILE' ELSE type END AS type FROM level0" -o "$dir/file.parquet" --quiet
cp "$dir/n.tacozip" "$dir/file.tacozip" && "$taco" archive replace "$dir/file.tacozip" METADATA/level0.parquet "$dir/file.parquet"
refuses 'children of a FILE' 1 'METADATA/level1.parquet: row 2: internal:parent_id names a FILE' export "$dir/file.tacozip" "$dir/orphan"
level1 fewer.tacozip 'SELECT * EXCLUDE "internal:gdal_vsi" FROM level1 WHERE "internal:current_id" < 3'
refuses 'a copy with other trees' 1 "fewer.tacozip: PIT-1: sample 's2' has no 'b'" zip2folder "$dir/fewer.tacozip" "$dir/fewer"
[ -e "$dir/fewer" ] || [ -e "$dir/orphan" ] && bad 'a refused copy exists' || good
is 'a copy with other trees that are wanted' '' zip2folder "$dir/fewer.tacozip" "$dir/fewer" --any-tree
is 'a subset with other trees' '' export "$dir/fewer.tacozip" "$dir/fewer.zip" --quiet
is 'and a copy of it' '' zip2folder "$dir/fewer.zip" "$dir/fewer2"
cp "$dir/n.tacozip" "$dir/extent.tacozip" && member "$dir/extent.tacozip" 3 "$dir/a" &&
    sed 's/"extent": *{/"extent": {"spatial": [1, 2], "was": {/; s/^\( *\)"taco:pit_schema"/\1"x": 1}, "taco:pit_schema"/' "$dir/a" >"$dir/b"
grep -q '"was"' "$dir/b" && "$taco" archive replace "$dir/extent.tacozip" COLLECTION.json "$dir/b"
refuses 'a copy with a wrong extent' 1 'extent.spatial must be four numbers' zip2folder "$dir/extent.tacozip" "$dir/extent"
is 'a subset has another extent' '' export "$dir/extent.tacozip" "$dir/extent.zip" --quiet
"$taco" validate "$dir/extent.zip" >"$dir/a" 2>&1 && good || bad "extent of a subset: $(cat "$dir/a")"

# ---- old files: compile takes the filters that its help names
for f in '--where=cloud > 0.2' --time=2020-01-02 --limit=1 --offset=1; do
    rm -f "$dir/o.tortilla"
    is "compile $f" '' tortilla compile tests/data/legacy/parts.0000.part.tortilla tests/data/legacy/parts.0001.part.tortilla "$dir/o.tortilla" "$f" --quiet
    rows "compile $f: rows" 1 query "$dir/o.tortilla"
done

# ---- shapes with bands: an old one has rows and columns, and validate finds both columns right, there and back again
is 'a shape with bands' '' convert examples/data/geo_stac.tacozip "$dir/geo.tortilla" --quiet
is 'both shapes' '{"stac:raster_shape":[12,16],"stac:tensor_shape":[1,12,16]}' query "$dir/geo.tortilla" --limit 1 --format ndjson --select 'stac:raster_shape,stac:tensor_shape'
is 'and back' '' convert "$dir/geo.tortilla" "$dir/geo.tacozip" --quiet
is 'and back again' '' convert "$dir/geo.tacozip" "$dir/geo2.tortilla" --quiet

# ---- TACO 3 to TACO 2: samples become FOLDERs, the same bytes below them; what cannot be is said
notes 'TACO 3' 'taco:structure, taco:metadata' convert examples/data/taco3.zip "$dir/three.tacozip"
"$taco" validate --deep "$dir/three.tacozip" >"$dir/out" 2>&1 && good || bad "TACO 3 as TACO 2: $(cat "$dir/out")"
for f in before/B02.tif before/B03.tif after/B02.tif after/B03.tif change_map.tif; do
    "$taco" get examples/data/taco3.zip "scene-2/$f" >"$dir/a" && "$taco" get "$dir/three.tacozip" "scene-2/$f" >"$dir/b"
    same "bytes of $f" "$dir/a" "$dir/b"
done
"$taco" query examples/data/taco3.zip --select 'id,"ml:split","ml:score"' --format csv >"$dir/a"
"$taco" query "$dir/three.tacozip" --select 'id,"ml:split","ml:score"' --format csv >"$dir/b" && same 'columns of samples' "$dir/a" "$dir/b"
"$taco" query examples/data/taco3.zip --sql 'SELECT count("raster:gsd") AS g FROM (SELECT "raster:gsd" FROM "children/before" UNION ALL SELECT "raster:gsd" FROM "children/after")' --format csv >"$dir/a"
"$taco" query "$dir/three.tacozip" --sql 'SELECT count("raster:gsd") AS g FROM level2' --format csv >"$dir/b"
same 'columns of files' "$dir/a" "$dir/b"
is 'a TACO 3 with a box' '' convert tests/data/taco3/geo.zip "$dir/box.folder" --quiet
rows 'the same box' 1 query "$dir/box.folder" --bbox=4,4,6,6
refuses 'sequences of different length' 1 "which the first sample has not" convert tests/data/taco3/sequence.zip "$dir/seq.tacozip" --quiet
notes 'sequences, ids of the first drafts' 'sample_N' convert tests/data/taco3/cat "$dir/cat.tacozip" --any-tree
grep -q 'a list of places in TACO 3' "$dir/err" && good || bad "sequence: $(cat "$dir/err")"
for f in geo.tortilla geo.tacozip geo2.tortilla; do
    "$taco" validate "$dir/$f" >"$dir/a" 2>&1 && good || bad "shapes of $f: $(cat "$dir/a")"
done

# ---- catalogues: archives elsewhere, and a __TACOCAT__ that is found in its directory
mkdir "$dir/cat" "$dir/cat/below"
cp "$dir/d.tacozip" "$dir/cat/a.tacozip" && cp "$dir/d.tacozip" "$dir/cat/b.tacozip"
notes 'archives elsewhere' "1 of 2 archives are not next to the catalogue, such as '$dir/d.tacozip'" tacocat "$dir/cat" "$dir/cat/a.tacozip" "$dir/d.tacozip"
rm -r "$dir/cat/.tacocat"
cp "$dir/v.tacozip" "$dir/cat/below/a.tacozip"
notes 'another archive of that name is there' "below/a.tacozip'" tacocat "$dir/cat/.tacocat" "$dir/cat/below/a.tacozip"
rm -r "$dir/cat/.tacocat"
is 'archives next to it' '' tacocat "$dir/cat" "$dir/cat/below/../a.tacozip" "$dir/cat/b.tacozip"
(cd "$dir/cat" && rm -r .tacocat && "$tool" tacocat .tacocat a.tacozip ./b.tacozip && rm -r .tacocat && "$tool" tacocat . a.tacozip && "$tool" tacocat __TACOCAT__ b.tacozip) >"$dir/a" 2>&1 && [ ! -s "$dir/a" ] && good || bad "archives here: $(cat "$dir/a")"
sum=$(sha256sum examples/data/tacocat_binary/__TACOCAT__ 2>/dev/null | cut -d ' ' -f 1)
for f in '' / /__TACOCAT__; do
    "$taco" collection "examples/data/tacocat_binary$f" --to croissant >"$dir/a" 2>&1
    { [ -z "$sum" ] || grep -q "\"sha256\": \"$sum\"" "$dir/a"; } && grep -q '"contentUrl": "__TACOCAT__"' "$dir/a" && good || bad "croissant of tacocat_binary$f: $(cat "$dir/a")"
done

# ---- nothing to write is an error; a set of parts that is complete is no warning
refuses 'no TIFF' 1 'types.tacozip: no FILE of the deepest level is a tiled TIFF' rasteret from-taco examples/data/types.tacozip "$dir/no_tiff" --quiet
"$taco" query "$dir/d.tacozip" --sql "SELECT id AS \"tortilla:id\", 'BYTES' AS \"tortilla:file_format\", 'src/' || id AS path FROM data" -o "$dir/parts.parquet" --quiet
"$taco" tortilla create "$dir/parts.parquet" "$dir/parts.tortilla" --part-size 10 --quiet
notes 'all parts' 'placeholders' convert "$dir"/parts.*.part.tortilla "$dir/parts.tacozip"
grep -q 'parts are opened' "$dir/err" && bad "all parts: $(cat "$dir/err")" || good
rows 'their rows' 3 query "$dir/parts.tacozip"
notes 'some parts' '2 of 3 parts are opened' convert "$dir/parts.0000.part.tortilla" "$dir/parts.0001.part.tortilla" "$dir/parts2.tacozip"
result
