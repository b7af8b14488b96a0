#!/bin/sh
# where.sh HEADER:LINE... - prints the line of src/ that a line of a header at the top of the repository was made from.
cd "$(dirname "$0")/.." || exit 2
[ $# -gt 0 ] || { echo "usage: src/where.sh taco.h:8093..." >&2; exit 2; }
for at in "$@"; do
    header=$(basename "${at%:*}") line=${at##*:}
    [ -f "src/${header%.h}.list" ] || { echo "where.sh: no header $header" >&2; exit 1; }
    awk -v want="$line" -v api="src/api/$header" '
        /^\/\* ==== src\/.* ==== \*\/$/ { file = $3; mark = NR }
        NR == want { print (file ? file : api) ":" NR - mark; found = 1; exit }
        END { if (!found) { print "where.sh: the header has " NR " lines" >"/dev/stderr"; exit 1 } }' "$header" || exit 1
done
