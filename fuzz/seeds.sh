#!/bin/sh
# seeds.sh - makes build/seeds/TARGET/ from the bundled datasets (examples/data) and the small inputs in fuzz/seeds.
# TACO_HEADER names the metadata tables of an archive (taco.h, room index); they are cut out with dd.
set -e
cd "$(dirname "$0")/.."
out=build/seeds data=examples/data
rm -rf "$out"
for t in query validate zip parquet arrow cat footer zstd json where wkb avro snappy lz4 flate enc sql tiff sheet text host taco3; do mkdir -p "$out/$t"; done

number() { od -An -v -tu8 -j"$2" -N8 "$1" | tr -d ' \n'; } # FILE OFFSET: little-endian, 64 bits
cut_out() { tail -c +$(($2 + 1)) "$1" | head -c "$3" >"$4"; }  # FILE OFFSET SIZE TO
footer() ( # PARQUET TO: fuzz_footer wants what to parse (0 = a footer) and where it stands, then the footer
    size=$(($(wc -c <"$1"))) len=$(od -An -v -tu4 -j$((size - 8)) -N4 "$1" | tr -d ' \n')
    { printf '\000\040\000'; tail -c $((len + 8)) "$1" | head -c "$len"; } >"$2"
)
tables() ( # PARQUET NAME
    cp "$1" "$out/parquet/$2"
    cp "$1" "$out/arrow/$2"
    footer "$1" "$out/footer/$2"
    i=0
    LC_ALL=C grep -obUa "$(printf '\050\265\057\375')" "$1" 2>/dev/null | cut -d: -f1 | head -n 12 | while read -r at; do
        cut_out "$1" "$at" 4096 "$out/zstd/$2-$i" # a page and what stands behind it
        i=$((i + 1))
    done
)

for f in "$data"/*.tacozip "$data"/multi/*part0001.tacozip; do
    name=$(basename "$f" .tacozip)
    cp "$f" "$out/query/$name"
    cp "$f" "$out/validate/$name"
    head -c 4096 "$f" >"$out/zip/$name-head"
    tail -c 4096 "$f" >"$out/zip/$name-tail"
    n=$(od -An -v -tu1 -j41 -N1 "$f" | tr -d ' \n') i=0
    while [ "$i" -lt "$n" ] && [ "$i" -lt 7 ]; do
        at=$(number "$f" $((45 + 16 * i))) size=$(number "$f" $((53 + 16 * i)))
        if [ $((i + 1)) -eq "$n" ]; then
            cut_out "$f" "$at" "$size" "$out/json/$name"
        else
            cut_out "$f" "$at" "$size" "$out/level"
            tables "$out/level" "$name-level$i"
        fi
        i=$((i + 1))
    done
done
rm -f "$out/level"
cp "$data/tacocat_binary/__TACOCAT__" "$out/query/tacocat"
cp "$data/tacocat_binary/__TACOCAT__" "$out/validate/tacocat"
cp "$data/tacocat_binary/__TACOCAT__" "$out/zip/tacocat"
for f in "$data"/era_0130_folder/METADATA/*.avro; do cp "$f" "$out/avro/"; done
printf 'id,region,n,x:time_start\nt3,"a ""b""\nc",1.5,2020-01-01\r\nt1,,1e3,\n' >"$out/sheet/csv"
printf '{"id":"a","v":[1,2.5],"w":{"k":null},"s:centroid":"0101"}\n\n{"id":"b","v":null,"z":true}\n' >"$out/sheet/lines"
i=0
while IFS= read -r line; do
    printf '%s' "$line" >"$out/where/$i"
    i=$((i + 1))
done <<'END'
id = 'x' AND NOT (a < 3 OR b IS NULL)
"stac:cloud_cover" BETWEEN 1.5 AND 20 AND split IN ('train', 'val')
name ILIKE '%a_b%' OR name NOT LIKE 'x!%' ESCAPE '!'
t >= TIMESTAMP '2020-01-01T00:00:00Z' AND d < DATE '2021-06-30'
END
# SQL: a query a line, and what nests
i=0
while IFS= read -r line; do
    printf '%s' "$line" >"$out/sql/$i"
    i=$((i + 1))
done <fuzz/seeds/sql.txt
nested() { # FRONT REPEATED BEHIND NAME: 60 times and 700 times
    for n in 60 700; do
        awk -v a="$1" -v b="$2" -v c="$3" -v n="$n" 'BEGIN { printf "%s", a; while (n--) printf "%s", b; printf "%s", c }' >"$out/sql/$4-$n"
    done
}
nested 'SELECT ' '(' '1 FROM data' parens
nested 'SELECT ' '- ' '1 FROM data' minus
nested 'SELECT id FROM data WHERE ' 'NOT ' 'true' not
nested 'SELECT v' '+1' ' FROM data' plus
nested 'SELECT id FROM data WHERE v = 1' ' AND v > 0' '' and
nested 'SELECT v' '::DOUBLE' ' FROM data' cast
nested 'SELECT id' '[1]' ' FROM data' index
nested 'SELECT ' 'abs(' 'v FROM data' call
nested 'SELECT ' 'CASE WHEN ' 'v FROM data' case
nested 'SELECT id FROM data WHERE v IN (1' ',2' ')' in
nested 'SELECT id FROM data' ' JOIN level1' '' join
# what the tests ask: whole queries, expressions four at a time, conditions; texts with escapes of C are left
# out, and so are those that end with a space, as the rest of the query is on the next line
lines() { # TARGET NAME: a seed of each line
    i=0
    while IFS= read -r line; do
        printf '%s' "$line" >"$out/$1/$2-$i"
        i=$((i + 1))
    done
}
grep -oh '"\(SELECT\|WITH\|FROM\|VALUES\) [^"\\]*[^" \\]"' tests/test_sql*.c tests/test_views.c | sed 's/^"//; s/"$//' | LC_ALL=C sort -u | lines sql query
sed -n 's/^ *{"\([^"\\]*\)", *"[^"]*"}.*/\1/p' tests/test_sql*.c | LC_ALL=C sort -u |
    awk '{ q = q (n++ ? ", " : "SELECT ") $0 } n == 4 { print q " FROM data LIMIT 1"; q = ""; n = 0 } END { if (n) print q " FROM data" }' |
    lines sql values
grep -oh '"[a-z(][^"\\]* [^"\\]*"' tests/test_expr.c tests/test_prune.c | sed 's/^"//; s/"$//' | LC_ALL=C sort -u | lines where test
i=0
while IFS= read -r line; do
    printf '%s' "$line" >"$out/text/$i"
    i=$((i + 1))
done <<'END'
2020-02/2021
2019-12-31T23:59:59.5+05:30/2020-01-01
2020-W53-7
20200229T1020Z
-0.5e-324
a/b\\@c
s3://bucket/x.tacozip
tile_00/image
END
# chains of views (fuzz_view), Arrow streams (fuzz_import): a byte for every choice
choices() { # TARGET SEEDS BYTES LEAST MOST
    mkdir -p "$out/$1"
    i=0
    while [ "$i" -lt "$2" ]; do
        LC_ALL=C awk -v s="$i" -v bytes="$3" -v least="$4" -v n="$(($5 - $4 + 1))" 'BEGIN {
            x = s * 7919 + 17
            while (bytes--) { x = (x * 1103 + 12345) % 65536; printf "%c", least + int(x / 256) % n }
        }' >"$out/$1/$i"
        i=$((i + 1))
    done
}
choices view 40 160 32 126
choices import 400 3000 1 255
# WKB: a point, and a polygon with a hole as hexadecimal text turned into bytes
printf '\001\001\000\000\000\000\000\000\000\000\000\360\077\000\000\000\000\000\000\000\100' >"$out/wkb/point"
printf '\001\377abcdefghijklmnop' >"$out/host/short"
mkdir -p "$out/tortilla"
cp tests/data/legacy/* "$out/tortilla/"
cp "$out/parquet/"* tests/data/*.parquet "$out/cat/"
for d in fuzz/seeds/*/; do
    [ -d "$d" ] && mkdir -p "$out/$(basename "$d")" && cp "$d"* "$out/$(basename "$d")/"
done
cp "$data/taco3.zip" tests/data/taco3/*.zip tests/data/taco3/flat/COLLECTION.json "$out/taco3/"
cp tests/data/taco3/cat/.tacocat/COLLECTION.json "$out/taco3/catalogue.json"
echo "$(find "$out" -type f | wc -l) seeds in $out"
