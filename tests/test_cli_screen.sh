#!/bin/sh
# test_cli_screen.sh - what is printed for people fits the terminal, of 80 and of 200 columns: help, info, rows, plans, statistics,
# maps, schemas, problems. Lines break between words; numbers are never cut; nothing from a file is a command to the terminal.
. tests/cli.sh
if ! command -v script >/dev/null || ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    echo 'SKIPPED screens: no script(1)'
    good
    result
    exit
fi
geo=$data/geo_stac.tacozip
screen() { # COLUMNS ARGUMENTS...: into $dir/out; messages are lines of their own, which the terminal breaks
    columns=$1
    shift
    script -qec "stty cols $columns; TERM=xterm NO_COLOR=1 '$taco' $* 2>/dev/null" /dev/null </dev/null | tr -d '\r' >"$dir/out"
}
fits() { # ARGUMENTS...: at 80 and 200 columns, with something on the screen
    for width in 80 200; do
        screen $width "$@"
        if [ -s "$dir/out" ] && awk -v w=$width '{ gsub(/[\200-\277]/, "") } length > w { exit 1 }' "$dir/out"; then good; else
            bad "$width columns: $*: $(awk -v w=$width 'length > w' "$dir/out" | head -n 3)"
        fi
    done
}

# ---- help
for c in $("$taco" help | sed -n 's/^  \([a-z0-9]*\)  *[a-zA-Z].*/\1/p') ''; do fits help "$c" && fits "$c" --help; done
for t in datasets filters sql formats exit-status; do fits help $t; done
fits doctor

# ---- a dataset with a long description, long names and long types
mkdir "$dir/in" && echo a >"$dir/in/a.bin"
{
    printf '{"id":"long","dataset_version":"1.0.0","description":"'
    for i in 1 2 3 4 5 6 7 8 9; do printf 'Words about the dataset, of which there are many. '; done
    printf '\\u001b[31mred\\u009b2J\\u0007","licenses":["MIT"],"providers":[{"name":"me","roles":["host"]}],"tasks":['
    printf '"classification","regression","segmentation","object-detection","super-resolution","other"]}'
} >"$dir/c.json"
{
    printf 'id,big'
    for i in 1 2 3 4 5 6 7 8; do printf ',a_column_with_a_long_name_%d' $i; done
    printf '\na.bin,-9223372036854775807'
    for i in 1 2 3 4 5 6 7 8; do printf ',some text that is longer than a narrow column has room for'; done
    echo
} >"$dir/t.csv"
"$taco" create "$dir/in" "$dir/long.tacozip" --collection "$dir/c.json" --samples "$dir/t.csv" 2>"$dir/err" || bad "create: $(cat "$dir/err")"
for d in "$dir/long.tacozip" "$geo" $data/nested.tacozip $data/geo_nested.tacozip; do
    [ -e "$d" ] || continue
    fits info $d
    fits query $d
    fits query $d --explain
    fits validate $d
done
screen 80 info "$dir/long.tacozip"
grep -q "$(printf '\033')\\|$(printf '\007')\\|$(printf '\302\233')" "$dir/out" && bad 'a command to the terminal' || good
grep -q '\^\[\[31mred' "$dir/out" && good || bad "control characters: $(cat -v "$dir/out")"
[ "$(sed -n 's/^             //p' "$dir/out" | grep -c 'dataset, of which')" -ge 4 ] && good || bad "a description goes on below itself: $(cat -v "$dir/out")"
"$taco" info "$dir/long.tacozip" | grep -q '^description  Words.*red' && good || bad 'in a pipe a description is a line'
screen 80 query "$dir/long.tacozip"
grep -q -e '-9223372036854775807 ' "$dir/out" && good || bad "a number is cut: $(cat "$dir/out")"

# ---- rows that are wide on a terminal and few in bytes, and the other way round
screen 80 query "$dir/long.tacozip" --sql "'SELECT '\''${x:=漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字}'\'' AS a, '\''b'\'' AS b FROM data'"
sed -n 2p "$dir/out" | grep -q '^\(漢字\)*漢*…  *b$' && [ "$(sed -n 2p "$dir/out" | tr -d 'b … ' | wc -c)" -le 180 ] && good || bad "wide characters: $(cat "$dir/out")"

fits stats $geo
screen 80 stats $geo
sed -n 2p "$dir/out" | grep -q '^band .* p95$' && good || bad "statistics in one block: $(cat "$dir/out")"
screen 40 stats $geo
[ "$(grep -c ^band "$dir/out")" -eq 2 ] && [ "$(awk 'length > 40' "$dir/out" | grep -vc ^column)" -eq 0 ] && good || bad "statistics in two blocks: $(cat "$dir/out")"
fits query $geo --format map
fits validate $data/refbug_unsorted.tacozip
fits parquet schema tests/data/pages_crc.parquet
fits parquet meta tests/data/pages_crc.parquet
fits parquet verify tests/data/pages_crc.parquet
fits parquet cat tests/data/pages_crc.parquet --format table
result
