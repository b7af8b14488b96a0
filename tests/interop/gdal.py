"""taco_gdal.h in GDAL's own tools: gdal.py TACO PLUGIN SHARED DIRECTORY [LIBGDAL...]

The plugin in gdalinfo and gdal_translate: what they say of /vsitaco/ paths is what they say of the payload. Requests counted
over a local HTTP server. Then tests/test_gdal.c and the same paths with other versions of GDAL: each LIBGDAL is a shared
library, as the wheels of rasterio and pyogrio bundle it."""
import json, os, pathlib, re, shutil, subprocess, sys, time, urllib.request

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
TACO, PLUGIN, SHARED = (os.path.abspath(p) for p in sys.argv[1:4])
DIR = pathlib.Path(sys.argv[4]).resolve()
checks = failures = 0


def check(ok, *what):
    global checks, failures
    checks += 1
    if not ok:
        failures += 1
        print("FAIL", *[str(w)[:600] for w in what])


def run(*command, **env):
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "GDAL_DRIVER_PATH": os.path.dirname(PLUGIN), **env})


def make():
    """An archive and a FOLDER: a FOLDER grid with a.tif ... d.tif of several types, and what is no image."""
    shutil.rmtree(DIR, ignore_errors=True)
    source = DIR / "source"
    (source / "grid").mkdir(parents=True)
    for i, (name, kind, options) in enumerate([("a.tif", "Byte", ["COMPRESS=LZW"]), ("b.tif", "UInt16", ["TILED=YES", "COMPRESS=DEFLATE"]), ("c.tif", "Float32", []), ("d.tif", "Int16", ["INTERLEAVE=BAND"])]):
        plain = DIR / "plain.asc"
        rows = ["ncols 90\nnrows 60\nxllcorner %d\nyllcorner 8500000\ncellsize 10" % (300000 + 1000 * i)]
        rows += [" ".join(str((7 * x + 3 * y) % 251) for x in range(90)) for y in range(60)]
        plain.write_text("\n".join(rows) + "\n")
        subprocess.run(["gdal_translate", "-q", "-of", "GTiff", "-ot", kind, "-a_srs", "EPSG:32718", *sum((["-co", o] for o in options), []), plain, source / "grid" / name], check=True)
    (source / "grid" / "readme.txt").write_text("no image\n")
    (source / "grid" / "a.json").write_text('{"type": "FeatureCollection", "features": []}\n')
    for name in "0.bin", "z.bin":  # far from the metadata, so that no request fetches both
        (source / "grid" / name).write_bytes(os.urandom(3 << 20))
    for path in list(source.rglob("*.aux.xml")):
        path.unlink()
    collection = DIR / "collection.json"
    collection.write_text(json.dumps({"id": "g", "dataset_version": "1.0.0", "description": "d", "licenses": ["CC-BY-4.0"], "providers": [{"name": "N"}], "tasks": ["classification"]}))
    for output in "g.tacozip", "folder":
        subprocess.run([TACO, "create", source, DIR / output, "--collection", collection], check=True, capture_output=True)
    return source


def same_info(source):
    """gdalinfo, statistics and checksums included, but for the line of the files."""
    for dataset in "%s/g.tacozip" % DIR, "{%s/g.tacozip}" % DIR, "%s/folder" % DIR:
        for name in "grid/a.tif", "grid/b.tif", "grid/c.tif", "grid/d.tif":
            got = run("gdalinfo", "-stats", "-checksum", "-hist", "/vsitaco/%s/%s" % (dataset, name), GDAL_PAM_ENABLED="NO")
            want = run("gdalinfo", "-stats", "-checksum", "-hist", str(source / name), GDAL_PAM_ENABLED="NO")
            check(got.returncode == 0 and got.stdout.split("\n")[2:] == want.stdout.split("\n")[2:], dataset, name, got.stderr, got.stdout)
            check("Checksum=" in got.stdout, "no checksum", name)
        by_place = run("gdalinfo", "-checksum", "/vsitaco/%s/grid/@4" % dataset)
        want = run("gdalinfo", "-checksum", str(source / "grid/c.tif"))
        check(by_place.stdout.split("\n")[2:] == want.stdout.split("\n")[2:], "by position", by_place.stderr)
        out = DIR / "copy.tif"
        got = run("gdal_translate", "-q", "/vsitaco/%s/grid/b.tif" % dataset, str(out))
        check(got.returncode == 0 and out.stat().st_size > 0, "gdal_translate", got.stderr)
        text = run("gdalinfo", "/vsitaco/%s/grid/readme.txt" % dataset)
        check(text.returncode != 0 and "not recognized" in text.stderr, "a text", text.stderr)
        none = run("gdalinfo", "/vsitaco/%s/grid/e.tif" % dataset)
        check(none.returncode != 0, "a sample that is not there")
    broken = DIR / "broken.tacozip"
    broken.write_bytes((DIR / "g.tacozip").read_bytes()[:2000])
    got = run("gdalinfo", "/vsitaco/%s/grid/a.tif" % broken)
    check(got.returncode != 0 and "broken.tacozip" in got.stderr, "a broken archive", got.stderr)


def vector():
    got = run("ogrinfo", "-ro", "-so", "/vsitaco/%s/g.tacozip/grid/a.json" % DIR)
    check(got.returncode == 0 and "GeoJSON" in got.stdout, "ogrinfo", got.stdout, got.stderr)


def counted():
    """Requests: to open the dataset, and then a sample, each in programs that ask for nothing else."""
    port, log = 18000 + os.getpid() % 10000, DIR / "requests.log"
    server = subprocess.Popen([sys.executable, os.path.join(SHARED, "tools", "range_server.py"), str(DIR), str(port), str(log)])
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen("http://127.0.0.1:%d/none" % port)
            except urllib.error.HTTPError:
                break
            except OSError:
                time.sleep(0.05)
        flags = subprocess.check_output("gdal-config --cflags | sed 's/-I/-isystem /'; gdal-config --libs", shell=True, text=True).split()
        program = str(DIR / "gdal_opener")
        subprocess.run(["gcc", "-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-I", HERE.parents[1], HERE / "gdal_opener.c", *flags, "-o", program], check=True)
        url = "http://127.0.0.1:%d/g.tacozip" % port

        def requests(*command):
            log.write_text("")
            got = run(*command)
            return got, [json.loads(line) for line in log.read_text().splitlines()]

        dataset, asked = requests(program, url)
        check(dataset.returncode == 0, "over HTTP", dataset.stderr)
        sample, all_of_them = requests(program, url, "grid/b.tif")
        check(sample.returncode == 0 and sample.stdout.endswith("90 x 60\n"), "a sample over HTTP", sample.stderr)
        check(0 < len(all_of_them) - len(asked) <= 2, "a sample: requests", asked, all_of_them)
        print("requests: %d for the dataset, %d more for a sample" % (len(asked), len(all_of_them) - len(asked)))
        check(len(asked) == 3, "the dataset: one for the size, two to open it", asked)
        got, asked = requests("gdalinfo", "/vsitaco/%s/grid/b.tif" % url)
        check(got.returncode == 0 and "Size is 90, 60" in got.stdout, "gdalinfo over HTTP", got.stderr)
        check(all(r["s"] in (200, 206) for r in asked), "no file is looked for beside a sample", asked)
        print("requests of gdalinfo /vsitaco/http://...: %d" % len(asked))
        check(len(asked) <= 6, "gdalinfo: requests", asked)
    finally:
        server.terminate()
        server.wait()


def bindings(library):
    """GDAL's own Python package, with the plugin: what it says of every image, and what it lists."""
    code = """import ctypes, json, sys
ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
from osgeo import gdal
gdal.UseExceptions()
def info(path):
    return gdal.Info(path, options=["-stats", "-checksum", "-hist"]).split("\\n")[2:]
same = {n: info("%s/grid/%s.tif" % (sys.argv[2], n)) == info("/vsitaco/%s/grid/%s.tif" % (sys.argv[3], n)) for n in "abcd"}
listed = gdal.Run("vsi", "list", filename="/vsitaco/" + sys.argv[3], recursive=True).Output()
print(json.dumps([same, listed]), file=sys.stderr)"""  # progress goes to standard output, and may be written last
    python = pathlib.Path(library).parents[4] / "bin" / "python"
    got = run(str(python), "-c", code, library, str(source), "%s/g.tacozip" % DIR, GDAL_PAM_ENABLED="NO")
    want = sorted(str(p.relative_to(source)) for p in source.rglob("*"))
    said = [json.loads(line) for line in got.stderr.splitlines() if line.startswith("[{")]
    check(got.returncode == 0 and said == [[dict.fromkeys("abcd", True), want]], "osgeo.gdal", got.stdout, got.stderr, want)


def other(library):
    """The tests, and the plugin's paths, with another GDAL than that of the headers."""
    program = str(DIR / ("test_gdal_" + re.sub("[^0-9a-z]+", "_", os.path.basename(library))))
    flags = subprocess.check_output("gdal-config --cflags | sed 's/-I/-isystem /'", shell=True, text=True).split()
    wrap = DIR / "with_gdal.c"
    objects = [str(DIR / "with_gdal.o"), str(DIR / "test_gdal.o")]
    if not wrap.exists():
        wrap.write_text('#define TACO_IMPLEMENTATION\n#include "%s/extra/taco_gdal.h"\n' % TOP)
        for unit, made in zip((wrap, TOP / "tests/test_gdal.c"), objects):
            subprocess.run(["gcc", "-std=c99", "-O0", "-I", TOP, *flags, "-c", str(unit), "-o", made], check=True)
    subprocess.run(["gcc", *objects, library, "-Wl,-rpath," + os.path.dirname(library),
                    "-Wl,--allow-shlib-undefined", "-lm", "-o", program], check=True)
    env = {"LD_LIBRARY_PATH": os.path.dirname(library)}
    wheel = pathlib.Path(library).parent.name.replace(".libs", "")
    own = pathlib.Path(library).parent.parent / {"gdal_wheel": "osgeo/data"}.get(wheel, wheel)
    for name, folders in ("PROJ_DATA", ("proj", "proj_data")), ("GDAL_DATA", ("gdal", "gdal_data")):
        env.update({name: str(own / f) for f in folders if (own / f).is_dir()})
    check("PROJ_DATA" in env and "GDAL_DATA" in env, "the data of a wheel", own)
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, env={**os.environ, **env}).stdout
    check(library.split("/")[-1] in linked and "libgdal.so.32" not in linked, "which GDAL", linked)
    got = subprocess.run([program], cwd=TOP, capture_output=True, text=True, env={**os.environ, **env})
    check(got.returncode == 0 and ", 0 failed" in got.stdout, library, got.stdout[-2000:], got.stderr[-500:])
    if "rasterio.libs" in library:  # the plugin in a wheel's GDAL, as docs/gdal.md has it
        code = re.search("```python far\n(.*?)```", (TOP / "docs/gdal.md").read_text(), re.S)[1]
        code = code.replace("{s2.tacozip}/tile_07/B04.tif", "{%s/g.tacozip}/grid/b.tif" % DIR).replace("rasterio.open(", "print(rasterio.open(").replace('")     #', '").checksum(1))  #')
        python = pathlib.Path(library).parents[4] / "bin" / "python"
        opened = run(str(python), "-c", code)
        want = re.search("Checksum=([0-9]+)", run("gdalinfo", "-checksum", str(source / "grid/b.tif")).stdout)[1]
        check(opened.stdout.strip() == want, "the plugin in rasterio", opened.stdout, opened.stderr, want)
    if "gdal_wheel.libs" in library:
        bindings(library)
    version = re.search(r"so\.[0-9]+\.([0-9.]+)$", library)
    print("GDAL %s: %s" % (version[1] if version else library, got.stdout.strip().split("\n")[-1]))


source = make()
same_info(source)
vector()
counted()
for library in sys.argv[5:]:
    other(library)
print("gdal: %d checks, %d failed" % (checks, failures))
sys.exit(1 if failures or checks < 45 else 0)
