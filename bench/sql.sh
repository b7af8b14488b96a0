#!/bin/sh
# sql.sh [DIR [ROWS [sql.py options]]] - makes what bench/sql.py needs and runs it.
# DIR keeps the generated archives and the reference environment (default build/bench).
set -e
cd "$(dirname "$0")/.."
dir=${1:-build/bench} rows=${2:-1000000} shared=${SHARED:-../shared}
[ $# -ge 2 ] && shift 2 || shift $#
mkdir -p "$dir"
python=${REFERENCE_PYTHON:-$(bash "$shared/tools/reference_env.sh" v2 "$dir/env")}
for n in $rows 100000; do
    [ -f "$dir/flat_$n.tacozip" ] || "$python" "$shared/tools/make_big.py" flat --n "$n" --out "$dir/flat_$n.tacozip"
done
[ -f "$dir/level0-$rows.parquet" ] || unzip -p "$dir/flat_$rows.tacozip" METADATA/level0.parquet >"$dir/level0-$rows.parquet"
${CC:-cc} -std=c99 ${CFLAGS:--O2} -Wall -Wextra -I. bench/sql.c tool/pool.c -o "$dir/sql" -pthread
python3 bench/sql.py "$dir" "$python" --rows "$rows" "$@"
