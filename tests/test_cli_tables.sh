#!/bin/sh
# test_cli_tables.sh - tables about samples: which paths, quotes, numbers and missing values they may have, and what
# becomes of them.
. tests/cli.sh
mkdir -p "$dir/src" "$dir/nest/t1" "$dir/nest/t2" && for i in 1 2 3; do echo "payload $i" >"$dir/src/f$i"; done
for i in t1/a t2/a; do echo "$i" >"$dir/nest/$i"; done
cat >"$dir/c.json" <<'E'
{"id":"demo","dataset_version":"1.0.0","description":"d","licenses":["MIT"],"providers":[{"name":"x"}],"tasks":["other"]}
E
n=0
nl='
'
table() { # EXTENSION TEXT: a table in $t
    t=$dir/t.$1
    printf "$2" >"$t"
}
make() { # a dataset of the table, in $out
    n=$((n + 1))
    out=$dir/$n.tacozip
    "$taco" create "$dir/src" "$out" --collection "$dir/c.json" --samples "$t" "$@" >"$dir/out" 2>"$dir/err" || bad "create: $(cat "$t" "$dir/err")"
}
refused() { # NAME TEXT ARGUMENTS...: the table is refused with that message
    name=$1 text=$2
    shift 2
    refuses "$name" 1 "$text" create "$dir/src" "$dir/refused.tacozip" --collection "$dir/c.json" --samples "$t" "$@"
}

# ---- ids: the path as it is written in the dataset; the file system would accept others
for id in ./f1 f1/. ../src/f1 /f1 f1/ .//f1 'f\\\\1'; do
    table csv "id,a\n$id,5\nf2,6\nf3,7\n"
    refused "the id $id" "t.csv: row 1: id '" --strict-schema no
    grep -q 'is not a path of names' "$dir/err" && good || bad "the id $id: $(cat "$dir/err")"
done
table csv 'id,a\nt1,1\nt2//a,2\n'
refuses 'an empty component' 1 "row 2: id 't2//a' is not a path of names" create "$dir/nest" "$dir/refused.tacozip" --collection "$dir/c.json" --samples "$t"
table csv 'id,a\nf1,1\nf2,2\nf3,3\n'
make
sed 's/f2/.\/f2/; s/,a/,b/' "$t" >"$dir/u.csv"
refuses 'an id to add' 1 "row 2: id './f2' is not a path of names" add "$out" --samples "$dir/u.csv"

# ---- Parquet with several row groups is one table; with any extension
"$taco" query examples/data/types.tacozip -o "$dir/t1.parquet" --quiet && "$taco" query examples/data/types.tacozip -o "$dir/t3.parquet" --row-group 2 --quiet
mkdir "$dir/types" && for i in 0 1 2 3 4 5; do echo "$i" >"$dir/types/t$i"; done
for k in 1 3; do
    is "$k row groups" '' create "$dir/types" "$dir/types$k.tacozip" --collection "$dir/c.json" --samples "$dir/t$k.parquet" --quiet
    "$taco" query "$dir/types$k.tacozip" --format ndjson | sed 's/"internal:gdal_vsi.*//' >"$dir/rows$k"
done
[ "$(wc -l <"$dir/rows1")" -eq 6 ] && same 'row groups' "$dir/rows1" "$dir/rows3"
"$taco" query examples/data/types.tacozip --sql "SELECT id AS \"tortilla:id\", 'BYTES' AS \"tortilla:file_format\", 'types/' || id AS path FROM data" -o "$dir/old.pq" --quiet --row-group 2 --format parquet
is 'a tortilla of row groups' '' tortilla create "$dir/old.pq" "$dir/old.tortilla" --quiet
rows 'its rows' 6 query "$dir/old.tortilla"

# ---- rows of a query as a table: lists with nulls, columns of extensions without values
"$taco" query examples/data/geo_stac.tacozip -o "$dir/geo.ndjson" --quiet
mkdir "$dir/geo" && for i in 0 1 2 3 4 5 6 7 8 9; do echo "$i" >"$dir/geo/p$i"; done
is 'rows as a table' '' create "$dir/geo" "$dir/geo.tacozip" --collection "$dir/c.json" --samples "$dir/geo.ndjson" --quiet
"$taco" query "$dir/geo.tacozip" --select id,geotiff:stats,stac:tensor_shape,scaling:padding --format ndjson >"$dir/a"
"$taco" query examples/data/geo_stac.tacozip --select id,geotiff:stats,stac:tensor_shape,scaling:padding --format ndjson >"$dir/b"
same 'their values' "$dir/a" "$dir/b"

# ---- a column with several types: --where tests the values that are returned, as --sql does
table csv 'id,n,m\nf1,9007199254740993,3\nf2,7,-5\nf3,10,2\n'
make --bloom
whole=$out
table csv 'id,n,m\nf1,9007199254740992.0,x\nf2,7.5,7\nf3,0.1,\n'
make --bloom
each() { # CONDITION IDS: the rows of both, in either order
    for two in "$whole $out" "$out $whole"; do
        is "--where $1" "$2" query $two --where "$1" --select m --order n --format csv
        is "--sql $1" "$2" query $two --sql "SELECT m FROM data WHERE $1 ORDER BY n" --format csv
    done
}
each 'n > 7 AND n < 10.5' "m${nl}7${nl}2"
each 'n IN (7, 7.5)' "m${nl}-5${nl}7"
each "m < '3'" "m${nl}-5${nl}2"
each "m LIKE '%5' OR m IN ('x', '7')" "m${nl}-5${nl}7${nl}x"
rows 'the common type is a double' 2 query "$whole" "$out" --where 'n = 9007199254740993'
rows 'its neighbour' 2 query "$out" "$whole" --where 'n = 9007199254740992'
result
