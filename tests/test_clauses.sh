#!/bin/sh
# test_clauses.sh - docs/clauses.md and docs/features.md: every test and place that they name exists, and every test is run by
# make test or by a step of .ci/run; every clause as written, and every feature that works, names a test; every difference says
# why. The sums at the ends are those of the rows. tests/clauses.txt, the lines that implement clauses, fits both (whether the
# tests notice when such a line is gone is shown by tests/clauses_mutate.py).
set -u
cd "$(dirname "$0")/.."
good=0 wrong=0
bad() {
    echo "$table: $1"
    wrong=$((wrong + 1))
}
exists() { # FILE NAME
    [ -f "$1" ] || return 1
    case $1 in
    tests/*.c) grep -qF "RUN($2)" "$1" ;;
    tests/*/test_*.py | bindings/*/test_*.py) grep -qF "def $2(" "$1" ;;
    *) grep -qF -- "$2" "$1" ;;
    esac
}
# make test runs every tests/test_*.c and tests/test_*.sh (tests/run.sh); others are named by .ci/run or by what it makes.
# Places of the manual are not run.
is_run() { # FILE
    case $1 in
    tests/test_*.c) grep -q 'wildcard tests/test_\*\.c' tests/tests.mk ;;
    tests/test_*.sh) grep -q 'tests/test_\*\.sh' tests/run.sh ;;
    bindings/python/tests/*) grep -q 'cd bindings/python/tests &&.*-m unittest' .ci/run ;;
    src/* | docs/* | tool/*) return 0 ;;
    *) cat .ci/run Makefile tests/*.mk tests/*/*.mk fuzz/*.mk bindings/*.mk | grep -qF -- "$1" ;;
    esac
}
list=${TMPDIR:-/tmp}/clauses.$$
trap 'rm -f "$list" "$list.names"' EXIT
# check_rows STATES-THAT-NAME-ONE|OTHER-STATES: the rows of $table
check_rows() {
    grep '^|' "$table" | grep -v -e '^| ---' -e '^| § ' -e '^| # ' >"$list"
    while IFS= read -r row; do
        state=$(echo "$row" | awk -F'|' '{ gsub(/^ +| +$/, "", $4); print $4 }')
        echo "$row" | grep -o '`[a-z_0-9/]*\.[a-z]*:[^`]*`' | tr -d '`' >"$list.names"
        case ";${1%%|*};${1#*|};" in
        *";$state;"*) ;;
        *) bad "no such state: '$state' in $row" && continue ;;
        esac
        case $state in
        'as written' | works)
            grep -q -e '^tests/' -e '^bindings/.*/tests/' -e '^bindings/browser/' "$list.names" || bad "names no test: $row"
            ;;
        differs)
            # what is left of the last cell without names of tests and places
            why=$(echo "$row" | awk -F'|' '{ gsub(/`[^`]*:[^`]*`/, "", $5); gsub(/^[ ,;:]+|[ ,;:]+$/, "", $5); print $5 }')
            [ "${#why}" -ge 12 ] || bad "gives no reason: $row"
            ;;
        esac
        if ! [ -s "$list.names" ]; then
            case ";${1%%|*};" in
            *";$state;"*) bad "names no test: $row" ;;
            *) good=$((good + 1)) ;;
            esac
            continue
        fi
        while IFS= read -r names; do
            file=${names%%:*} name=${names#*:}
            if ! exists "$file" "$name"; then
                bad "there is no '$name' in $file"
            elif ! is_run "$file"; then
                bad "nothing runs $file"
            else good=$((good + 1)); fi
        done <"$list.names"
    done <"$list"
}
# check_sums SENTENCE: the last line of $table
check_sums() {
    if tail -n 1 "$table" | grep -qxF -- "$1"; then good=$((good + 1)); else bad "its last line must be: $1"; fi
}
count() { awk -F'|' -v s="$1" '{ gsub(/^ +| +$/, "", $4); n += $4 == s } END { print n + 0 }' "$list"; }

table=docs/clauses.md
check_rows 'as written;differs|'
[ "$good" -ge 300 ] || bad "only $good clauses"
check_sums "$(wc -l <"$list") clauses: $(count 'as written') as written, $(count differs) differ."

# One row for each of the 84 features, by their numbers.
table=docs/features.md
check_rows 'works;differs|does not apply'
awk -F'|' '$2 + 0 != NR { print "out of order:", $0; bad = 1 } END { exit bad || NR != 84 }' "$list" && good=$((good + 1)) || bad 'not 84 rows, 1 to 84'
check_sums "84 features: $(count works) work, $(count differs) differ, $(count 'does not apply') does not apply."
if command -v python3 >/dev/null; then
    table=tests/clauses.txt
    python3 tests/clauses_mutate.py --check && good=$((good + 1)) || bad 'does not fit docs/clauses.md or src/'
fi
echo "clauses: $good passed, $wrong failed"
[ "$wrong" -eq 0 ]
