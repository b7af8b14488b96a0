#!/bin/sh
# run.sh PROGRAM... - runs the test programs and the shell tests, and adds up their last lines.
# Every program ends with "name: N passed, M failed"; one that does not counts as a failure. What was SKIPPED is told.
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
    if [ "$5" -ne 0 ]; then printf '%s\n' "$2"; else
        printf '%s\n' "$2" | grep '^SKIPPED'
        printf '%s\n' "$line"
    fi
    passed=$((passed + $4)) failed=$((failed + $5))
}
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT || exit 1
for t in tests/test_*.sh "$@"; do # as many at a time as there are processors; told in order
    [ -e "$t" ] && printf '%s\n' "$t"
done | awk '{ print NR, $0 }' >"$dir/all"
xargs -P "${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}" -L 1 sh -c '
    case $2 in *.sh) sh "$2" ;; *) "$2" ;; esac >"$0/$1.out" 2>&1
    echo $? >"$0/$1.status"' "$dir" <"$dir/all"
while read -r n t; do
    add "$t" "$(cat "$dir/$n.out")" "$(cat "$dir/$n.status")"
done <"$dir/all"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
