#!/bin/sh
# browser.sh [DIR] - a million rows in Node, compared with hyparquet and parquet-wasm (bench/browser.mjs). DIR keeps the input.
set -e
cd "$(dirname "$0")/.."
dir=${1:-build/bench-browser} shared=${SHARED:-../shared}
mkdir -p "$dir"
if [ ! -f "$dir/level0.parquet" ]; then
    python=${REFERENCE_PYTHON:-$(bash "$shared/tools/reference_env.sh" v2 "$dir/env")}
    "$python" "$shared/tools/make_big.py" flat --n 1000000 --out "$dir/flat_1000000.tacozip" --extract "$dir"
fi
node --expose-gc bench/browser.mjs "$dir"
