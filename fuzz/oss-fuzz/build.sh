#!/bin/bash -eu
# Every target of fuzz/ with the service's engine and sanitizer, and its seeds; but fuzz_diff, which the libraries of the
# base image do not link.
sh fuzz/seeds.sh
for f in fuzz/fuzz_*.c; do
    t=$(basename "$f" .c)
    [ "$t" = fuzz_diff ] && continue
    $CC $CFLAGS -DTACO_STATIC -w "$f" $LIB_FUZZING_ENGINE -lstdc++ -lm -o "$OUT/$t"
    for d in $(sh fuzz/inputs.sh "${t#fuzz_}"); do
        if [ -d "$d" ]; then zip -qr "$OUT/${t}_seed_corpus.zip" "$d"; fi
    done
    if [ -f "fuzz/${t#fuzz_}.dict" ]; then cp "fuzz/${t#fuzz_}.dict" "$OUT/$t.dict"; fi
done
