#!/usr/bin/env python3
"""disk.py TACO DIR - writers on a disk that is full, and on inputs and outputs that are not what they should be.

Every command that writes gets a file system of 1 MiB (tmpfs where root may mount one, else a limit on the size of files),
which ends at another place each time; then inputs that cannot be read, outputs that are there, are the input or are
nowhere. Each must end with one line that says why and status 1 or 2, leave nothing under the final name, no temporary
file, and the input as it was."""
import glob, hashlib, json, os, resource, shutil, subprocess, sys, time

TACO, D = map(os.path.abspath, sys.argv[1:3])
shutil.rmtree(D, ignore_errors=True)
os.makedirs(f"{D}/src")
failed = checks = 0
for i in range(40):
    os.makedirs(f"{D}/src/t{i}")
    for k in range(3):
        open(f"{D}/src/t{i}/f{k}", "wb").write(os.urandom(20000 if k else 100))
json.dump({"id": "k", "dataset_version": "1", "description": "k", "licenses": ["CC0-1.0"], "providers": [{"name": "x"}], "tasks": ["other"]}, open(f"{D}/c.json", "w"))


def run(*args, limit=None, **more):
    def before():
        if limit is not None:
            import signal
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    return subprocess.run([TACO, *args], capture_output=True, text=True, errors="replace", timeout=60, preexec_fn=before, **more)


def must(*args):
    p = run(*args)
    assert p.returncode == 0, (args, p.stderr)


def fail(name, p, why):
    global failed
    failed += 1
    print("FAIL %s: %s: status %d, %s" % (name, why, p.returncode, p.stderr[-400:]))


def refused(name, p, out=None, keep=None):
    """One line, a status that is not 0, nothing at `out` nor near it."""
    global checks
    checks += 1
    lines = [l for l in p.stderr.splitlines() if "warning: " not in l and not l.startswith("note: ") and not l.startswith("usage") and not l.startswith("try")]
    if p.returncode not in (1, 2):
        fail(name, p, "was not refused")
    elif len(lines) != 1:
        fail(name, p, "%d lines" % len(lines))
    if out and keep is None and os.path.lexists(out):
        fail(name, p, "left " + out)
    if out and keep is not None and state(out) != keep:
        fail(name, p, "changed " + out)
    near = os.path.dirname(out) if out else D
    left = [x for x in glob.glob(near + "/**", recursive=True) + glob.glob(near + "/.*") if ".part" in os.path.basename(x) and "_part0" not in x]
    if left:
        fail(name, p, "left %s" % left)
        for x in left:
            shutil.rmtree(x) if os.path.isdir(x) else os.remove(x)


def state(path):
    if not os.path.lexists(path): return None
    if os.path.isdir(path): return {os.path.relpath(os.path.join(r, f), path): state(os.path.join(r, f)) for r, _, fs in os.walk(path) for f in fs}
    return hashlib.sha1(open(path, "rb").read()).hexdigest()


def drop(p):
    if os.path.isdir(p) and not os.path.islink(p): shutil.rmtree(p)
    elif os.path.lexists(p): os.remove(p)


COLL = ["--collection", f"{D}/c.json"]
must("create", f"{D}/src", f"{D}/g.tacozip", *COLL)
must("create", f"{D}/src", f"{D}/g", *COLL)
os.makedirs(f"{D}/parts")
for n in "ab":
    shutil.copy(f"{D}/g.tacozip", f"{D}/parts/{n}.tacozip")
must("query", f"{D}/g.tacozip", "--table", "level1", "--format", "parquet", "-o", f"{D}/rows.parquet")
jobs = {"create": (["create", f"{D}/src", "OUT", *COLL], ".tacozip"), "create folder": (["create", f"{D}/src", "OUT", *COLL], ""),
        "create parts": (["create", f"{D}/src", "OUT", *COLL, "--split-size", "400KB"], ".tacozip"),
        "export": (["export", f"{D}/g.tacozip", "OUT", "--date", "1"], ".tacozip"), "export folder": (["export", f"{D}/g.tacozip", "OUT", "--date", "1"], ""),
        "zip2folder": (["zip2folder", f"{D}/g.tacozip", "OUT"], ""), "folder2zip": (["folder2zip", f"{D}/g", "OUT"], ".tacozip"),
        "repair": (["repair", f"{D}/g.tacozip", "OUT"], ".tacozip"), "repair folder": (["repair", f"{D}/g", "OUT"], ""),
        "query -o parquet": (["query", f"{D}/g.tacozip", "--table", "level1", "--format", "parquet", "-o", "OUT"], ".parquet"),
        "query -o ndjson": (["query", f"{D}/g.tacozip", "--table", "level1", "--format", "ndjson", "-o", "OUT"], ".ndjson"),
        "query -o arrow": (["query", f"{D}/g.tacozip", "--table", "level1", "--format", "arrow", "-o", "OUT"], ".arrow"),
        "get -o": (["get", f"{D}/g.tacozip", "t3/f1", "-o", "OUT"], ".bin"),
        "parquet copy": (["parquet", "copy", f"{D}/rows.parquet", "OUT"], ".parquet"),
        "tacollection": (["tacollection", "OUT", f"{D}/parts/a.tacozip", f"{D}/parts/b.tacozip"], ".json"),
        "convert": (["convert", f"{D}/old.tortilla", "OUT"], ".tacozip")}
p = run("convert", f"{D}/g.tacozip", f"{D}/old.tortilla")
if p.returncode:
    del jobs["convert"]
    print("SKIPPED convert:", p.stderr.strip()[:200])
mount = f"{D}/small"
os.makedirs(mount)
mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mount], capture_output=True).returncode == 0
if not mounted:
    print("no tmpfs: the size of files is limited instead")
try:
    sizes = {}
    for name, (words, end) in jobs.items():
        whole = f"{D}/whole{end}"
        p = run(*[whole if w == "OUT" else w for w in words])
        if p.returncode:
            fail(name, p, "does not work at all")
            continue
        parts = glob.glob(f"{D}/whole_part*") or [whole]
        sizes[name] = sum(os.path.getsize(os.path.join(r, f)) for x in parts for r, _, fs in os.walk(x) for f in fs) if os.path.isdir(parts[0]) else sum(map(os.path.getsize, parts))
        for x in parts + [whole]: drop(x)
    for name, (words, end) in jobs.items():
        if name not in sizes: continue
        for left in (0, 4096, 8192, 100000, 500000, 1000000):
            if left >= sizes[name] - 4096: break
            out = f"{mount}/out{end}"
            args = [out if w == "OUT" else w for w in words]
            if mounted:
                with open(f"{mount}/filler", "wb") as f:
                    f.write(b"x" * max(0, (1 << 20) - left))
                p = run(*args)
            else:
                p = run(*args, limit=left)
            if p.returncode == 0 and mounted and left:
                pass  # what was left was enough after all: tmpfs rounds, or holes
            refused(f"{name}, {left} bytes are left", p, out)
            if glob.glob(f"{mount}/out*"): fail(f"{name}, {left} bytes are left", p, "left %s" % glob.glob(f"{mount}/out*"))
            for x in glob.glob(f"{mount}/*"): drop(x)
    # the catalogue stands beside its archives
    for binary in ([], ["--binary"]):
        for left in (0, 4096, 8192):
            shutil.copytree(f"{D}/parts", f"{mount}/p") if not mounted else os.makedirs(f"{mount}/p")
            names = []
            for n in "ab":
                if mounted: os.symlink(f"{D}/parts/{n}.tacozip", f"{mount}/p/{n}.tacozip")
                names.append(f"{mount}/p/{n}.tacozip")
            if mounted:
                open(f"{mount}/filler", "wb").write(b"x" * ((1 << 20) - left))
            p = run("tacocat", f"{mount}/p", *names, *binary, limit=None if mounted else left)
            refused(f"tacocat {binary}, {left} bytes are left", p, f"{mount}/p/.tacocat")
            if sorted(os.listdir(f"{mount}/p")) != ["a.tacozip", "b.tacozip"]: fail("tacocat", p, "left %s" % os.listdir(f"{mount}/p"))
            for x in glob.glob(f"{mount}/*"): drop(x)
finally:
    if mounted: subprocess.run(["umount", mount])
# ---- names
for name, (words, end) in jobs.items():
    out = f"{D}/nowhere/out{end}"
    refused(f"{name}: no such directory", run(*[out if w == "OUT" else w for w in words]), out)
    out = f"{D}/c.json/out{end}"
    refused(f"{name}: below a file", run(*[out if w == "OUT" else w for w in words]))
    if name.startswith(("query", "get", "parquet", "create parts")): continue  # replaced, as cp does; parts have names of their own
    out = f"{D}/there{end}"
    os.makedirs(out) if not end else open(out, "w").write("mine")
    if not end: open(out + "/mine", "w").write("mine")
    refused(f"{name}: is there", run(*[out if w == "OUT" else w for w in words]), out, state(out))
    drop(out)
    if end:
        os.makedirs(out)
        refused(f"{name}: is a directory", run(*[out if w == "OUT" else w for w in words]), out, {})
        drop(out)
before = state(f"{D}/g.tacozip"), state(f"{D}/g"), state(f"{D}/rows.parquet")
for args in (["export", f"{D}/g.tacozip", f"{D}/g.tacozip"], ["export", f"{D}/g.tacozip", f"{D}/g.tacozip", "--overwrite", "--limit", "1", "--where", "id = 'nobody'"],
             ["zip2folder", f"{D}/g.tacozip", f"{D}/g.tacozip"], ["folder2zip", f"{D}/g", f"{D}/g"], ["repair", f"{D}/g.tacozip", f"{D}/g.tacozip"], ["repair", f"{D}/g", f"{D}/g"],
             ["create", f"{D}/src", f"{D}/src", *COLL], ["create", f"{D}/src", f"{D}/src/t0", *COLL], ["export", f"{D}/g", f"{D}/g"], ["export", f"{D}/g", f"{D}/g", "--overwrite"],
             ["create", f"{D}/none", f"{D}/o.tacozip", *COLL], ["create", f"{D}/c.json", f"{D}/o.tacozip", *COLL], ["create", f"{D}/src", f"{D}/o.tacozip"],
             ["create", f"{D}/src", f"{D}/o.tacozip", "--collection", f"{D}/none"], ["create", f"{D}/src", f"{D}/o.tacozip", "--collection", f"{D}/src"],
             ["create", f"{D}/src", f"{D}/o.tacozip", *COLL, "--samples", f"{D}/none.csv"], ["create", f"{D}/src", f"{D}/o.tacozip", *COLL, "--samples", f"{D}/c.json"],
             ["export", f"{D}/none", f"{D}/o.tacozip"], ["export", f"{D}/c.json", f"{D}/o.tacozip"], ["zip2folder", f"{D}/none", f"{D}/o"],
             ["folder2zip", f"{D}/none", f"{D}/o.tacozip"], ["repair", f"{D}/none", f"{D}/o.tacozip"], ["repair", f"{D}/c.json", f"{D}/o.tacozip"],
             ["tacocat", f"{D}/parts", f"{D}/parts/a.tacozip", f"{D}/none.tacozip"], ["tacocat", f"{D}/parts", f"{D}/c.json"], ["tacocat", f"{D}/parts"],
             ["tacollection", f"{D}/o.json", f"{D}/none"], ["tacollection", f"{D}/o.json"], ["query", f"{D}/none", "-o", f"{D}/o.parquet"], ["get", f"{D}/g.tacozip", "t3/none", "-o", f"{D}/o.bin"],
             ["get", f"{D}/g.tacozip", "t3", "-o", f"{D}/o.bin"], ["parquet", "copy", f"{D}/c.json", f"{D}/o.parquet"], ["parquet", "copy", f"{D}/none", f"{D}/o.parquet"]):
    refused(" ".join(args).replace(D, ""), run(*args), f"{D}/o.tacozip")
    if (state(f"{D}/g.tacozip"), state(f"{D}/g"), state(f"{D}/rows.parquet")) != before:
        fail(" ".join(args), p, "changed its input")
        break
    for x in ("o.tacozip", "o", "o.json", "o.parquet", "o.bin"):
        if os.path.lexists(f"{D}/{x}"):
            fail(" ".join(args).replace(D, ""), p, "left " + x)
            drop(f"{D}/{x}")
# the output is the input by another name: replaced by a whole copy, or refused; never half of it
os.link(f"{D}/rows.parquet", f"{D}/rows2.parquet")
for to in ("rows.parquet", "rows2.parquet"):
    p = run("parquet", "copy", f"{D}/rows.parquet", f"{D}/{to}", "--overwrite")
    checks += 1
    if run("parquet", "verify", f"{D}/{to}").returncode or run("parquet", "cat", f"{D}/rows.parquet").returncode: fail("copy onto itself", p, "it is broken")
# ---- inputs that change, or cannot be read
os.makedirs(f"{D}/odd/t0")
for name, make in (("a pipe", lambda p: os.mkfifo(p)), ("a dangling link", lambda p: os.symlink("nowhere", p)), ("a link to itself", lambda p: os.symlink("x", p)), ("a device", lambda p: os.symlink("/dev/zero", p))):
    make(f"{D}/odd/t0/x")
    for out in ("o.tacozip", "o"):
        refused(f"create, an input is {name}", run("create", f"{D}/odd", f"{D}/{out}", *COLL), f"{D}/{out}")
    os.remove(f"{D}/odd/t0/x")
shutil.copytree(f"{D}/g", f"{D}/gone")
os.remove(f"{D}/gone/DATA/t5/f2")
for out in ("o.tacozip", "o"):
    refused("folder2zip, a payload is missing", run("export", f"{D}/gone", f"{D}/{out}"), f"{D}/{out}")
data = open(f"{D}/g.tacozip", "rb").read()
open(f"{D}/cut.tacozip", "wb").write(data[:len(data) // 2])
for out in ("o.tacozip", "o"):
    refused("export of half an archive", run("export", f"{D}/cut.tacozip", f"{D}/{out}"), f"{D}/{out}")
grow = f"{D}/grow"
os.makedirs(grow)
big = os.urandom(30 << 20)
for round in range(12):  # a file changes its size while it is read: what is made is whole, or nothing
    open(f"{grow}/x", "wb").write(big)
    out = f"{D}/o" + (".tacozip" if round % 2 else "")
    p = subprocess.Popen([TACO, "create", grow, out, *COLL], stderr=subprocess.PIPE, text=True)
    time.sleep(.002 * round)
    os.truncate(f"{grow}/x", 1000) if round % 3 else open(f"{grow}/x", "ab").write(big)
    text = p.communicate()[1]
    checks += 1
    if p.returncode == 0:
        q = run("validate", out, "--deep")
        if q.returncode: fail("create while the input changes", q, "is not valid " + q.stdout[:200])
    elif os.path.lexists(out) or glob.glob(out + ".part*"):
        print("FAIL create while the input changes: left", glob.glob(f"{D}/o*")); failed += 1
    drop(out)
print(f"disk.py: {checks} checks, {failed} failed")
shutil.rmtree(D)
sys.exit(failed != 0)
