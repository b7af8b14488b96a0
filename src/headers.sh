#!/bin/sh
# headers.sh [DIRECTORY] - puts the headers users copy together from the sources, as src/NAME.list says, and writes them
# into the directory (the top of the repository by default): taco.h and taco_parquet.h, and in extra/ the others. A line of a list is a file under src/, a line of text after a
# colon, or "@sources": a table of the files that follow, each with the first line of its opening comment. An include of
# one of our files becomes a comment, so that a file has as many lines there as here: src/where.sh finds the way back.
# A source that no list names, or that two name, is an error. The output depends on nothing but src/.
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")" || exit 2
out=${1:-..}
named=$(sed -n '/^[a-z]/p' ./*.list | sort)
there=$(find . -name '*.[ch]' | sed 's,^\./,,' | sort)
if [ "$named" != "$there" ]; then
    echo "headers.sh: in src/ and in no list, or in two lists, or missing:" >&2
    printf '%s\n%s\n' "$named" "$there" | sort | uniq -c | awk '$1 != 2 { print "  " $2 }' >&2
    exit 1
fi
mkdir -p "$out/extra" || exit 1
for list in *.list; do
    case $list in
        taco.list | taco_parquet.list) header=${list%.list}.h ;;
        *) header=extra/${list%.list}.h ;;
    esac
    awk '
    function purpose(file,    line) {
        if ((getline line < file) > 0) sub(/^\/\* [a-z0-9_]+\.[ch] - /, "", line)
        close(file)
        sub(/ *\*\/$/, "", line)
        return line
    }
    function copy(file,    line) {
        if (file !~ /^api\//) print "/* ==== src/" file " ==== */"
        while ((getline line < file) > 0) {
            if (file !~ /^api\// && line ~ /^#include "/) line = "/* " line " */"
            print line
        }
        close(file)
    }
    { entry[++n] = $0 }
    END {
        for (i = 1; i <= n; i++) {
            if (entry[i] ~ /^:/) print substr(entry[i], 2)
            else if (entry[i] == "@sources") {
                print "/* Made from these files of src/ by `make headers`; edit them, not this.\n"
                for (k = i + 1; k <= n; k++)
                    if (entry[k] !~ /^:/) printf "   %-36s %s\n", entry[k], purpose(entry[k])
                print "*/"
            } else copy(entry[i])
        }
    }' "$list" >"$out/$header.new.$$" || exit 1
    if cmp -s "$out/$header.new.$$" "$out/$header"; then rm "$out/$header.new.$$"; else mv "$out/$header.new.$$" "$out/$header" || exit 1; fi
done
