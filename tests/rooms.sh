#!/bin/sh
# rooms.sh - the rules of rooms (README, "Layout"), checked on every header:
# a banner per room and a row per room in the table of the top comment; names begin with the room's prefix; rooms of at
# most 2,000 lines, functions of at most 120; malloc only in mem, FILE only in io and plat, compiler tests only in plat;
# no long, no globals, prototypes only inside a room. Prints every breach; the last line says how many.
cd "$(dirname "$0")/.." || exit 2
mkdir -p build
for header in taco_parquet.h taco.h taco_tiff.h taco_write.h taco_legacy.h taco_rasteret.h taco_publish.h; do
    awk -v header="$header" '
    BEGIN { # prefixes beside the room'"'"'s own name
        more["base"] = "cur"; more["error"] = "fmt"; more["mem"] = "arena buf"; more["io"] = "file part"
        more["hash"] = "xxh64"; more["enc"] = "rle plain delta dlen dba bss"; more["zstd_dec"] = "zstd"
        more["page"] = "leaf values"; more["column"] = "slot slots take"; more["read"] = "pq table rows options"
        more["public"] = "array options reader printer"; more["value"] = "i256"; more["eval"] = "expr prune"; more["like"] = "expr"
        more["join"] = "picks"; more["view"] = "field vsi"; more["cursor"] = "feed sort"; more["dataset"] = "info cursor select"
        more["nav"] = "payload"; more["schema_w"] = "write"; more["stats"] = "pq"; more["copy"] = "out"; more["model"] = "tree"
        room = ""
    }
    function say(what) { printf "%s:%d: %s\n", header, NR, what; bad++ }
    function leave() { if (room != "" && NR - begin > 2000) say("room " room " has " NR - begin " lines, 2000 are the most") }
    /^ \*? *@ROOM|^   [a-z_0-9]+ +- / { split($0, w, " "); table[w[1]] = 1 }
    /\/\* ==== ROOM / {
        leave()
        if ($0 !~ /^\/\* ==== ROOM [a-z_0-9]+: .+/) say("banner is not /* ==== ROOM name: what ==== */")
        room = $4; sub(/:$/, "", room); begin = NR; seen[room] = NR
        next
    }
    room == "" { if ($0 ~ /#if(def|ndef)? .*(IMPLEMENTATION)/) inside = 1; next }
    /^(TACO__FN|TACO__INLINE|TACO__COLD|TACO__NOINLINE|TACO__TARGET|static)[ (]/ && /taco__[a-z0-9_]+\(/ && !/;[ \t]*(\/\*.*)?$/ {
        name = $0; sub(/\(.*/, "", name)
        if ($0 ~ /^TACO__TARGET|TACO__TARGET\(/) { name = $0; sub(/TACO__TARGET\([^)]*\)/, "", name); sub(/\(.*/, "", name) }
        sub(/.*[ *]/, "", name); start = NR
        ok = index(name, "taco__" room) == 1
        n = split(more[room], p, " ")
        for (i = 1; i <= n; i++) if (index(name, "taco__" p[i]) == 1) ok = 1
        if (!ok && name ~ /^taco__/) say("function " name " in room " room)
        if (name in promised) { if (promised[name] != room) say("prototype of " name " in room " promised[name]); delete promised[name] }
    }
    /^(TACO__FN|TACO__INLINE|TACO__COLD|TACO__NOINLINE|static)[ (].*\)?;/ && /taco__[a-z0-9_]+\(/ && !/[={]/ { # only for recursion inside a room
        name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); if (!(name in promised)) promised[name] = room
    }
    /^}/ && start { if (NR - start + 1 > 120) say(name " has " NR - start + 1 " lines, 120 are the most"); start = 0 }
    { code = $0; gsub(/"([^"\\]|\\.)*"/, "\"\"", code); sub(/\/\*.*/, "", code); sub(/^ *\*.*/, "", code) }
    room != "mem" && code ~ /[^a-z_](malloc|calloc|realloc|free)\(/ { say("memory outside room mem") }
    room != "io" && room != "plat" && code ~ /(FILE \*|[^a-z_]f(open|read|write|close|seek)\()/ { say("files outside room io") }
    room != "plat" && code ~ /^#(if|elif).*(__GNUC__|__clang__|_MSC_VER|__x86_64__|__i386__|_WIN32|__unix__|__BYTE_ORDER__|__aarch64__)/ { say("compiler or system test outside room plat") }
    code ~ /(^|[^a-z_])long( long| int)?[ *]+[a-z_]+ *[;=,)([]/ { say("long") }
    code ~ /^static [^(]*(=|;)/ && code !~ /const/ { say("a global that is not const") }
    END {
        leave()
        for (f in promised) { printf "%s: prototype of %s, which no room defines\n", header, f; bad++ }
        for (r in seen) if (!(r in table)) { printf "%s: room %s is not in the table of the top comment\n", header, r; bad++ }
        for (r in table) if (!(r in seen)) { printf "%s: no room %s, which the table names\n", header, r; bad++ }
        printf "%s: %d rooms, %d lines, %d breaches\n", header, length(seen), NR, bad
        exit bad != 0
    }' "$header" || status=1
done >build/rooms.out 2>&1
cat build/rooms.out
sed -n 's/.*: \([0-9]*\) rooms, \([0-9]*\) lines, \([0-9]*\) breaches$/\1 \2 \3/p' build/rooms.out |
    awk '{ r += $1; l += $2; b += $3 } END { printf "rooms: %d headers, %d rooms, %d lines, %d breaches\n", NR, r, l, b; exit NR != 7 || b != 0 }' || status=1
# every public function stands in the test of NULL arguments; values of a batch are no handles
for f in $(grep -hoE '^TACO_API [^(;]*\(' *.h | grep -oE 'taco_[a-z0-9_]+\($' | sort -u | tr -d '('); do
    case $f in taco_array_*) ;; *) grep -q "$f(" tests/test_null.c || { echo "tests/test_null.c has no $f"; status=1; } ;; esac
done
exit ${status:-0}
