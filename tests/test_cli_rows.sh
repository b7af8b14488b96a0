#!/bin/sh
# test_cli_rows.sh - how rows leave the tool: formats by the ending of -o, whole cells in files and pipes, tables on
# terminals, GDAL paths of whatever is selected, SELECTs over filters, lists of datasets.
. tests/cli.sh
geo=$data/geo_stac.tacozip root=$(cd "$data" && pwd -P)

# ---- the ending of -o is the format
out() { # FILE ARGUMENTS...: query -o FILE
    file=$dir/$1
    shift
    rm -f "$file"
    "$taco" query "$geo" "$@" -o "$file" >"$dir/said" 2>&1 || bad "query -o $file $*: $(cat "$dir/said")"
}
out a.parquet && "$taco" parquet verify "$dir/a.parquet" >/dev/null 2>&1 && good || bad '-o a.parquet is no Parquet'
out a.geoparquet && "$taco" parquet meta "$dir/a.geoparquet" --json 2>&1 | grep -q '"geo"' && good || bad '-o a.geoparquet is no GeoParquet'
for e in csv ndjson jsonl json geojson arrow arrows txt; do
    format=$e
    case $e in jsonl) format=ndjson ;; arrows) format=arrow ;; txt) format=table ;; esac
    out "a.$e" --limit 3 && "$taco" query "$geo" --limit 3 --format $format >"$dir/b" && same "-o a.$e" "$dir/a.$e" "$dir/b"
done
out a.gti --table data && grep -q '<GDALTileIndexDataset>' "$dir/a.gti" && good || bad '-o a.gti is no tile index'
refuses 'ending against format' 2 'x.csv and --format ndjson disagree: a name with this ending is csv' query "$geo" --format ndjson -o "$dir/x.csv"
refuses 'parquet that is a table' 2 'disagree' query "$geo" --format table -o "$dir/x.parquet"
[ -e "$dir/x.csv" ] || [ -e "$dir/x.parquet" ] && bad 'a refused format leaves a file' || good
is 'stac-geoparquet is Parquet' '' query "$geo" --format stac-geoparquet -o "$dir/s.parquet"
refuses 'read writes no GeoJSON' 2 'read writes no geojson' read "$data/nested.tacozip" tile_00 -o "$dir/x.geojson"
refuses 'cat writes no tile index' 2 'parquet writes no gti' parquet cat tests/data/pages_crc.parquet -o "$dir/x.gti"
is 'cat by ending' '' parquet cat tests/data/pages_crc.parquet --limit 1 -o "$dir/cat.csv"
[ "$(wc -l <"$dir/cat.csv")" -eq 2 ] && good || bad 'parquet cat -o cat.csv'
refuses 'a codec of CSV' 2 '--codec is an option of Parquet output, and --format csv is not Parquet' query "$geo" --format csv --codec zstd

# ---- a file or a pipe has whole cells
long=$("$taco" query "$geo" --limit 1 --select geotiff:stats --format csv 2>/dev/null | wc -c)
"$taco" query "$geo" --limit 1 --select '"geotiff:stats"' >"$dir/a" 2>"$dir/err"
out w.txt --limit 1 --select '"geotiff:stats"'
same 'a table in a pipe and in a file' "$dir/a" "$dir/w.txt"
if grep -q '\[\[0.0,10.0,5.0,1.0,100.0,2.0,5.0,7.0,9.0\],\[1.0,2.0,1.5,0.25,50.0,1.1,1.5,1.7,1.9\]\]' "$dir/a" && ! grep -q '…' "$dir/a"; then good; else
    bad "cut cells in a pipe: $(cat "$dir/a" "$dir/err")"
fi
"$taco" query "$geo" >"$dir/a" && [ "$(wc -l <"$dir/a")" -eq 11 ] && ! grep -q internal: "$dir/a" && grep -q 'POINT (-77 -12)' "$dir/a" && good || bad "a table: $(cat "$dir/a")"
"$taco" query "$geo" --select 'id, "internal:offset"' >"$dir/a" && grep -q '^id  internal:offset$' "$dir/a" && good || bad "internal columns that were asked for: $(cat "$dir/a")"

# ---- a terminal: fits the width, first rows, how many there are
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
    terminal() { # COLUMNS ARGUMENTS...
        columns=$1
        shift
        script -qec "stty cols $columns; TERM=xterm NO_COLOR=1 '$taco' $*" /dev/null </dev/null | tr -d '\r' >"$dir/out"
    }
    for width in 80 200; do
        terminal $width query "$geo"
        awk -v w=$width '{ gsub(/[\200-\277]/, "") } length > w { bad = 1 } END { exit bad || NR < 12 || NR > 14 }' "$dir/out" && good || bad "$width columns: $(cat "$dir/out")"
        sed -n 12p "$dir/out" | grep -q '^10 rows' && good || bad "$width columns, the last line: $(tail -n 1 "$dir/out")"
    done
    terminal 80 query "$geo"
    sed -n '12,$p' "$dir/out" | tr -d '\n' | grep -q '; *not shown: .*geotiff:stats$' && good || bad "columns that are not shown: $(tail -n 1 "$dir/out")"
    terminal 80 parquet cat tests/data/pages_crc.parquet --format table
    [ "$(wc -l <"$dir/out")" -eq 42 ] && tail -n 1 "$dir/out" | grep -q '^40 of 120 rows (all of them: --all)' && good || bad "the first rows: $(tail -n 1 "$dir/out")"
    terminal 80 parquet cat tests/data/pages_crc.parquet --format table --all
    [ "$(wc -l <"$dir/out")" -eq 122 ] && good || bad "--all: $(wc -l <"$dir/out")"
    script -qec "TERM=xterm '$taco' query $geo" /dev/null </dev/null | grep -q "$(printf '\033')\\[1mid" && good || bad 'no colour on a terminal'
    script -qec "TERM=dumb '$taco' query $geo" /dev/null </dev/null | grep -q "$(printf '\033')" && bad 'colour on a dumb terminal' || good
    script -qec "TERM=xterm '$taco' query $geo --color never" /dev/null </dev/null | grep -q "$(printf '\033')" && bad '--color never' || good
else echo 'SKIPPED terminals: no script(1)'; fi

# ---- CSV lines end in a line feed; JSON as one array
"$taco" query "$geo" --format csv --select id >"$dir/a" && ! grep -q "$(printf '\r')" "$dir/a" && good || bad 'CR in CSV'
"$taco" query "$geo" --format csv --select id --crlf >"$dir/b" && [ "$(grep -c "$(printf '\r')\$" "$dir/b")" -eq 11 ] && good || bad '--crlf'
id=$("$taco" query "$geo" --format csv --select id | sed -n 3p)
is 'an id cut out of CSV' "/vsisubfile/783_415,$root/geo_stac.tacozip" read "$geo" "$id"
is 'one JSON array' '[
{"id":"p0"},
{"id":"p1"}
]' query "$geo" --format json --select id --limit 2
is 'no rows as JSON' '[]' query "$geo" --format json --limit 0

# ---- vsi: the path of every sample row, whatever is selected
"$taco" query "$geo" --format vsi >"$dir/a"
"$taco" query "$geo" --format vsi --select id >"$dir/b" 2>&1
same 'vsi with a selection' "$dir/a" "$dir/b"
"$taco" query "$geo" --format vsi --sql 'SELECT id FROM data' >"$dir/b" 2>&1
same 'vsi of a SELECT' "$dir/a" "$dir/b"
"$taco" query "$geo" --format vsi --sql 'SELECT length(id) AS n FROM data ORDER BY id DESC' >"$dir/b" 2>&1
sort "$dir/a" >"$dir/c" && [ "$(wc -l <"$dir/b")" -eq 10 ] && [ "$(head -n 1 "$dir/b")" = "$(tail -n 1 "$dir/a")" ] && sort "$dir/b" >"$dir/d" && same 'vsi of computed columns' "$dir/c" "$dir/d"
"$taco" query "$data/nested.tacozip" --table level1 --format vsi >"$dir/a" && "$taco" query "$data/nested.tacozip" --table level1 --select id --format vsi >"$dir/b"
same 'vsi of a level' "$dir/a" "$dir/b"
is 'vsi that a SELECT shows' "/vsisubfile/783_415,$root/geo_stac.tacozip" query "$geo" --format vsi --sql "SELECT \"internal:gdal_vsi\" FROM level0 WHERE id = 'p1'"
refuses 'vsi of rows that are no samples' 1 'are not samples' query "$geo" --format vsi --sql 'SELECT count(*) AS n FROM data'
refuses 'vsi of groups' 1 'are not samples' query "$geo" --format vsi --sql 'SELECT id, count(*) FROM data GROUP BY id'
# every file of the samples of a TACO 3, which are rows of the level tables
"$taco" query "$data/taco3.zip" --format vsi >"$dir/a" && for t in children children/before children/after; do
    "$taco" query "$data/taco3.zip" --format vsi --table $t 2>/dev/null
done | grep . | sort >"$dir/b"
sort "$dir/a" >"$dir/c" && same 'vsi of the files of samples' "$dir/c" "$dir/b"
"$taco" query "$data/taco3.zip" --format vsi -0 | tr '\0' '\n' >"$dir/b" && same 'vsi of files, ended by NUL' "$dir/a" "$dir/b"
# ---- a name with a line feed is one path or none
mkdir "$dir/odd" && printf x >"$dir/odd/a
_etc_passwd" && printf y >"$dir/odd/b"
printf '{"id":"s","dataset_version":"1","description":"d","licenses":["CC0-1.0"],"providers":[{"name":"n"}],"tasks":["other"]}' >"$dir/odd.json"
"$taco" create "$dir/odd" "$dir/odd.folder" --collection "$dir/odd.json" || bad 'create of a name with a line feed'
refuses 'vsi of a name with a line feed' 1 'has a control character, and would not be one line' query "$dir/odd.folder" --format vsi
refuses 'read of a name with a line feed' 1 'has a control character, and would not be one line' read "$dir/odd.folder" @0
[ "$("$taco" query "$dir/odd.folder" --format vsi -0 | tr '\n\0' '?\n' | sed 's,.*/,,')" = 'a?_etc_passwd
b' ] && good || bad 'query --format vsi -0'
[ "$("$taco" read "$dir/odd.folder" b -0 | tr '\0' '\n' | sed 's,.*/,,')" = b ] && good || bad 'read -0'
"$taco" validate "$dir/odd.folder" 2>&1 | grep -q "^warning: .*row 0: id 'a.x0a_etc_passwd' has a control character" && good || bad 'validate of a name with a line feed'

# ---- a SELECT over what filters leave
is 'SELECT over filters' 'n
2' query "$geo" --bbox=-10,35,30,60 --time 2020-01-01/2023-12-31 --sql 'SELECT count(*) AS n FROM data' --format csv
is 'SELECT over a table' 'n
12' query "$data/nested.tacozip" --table level1 --sql 'SELECT count(*) AS n FROM data' --format csv
refuses 'SELECT that looks past the filters' 2 'which this SELECT does not name' query "$geo" --where "id = 'p1'" --sql "SELECT count(*) FROM level0 WHERE id <> 'data'"
refuses 'SELECT and --limit' 2 'put them into the SELECT' query "$geo" --limit 2 --sql 'SELECT id FROM data'
"$taco" stats "$geo" --json --where "id IN ('p0', 'p1', 'p3')" >"$dir/a" && "$taco" stats "$geo" --json --sql "SELECT * FROM data WHERE id IN ('p0', 'p1', 'p3')" >"$dir/b" 2>&1
same 'stats of a SELECT' "$dir/a" "$dir/b"
"$taco" query "$geo" --where "id > 'p7'" --sql 'SELECT id FROM data' --explain 2>&1 | grep -q 'reads id' && good || bad 'explain of a SELECT over filters'

# ---- lists of datasets, without a limit
find "$data/multi" -name '*.tacozip' | sort >"$dir/list" && n=$(wc -l <"$dir/list")
is 'a list' "$(echo n; "$taco" query $(cat "$dir/list") --sql 'SELECT count(*) AS n FROM data' --format csv | tail -n 1)" query --files-from "$dir/list" --sql 'SELECT count(*) AS n FROM data' --format csv
"$taco" query @"$dir/list" --format vsi >"$dir/a" && "$taco" query --files-from - --format vsi <"$dir/list" >"$dir/b"
[ "$n" -gt 1 ] && [ -s "$dir/a" ] && same '@FILE and standard input' "$dir/a" "$dir/b" || bad '@FILE and standard input'
tr '\n' '\0' <"$dir/list" | "$taco" query --files-from - --format vsi >"$dir/b"
same 'names ended by NUL' "$dir/a" "$dir/b"
sed 's/$/\r/' "$dir/list" | "$taco" query --files-from - --format vsi >"$dir/b"
same 'names ended by CR LF' "$dir/a" "$dir/b"
{ printf '\357\273\277'; cat "$dir/list"; } | "$taco" query --files-from - --format vsi >"$dir/b"
same 'a list with a byte order mark' "$dir/a" "$dir/b"
for text in '\377\376a\0' '\376\377\0a' 'a\0\n\0' '\0a\0\n'; do
    printf "$text" >"$dir/utf16"
    refuses "a list in UTF-16: $text" 2 'the list of files is UTF-16; it must be UTF-8' query --files-from "$dir/utf16"
done
refuses 'an empty list' 2 'the list of files is empty' query --files-from /dev/null
refuses 'a list that is not there' 1 "$dir/none" query @"$dir/none"
: >"$dir/empty"
is 'export of a list' '' export --files-from "$dir/list" "$dir/all.tacozip" --quiet
rows 'what was exported' "$(wc -l <"$dir/a")" query "$dir/all.tacozip"
mkdir "$dir/cat" && cp "$data"/multi/*.tacozip "$dir/cat/" && ls "$dir/cat"/*.tacozip >"$dir/list2"
is 'tacocat of a list' '' tacocat "$dir/cat" --files-from "$dir/list2"
rows 'the catalogue' "$(wc -l <"$dir/a")" query "$dir/cat"
is 'tacollection of a list' '' tacollection "$dir/t.json" @"$dir/list2"
awk -v f="$geo" 'BEGIN { for (i = 0; i < 1500; i++) print f }' >"$dir/many"
is 'more than 1,024 datasets' 'n
15000' query @"$dir/many" --sql 'SELECT count(*) AS n FROM data' --format csv --quiet
filters=$(awk 'BEGIN { for (i = 0; i < 100; i++) printf "--where id>\x27p\x27 " }') # shellcheck disable=SC2086
rows 'more than 64 filters' 10 query "$geo" $filters
# ---- footprints of UTM and web mercator tiles are polygons in degrees, in GeoJSON and GeoParquet
"$taco" query "$data/nested.tacozip" --format geojson --select id --where "id = 'tile_01'" >"$dir/a" 2>"$dir/err"
grep -q '"type":"Polygon","coordinates":\[\[\[-1.832[0-9]*,39.744' "$dir/a" && [ ! -s "$dir/err" ] && good || bad "a UTM tile as GeoJSON: $(cat "$dir/a" "$dir/err")"
"$taco" query "$data/nested.tacozip" -o "$dir/utm.geoparquet" && "$taco" parquet cat "$dir/utm.geoparquet" --select geometry --format table >"$dir/a" 2>&1
[ "$(grep -c '^POLYGON ([-0-9.]* 39.[0-9]* .. [-0-9.]* 39.[0-9]*, 5 points)' "$dir/a")" -eq 4 ] && good || bad "UTM tiles as GeoParquet: $(cat "$dir/a")"
"$taco" query "$geo" -o "$dir/deg.geoparquet" && "$taco" parquet cat "$dir/deg.geoparquet" --select id,geometry --format table >"$dir/a" 2>&1
grep -q '^p4  MULTIPOLYGON (-180 -0.06 .. 180 0.06, 2 parts, 10 points)' "$dir/a" && good || bad "over 180 degrees: $(cat "$dir/a")"

# ---- a map
"$taco" query "$geo" --format map >"$dir/a" 2>"$dir/err"
tail -n 1 "$dir/a" | grep -q '^10 samples$' && [ "$(grep -c '^|' "$dir/a")" -gt 5 ] && [ "$(tr -cd '.:' <"$dir/a" | wc -c)" -gt 8 ] && ! grep -q '^.\{81\}' "$dir/a" && good || bad "a map: $(cat "$dir/a" "$dir/err")"
is 'a map of nothing' '0 samples' query "$geo" --format map --where "id = 'none'"
refuses 'a map of a SELECT' 2 '--sql cannot make footprints' query "$geo" --format map --sql 'SELECT id FROM data'

result
