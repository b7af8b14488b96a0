#!/bin/sh
# run.sh PROGRAM... - runs the test programs and the shell tests, and adds up their last lines.
# Every program ends with "name: N passed, M failed"; one that does not counts as a failure.
passed=0 failed=0
add() { # name, output, status
    line=$(printf '%s\n' "$2" | tail -n 1)
    set -- "$1" "$2" "$3" "$(printf '%s\n' "$line" | sed -n 's/^.*: \([0-9]*\) passed, [0-9]* failed$/\1/p')" \
        "$(printf '%s\n' "$line" | sed -n 's/^.*: [0-9]* passed, \([0-9]*\) failed$/\1/p')"
    if [ -z "$4" ] || { [ "$3" -ne 0 ] && [ "$5" -eq 0 ]; } || [ $(($4 + $5)) -eq 0 ]; then
        printf '%s\n%s: exit status %s without a result\n' "$2" "$1" "$3"
        failed=$((failed + 1))
        return
    fi
    if [ "$5" -ne 0 ]; then printf '%s\n' "$2"; else printf '%s\n' "$line"; fi
    passed=$((passed + $4)) failed=$((failed + $5))
}
for t in "$@"; do
    out=$("$t" 2>&1)
    add "$t" "$out" $?
done
for t in tests/test_*.sh; do
    [ -e "$t" ] || continue
    out=$(sh "$t" 2>&1)
    add "$t" "$out" $?
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
