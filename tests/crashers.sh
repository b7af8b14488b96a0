#!/bin/sh
# crashers.sh - runs every kept crasher tests/crashers/TARGET-N through fuzz/fuzz_TARGET.c, without libFuzzer; with SEEDS=1
# the seeds of every target too. The last line is "crashers: N passed, M failed".
cc=${CC:-cc} passed=0 failed=0
mkdir -p build
san='-fsanitize=address,undefined -fno-sanitize-recover=all'
echo 'int main(void){return 0;}' >build/crashers.c
# shellcheck disable=SC2086
if ! $cc $san build/crashers.c -o build/crashers 2>/dev/null || ! build/crashers; then
    echo "SKIPPED sanitizers: $cc has none"
    san=
fi
for source in fuzz/fuzz_*.c; do
    t=$(basename "$source" .c) t=${t#fuzz_}
    set -- $(ls tests/crashers/"$t"-* 2>/dev/null) $([ "$SEEDS" ] && ls -d "build/seeds/$t" 2>/dev/null)
    [ $# -gt 0 ] || continue
    libs=
    [ "$t" = diff ] && libs='-lzstd -lz -llz4 -lsnappy'
    # shellcheck disable=SC2086
    if ! $cc -std=c99 -g -O1 -w -I. -DTACO_STATIC $san fuzz/replay.c "$source" -o "build/replay_$t" $libs; then
        echo "FAIL $t: does not build"
        failed=$((failed + 1))
        continue
    fi
    if "build/replay_$t" "$@" >"build/replay_$t.log" 2>&1; then
        n=$(sed -n 's/^\([0-9]*\) inputs replayed.*/\1/p' "build/replay_$t.log")
        passed=$((passed + n))
        echo "$t: $n inputs"
    else
        failed=$((failed + 1))
        echo "FAIL $t: $(grep -E 'ERROR|runtime error|bytes$' "build/replay_$t.log" | tail -n 2 | tr '\n' ' '); see build/replay_$t.log"
    fi
done
echo "crashers: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
