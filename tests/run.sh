#!/bin/sh
# run.sh PROGRAM... - runs the test programs and the shell tests, and adds up their last lines.
# Every program ends with "name: N passed, M failed"; one that does not counts as a failure. What was SKIPPED is told.
# The longest start first: by the seconds of CPU of the last run, kept in build/tests/times, or by the list below. TIMES=1
# prints them; with MOST_SECONDS=N a program that takes more of them fails. SHELL_TESTS=no: only the programs.
# ONE=yes leaves the seconds of the last run as they are.
passed=0 failed=0
times=build/tests/times
# Sanitizers remember less of memory that was freed, and fewer callers of what allocates: a fifth faster. A report that
# needs more is made again by the program alone.
ASAN_OPTIONS=${ASAN_OPTIONS-malloc_context_size=4:quarantine_size_mb=16}
export ASAN_OPTIONS
add() { # name, output, status, seconds
    line=$(printf '%s\n' "$2" | tail -n 1)
    set -- "$1" "$2" "$3" "$(printf '%s\n' "$line" | sed -n 's/^.*: \([0-9]*\) passed, [0-9]* failed$/\1/p')" \
        "$(printf '%s\n' "$line" | sed -n 's/^.*: [0-9]* passed, \([0-9]*\) failed$/\1/p')" "$4"
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
    if [ "$MOST_SECONDS" ] && awk -v s="$6" -v most="$MOST_SECONDS" 'BEGIN { exit !(s > most) }'; then
        echo "$1: takes $6 s of CPU, at most $MOST_SECONDS are allowed"
        failed=$((failed + 1))
    fi
}
first='test_sql_tasks test_threads test_write test_write_tasks test_columns test_rasteret_columns test_place_faults
    test_sql test_cli.sh test_guides.sh test_zstd_enc test_write_faults test_read_faults test_reads'
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT || exit 1
[ "$SHELL_TESTS" = no ] || set -- tests/test_*.sh "$@"
for t; do # as many at a time as there are processors; told in order
    [ -e "$t" ] && printf '%s\n' "$t"
done | awk '{ print NR, $0 }' >"$dir/all"
{ # shellcheck disable=SC2086
    printf '%s\n' $first | awk '{ print 99 - NR / 100, $1 }'
    [ ! -f "$times" ] || cat "$times"
} >"$dir/known"
awk 'FNR == NR { seconds[$2] = $1; next }
    { name = $2; sub(".*/", "", name); print (name in seconds ? seconds[name] : 0), $0 }' "$dir/known" "$dir/all" |
    sort -k1,1rn -k2,2n | cut -d ' ' -f 2- >"$dir/order"
# times prints minutes and seconds of this shell, then of the programs it waited for.
xargs -P "${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}" -L 1 sh -c '
    case $2 in *.sh) sh "$2" ;; *) "$2" ;; esac >"$0/$1.out" 2>&1
    echo $? >"$0/$1.status"
    times >"$0/$1.times"' "$dir" <"$dir/order"
while read -r n t; do
    seconds=$(tail -n 1 "$dir/$n.times" | awk '{ for (i = 1; i <= 2; i++) { split($i, p, /[ms]/); s += p[1] * 60 + p[2] }
        printf "%.2f", s }')
    echo "$seconds $(basename "$t")" >>"$dir/times"
    add "$t" "$(cat "$dir/$n.out")" "$(cat "$dir/$n.status")" "$seconds"
done <"$dir/all"
[ "$TEST_ALL$ONE" ] || { mkdir -p "$(dirname "$times")" && cp "$dir/times" "$times"; }
[ ! "$TIMES" ] || { sort -rn "$dir/times" && awk '{ s += $1 } END { printf "%.0f seconds of CPU\n", s }' "$dir/times"; }
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
