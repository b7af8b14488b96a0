#!/bin/sh
# test_cli_overwrite.sh - what is there is refused by every command that writes, in the same words, and replaced with
# --overwrite; after a failure it is what it was. And the causes of the system, in words.
. tests/cli.sh
root=$(cd "$data" && pwd -P)
printf '{"id":"x","dataset_version":"1","description":"x","licenses":["x"],"providers":[{"name":"x","roles":["producer"]}],"tasks":["other"]}' >"$dir/c.json"
mkdir "$dir/src" "$dir/all"
for i in 1 2; do echo $i >"$dir/src/s$i"; done
cp "$data"/multi/*.tacozip "$dir/all"
printf 'id,score\ntile_00,1\ntile_01,2\ntile_02,3\ntile_03,4\n' >"$dir/s.csv"

# replaces OUTPUT ARGUMENTS...: made, refused, and made again; nothing is left beside it
replaces() {
    output=$1
    shift
    is "$1 makes" '' "$@" --quiet
    [ -e "$output" ] && good || bad "$* made no $output"
    refuses "$1 refuses" 1 "$output: exists; --overwrite replaces it" "$@" --quiet
    ls -d "$output".*old "$output".*part >"$dir/beside" 2>/dev/null && bad "$1 left $(cat "$dir/beside")" || good
    before=$(ls -di "$output")
    is "$1 replaces" '' "$@" --overwrite --quiet
    [ -e "$output" ] && [ "$before" != "$(ls -di "$output")" ] && good || bad "$1: $output is what it was"
    ls -d "$output".*old "$output".*part >"$dir/beside" 2>/dev/null && bad "$1 left $(cat "$dir/beside")" || good
}
replaces "$dir/e.tacozip" export "$data/nested.tacozip" "$dir/e.tacozip"
replaces "$dir/e" export "$data/nested.tacozip" "$dir/e"
replaces "$dir/f" zip2folder "$data/nested.tacozip" "$dir/f"
replaces "$dir/z.tacozip" folder2zip "$data/nested_folder" "$dir/z.tacozip"
replaces "$dir/c.tacozip" create "$dir/src" "$dir/c.tacozip" --collection "$dir/c.json"
replaces "$dir/c" create "$dir/src" "$dir/c" --collection "$dir/c.json"
replaces "$dir/a.tacozip" add "$data/nested.tacozip" "$dir/a.tacozip" --samples "$dir/s.csv"
replaces "$dir/o.tortilla" convert "$data/geo_stac.tacozip" "$dir/o.tortilla" 2>/dev/null
replaces "$dir/n.tacozip" convert "$dir/o.tortilla" "$dir/n.tacozip" --collection "$dir/c.json"
replaces "$dir/p.tortilla" tortilla compile "$dir/o.tortilla" "$dir/p.tortilla"
replaces "$dir/all/.tacocat" tacocat "$dir/all" "$dir"/all/*.tacozip
replaces "$dir/all/TACOLLECTION.json" tacollection "$dir/all" "$dir"/all/*.tacozip
replaces "$dir/p.parquet" parquet copy "$data/nested_folder/METADATA/level0.parquet" "$dir/p.parquet"
replaces "$dir/q.csv" query "$data/nested.tacozip" -o "$dir/q.csv"
replaces "$dir/q.parquet" query "$data/nested.tacozip" -o "$dir/q.parquet"
replaces "$dir/note" get "$data/nested.tacozip" tile_00/note -o "$dir/note"
replaces "$dir/stac.json" collection "$data/nested.tacozip" --to stac -o "$dir/stac.json"
replaces "$dir/r.html" report "$data/nested.tacozip" -o "$dir/r.html" --thumbnails 0
replaces "$dir/x.zip" archive create "$dir/x.zip" "x=$dir/c.json"
# several archives at a time: the catalogue beside them, or the first of them
mkdir "$dir/parts" "$dir/alone" "$dir/groups"
printf 'id,split\ns1,train\ns2,test\n' >"$dir/g.csv"
replaces "$dir/parts/p_part0001.tacozip" create "$dir/src" "$dir/parts/p.tacozip" --collection "$dir/c.json" --split-size 2
replaces "$dir/alone/p_part0001.tacozip" create "$dir/src" "$dir/alone/p.tacozip" --collection "$dir/c.json" --split-size 2 --consolidate no
replaces "$dir/groups/p_train.tacozip" create "$dir/src" "$dir/groups/p.tacozip" --collection "$dir/c.json" --samples "$dir/g.csv" --group-by split
[ "$(ls "$dir/parts" "$dir/alone" "$dir/groups" | grep -c 'p_.*\.tacozip$')" -eq 6 ] && good || bad "parts: $(ls "$dir/parts" "$dir/alone" "$dir/groups")"
cp "$dir/alone/p_part0002.tacozip" "$dir/alone/p_part0003.tacozip"
notes 'a part that was there before' 'p_part0003.tacozip is a part of an earlier dataset and stays: this one has 2 parts' create "$dir/src" "$dir/alone/p.tacozip" --collection "$dir/c.json" --split-size 2 --consolidate no --overwrite
# Rasteret collections
replaces "$dir/rc" rasteret from-taco "$data/nested.tacozip" "$dir/rc"
replaces "$dir/rc.parquet" rasteret from-taco "$data/nested.tacozip" "$dir/rc.parquet" --single
replaces "$dir/rb" rasteret build "$dir/rc.parquet" "$dir/rb"
replaces "$dir/rt.tacozip" rasteret to-taco "$dir/rc" "$dir/rt.tacozip" --collection "$dir/c.json"
"$taco" repair "$data/nested.tacozip" "$dir/r.tacozip" >/dev/null 2>&1
refuses 'repair' 1 'r.tacozip: exists; --overwrite replaces it' repair "$data/nested.tacozip" "$dir/r.tacozip"
"$taco" repair "$data/nested.tacozip" "$dir/r.tacozip" --overwrite >/dev/null 2>&1 && [ ! -e "$dir/r.tacozip.old" ] && good || bad 'repair --overwrite'

# what a killed command has left is named, and nothing with another name
mkdir "$dir/f.0123456789abcdef.part" && : >"$dir/f.0123456789abcde.part"
notes 'a killed one' 'f.0123456789abcdef.part: left by a command that was killed' zip2folder "$data/nested.tacozip" "$dir/f" --overwrite --quiet
grep -q 'abcde\.part' "$dir/err" && bad "another name: $(cat "$dir/err")" || good
rm -r "$dir"/f.0123456789abcde*
# the permissions of what is replaced
chmod 600 "$dir/e.tacozip" && chmod 700 "$dir/f"
is 'a file of 0600' '' export "$data/nested.tacozip" "$dir/e.tacozip" --overwrite --quiet
is 'a FOLDER of 0700' '' zip2folder "$data/nested.tacozip" "$dir/f" --overwrite --quiet
ls -ld "$dir/e.tacozip" "$dir/f" | cut -c1-10 | tr '\n' ' ' >"$dir/out"
[ "$(cat "$dir/out")" = '-rw------- drwx------ ' ] && good || bad "permissions: $(cat "$dir/out")"

# ---- what failed has changed nothing
is 'a FOLDER' '' zip2folder "$data/geo_stac.tacozip" "$dir/keep"
cp -r "$dir/keep" "$dir/kept"
"$taco" zip2folder "$dir/nothing.tacozip" "$dir/keep" --overwrite >"$dir/out" 2>&1 && bad 'nothing to read' || good
diff -r "$dir/keep" "$dir/kept" >/dev/null && [ ! -e "$dir/keep.old" ] && good || bad 'a FOLDER after a failure'
refuses 'its own input' 1 'is read, too' zip2folder "$dir/keep" "$dir/keep" --overwrite
echo mine >"$dir/keep/notes.txt"
refuses 'what is of no dataset' 1 "'notes.txt' in it is of no dataset" zip2folder "$data/nested.tacozip" "$dir/keep" --overwrite
[ -e "$dir/keep/notes.txt" ] && good || bad 'notes are gone'
mkdir "$dir/precious" && echo mine >"$dir/precious/x"
refuses 'a directory of others' 1 "'x' in it is of no dataset" export "$data/nested.tacozip" "$dir/precious" --overwrite
# a directory with the names of a dataset is none: it must open, and have only what its levels list
keeps() { # DIRECTORY STRANGER ARGUMENTS...: refused, and everything in it stays
    kept=$1 stranger=$2
    shift 2
    (cd "$kept" && find . | sort) >"$dir/names"
    refuses "$kept with $stranger" 1 "'$stranger' in it is of no dataset" "$@" "$kept" --overwrite
    (cd "$kept" && find . | sort) | cmp -s - "$dir/names" && good || bad "$kept is not what it was"
}
mkdir -p "$dir/mine/DATA" "$dir/tables" "$dir/noted"
echo mine >"$dir/mine/DATA/thesis.txt"
keeps "$dir/mine" DATA/thesis.txt zip2folder "$data/nested.tacozip"
echo mine >"$dir/tables/train.parquet"
keeps "$dir/tables" train.parquet export "$data/nested.tacozip"
keeps "$dir/tables" train.parquet rasteret from-taco "$data/nested.tacozip"
echo mine >"$dir/noted/notes=important.txt"
keeps "$dir/noted" 'notes=important.txt' create "$dir/src" --collection "$dir/c.json"
is 'a FOLDER of two levels' '' zip2folder "$data/nested.tacozip" "$dir/two"
for stranger in DATA/mine DATA/tile_00/mine METADATA/level7.parquet METADATA/mine; do
    echo mine >"$dir/two/$stranger"
    keeps "$dir/two" "$stranger" zip2folder "$data/nested.tacozip"
    rm "$dir/two/$stranger"
done
mkdir "$dir/two/DATA/tile_00/__meta__.d"
keeps "$dir/two" DATA/tile_00/__meta__.d zip2folder "$data/nested.tacozip"
rmdir "$dir/two/DATA/tile_00/__meta__.d"
is 'and nothing else' '' zip2folder "$data/nested.tacozip" "$dir/two" --overwrite
: >"$dir/two/METADATA/level1.parquet"
refuses 'a FOLDER that does not open' 1 'is not replaced: it does not open as a dataset: ' zip2folder "$data/nested.tacozip" "$dir/two" --overwrite
mkdir "$dir/three" "$dir/three/a" "$dir/three/a/b" && echo 1 >"$dir/three/a/b/c"
is 'a FOLDER of three levels' '' create "$dir/three" "$dir/deep" --collection "$dir/c.json"
is 'and over it' '' create "$dir/three" "$dir/deep" --collection "$dir/c.json" --overwrite
cp -r "$data/era_0130_folder" "$dir/era"
is 'a FOLDER of the reference' '' zip2folder "$data/nested.tacozip" "$dir/era" --overwrite
mkdir "$dir/empty"
is 'an empty directory' '' zip2folder "$data/nested.tacozip" "$dir/empty" --overwrite
refuses 'the directory of a catalogue' 1 "in it is of no dataset" zip2folder "$data/nested.tacozip" "$dir/all" --overwrite
refuses 'a collection of Rasteret, by another command' 1 "part-0.parquet' in it is of no dataset" zip2folder "$data/nested.tacozip" "$dir/rc" --overwrite
echo mine >"$dir/rb/part-0.txt"
refuses 'a stranger in a collection of Rasteret' 1 "'part-0.txt' in it is of no dataset" rasteret build "$dir/rc.parquet" "$dir/rb" --overwrite
# a separator at the end of the output
for slash in / //; do
    is "a FOLDER$slash" '' zip2folder "$data/nested.tacozip" "$dir/f$slash" --overwrite
    is "created$slash" '' create "$dir/src" "$dir/c$slash" --collection "$dir/c.json" --overwrite
    is "exported$slash" '' export "$data/nested.tacozip" "$dir/e$slash" --overwrite
    is "a collection of Rasteret$slash" '' rasteret from-taco "$data/nested.tacozip" "$dir/rc$slash" --overwrite --quiet
    is "a catalogue$slash" '' tacocat "$dir/all/.tacocat$slash" "$dir"/all/*.tacozip --overwrite
done
is 'a FOLDER named like an archive' '' create "$dir/src" "$dir/named.zip/" --collection "$dir/c.json"
is 'and again' '' create "$dir/src" "$dir/named.zip/" --collection "$dir/c.json" --overwrite
[ -d "$dir/named.zip/DATA" ] && good || bad 'named.zip/ is no FOLDER'
is 'of any case' '' create "$dir/src" "$dir/named.TacoZip/" --collection "$dir/c.json"
is 'converted' '' convert "$dir/o.tortilla" "$dir/old.ZIP/" --collection "$dir/c.json"
is 'converted again' '' convert "$dir/o.tortilla" "$dir/old.ZIP/" --collection "$dir/c.json" --overwrite
is 'named like an old file' '' convert "$dir/o.tortilla" "$dir/old.taco/" --collection "$dir/c.json"
is 'of Rasteret' '' rasteret to-taco "$dir/rc" "$dir/rt.zip/" --collection "$dir/c.json" --quiet
is 'of Rasteret, converted' '' convert "$dir/rc" "$dir/rv.zip/" --collection "$dir/c.json"
for name in named.TacoZip old.ZIP old.taco rt.zip rv.zip; do
    [ -d "$dir/$name/DATA" ] && good || bad "$name/ is no FOLDER"
done
# what the command reads stays where it is
refuses 'the collection of the output' 1 "cannot be replaced, as the command reads $dir/c/COLLECTION.json" create "$dir/src" "$dir/c" --collection "$dir/c/COLLECTION.json" --overwrite
ln -s "$dir/c.json" "$dir/c/link.json"
refuses 'a link in the output' 1 "cannot be replaced, as the command reads $dir/c/link.json" create "$dir/src" "$dir/c" --collection "$dir/c/link.json" --overwrite
rm "$dir/c/link.json"
refuses 'the source in the output' 1 "cannot be replaced, as the command reads $dir/c/DATA" create "$dir/c/DATA" "$dir/c" --collection "$dir/c.json" --overwrite
refuses 'a table in the output' 1 "cannot be replaced, as the command reads $dir/c/METADATA/level0.parquet" add "$data/nested_folder" "$dir/c" --samples "$dir/c/METADATA/level0.parquet" --overwrite
[ -e "$dir/c/COLLECTION.json" ] && good || bad 'a FOLDER that is read is gone'
# parts: all are replaced or none
parts() { # NAME OPTIONS...: create into $dir/q, of $dir/six
    name=$1
    shift
    "$taco" create "$dir/six" "$dir/q/$name" --collection "$dir/c.json" "$@" >"$dir/out" 2>"$dir/err"
}
mkdir "$dir/six" "$dir/q"
for i in 1 2 3 4 5 6; do echo $i >"$dir/six/f$i"; done
printf 'id,split\nf1,train\nf2,train\nf3,train\nf4,test\nf5,test\nf6,test\n' >"$dir/six.csv"
fails() { # TEXT NAME OPTIONS...: a sample with a bad name is the last one
    want=$1
    shift
    echo z >"$dir/six/g:bad"
    cp -r "$dir/q" "$dir/before"
    parts "$@" --overwrite && bad "$* has worked" || good
    grep -qF -e "$want" "$dir/err" && good || bad "$*: no '$want' in $(cat "$dir/err")"
    diff -r "$dir/q" "$dir/before" >"$dir/out" && good || bad "$* after a failure: $(cat "$dir/out")"
    rm -r "$dir/before" "$dir/six/g:bad"
}
parts d.tacozip --split-size 4 && good || bad 'parts'
fails 'g:bad' d.tacozip --split-size 4
parts d.tacozip --split-size 4 --overwrite && good || bad "parts again: $(cat "$dir/err")"
parts g.tacozip --samples "$dir/six.csv" --group-by split --consolidate no && good || bad 'groups'
printf 'g:bad,validation\n' >>"$dir/six.csv"
fails 'g:bad' g.tacozip --samples "$dir/six.csv" --group-by split --consolidate no
parts fo --split-size 4 && good || bad 'FOLDER parts'
parts fo --split-size 4 && bad 'FOLDER parts are replaced' || good
grep -qF 'fo_part0001: exists; --overwrite replaces it' "$dir/err" && good || bad "FOLDER parts: $(cat "$dir/err")"
fails 'g:bad' fo --split-size 4
parts fo/ --split-size 4 --overwrite && good || bad "FOLDER parts again: $(cat "$dir/err")"
ls -A "$dir/q" | grep -e old -e 'part$' -e '^_' && bad 'FOLDER parts leave this' || good
for overwrite in '' --overwrite --overwrite; do
    parts one --split-size 1GB $overwrite && [ -d "$dir/q/one/DATA" ] && good || bad "a FOLDER of one part: $(cat "$dir/err")"
done
refuses 'a FOLDER of one part that is read' 1 "$dir/q/one: is read, too" create "$dir/q/one" "$dir/q/one" --collection "$dir/c.json" --split-size 1GB --overwrite
echo mine >"$dir/q/fo_part0003/DATA/mine"
fails "fo_part0003: is not replaced: 'DATA/mine' in it is of no dataset" fo --split-size 4
# a catalogue of other archives stays, and is refused where it would be replaced
mkdir "$dir/o"
cp "$dir/q/d_part0001.tacozip" "$dir/o/a.tacozip"
cp "$dir/q/d_part0002.tacozip" "$dir/o/b.tacozip"
is 'a catalogue of others' '' tacocat "$dir/o" "$dir/o/a.tacozip" "$dir/o/b.tacozip"
cp -r "$dir/o/.tacocat" "$dir/o.tacocat"
is 'one archive beside it' '' create "$dir/six" "$dir/o/new.tacozip" --collection "$dir/c.json" --split-size 1GB --overwrite
diff -r "$dir/o/.tacocat" "$dir/o.tacocat" >/dev/null && good || bad 'the catalogue of others is not what it was'
refuses 'several beside it' 1 '/.tacocat: is not replaced: it lists archives of others (--consolidate no makes no catalogue): a.tacozip' create "$dir/six" "$dir/o/new.tacozip" --collection "$dir/c.json" --split-size 4 --overwrite
diff -r "$dir/o/.tacocat" "$dir/o.tacocat" >/dev/null && [ ! -e "$dir/o/new_part0001.tacozip" ] && good || bad 'a refused catalogue'
is 'several without a catalogue' '' create "$dir/six" "$dir/o/new.tacozip" --collection "$dir/c.json" --split-size 4 --overwrite --consolidate no
diff -r "$dir/o/.tacocat" "$dir/o.tacocat" >/dev/null && good || bad 'the catalogue of others was replaced'
is 'a target without extension' '' create "$dir/six" "$dir/o/a" --collection "$dir/c.json" --split-size 4 --format zip --consolidate no
rm -r "$dir/o/.tacocat"
is 'a catalogue of its parts' '' tacocat "$dir/o" "$dir/o/a_part0001" "$dir/o/a_part0002"
is 'is its own' '' create "$dir/six" "$dir/o/a" --collection "$dir/c.json" --split-size 4 --format zip --overwrite
# parts of a tortilla, whose names the command line does not have
is 'six files' '' create "$dir/six" "$dir/six.tacozip" --collection "$dir/c.json"
is 'a table of them' '' query "$dir/six.tacozip" --sql "SELECT id AS path, id AS \"tortilla:id\", 'BYTES' AS \"tortilla:file_format\" FROM data" -o "$dir/six/t.parquet"
is 'parts of a tortilla' '' tortilla create "$dir/six/t.parquet" "$dir/t.tortilla" --part-size 4
refuses 'parts that exist' 1 "$dir/t.0000.part.tortilla: exists; --overwrite replaces it" tortilla create "$dir/six/t.parquet" "$dir/t.tortilla" --part-size 4
rm "$dir/t.0000.part.tortilla"
refuses 'a later part' 1 "$dir/t.0001.part.tortilla: exists; --overwrite replaces it" tortilla create "$dir/six/t.parquet" "$dir/t.tortilla" --part-size 4
notes 'more parts than now' "t.0002.part.tortilla is a part of an earlier file and stays: this one has 2 parts" tortilla create "$dir/six/t.parquet" "$dir/t.tortilla" --part-size 6 --overwrite

# ---- causes
sh -c 'ulimit -n 8 && exec "$@"' - "$taco" query "$data"/multi/*.tacozip "$data/nested_folder" "$data/nested.tacozip" >"$dir/out" 2>"$dir/err" && bad 'files enough' || good
grep -q 'too many open files' "$dir/err" && good || bad "too many open files: $(cat "$dir/err")"
if [ "$(id -u)" -ne 0 ]; then as=; elif command -v su >/dev/null && su -s /bin/sh nobody -c true 2>/dev/null; then as=nobody; else as=none; fi
run() { # a command as somebody who is not root
    if [ "$as" ]; then su -s /bin/sh nobody -c "cd '$PWD' && $*" >"$dir/out" 2>"$dir/err"; else sh -c "$*" >"$dir/out" 2>"$dir/err"; fi && status=0 || status=$?
}
run test -x "$taco"
if [ "$as" = none ] || [ "$status" -ne 0 ]; then echo 'SKIPPED permissions: nobody else can run the tool'; else
    cp "$data/nested.tacozip" "$dir/unreadable.tacozip" && cp -r "$data/nested_folder" "$dir/partly" && mkdir "$dir/shut" "$dir/fixed"
    chmod 000 "$dir/unreadable.tacozip" "$dir/partly/METADATA/level1.parquet" "$dir/shut" && chmod 555 "$dir/fixed" && chmod 711 "$dir"
    cause() { # NAME TEXT COMMAND...
        name=$1 want=$2
        shift 2
        run "$taco" "$@"
        [ "$status" -eq 1 ] && grep -qF -e "$want" "$dir/err" && good || bad "$name: status $status, no '$want' in $(cat "$dir/err")"
    }
    cause 'an archive' "unreadable.tacozip': permission denied" info "$dir/unreadable.tacozip"
    cause 'a level is not taken for missing' "level1.parquet': permission denied" info "$dir/partly"
    cause 'a directory' 'permission denied' info "$dir/shut"
    cause 'an output' "out.csv': permission denied" query "$root/nested.tacozip" -o "$dir/fixed/out.csv"
    cause 'an archive that is made' "x.tacozip': permission denied" export "$root/nested.tacozip" "$dir/fixed/x.tacozip"
    cause 'a FOLDER that is made' "x': permission denied" zip2folder "$root/nested.tacozip" "$dir/fixed/x"
    chmod 755 "$dir/shut" "$dir/fixed"
fi
if [ -c /dev/full ]; then
    refuses 'a full disk' 1 '/dev/full: writing failed: No space left on device' query "$data/nested.tacozip" -o /dev/full
    refuses 'a full disk, by the library' 1 "to '/dev/full' failed: no space left on the device" export "$data/nested.tacozip" /dev/full --format zip --overwrite
fi
refuses 'no directory' 1 "x.csv', whose directory does not exist" query "$data/nested.tacozip" -o "$dir/none/x.csv"
result
