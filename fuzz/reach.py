#!/usr/bin/env python3
"""reach.py [TARGET...] [--seconds N] [--least P] [--jobs N] [--all] [--lines SOURCE]... - how much of each source that parses the
fuzz targets reach together, and how fast the targets of writers are.

Each target is built with libFuzzer and clang's coverage, works for N seconds (0 by default: it takes what build/corpus/TARGET
holds from before), then is given its seeds, its crashers and its corpus one by one, which alone counts. Lines of the headers
are those of src/ that they were made from. Printed, worst first, are lines reached and lines that compile, by source; status 1
if one that parses has less than P percent, or a target does not get through. --all prints the other sources, too; --lines
prints the lines of a source that are not reached. CLANG=clang-14, PROFDATA=llvm-profdata, COV=llvm-cov and OPT=-O0 choose the
programs; executions are counted by CPU second, so that they mean something on a machine that does other things."""
import argparse, concurrent.futures, fnmatch, glob, os, re, resource, subprocess, sys

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("target", nargs="*"); ap.add_argument("--seconds", type=int, default=0); ap.add_argument("--least", type=float, default=0)
ap.add_argument("--jobs", type=int, default=os.cpu_count()); ap.add_argument("--all", action="store_true"); ap.add_argument("--lines", action="append", default=[])
a = ap.parse_args()
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
CLANG, PROFDATA, COV = (os.environ.get(k, v) for k, v in (("CLANG", "clang"), ("PROFDATA", "llvm-profdata"), ("COV", "llvm-cov")))
OPT = os.environ.get("OPT", "-O0") # what is reached does not depend on it, and a target compiles in a fifth of the time
OUT = "build/reach"
# Sources that take apart what a stranger wrote: bytes of files, texts of queries, arrays of an Arrow producer.
PARSES = """codec/*_decode*.c codec/inflate.c codec/lz_copy.c parquet/*.c parquet_inspect/verify*.c filter/lexer.c filter/parser.c
    filter/predicate_parse.c filter/predicate_from_sql.c filter/predicate_bind.c filter/scalar_parse.c filter/like.c
    base/json_read.c base/number_parse.c base/datetime.c base/decimal.c geo/wkb*.c geo/intersect.c
    dataset/zip_read.c dataset/container*.c dataset/avro*.c dataset/collection.c dataset/query_parse.c dataset/local_metadata.c
    dataset/pixel_stats.c dataset/gdal_path.c dataset/navigation.c sql/sql_parse*.c sql/sql_keywords.c sql/regex_parse.c sql/cast_text.c
    legacy/*_read.c legacy/legacy_*.c legacy/tortilla_check.c legacy/to_taco2*.c
    tiff/*.c validate/*.c rasteret/*.c publish/geojson_geometry.c parquet_write/import_*.c parquet_write/stream_import.c
    parquet_write/wkb_summary.c write/repair*.c write/sample_tables.c write/collection_document.c write/collection_extent.c""".split()
# Targets in which files, or encodings, are made.
WRITERS = "add build convert create enc export legacy merge publish rasteret repair write zstd_enc".split()


def run(words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)


def fail(target, what, said):
    print("FAIL %s: %s: %s" % (target, what, said.stdout.decode("utf-8", "replace").strip()[-600:]), flush=True)
    return None


def build(t):
    program, source = "%s/%s" % (OUT, t), "fuzz/fuzz_%s.c" % t
    needs = glob.glob("*.h") + glob.glob("fuzz/*.h") + glob.glob("tests/*.h") + [source, __file__]
    if os.path.exists(program) and os.path.getmtime(program) > max(map(os.path.getmtime, needs)):
        return program
    libs = ["-lzstd", "-lz", "-llz4", "-lsnappy"] if t == "diff" else []
    said = run([CLANG, OPT, "-I.", "-DTACO_STATIC", "-w", "-fsanitize=fuzzer", "-fprofile-instr-generate", "-fcoverage-mapping", source, "-o", program, *libs])
    return fail(t, "does not build", said) if said.returncode else program


def inputs(t, dirs):
    found = []
    for d in dirs:
        for where, _, names in os.walk(d):
            found += [os.path.join(where, n) for n in names]
    return sorted(found) + sorted(glob.glob("tests/crashers/%s-*" % t))


def cpu():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


def reach(t):
    """{(header, line): reached}, executions and CPU seconds of the fuzzing, of a target; None if it fails."""
    program = build(t)
    if not program: return None
    options, dirs, corpus = [], [], "build/corpus/" + t
    for word in run(["sh", "fuzz/inputs.sh", t]).stdout.decode().split():
        (options if word.startswith("-") else dirs).append(word)
    os.makedirs(corpus, exist_ok=True)
    os.makedirs("build/found/" + t, exist_ok=True)
    executed = seconds = 0
    if a.seconds: # one after the other in a thread of its own: a process between, whose children are this one
        p = run(["sh", "-c", "\"$@\"; s=$?; times; exit $s", "sh", program, *options, "-max_total_time=%d" % a.seconds, "-timeout=20", "-rss_limit_mb=2048",
                 "-print_final_stats=1", "-artifact_prefix=build/found/%s/" % t, corpus, *dirs], env=dict(os.environ, LLVM_PROFILE_FILE="/dev/null"))
        text = p.stdout.decode("utf-8", "replace")
        if p.returncode: return fail(t, "while fuzzing", p)
        executed = int(re.search(r"number_of_executed_units: (\d+)", text).group(1))
        seconds = sum(int(m) * 60 + float(s) for m, s in re.findall(r"(\d+)m([\d.]+)s", text.strip().split("\n")[-1]))
    files, raw = inputs(t, [corpus] + dirs), []
    for i in range(0, len(files), 1000):
        raw.append("%s/%s.%d.profraw" % (OUT, t, i))
        p = run([program, "-timeout=20", "-rss_limit_mb=2048", *files[i:i + 1000]], env=dict(os.environ, LLVM_PROFILE_FILE=raw[-1]))
        if p.returncode: return fail(t, "given its inputs", p)
    if not raw: return {}, executed, seconds, 0
    p = run([PROFDATA, "merge", "-sparse", "-o", program + ".profdata", *raw])
    if p.returncode: return fail(t, PROFDATA, p)
    for f in raw: os.remove(f)
    p = subprocess.run([COV, "export", "-format=lcov", "-instr-profile", program + ".profdata", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode: return fail(t, COV, p)
    lines, header = {}, None
    for line in p.stdout.decode().split("\n"):
        if line.startswith("SF:"):
            header = os.path.relpath(os.path.realpath(line[3:]))
        elif line.startswith("DA:") and re.fullmatch(r"taco\w*\.h", header):
            number, count = line[3:].split(",")[:2]
            lines[header, int(number)] = int(count) > 0
    return lines, executed, seconds, len(files)


def places(header):
    """[None, (source, line) of line 1, ...] of a header."""
    at, out, n = None, [None], 0
    for line in open(header):
        m = re.match(r"/\* ==== src/(.*) ==== \*/$", line)
        at, n = (m.group(1), 0) if m else (at, n + 1)
        out.append((at, n))
    return out


targets = a.target or sorted(os.path.basename(f)[5:-2] for f in glob.glob("fuzz/fuzz_*.c"))
os.makedirs(OUT, exist_ok=True)
if not os.path.isdir("build/seeds") and run(["sh", "fuzz/seeds.sh"]).returncode: sys.exit("fuzz/seeds.sh failed")
together, bad, maps, fed = {}, 0, {}, 0
with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
    for t, got in zip(targets, pool.map(reach, targets)):
        if got is None:
            bad += 1
            continue
        lines, executed, seconds, files = got
        fed += files
        for (header, number), reached in lines.items():
            maps.setdefault(header, None) or maps.update({header: places(header)})
            place = maps[header][number]
            if place[0] and place[0].endswith(".c"): together[place] = together.get(place, False) or reached
        speed = "" if not a.seconds else ", %d executions, %d in a CPU second" % (executed, executed / max(seconds, 0.01))
        print("%s: %d inputs, %d lines reached%s%s" % (t, files, sum(lines.values()), speed, " (writes)" if t in WRITERS else ""), flush=True)
sources = {}
for (source, number), reached in together.items():
    sources.setdefault(source, []).append((number, reached))
parses = lambda s: any(fnmatch.fnmatchcase(s, p) for p in PARSES)
table = sorted((100.0 * sum(r for _, r in l) / len(l), s, sum(r for _, r in l), len(l)) for s, l in sources.items())
below = 0
for percent, source, reached, of in table:
    if parses(source) or a.all:
        print("%6.1f %%  %5d of %5d  src/%s%s" % (percent, reached, of, source, "" if parses(source) else "  (does not parse)"))
    below += parses(source) and percent < a.least
for name in a.lines:
    source = re.sub(r"^src/", "", name)
    text = open("src/" + source).read().split("\n")
    for number, reached in sorted(sources.get(source, [])):
        if not reached: print("src/%s:%d: %s" % (source, number, text[number - 1]))
those = [x for x in table if parses(x[1])]
print("reach: %d targets, %d inputs; %d sources that parse, %.1f %% of their lines, the worst %.1f %%; %d below %g %%, %d targets failed" % (
    len(targets), fed, len(those), 100.0 * sum(x[2] for x in those) / max(1, sum(x[3] for x in those)), those[0][0] if those else 0, below, a.least, bad))
sys.exit(bool(below or bad or not those))
