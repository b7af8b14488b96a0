#!/bin/sh
# query.sh [DIR [ROWS [query.py options]]] - makes what bench/query.py needs and runs it.
# DIR keeps the generated archives and the reference environment (default build/bench).
set -e
cd "$(dirname "$0")/.."
dir=${1:-build/bench} rows=${2:-1000000} shared=${SHARED:-../shared}
[ $# -ge 2 ] && shift 2 || shift $#
mkdir -p "$dir"
python=${REFERENCE_PYTHON:-$(bash "$shared/tools/reference_env.sh" v2 "$dir/env")}
[ -f "$dir/flat_$rows.tacozip" ] || "$python" "$shared/tools/make_big.py" flat --n "$rows" --out "$dir/flat_$rows.tacozip"
make -s build/taco
python3 bench/query.py build/taco "$dir" "$python" --rows "$rows" "$@"
