"""examples/mpi with 1, 2 and 4 ranks: the same answers as the tool and as one rank, the bytes of the serial writer, failures
that end the job and leave no file.

    mpi.py TACO PROGRAMS DIRECTORY [--bench]

--bench: larger inputs, and how scan and creation scale from 1 rank to 2: seconds of one rank over twice those of the slower
of two, of processor and on the clock. What ranks wait is in the second alone; the first holds on a machine that others use as
well, and is checked."""
import json, os, pathlib, re, shutil, subprocess, sys, tempfile, zlib

TACO, PROGRAMS, DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
TOP = pathlib.Path(__file__).resolve().parent.parent.parent
BENCH = "--bench" in sys.argv
ENV = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
checks = failures = 0


def check(ok, *what):
    global checks, failures
    checks += 1
    if not ok:
        failures += 1
        print("FAIL", *[str(w)[:800] for w in what])


def mpi(ranks, program, *arguments):
    return subprocess.run(["mpirun", "--oversubscribe", "-np", str(ranks), os.path.join(PROGRAMS, program), *map(str, arguments)], capture_output=True, text=True, env=ENV, timeout=300)


def taco(*arguments):
    return subprocess.run([TACO, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def seconds(run):
    """Of the slowest rank, by what a program reports: of processor and on the clock."""
    return [max(map(float, re.findall(r"([0-9.]+) s of " + what, run.stderr)), default=0) for what in ("processor", "clock")]


def payload(i, most):
    return bytes((i * 31 + k * 7) & 255 for k in range(64)) * (1 + (i * 7919) % most)


def make(name, count, most):
    """A flat archive of files and a column v."""
    source = DIR / name
    source.mkdir()
    for i in range(count):
        (source / ("s%05d.bin" % i)).write_bytes(payload(i, most))
    with open(DIR / (name + ".ndjson"), "w") as f:
        for i in range(count):
            f.write(json.dumps({"id": "s%05d.bin" % i, "v": i % 97}) + "\n")
    (DIR / "collection.json").write_text(json.dumps({"id": name, "dataset_version": "1.0.0", "description": "d", "licenses": ["CC-BY-4.0"], "providers": [{"name": "N"}], "tasks": ["classification"]}))
    taco("create", source, DIR / (name + ".tacozip"), "--collection", DIR / "collection.json", "--samples", DIR / (name + ".ndjson"))
    return source


def metadata_once(report, ranks):
    """Of a program that reads no payload: rank 0 has read the metadata in two reads, the others nothing."""
    found = re.findall(r"^rank (\d+): \d+ rows, (\d+) reads, (\d+) bytes", report, re.M)
    return [(int(rank), int(reads), int(size) > 0) for rank, reads, size in found] == [(k, 0 if k else 2, not k) for k in range(ranks)]


def scans(archive, wheres):
    for where in wheres:
        rows = taco("query", archive, *(["--where", where] if where else []), "--select", "id", "--format", "csv").split("\n")[1:-1]
        for ranks in 1, 2, 4:
            got = mpi(ranks, "scan", archive, where)
            check(got.returncode == 0 and got.stdout.split() == rows, "scan", ranks, where, got.stderr, len(rows))
            check(metadata_once(got.stderr, ranks), "scan: a report of each rank", got.stderr)


def long_ids():
    """Ids that are longer than any line a program may have room for: each is a line of its own, whole."""
    ids = ["%d%s" % (i, "x" * n) for i, n in enumerate([510, 511, 512, 5, 60000, 254, 255, 256, 318, 319, 320])]
    code = "".join('    { static char id[%d]; memset(id, 'r"'x'"', sizeof id - 1); memcpy(id, "%d", %d); taco_writer_bytes(w, id, "abc", 3); }\n'
                   % (len(x) + 1, i, len(str(i))) for i, x in enumerate(ids))
    (DIR / "long.c").write_text('#include "%s/extra/taco_write.h"\n#include <string.h>\nint main(int n, char **a)\n{\n'
                                '    taco_error e = {0};\n    taco_writer *w = taco_create(a[n - 1], NULL, &e);\n    char *c = %s;\n'
                                "    taco_writer_collection(w, c, strlen(c));\n%s    return taco_writer_finish(w, &e) != TACO_OK;\n}\n"
                                % (TOP, json.dumps((DIR / "collection.json").read_text()), code))
    subprocess.run(["cc", "-I", TOP, "-o", DIR / "long", DIR / "long.c", pathlib.Path(PROGRAMS).parent / "obj/libtaco.a", "-pthread"], check=True)
    subprocess.run([DIR / "long", DIR / "long.tacozip"], check=True)
    for ranks in 1, 2:
        got = mpi(ranks, "scan", DIR / "long.tacozip")
        check(got.returncode == 0 and got.stdout.splitlines() == ids, "scan of long ids", ranks, got.stderr, len(got.stdout))
        got = mpi(ranks, "read", DIR / "long.tacozip")
        check(got.returncode == 0 and got.stdout.splitlines() == ["%s 3 %08x" % (x, zlib.crc32(b"abc")) for x in ids], "read of long ids", ranks, got.stderr)


def reads(archive, source, count, most):
    want = ["s%05d.bin %d %08x" % (i, len(payload(i, most)), zlib.crc32(payload(i, most))) for i in range(count)]
    for ranks in 1, 2, 4:
        got = mpi(ranks, "read", archive)
        check(got.returncode == 0 and got.stdout.splitlines() == want, "read", ranks, got.stderr, got.stdout)
        counts = re.findall(r"rank \d+: (\d+) samples, (\d+) reads, (\d+) bytes", got.stderr)
        total = sum(len(payload(i, most)) for i in range(count))
        check(len(counts) == ranks and sum(int(c[0]) for c in counts) == count, "read: shares", got.stderr)
        check(total <= sum(int(c[2]) for c in counts) <= 1.1 * total + 200 * count, "read: bytes", got.stderr, total)
        check(all(int(c[1]) <= (2 if k else 4) + int(c[2]) // (8 << 20) for k, c in enumerate(counts)), "read: near ranges are read together", got.stderr)
        check(max(int(c[2]) for c in counts) <= 1.3 * total / ranks + (1 << 20), "read: even shares", got.stderr)
    got = mpi(2, "read", archive, "v = 5")
    check(got.stdout.split()[0::3] == ["s%05d.bin" % i for i in range(count) if i % 97 == 5], "read: a filter", got.stderr)


def stats(archive):
    want = json.loads(taco("stats", archive, "--json"))
    names = "min", "max", "mean", "std", "p25", "p50", "p75", "p95"
    for ranks in 1, 2, 4, 12:  # with 12, some ranks have no row
        got = mpi(ranks, "stats", archive)
        check(got.returncode == 0 and got.stdout.startswith("rows %d, with statistics %d, pixels %d\n" % (want["rows"], want["used"], want["pixels"])), "stats", ranks, got)
        for band, line in enumerate(got.stdout.splitlines()[1:]):
            found = dict(zip(line.split()[2::2], map(float, line.split()[3::2])))
            check(all(abs(found[n] - want[n][band]) <= 1e-6 * max(1, abs(want[n][band])) for n in names), "stats", ranks, line, want)
        check(len(got.stdout.splitlines()) == 1 + want["bands"], "stats: bands", got.stdout)
        check(metadata_once(got.stderr, ranks), "stats: a report of each rank", got.stderr)
    got = mpi(2, "stats", archive, "id = 'none'")
    check(got.returncode != 0 and "no row has statistics" in got.stderr, "stats of no rows", got.stderr)


def creations(source, count):
    listed = DIR / "list"
    listed.write_text("".join("%s\n" % (source / ("s%05d.bin" % i)) for i in range(count)))
    serial = DIR / "serial.tacozip"
    taco("create", source, serial, "--collection", DIR / "collection.json")
    for ranks in 1, 2, 4:
        output = DIR / ("made_%d.tacozip" % ranks)
        got = mpi(ranks, "create", output, DIR / "collection.json", listed)
        check(got.returncode == 0 and output.exists(), "create", ranks, got.stderr)
        check(output.exists() and output.read_bytes() == serial.read_bytes(), "create: the serial writer's bytes", ranks)
        for failing in range(ranks):
            output = DIR / "failed.tacozip"
            got = mpi(ranks, "create", output, DIR / "collection.json", listed, "--fail", failing)
            check(got.returncode != 0 and got.stderr.startswith("%d: a rank that was asked to fail" % failing), "create: a failure", ranks, failing, got.stderr)
            check(not output.exists() and not os.path.exists(str(output) + ".part"), "create: nothing is left", ranks, failing)
    for killed in 0, 1:
        output = DIR / "killed.tacozip"
        got = mpi(2, "create", output, DIR / "collection.json", listed, "--kill", killed)
        check(got.returncode != 0 and not output.exists(), "create: a rank that is killed", killed, got.stderr)
        check("rank %d" % killed in got.stderr and "Killed" in got.stderr, "create: which rank was killed", killed, got.stderr)
        pathlib.Path(str(output) + ".part").unlink()
    listed.write_text(listed.read_text() + str(source / "none.bin") + "\n")
    got = mpi(2, "create", DIR / "failed.tacozip", DIR / "collection.json", listed)
    check(got.returncode != 0 and "none.bin" in got.stderr and not (DIR / "failed.tacozip").exists(), "create: a file that is not there", got.stderr)
    listed.write_text("%s\n" * 2 % ((source / "s00000.bin",) * 2))
    got = mpi(2, "create", DIR / "failed.tacozip", DIR / "collection.json", listed)
    check(got.returncode != 0 and "s00000.bin" in got.stderr and not (DIR / "failed.tacozip").exists() and not (DIR / "failed.tacozip.part").exists(), "create: two of one id", got.stderr)


def catalogues(count):
    """Many archives: a catalogue by ranks, and a scan of it."""
    home = DIR / "many"
    home.mkdir()
    one = DIR / "one"
    one.mkdir()
    paths = []
    for i in range(count):
        (one / "a.bin").write_bytes(b"%d" % i)
        (one / "b.bin").write_bytes(b"b" * (i % 13))
        (DIR / "one.csv").write_text("id,v\na.bin,%d\nb.bin,%d\n" % (i, -i))
        paths.append(home / ("p%05d.tacozip" % i))
        taco("create", one, paths[-1], "--collection", DIR / "collection.json", "--samples", DIR / "one.csv")
    listed = DIR / "archives"
    listed.write_text("".join("%s\n" % p for p in paths))
    taco("tacocat", home / "__TACOCAT__", *paths)
    want = (home / "__TACOCAT__").read_bytes()
    for ranks in 1, 2, 4:
        made = home / "again" / "__TACOCAT__"
        made.parent.mkdir()
        got = mpi(ranks, "catalogue", made, listed)
        check(got.returncode == 0 and made.exists() and made.read_bytes() == want, "catalogue", ranks, got.stderr)
        read = [tuple(map(int, x)) for x in re.findall(r"rank \d+: (\d+) archives, (\d+) reads, (\d+) bytes", got.stderr)]
        check(len(read) == ranks and sum(x[0] for x in read) == count and all(x[1] >= 2 * x[0] and x[2] > 500 * x[0] for x in read), "catalogue: a report of each rank", got.stderr)
        shutil.rmtree(made.parent)
    scans(home / "__TACOCAT__", ["", "v > %d" % (count // 2), "v = -3 OR v = 7"])
    thousands = DIR / "thousands"
    thousands.mkdir()
    sources = [thousands / ("p%05d.tacozip" % i) for i in range(2000)]
    for i, p in enumerate(sources):
        shutil.copyfile(paths[i % count], p)
    taco("tacocat", thousands / "__TACOCAT__", *sources)
    scans(thousands / "__TACOCAT__", ["v = 7", "v < -%d" % (count // 2)])
    broken = paths[count // 2]
    content = broken.read_bytes()
    broken.write_bytes(content[: len(content) // 2])
    got = mpi(2, "catalogue", home / "bad" / "__TACOCAT__", listed)
    check(got.returncode != 0 and broken.name in got.stderr and not (home / "bad").exists(), "catalogue: a broken archive", got.stderr)


def bench():
    """Efficiency of two ranks, the best of five runs of each."""
    source = make("large", 4000, 6000)
    listed = DIR / "list"
    listed.write_text("".join("%s\n" % p for p in sorted(source.iterdir())))
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        scaling(listed, pathlib.Path(memory))


def control(listed, home, way):
    """What this machine gives two processes that only copy: into a file each ("own"), or into one, as creation does."""
    best = {1: 1e9, 2: 1e9}
    for _ in range(5):
        for ranks in 1, 2:
            run = subprocess.run([os.path.join(PROGRAMS, "one_file"), home, listed, str(ranks), way], capture_output=True, text=True)
            check(run.returncode == 0, "one_file", run.stderr)
            best[ranks] = min(best[ranks], float(run.stdout or 1e9))
    return best[1] / (2 * best[2])


def scaling(listed, memory):
    """Linux lets one process at a time write to a file: the controls show what that leaves."""
    most = {"create, " + name: [control(listed, home, way) for way in ("own", "one")] for name, home in (("in memory", memory), ("on disk", DIR))}
    create = lambda home: lambda ranks, i: mpi(ranks, "create", home / ("b%d_%d.tacozip" % (ranks, i)), DIR / "collection.json", listed)
    ways = {"scan": lambda ranks, i: mpi(ranks, "scan", DIR / "rows.tacozip", "v > 40 AND w < 0.5", 2000),
            "create, in memory": create(memory),
            "create, on disk": create(DIR),
            "read": lambda ranks, i: mpi(ranks, "read", DIR / "large.tacozip")}
    low = 0.0
    for name, way in ways.items():
        best = {1: [1e9, 1e9], 2: [1e9, 1e9]}
        for i in range(5):
            for ranks in 1, 2:
                run = way(ranks, i)
                check(run.returncode == 0 and run.stderr.count("s of clock") == ranks, name, run.stderr)
                best[ranks] = list(map(min, best[ranks], seconds(run)))
                for p in [*DIR.glob("b?_?.tacozip"), *memory.glob("b*")]:
                    p.unlink()
        cpu, clock = [best[1][k] / (2 * best[2][k]) for k in (0, 1)]
        if name in most:
            print("%s: two processes that copy, into a file each: %.2f, into one file: %.2f" % (name, *most[name]))
        if name == "scan":  # the others are as fast as memory and locks are, and those the ranks share
            low = cpu
        print("%-17s one rank %.3f s, the slower of two %.3f s: efficiency %.2f; on the clock %.3f s, %.3f s: %.2f" % (name, best[1][0], best[2][0], cpu, best[1][1], best[2][1], clock))
        if name in most:
            check(clock >= 0.85 * most[name][1], name, "below what two processes that copy into one file reach", clock)
        if name == "scan":
            print("scan: %.0f million rows a second and rank, of two numbers" % (30000 * 2000 / best[1][0] / 1e6))
    check(low >= 0.85, "an efficiency below 0.85", low)


def rows():
    """An archive of many rows, for scans."""
    source = DIR / "rows"
    source.mkdir()
    with open(DIR / "rows.csv", "w") as f:
        f.write("id,v,w\n")
        for i in range(30000):
            (source / ("r%05d" % i)).touch()
            f.write("r%05d,%d,%f\n" % (i, i * 7919 % 97, (i * 31 % 1000) / 1000))
    taco("create", source, DIR / "rows.tacozip", "--collection", DIR / "collection.json", "--samples", DIR / "rows.csv", "--row-group", "2000")


shutil.rmtree(DIR, ignore_errors=True)
DIR.mkdir(parents=True)
if BENCH:
    (DIR / "collection.json").write_text(json.dumps({"id": "r", "dataset_version": "1.0.0", "description": "d", "licenses": ["CC-BY-4.0"], "providers": [{"name": "N"}], "tasks": ["classification"]}))
    rows()
    bench()
else:
    source = make("flat", 500, 400)
    scans(DIR / "flat.tacozip", ["", "v = 5", "v > 90 AND v < 93", "v = 1000"])
    reads(DIR / "flat.tacozip", source, 500, 400)
    long_ids()
    stats(TOP / "examples" / "data" / "geo_stac.tacozip")
    creations(source, 500)
    catalogues(60)
    got = mpi(2, "scan", DIR / "none.tacozip")
    check(got.returncode != 0 and got.stderr.count("none.tacozip") == 1, "a dataset that is not there", got.stderr)
    got = mpi(2, "scan", DIR / "flat.tacozip", "nothing = 1")
    check(got.returncode != 0 and "nothing" in got.stderr, "a column that is not there", got.stderr)
print("mpi: %d checks, %d failed" % (checks, failures))
sys.exit(1 if failures or checks < (9 if BENCH else 60) else 0)
