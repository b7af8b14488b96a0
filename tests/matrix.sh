#!/bin/sh
# matrix.sh - compiles the implementation without a warning in every language level of every compiler there is, and with
# every switch alone; shows that an object defines taco_ symbols only and that every public function is defined; checks
# the formatting. What is missing on this machine is named. The last line is "matrix: N passed, M failed".
cd "$(dirname "$0")/.." || exit 2
dir=build/matrix passed=0 failed=0 n=0
mkdir -p $dir
warn="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror -I."
headers="taco_parquet.h taco.h $(ls extra/*.h | grep -v gdal)"
printf '#define TACO_IMPLEMENTATION\n#include "../../extra/taco_rasteret.h"\n#include "../../extra/taco_v3.h"\n#include "../../extra/taco_legacy.h"\n#include "../../extra/taco_publish.h"\n#include "../../extra/taco_sql.h"\n' >$dir/all.c
printf '#define TACO_PARQUET_IMPLEMENTATION\n#include "../../taco_parquet.h"\n' >$dir/parquet.c
printf '#include "../../extra/taco_rasteret.h"\n#include "../../extra/taco_legacy.h"\n#define TACO_IMPLEMENTATION\n#include "../../extra/taco_legacy.h"\n#include "../../extra/taco_rasteret.h"\nint main(void) { return 0; }\n' >$dir/twice.c
printf '#define TACO_IMPLEMENTATION\n#include "../../extra/taco_gdal.h"\n' >$dir/gdal.c
printf '#include "../../extra/taco_gdal.h"\n#define TACO_IMPLEMENTATION\n#include "../../extra/taco_gdal.h"\nint main(void) { return 0; }\n' >$dir/gdal_twice.c
gdal=$(gdal-config --cflags 2>/dev/null | sed 's/-I/-isystem /g')
printf '#include <stdio.h>\n#include <stdlib.h>\n#define TACO_IMPLEMENTATION\n#include "../../taco.h"\n' >$dir/late.c

mkdir -p $dir/run && rm -f $dir/run/*
check() { # what, command...; two at a time, counted by `collect`
    n=$((n + 1))
    printf '%s\n' "$1" >$dir/run/$n.what
    shift
    { "$@" >$dir/run/$n.log 2>&1; echo $? >$dir/run/$n.status; } &
    [ $((n % 2)) -eq 0 ] && wait
}
collect() {
    wait
    i=0
    while [ $i -lt $n ]; do
        i=$((i + 1))
        if [ "$(cat $dir/run/$i.status)" = 0 ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL $(cat $dir/run/$i.what)"
            head -n 8 $dir/run/$i.log
        fi
    done
}
have() {
    command -v "$1" >/dev/null 2>&1 || { echo "SKIPPED $1: not installed"; false; }
}
for cc in gcc clang; do
    have $cc || continue
    for std in c99 c17; do
        check "$cc $std" $cc -std=$std $warn -Werror=implicit-function-declaration -fsyntax-only $dir/all.c
    done
    check "$cc -O1" $cc -std=c99 -O1 $warn -c $dir/all.c -o $dir/$cc.o # some warnings need the optimiser
    check "$cc parquet alone" $cc -std=c99 $warn -fsyntax-only $dir/parquet.c
    check "$cc declarations first" $cc -std=c99 $warn -fsyntax-only $dir/twice.c
    check "$cc behind <stdio.h>" $cc -std=c99 $warn -fsyntax-only $dir/late.c
    check "$cc TACO_NO_STDIO" $cc -std=c99 $warn -DTACO_NO_STDIO -fsyntax-only $dir/all.c # clang: unused functions
done
for cxx in g++ clang++; do
    have $cxx || continue
    for std in c++11 c++17; do
        check "$cxx $std" $cxx -x c++ -std=$std $warn -fsyntax-only $dir/all.c
    done
done
for header in $headers; do # each of them as the only one, seen before as declarations alone
    name=$(basename "$header" .h)
    printf '#include "../../%s"\n#define TACO_IMPLEMENTATION\n#include "../../%s"\nint main(void) { return 0; }\n' "$header" "$header" >$dir/$name.c
    check "$header alone" ${CC:-cc} -std=c99 $warn -fsyntax-only $dir/$name.c
done
if [ "$gdal" ]; then # what needs GDAL, apart from all others
    check "taco_gdal.h" ${CC:-cc} -std=c99 -O1 $warn $gdal -c $dir/gdal.c -o $dir/gdal.o
    check "taco_gdal.h, declarations first" ${CC:-cc} -std=c99 $warn $gdal -fsyntax-only $dir/gdal_twice.c
    check "taco_gdal.h, C++" ${CXX:-c++} -x c++ -std=c++11 $warn $gdal -fsyntax-only $dir/gdal.c
    for switch in TACO_STATIC TACO_NO_STDIO TACO_NO_SIMD TACO_NO_ERROR_TEXT; do
        check "taco_gdal.h, $switch" ${CC:-cc} -std=c99 $warn $gdal -D$switch -fsyntax-only $dir/gdal_twice.c
    done
else
    echo "SKIPPED taco_gdal.h: no gdal-config"
fi
for hook in ZSTD SNAPPY LZ4 BROTLI; do # decoders of the caller's, each alone
    printf '#include <stddef.h>\nsize_t f(void *, size_t, const void *, size_t, size_t *);\n#define TACO_PARQUET_%s_DECOMPRESS f\n#define TACO_IMPLEMENTATION\n#include "../../extra/taco_write.h"\n' $hook >$dir/hook_$hook.c
    check "decoder $hook of the caller" ${CC:-cc} -std=c99 $warn -fsyntax-only $dir/hook_$hook.c
done
printf '#include <stddef.h>\nsize_t f(void *, size_t, const void *, size_t, size_t *);\n#define TACO_PARQUET_INFLATE f\n#define TACO_IMPLEMENTATION\n#include "../../extra/taco_write.h"\n' >$dir/hook_inflate.c
check "inflate of the caller" ${CC:-cc} -std=c99 $warn -fsyntax-only $dir/hook_inflate.c
for switch in TACO_STATIC TACO_NO_STDIO TACO_NO_SIMD TACO_SMALL TACO_NO_ERROR_TEXT; do
    check "$switch" ${CC:-cc} -std=c99 $warn -D$switch -fsyntax-only $dir/all.c
done
wait
if have nm && [ -f $dir/gcc.o ]; then
    nm -g --defined-only $dir/gcc.o | awk '{print $3}' | sort -u >$dir/defined
    check "only taco_ symbols" sh -c "! grep -v '^taco_' $dir/defined && [ -s $dir/defined ]"
    for header in $headers; do sed -n '/^#if .*IMPLEMENTATION.*IMPLEMENTED/q; p' $header; done >$dir/api
    tr '\n' ' ' <$dir/api | grep -o 'TACO_API [^;(]*(' | grep -o 'taco_[a-z0-9_]*($' | tr -d '(' | sort -u >$dir/declared
    check "every declared function is defined" sh -c "comm -23 $dir/declared $dir/defined | tee /dev/stderr | wc -l | grep -qx 0 && [ \$(wc -l <$dir/declared) -gt 40 ]"
    check "no mutable data" sh -c "size -A $dir/gcc.o | awk '\$1 == \".data\" || \$1 == \".bss\" { n += \$2; seen++ } END { exit n || seen < 2 }'"
fi
if have nm && [ -f $dir/gdal.o ]; then
    nm -g --defined-only $dir/gdal.o | awk '{print $3}' | sort -u >$dir/gdal.defined
    tr '\n' ' ' <src/api/taco_gdal.h | grep -o 'TACO_API [^;(]*(' | grep -o 'taco_[a-z0-9_]*($' | tr -d '(' | sort -u >$dir/gdal.declared
    check "every function of taco_gdal.h is defined" sh -c "comm -23 $dir/gdal.declared $dir/gdal.defined | tee /dev/stderr | wc -l | grep -qx 0 && [ \$(wc -l <$dir/gdal.declared) -gt 8 ]"
fi
if have clang-format; then
    check "formatting" make -s formatted
fi
collect
echo "matrix: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
