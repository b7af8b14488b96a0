#!/bin/sh
# embedded.sh - examples/embedded on a Cortex-M3 in QEMU: what it prints is what build/taco prints, and both what the
# linker placed in RAM and what the run used of it fit 256 KiB. The last line is "embedded: N passed, M failed".
# TACO=build/taco CC=cc sh tests/embedded.sh [DIRECTORY for what is made]
cd "$(dirname "$0")/.." || exit 2
taco=$PWD/${TACO:-build/taco} dir=${1:-build/embedded} passed=0 failed=0
src=$PWD/examples/embedded
for tool in arm-none-eabi-gcc arm-none-eabi-size qemu-system-arm; do
    command -v $tool >/dev/null || { echo "SKIPPED embedded: no $tool"; exit 0; }
done
mkdir -p "$dir" && rm -f "$dir/fixture.tacozip" || exit 2
check() { # what, condition of test
    what=$1
    shift
    if [ "$@" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $what: [ $* ]"
    fi
}
${CC:-cc} -std=c99 -O1 -I. "$src/make_fixture.c" -o "$dir/make_fixture" && "$dir/make_fixture" "$dir/fixture.tacozip" || exit 1
STACK=${STACK:-24576} ARENA=${ARENA:-212992}
arm-none-eabi-gcc -std=c99 -Os -mcpu=cortex-m3 -mthumb -Wall -Wextra -ffunction-sections -fdata-sections \
    -DTACO_SMALL -DTACO_NO_STDIO -DTACO_NO_MALLOC -DARENA_SIZE="$ARENA" $FLAGS "$src/reader.c" -T "$src/mps2.ld" \
    -nostartfiles --specs=nano.specs --specs=nosys.specs -Wl,--gc-sections -Wl,--defsym=STACK="$STACK" \
    -Wl,-Map="$dir/reader.map" -o "$dir/reader.elf" || exit 1
cd "$dir" || exit 2
arm-none-eabi-size reader.elf
set -- $(arm-none-eabi-size reader.elf | tail -n 1)
echo "flash $(($1 + $2)) bytes, RAM $(($2 + $3)) of 262144 bytes, the stack and the arena included"
check "RAM of the linker map" $(($2 + $3)) -le 262144
other=$(($2 + $3 - ARENA - STACK)) # data of the program itself
# no malloc and no stdio in the map
check "no malloc" "$(grep -c '_malloc_r\|_vfprintf_r' reader.map)" -eq 0
run() { # condition
    timeout 60 qemu-system-arm -M mps2-an385 -display none -serial null -monitor none \
        -semihosting-config enable=on,target=native,arg=fixture.tacozip,arg="$(printf %s "$1" | sed 's/,/,,/g')" -kernel reader.elf >run.out 2>&1
    check "exit status of $1" $? -eq 0
    grep '^#' run.out
    grep -v '^#' run.out >run.paths
    "$taco" query fixture.tacozip --where "$1" --format vsi --all >want.full 2>want.err || cat want.err
    sed "s|,$PWD/|,|" want.full >want.paths
    check "paths of $1" "$(wc -l <want.paths)" -ge "$2"
    cmp run.paths want.paths
    check "the same paths as taco's for $1" $? -eq 0
    used=$(sed -n 's/^# arena \([0-9]*\) .*, stack \([0-9]*\) .*/\1 + \2/p' run.out)
    echo "high-water mark $((${used:-999999} + other)) of 262144 bytes: $1"
    check "the high-water mark of $1" $((${used:-999999} + other)) -le 262144
    used=$(sed -n 's/^# arena \([0-9]*\) .*/\1/p' run.out)
    check "the arena of $1" "${used:-999999}" -le "$ARENA"
    used=$(sed -n 's/^# arena .*, stack \([0-9]*\) .*/\1/p' run.out)
    check "the stack of $1" "${used:-999999}" -le $((STACK - 4096))
}
run "split = 'test' AND \"stac:cloud_cover\" < 1" 10
run "quality BETWEEN 3 AND 90 AND id LIKE 'tile_01%'" 500
run "\"stac:crs\" IN ('EPSG:32601', 'EPSG:32633') OR quality = 7" 300
run "id IS NOT NULL" 10000
echo "embedded: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
