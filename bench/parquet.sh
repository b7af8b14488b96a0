#!/bin/sh
# parquet.sh [DIR [parquet.py options]] - makes what bench/parquet.py needs and runs it.
# DIR keeps the inputs, the programs and the engines (default build/bench-parquet). Finds the peers: C libraries by
# compiling with them, engines in a Python environment with pinned versions. Missing ones are reported and left out.
set -e
cd "$(dirname "$0")/.."
dir=${1:-build/bench-parquet} shared=${SHARED:-../shared} cc=${CC:-cc}
[ $# -ge 1 ] && shift
mkdir -p "$dir"

python=$dir/env/bin/python
if [ ! -x "$python" ]; then
    python3 -m venv "$dir/env"
    "$python" -m pip install -q --disable-pip-version-check numpy==2.4.6 pyarrow==26.0.1
    for pin in duckdb==1.5.5 polars==2.1.0; do
        "$python" -m pip install -q --disable-pip-version-check $pin || echo "MISSING $pin: pip cannot install it"
    done
fi
[ -f "$dir/columns-data/expect.json" ] || "$python" "$shared/tools/make_columns.py" "$dir/columns-data" > /dev/null
if [ ! -f "$dir/level0.parquet" ] || [ ! -f "$dir/mixed.bin" ]; then
    archive=${LEVEL0_ARCHIVE:-$dir/flat_1000000.tacozip}
    [ -f "$archive" ] || "$python" "$shared/tools/make_big.py" flat --n 1000000 --out "$archive"
    python3 bench/make_mixed.py "$archive" "$dir"
fi

flags= libs=
peer() { # name of the macro, pkg-config name, header, expression that needs the library, how it is linked without pkg-config
    c=$(pkg-config --cflags "$2" 2> /dev/null || :) l=$(pkg-config --libs "$2" 2> /dev/null || echo "$5")
    printf '#include <stddef.h>\n#include <%s>\nint main(void) { return %s == 0; }\n' "$3" "$4" > "$dir/peer.c"
    # shellcheck disable=SC2086
    if $cc $c "$dir/peer.c" -o "$dir/peer" $l 2> /dev/null; then
        flags="$flags -DHAVE_$1 $c" libs="$libs $l"
    else
        echo "MISSING $2: no program builds against it"
    fi
}
peer ZSTD libzstd zstd.h 'ZSTD_versionNumber()' -lzstd
peer ZLIB zlib zlib.h '(zlibVersion() != NULL)' -lz
peer LIBDEFLATE libdeflate libdeflate.h '(libdeflate_alloc_decompressor() != NULL)' -ldeflate
peer SNAPPY snappy snappy-c.h 'snappy_max_compressed_length(1)' -lsnappy
peer LZ4 liblz4 lz4.h 'LZ4_versionNumber()' -llz4
warn='-Wall -Wextra -Wpedantic'
# shellcheck disable=SC2086
{
    $cc -std=c99 ${CFLAGS:--O2} $warn -I. $flags bench/codecs.c -o "$dir/codecs" $libs
    $cc -std=c99 ${CFLAGS:--O2} $warn -DTACO_NO_SIMD -I. $flags bench/codecs.c -o "$dir/codecs-plain" $libs
    $cc -std=c99 ${CFLAGS:--O2} $warn -I. $flags bench/columns.c -o "$dir/columns" $libs
}
python3 bench/parquet.py "$dir" "$@"
