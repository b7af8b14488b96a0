#!/bin/sh
# headers.sh DIR - downloads the two headers of DuckDB's C extension API 1.2.0, whose functions are the stable part:
# a binary built with them loads in DuckDB 1.2 and later. They come from the crate libduckdb-sys, checked by SHA-256.
set -e
dir=$1 version=1.2.0 sum=dc4020eaf07df4927b5205cd200ca2a5ed0798b49652dec22e09384ba8efa163
inside=duckdb/src/include
mkdir -p "$dir"
crate=$dir/libduckdb-sys-$version.crate
curl -sSfL --retry 3 -o "$crate" "https://static.crates.io/crates/libduckdb-sys/libduckdb-sys-$version.crate"
echo "$sum  $crate" | sha256sum -c --quiet - || { rm -f "$crate"; exit 1; }
tar -xzOf "$crate" "libduckdb-sys-$version/duckdb.tar.gz" |
    tar -xzf - -C "$dir" --strip-components=3 $inside/duckdb.h $inside/duckdb_extension.h
rm "$crate"
