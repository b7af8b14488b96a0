#!/bin/sh
# inputs.sh TARGET - prints the arguments of libFuzzer for a target, besides its corpus: maximum input length,
# dictionary, directories of seeds, on one line.
t=$1
case $t in # enough for the largest seed that is worth mutating
query | validate | parquet | arrow | cat | repair | export | merge | add | convert | rasteret | publish | create | folder | build | legacy) max=100000 ;;
taco3 | tortilla | zip | zstd | zstd_enc | flate | lz4 | snappy) max=65536 ;;
*) max=8192 ;;
esac
others=
case $t in # archives, for what works on those; tables; what the decoders are given
repair | export | merge | add | publish | folder) others=query ;;
convert) others='query tortilla' ;;
legacy) others=tortilla ;;
rasteret) others='query rasteret' ;;
validate) others=tortilla ;;
create) others='sheet parquet' ;;
parquet | cat | arrow) others='cat pages' ;;
query) others=validate ;;
zstd_enc) others='json parquet sheet' ;;
diff) others='zstd flate lz4 snappy' ;;
esac
line=-max_len=$max
case $t in # libFuzzer weighs each of the many features of an execution, which takes as long as the execution
add | build | convert | create | export | folder | legacy | merge | publish | rasteret | repair | write | zstd_enc) line="$line -entropic=0" ;;
esac
[ -f "fuzz/$t.dict" ] && line="$line -dict=fuzz/$t.dict"
for d in $t $others; do
    [ -d "build/seeds/$d" ] && line="$line build/seeds/$d"
done
echo "$line"
