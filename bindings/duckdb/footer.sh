#!/bin/sh
# footer.sh LIBRARY OUT PLATFORM VERSION - makes a DuckDB extension from a shared library by appending the footer that
# DuckDB checks before loading it. The footer has 512 bytes: eight zero-padded fields of 32 bytes, last field first, and
# room for a signature, all zeros here. PLATFORM is the result of `PRAGMA platform`; v1.2.0 is the C API version.
set -e
field() { printf %s "$1" | dd bs=32 count=1 conv=sync 2>/dev/null; }
none() { dd if=/dev/zero bs="$1" count=1 2>/dev/null; }
{
    cat "$1"
    none 96           # 8, 7, 6: unused
    field C_STRUCT    # 5: the ABI, functions in a struct
    field "$4"        # 4: version of the extension
    field v1.2.0      # 3: the oldest C API with all functions used
    field "$3"        # 2
    field 4           # 1: format of the footer
    none 256
} >"$2.part"
mv "$2.part" "$2"
