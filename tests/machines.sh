#!/bin/sh
# machines.sh [MACHINE...] - the test programs on other machines: each is compiled for it and run in an emulator, and so is
# the tool, whose outputs must be those of the tool here, byte for byte. All of them without an argument:
#   s390x ppc64 mips (big-endian, mips 32 bits), arm i686 (32 bits), m32 (32 bits, -O2 -flto), musl (another C library),
#   uchar (char without a sign), windows (mingw, wine), wasi (Node), cortex-m3 (no system: make embedded)
# One whose compiler or emulator is not here is SKIPPED. TACO=build/taco is the tool of this machine; JOBS compile at a time.
# The last line is "machines: N passed, M failed": test programs, and outputs that are compared.
cd "$(dirname "$0")/.." || exit 2
here=$PWD/${TACO:-build/taco} passed=0 failed=0
all="s390x ppc64 mips arm i686 m32 musl uchar windows wasi cortex-m3"

fail() {
    failed=$((failed + 1))
    echo "FAIL $*"
}
# Sets of a machine: cc, its compiler; run, what runs its programs; end, how their names end; left, tests that it cannot run.
machine() {
    run='' end='' left='threads options gdal'
    static='-static -DTEST_STATIC' # nothing can be put in the place of the C library's functions
    case $1 in
    s390x) cc="s390x-linux-gnu-gcc-12 $static" run=qemu-s390x ;;
    ppc64) cc="powerpc64-linux-gnu-gcc-12 $static" run=qemu-ppc64 ;;
    mips) cc="mips-linux-gnu-gcc-12 $static" run=qemu-mips ;;
    # not Thumb, whose conditional halfword stores QEMU 7.2 loses
    arm) cc="arm-linux-gnueabihf-gcc-12 -marm $static" run=qemu-arm ;;
    i686) cc="i686-linux-gnu-gcc-12 -msse2 -mfpmath=sse $static" ;;
    # the x87 included: operations wider than their operands
    m32) cc='gcc-12 -m32 -O2 -flto=auto -idirafter /usr/include/x86_64-linux-gnu' ;;
    musl) cc="musl-gcc $static" ;;
    uchar) cc='gcc -funsigned-char' ;;
    windows) cc="x86_64-w64-mingw32-gcc $static -D__USE_MINGW_ANSI_STDIO=1" run=wine end=.exe ;;
    wasi) cc='clang --target=wasm32-wasi --sysroot=/usr' run="node --no-warnings $PWD/tests/wasi.mjs" ;;
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
        $2 query "$f" --format ndjson >"$1/$name.ndjson"
        $2 validate "$f" >"$1/$name.validate"
        $2 export "$f" "$1/$name.tacozip"
    done
    $2 zip2folder examples/data/nested.tacozip "$1/nested"
    $2 folder2zip "$1/nested" "$1/nested_again.tacozip"
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
    for tool in ${cc%% *} $run; do
        case $tool in -* | *.mjs) continue ;; esac
        command -v "$tool" >/dev/null || { echo "SKIPPED $1: no $tool"; return; }
    done
    b=build/machine-$1 before=$failed tests='' ran=0
    for t in tests/test_*.c; do
        t=${t#tests/test_} t=${t%.c}
        case " $left " in *" $t "*) ;; *) tests="$tests $b/tests/test_$t" ;; esac
    done
    mkdir -p "$b"
    ${MAKE:-make} -s -k -j"${JOBS:-2}" B="$b" CC="$cc" SANITIZE= BROTLI=no THREADS=no CURL=no GDAL=no $tests "$b/taco-san" \
        >"$b/make.log" 2>&1 || { fail "$1: not all compiles, $b/make.log"; grep -m 5 -E 'error|undefined' "$b/make.log"; }
    for t in $tests; do
        [ -x "$t" ] && mv "$t" "$t$end" 2>/dev/null
        [ -x "$t$end" ] || { fail "$1: $t is missing"; continue; }
        $run "./$t$end" >"$t.out" 2>&1 || { fail "$1: $t"; tail -n 4 "$t.out"; continue; }
        if tail -n 1 "$t.out" | tr -d '\r' | grep -q ': [1-9][0-9]* passed, 0 failed$'; then ran=$((ran + 1)); else fail "$1: $t has no result"; fi
    done
    [ -x "$b/taco-san" ] && mv "$b/taco-san" "$b/taco-san$end" 2>/dev/null
    outputs build/machine-outputs/one "$here"
    mv build/machine-outputs/one build/machine-outputs/here
    outputs build/machine-outputs/one "$run $PWD/$b/taco-san$end"
    files=$(find build/machine-outputs/here -type f | wc -l)
    if diff -r build/machine-outputs/here build/machine-outputs/one >"$b/outputs.diff" 2>&1 && [ "$files" -ge 50 ]; then
        ran=$((ran + files))
    else
        fail "$1: outputs differ, $b/outputs.diff"
        head -n 5 "$b/outputs.diff"
    fi
    rm -rf build/machine-outputs
    passed=$((passed + ran))
    echo "$1: $ran passed, $((failed - before)) failed, $files of them outputs"
}
[ -x "$here" ] || { echo "machines.sh: no $here"; exit 2; }
for m in ${*:-$all}; do
    on "$m"
done
echo "machines: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
