#!/bin/sh
# test_cli_messages.sh - what the tool says: what is no dataset, samples that differ, what validate finds, near names,
# causes in words. Every message names the file or the option, and what to do.
. tests/cli.sh
root=$(cd "$data" && pwd -P)
printf '{"id":"x","dataset_version":"1","description":"x","licenses":["x"],"providers":[{"name":"x","roles":["producer"]}],"tasks":["other"]}' >"$dir/c.json"

# ---- what is no dataset is said to be none, at once
mkdir -p "$dir/strange/deep/deeper" "$dir/shelf/sub"
cp tests/data/pages_crc.parquet "$dir/strange/deep/deeper/x.parquet"
refuses 'Parquet far below' 1 'strange: a directory without COLLECTION.json, so not a dataset' info "$dir/strange"
if command -v timeout >/dev/null; then
    timeout 10 "$taco" info / >"$dir/out" 2>"$dir/err" && status=0 || status=$?
    [ "$status" -eq 1 ] && [ "$(wc -l <"$dir/err")" -eq 1 ] && good || bad "info /: status $status, $(cat "$dir/err")"
fi
cp "$data/nested.tacozip" "$dir/shelf/one.tacozip"
cp -r "$data/nested_folder" "$dir/shelf/two"
refuses 'datasets inside' 1 'it contains:' info "$dir/shelf"
grep -q 'one.tacozip' "$dir/err" && grep -q 'two' "$dir/err" && ! grep -q 'sub' "$dir/err" && good || bad "datasets inside: $(cat "$dir/err")"
cp tests/data/pages_crc.parquet "$dir/strange/x.parquet"
refuses 'a Parquet file' 1 'x.parquet: not a dataset but a Parquet file: `taco parquet schema` shows' info "$dir/strange/x.parquet"
refuses 'a directory of Parquet files' 1 'strange: not a dataset but a directory of Parquet files' info "$dir/strange"
grep -qi rasteret "$dir/err" && bad 'a stranger is called a Rasteret collection' || good
refuses 'no collection, when asked' 1 'required columns are missing: datetime geometry assets bbox' rasteret validate "$data/nested_folder/METADATA/level0.parquet"
says 'a collection, when asked' 'valid: 6 rows, 0 warnings' rasteret validate tests/data/legacy/rasteret.parquet
refuses 'a TACO, asked for a collection' 1 'required columns are missing' rasteret validate "$data/nested.tacozip"
printf 'II*\0\10\0\0\0' >"$dir/x.tif"
refuses 'a TIFF' 1 'x.tif: not a dataset but a TIFF: `taco create` makes' info "$dir/x.tif"

# ---- samples that differ: which, and what it lacks
mkdir -p "$dir/tiles/tile_10" "$dir/tiles/tile_11" "$dir/tiles/tile_12"
for t in 10 11 12; do : >"$dir/tiles/tile_$t/image.tif" && : >"$dir/tiles/tile_$t/label.tif"; done
rm "$dir/tiles/tile_11/label.tif"
pit() { refuses "$1" 1 "$2" create "$dir/tiles" "$dir/p.tacozip" --collection "$dir/c.json"; }
pit 'a file is missing' "sample 'tile_11' has no 'label.tif', which the first sample has"
: >"$dir/tiles/tile_11/label.tif" && : >"$dir/tiles/tile_12/zone.tif"
pit 'a file besides' "sample 'tile_12' has 'zone.tif', which the first sample has not"
rm "$dir/tiles/tile_12/zone.tif" "$dir/tiles/tile_12/label.tif" && mkdir "$dir/tiles/tile_12/label.tif" && : >"$dir/tiles/tile_12/label.tif/x"
pit 'another type' "sample 'tile_12' has the FOLDER 'label.tif' where the first sample has the FILE 'label.tif'"
rm -r "$dir/tiles/tile_12/label.tif" && : >"$dir/tiles/tile_12/label.tif"
for t in 10 11 12; do mkdir "$dir/tiles/tile_$t/s2" && : >"$dir/tiles/tile_$t/s2/B1.tif"; done
: >"$dir/tiles/tile_11/s2/B2.tif"
pit 'below' "sample 'tile_11/s2' has 'B2.tif', which the first sample has not"

# ---- validate: nothing to warn of after taco add, except for the extent, which is of centroids and middle times; a gap between levels is an error
cp "$data/nested.tacozip" "$dir/n.tacozip"
printf 'id,score\ntile_00,1\ntile_01,2\ntile_02,3\ntile_03,4\n' >"$dir/s.csv"
is 'add' '' add "$dir/n.tacozip" --samples "$dir/s.csv"
says 'valid after add' 'valid: 16 rows, 2 warnings' validate "$dir/n.tacozip" --deep
grep -c '^warning: COLLECTION.json: extent: ' "$dir/out" | grep -qx 2 && good || bad "other warnings: $(cat "$dir/out")"
is 'add again' '' add "$dir/n.tacozip" --samples "$dir/s.csv" --replace
says 'valid after both' 'valid: 16 rows, 2 warnings' validate "$dir/n.tacozip" --deep
cp -r "$data/era_0130_folder" "$dir/avro"
printf 'id,score\nt0,1\nt1,2\nt2,3\n' >"$dir/a.csv"
refuses 'columns beside those of Avro' 1 'tables of Avro are not replaced in place: an output is needed' add "$dir/avro" --samples "$dir/a.csv"
diff -r "$data/era_0130_folder" "$dir/avro" >/dev/null && good || bad 'what was refused changed the FOLDER'
cp -r "$data/nested_folder" "$dir/gap"
cp "$dir/gap/METADATA/level1.parquet" "$dir/gap/METADATA/level3.parquet"
"$taco" validate "$dir/gap" >"$dir/out" 2>"$dir/err" && bad 'a gap between levels is valid' || good
grep -q "^error: 'METADATA/level3.parquet': a level beyond a gap" "$dir/out" && good || bad "a gap between levels: $(cat "$dir/out")"

# ---- repair: of what is cut off, each fault once
head -c 3000 "$data/nested.tacozip" >"$dir/cut.tacozip"
"$taco" repair "$dir/cut.tacozip" "$dir/whole.tacozip" >"$dir/out" 2>"$dir/err" && bad 'an archive without its tables is repaired' || good
[ "$(cat "$dir/out" "$dir/err" | grep -c 'past the end of the file')" -eq 1 ] && [ "$(grep -c '^error: ' "$dir/out")" -eq 2 ] &&
    grep -qx "$dir/cut.tacozip: cannot be repaired, nothing is written" "$dir/err" && good || bad "repair of a part: $(cat "$dir/out" "$dir/err")"
refuses 'repair --quiet' 1 'past the end of the file at 3000' repair "$dir/cut.tacozip" "$dir/whole.tacozip" --quiet
[ "$(wc -l <"$dir/err")" -eq 1 ] && [ ! -e "$dir/whole.tacozip" ] && good || bad "repair --quiet: $(cat "$dir/err")"

# ---- a file that is not there is named once, an archive is no table
refuses 'a table that is not there' 1 "no such file: '$dir/nope.csv'" add "$dir/n.tacozip" --samples "$dir/nope.csv"
[ "$(grep -o 'nope\.csv' "$dir/err" | wc -l)" -eq 1 ] && good || bad "named twice: $(cat "$dir/err")"
refuses 'an archive as a table' 1 'not Parquet but a ZIP archive: `taco info`' parquet schema "$dir/n.tacozip"

# ---- create: hidden files are no samples, and patterns of names
: >"$dir/tiles/.DS_Store" && mkdir "$dir/tiles/.git" && : >"$dir/tiles/.git/x" && : >"$dir/tiles/tile_10/.hidden" && rm "$dir/tiles/tile_11/s2/B2.tif"
is 'hidden files' '' create "$dir/tiles" "$dir/h.tacozip" --collection "$dir/c.json"
rows 'without hidden files' 9 query "$dir/h.tacozip" --table level1
: >"$dir/tiles/tile_11/label.tif.aux.xml" && : >"$dir/tiles/README"
is 'patterns' '' create "$dir/tiles" "$dir/i.tacozip" --collection "$dir/c.json" --include '*.tif' --exclude 's?' --exclude 'label.[a-z]if'
"$taco" query "$dir/i.tacozip" --table level1 --select id --format csv >"$dir/out" 2>&1 && [ "$(sort -u "$dir/out" | tr '\n' ' ')" = 'id image.tif ' ] && good || bad "patterns: $(cat "$dir/out")"
refuses 'hidden ones that are asked for' 1 "PIT-1" create "$dir/tiles" "$dir/j.tacozip" --collection "$dir/c.json" --hidden

# ---- --time: months and years
is 'a year' 'id
p1
p2' query "$data/geo_stac.tacozip" --time 2020 --select id --format csv
is 'a month' 'id
p2' query "$data/geo_stac.tacozip" --time 2020-02 --select id --format csv
is 'months to a year' 'id
p2
p3
p4' query "$data/geo_stac.tacozip" --time 2020-02/2021 --select id --format csv

# ---- near names: swaps of neighbours too
refuses 'swapped letters' 2 'the nearest is query' qurey
refuses 'a swapped option' 2 'the nearest is --bbox' query "$data/geo_stac.tacozip" --bobx 1
refuses 'a swapped topic' 2 'the nearest is filters' help fitlers

# ---- info: extent, time, sizes, files by level, types; doctor
says 'extent' 'extent       -2.99907, 39.6966 to -0.665465, 39.7494 (W, S to E, N)' info "$data/nested.tacozip"
says 'time' 'time         2020-01-15T11:30:00Z to 2023-04-15T11:30:00Z' info "$data/nested.tacozip"
says 'size of the file' 'kind         zip, 27.9 KB' info "$data/nested.tacozip"
says 'files of a level' 'level 1, 12 rows, 9 columns: 12 FILEs of 5.2 KB' info "$data/nested.tacozip"
says 'a type' '  stac:geotransform    list<double>' info "$data/nested.tacozip"
says 'tasks in a line' 'tasks        classification' info "$data/nested.tacozip"
grep -q internal: "$dir/out" && bad 'internal columns in info' || good
"$taco" doctor >"$dir/out" 2>&1 && grep -q '^codecs  *snappy' "$dir/out" && grep -q '^threads' "$dir/out" && good || bad "doctor: $(cat "$dir/out")"

# ---- names with a colon need no quotes where a colon can mean nothing else; SQL says how they are quoted
is 'a bare name with a colon' 'id
p0
p1' query "$data/geo_stac.tacozip" --where 'scaling:scale_factor < 0.25' --select id --format csv
is 'its column alone' 'stac:crs
EPSG:4326' query "$data/geo_stac.tacozip" --select stac:crs --order stac:crs --limit 1 --format csv
refuses 'a bare name in SQL' 1 'a name with a colon is in double quotes: "stac:crs"' query "$data/geo_stac.tacozip" --sql 'SELECT stac:crs FROM data'

# ---- SQL: where it is, what was expected
sql() { refuses "$1" 1 "$1': $2" query "$data/nested.tacozip" --sql "$1"; }
sql 'SELECT idd FROM data' "at column 8: no column 'idd', the nearest are 'id'"
sql 'SELECT id FROM data WHERE v > 1 AND idd = 2' "at column 27: no column 'v'"
sql 'SELECT id FROM data a JOIN level1 b ON a.id = b.nope' "at column 47: there is no column 'nope'"
sql 'SELECT year(id) FROM data' "at column 13: 'year' takes DATE or TIMESTAMP as argument 1, got VARCHAR"
sql "SELECT substr(id, 'x') FROM data" "at column 19: 'substr' takes BIGINT as argument 2, got VARCHAR"
sql 'SELECT upper(1) FROM data' "at column 14: 'upper' takes VARCHAR as argument 1, got INTEGER"
sql 'SELECT substr(id) FROM data' "at column 8: 'substr' takes 2 to 3 arguments, got 1"
sql 'SELECT upper() FROM data' "at column 8: 'upper' takes 1 argument, got 0"
sql 'SELECT concat() FROM data' "at column 8: 'concat' takes at least 1 argument, got 0"
sql 'SELECT sum(id) FROM data' "at column 12: 'sum' takes a number or BOOLEAN as argument 1, got VARCHAR"
sql 'SELECT avg(id) FROM data' "at column 12: 'avg' takes a number as argument 1, got VARCHAR"
sql 'SELECT bool_and(id) FROM data' "at column 17: 'bool_and' takes BOOLEAN as argument 1, got VARCHAR"
sql 'SELECT bit_and(1.5) FROM data' "at column 16: 'bit_and' takes an integer as argument 1, got DECIMAL(2,1)"
sql 'SELECT quantile_cont(id, 0.5) FROM data' "at column 22: 'quantile_cont' takes a number, date or time as argument 1, got VARCHAR"
sql 'SELECT corr(1, id) FROM data' "at column 16: 'corr' takes a number as argument 2, got VARCHAR"
sql 'SELECT corr(1) FROM data' "at column 8: 'corr' takes 2 arguments, got 1"
sql 'SELECT max(id, id, id) FROM data' "at column 8: 'max' takes 1 to 2 arguments, got 3"
sql 'SELECT max(id, 0) FROM data' "at column 16: 'max' takes a constant from 1 to 999999 as its last argument"
sql 'SELECT median(id), quantile(1, 2) FROM data' "at column 32: 'quantile' takes a constant from 0 to 1, or a list of them, as its last argument"
sql 'SELECT string_agg(id, 3) FROM data' "at column 23: 'string_agg' takes a text constant as its last argument"
sql 'SELECT sum(*) FROM data' "at column 8: 'sum' does not take *, only COUNT does"
sql 'SELECT uppre(id) FROM data' "at column 8: the function 'uppre' is not supported, the nearest is upper"
sql 'SELECT cuont(id) FROM data' "at column 8: the function 'cuont' is not supported, the nearest is count"

# ---- the same for a condition: which one, and where in it
refuses 'a column that is not there' 1 "where: 'type = 'FILE' AND kidn = 1': at column 19: no column 'kidn'" query "$data/nested.tacozip" --where "id = 'x'" --where "type = 'FILE' AND kidn = 1"
refuses 'a number beside text' 1 "where: 'type > 'A' AND id > 3': at column 16: column 'id' is TEXT, was given a number" query "$data/nested.tacozip" --where "type > 'A' AND id > 3"
refuses 'a column of a Parquet file' 1 "where: '1 = idd': at column 5: no column 'idd', the nearest are 'id'" parquet cat "$data/nested_folder/METADATA/level0.parquet" --where '1 = idd'
refuses 'a condition of a Parquet file' 1 "where: 'id =': at column 5: expected a value" parquet cat "$data/nested_folder/METADATA/level0.parquet" --where 'id ='
refuses 'a column for times' 1 "time: no column 'nope'" query "$data/nested.tacozip" --time 2020 --time-col nope
refuses 'two letters that are swapped' 1 "select: no column 'di', the nearest is 'id'" query "$data/nested.tacozip" --select di
says 'help sql' "--sql takes one SELECT in DuckDB's dialect; docs/sql.md compares its functions" help sql

# ---- create: the file of the collection, the values that are refused
printf '{"id":"x"}' >"$dir/bad.json" && printf 'id,split\n' >"$dir/none.json"
refuses 'a collection that lacks something' 1 "$dir/bad.json: " create "$dir/tiles" "$dir/k.tacozip" --collection "$dir/bad.json"
refuses 'a collection that is no JSON' 1 "none.json: at byte 0: expected a value, found 'i'" create "$dir/tiles" "$dir/k.tacozip" --collection "$dir/none.json"
refuses 'a sensor' 2 "--optical: the bands of the sensor 'sentinel2mis' are not known, the nearest is sentinel2msi" create "$dir/tiles" "$dir/k.tacozip" --collection "$dir/c.json" --optical sentinel2mis
refuses 'a distance' 2 "--majortom needs kilometres, not 'x'" create "$dir/tiles" "$dir/k.tacozip" --collection "$dir/c.json" --majortom x
refuses 'a number of neighbours' 2 "--near-count needs a number from 1 on, not '0'" create "$dir/tiles" "$dir/k.tacozip" --collection "$dir/c.json" --near-count 0
refuses 'a size of neighbours' 2 "--near-size needs a size, such as 1GB, not '2XB'" create "$dir/tiles" "$dir/k.tacozip" --collection "$dir/c.json" --near-size 2XB

# ---- colour: on a terminal, or when asked for
severity() { "$taco" validate "$data/refbug_unsorted.tacozip" "$@" 2>/dev/null | head -n 1 | cut -c 1-18 | tr '\033' '@'; }
[ "$(severity)" = 'error: METADATA/le' ] && good || bad "colour without a terminal: $(severity)"
[ "$(severity --color always)" = '@[1;31merror@[0m: ' ] && good || bad "colour when asked for: $(severity --color always)"
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    on_terminal() { script -qec "env $1 '$taco' validate '$data/refbug_unsorted.tacozip' $2" /dev/null </dev/null | grep -m 1 METADATA | cut -c 1-14 | tr '\033' '@'; }
    [ "$(on_terminal TERM=xterm)" = '@[1;31merror@[' ] && good || bad "colour on a terminal: $(on_terminal TERM=xterm)"
    [ "$(on_terminal 'TERM=xterm NO_COLOR=1')" = 'error: METADAT' ] && good || bad "NO_COLOR: $(on_terminal 'TERM=xterm NO_COLOR=1')"
    [ "$(on_terminal TERM=dumb)" = 'error: METADAT' ] && good || bad 'a dumb terminal'
    [ "$(on_terminal TERM=xterm '--color never')" = 'error: METADAT' ] && good || bad '--color never'
else echo 'SKIPPED colour on a terminal: no script'; fi

# ---- paths for GDAL are absolute, those of old formats too
here=$PWD
(cd tests/data/legacy && "$(case $taco in /*) echo "$taco" ;; *) echo "$here/$taco" ;; esac)" query mixed.tortilla --limit 1 --format vsi) >"$dir/out" 2>&1
grep -q "^/vsisubfile/[0-9]*_[0-9]*,/.*/tests/data/legacy/mixed.tortilla\$" "$dir/out" && good || bad "a path of an old format: $(cat "$dir/out")"

# ---- what a new user tries
refuses 'an unknown ending' 2 '-o x.xlsx: unknown extension' query "$data/nested.tacozip" -o x.xlsx
[ -e x.xlsx ] && bad 'x.xlsx is there' || good
refuses 'help, mistyped' 2 'the nearest is help' hlep
# ---- libcurl is loaded for a URL alone: where it is not, all else works, and the messages say what is missing
if "$taco" --version | grep -q '^curl: libcurl [0-9]' && [ "$(uname -s)" = Linux ]; then
    mkdir "$dir/empty"
    for name in libcurl.so.4 libcurl-gnutls.so.4 libcurl.so; do : >"$dir/empty/$name"; done
    if LD_LIBRARY_PATH=$dir/empty "$taco" --version >"$dir/out" 2>"$dir/err"; then
        grep -qx 'curl: libcurl is not installed, no remote files until it is' "$dir/out" && good || bad "--version without libcurl: $(cat "$dir/out")"
        LD_LIBRARY_PATH=$dir/empty "$taco" info "$data/geo_stac.tacozip" >"$dir/out" 2>"$dir/err" && good || bad "a local file without libcurl: $(cat "$dir/err")"
        LD_LIBRARY_PATH=$dir/empty refuses 'a URL without libcurl' 1 'https://localhost:1/x.tacozip: it needs libcurl: ' info https://localhost:1/x.tacozip
    else
        echo "SKIPPED the tool without libcurl: it is linked with it"
    fi
fi

"$taco" version >"$dir/a" && "$taco" -V >"$dir/b" && "$taco" --version >"$dir/c" && cmp -s "$dir/a" "$dir/b" && cmp -s "$dir/a" "$dir/c" && good || bad 'version'
refuses 'an empty name' 1 'the name of a dataset is empty' info ''
refuses 'no such directory' 1 "no such directory: '$dir/none" create "$dir/none" "$dir/x.tacozip" --collection "$dir/c.json"
refuses 'a file in the place of a directory' 1 "not a directory: '$dir/c.json'" create "$dir/c.json" "$dir/x.tacozip" --collection "$dir/c.json"
result
