#!/bin/sh
# machines.sh [MACHINE...] - the test programs on other machines: each is compiled for it and run in an emulator, and so is
# the tool, whose outputs must be those of the tool here, byte for byte. All of them without an argument:
#   s390x ppc64 mips (big-endian, mips 32 bits), arm i686 (32 bits), m32 (32 bits, -O2 -flto), musl (another C library),
#   uchar (char without a sign), windows (mingw, wine), wasi (Node), cortex-m3 (no system: make embedded),
#   aarch64 and simd128 (vectors: NEON, and wasi with simd128; kernels that were not compared with plain C are a failure)
# One whose compiler or emulator is not here, or makes no program that runs, is SKIPPED. TACO=build/taco is the tool of this
# machine; JOBS=2 programs are compiled and run at a time, each for LIMIT=1800 seconds at most; T="zip json" chooses tests;
# TOOL=no leaves the tool out.
# The last line is "machines: N passed, M failed": tests, and outputs that are compared.
cd "$(dirname "$0")/.." || exit 2
here=$PWD/${TACO:-build/taco} passed=0 failed=0
all="s390x ppc64 mips arm i686 m32 musl uchar windows wasi cortex-m3 aarch64 simd128"
wasi='clang --target=wasm32-wasi --sysroot=/usr -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS -lwasi-emulated-signal -lwasi-emulated-process-clocks -Wl,-z,stack-size=1048576'

fail() {
    failed=$((failed + 1))
    echo "FAIL $*"
}
# Sets of a machine: cc, its compiler; run, what runs its programs; end, how their names end; left, tests that it cannot run.
machine() {
    run='' end='' left='threads parallel options gdal' ar=ar vectors=''
    static='-static -DTEST_STATIC' # nothing can be put in the place of the C library's functions
    case $1 in
    s390x) cc="s390x-linux-gnu-gcc-12 $static" run=qemu-s390x ;;
    # QEMU 7.2 loses conditional halfword stores with two index registers, which -fno-ivopts avoids here and for aarch64
    ppc64) cc="powerpc64-linux-gnu-gcc-12 -fno-ivopts $static" run=qemu-ppc64 ;;
    mips) cc="mips-linux-gnu-gcc-12 $static" run=qemu-mips ;;
    # not Thumb, whose conditional halfword stores QEMU 7.2 loses
    arm) cc="arm-linux-gnueabihf-gcc-12 -marm $static" run=qemu-arm ;;
    i686) cc="i686-linux-gnu-gcc-12 -msse2 -mfpmath=sse $static" ;;
    # the x87 included: operations wider than their operands
    m32) cc='gcc-12 -m32 -O2 -flto=auto -idirafter /usr/include/x86_64-linux-gnu' ;;
    musl) cc="musl-gcc $static" ;;
    uchar) cc='gcc -funsigned-char' ;;
    windows) cc="x86_64-w64-mingw32-gcc $static -D__USE_MINGW_ANSI_STDIO=1" run=wine end=.exe ;;
    # GNU's ar makes no index of such objects; signals and clock() are the tool's; the stack is
    # 64 KB by default, which is less than some tests have on it
    wasi) cc=$wasi run="node --no-warnings $PWD/tests/wasi.mjs" ar=llvm-ar ;;
    simd128) cc="$wasi -msimd128" run="node --no-warnings $PWD/tests/wasi.mjs" ar=llvm-ar vectors=yes ;;
    aarch64) cc="aarch64-linux-gnu-gcc-12 -fno-ivopts $static" run=qemu-aarch64 vectors=yes ;;
    *) echo "machines.sh: no machine $1; there are: $all" && exit 2 ;;
    esac
}
# The same commands by the tool of a machine: what they write, in a directory.
outputs() { # directory, tool
    rm -rf "$1" && mkdir -p "$1" || return 1
    for f in tests/data/pages*.parquet tests/data/crc.parquet; do
        $2 parquet cat "$f" >"$1/$(basename "$f").csv"
        for codec in none zstd:9 gzip snappy lz4; do
            $2 parquet copy "$f" "$1/$(basename "$f").$codec.parquet" --codec $codec --bloom
        done
    done
    for f in examples/data/*.tacozip; do
        name=$(basename "$f" .tacozip)
        # paths begin with what is the root there
        $2 query "$f" --format ndjson | sed 's|,[^,"]*examples[/\\]*data[/\\]*|,|g' >"$1/$name.ndjson"
        $2 validate "$f" >"$1/$name.validate"
        [ "$name$end" = names.exe ] && continue # Windows has other rules for names
        $2 export "$f" "$1/$name.folder"
        sed -i '/"taco:subset_date"/d' "$1/$name.folder/COLLECTION.json" # it has the clock
        $2 folder2zip "$1/$name.folder" "$1/$name.tacozip"
    done
    $2 zip2folder examples/data/nested.tacozip "$1/nested"
    $2 folder2zip "$1/nested" "$1/nested_again.tacozip"
    # parts and their catalogue, replaced; not again, as something else is in it
    mkdir -p "$1/tree/t1" "$1/tree/t2" "$1/parts" && echo abcd | tee "$1/tree/t1/a" >"$1/tree/t2/a"
    echo '{"id":"x","dataset_version":"1","description":"d","licenses":["x"],"providers":[{"name":"x"}],"tasks":["other"]}' >"$1/tree.json"
    for i in 1 2 3; do
        $2 create "$1/tree" "$1/parts/p.tacozip" --collection "$1/tree.json" --split-size 5 --overwrite 2>&1 |
            tr -d '\r' | grep '^build' >"$1/parts.$i"
        [ $i = 1 ] || echo mine >"$1/parts/.tacocat/mine"
    done
    mkdir "$1/catalogue" && $2 tacocat "$1/catalogue" "$1/geo_stac.tacozip" "$1/geo_nested.tacozip"
} >/dev/null 2>&1
on() { # MACHINE
    if [ "$1" = cortex-m3 ]; then
        sh tests/embedded.sh build/embedded >build/machine-$1.out 2>&1 || cat build/machine-$1.out
        grep '^SKIPPED' build/machine-$1.out && return
        set -- "$1" $(sed -n 's/^embedded: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' build/machine-$1.out)
        passed=$((passed + ${2:-0})) failed=$((failed + ${3:-1}))
        echo "$1: ${2:-0} passed, ${3:-1} failed"
        return
    fi
    machine "$1"
    b=build/machine-$1 before=$failed programs='' ran=0 count=0
    mkdir -p "$b"
    for tool in ${cc%% *} $run; do
        case $tool in -* | *.mjs) continue ;; esac
        command -v "$tool" >/dev/null || { echo "SKIPPED $1: no $tool"; return; }
    done
    echo '#include <stdio.h>
int main(void) { return puts("runs") < 0; }' >"$b/hello.c"
    if ! $cc "$b/hello.c" -o "$b/hello$end" >"$b/hello.log" 2>&1 || ! $run "./$b/hello$end" 2>>"$b/hello.log" | grep -q runs; then
        echo "SKIPPED $1: ${cc%% *} makes no program that runs here: $(grep -m 1 . "$b/hello.log")"
        return
    fi
    for t in tests/test_*.c; do
        t=${t#tests/test_} t=${t%.c}
        case " ${T:-$t} " in *" $t "*) ;; *) continue ;; esac
        case " $left " in *" $t "*) ;; *) programs="$programs $b/tests/test_$t" ;; esac
    done
    ${MAKE:-make} -s -k -j"${JOBS:-2}" B="$b" CC="$cc" AR="$ar" SANITIZE= SHARED_TESTS= BROTLI=no THREADS=no CURL=no GDAL=no $programs ${tool_too:+"$b/taco-san"} \
        >"$b/make.log" 2>&1 || { fail "$1: not all compiles, $b/make.log"; grep -m 5 -E 'error|undefined' "$b/make.log"; }
    if grep -m 3 -e 'implicit declaration of function' -e Wimplicit-function-declaration "$b/make.log"; then
        fail "$1: what is not declared is taken to return an int, $b/make.log"
    fi
    for t in $programs; do # a compiler may have added the end itself
        rm -f "$t.out" "$t.status"
        [ -z "$end" ] || [ ! -x "$t" ] || mv "$t" "$t$end"
        [ ! -x "$t$end" ] || echo "$t"
    done | run=$run end=$end LIMIT=${LIMIT:-1800} xargs -r -P "${JOBS:-2}" -n 1 sh -c '
        timeout -k 10 "$LIMIT" $run "./$0$end" >"$0.out" 2>&1
        echo $? >"$0.status"'
    for t in $programs; do
        [ -e "$t.status" ] || { fail "$1: $t is missing"; continue; }
        count=$((count + 1))
        set -- "$1" "$(tr -d '\r' <"$t.out" | sed -n '$s/^.*: \([0-9]*\) passed, [0-9]* failed$/\1/p')" \
            "$(tr -d '\r' <"$t.out" | sed -n '$s/^.*: [0-9]* passed, \([0-9]*\) failed$/\1/p')"
        ran=$((ran + ${2:-0}))
        grep '^SKIPPED' "$t.out" | sed "s/^SKIPPED/SKIPPED $1:/"
        [ -z "$vectors" ] || ! grep -e '^SKIPPED twins' -e '^SKIPPED CRC' "$t.out" || fail "$1: $t compares no kernel with vectors"
        if [ "$(cat "$t.status")" -ne 0 ] || [ "${2:-0}" -eq 0 ] || [ "${3:-1}" -ne 0 ]; then
            fail "$1: $t, exit status $(cat "$t.status")"
            tail -n 8 "$t.out"
        fi
    done
    passed=$((passed + ran)) files=no
    [ -z "$tool_too" ] || compare_outputs "$1"
    echo "$1: $count programs, $ran tests and $files outputs, $((failed - before)) failed"
}
compare_outputs() { # MACHINE
    [ -z "$end" ] || [ ! -x "$b/taco-san" ] || mv "$b/taco-san" "$b/taco-san$end"
    outputs "$b/outputs/one" "$here"
    rm -rf "$b/outputs/here" && mv "$b/outputs/one" "$b/outputs/here"
    outputs "$b/outputs/one" "$run $PWD/$b/taco-san$end"
    files=$(find "$b/outputs/here" -type f | wc -l)
    if diff -r "$b/outputs/here" "$b/outputs/one" >"$b/outputs.diff" 2>&1 && [ "$files" -ge 50 ]; then
        passed=$((passed + files))
    else
        fail "$1: outputs differ, $b/outputs.diff"
        head -n 5 "$b/outputs.diff"
    fi
    rm -rf "$b/outputs"
}
tool_too=yes
[ "${TOOL:-yes}" != no ] || tool_too=''
[ -n "$tool_too" ] || here=/bin/sh
[ -x "$here" ] || { echo "machines.sh: no $here"; exit 2; }
for m in ${*:-$all}; do
    on "$m"
done
echo "machines: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
