#!/bin/sh
# headers.sh [DIRECTORY] - puts the headers together from the sources, as src/NAME.list says: a line is a file under src/, or
# a line of text after a colon. A source that no list names is an error.
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")" || exit 2
out=${1:-..}
for list in *.list; do
    awk '/^:/ { print substr($0, 2); next }
         { while ((got = (getline line < $0)) > 0) print line
           if (got < 0) { print FILENAME ": no file " $0 >"/dev/stderr"; exit 1 }
           close($0) }' "$list" >"$out/${list%.list}.h.new" || exit 1
    mv "$out/${list%.list}.h.new" "$out/${list%.list}.h" || exit 1
done
find . -name '*.[ch]' | sed 's,^\./,,' | sort >/tmp/src.$$
cat -- *.list | grep -v '^:' | sort | comm -3 - /tmp/src.$$ | grep . && { echo "in src/ and in no list, or twice in the lists"; rm -f /tmp/src.$$; exit 1; }
rm -f /tmp/src.$$
