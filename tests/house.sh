#!/bin/sh
# house.sh - the rules that keep src/ a place to work in (CONTRIBUTING.md), checked: sizes of files and functions, comments,
# the order of folders, what only one file may do, functions nobody calls, public calls without a test of NULL. Prints a
# table by folder, the graph of folders and every breach; the last line says how many. Needs sh and awk alone.
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.." || exit 2
mkdir -p build
out=build/house.out

# ---- sizes and comments, by folder ----
for file in src/*/*.[ch]; do
    awk -v file="$file" '
    function say(what) { printf "%s:%d: %s\n", file, NR, what }
    { text = $0; gsub(/[\200-\277]/, "", text) }
    length(text) > 100 { say("a line of " length(text) " columns, 100 are the most") }
    {   # lines with a comment, and the code without strings and comments
        line = $0; gsub(/\\./, "", line); gsub(/"[^"]*"/, "\"\"", line); code = ""; touched = inside
        while (line != "") {
            if (inside) {
                end = index(line, "*/")
                if (!end) { line = ""; continue }
                line = substr(line, end + 2); inside = 0
            } else {
                begin = index(line, "/*")
                if (!begin) { code = code line; line = ""; continue }
                code = code substr(line, 1, begin - 1); line = substr(line, begin + 2); inside = touched = 1
            }
        }
        comments += touched
    }
    /^[A-Za-z_].*\(/ && !/[;{]$/ && !/^(typedef|#)/ && !start { start = NR; name = code; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
                                                                if (name ~ /^(TACO__TARGET|TACO__FN)?$/) { name = code; sub(/^TACO__TARGET\([^)]*\)/, "", name); sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) } }
    /^{/ && start { body = 1 }
    /;$/ && start && !body { start = 0 }
    /^}/ && body { n = NR - start + 1; printf "F %s %d\n", file, n; if (n > 100) say(name " has " n " lines, 100 are the most"); start = body = 0 }
    file !~ /base\/memory\.c$/ && code ~ /(^|[^a-z_])(malloc|calloc|realloc|free)\(/ { say("memory outside of base/memory.c") }
    file !~ /base\/tasks\.c$/ && code ~ /parallel_for\(/ { say("tasks outside of base/tasks.c") }
    file !~ /src\/base\// && code ~ /((^|[^L])FILE \*|[^a-z_]f(open|read|write|close|seek)\()/ { say("files outside of base/") }
    file !~ /base\/(platform|platform_write|simd)\.[ch]$/ && file !~ /src\/api\// && code ~ /^#(if|elif).*(__GNUC__|__clang__|_MSC_VER|__x86_64__|__i386__|_WIN32|__unix__|__BYTE_ORDER__|__aarch64__)/ { say("a test for compiler or system outside of base/platform.h") }
    file !~ /base\/platform(_write)?\.[ch]$/ && code ~ /(^|[^a-z_])long( long| int)?[ *]+[a-z_]+ *[;=,)([]/ { say("long") }
    file ~ /src\/(codec|geo|tiff)\// && code ~ /err->code/ { say("err->code is for whoever called: return bool or a status") }
    code ~ /^static [^(]*(=|;)/ && code !~ /const/ { say("a global that is not const") }
    file ~ /\.c$/ && code ~ /^TACO__FN [^=]*\);$/ { say("a declaration for other files outside of a header") }
    file !~ /src\/api\// && /^\/\* / && NR == 1 { head = 1 }
    END {
        if (file !~ /src\/api\// && !head) say("no opening comment")
        if (NR > 1200) say(NR " lines, 1200 are the most")
        printf "L %s %d %d\n", file, NR, comments
    }' "$file"
done >"$out.raw"
grep -v '^[FL] ' "$out.raw" >"$out"
awk '
/^L / { split($2, p, "/"); d = p[2]; files[d]++; lines[d] += $3; com[d] += $4; if ($3 > longest[d]) longest[d] = $3; if (!(d in at)) { at[d] = ++n; folder[n] = d } }
/^F / { split($2, p, "/"); d = p[2]; len[d, ++fn[d]] = $3; all[++fns] = $3 }
function sorted(a, n,    i, j, v) { for (i = 2; i <= n; i++) { v = a[i]; for (j = i - 1; j > 0 && a[j] > v; j--) a[j + 1] = a[j]; a[j + 1] = v } }
END {
    printf "%-14s %5s %7s %8s %10s %7s %5s %5s %9s\n", "folder", "files", "lines", "longest", "functions", "median", "p95", "max", "comments"
    for (k = 1; k <= n; k++) {
        d = folder[k]; m = fn[d]
        for (i = 1; i <= m; i++) a[i] = len[d, i]
        sorted(a, m)
        printf "%-14s %5d %7d %8d %10d %7d %5d %5d %7.1f %%\n", d, files[d], lines[d], longest[d], m, m ? a[int((m + 1) / 2)] : 0, m ? a[int(.95 * (m - 1)) + 1] : 0, m ? a[m] : 0, 100 * com[d] / lines[d]
        if (com[d] / lines[d] < .12) printf "src/%s: comments are %.1f %% of its lines, 12 are the least\n", d, 100 * com[d] / lines[d] >"build/house.more"
    }
    sorted(all, fns)
    median = all[int((fns + 1) / 2)]; p95 = all[int(.95 * (fns - 1)) + 1]
    printf "all functions: %d, median %d, 95th percentile %d, longest %d\n", fns, median, p95, all[fns]
    if (median > 14) print "src: the median function has " median " lines, 14 are the most" >"build/house.more"
    if (p95 > 45) print "src: one function in twenty has more than " p95 - 1 " lines, 45 are the most" >"build/house.more"
}' "$out.raw"
[ ! -f build/house.more ] || { cat build/house.more >>"$out"; rm build/house.more; }

# ---- folders depend downwards only ----
grep -n '^#include "' src/*/*.[ch] | awk -F: '
BEGIN { n = split("base codec arrow parquet parquet_inspect filter parquet_write geo dataset sql tiff validate write legacy rasteret taco3 publish gdal", order, " "); for (i = 1; i <= n; i++) rank[order[i]] = i }
{
    split($1, p, "/"); from = p[2]; to = $3; gsub(/.*#include "|"/, "", to)
    if (to !~ /^\.\.\// || from == "api") next
    sub(/^\.\.\//, "", to); sub(/\/.*/, "", to)
    if (to == "api") next
    if (!(from in rank)) { print $1 ":" $2 ": folder " from " is not in the order of tests/house.sh" >"build/house.more"; next }
    if (rank[to] >= rank[from]) print $1 ":" $2 ": " from " is below " to " and may not include it" >"build/house.more"
    edge[from, to] = 1
}
END {
    print "folders, each with those it uses:"
    for (i = 1; i <= n; i++) {
        line = ""
        for (k = 1; k <= n; k++) if ((order[i], order[k]) in edge) line = line " " order[k]
        printf "  %-14s%s\n", order[i], line
    }
}'
[ ! -f build/house.more ] || { cat build/house.more >>"$out"; rm build/house.more; }

# ---- what headers offer and nobody takes, and public calls that test_null.c does not make ----
grep -hoE '^TACO__FN [^(;]*[ *]taco__[a-z0-9_]+\(' src/*/*.h | grep -oE 'taco__[a-z0-9_]+\($' | tr -d '(' | sort -u >build/house.shared
awk 'FILENAME == "build/house.shared" { shared[$1] = 1; next }
     { line = $0; sub(/\/\*.*/, "", line); source = FILENAME ~ /^src/
       while (match(line, /taco__[a-z0-9_]+/)) { name = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH)
           if (!(name in shared)) continue
           if (source && !((name, FILENAME) in seen)) { seen[name, FILENAME] = 1; count[name]++ }
           if (source && FILENAME ~ /\.h$/) inheader[name]++
           if (source) uses[name]++; else tested[name] = 1 } }
     END { for (name in shared) if (count[name] - (inheader[name] > 0) < 2 && inheader[name] < 2 && !(tested[name] && uses[name] > 2)) print name ": offered to other files, which do not use it" }' build/house.shared src/*/*.[ch] tests/*.c fuzz/*.c | sort >>"$out"
for f in $(grep -hoE '^TACO_API [^(;]*\(' src/api/*.h | grep -oE 'taco_[a-z0-9_]+\($' | sort -u | tr -d '('); do
    case $f in taco_array_*) ;; taco_gdal_*) grep -q "$f(.*NULL" tests/test_gdal.c || echo "tests/test_gdal.c has no $f with NULL" ;; *) grep -q "$f(" tests/test_null.c || echo "tests/test_null.c has no $f" ;; esac
done >>"$out"

# ---- public calls that take the failure of an earlier one for theirs (base/error.c, taco__error_fresh) ----
awk 'FNR == 1 { start = "" }
     /^TACO_API / { start = $0; name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); body = "" }
     start != "" { body = body " " $0 }
     start != "" && /;$/ && body !~ /{/ { start = "" }
     /^}/ && start != "" { if (body ~ /taco_error \*err/ && body !~ /taco__error_fresh/ && body !~ /{ +return taco_[a-z]/ && name !~ /_(close|finish|text)$/) print FILENAME ": " name " reads err as an earlier call left it: taco__error_fresh"
                           start = "" }' src/*/*.c >>"$out"

# ---- the headers that users copy are those that src/ makes ----
made=build/house.headers
rm -rf $made && mkdir $made && sh src/headers.sh "$PWD/$made" >>"$out" 2>&1
for header in $(cd "$made" && ls ./*.h ./extra/*.h); do
    cmp -s "$made/$header" "$header" || echo "${header#./} is not what src/ makes: run make headers, and commit it" >>"$out"
done

cat "$out"
n=$(wc -l <"$out")
echo "house: $((n)) breaches"
[ "$n" -eq 0 ]
