#!/bin/sh
# run.sh TARGET [SECONDS] - builds fuzz/fuzz_TARGET.c with libFuzzer, ASan and UBSan, replays its crashers and runs it.
# Findings are kept as tests/crashers/TARGET-N, which `make replay` runs from then on. New inputs stay in
# build/corpus/TARGET.
t=$1 seconds=${2:-60} clang=${CLANG:-clang}
if [ ! -f "fuzz/fuzz_$t.c" ]; then
    echo "usage: fuzz/run.sh TARGET [SECONDS]; targets: $(ls fuzz/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c/\1/' | tr '\n' ' ')" >&2
    exit 2
fi
[ -d build/seeds ] || sh fuzz/seeds.sh || exit 1
libs= compares=
# Tracing comparisons takes half of the time of targets that mainly encode; what the input of write chooses has no format that
# they would tell, what build reads is the input of rasteret too, what repair reads that of validate.
case $t in write | build | repair) compares=-fno-sanitize-coverage=trace-cmp ;; esac
# Statistics of rare features take a third of the time of this one, which has many.
schedule=
[ "$t" = repair ] && schedule=-entropic=0
[ "$t" = diff ] && libs='-lzstd -lz -llz4 -lsnappy' # libraries to hold ours against
mkdir -p "build/corpus/$t" "build/found/$t"
# shellcheck disable=SC2086
"$clang" -g "${OPT:--O1}" -I. -DTACO_STATIC -w -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined $compares \
    "fuzz/fuzz_$t.c" -o "build/fuzz_$t" $libs || exit 1
for f in tests/crashers/"$t"-*; do # whole, however long they are
    if [ -f "$f" ] && ! "build/fuzz_$t" "$f" >"build/fuzz_$t.log" 2>&1; then
        echo "$t: $f breaks it again; see build/fuzz_$t.log"
        exit 1
    fi
done
# shellcheck disable=SC2046,SC2086
"build/fuzz_$t" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=512 -print_final_stats=1 \
    $schedule -artifact_prefix="build/found/$t/" "build/corpus/$t" $(sh fuzz/inputs.sh "$t") $FUZZ_SEEDS 2>"build/fuzz_$t.log"
status=$?
grep -E '^(stat::number_of_executed_units|stat::average_exec|stat::peak_rss)|ERROR|runtime error|SUMMARY' "build/fuzz_$t.log" |
    sed "s/^/$t: /"
# the last line with figures: how many edges of the program, and how fast
echo "$t: $(grep -o 'cov: [0-9]*' "build/fuzz_$t.log" | tail -n 1) edges, $(grep -o 'exec/s: [0-9]*' "build/fuzz_$t.log" | tail -n 1)"
for f in "build/found/$t"/*; do
    [ -f "$f" ] || continue
    n=1
    while [ -e "tests/crashers/$t-$n" ]; do n=$((n + 1)); done
    mkdir -p tests/crashers
    mv "$f" "tests/crashers/$t-$n"
    echo "$t: kept as tests/crashers/$t-$n; see build/fuzz_$t.log"
    status=1
done
exit $status
