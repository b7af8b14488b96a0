#!/bin/sh
# test_cli.sh - the contract of build/taco on the bundled data: exit statuses, one line on stderr, options anywhere,
# formats, navigation, payload bytes.
. tests/cli.sh

# ---- usage
if "$taco" >"$dir/out" 2>"$dir/err" || [ $? -ne 2 ] || [ -s "$dir/out" ] || ! grep -q '^usage: taco' "$dir/err"; then
    bad 'no command'
else good; fi
refuses 'unknown command' 2 'explode' explode
refuses 'no dataset' 2 'DATASET' query
refuses 'unknown option' 2 '--wher' query "$data/nested.tacozip" --wher x
refuses 'option without its value' 2 '--where' query "$data/nested.tacozip" --where
refuses 'bad box' 2 '--bbox' query "$data/nested.tacozip" --bbox 1,2,3
refuses 'bad format' 2 'xml' query "$data/nested.tacozip" --format xml
refuses 'bad number' 2 '--limit' query "$data/nested.tacozip" --limit -1
program=$(cd "$(dirname "$taco")" && pwd)/$(basename "$taco")
commands='info query read get stats validate repair tacocat tacollection convert collection tortilla parquet create add export zip2folder folder2zip rasteret doctor'
for c in '' $commands; do # shellcheck disable=SC2086
    if "$taco" $c --help >"$dir/out" 2>"$dir/err" && grep -q '^usage: taco' "$dir/out" && [ ! -s "$dir/err" ] &&
        { [ -z "$c" ] || grep -qE "^usage: taco $c( |\$)" "$dir/out"; }; then good; else
        bad "help of '$c'"
    fi
    "$taco" help $c >"$dir/a" 2>&1
    same "help $c" "$dir/a" "$dir/out"
done

# ---- mistakes: one line that says what and where, and the near name; nothing is ignored in silence
refuses 'near command' 2 'the nearest is query' quer
refuses 'near option' 2 'no such option: --were, the nearest is --where' query "$data/nested.tacozip" --were 1
refuses 'nothing near' 2 'no such option: --paint (see taco query --help)' query "$data/nested.tacozip" --paint 1
refuses 'an option of another command' 2 'read takes no --limit' read "$data/nested.tacozip" tile_00 --limit 1
refuses 'a filter of a conversion' 2 'zip2folder takes no --where' zip2folder "$data/nested.tacozip" "$dir/z" --where "id = 'x'"
refuses 'filters beside SQL of an export' 2 '--sql excludes all filters' export "$data/nested.tacozip" "$dir/z" --sql 'SELECT id FROM data' --limit 1
refuses 'groups are no samples' 1 'an export has samples' export "$data/nested.tacozip" "$dir/z" --sql 'SELECT count(*) FROM data'
refuses 'columns of an export' 2 'export takes no --select' export "$data/nested.tacozip" "$dir/z" --select id
for c in $commands; do # of every command: options are those that its help names
    case $c in parquet) word="verify tests/data/pages_crc.parquet" ;; *) word= ;; esac # shellcheck disable=SC2086
    refuses "$c --nonsense" 2 'no such option: --nonsense' "$c" $word --nonsense
    grep -q -e ' --split-size' "$dir/out" || "$taco" "$c" --help | grep -q -e '--split-size' ||
        refuses "$c --split-size" 2 "$c takes no --split-size" "$c" --split-size 4GB
done
refuses 'a level of no filter' 2 '--table' query "$data/nested.tacozip" --level 1
rows 'a level of no filter, beside its table' 12 query "$data/nested.tacozip" --level 1 --table level1
refuses 'JSON of rows' 2 'ndjson' query "$data/nested.tacozip" --json
refuses 'what was found' 2 "--limit needs a number, not 'many'" query "$data/nested.tacozip" --limit many
refuses 'NaN in a box' 2 'nan,0,1,1' query "$data/nested.tacozip" --bbox nan,0,1,1
is 'both corners swapped' 'id
p1
p7' query "$data/geo_stac.tacozip" --bbox=30,60,-10,35 --select id --format csv --quiet
"$taco" query "$data/geo_stac.tacozip" --bbox=30,35,-10,60 2>&1 >"$dir/out" | grep -q '^warning: .*W is greater than E' && good || bad 'west > east is not told'
is 'a box that crosses 180 degrees' 'id
p0
p2
p4
p5
p6' query "$data/geo_stac.tacozip" --bbox=30,-90,-10,90 --select id --format csv --quiet
refuses 'standard input' 2 'standard input' info -
refuses 'a URL that nobody answers' 1 'http://127.0.0.1:1/x.tacozip: ' info http://127.0.0.1:1/x.tacozip
mkdir "$dir/empty"
refuses 'a directory' 1 'empty: a directory without COLLECTION.json' info "$dir/empty"
refuses 'a file that is not there' 1 "no such file: '$dir/none'" parquet cat "$dir/none"
refuses 'parquet, misspelt' 2 "not 'shema'" parquet shema tests/data/pages_crc.parquet
refuses 'parquet copy without OUT' 2 'copy needs FILE and OUT' parquet copy tests/data/pages_crc.parquet
refuses 'a column of a file' 1 "level0.parquet: no column 'idd', the nearest are 'id'" parquet cat "$data/nested_folder/METADATA/level0.parquet" --columns idd
refuses 'text in double quotes' 1 "'single quotes'" query "$data/geo_stac.tacozip" --where 'id = "p1"'
refuses 'a value that is none' 1 "geo_stac.tacozip: 'p0' is not a valid INTEGER" query "$data/geo_stac.tacozip" --sql 'SELECT CAST(id AS INTEGER) FROM data'
refuses 'no such rasteret' 2 "not 'heder'" rasteret heder x
cp tests/data/legacy/minimal.tortilla "$dir/minimal.bin"
"$taco" validate "$dir/minimal.bin" | grep -q '^warning: header: the name .* ends in .tortilla \[Tortilla 0.5.0, File Extension\]$' && good || bad 'the clause of a finding'
"$taco" validate "$dir/minimal.bin" --json | grep -q '"severity":"warning".*"clause":"Tortilla 0.5.0, File Extension"}' && good || bad 'the clause of a finding as JSON'
"$taco" query tests/data/legacy/parts.*.tortilla --select tortilla:id --format csv 2>&1 | grep -q '2 of 3 parts are opened' && good || bad 'parts that are missing'
refuses 'a TACO by the name of a tortilla' 1 'must end in .tortilla' tortilla compile tests/data/legacy/minimal.tortilla "$dir/minimal.taco"
refuses 'no such tortilla' 2 "not 'creat'" tortilla creat a b
refuses 'tortilla without its collection' 2 'to-taco: needs --collection' tortilla to-taco a b
refuses 'no document' 2 'collection needs --to stac' collection "$data/nested.tacozip"
refuses 'no such document' 2 "not 'stc'" collection "$data/nested.tacozip" --to stc
refuses 'a year that is none' 2 "not '20x'" collection "$data/nested.tacozip" --to datacite --year 20x
refuses 'DataCite without a year' 2 '--year' collection "$data/nested.tacozip" --to datacite
printf '{"id":"x"}' >"$dir/c.json"
refuses 'samples of another kind' 1 'x.tsv: a table needs' create tests "$dir/z" --collection "$dir/c.json" --samples x.tsv

# ---- outputs: standard output, a pipe, and where nothing can be written; nothing is left behind
"$taco" get "$data/nested.tacozip" tile_00/label >"$dir/a" && "$taco" get "$data/nested.tacozip" tile_00/label -o - >"$dir/b"
same '-o -' "$dir/a" "$dir/b"
mkdir "$dir/place"
if mkfifo "$dir/place/pipe" 2>"$dir/err"; then
    cat "$dir/place/pipe" >"$dir/b" &
    "$taco" get "$data/nested.tacozip" tile_00/label -o "$dir/place/pipe"
    wait
    same 'a pipe as -o' "$dir/a" "$dir/b"
    cat "$dir/place/pipe" >"$dir/b" &
    "$taco" parquet copy tests/data/pages_crc.parquet "$dir/place/pipe"
    wait
    "$taco" parquet verify "$dir/b" >"$dir/out" 2>&1 && [ -p "$dir/place/pipe" ] && good || bad "a pipe as output: $(cat "$dir/out")"
    rm "$dir/place/pipe"
else bad "mkfifo: $(cat "$dir/err")"; fi
refuses 'a directory as -o' 1 'a directory' get "$data/nested.tacozip" tile_00/label -o "$dir/place"
refuses 'a directory as Parquet' 1 'which is a directory' parquet copy tests/data/pages_crc.parquet "$dir/place"
refuses 'a directory as GeoParquet' 1 'which is a directory' query "$data/geo_stac.tacozip" --format geoparquet -o "$dir/place"
refuses 'no such directory' 1 'whose directory does not exist' parquet copy tests/data/pages_crc.parquet "$dir/none/x"
if [ -c /dev/full ]; then
    for c in "info $data/geo_stac.tacozip" "info $data/geo_stac.tacozip --json" "query $data/geo_stac.tacozip" "query $data/geo_stac.tacozip --format geojson" \
        "query $data/geo_stac.tacozip --explain" "read $data/geo_stac.tacozip p1" "get $data/geo_stac.tacozip p1" "stats $data/geo_stac.tacozip" \
        "validate $data/geo_stac.tacozip" "parquet schema tests/data/pages_crc.parquet" "parquet cat tests/data/pages_crc.parquet" \
        "parquet verify tests/data/pages_crc.parquet" "collection $data/geo_stac.tacozip --to stac" --version --help 'help query'; do # shellcheck disable=SC2086
        "$taco" $c >/dev/full 2>"$dir/err" && status=0 || status=$?
        if [ "$status" -eq 1 ] && [ "$(wc -l <"$dir/err")" -eq 1 ] && grep -q 'writing failed' "$dir/err"; then good; else
            bad "full output, $c: status $status, $(cat "$dir/err")"
        fi
    done
else echo 'SKIPPED full outputs: no /dev/full'; fi
# A disk that is full after 512 bytes, as the limit of a file's size.
printf '{"id":"x","dataset_version":"1","description":"x","licenses":["x"],"providers":[{"name":"x","roles":["producer"]}],"tasks":["other"]}' >"$dir/c.json"
for f in A/x/1 A/x/2 A/y/1 B/x/1 B/x/2 B/y/1; do mkdir -p "$dir/strict/${f%/*}" && echo "$f" >"$dir/strict/$f"; done
refuses 'FOLDERs that differ, under the rule of June 2025' 1 "FOLDER 'y' has 1 children" create "$dir/strict" "$dir/strict.tacozip" --collection "$dir/c.json" --strict-pit
"$taco" create "$dir/strict" "$dir/strict.tacozip" --collection "$dir/c.json" --quiet && good || bad 'FOLDERs that differ' 
mkdir "$dir/source" "$dir/place/in" && cp "$data/nested.tacozip" "$dir/place/in/" && cp "$data/types.tacozip" "$dir/source/"
# What gcc's --coverage writes as a program ends goes elsewhere: the limit would cut it off.
for c in "parquet copy $data/nested_folder/METADATA/level0.parquet $dir/place/full.x" "query $data/nested.tacozip -o $dir/place/full.csv" \
    "query $data/nested.tacozip --format geoparquet -o $dir/place/full.parquet" "export $data/nested.tacozip $dir/place/full.tacozip" \
    "zip2folder $data/nested.tacozip $dir/place/full" "repair $data/nested.tacozip $dir/place/full.tacozip --quiet" "tacocat $dir/place $dir/place/in/nested.tacozip" \
    "create $dir/source $dir/place/full.tacozip --collection $dir/c.json" "convert $data/nested.tacozip $dir/place/full.tortilla --quiet"; do # shellcheck disable=SC2086
    (trap '' XFSZ && ulimit -f 1 && GCOV_PREFIX=$dir/gcov GCOV_ERROR_FILE=/dev/null "$taco" $c >"$dir/out" 2>"$dir/place/in/err") && status=0 || status=$?
    if [ "$status" -eq 1 ] && [ "$(wc -l <"$dir/place/in/err")" -eq 1 ] && grep -q "$dir/place" "$dir/place/in/err" && [ "$(ls -A "$dir/place")" = in ]; then good; else
        bad "full disk, $c: status $status, left: $(ls -A "$dir/place"), $(cat "$dir/place/in/err")"
    fi
done

refuses '--sql of nonsense' 1 'at column 1: expected select' query "$data/nested.tacozip" --sql 'SELEC 1'
# ---- query: options anywhere, both ways to give a value, -- ends them
is 'select' 'id
p1
p3' query --limit 2 "$data/geo_stac.tacozip" --bbox=-10,-10,30,60 --format=csv --select id
is 'options before' 'id
p1
p3' query --format csv --bbox -10,-10,30,60 --select id --limit=2 -- "$data/geo_stac.tacozip"
is 'three filters' '{"id":"p1"}
{"id":"p7"}' query "$data/geo_stac.tacozip" --format ndjson --select id --bbox=-10,35,30,60 \
    --time 2020-01-01/2023-12-31 --where '"scaling:scale_factor" < 0.9'
is 'repeated filters' '{"id":"p3"}' query "$data/geo_stac.tacozip" --format ndjson --select id \
    --where '"scaling:scale_factor" > 0.3' --where '"scaling:scale_factor" < 0.5' --bbox=-1,-1,1,1
is 'order, limit, offset' '{"id":"p8"}
{"id":"p7"}' query "$data/geo_stac.tacozip" --format ndjson --select id --order 'id desc' --limit 2 --offset 1
is 'limit 0' '' query "$data/geo_stac.tacozip" --format ndjson --limit 0
is 'nothing found' '' query "$data/geo_stac.tacozip" --format ndjson --where "id = 'none'"
is 'csv header of no rows' 'id' query "$data/geo_stac.tacozip" --format csv --select id --where "id = 'none'"
root=$(cd "$data" && pwd -P)
is 'vsi' "/vsisubfile/783_415,$root/geo_stac.tacozip" query "$data/geo_stac.tacozip" --where "id = 'p1'" --format vsi
is 'vsi of a folder' "$root/nested_folder/DATA/tile_01/__meta__" query "$data/nested_folder" --where "id = 'tile_01'" --format vsi
if TZ=America/Lima "$taco" query "$data/geo_stac.tacozip" --time 2020-01-01 --select id --format csv >"$dir/lima" &&
    TZ=Asia/Tokyo "$taco" query "$data/geo_stac.tacozip" --time 2020-01-01 --select id --format csv >"$dir/tokyo"; then
    same 'days are UTC days' "$dir/lima" "$dir/tokyo"
else bad 'time'; fi

# ---- every kind of dataset, every era
rows 'zip' 10 query "$data/geo_stac.tacozip"
rows 'folder' 4 query "$data/nested_folder"
rows 'tacocat folder' 6 query "$data/multi/.tacocat"
rows 'tacocat by its parent' 6 query "$data/multi"
rows 'list of parts' 3 query "$data/multi/multi_part0001.tacozip" "$data/multi/multi_part0002.tacozip"
rows 'tacocat binary' 6 query "$data/tacocat_binary/__TACOCAT__"
rows 'oldest zip' 3 query "$data/era_0130.tacozip"
rows 'oldest folder, Avro' 3 query "$data/era_0130_folder"
rows 'deepest level of it' 12 query "$data/era_0130_folder" --table level2
rows 'flat view' 12 query "$data/nested.tacozip" --table l1
rows 'padding hidden' 9 query "$data/padded_old.tacozip" --table level1
rows 'padding shown' 15 query "$data/padded_old.tacozip" --table level1 --show-padding
rows 'cascade' 1 query "$data/geo_nested.tacozip" --level 2 --bbox=-79.9,-19.9,-79.8,-19.8
rows 'every type' 6 query "$data/types.tacozip"
rows 'two datasets' "$(($("$taco" query "$data/concat/a.tacozip" --format vsi | wc -l) +
    $("$taco" query "$data/concat/b.tacozip" --format vsi | wc -l)))" query "$data/concat/a.tacozip" "$data/concat/b.tacozip"

# ---- plans
is 'explain' "$data/geo_stac.tacozip: level0: 10 rows, 1 of 1 row groups pruned, 0 rows left
  tests id
  reads id
0 bytes in 0 requests, 0 rounds" query "$data/geo_stac.tacozip" --explain --where "id > 'z'" --select id
"$taco" query "$data/nested.tacozip" --explain --json --sql 'SELECT count(*) FROM l1 WHERE "l0:id" = '"'tile_00'" >"$dir/plan"
if grep -q '^{"selects":\["SELECT count.*"tests":\["id"\],.*"complete":true,"ranges":\[.*\]}$' "$dir/plan"; then good; else
    bad "explain --json: $(cat "$dir/plan")"
fi
refuses 'explain of a column that is not there' 1 'nothing' query "$data/geo_stac.tacozip" --explain --where 'nothing = 1'

# ---- footprints and statistics
is 'geojson' "{\"type\":\"FeatureCollection\",\"features\":[
{\"type\":\"Feature\",\"properties\":{\"location\":\"/vsisubfile/3321_1908,$root/geo_stac.tacozip\",\"id\":\"p4\"},\"geometry\":{\"type\":\"MultiPolygon\",\"coordinates\":[[[[179.92,-0.06],[180.0,-0.06],[180.0,0.06],[179.92,0.06],[179.92,-0.06]]],[[[-180.0,-0.06],[-179.92000000000002,-0.06],[-179.92000000000002,0.06],[-180.0,0.06],[-180.0,-0.06]]]]}}
]}" query "$data/geo_stac.tacozip" --format geojson --select id --where "id = 'p4'"
is 'geojson of no rows' '{"type":"FeatureCollection","features":[
]}' query "$data/geo_stac.tacozip" --format geojson --limit 0
refuses 'gti of no rows' 1 'no tiles: 0 of 0 rows' query "$data/nested.tacozip" --table l1 --level 1 --where "id = 'x'" --format gti
"$taco" query "$data/nested.tacozip" --table l1 --level 1 --where "id = 'image'" --format gti -o "$dir/m.gti" 2>"$dir/err"
if [ "$(grep -c "\"location\":\"/vsisubfile/[0-9_]*,$root/nested.tacozip\",\"l1:id\":\"image\"" "$dir/m.gti")" -eq 4 ] &&
    grep -q '^<SRS>EPSG:32630</SRS>$' "$dir/m.gti" && grep -q '^<MaxX>800160.0</MaxX>$' "$dir/m.gti" && [ ! -s "$dir/err" ]; then good; else bad "gti: $(cat "$dir/err")"; fi
refuses 'gti of FOLDERs' 1 'FOLDERs' query "$data/nested.tacozip" --format gti -o "$dir/none.gti"
if [ -e "$dir/none.gti" ] || ls "$dir"/none.gti.*.part >/dev/null 2>&1; then bad 'a failed gti leaves a file'; else good; fi
refuses 'gti of points' 1 'no footprint' query "$data/era_0130.tacozip" --table level2 --format gti
refuses 'geojson of parquet' 2 'geojson' parquet cat "$data/nested_folder/METADATA/level0.parquet" --format geojson
is 'stats' '{"column":"geotiff:stats","family":"continuous","rows":3,"used":2,"pixels":384.0,"bands":2,"min":[0.0,1.0],"max":[11.0,2.0],"mean":[5.5,1.5],"std":[1.1630855,0.24967341],"p25":[2.0,1.1],"p50":[5.0,1.5],"p75":[7.0,1.7],"p95":[9.5,1.9]}' \
    stats "$data/geo_stac.tacozip" --json --where "id IN ('p0', 'p1', 'p3')" --family continuous
is 'stats as a table' 'column geotiff:stats, continuous: 1 of 1 rows, 192 pixels
band          min          max         mean          std          p25          p50          p75          p95
   0            1           11            6          1.1            2            5            7           10
   1            1            2          1.5         0.25          1.1          1.5          1.7          1.9' stats --column geotiff:stats "$data/geo_stac.tacozip" --where "id = 'p1'"
refuses 'stats of another family' 1 'categorical ones were requested' stats "$data/geo_stac.tacozip" --family categorical
refuses 'stats of a column that is not there' 1 'geotiff:stats' stats "$data/geo_stac.tacozip" --column geotif:stats
refuses 'stats of no statistics' 1 'internal:stats' stats "$data/nested.tacozip"
refuses 'stats of no rows' 1 'none of the 0 rows' stats "$data/geo_stac.tacozip" --where "id = 'none'"
refuses 'stats of a family that is none' 2 '--family' stats "$data/geo_stac.tacozip" --family other
refuses 'stats of nothing' 2 'DATASET' stats

# ---- read and get
is 'read a FILE' "/vsisubfile/805_552,$root/nested.tacozip" read "$data/nested.tacozip" tile_00/label
is 'read by position' "/vsisubfile/805_552,$root/nested.tacozip" read "$data/nested.tacozip" @0/@1
rows 'read a FOLDER' 3 read "$data/nested.tacozip" tile_02
"$taco" get "$data/nested.tacozip" tile_00/label >"$dir/a" && tail -c +806 "$data/nested.tacozip" | head -c 552 >"$dir/b"
same 'get' "$dir/a" "$dir/b"
"$taco" get "$data/nested_folder" tile_00/label -o "$dir/c"
same 'get of a FOLDER dataset' "$dir/a" "$dir/c"
"$taco" get "$data/refbug_unsorted.tacozip" @0/@0 >"$dir/a" 2>"$dir/err" && good || bad "get through __meta__: $(cat "$dir/err")"

# ---- refusals name what is wrong
refuses 'no such file' 1 'none.tacozip' query "$data/none.tacozip"
refuses 'no such column' 1 'stac:crs' query "$data/geo_stac.tacozip" --where '"stac:cts" = 1'
refuses 'syntax' 1 'at column 6: ' query "$data/geo_stac.tacozip" --where 'id = = 3'
refuses 'type' 1 "id" query "$data/geo_stac.tacozip" --where 'id < 3'
refuses 'bad time' 1 'soon' query "$data/geo_stac.tacozip" --time soon
refuses 'no such key' 1 'tile_99' read "$data/nested.tacozip" tile_99
refuses 'below a FILE' 1 'label' read "$data/nested.tacozip" tile_00/label/x
refuses 'bytes of a FOLDER' 1 'tile_00' get "$data/nested.tacozip" tile_00
refuses 'not a dataset' 1 'Makefile' info Makefile
head -c 20000 "$data/nested.tacozip" >"$dir/cut.tacozip"
refuses 'cut short' 1 'cut.tacozip' query "$dir/cut.tacozip"
refuses 'a key that starts with -' 1 '-x' read "$data/nested.tacozip" -- -x
if (cd "$dir" && "$OLDPWD/$taco" query cut.tacozip -o never >/dev/null 2>&1); then bad 'cut short, with -o'; fi
cp "$data/nested.tacozip" "$dir/same.tacozip"
ln -s same.tacozip "$dir/link.tacozip"
refuses 'query onto itself' 1 'the output is also an input' query "$dir/same.tacozip" --format csv -o "$dir/link.tacozip" --overwrite
if cmp -s "$dir/same.tacozip" "$data/nested.tacozip"; then good; else bad 'query onto itself changes it'; fi
if [ -e "$dir/never" ] || ls "$dir"/never.*.part >/dev/null 2>&1; then bad 'a failed -o leaves a file'; else good; fi

# ---- info and parquet
"$taco" info "$data/nested.tacozip" --json >"$dir/out" 2>&1
if grep -q '"kind":"zip"' "$dir/out" && grep -q '"max_depth":1' "$dir/out" && [ "$(wc -l <"$dir/out")" -ge 1 ]; then good; else bad "info: $(cat "$dir/out")"; fi
level0=$data/nested_folder/METADATA/level0.parquet
is 'parquet cat' '{"id":"tile_03"}' parquet cat "$level0" --columns id --where "id > 'tile_02'"
"$taco" parquet schema "$level0" >"$dir/out" 2>&1 && grep -q '^message' "$dir/out" && good || bad 'parquet schema'
"$taco" parquet meta "$level0" >"$dir/out" 2>&1 && grep -q '^  id .* ZSTD ' "$dir/out" && good || bad 'parquet meta'
"$taco" parquet meta --json "$level0" >"$dir/out" 2>&1 && grep -q '"codec":"ZSTD"' "$dir/out" && good || bad 'parquet meta --json'
is 'parquet copy' '' parquet copy "$level0" "$dir/copy.parquet" --codec zstd:9 --where "id > 'tile_00'" --bloom
refuses 'a level beyond the codec' 2 'zstd:22, not' parquet copy "$level0" "$dir/none.parquet" --codec zstd:23
refuses 'a level of no codec' 2 'a codec with levels, not' parquet copy "$level0" "$dir/none.parquet" --codec lz4:3
"$taco" parquet copy tests/data/pages_crc.parquet "$dir/split.parquet" --encoding split 2>"$dir/out" || bad 'parquet copy --encoding split'
grep -q "DuckDB refuses the encoding split of 6 columns, the first is 'i'" "$dir/out" && grep -q "polars refuses the encoding split of 1 column, the first is 'x'" "$dir/out" &&
    good || bad "readers that refuse --encoding split: $(cat "$dir/out")"
"$taco" parquet copy tests/data/pages_crc.parquet "$dir/split.parquet" --overwrite --encoding delta-bytes 2>"$dir/out"
grep -q "polars refuses the encoding delta-bytes of 2 columns, the first is 'h'" "$dir/out" && ! grep -q DuckDB "$dir/out" && good || bad "readers that refuse --encoding delta-bytes: $(cat "$dir/out")"
is 'parquet copy, read' '{"id":"tile_03"}' parquet cat "$dir/copy.parquet" --columns id --where "id > 'tile_02'"
"$taco" parquet verify "$dir/copy.parquet" >"$dir/out" 2>&1 && grep -q '^good: 3 rows' "$dir/out" && good || bad "parquet copy, verified: $(cat "$dir/out")"
[ ! -e "$dir/copy.parquet.part" ] && good || bad 'parquet copy left its temporary file'
[ ! -e "$dir/none.parquet" ] && [ ! -e "$dir/none.parquet.part" ] && good || bad 'parquet copy left half a file'
pages=tests/data/pages_crc.parquet
is 'parquet verify' 'good: 120 rows in 2 row groups, 18 column chunks, 39 pages, 39 with a CRC' parquet verify "$pages"
cp "$pages" "$dir/bad.parquet"
printf '\125' | dd of="$dir/bad.parquet" bs=1 seek=130 conv=notrunc 2>/dev/null
printf '\125' | dd of="$dir/bad.parquet" bs=1 seek=700 conv=notrunc 2>/dev/null
refuses 'parquet verify, damaged' 1 'bad.parquet: row group 0, column' parquet verify "$dir/bad.parquet"
if "$taco" parquet verify --json "$dir/bad.parquet" >"$dir/out" 2>/dev/null || [ $? -ne 1 ]; then bad 'parquet verify --json: status'; else good; fi
if [ "$(grep -c '"kind":"fault","code":"checksum","offset":' "$dir/out")" -eq 2 ] && grep -q '"good":false}$' "$dir/out"; then good; else bad "parquet verify --json: $(cat "$dir/out")"; fi
if "$taco" parquet verify --json Makefile >"$dir/out" 2>/dev/null || ! grep -q '"kind":"fault"' "$dir/out"; then bad 'parquet verify --json, not Parquet'; else good; fi
"$taco" --version >"$dir/out" && grep -q '^taco [0-9]' "$dir/out" && grep -q '^brotli: ' "$dir/out" && good || bad '--version'
if grep -q '^brotli: none' "$dir/out"; then
    refuses 'Brotli without a decoder' 1 'unsupported: codec brotli' parquet cat tests/data/brotli.parquet
else
    rows 'Brotli' 3 parquet cat tests/data/brotli.parquet
fi

# ---- -v and -vv tell what was read on stderr, and change nothing else
"$taco" query "$data/geo_stac.tacozip" --format vsi >"$dir/a" 2>&1
for v in -v -vv; do
    (cd "$data" && "$program" query geo_stac.tacozip --format vsi $v) >"$dir/b" 2>"$dir/err"
    same "query $v" "$dir/a" "$dir/b"
    if tail -n 1 "$dir/err" | grep -q '^[0-9.]* s of CPU time, [1-9][0-9]* bytes read in [1-9][0-9]* requests$'; then good; else bad "$v: $(cat "$dir/err")"; fi
done
if [ "$(grep -c 'geo_stac.tacozip: [0-9]* bytes at [0-9]*$' "$dir/err")" -ge 2 ]; then good; else bad "-vv: $(cat "$dir/err")"; fi
"$taco" parquet cat "$level0" -v 2>&1 >"$dir/a" | grep -q ' bytes read in ' && good || bad 'parquet cat -v'
"$taco" parquet cat "$level0" --format arrow --limit 0 >"$dir/a" 2>"$dir/err"
"$taco" parquet cat "$level0" --format arrow >"$dir/b" 2>>"$dir/err"
if [ ! -s "$dir/err" ] && [ "$(head -c 4 "$dir/a" | od -An -tx1)" = ' ff ff ff ff' ] &&
    [ "$(tail -c 8 "$dir/a" | od -An -tx1)" = ' ff ff ff ff 00 00 00 00' ] &&
    head -c $(($(wc -c <"$dir/a") - 8)) "$dir/a" | cmp -s -n $(($(wc -c <"$dir/a") - 8)) - "$dir/b" &&
    [ "$(wc -c <"$dir/b")" -gt "$(wc -c <"$dir/a")" ]; then good; else bad "arrow: $(cat "$dir/err")"; fi
"$taco" query "$data/nested_folder" --format arrow -o "$dir/q.arrows" 2>"$dir/err" && grep -q 'internal:gdal_vsi' "$dir/q.arrows" &&
    [ $(($(wc -c <"$dir/q.arrows") % 8)) -eq 0 ] && good || bad "query --format arrow: $(cat "$dir/err")"
refuses 'not Parquet' 1 'Makefile' parquet cat Makefile

# ---- the example programs run, and print what the tool prints
"$bin/query" >"$dir/a" 2>&1
printf 'p1\t%s\np7\t%s\n' "/vsisubfile/783_415,$root/geo_stac.tacozip" "/vsisubfile/7697_552,$root/geo_stac.tacozip" >"$dir/b"
same 'examples/query' "$dir/a" "$dir/b"
"$bin/column" >"$dir/a" 2>&1 && grep -q '^stac:time_start: 4 values, 0 nulls' "$dir/a" && good || bad "examples/column: $(cat "$dir/a")"
printf 'scaling:scale_factor: f\n8 values, 3.6 in all\n' >"$dir/b"
"$bin/arrow" >"$dir/a" 2>&1
same 'examples/arrow' "$dir/a" "$dir/b"
"$bin/vendored" >"$dir/a" 2>&1 && grep -q ' 0 left$' "$dir/a" && good || bad "examples/vendored: $(cat "$dir/a")"

# a catalogue named without a directory finds its archives beside it
for c in "tacocat_binary __TACOCAT__" "multi .tacocat"; do
    set -- $c
    (cd "$data/$1" && "$program" read "$2" @0 --format vsi) >"$dir/a" 2>&1
    "$program" read "$data/$1/$2" @0 --format vsi >"$dir/b" 2>&1 && [ -s "$dir/b" ] && same "bare $2" "$dir/a" "$dir/b" || bad "bare $2: $(cat "$dir/b")"
done

result
