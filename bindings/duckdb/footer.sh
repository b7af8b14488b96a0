#!/bin/sh
# footer.sh LIBRARY OUT PLATFORM VERSION - makes a DuckDB extension of a shared library: what DuckDB reads before it loads
# one, appended to it. That is 512 bytes: eight fields of 32 bytes filled up with zeros, from the last to the first, and
# room for a signature, zeros here. PLATFORM is what `PRAGMA platform` says; v1.2.0 is the version of the C API.
set -e
field() { printf %s "$1" | dd bs=32 count=1 conv=sync 2>/dev/null; }
none() { dd if=/dev/zero bs="$1" count=1 2>/dev/null; }
{
    cat "$1"
    none 96           # 8, 7, 6: nothing
    field C_STRUCT    # 5: the ABI, functions in a struct
    field "$4"        # 4: version of the extension
    field v1.2.0      # 3: the oldest C API that has what it calls
    field "$3"        # 2
    field 4           # 1: the format of these fields
    none 256
} >"$2.part"
mv "$2.part" "$2"
