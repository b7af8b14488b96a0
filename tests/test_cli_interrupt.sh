#!/bin/sh
# test_cli_interrupt.sh - a command that is interrupted while it writes a directory or parts leaves nothing half-made, and what it
# was to replace is as before. Signals are SIGTERM, as a shell in the background ignores SIGINT.
. tests/cli.sh
case $(uname) in *_NT* | *MINGW* | *MSYS*)
    echo 'SKIPPED interrupts: signals have their usual effect there'
    good
    result
    exit
    ;;
esac
printf '{"id":"x","dataset_version":"1","description":"x","licenses":["x"],"providers":[{"name":"x","roles":["producer"]}],"tasks":["other"]}' >"$dir/c.json"
mkdir "$dir/in" "$dir/at"
(cd "$dir/in" && i=0 && while [ $i -lt 2000 ]; do echo $i >s$i && i=$((i + 1)); done)
"$taco" create "$dir/in" "$dir/big" --collection "$dir/c.json" --quiet || bad 'a FOLDER'
"$taco" folder2zip "$dir/big" "$dir/big.tacozip" --quiet || bad 'an archive'
i=0
while [ $i -lt 30 ]; do cp "$dir/big.tacozip" "$dir/at/a$i.tacozip" && i=$((i + 1)); done
# stops NAME ARGUMENTS...: interrupted as soon as a temporary name is in $dir/at; tried again if the output is complete by then
stops() {
    name=$1 tries=0 status=0
    shift
    rm -rf "$dir/saved" && cp -r "$dir/at" "$dir/saved"
    while [ $tries -lt 10 ]; do
        tries=$((tries + 1)) n=0
        "$taco" "$@" --quiet >"$dir/out" 2>"$dir/err" &
        pid=$!
        until ls -A "$dir/at" | grep -q 'part$' || [ $n -gt 3000 ] || ! kill -0 $pid 2>/dev/null; do n=$((n + 1)); done
        kill -TERM $pid 2>/dev/null
        wait $pid 2>/dev/null && status=0 || status=$?
        if ls -A "$dir/at" | grep -e 'part$' -e 'old$' >"$dir/left" || { [ "$status" -ne 0 ] && [ "$status" -ne 143 ]; }; then
            bad "$name: status $status, left $(cat "$dir/left" "$dir/err")"
            return
        fi
        if [ "$status" -eq 143 ] && diff -r "$dir/saved" "$dir/at" >/dev/null; then
            good
            return
        fi
        rm -rf "$dir/at" && cp -r "$dir/saved" "$dir/at"
    done
    echo "SKIPPED $name: always complete before it could be interrupted"
}
stops 'repair of a FOLDER' repair "$dir/big" "$dir/at/r"
stops 'a FOLDER' zip2folder "$dir/big" "$dir/at/f"
stops 'a catalogue' tacocat "$dir/at/.tacocat" "$dir"/at/a*.tacozip --unchecked
# together NAME OUTPUTS ARGUMENTS...: interrupted once the first output is another one, when it is too late to stop: all outputs
# are new or none is, and nothing is beside them
together() {
    name=$1 outputs=$2 first="$dir/at/${2%% *}" tries=0
    shift 2
    while [ $tries -lt 5 ]; do
        tries=$((tries + 1)) n=0
        before=$(cd "$dir/at" && ls -di $outputs)
        "$taco" "$@" --overwrite --quiet >"$dir/out" 2>"$dir/err" &
        pid=$!
        was=$(ls -di "$first")
        until [ "$(ls -di "$first" 2>/dev/null)" != "$was" ] || [ $n -gt 3000 ] || ! kill -0 $pid 2>/dev/null; do n=$((n + 1)); done
        kill -TERM $pid 2>/dev/null
        wait $pid 2>/dev/null && status=0 || status=$?
        after=$(cd "$dir/at" && ls -di $outputs)
        kept=$(printf '%s\n' "$before" "$after" | sort | uniq -d | wc -l)
        if ls -A "$dir/at" | grep -e 'part$' -e 'old$' >"$dir/left" || { [ "$kept" -ne 0 ] && [ "$before" != "$after" ]; }; then
            bad "$name: status $status, left $(cat "$dir/left" "$dir/err"), before $before, after $after"
            return
        fi
    done
    good
}
"$taco" tacocat "$dir/at" "$dir"/at/a*.tacozip --unchecked --binary --quiet || bad 'a catalogue in both forms'
together 'a catalogue in both forms' '.tacocat __TACOCAT__' tacocat "$dir/at" "$dir"/at/a*.tacozip --unchecked --binary
rm -r "$dir/at/.tacocat" "$dir/at/__TACOCAT__"
mkdir "$dir/at/was" && cp -r "$dir/big/COLLECTION.json" "$dir/big/METADATA" "$dir/at/was"
stops 'repair over a FOLDER' repair "$dir/big" "$dir/at/was" --overwrite
"$taco" repair "$dir/big" "$dir/at/done" --quiet >"$dir/out" || bad 'repair'
together 'repair that has replaced a FOLDER' done repair "$dir/big" "$dir/at/done"
rm -r "$dir/at/done"
stops 'create over a FOLDER' create "$dir/in" "$dir/at/was" --collection "$dir/c.json" --overwrite
"$taco" create "$dir/in" "$dir/at/p.tacozip" --collection "$dir/c.json" --split-size 400 --consolidate no --quiet || bad 'parts'
stops 'parts over parts' create "$dir/in" "$dir/at/p.tacozip" --collection "$dir/c.json" --split-size 400 --consolidate no --overwrite
result
