#!/bin/sh
# switches.sh - each switch that leaves something out, alone and all together: what is left gives the same answers, what
# is gone is refused as unsupported, and something is (but by the switches that only cost time). Without warnings.
# The last line is "switches: N passed, M failed".
cd "$(dirname "$0")/.." || exit 2
dir=${1:-build/switches} passed=0 failed=0
taco=${TACO:-build/taco}
mkdir -p "$dir" && rm -f "$dir"/* || exit 2
for spec in zstd:auto snappy:plain gzip:plain lz4:plain none:delta none:delta-bytes none:split none:plain; do
    "$taco" query examples/data/types.tacozip --codec ${spec%:*} --encoding ${spec#*:} --bloom --page-rows 4 --row-group 8 \
        -o "$dir/${spec%:*}_${spec#*:}.parquet" >"$dir/made" 2>&1 || { cat "$dir/made"; exit 1; }
done
build() { # name, switches...
    name=$1
    shift
    ${CC:-cc} -std=c99 -O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror -I. "$@" tests/switches.c -o "$dir/$name" &&
        "$dir/$name" "$dir"/*.parquet tests/data/bloom.parquet tests/data/pages.parquet "$dir/none_plain.parquet" >"$dir/$name.out"
}
check() { # name, how many answers are unsupported at least, at most, switches...
    name=$1 least=$2 most=$3
    shift 3
    if ! build "$name" "$@"; then
        failed=$((failed + 1))
        echo "FAIL $name: not built"
        return
    fi
    # answers that differ, and are no refusal
    diff "$dir/default.out" "$dir/$name.out" | grep '^>' | grep -v ': unsupported$' >"$dir/$name.wrong"
    refused=$(grep -c ': unsupported$' "$dir/$name.out")
    if [ -s "$dir/$name.wrong" ] || [ "$refused" -lt "$least" ] || [ "$refused" -gt "$most" ]; then
        failed=$((failed + 1))
        echo "FAIL $name: $refused refused, $least to $most expected"
        cat "$dir/$name.wrong"
    else
        passed=$((passed + 1))
    fi
}
build default || exit 1
all=$(wc -l <"$dir/default.out")
[ "$all" -ge 18 ] && ! grep -v ' rows, ' "$dir/default.out" || { echo "FAIL default: $all answers"; exit 1; }
check small 0 0 -DTACO_SMALL
check bloom 0 0 -DTACO_NO_BLOOM
check page_index 0 0 -DTACO_NO_PAGE_INDEX
check pruning 0 0 -DTACO_NO_PRUNING
check read_ahead 0 0 -DTACO_NO_READ_AHEAD
check cache 0 0 -DTACO_NO_CACHE
check tasks 0 0 -DTACO_NO_TASKS
check malloc 0 0 -DTACO_NO_MALLOC
check stdio 1 1 -DTACO_NO_STDIO
check text 0 0 -DTACO_NO_ERROR_TEXT
check snappy 1 4 -DTACO_NO_SNAPPY
check gzip 1 4 -DTACO_NO_GZIP
check lz4 1 4 -DTACO_NO_LZ4
check zstd 1 $((all - 3)) -DTACO_NO_ZSTD
check delta 1 $((all - 3)) -DTACO_NO_DELTA
check nested 1 $((all - 3)) -DTACO_NO_NESTED
check decimals 18 18 -DTACO_NO_DECIMALS
check dates 3 3 -DTACO_NO_DATES
check like 1 1 -DTACO_NO_LIKE
check geometry 1 1 -DTACO_NO_GEOMETRY
check filters 33 33 -DTACO_NO_FILTERS
check predicates 1 1 -DTACO_NO_PREDICATES
check order 1 1 -DTACO_NO_ORDER
check many 1 1 -DTACO_NO_MANY
check avro 1 1 -DTACO_NO_AVRO
check give_up 0 0 -DTACO_GIVE_UP=given_up
# as bindings/browser builds its smallest module, where all that is left out is given up
lacks=$(sed -n 's/^WASM_LACKS\(_taco  *= $(WASM_LACKS)\|  *=\) *//p' bindings/browser/browser.mk | tr ' ' '\n' | sed 's/^/-DTACO_NO_/')
check give_up_small 5 $((all - 3)) -DTACO_SMALL -DTACO_NO_TASKS -DTACO_GIVE_UP=given_up $lacks
every=$(sed -n 's/^#ifdef \(TACO_NO_[A-Z0-9_]*\)$/-D\1/p' src/base/platform.h | grep -v '_ZSTD$\|_FILTERS$\|_PREDICATES$' | sort -u)
check every 5 $((all - 1)) -DTACO_SMALL -DTACO_NO_MALLOC -DTACO_NO_ERROR_TEXT $every
echo "switches: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
