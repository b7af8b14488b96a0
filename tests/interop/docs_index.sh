#!/bin/sh
# docs_index.sh DIR - the pages that `make docs` made in DIR have every public symbol of src/api: functions, types, enumerators and
# macros, found by ctags, are in the index. Members of structs are in the index of those.
cd "$(dirname "$0")/../.." || exit 2
found=$(mktemp) && trap 'rm -f "$found"' EXIT || exit 1
sed 's/<[^>]*>/ /g; s/&#160;/ /g; s/&lt;/</g' "$1"/html/globals*.html "$1"/html/annotated.html "$1"/html/functions*.html "$1"/html/classes.html |
    grep -oE '[A-Za-z_][A-Za-z0-9_]*' | sort -u >"$found"
passed=0 failed=0
for name in $(ctags -I TACO_API -x --language-force=C --c-kinds=pfdtsgem src/api/*.h | awk '{ print $1 }' |
    grep -vE '^(TACO_([A-Z0-9_]*_)?H|ARROW_C_[A-Z_]*|_FILE_OFFSET_BITS|_LARGEFILE_SOURCE|__anon.*|TACO_API)$' | sort -u); do
    if grep -qx "$name" "$found"; then passed=$((passed + 1)); else
        echo "FAIL $name is not in the index"
        failed=$((failed + 1))
    fi
done
echo "docs_index: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 500 ]
