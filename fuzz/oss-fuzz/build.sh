#!/bin/bash -eu
# Every target of fuzz/ with the service's engine and sanitizer, and its seeds; but fuzz_diff, which the libraries of the
# base image do not link.
sh fuzz/seeds.sh
for f in fuzz/fuzz_*.c; do
    t=$(basename "$f" .c)
    [ "$t" = fuzz_diff ] && continue
    $CC $CFLAGS -DTACO_STATIC -w "$f" $LIB_FUZZING_ENGINE -lstdc++ -lm -o "$OUT/$t"
    seeds=build/seeds/${t#fuzz_}
    case $t in
    fuzz_repair | fuzz_export | fuzz_merge | fuzz_add | fuzz_convert | fuzz_rasteret | fuzz_publish) seeds=build/seeds/query ;;
    fuzz_create) seeds=build/seeds/sheet ;;
    esac
    if [ -d "$seeds" ]; then zip -qj "$OUT/${t}_seed_corpus.zip" "$seeds"/*; fi
    if [ -f "fuzz/${t#fuzz_}.dict" ]; then cp "fuzz/${t#fuzz_}.dict" "$OUT/$t.dict"; fi
done
