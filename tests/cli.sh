# cli.sh - what the tests of the tool share (tests/test_cli*.sh): the program, a directory of their own, and checks of what
# it prints. TACO names the program, EXAMPLES the directory of the example programs.
taco=${TACO:-build/taco-san} bin=${EXAMPLES:-build} data=examples/data
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAIL $*"
}
# is NAME WANTED ARGUMENTS...: stdout is exactly that, status 0, nothing on stderr
is() {
    name=$1 want=$2
    shift 2
    "$taco" "$@" >"$dir/out" 2>"$dir/err" && status=0 || status=$?
    got=$(cat "$dir/out")
    if [ "$status" -eq 0 ] && [ "$got" = "$want" ] && [ ! -s "$dir/err" ]; then good; else
        bad "$name: status $status, got '$got', wanted '$want' $(cat "$dir/err")"
    fi
}
# rows NAME COUNT ARGUMENTS...: that many lines of NDJSON
rows() {
    name=$1 want=$2
    shift 2
    "$taco" "$@" --format ndjson >"$dir/out" 2>"$dir/err" && status=0 || status=$?
    n=$(wc -l <"$dir/out")
    if [ "$status" -eq 0 ] && [ "$n" -eq "$want" ]; then good; else
        bad "$name: status $status, $n rows, wanted $want $(cat "$dir/err")"
    fi
}
# refuses NAME STATUS TEXT ARGUMENTS...: that status, one line on stderr that holds the text, no row on stdout
refuses() {
    name=$1 want=$2 text=$3
    shift 3
    "$taco" "$@" >"$dir/out" 2>"$dir/err" && status=0 || status=$?
    if [ "$status" -eq "$want" ] && [ "$(wc -l <"$dir/err")" -eq 1 ] && grep -qF -e "$text" "$dir/err"; then good; else
        bad "$name: status $status, wanted $want and '$text' in one line, got: $(cat "$dir/err")"
    fi
}
same() { if cmp -s "$2" "$3"; then good; else bad "$1: $2 and $3 differ"; fi; }
# says NAME TEXT ARGUMENTS...: status 0, and one line of stdout is exactly that
says() {
    name=$1 want=$2
    shift 2
    "$taco" "$@" >"$dir/out" 2>"$dir/err" && status=0 || status=$?
    if [ "$status" -eq 0 ] && grep -qxF -e "$want" "$dir/out"; then good; else
        bad "$name: status $status, no line '$want' in: $(cat "$dir/out" "$dir/err")"
    fi
}
# notes NAME TEXT ARGUMENTS...: status 0, and stderr holds the text
notes() {
    name=$1 want=$2
    shift 2
    "$taco" "$@" >"$dir/out" 2>"$dir/err" && status=0 || status=$?
    if [ "$status" -eq 0 ] && grep -qF -e "$want" "$dir/err"; then good; else
        bad "$name: status $status, no '$want' in: $(cat "$dir/err")"
    fi
}
# result: the last line of a test
result() {
    echo "$(basename "$0" .sh): $passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
