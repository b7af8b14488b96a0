#!/bin/sh
# test_guides.sh - the code of README.md and docs/ does what it says: every block of shell and C is run, and prints what the
# document shows. In a ```console block lines that begin with "$ " are commands, the others what they print, on either stream; a
# line "..." stands for any lines. What a ```sh or ```c block prints is in the ```text block after it, where there is one.
# The blocks of a document share a directory that has examples/ of the sources in it, whose path is shown as /home/you/taco.
# C without main is compiled only. TACO, LIBTACO (the library to link C with), LIBS (what it needs) and SANITIZE come from
# the Makefile. Blocks of Python: tests/interop/guides.py.
cd "$(dirname "$0")/.." || exit 2
root=$PWD passed=0 failed=0
taco=$(cd "$(dirname "${TACO:-build/taco}")" && pwd)/$(basename "${TACO:-build/taco}")
lib=${LIBTACO:-build/san/libtaco.a}
dir=$(cd "$(mktemp -d)" && pwd -P) && trap 'rm -rf "$dir"' EXIT || exit 1
mkdir "$dir/bin" && ln -s "$taco" "$dir/bin/taco"
PATH=$dir/bin:$PATH LC_ALL=C
export PATH LC_ALL

# A file against what was expected, whose lines "..." stand for any lines.
same() { # EXPECTED FOUND
    awk -v expected="$1" '
    BEGIN { while ((getline line <expected) > 0) want[++n] = line; at = 1 }
    {
        while (at <= n && want[at] == "...") { skip = 1; at++ }
        if (at <= n && want[at] == $0) { at++; skip = 0 } else if (!skip) { bad = 1; exit }
    }
    END { while (at <= n && want[at] == "...") at++; exit bad || at <= n }' "$2"
}
# The commands of a console block, each printed before what it prints.
run_console() {
    command=
    while IFS= read -r line; do
        if [ -n "$command" ]; then
            command="$command
$line"
        else
            case $line in '$ '*) command=${line#??} ;; *) continue ;; esac
        fi
        case $line in *\\) continue ;; esac
        printf '$ %s\n' "$command"
        (eval "$command") 2>&1 </dev/null
        command=
    done <"$1"
}
gdal=$(gdal-config --cflags 2>/dev/null) || gdal=
run_block() { # FILE: runs it here
    case $1 in
    *.console) run_console "$1" ;;
    *.sh) sh -eu "$1" 2>&1 </dev/null ;;
    *.c)
        if grep -q 'main(' "$1"; then
            sed '/^#define TACO_.*IMPLEMENTATION/d' "$1" >block.c &&
                rm -f "$dir"/*.gcda && # counts of the program before, where coverage is measured
                ${CC:-cc} -std=c99 -Wall -Wextra -Werror -O0 ${SANITIZE:-} -I"$root" -I"$root/extra" block.c "$lib" ${LIBS:-} -o "$dir/program" 2>&1 && "$dir/program" 2>&1
        elif [ -z "$gdal" ] && grep -qE 'GDAL|taco_gdal' "$1"; then
            : # not without GDAL
        else # a part of a function, in which ds and err are there: compiled
            {
                for header in "$root"/taco*.h "$root"/extra/taco*.h; do
                    case $header in */taco_gdal.h) [ "$gdal" ] || continue ;; esac
                    echo "#include \"$(basename "$header")\""
                done
                echo '#include <stdio.h>'
                echo 'int part(taco_dataset *ds, taco_error err);'
                echo 'int part(taco_dataset *ds, taco_error err) {'
                cat "$1"
                echo 'return 0; }'
            } >block.c
            ${CC:-cc} -std=c99 -Wall -Wextra -Wno-unused -Werror -fsyntax-only -I"$root" -I"$root/extra" $gdal block.c 2>&1
        fi
        ;;
    esac
}
lib=$(cd "$(dirname "$lib")" && pwd)/$(basename "$lib")
for doc in README.md docs/*.md; do
    name=$(basename "$doc" .md)
    mkdir "$dir/$name" "$dir/$name/blocks" "$dir/$name/here"
    ln -s "$root/examples" "$dir/$name/here/examples"
    awk -v dir="$dir/$name/blocks" -v lang='sh|console|c' -f tests/blocks.awk "$doc" >"$dir/$name/list"
    while read -r n kind; do
        block=$dir/$name/blocks/$n.$kind expected=$dir/$name/blocks/$n.out
        [ "$kind" = console ] && expected=$block
        (cd "$dir/$name/here" && run_block "$block") </dev/null >"$dir/found" 2>&1
        status=$?
        sed "s,$dir/$name/here,/home/you/taco,g; s,$root,/home/you/taco,g" "$dir/found" >"$dir/shown"
        if { [ "$kind" = console ] || [ "$status" -eq 0 ]; } && { [ ! -e "$expected" ] || same "$expected" "$dir/shown"; }; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL $doc:$n: exit status $status"
            diff "$(test -e "$expected" && echo "$expected" || echo /dev/null)" "$dir/shown" | head -n 12
        fi
    done <"$dir/$name/list"
    for block in "$dir/$name/blocks"/*.far; do
        [ -e "$block" ] || continue
        if sh -n "$block"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
done
echo "test_guides: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
