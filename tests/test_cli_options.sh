#!/bin/sh
# test_cli_options.sh - one table of options by command (taco --dump-options) drives the parser, the help and completion.
# tests/test_options.c tries every option with every command and verb.
. tests/cli.sh

tab=$(printf '\t')
"$taco" --dump-options >"$dir/dump" 2>"$dir/err" && [ ! -s "$dir/err" ] && good || bad "--dump-options: $(cat "$dir/err")"
cut -f 1 "$dir/dump" | sort -u | tr '\n' ' ' >"$dir/a"
echo 'about command heading notes option topic usage verb ' | tr -d '\n' >"$dir/b"
same 'kinds of lines' "$dir/a" "$dir/b"
if awk -F "$tab" '$1 == "option" && (NF != 7 || $3 == "" || $6 == "" || $7 == "" ||
    $5 !~ /^(flag|file|directory|choice|number|size|text)\+?$/ || ($5 == "flag") != ($6 == "-")) { print; bad = 1 } END { exit bad }' "$dir/dump" >"$dir/a"; then good; else
    bad "lines of options: $(cat "$dir/a")"
fi

# A command, a verb or "-", and the options of it.
awk -F "$tab" '$1 == "option" && $2 == "-" { all = all " " $4 }
    $1 == "command" { order[++n] = $2 } $1 == "verb" { verbs[$2] = verbs[$2] " " $3 }
    $1 == "option" { taken[$2, ++count[$2]] = $4; by[$2, count[$2]] = $3 }
    END { for (i = 1; i <= n; i++) { c = order[i]; m = split(verbs[c] ? verbs[c] : "-", v, " ")
        for (j = 1; j <= m; j++) { line = c " " v[j] all
            for (k = 1; k <= count[c]; k++) if (by[c, k] == "-" || index("," by[c, k] ",", "," v[j] ",")) line = line " " taken[c, k]
            print line } } }' "$dir/dump" >"$dir/taken"
[ "$(wc -l <"$dir/taken")" -gt 30 ] && good || bad 'too few commands'

# ---- the help has exactly these options, fits 80 columns, and is that of the verb where one is named
while read -r c verb taken; do
    [ "$verb" = - ] && word= || word=$verb # shellcheck disable=SC2086
    "$taco" help "$c" $word >"$dir/a" 2>&1
    { awk -F "$tab" '$1 == "option" && $2 == "-" { print $4 }' "$dir/dump"
        sed -n 's/^  \(--*[a-z0][a-z0-9-]*\)\( .*\)*$/\1/p' "$dir/a"; } | grep -vxe --help | sort -u >"$dir/b"
    for o in $taken; do echo "$o"; done | sort >"$dir/c"
    same "help $c $word: options" "$dir/b" "$dir/c"
    if grep -q '^.\{81\}' "$dir/a" || grep -q ' $' "$dir/a"; then bad "help $c $word: $(grep -e '^.\{81\}' -e ' $' "$dir/a")"; else good; fi
    # shellcheck disable=SC2086
    "$taco" "$c" $word --help >"$dir/b" 2>&1
    same "$c $word --help" "$dir/a" "$dir/b"
done <"$dir/taken"
for topic in datasets filters sql formats exit-status; do
    "$taco" help "$topic" >"$dir/a" 2>&1 && [ -s "$dir/a" ] && ! grep -q '^.\{81\}' "$dir/a" && good || bad "help $topic"
done
refuses 'no such topic' 2 'no such topic: filtrs, the nearest is filters' help filtrs
refuses 'no such verb' 2 'no such verb: cpy' help parquet cpy

# ---- options were once taken and ignored
refuses 'stats -o' 2 'stats takes no -o' stats "$data/geo_stac.tacozip" -o x
refuses 'stats --format' 2 'stats takes no --format' stats "$data/geo_stac.tacozip" --format csv
refuses 'a codec of a schema' 2 'parquet schema takes no --codec' parquet schema x --codec zstd
refuses 'a filter of a verification' 2 'parquet verify takes no --where' parquet --where a verify x
refuses 'chunks of compile' 2 'tortilla compile takes no --chunks' tortilla compile a b --chunks

# ---- given twice: an error where one would be ignored
refuses 'two limits' 2 "--limit is given twice: '1' and '2'" query "$data/geo_stac.tacozip" --limit 1 --limit=2
is 'the same limit twice' 'id
p0' query "$data/geo_stac.tacozip" --limit 1 --limit=1 --format csv --select id

# ---- nothing is silently ignored
refuses 'a container of add in place' 2 '--format: needs an OUTPUT: without one, add changes DATASET itself' add a --samples b.csv --format folder
refuses 'overwriting of add in place' 2 '--overwrite: needs an OUTPUT: without one, add changes DATASET itself' add a --samples b.csv --overwrite
refuses 'partitions of one file' 2 '--single: excludes --partition-by: one file has no partitions' rasteret build a b --single --partition-by id
for dates in foo,bar 2020,foo 2020-13,2021 2020-01-01,2021-02-29 2020-01-01,2021-1-1 20200101,20210101 2020-01-01T25:00,2021 ,; do
    refuses "dates $dates" 2 "--dates needs two dates of ISO 8601, such as 2020-01-01,2020-12-31, not '$dates'" rasteret build a b --dates "$dates"
done
refuses 'reversed dates' 2 "--dates needs a START that is not after END, not '2021-01-01,2020-12-31'" rasteret build a b --dates 2021-01-01,2020-12-31
for dates in 2020,2020 2020-02,2020-02-29 2020-02-29T10:00:00.5Z,2020-02-29T23:59:59+02:00 '2020-01-01 10:00,2021'; do
    refuses "dates $dates" 1 'no such' rasteret build "$dir/nothing" "$dir/none" --dates "$dates"
done
refuses 'the first second' 2 "--date needs seconds since 1970, at least 1, not '0'" export a b --date 0
echo old >"$dir/file"
refuses 'a FOLDER in the place of a device' 1 "'/dev/null' exists already, and is no directory: a FOLDER cannot be there" export "$data/nested.tacozip" /dev/null
refuses 'a FOLDER in the place of a file' 1 "$dir/file: exists; --overwrite replaces it" export "$data/nested.tacozip" "$dir/file"

# ---- options of every command stand before or after it
is 'options before the command' 'id
p0' --quiet --threads 1 query "$data/geo_stac.tacozip" --limit 1 --format csv --select id
refuses 'another option before the command' 2 '--limit comes after the COMMAND' --limit 1 query "$data/geo_stac.tacozip"
refuses 'no such option before the command' 2 'no such option: --quite, the nearest is --quiet' --quite query x
"$taco" --version >"$dir/a" && "$taco" query x --version >"$dir/b"
same '--version after the command' "$dir/a" "$dir/b"

# ---- one policy: what exists is refused, --overwrite replaces it
level0=$data/nested_folder/METADATA/level0.parquet
for c in "query $data/geo_stac.tacozip --format csv -o" "query $data/geo_stac.tacozip --format geoparquet -o" "get $data/geo_stac.tacozip p1 -o" \
    "collection $data/geo_stac.tacozip --to stac -o" "read $data/nested.tacozip tile_00 -o" "parquet cat $level0 -o" "parquet copy $level0" \
    "query $data/geo_stac.tacozip --explain -o"; do
    echo old >"$dir/there" # shellcheck disable=SC2086
    refuses "$c: exists" 1 "$dir/there: exists; --overwrite replaces it" $c "$dir/there"
    # shellcheck disable=SC2086
    [ "$(cat "$dir/there")" = old ] && "$taco" $c "$dir/there" --overwrite >"$dir/out" 2>&1 && ! grep -qx old "$dir/there" && good || bad "$c --overwrite: $(cat "$dir/out")"
done

# ---- human numbers and sizes
rows 'thousands' 10 query "$data/geo_stac.tacozip" --limit 1k
result
