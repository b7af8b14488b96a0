#!/bin/sh
# test_cli_progress.sh - how far long work is: bytes, of how many, their rate and the time that is left, on standard error where
# that is a terminal; the same line in every command, and nothing at all anywhere else.
. tests/cli.sh
if ! command -v script >/dev/null || ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    echo 'SKIPPED progress: no script(1)'
    good
    result
    exit
fi
case $taco in /*) ;; *) taco=$PWD/$taco ;; esac
data=$PWD/$data
mkdir "$dir/in" && cd "$dir" || exit 1
for i in 1 2 3; do head -c 300000 /dev/zero >"in/$i.bin" || exit 1; done
echo '{"id":"x","dataset_version":"1.0.0","description":"d","licenses":["MIT"],"providers":[{"name":"me","roles":["host"]}],"tasks":["other"]}' >c.json
TACO_PROGRESS_DELAY=0
TERM=xterm
export TACO_PROGRESS_DELAY TERM
size='[0-9.]* [kKMGT]*B*\(bytes\)*'
# bar LEFT ARGUMENTS...: the line is drawn, with percent and time that is left where LEFT is all, and wiped before the end
bar() {
    wanted=$1
    shift
    script -qec "'$taco' $*" /dev/null </dev/null >out 2>&1 || { bad "$*: $(cat out)"; return; }
    { tr '\r' '\n' <out && echo; } | sed -n "s/^$(printf '\033')\\[K//p" >lines
    case $wanted in
    all) line="^$size of $size, [0-9]* %, $size/s, [0-9]*:[0-9][0-9] left\$" ;;
    *) line="^$size\\( of $size, [0-9]* %\\)*, $size/s\$" ;;
    esac
    if [ "$(sed -n 1p lines | grep -c "$line")" -eq 1 ] && [ "$(grep -c . lines)" -ge 1 ] && ! tail -n 1 lines | grep -q '/s'; then good; else
        bad "$*: no '$line', or not wiped: $(cat -v out)"
    fi
}
bar all create in x.tacozip --collection c.json
bar all export x.tacozip y.tacozip
bar all zip2folder x.tacozip f
bar all folder2zip f z.tacozip
bar all validate x.tacozip --deep
bar all repair x.tacozip r.tacozip
bar all convert x.tacozip o.tortilla
bar all convert o.tortilla n.tacozip
bar rate export o.tortilla e.tacozip
mkdir cat && cp x.tacozip cat/
bar rate tacocat cat cat/x.tacozip
bar rate tacollection cat cat/x.tacozip
"$taco" query x.tacozip -o rows.parquet || bad 'rows.parquet'
bar rate query x.tacozip -o more.parquet
bar rate parquet copy rows.parquet copy.parquet
bar rate parquet verify rows.parquet
bar rate report x.tacozip -o report.html

# ---- nothing where standard error is no terminal, with --quiet, and before a second has passed
none() { # NAME: the command in a terminal draws nothing
    name=$1
    shift
    script -qec "$*" /dev/null </dev/null >out 2>&1 || { bad "$name: $(cat out)"; return; }
    if grep -q "$(printf '\033')\\|B/s" out; then bad "$name: $(cat -v out)"; else good; fi
}
none 'a file' "'$taco' repair x.tacozip r1.tacozip 2>said" && [ ! -s said ] && good || bad "standard error is a file: $(cat -v said)"
none '--quiet' "'$taco' repair x.tacozip r2.tacozip --quiet"
none 'a dumb terminal' "TERM=dumb '$taco' repair x.tacozip r4.tacozip"
none 'rows on the terminal' "NO_COLOR=1 '$taco' query x.tacozip"
none 'short work' "unset TACO_PROGRESS_DELAY; '$taco' repair x.tacozip r3.tacozip"
# a failure is told on a line of its own
script -qec "'$taco' export '$data/geo_stac.tacozip' x.tacozip --where 'nope = 1' --overwrite" /dev/null </dev/null >out 2>&1
tr '\r' '\n' <out | grep -q "no column 'nope'" && good || bad "a failure: $(cat -v out)"
script -qec "'$taco' repair x.tacozip /nowhere/at/all.tacozip" /dev/null </dev/null >out 2>&1
tr '\r' '\n' <out | sed -n "s/^$(printf '\033')\\[K//p" | grep -q '^[^ ]*x.tacozip: .*/nowhere/at/all.tacozip' && good || bad "a failure after a bar: $(cat -v out)"
result
