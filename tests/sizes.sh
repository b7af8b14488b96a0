#!/bin/sh
# sizes.sh - how many bytes of code and constants a program takes on some machines, by the parts of the library it has.
# Prints docs/sizes.md. With --check every cell is held against it: one that differs by more than 3 %, or that could not be
# built, is an error; all of them take 20 minutes of a processor, CELLS=N takes N of them, by SEED. "-" stands for a machine whose
# compiler is not installed (.ci/run install has them all).
cd "$(dirname "$0")/.." || exit 2
dir=build/sizes
rm -rf $dir && mkdir -p $dir || exit 2
machines='m3 m4 rv32 x86-64 wasm32'
none=-DTACO_NO_ERROR_TEXT
codecs="-DTACO_NO_SNAPPY -DTACO_NO_GZIP -DTACO_NO_LZ4"
parts="-DTACO_NO_DELTA -DTACO_NO_NESTED -DTACO_NO_PRUNING -DTACO_NO_READ_AHEAD -DTACO_NO_CACHE -DTACO_NO_TASKS"
least="-DTACO_NO_LIKE -DTACO_NO_PREDICATES"
plain="-DTACO_NO_DECIMALS -DTACO_NO_DATES"
of_taco="-DTACO_NO_AVRO -DTACO_NO_GEOMETRY -DTACO_NO_ORDER"

# A row: its name, which program of tests/sizes.c, what is left out.
cat >$dir/rows <<T
Parquet reader: uncompressed flat columns|1|$parts $codecs $plain -DTACO_NO_ZSTD -DTACO_NO_FILTERS $none
+ ZSTD|1|$parts $codecs $plain -DTACO_NO_FILTERS $none
+ filters (\`where\`)|1|$parts $codecs $least $plain $none
+ decimals, dates in a \`where\`|1|$parts $codecs $least $none
+ Snappy, gzip, LZ4|1|$parts $least $none
+ all encodings, nested columns, LIKE, predicates, pruning, read-ahead|1|$none
+ error texts|1|
Archive reader: ZSTD, \`where\`, paths|2|$parts $codecs -DTACO_NO_LIKE $of_taco $none
+ ditto of codecs, encodings, pruning, read-ahead; boxes, Avro, order|2|$none
+ error texts|2|
+ SQL|3|
+ writing archives|4|
T

# A cell: build/sizes/MACHINE.ROW has its number.
cat >$dir/cell.sh <<'T'
machine=$1 row=$2 dir=build/sizes
program=$(sed -n "${row}p" $dir/rows | cut -d'|' -f2) out=$dir/cells/$machine.$row
set -- -std=c99 -DTACO_SMALL -DTACO_STATIC -DTACO_NO_STDIO -DTACO_NO_MALLOC -I. -ffunction-sections -fdata-sections \
    -DPROGRAM=$program $(sed -n "${row}p" $dir/rows | cut -d'|' -f3) tests/sizes.c
case $machine in
m3 | m4) # a start of its own, as examples/embedded has one
    arm-none-eabi-gcc -Os -mcpu=cortex-$machine -mthumb --specs=nano.specs --specs=nosys.specs -nostartfiles -Wl,--gc-sections,--entry=main \
        "$@" -o $out.elf ;;
rv32) riscv64-unknown-elf-gcc -Os -march=rv32imac -mabi=ilp32 --specs=picolibc.specs -Wl,--gc-sections,--defsym=__flash_size=0x800000,--defsym=__ram_size=0x800000 "$@" -o $out.elf ;;
x86-64) gcc -Os -fno-asynchronous-unwind-tables -Wl,--gc-sections "$@" -o $out.elf ;;
wasm32) # linked in a step of its own without -O, or clang calls a wasm-opt where there is one
    clang --target=wasm32-wasi --sysroot=/usr -Oz -mbulk-memory "$@" -c -o $out.o &&
        clang --target=wasm32-wasi --sysroot=/usr -mexec-model=reactor -nostartfiles -Wl,--no-entry,--gc-sections,--export=run,-s \
            $out.o -o $out.elf ;;
esac 2>$out.log
[ -f $out.elf ] || { echo - >$out; exit 0; }
case $machine in
wasm32) wc -c <$out.elf | tr -d ' ' ;;
m*) arm-none-eabi-size $out.elf | awk 'NR == 2 { print $1 }' ;;
rv32) riscv64-unknown-elf-size $out.elf | awk 'NR == 2 { print $1 }' ;;
*) size $out.elf | awk 'NR == 2 { print $1 }' ;;
esac >$out
T
mkdir -p $dir/cells
rows=$(wc -l <$dir/rows)
row=0
while [ $row -lt "$rows" ]; do
    row=$((row + 1))
    for machine in $machines; do
        echo "$machine $row"
    done
done >$dir/all
awk -v n="${CELLS:-60}" -v seed="${SEED:-1}" 'BEGIN { srand(seed) } { cell[NR] = $0 }
    END { for (i = 1; i <= NR && i <= n; i++) { k = i + int(rand() * (NR - i + 1)); print cell[k]; cell[k] = cell[i] } }' $dir/all >$dir/chosen
xargs -P "${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}" -L 1 sh $dir/cell.sh <$dir/chosen

if [ "$1" = --check ]; then
    row=0 passed=0 failed=0
    while [ $row -lt "$rows" ]; do
        row=$((row + 1))
        label=$(sed -n "${row}p" $dir/rows | cut -d'|' -f1)
        column=2
        for machine in $machines; do
            column=$((column + 1))
            grep -qx "$machine $row" $dir/chosen || continue
            now=$(cat $dir/cells/$machine.$row)
            said=$(grep '^| ' docs/sizes.md | sed -n "$((row + 1))p" | cut -d'|' -f$column | tr -d ' ')
            if [ "${now:--}" = - ]; then
                failed=$((failed + 1))
                echo "FAIL $label, $machine: not built"
                head -n 5 $dir/cells/$machine.$row.log
            elif [ "${said:--}" = - ]; then
                failed=$((failed + 1))
                echo "FAIL $label, $machine: $now bytes, nothing in docs/sizes.md"
            elif [ $((now * 100)) -le $((said * 103)) ] && [ $((now * 100)) -ge $((said * 97)) ]; then
                passed=$((passed + 1))
            else
                failed=$((failed + 1))
                echo "FAIL $label, $machine: $now bytes, docs/sizes.md says $said"
            fi
        done
    done
    echo "sizes: $passed passed, $failed failed"
    [ $failed -eq 0 ] && [ $passed -gt 0 ]
    exit
fi
cat <<'T'
# Code size

Bytes of code and constants in a program that reads through a callback and prints what it finds, built for size: `TACO_SMALL`,
`TACO_STATIC`, `TACO_NO_STDIO`, `TACO_NO_MALLOC`, `-Os` (`-Oz` for wasm32), unused functions removed by the linker. Whatever the
program needs of the C library and the compiler's runtime counts: newlib-nano without start-up code, picolibc; for wasm32
wasi-libc and the whole module; for glibc the start-up code. A row with "+" adds to the row above it. `make sizes` makes the table,
and `.ci/run` checks it. For RAM see `examples/embedded`.

| program | Cortex-M3 | Cortex-M4 | RISC-V 32 (imac) | x86-64 | wasm32 |
|---|---|---|---|---|---|
T
row=0
while [ $row -lt "$rows" ]; do
    row=$((row + 1))
    printf '| %s |' "$(sed -n "${row}p" $dir/rows | cut -d'|' -f1)"
    for machine in $machines; do
        printf ' %s |' "$(cat $dir/cells/$machine.$row 2>/dev/null || echo -)"
    done
    echo
done
cat <<'T'

The first seven rows are programs using `taco_parquet.h`, the next three `taco.h`, then `taco_sql.h` and `taco_write.h`. A program that
already contains decoders can supply them (`TACO_PARQUET_ZSTD_DECOMPRESS` and so on); ours are then left out.

The first five rows leave out what only saves time: pruning by statistics, indexes and bloom filters (`TACO_NO_PRUNING`), gathering
reads (`TACO_NO_READ_AHEAD`), the cache, tasks. Their filters are conditions given as text, without LIKE (`TACO_NO_LIKE`) and without
callbacks of the program (`TACO_NO_PREDICATES`).

The third row is a reader with ZSTD and filters on numbers, texts, bytes and booleans in 67 KB of Thumb-2 code. It leaves out
decimals (`TACO_NO_DECIMALS`: a number with a decimal point may have 15 digits, which a double represents; longer ones are refused)
and dates written as text in a condition (`TACO_NO_DATES`: date columns can still be read and compared with each other). Without
decimals nothing computes with doubles, for which these processors have no instructions. The rest is a third filters (parsing,
binding and evaluating a predicate), a third Parquet (footer, pages, levels, values), a tenth ZSTD, a tenth memory, ranges, sorting
and printing numbers, and less than 1 KB of newlib.
T
