#!/usr/bin/env python3
"""power.py TACO DIR [--random N] [--seed S] [NAME...] - what is on the disk when the power fails while a command writes.

strace records the writes, syncs, renames and removals of each command. After every one of them the power fails: names are those
of some moment up to then, in the order in which they were made, as a journal keeps them; of a file everything that was synced is
there, and of what was written since all, nothing, or any part, the last write torn between two sectors. Each state that differs is laid out and
looked at: the output is the old one or the new one, for bytes or for what `taco` reads of it; where there was none, it may be
absent. Exit status 1 when it is neither. Needs strace."""
import argparse, hashlib, json, os, random, re, shutil, subprocess, sys

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("taco")
ap.add_argument("dir")
ap.add_argument("--random", type=int, default=6, help="mixed states after each operation")
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--show", type=int, default=4, help="states that are shown of each command")
ap.add_argument("names", nargs="*")
a = ap.parse_args()
TACO, DIR = os.path.abspath(a.taco), os.path.abspath(a.dir)
COLLECTION = {"id": "demo", "dataset_version": "1.0.0", "description": "d", "licenses": ["CC0-1.0"], "providers": [{"name": "x"}],
              "tasks": ["other"]}
SECTOR = 512  # a disk writes each whole or not at all
CALLS = ("openat,open,creat,write,pwrite64,writev,pwritev,lseek,fsync,fdatasync,close,rename,renameat,renameat2,unlink,unlinkat,mkdir,"
         "mkdirat,rmdir,syncfs,sync,ftruncate,truncate,link,linkat,symlink,symlinkat,copy_file_range,sendfile,fallocate,dup,dup2,dup3")


class Inode:
    def __init__(self, data=b""):
        self.synced, self.pending = data, []


def apply(data, op):
    if op[0] == "size":
        return data[:op[1]] + bytes(max(0, op[1] - len(data)))
    at, new = op[1], op[2]
    if len(data) < at:
        data += bytes(at - len(data))
    return data[:at] + new + data[at + len(new):]


def text(word):
    return bytes.fromhex(word.replace("\\x", ""))


def record(home, argv):
    """The operations below home that change something: lists whose first word is the kind."""
    log = DIR + "/log"
    r = subprocess.run(["strace", "-f", "-xx", "-s", "100000000", "-e", "trace=" + CALLS, "-o", log, TACO] + argv + ["--quiet"], cwd=home,
                       stdin=subprocess.DEVNULL, capture_output=True)
    if r.returncode:
        sys.exit("taco %s: status %d: %s" % (" ".join(argv), r.returncode, r.stderr.decode()[:500]))
    ops, fds = [], {}

    def path(word, at=None):
        p = os.path.normpath(os.path.join(home, (fds.get(at) or [""])[0], text(word).decode()))
        return os.path.relpath(p, home) if (p + "/").startswith(home + "/") else None
    for line in open(log, errors="replace"):
        m = re.match(r"\d+ +(\w+)\((.*)\) += (-?\d+|0x[0-9a-f]+)", line)
        if not m or m.group(3).startswith("-"):
            continue
        call, args, value = m.group(1), m.group(2), int(m.group(3), 0)
        strings = re.findall(r'"((?:\\x[0-9a-f]{2})*)"', args)
        first = args.split(",")[0].strip()
        fd = int(first) if first.isdigit() else None
        if call in ("openat", "open", "creat"):
            p = path(strings[0], fd if call == "openat" else None)
            if p is not None and ("O_WRONLY" in args or "O_RDWR" in args or call == "creat" or "O_CREAT" in args):
                fds[value] = [p, 0, "O_APPEND" in args]
                ops.append(["open", p, value, "O_TRUNC" in args])
            else:
                fds[value] = [p, 0, False] if p is not None else None
                if p is not None:
                    ops.append(["look", p, value])
        elif call in ("write", "pwrite64") and fds.get(fd):
            data = text(strings[0])[:value] if strings else b""
            at = int(args.rsplit(",", 1)[1], 0) if call == "pwrite64" else fds[fd][1]
            if call == "write":
                fds[fd][1] += value
            ops.append(["write", fd, at, data])
        elif call == "copy_file_range" and fds.get(int(args.split(",")[2])):
            words = [w.split("=>")[0].strip(" []") for w in args.split(",")]
            ops.append(["copy", int(words[0]), int(words[1]), int(words[2]), int(words[3]), value])
        elif call in ("writev", "pwritev", "sendfile", "fallocate", "dup", "dup2", "dup3") and fds.get(fd):
            sys.exit("%s is not known here: %s" % (call, line[:200]))
        elif call == "lseek" and fds.get(fd):
            fds[fd][1] = value
        elif call in ("fsync", "fdatasync") and fds.get(fd):
            ops.append(["sync", fd])
        elif call in ("syncfs", "sync"):
            ops.append(["sync", None])
        elif call == "close" and fd in fds:
            fds.pop(fd)
            ops.append(["close", fd])
        elif call in ("rename", "renameat", "renameat2", "link", "linkat"):
            p, q = path(strings[0], fd), path(strings[1], int(args.split(",")[2]) if args.split(",")[2:] and args.split(",")[2].strip().isdigit() else None)
            if "RENAME_EXCHANGE" in args:
                ops.append(["exchange", p, q])
            elif p is not None or q is not None:
                ops.append(["rename" if call.startswith("rename") else "link", p, q])
        elif call in ("unlink", "unlinkat", "rmdir"):
            if path(strings[0], fd) is not None:
                ops.append(["remove", path(strings[0], fd)])
        elif call in ("mkdir", "mkdirat"):
            if path(strings[0], fd) is not None:
                ops.append(["mkdir", path(strings[0], fd)])
        elif call == "truncate" and path(strings[0]) is not None:
            ops.append(["truncate", path(strings[0]), int(args.rsplit(",", 1)[1], 0)])
        elif call == "ftruncate" and fds.get(fd):
            ops.append(["ftruncate", fd, int(args.rsplit(",", 1)[1], 0)])
    return ops


def tree(home):
    """{path: bytes, or None for a directory}"""
    out = {}
    for d, dirs, files in os.walk(home):
        for n in dirs:
            out[os.path.relpath(os.path.join(d, n), home)] = None
        for n in files:
            p = os.path.join(d, n)
            out[os.path.relpath(p, home)] = open(p, "rb").read()
    return out


def states(before, ops, rnd):
    """(what happened last, {path: bytes or None}) of each moment and each thing that may be lost."""
    names = {p: Inode(b) if b is not None else None for p, b in before.items()}
    history, open_files = [dict(names)], {}
    for n, op in enumerate(ops):
        kind = op[0]
        if kind in ("open", "look"):
            if kind == "open" and op[1] not in names:
                names[op[1]] = Inode()
            open_files[op[2]] = names.get(op[1])
            if kind == "open" and op[3] and names[op[1]]:
                names[op[1]].pending.append(("size", 0))
        elif kind == "write" and open_files.get(op[1]):
            open_files[op[1]].pending.append(("write", op[2], op[3]))
        elif kind == "copy" and open_files.get(op[3]):
            source = open_files[op[1]]
            data = source.synced
            for p in source.pending:
                data = apply(data, p)
            open_files[op[3]].pending.append(("write", op[4], data[op[2]:op[2] + op[5]]))
        elif kind == "ftruncate" and open_files.get(op[1]):
            open_files[op[1]].pending.append(("size", op[2]))
        elif kind == "truncate" and names.get(op[1]):
            names[op[1]].pending.append(("size", op[2]))
        elif kind == "sync":
            for f in [open_files.get(op[1])] if op[1] is not None else list(names.values()):
                for p in f.pending if f else []:
                    f.synced = apply(f.synced, p)
                if f:
                    f.pending = []
        elif kind == "close":
            open_files.pop(op[1], None)
        elif kind == "mkdir":
            names[op[1]] = None
        elif kind == "remove":
            names.pop(op[1], None)
        elif kind in ("rename", "link"):
            for p in [p for p in names if p == op[1] or p.startswith(str(op[1]) + "/")]:
                if op[2] is not None:
                    names[op[2] + p[len(op[1]):]] = names[p]
                if kind == "rename":
                    del names[p]
        elif kind == "exchange":
            for p, f in list(names.items()):
                for one, other in ((op[1], op[2]), (op[2], op[1])):
                    if p == one or p.startswith(one + "/"):
                        names.pop(p, None)
            for p, f in history[-1].items():
                for one, other in ((op[1], op[2]), (op[2], op[1])):
                    if p == one or p.startswith(one + "/"):
                        names[other + p[len(one):]] = f
        if kind not in ("write", "copy", "sync", "close", "look"):
            history.append(dict(names))

        def lay(which, choose):
            made, done = {}, {}
            for p, f in which.items():
                if f is None:
                    made[p] = None
                elif id(f) in done:
                    made[p] = done[id(f)]
                else:
                    data = f.synced
                    for w in choose(f.pending):
                        data = apply(data, w)
                    made[p] = done[id(f)] = data
            return made

        def part(pending):
            kept = [w for w in pending if rnd.random() < 0.6]
            if kept and kept[-1][0] == "write" and rnd.random() < 0.5:
                w = kept[-1]
                cut = rnd.randrange(w[1], w[1] + len(w[2]) + 1) // SECTOR * SECTOR
                kept[-1] = ("write", w[1], w[2][:max(0, cut - w[1])])
            return kept
        where = "after %d of %d: %s" % (n + 1, len(ops), [x if not isinstance(x, bytes) else len(x) for x in op])
        yield where, lay(names, lambda p: p)
        yield where + ", nothing unsynced", lay(names, lambda p: [])
        for _ in range(a.random):
            yield where + ", in part", lay(history[rnd.randrange(max(0, len(history) - 6), len(history))], part)


def lay_out(state, home):
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    for p in sorted(state):
        if state[p] is None:
            os.makedirs(home + "/" + p, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(home + "/" + p), exist_ok=True)
            with open(home + "/" + p, "wb") as f:
                f.write(state[p])


def below(state, target):
    """What is at the target, as a value to compare: None where there is nothing."""
    got = {p: b for p, b in state.items() if p == target or p.startswith(target + "/")}
    h = hashlib.sha256()
    for p in sorted(got):
        h.update(p.encode() + b"\0" + (b"d" if got[p] is None else b"f" + hashlib.sha256(got[p]).digest()))
    return h.digest() if got else None


def read(home, target):
    """What taco reads there: rows, and the bytes of each sample."""
    r = subprocess.run([TACO, "query", target, "--format", "ndjson", "--quiet"], cwd=home, stdin=subprocess.DEVNULL, capture_output=True)
    if r.returncode:
        return "unreadable: " + r.stderr.decode("utf-8", "replace")[:200]
    rows = [json.loads(x) for x in r.stdout.splitlines()]
    out = []
    for row in rows:
        row = {k: v for k, v in row.items() if "vsi" not in k and "offset" not in k and "source" not in k}
        g = subprocess.run([TACO, "get", target, row["id"]], cwd=home, stdin=subprocess.DEVNULL, capture_output=True)
        out.append((sorted(row.items(), key=str), g.returncode, g.stdout))
    return str(out)


def prepare(home):
    os.makedirs(home + "/in")
    for i in range(4):
        with open(home + "/in/s%d" % i, "wb") as f:
            f.write(bytes([65 + i]) * (3000 + 1000 * i))
    with open(home + "/c.json", "w") as f:
        json.dump(COLLECTION, f)
    with open(home + "/s.csv", "w") as f:
        f.write("id,cloud\n" + "".join("s%d,%d\n" % (i, i) for i in range(4)))
    with open(home + "/t.csv", "w") as f:
        f.write("id,more\n" + "".join("s%d,%d\n" % (i, i * i) for i in range(4)))
    for out in ("old.tacozip", "old", "a.tacozip"):
        subprocess.run([TACO, "create", "in", out, "--samples", "s.csv", "--collection", "c.json", "--quiet"], cwd=home, check=True)
    subprocess.run([TACO, "parquet", "copy", "old/METADATA/level0.parquet", "old.parquet", "--quiet"], cwd=home, check=True)
    subprocess.run([TACO, "convert", "old.tacozip", "t.tortilla", "--quiet"], cwd=home, check=True)
    os.makedirs(home + "/cat")
    for name in ("nested", "geo_stac"):
        shutil.copy(os.path.join(os.path.dirname(__file__), "../../examples/data", name + ".tacozip"), home)
    for words in (["export", "old.tacozip", "b.tacozip", "--where", "cloud > 1"], ["zip2folder", "b.tacozip", "other"],
                  ["folder2zip", "old", "cat/a.zip"], ["folder2zip", "other", "cat/b.zip"], ["tacocat", "cat", "cat/a.zip", "cat/b.zip"],
                  ["rasteret", "from-taco", "nested.tacozip", "ras"]):
        subprocess.run([TACO] + words + ["--quiet"], cwd=home, check=True)
    with open(home + "/in/s0", "wb") as f:  # what is created over the old is another
        f.write(b"new" * 1000)


MAKE = ["--samples", "s.csv", "--collection", "c.json"]
WRITERS = {  # name: (output, arguments)
    "create-zip": ("n.tacozip", ["create", "in", "n.tacozip"] + MAKE),
    "create-folder": ("n", ["create", "in", "n"] + MAKE),
    "create-zip-over": ("old.tacozip", ["create", "in", "old.tacozip", "--overwrite"] + MAKE),
    "add-zip": ("old.tacozip", ["add", "old.tacozip", "--samples", "t.csv"]),
    "add-folder": ("old", ["add", "old", "--samples", "t.csv"]),
    "add-output": ("n.tacozip", ["add", "old.tacozip", "n.tacozip", "--samples", "t.csv"]),
    "export": ("n.tacozip", ["export", "old.tacozip", "n.tacozip", "--where", "cloud > 1"]),
    "repair": ("n.tacozip", ["repair", "old.tacozip", "n.tacozip"]),
    "zip2folder": ("n", ["zip2folder", "old.tacozip", "n"]),
    "export-over": ("a.tacozip", ["export", "old", "a.tacozip", "--where", "cloud > 1", "--overwrite"]),
    "folder2zip": ("n.tacozip", ["folder2zip", "old", "n.tacozip"]),
    "tacocat": (".tacocat", ["tacocat", ".", "old.tacozip", "a.tacozip"]),
    "tacollection": ("n.json", ["tacollection", "n.json", "old.tacozip", "a.tacozip"]),
    "convert": ("n.tortilla", ["convert", "old.tacozip", "n.tortilla"]),
    "parquet-copy-over": ("old.parquet", ["parquet", "copy", "old/METADATA/level0.parquet", "old.parquet", "--columns", "id,cloud", "--overwrite"]),
    "query-over": ("s.csv", ["query", "old.tacozip", "-o", "s.csv", "--overwrite"]),
    "collection": ("n.json", ["collection", "old.tacozip", "--to", "stac", "-o", "n.json"]),
    "create-folder-over": ("old", ["create", "in", "old", "--overwrite"] + MAKE),
    "zip2folder-over": ("old", ["zip2folder", "b.tacozip", "old", "--overwrite"]),
    "folder-over-zip": ("old.tacozip", ["export", "b.tacozip", "old.tacozip", "--format", "folder", "--overwrite"]),
    "repair-over": ("a.tacozip", ["repair", "b.tacozip", "a.tacozip", "--overwrite"]),
    "repair-folder-over": ("other", ["repair", "old", "other", "--overwrite"]),
    "tacocat-over": ("cat/.tacocat", ["tacocat", "cat", "cat/a.zip", "--overwrite"]),
    "rasteret-over": ("ras", ["rasteret", "from-taco", "geo_stac.tacozip", "ras", "--overwrite"]),
    "query-parquet": ("n.parquet", ["query", "old.tacozip", "-o", "n.parquet"]),
    "tortilla": ("n.tortilla", ["tortilla", "compile", "t.tortilla", "n.tortilla"]),
}
shutil.rmtree(DIR, ignore_errors=True)
os.makedirs(DIR)
prepare(DIR + "/first")
first = tree(DIR + "/first")
total = faults = 0
rnd = random.Random(a.seed)
for name, (target, argv) in WRITERS.items():
    if a.names and name not in a.names:
        continue
    home = DIR + "/home"
    lay_out(first, home)
    try:
        ops = record(home, argv)
    except SystemExit as e:
        print("%-20s %s" % (name, e))
        faults += 1
        continue
    after = tree(home)
    good = {below(first, target), below(after, target)}
    if below(after, target) is None or len(good) < 2:
        print("%-20s FAILED: nothing was written" % name)
        faults += 1
        continue
    dataset = not target.endswith((".json", ".csv", ".parquet", ".tortilla", ".tacocat", "ras"))
    meant = {read(home, target)} if dataset else set()
    if dataset and below(first, target) is not None:
        lay_out(first, home)
        meant.add(read(home, target))
    seen, points, bad, read_well = set(), 0, 0, 0
    for where, state in states(first, ops, rnd):
        points += 1
        total += 1
        value = below(state, target)
        if value in good or value in seen:
            continue
        seen.add(value)
        if value is None and below(first, target) is None:
            continue
        lay_out(state, DIR + "/cut")
        what = read(DIR + "/cut", target) if dataset else "other bytes"
        if what in meant:
            read_well += 1
            continue
        bad += 1
        if bad <= a.show:
            print("%s: neither old nor new %s: %s" % (name, where, what[:300] if value else "nothing is there"))
    faults += bad > 0
    print("%-20s %4d operations, %5d states, %d read as old or new, %d neither" % (name, len(ops), points, read_well, bad), flush=True)
print("%d states of %d writers, %d with faults" % (total, len(a.names or WRITERS), faults))
sys.exit(faults > 0 or total == 0)
