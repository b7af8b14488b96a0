#!/usr/bin/env python3
"""clauses_mutate.py [--count N] [--seed S] [--only TEXT] [--jobs N] [--dir BUILD] - whether the tests that docs/clauses.md
names notice when the line that implements their clause is disabled.

tests/clauses.txt has the lines: PART CLAUSE :: src/FILE.c: OLD -> NEW, where OLD is in one line of the file alone. For each of a
seeded sample the line is changed in a copy, and the tests named for the clause (the C ones) run with it: one of the functions
named must fail. Needs `make build/san/libtaco.a`; the sources are not touched."""
import argparse, concurrent.futures, os, random, re, shutil, subprocess, sys, threading

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
CC = os.environ.get("CC", "cc").split() + ["-std=c99", "-w", "-O0", "-g", "-I.", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
PARTS = {"TACO 2.0.0 (November 2025)": "2.0", "TACO 0.2.0": "0.2", "TACO 2.0.0, draft of June 2025": "draft",
         "Tortilla 0.5.0": "tortilla", "Rasteret collections": "rasteret"}
LIBS = ["-ldl", "-pthread", "-lm"]


def clauses():
    """{"PART CLAUSE": [(test file, function)]} of docs/clauses.md."""
    found, part = {}, ""
    for row in open("docs/clauses.md", encoding="utf-8"):
        if row.startswith("## "):
            part = PARTS[row[3:].strip()]
        cells = [c.strip() for c in row.split("|")]
        if len(cells) >= 6 and cells[3] in ("as written", "differs"):
            found.setdefault(part + " " + cells[2], []).extend(re.findall(r"`(tests/test_\w+\.c):(\w+)`", row))
    return found


def lines():
    """[(clause, source, old, new)] of tests/clauses.txt; ends the program where one is not sound."""
    rows, named, bad = [], clauses(), 0
    for n, line in enumerate(open("tests/clauses.txt", encoding="utf-8"), 1):
        line = line.rstrip("\n")
        if not line or line.startswith("#"):
            continue
        m = re.match(r"(.+?) :: (src/\S+\.c): (.+?) -> (.*)$", line)
        why = "not CLAUSE :: FILE: OLD -> NEW" if not m else \
              "docs/clauses.md has no such clause" if m.group(1) not in named else \
              "no C test is named for the clause" if not named[m.group(1)] else \
              "OLD is in %d lines of the file" % sum(m.group(3) in s for s in open(m.group(2), encoding="utf-8")) \
              if sum(m.group(3) in s for s in open(m.group(2), encoding="utf-8")) != 1 else ""
        if why:
            print("tests/clauses.txt:%d: %s: %s" % (n, why, line))
            bad += 1
        else:
            rows.append(m.groups())
    if bad:
        sys.exit(1)
    return rows, named


def place():
    """A directory of this thread that is as this one, but for build/ and copies of src/ and tests/, which a mutant changes."""
    at = "%s/%d" % (a.dir, threading.get_ident())
    if not os.path.exists(at):
        os.makedirs(at + "/build")
        for name in os.listdir("."):
            if name in ("src", "tests"):
                shutil.copytree(name, at + "/" + name, ignore=shutil.ignore_patterns("data"))
            elif name not in ("build", ".git"):
                os.symlink(os.path.abspath(name), at + "/" + name)
        os.symlink(os.path.abspath("tests/data"), at + "/tests/data")
    return at


objects_lock = threading.Lock()


def sound_object(test):
    """A test's object, compiled once."""
    out = os.path.abspath("%s/%s.o" % (a.dir, os.path.basename(test)))
    with objects_lock:
        if not os.path.exists(out):
            subprocess.run(CC + ["-c", test, "-o", out], check=True)
    return out


def failed(at, source, test):
    """The functions of a test that fail with the mutant in `at`; None if it does not compile, "*" if it takes too long."""
    includes = '#include "../%s"' % source in open(test, encoding="utf-8").read()
    objects = [test] if includes else [source, sound_object(test)]
    r = subprocess.run(CC + objects + [os.path.abspath("build/san/libtaco.a")] + LIBS + ["-o", "build/mutant"],
                       cwd=at, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if r.returncode:
        print(r.stdout.decode("utf-8", "replace")[-400:])
        return None
    try:
        r = subprocess.run(["build/mutant"], cwd=at, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
                           env=dict(os.environ, UBSAN_OPTIONS="print_stacktrace=1"))
    except subprocess.TimeoutExpired:
        return {"*"}
    text = r.stdout.decode("utf-8", "replace")
    # of a crash, which ends the program before its sums, the functions in the trace of the sanitizer
    crashed = not re.search(r"\d+ passed, \d+ failed", text)
    return set(re.findall(r"^FAIL (\w+)", text, re.M)) | (set(re.findall(r"^ *#\d+ \S+ in (\w+) ", text, re.M)) if crashed else set())


def notices(row):
    clause, source, old, new = row
    at = place()
    sound = open(source, encoding="utf-8").read()
    with open(at + "/" + source, "w", encoding="utf-8") as f:
        f.write(sound.replace(old, new))
    seen = []
    for test in sorted({t for t, _ in named[clause]}):
        names = {f for t, f in named[clause] if t == test}
        found = failed(at, source, test)
        seen.append("%s: %s" % (test, "does not compile" if found is None else ", ".join(sorted(found)) or "nothing fails"))
        if found and (found & names or "*" in found):
            break
    else:
        found = None
    with open(at + "/" + source, "w", encoding="utf-8") as f:
        f.write(sound)
    if a.verbose:
        print("%s :: %s\n    %s" % (clause, source, "; ".join(seen)), flush=True)
    return None if found else "%s :: %s: %s -> %s\n    %s" % (clause, source, old, new, "; ".join(seen))


ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--count", type=int, default=40)
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--only", default="", help="clauses or sources with this text")
ap.add_argument("--jobs", type=int, default=os.cpu_count())
ap.add_argument("--dir", default="build/clauses")
ap.add_argument("--check", action="store_true", help="only whether tests/clauses.txt is sound")
ap.add_argument("--verbose", action="store_true")
a = ap.parse_args()
rows, named = lines()
if a.check:
    sys.exit(0)
if not os.path.exists("build/san/libtaco.a"):
    sys.exit("make build/san/libtaco.a comes first")
shutil.rmtree(a.dir, ignore_errors=True)
os.makedirs(a.dir)
rows = [r for r in rows if a.only in r[0] or a.only in r[1]]
random.Random(a.seed).shuffle(rows)
rows = rows[:a.count]
with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
    missed = [m for m in pool.map(notices, rows) if m]
shutil.rmtree(a.dir, ignore_errors=True)
for m in missed:
    print("no test that is named notices: " + m)
print("clauses: %d of %d lines disabled are noticed" % (len(rows) - len(missed), len(rows)))
sys.exit(1 if missed or not rows else 0)
