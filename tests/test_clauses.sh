#!/bin/sh
# test_clauses.sh - docs/clauses.md: every test and place that it names for a clause exists, and every test is run by make
# test or by a step of .ci/run, and every clause names one. The sums at its end are those of its rows.
set -u
cd "$(dirname "$0")/.."
good=0 wrong=0
bad() {
    echo "docs/clauses.md: $1"
    wrong=$((wrong + 1))
}
exists() { # FILE NAME
    [ -f "$1" ] || return 1
    case $1 in
    tests/*.c) grep -qF "RUN($2)" "$1" ;;
    *) grep -qF -- "$2" "$1" ;;
    esac
}
# make test runs every tests/test_*.c and tests/test_*.sh (tests/run.sh); others are named by .ci/run or by what it makes.
# Places of the manual are not run.
is_run() { # FILE
    case $1 in
    tests/test_*.c) grep -q 'wildcard tests/test_\*\.c' Makefile ;;
    tests/test_*.sh) grep -q 'tests/test_\*\.sh' tests/run.sh ;;
    src/*) return 0 ;;
    *) grep -qF -- "$1" .ci/run || grep -qF -- "$1" Makefile ;;
    esac
}
list=${TMPDIR:-/tmp}/clauses.$$
trap 'rm -f "$list" "$list.names"' EXIT
grep '^|' docs/clauses.md | grep -v -e '^| ---' -e '^| § ' >"$list"
while IFS= read -r row; do
    state=$(echo "$row" | awk -F'|' '{ gsub(/^ +| +$/, "", $4); print $4 }')
    echo "$row" | grep -o '`[a-z_0-9/]*\.[a-z]*:[^`]*`' | tr -d '`' >"$list.names"
    case $state in
    'as written' | differs) ;;
    *) bad "no such state: '$state' in $row" && continue ;;
    esac
    [ -s "$list.names" ] || bad "names no test and no place: $row"
    while IFS= read -r names; do
        file=${names%%:*} name=${names#*:}
        if ! exists "$file" "$name"; then
            bad "there is no '$name' in $file"
        elif ! is_run "$file"; then
            bad "nothing runs $file"
        else good=$((good + 1)); fi
    done <"$list.names"
done <"$list"
[ "$good" -ge 300 ] || bad "only $good clauses"
sums=$(awk -F'|' '{ gsub(/^ +| +$/, "", $4); n[$4]++; all++ }
    END { printf "Of %d clauses: %d as written, %d differs.", all, n["as written"], n["differs"] }' "$list")
if tail -n 1 docs/clauses.md | grep -qxF -- "$sums"; then good=$((good + 1)); else bad "its last line must be: $sums"; fi
echo "clauses: $good passed, $wrong failed"
[ "$wrong" -eq 0 ]
