#!/usr/bin/env python3
"""growth.py TACO DIR [K/N] [NAME...] - how the time of commands grows with what a stranger may choose.

Each case makes an input of size n, 2n, 4n and 8n, and a command reads it. The time is that of the processor, the least of
several runs, without that of a command that does nothing; n begins so large that it can be measured. The slope is the exponent of
growth from 2n to 8n: 1 is linear. K/N takes each N-th case from the K-th on. One above 1.35, more than n log n, is a failure: exit status 1. Python's own modules suffice."""
import json, math, os, shutil, struct, subprocess, sys, zipfile, zlib

TACO, DIR = map(os.path.abspath, sys.argv[1:3])
PART, PARTS = map(int, sys.argv[3].split("/")) if sys.argv[3:] and "/" in sys.argv[3] else (0, 1)
WANTED = sys.argv[3 + (PARTS > 1):]
LIMIT, ENOUGH, RUNS = 1.35, 0.04, 3
shutil.rmtree(DIR, ignore_errors=True)
os.makedirs(DIR)
CASES = []
COLLECTION = {"id": "demo", "dataset_version": "1.0.0", "description": "d", "licenses": ["CC0-1.0"], "providers": [{"name": "x"}],
              "tasks": ["other"]}


def case(n, most, ok=(0,)):
    """A function from n and a directory to the arguments of a command. n is the first size tried, most the largest of all four."""
    def add(f):
        CASES.append((f.__name__, f, n, most, ok))
        return f
    return add


def write(path, data):
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())
    return path


def taco(*argv):
    subprocess.run([TACO, *argv, "--quiet"], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def table(d, header, rows, *options):
    """A Parquet file of CSV: its columns are those of level 0 of a dataset made of it."""
    return folder(d, header, rows) + "/METADATA/level0.parquet"


def folder(d, header, rows):
    """A FOLDER with one sample a row; the first column is id."""
    os.makedirs(d + "/in")
    for row in rows:
        write(d + "/in/" + row.split(",")[0], "x")
    write(d + "/s.csv", header + "\n" + "\n".join(rows) + "\n")
    write(d + "/c.json", json.dumps(COLLECTION))
    taco("create", d + "/in", d + "/data", "--samples", d + "/s.csv", "--collection", d + "/c.json")
    return d + "/data"


def wide(d, n, make=folder):
    return make(d, "id," + ",".join("c%d" % i for i in range(n)), [k + "," + ",".join(str(i) for i in range(n)) for k in "ab"])


def one_row(d, value="x"):
    return folder(d, "id,t,u", ["a,%s,1" % value, "b,y,2"])


# ---- texts of SQL, at most 128 KiB: what an argument may have ----

def where(d, text):
    return ["query", one_row(d), "--where", text]


def sql(d, text):
    return ["query", one_row(d), "--sql", text]


@case(250, 10000)
def where_and(n, d): return where(d, " AND ".join("u <> %d" % i for i in range(n)))
@case(250, 10000)
def where_or(n, d): return where(d, " OR ".join("t = '%d'" % i for i in range(n)))
@case(500, 12000)
def where_in(n, d): return where(d, "u IN (" + ",".join(str(i) for i in range(n)) + ")")
@case(500, 12000)
def where_in_text(n, d): return where(d, "t IN (" + ",".join("'%d'" % i for i in range(n)) + ")")
@case(4000, 120000)
def where_blanks(n, d): return where(d, " " * n + "u = 1")
@case(4000, 120000)
def where_text(n, d): return where(d, "t = '" + "''" * (n // 2) + "'")
@case(4000, 120000)
def where_digits(n, d): return where(d, "u = " + "1" * n + ".5", )
CASES[-1] = CASES[-1][:4] + ((0, 1),)  # refused, as may be
@case(250, 4096)
def sql_items(n, d): return sql(d, "SELECT " + ",".join("u + %d" % i for i in range(n)) + " FROM data")
@case(250, 4096)
def sql_aliases(n, d): return sql(d, "SELECT " + ",".join("u AS a%d" % i for i in range(n)) + " FROM data")
@case(100, 2000)
def sql_case(n, d): return sql(d, "SELECT CASE " + " ".join("WHEN u = %d THEN 'x'" % i for i in range(n)) + " END FROM data")
@case(100, 6000)
def sql_and(n, d): return sql(d, "SELECT id FROM data WHERE " + " AND ".join("abs(u) <> %d" % i for i in range(n)))
@case(250, 4096)
def sql_in(n, d): return sql(d, "SELECT id FROM data WHERE u + 1 IN (" + ",".join(str(i) for i in range(n)) + ")")
@case(50, 3000)
def sql_union(n, d): return sql(d, " UNION ALL ".join("SELECT %d" % i for i in range(n)))
CASES[-1] = CASES[-1][:4] + ((0, 1),)
@case(250, 6000)
def sql_group(n, d): return sql(d, "SELECT count(*) FROM data GROUP BY " + ",".join("u + %d" % i for i in range(n)))
CASES[-1] = CASES[-1][:4] + ((0, 1),)
@case(250, 6000)
def sql_order(n, d): return sql(d, "SELECT id FROM data ORDER BY " + ",".join("u + %d" % i for i in range(n)))
CASES[-1] = CASES[-1][:4] + ((0, 1),)
@case(10, 250)
def sql_list(n, d): return sql(d, "SELECT [" + ",".join(str(i) for i in range(n)) + "]")
@case(500, 12000)
def sql_values(n, d): return sql(d, "SELECT * FROM (VALUES " + ",".join("(%d)" % i for i in range(n)) + ") t(x)")
CASES[-1] = CASES[-1][:4] + ((0, 1),)


# ---- texts against patterns: both are of a table ----

def pattern(n, d, text, condition):
    path = folder(d, "id,t,p", ["a,%s,%s" % (text, "x")])
    return ["query", path, "--sql", "SELECT count(*) FROM data WHERE " + condition]


A = 20000
for name, part in (("infix", "t LIKE '%%' || repeat('a', {h}) || 'b%%'"), ("several", "t LIKE '%%' || repeat('a', {h}) || 'b%%c%%'"),
                   ("ilike", "t ILIKE '%%' || repeat('A', {h}) || 'b%%c'"), ("contains", "contains(t, repeat('a', {h}) || 'b')"),
                   ("replace", "replace(t, repeat('a', {h}) || 'b', '') = ''"), ("split", "len(string_split(t, repeat('a', {h}) || 'b')) = 2"),
                   ("position", "strpos(t, repeat('a', {h}) || 'b') > 1"), ("glob", "t GLOB '*' || repeat('a', {h}) || 'b*c'"),
                   ("many_stars", "t LIKE repeat('%%a', {h}) || '%%b'"), ("underscores", "t LIKE '%%' || repeat('_', 500) || 'b%%'"),
                   ("regex", "regexp_matches(t, '(a|a)*b')"), ("regex_nested", "regexp_matches(t, '(a*)*(a*)*b')"),
                   ("levenshtein_of_short", "levenshtein(t, 'abc') = 0"), ("reverse", "reverse(t) = ''"), ("lower", "lower(t) = ''")):
    def make(n, d, part=part):
        return pattern(n, d, "a" * n, part.replace("{h}", str(n // 2)).replace("%%", "%"))
    make.__name__ = "text_" + name
    case(A, 1600000, (0, 1))(make)


# ---- tables: columns, rows, row groups, pages, values ----

@case(250, 16000)
def columns_query(n, d): return ["query", wide(d, n), "--format", "csv"]
@case(250, 16000)
def columns_ndjson(n, d): return ["query", wide(d, n), "--format", "ndjson"]
@case(250, 16000)
def columns_sql_star(n, d): return ["query", wide(d, n), "--sql", "SELECT * FROM data", "--format", "csv"]
@case(250, 16000)
def columns_self_join(n, d): return ["query", wide(d, n), "--sql", "SELECT * FROM data a JOIN data b ON a.id = b.id", "--format", "csv"]
@case(250, 16000)
def columns_named(n, d): return ["query", wide(d, n), "--select", ",".join("c%d" % i for i in reversed(range(n)))]
# one query has at most 4096 items
@case(250, 4096)
def columns_named_sql(n, d): return ["query", wide(d, n), "--sql", "SELECT " + ",".join("c%d" % i for i in reversed(range(n))) + " FROM data"]
@case(250, 16000)
def columns_named_of_many(n, d): return ["query", wide(d, n), "--sql", "SELECT " + ",".join("c%d" % (i * n // 4000) for i in range(4000)) + " FROM data"]
@case(250, 16000)
def columns_cat(n, d): return ["parquet", "cat", wide(d, n) + "/METADATA/level0.parquet"]
@case(250, 16000)
def columns_copy(n, d): return ["parquet", "copy", wide(d, n) + "/METADATA/level0.parquet", d + "/out.parquet"]
@case(250, 16000)
def columns_verify(n, d): return ["parquet", "verify", wide(d, n) + "/METADATA/level0.parquet"]
@case(250, 16000)
def columns_meta(n, d): return ["parquet", "meta", wide(d, n) + "/METADATA/level0.parquet", "--json"]
@case(250, 16000)
def columns_validate(n, d): return ["validate", wide(d, n), "--deep"]
@case(250, 16000)
def columns_repair(n, d): return ["repair", wide(d, n), d + "/out"]
@case(250, 16000)
def columns_export(n, d): return ["export", wide(d, n), d + "/out"]
@case(250, 16000)
def columns_info(n, d): return ["info", wide(d, n)]
@case(250, 16000)
def columns_of_two(n, d):
    a = wide(d, n)
    shutil.copytree(a, d + "/second")
    return ["query", a, d + "/second", "--format", "csv"]
@case(250, 16000)
def columns_tacocat(n, d):
    a = wide(d, n)
    for k in "12":
        taco("folder2zip", a, d + "/%s.tacozip" % k)
    return ["tacocat", d + "/.tacocat", d + "/1.tacozip", d + "/2.tacozip", "--unchecked"]
@case(250, 16000)
def columns_tacollection(n, d):
    a = wide(d, n)
    shutil.copytree(a, d + "/second")
    return ["tacollection", d + "/o.json", a, d + "/second"]
@case(250, 16000)
def columns_created_of_csv(n, d):
    wide(d, n)
    return ["create", d + "/in", d + "/again", "--samples", d + "/s.csv", "--collection", d + "/c.json"]
@case(250, 16000)
def columns_created_of_ndjson(n, d):
    wide(d, 1)
    write(d + "/s.ndjson", "".join(json.dumps(dict([("id", k)] + [("c%d" % i, i) for i in range(n)])) + "\n" for k in "ab"))
    return ["create", d + "/in", d + "/again", "--samples", d + "/s.ndjson", "--collection", d + "/c.json"]
@case(250, 16000)
def columns_added(n, d):
    wide(d, n)
    one_row(d + "/x")
    return ["add", d + "/x/data", d + "/again", "--samples", d + "/s.csv"]
@case(100, 4000)
def bands_of_distinct_keys(n, d):
    wide(d, 1)
    write(d + "/s.ndjson", "".join(json.dumps({"id": k, "o": {"c%d" % i: i for i in range(n)}}) + "\n" for k in "ab"))
    return ["create", d + "/in", d + "/again", "--samples", d + "/s.ndjson", "--collection", d + "/c.json"]
CASES[-1] = CASES[-1][:4] + ((0, 1),)


def long_table(d, n, options):
    path = folder(d, "id,t", ["r%06d,v%d" % (i, i) for i in range(n)])
    taco("parquet", "copy", path + "/METADATA/level0.parquet", d + "/t.parquet", *options)
    return d + "/t.parquet"


@case(500, 8000)
def row_groups_cat(n, d): return ["parquet", "cat", long_table(d, n, ["--row-group", "1"])]
@case(500, 8000)
def row_groups_where(n, d): return ["parquet", "cat", long_table(d, n, ["--row-group", "1"]), "--where", "t = 'v3'"]
@case(500, 8000)
def row_groups_verify(n, d): return ["parquet", "verify", long_table(d, n, ["--row-group", "1"])]
@case(500, 8000)
def row_groups_meta(n, d): return ["parquet", "meta", long_table(d, n, ["--row-group", "1"])]
@case(500, 16000)
def pages_cat(n, d): return ["parquet", "cat", long_table(d, n, ["--page-rows", "1"])]
@case(500, 16000)
def pages_where(n, d): return ["parquet", "cat", long_table(d, n, ["--page-rows", "1"]), "--where", "t = 'v3'"]
@case(20000, 2000000)
def long_value(n, d): return ["query", one_row(d, "x" * n), "--format", "ndjson"]
@case(20000, 2000000)
def escaped_value(n, d): return ["query", one_row(d, "\x1b" * n), "--format", "ndjson"]


# ---- datasets: samples, collections, archives ----

@case(500, 12000)
def samples_validate(n, d): return ["validate", folder(d, "id,t", ["r%06d,v" % i for i in range(n)])]
@case(500, 12000)
def samples_read(n, d): return ["read", folder(d, "id,t", ["r%06d,v" % i for i in range(n)]), "r%06d" % (n - 1)]
@case(500, 12000)
def samples_self_join(n, d):
    return ["query", folder(d, "id,t", ["r%06d,v" % i for i in range(n)]), "--sql", "SELECT count(*) FROM data a JOIN data b ON a.id = b.id"]
@case(500, 12000)
def samples_group(n, d): return ["query", folder(d, "id,t", ["r%06d,v%d" % (i, i) for i in range(n)]), "--sql", "SELECT t, count(*) FROM data GROUP BY t ORDER BY 2, 1"]
@case(500, 12000)
def samples_archive(n, d): return ["folder2zip", folder(d, "id,t", ["r%06d,v" % i for i in range(n)]), d + "/o.tacozip"]
@case(500, 12000)
def samples_repaired(n, d):
    taco("folder2zip", folder(d, "id,t", ["r%06d,v" % i for i in range(n)]), d + "/i.tacozip")
    return ["repair", d + "/i.tacozip", d + "/p.tacozip"]


def collection(d, members):
    path = one_row(d)
    made = json.load(open(path + "/COLLECTION.json"))
    made.update(members)
    write(path + "/COLLECTION.json", json.dumps(made))
    return path


JSON = (0, 1)
@case(1000, 200000, JSON)
def json_members(n, d): return ["info", collection(d, {"k%d" % i: i for i in range(n)})]
@case(1000, 100000, JSON)
def json_members_validated(n, d): return ["validate", collection(d, {"k%d" % i: i for i in range(n)})]
@case(1000, 100000, JSON)
def json_members_repaired(n, d): return ["repair", collection(d, {"k%d" % i: i for i in range(n)}), d + "/out"]
@case(1000, 100000, JSON)
def json_members_exported(n, d): return ["export", collection(d, {"k%d" % i: i for i in range(n)}), d + "/out"]
@case(1000, 100000, JSON)
def json_members_merged(n, d):
    a = collection(d, {"k%d" % i: i for i in range(n)})
    for k in "12":
        taco("folder2zip", a, d + "/%s.tacozip" % k)
    return ["tacocat", d + "/.tacocat", d + "/1.tacozip", d + "/2.tacozip", "--unchecked"]
@case(1000, 100000, JSON)
def json_providers(n, d): return ["validate", collection(d, {"providers": [{"name": "p%d" % i} for i in range(n)]})]
@case(1000, 100000, JSON)
def json_providers_to_stac(n, d): return ["collection", collection(d, {"providers": [{"name": "p%d" % i} for i in range(n)]}), "--to", "stac"]
@case(1000, 100000, JSON)
def json_keywords_to_croissant(n, d): return ["collection", collection(d, {"keywords": ["p%d" % i for i in range(n)]}), "--to", "croissant"]
@case(20000, 2000000, JSON)
def json_text(n, d): return ["info", collection(d, {"description": "\u0001\u00e9" * (n // 2)})]
@case(20000, 2000000, JSON)
def json_number(n, d):
    path = collection(d, {"x": 77})
    write(path + "/COLLECTION.json", open(path + "/COLLECTION.json").read().replace("77", "7" * n + "." + "7" * n + "e5"))
    return ["info", path]
@case(500, 20000, JSON)
def json_field_schema(n, d): return ["validate", collection(d, {"taco:field_schema": {"level0": [["c%d" % i, "string", ""] for i in range(n)]}})]
@case(500, 20000, JSON)
def json_pit_schema(n, d):
    return ["validate", collection(d, {"taco:pit_schema": {"root": {"n": 2, "type": "FOLDER"}, "hierarchy": {"1": [
        {"n": 2 * n, "type": ["FILE"] * n, "id": ["x%d" % i for i in range(n)]}]}}})]
@case(500, 20000, JSON)
def json_merged(n, d):
    a = collection(d, {"keywords": ["a%d" % i for i in range(n)], "providers": [{"name": "p%d" % i} for i in range(n)]})
    shutil.copytree(a, d + "/second")
    return ["tacollection", d + "/o.json", a, d + "/second"]


@case(500, 40000, JSON)
def json_sources(n, d):
    names = ["s%d.tacozip" % i for i in range(n)]
    return ["info", write(d + "/TACOLLECTION.json", json.dumps({"taco:sources": {"files": names, "extents": [
        {"file": f, "spatial": [0, 0, 1, 1]} for f in reversed(names)]}}))]


def entries(n, d, comment=0):
    with zipfile.ZipFile(d + "/z.zip", "w") as z:
        for i in range(n):
            z.writestr("DATA/x%d" % i, b"")
        z.comment = b"PK\5\6" * (comment // 4)
    return d + "/z.zip"


@case(500, 40000, JSON)
def zip_entries(n, d): return ["info", entries(n, d)]
@case(500, 40000, JSON)
def zip_entries_validated(n, d): return ["validate", entries(n, d)]
@case(500, 40000, JSON)
def zip_entries_repaired(n, d): return ["repair", entries(n, d), d + "/o.tacozip"]
@case(4000, 65000, JSON)
def zip_comment(n, d): return ["validate", entries(1, d, n)]
@case(500, 40000, JSON)
def zip_same_names(n, d):
    with zipfile.ZipFile(d + "/z.zip", "w") as z:
        import warnings
        warnings.simplefilter("ignore")
        for i in range(n):
            z.writestr("DATA/x", b"")
    return ["validate", d + "/z.zip"]


# ---- geometries and rasters ----

def geometry(d, wkb):
    hexed = wkb.hex()
    path = folder(d, "id,g", ["a,%s" % hexed])
    return ["query", path, "--sql", "SELECT ST_AsText(ST_GeomFromHEXWKB(g)) FROM data"]


@case(2000, 100000, JSON)
def wkb_line(n, d): return geometry(d, struct.pack("<BII", 1, 2, n) + b"".join(struct.pack("<dd", i % 7, i) for i in range(n)))
@case(500, 40000, JSON)
def wkb_rings(n, d): return geometry(d, struct.pack("<BII", 1, 3, n) + (struct.pack("<I", 4) + struct.pack("<8d", 0, 0, 1, 0, 1, 1, 0, 0)) * n)
@case(500, 40000, JSON)
def wkb_parts(n, d): return geometry(d, struct.pack("<BII", 1, 7, n) + struct.pack("<BIdd", 1, 1, 2.0, 3.0) * n)


@case(500, 100000, JSON)
def tiff_directories(n, d):
    head = struct.pack("<2sHI", b"II", 42, 8)
    body = b"".join(struct.pack("<HHHIII", 1, 256, 3, 1, 64, 8 + 18 * (i + 1) if i + 1 < n else 0) for i in range(n))
    return ["rasteret", "header", write(d + "/t.tif", head + body)]
@case(500, 60000, JSON)
def tiff_tags(n, d):
    body = struct.pack("<H", n) + b"".join(struct.pack("<HHII", 256 + i, 3, 1, 64) for i in range(n)) + bytes(4)
    return ["rasteret", "header", write(d + "/t.tif", struct.pack("<2sHI", b"II", 42, 8) + body)]


# ---- measuring ----

def seconds(argv, ok, runs):
    best = 1e9
    for _ in range(runs):
        for out in argv:
            if out.startswith(DIR) and os.path.basename(out) in ("out", "again", "o.tacozip", "p.tacozip", "o.json", "out.parquet", ".tacocat"):
                shutil.rmtree(out, ignore_errors=True) if os.path.isdir(out) else os.path.exists(out) and os.remove(out)
        p = subprocess.Popen([TACO] + argv + ["--quiet"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        text = p.stderr.read()
        p.stderr.close()
        _, status, use = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        if p.returncode not in ok:
            raise RuntimeError("status %d: %s" % (p.returncode, text.decode("utf-8", "replace")[:200].strip()))
        best = min(best, use.ru_utime + use.ru_stime)
        if best > 1:
            break
    return best


def measure(name, f, n, most, ok, nothing):
    def at(size):
        d = "%s/%s-%d" % (DIR, name, size)
        shutil.rmtree(d, ignore_errors=True)
        os.makedirs(d)
        try:
            return max(seconds(f(size, d), ok, RUNS) - nothing, 1e-4)
        finally:
            shutil.rmtree(d, ignore_errors=True)
    t = {n: at(n)}
    while t[n] * 8 < ENOUGH and 16 * n <= most:
        n *= 2
        t[n] = at(n)
    for k in (2, 4, 8):
        t[k * n] = at(k * n)
    times = [t[k * n] for k in (1, 2, 4, 8)]
    return n, times, math.log2(times[3] / times[1]) / 2 if times[3] > ENOUGH else 0.0


nothing = seconds(["--version"], (0,), 10)
bad = ran = 0
for name, f, n, most, ok in CASES[PART % PARTS::PARTS]:
    if WANTED and name not in WANTED:
        continue
    try:
        size, times, slope = measure(name, f, n, most, ok, nothing)
        for _ in range(4):  # again, for the noise of others; what grows too fast does so every time
            if slope > LIMIT:
                size, times, slope = min((size, times, slope), measure(name, f, n, most, ok, nothing), key=lambda x: x[2])
    except (RuntimeError, subprocess.CalledProcessError, OSError) as e:
        bad += 1
        print("%-28s FAILED %s" % (name, str(e)[:300]), flush=True)
        continue
    ran += 1
    bad += slope > LIMIT
    print("%-28s %8d  %s ms  %s" % (name, size, " ".join("%7.1f" % (1000 * t) for t in times),
          "slope %.2f%s" % (slope, "  TOO STEEP" if slope > LIMIT else "") if slope else "too little to measure"), flush=True)
shutil.rmtree(DIR, ignore_errors=True)
print("%d inputs grow, %d too steep or failed" % (ran, bad))
sys.exit(bad > 0 or ran == 0)
