#!/bin/sh
# test_docs.sh - README.md and CONTRIBUTING.md hold: the files and functions they name exist, and the C code of the README
# compiles. Code without a main is taken as part of a function in which the usual variables are declared.
cd "$(dirname "$0")/.." || exit 2
passed=0 failed=0
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT || exit 1
check() { # what, command...
    what=$1
    shift
    if "$@" >"$dir/log" 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $what"
        head -n 8 "$dir/log"
    fi
}
find src tests tool examples bindings packaging fuzz bench -type f >"$dir/files"
cat src/*/*.[ch] tool/*.[ch] bindings/*/*.c packaging/*.mk tests/tests.mk Makefile >"$dir/words"
for doc in README.md CONTRIBUTING.md; do
    # paths below folders of ours; names in capitals, topic.c, x/y.c and programs that make builds stand for others
    for path in $(grep -oE '(src|tests|tool|examples|bindings|fuzz|bench)/[A-Za-z0-9_./*]+' $doc | grep -vE '[A-Z]|topic\.c|x/y\.c|\*|^tests/test_[a-z_]+$' | sed 's/\.$//' | sort -u); do
        check "$doc: $path" test -e "$path"
    done
    # in CONTRIBUTING.md a path may begin with a folder of src/, or be a file of the folder named before it
    for file in $(grep -oE '[a-z0-9_/]+\.[ch]([^a-z0-9_]|$)' $doc | grep -oE '[a-z0-9_/]+\.[ch]' | grep -vE '^(taco[a-z_]*\.h|stdio\.h|(.*/)?topic\.c|(.*/)?x/y\.c)$' | sort -u); do
        check "$doc: $file" grep -qE "(^|/)$file\$" "$dir/files"
    done
    for name in $(grep -oE '(taco_|taco__|TACO__)[A-Za-z0-9_]+' $doc | grep -vE '_$|^taco__file_verb$' | sort -u); do
        check "$doc: $name" grep -qE "(^|[^A-Za-z0-9_])$name" "$dir/words"
    done
done
# the loop with GDAL is that of the example
sed -n '/^With GDAL each path/,/^## /p' README.md | grep '^    .*\(GDAL[A-Z][a-z]\|print_band\)' | sed 's/^ *//' >"$dir/lines"
check "README.md: a loop with GDAL" test -s "$dir/lines"
while IFS= read -r line; do
    check "README.md: $line" grep -qF -e "$line" examples/gdal_stats.c
done <"$dir/lines"
# a public function with more than three parameters has each of them in the comment above it, in their order, but err, which is
# the same everywhere
params() { # HEADER...
    awk '
    function unlisted(names,    i, name) { # the first of more than three parameters that the comment does not list in its place
        gsub(/\([^()]*\) *,/, ",", names) # parameters of callbacks
        gsub(/[(){}*]|\[[^]]*\]/, "", names)
        count = split(names, param, ",")
        for (i = 1; i <= count; i++) {
            name = param[i]; sub(/ *$/, "", name); sub(/.* /, "", name)
            if (name != "err" && listed[i] != name) return name
        }
        return lists > count ? listed[lists] : ""
    }
    function none() { lists = 0; split("", listed) }
    /^ *\/\*/ { none() }
    /^       [a-z_0-9]+  +[^ ]/ && !text { listed[++lists] = $1 }
    /^TACO_API |^typedef [a-z]+ \(\*/ { text = " "; line = FNR; if (above !~ /\*\/$/) none() }
    text && (text = text $0) && /;/ {
        sub(text ~ /^ *typedef/ ? "^[^)]*[)][(]" : "^[^(]*[(]", "", text); sub(/\); *$/, "", text)
        name = unlisted(text)
        functions += count > 3
        if (count > 3 && name) { printf "%s:%d: %s is not where it should be in the list of parameters\n", FILENAME, line, name; wrong = 1 }
        text = ""; none()
    }
    { above = $0 }
    END { print functions + 0 " functions"; exit wrong || functions < 80 }' "$@"
}
check "parameters" params src/api/*.h
# links from one document to another
for doc in README.md docs/*.md; do
    for link in $(grep -oE '\]\([^)]*\)' "$doc" | sed 's/^](//; s/)$//' | grep -v '^http' | sort -u); do
        check "$doc: $link" test -e "$(dirname "$doc")/$link"
    done
done
# the example of CONTRIBUTING.md is the sources' own: every line of its C
cat src/*/*.[ch] tests/*.c >"$dir/code"
sed -n '/^ *```c$/,/^ *```$/p' CONTRIBUTING.md | grep -v '^ *```' | sed 's/^ *//' | sort -u >"$dir/lines"
check "CONTRIBUTING.md: an example" test -s "$dir/lines"
while IFS= read -r line; do
    check "CONTRIBUTING.md: $line" grep -qF -e "$line" "$dir/code"
done <"$dir/lines"
awk -v dir="$dir" '
/^```c$/ { n++; file = dir "/" n ".c"; inside = 1; code = ""; whole = 0; next }
/^```$/ && inside {
    inside = 0
    if (!whole) code = "#include <stdio.h>\n#include \"taco_publish.h\"\n#include \"taco_legacy.h\"\n#include \"taco_rasteret.h\"\n#include \"taco_sql.h\"\n" \
        "int consume(struct ArrowArrayStream *);\nint part(taco_dataset *, taco_query, const double *, const char (*)[9]);\n" \
        "int part(taco_dataset *ds, taco_query query, const double *box, const char (*text)[9])\n{\n#define collection (*text)\n    taco_error err = { 0 };\n" code "    return 0;\n}\n"
    printf "%s", code >file
    close(file)
    next
}
inside { if (/main\(/) whole = 1; code = code $0 "\n" }' README.md
# what needs GDAL, where it is
gdal=$(gdal-config --cflags 2>/dev/null | sed 's/-I/-isystem /g')
for doc in docs/gdal.md docs/training.md docs/mpi.md; do
    [ -f $doc ] || continue
    [ "$gdal" ] || { echo "SKIPPED $doc: no gdal-config"; continue; }
    mkdir -p "$dir/gdal"
    awk -v name="$dir/gdal/$(basename $doc .md)" '
    /^```c$/ { n++; file = name "." n ".c"; inside = 1; code = "#include \"taco_gdal.h\"\n#include <stdio.h>\nint part(taco_dataset *);\nint part(taco_dataset *ds)\n{\n    taco_error err = { 0 };\n"; next }
    /^```$/ && inside { inside = 0; printf "%s    return 0;\n}\n", code >file; close(file); next }
    inside { code = code $0 "\n" }' $doc
done
for block in "$dir"/gdal/*.c; do
    [ -e "$block" ] && check "docs: block $(basename "$block" .c)" ${CC:-cc} -std=c99 -Wall -Wextra -Wno-unused -Werror -I. -Iextra $gdal -fsyntax-only "$block"
done
for block in "$dir"/*.c; do
    check "README.md: block $(basename "$block" .c) of C" ${CC:-cc} -std=c99 -Wall -Wextra -Wno-unused -Werror -I. -Iextra -fsyntax-only "$block"
done
# the lists of codecs, against the tables: those that the reader decodes (page_decompress.c), and those that are written
table() { sed -n "/$2\[\] = {/,/};/p" "$1"; }
reads=$(table src/parquet/page_decompress.c taco__codecs_table | sed -n 's/^ *{"\([a-z0-9_]*\)".* \(TACO__WITH\|TACO__CODECS\)_\([A-Z0-9]*\).*/\1:\3/p')
check "page_decompress.c: codecs that are read" test "$(echo "$reads" | wc -l)" -ge 6
for codec in $reads; do
    name=${codec%:*} switch=${codec#*:}
    for doc in docs/scope.md src/api/taco_parquet.h; do
        check "$doc: codec $name" grep -qiw "$name" $doc
    done
    case $switch in BROTLI) continue ;; esac # the caller's decoder, no switch
    check "src/api/taco_parquet.h: switch $switch" grep -qE "^ {11}[A-Z0-9, ]*$switch[, ].* a codec of pages" src/api/taco_parquet.h
    check "tests/sizes.sh: $switch" grep -q -e "-DTACO_NO_$switch" tests/sizes.sh
    check "bindings/browser/browser.mk: $switch" grep -qE "^WASM_SWITCHES = .*\b$switch\b" bindings/browser/browser.mk
done
writes=$(sed -n '/^typedef enum taco_codec/,/^}/p' src/api/taco_parquet_write.h | grep -oE 'TACO_CODEC_[A-Z0-9]+' | sed 's/TACO_CODEC_//; /DEFAULT/d' | tr A-Z a-z | tr '\n' ' ')
check "compress.c: the codecs of taco_codec" test "$writes" = "$(table src/parquet_write/compress.c taco__compress_codecs | sed -n 's/^ *{TACO_CODEC_\([A-Z0-9]*\),.*/\1/p' | tr A-Z a-z | tr '\n' ' ')"
check "tool/codecs.c: the codecs of taco_codec" test "$writes" = "$(table tool/codecs.c codec_names | grep -oE '"[a-z0-9]+"' | tr -d '"' | tr '\n' ' ')"
for name in $writes; do
    check "tool: --codec $name" test "$(grep -hE '^    FUNCTION\("--codec"|^    OPTION_AS\("--codec"|return value_error\(name, "none' tool/option_table.c tool/tool.h | grep -cw "$name")" = 3
    [ "$name" = none ] || check "src/api/taco_parquet_write.h: $name" grep -qiE "built-in encoders for .*$name" src/api/taco_parquet_write.h
done
echo "test_docs: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
