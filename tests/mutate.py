#!/usr/bin/env python3
"""mutate.py [--count N] [--seed S] [--only PATH] [--dir BUILD] [--seconds S] [--quick S] [--own] [--again FILE] [--jobs N] - planted
faults, and whether tests notice.

A fault is one change of one line of src/: a condition turned or its bound moved, a constant off by one, an operator in the place
of its kin, a check or a call dropped. Each is compiled into its object alone, which takes the place of the sound one in a copy of
the library; the tests that reach the line run one after the other until one fails: those that include the source, then the fast
ones, then all of them with the sanitizers that `make test` has. Which tests reach a line is measured once, by gcov. What no test
notices is listed at the end, and in BUILD/survivors, but for what tests/mutate.txt explains; a mutant that does not compile is not
counted, nor one whose object is that of the sound source; one that runs for long is noticed. What is known of a fault is in
BUILD/log: a run that was stopped goes on from there. --again runs the faults listed in a file once more. Needs a C compiler with
gcov; the sources are not touched."""
import argparse, concurrent.futures, glob, json, os, random, re, shutil, subprocess, sys, threading, time

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--count", type=int, default=100)
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--only", default="", help="sources whose path has this")
ap.add_argument("--dir", default="build/mutate")
ap.add_argument("--seconds", type=float, default=1e9)
ap.add_argument("--quick", type=float, default=1e9, help="of the tests of a line those that take so many seconds in all")
ap.add_argument("--own", action="store_true", help="sources that a test includes, by these tests alone: nothing is built before; others may notice what survives")
ap.add_argument("--again")
ap.add_argument("--jobs", type=int, default=os.cpu_count())
a = ap.parse_args()
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
CC = os.environ.get("CC", "cc").split()
FLAGS = ["-std=c99", "-w", "-I.", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-O1"]  # tests/places.h walks the frames
SANITIZE = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
DIR = a.dir
SOURCES = [s for s in subprocess.run("sed -n 's,^[a-z].*,src/&,p' src/*.list", shell=True, capture_output=True, text=True).stdout.split()
           if s.endswith(".c") and not s.startswith("src/gdal/")]
# those of the headers, of the tool and of GDAL are no tests of one source
TESTS = sorted(t for t in glob.glob("tests/test_*.c") if os.path.basename(t)[5:-2] not in ("codecs", "options", "gdal"))
POOL = "tool/pool.c"
THREADS = ["tests/test_%s.c" % t for t in ("threads", "parallel", "sql_tasks", "write_tasks")]  # as in the Makefile
RULES = [(r"(?<![<>=!-])<(?![<=])", "<="), (r"<=", "<"), (r"(?<![>=-])>(?![>=])", ">="), (r">=", ">"), (r"==", "!="), (r"!=", "=="),
         (r"&&", "||"), (r"\|\|", "&&"), (r"(?<=[\w)\]] )\+(?= )", "-"), (r"(?<=[\w)\]] )-(?= )", "+"), (r"(?<= )\*(?= )", "+"),
         (r"(?<![\w.])[0-9]+(?![\w.])", lambda m: str(int(m.group()) + 1)), (r"(?<![\w.])[1-9][0-9]*(?![\w.])", lambda m: str(int(m.group()) - 1)),
         (r"0x[0-9A-F]+(?=[^\w])", lambda m: hex(int(m.group(), 16) ^ 1)), (r"(?<= )<<(?= )", ">>"), (r"(?<= )>>(?= )", "<<"),
         (r"(?<= )& (?=[\w(])", "| "), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\+\+", ""), (r"\bTACO__MIN\b", "TACO__MAX"),
         (r"\bTACO__MAX\b", "TACO__MIN"), (r"(?<![\w=)])!(?=[\w(])", ""), (r"\bbreak;", ";"), (r"\bcontinue;", ";")]


def strip_comments(text):
    """The same lines with blanks for comments, strings and preprocessor lines."""
    text = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
    return re.sub(r"^#(?:.*\\\n)*.*$", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.M)


def run(argv, seconds=None, **more):
    try:
        return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds, **more)
    except subprocess.TimeoutExpired:
        return None


def newer(target, *sources):
    return os.path.exists(target) and all(os.path.getmtime(target) >= os.path.getmtime(s) for s in sources)


def obj(source, kind="obj"):
    return "%s/%s/%s.o" % (DIR, kind, source[:-2].replace("src/", ""))


KINDS = {"obj": [], "cov": ["--coverage", "-O0"], "san": SANITIZE}


def build(kind):
    """Objects of the sources and of the tests, and a library: sound ones, those for the map of lines, those with sanitizers."""
    heads = glob.glob("src/*/*.h") + glob.glob("tests/*.h")

    def compiles(s):
        o = obj(s, kind)
        os.makedirs(os.path.dirname(o), exist_ok=True)
        return newer(o, s, *heads, *included(s)) or run(CC + FLAGS + KINDS[kind] + extra(s) + ["-c", s, "-o", o]).returncode == 0

    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for s, ok in zip(SOURCES + TESTS + [POOL], pool.map(compiles, SOURCES + TESTS + [POOL])):
            if not ok:
                sys.exit("%s does not compile" % s)
    lib, objects = "%s/lib%s.a" % (DIR, kind), [obj(s, kind) for s in SOURCES]
    if not newer(lib, *objects):
        if os.path.exists(lib):
            os.remove(lib)
        subprocess.run(["ar", "rcs", lib] + objects, check=True)


def extra(test):
    """What the Makefile adds for threads."""
    return ["-DWITH_THREADS"] if test in THREADS or test == POOL else []


def included(test):
    """Sources that a test includes: a mutant of those is compiled with the test."""
    return ["src/" + m for m in re.findall(r'#include "\.\./src/(\S+\.c)"', open(test).read())]


def link(kind, objects, out, test):
    return run(CC + KINDS[kind] + list(objects) + ([obj(POOL, kind)] if test in THREADS else []) + ["%s/lib%s.a" % (DIR, kind), "-ldl", "-pthread", "-o", out])


def lines_of_tests():
    """{source: {line with code: [tests that reach it, the fastest first]}} - by gcov, kept in DIR/lines.json."""
    kept = DIR + "/lines.json"
    stamp = max(os.path.getmtime(f) for f in SOURCES + TESTS)
    if os.path.exists(kept) and os.path.getmtime(kept) > stamp:
        return json.load(open(kept))
    reach, took = {}, {}
    for t in TESTS:
        name = os.path.basename(t)[:-2]
        out = "%s/cov/%s" % (DIR, name)
        for f in glob.glob(DIR + "/**/*.gcda", recursive=True):
            os.remove(f)
        if link("cov", [obj(t, "cov")], out, t).returncode:
            print("%s: does not link" % name)
            continue
        begin = time.time()
        r = run([out], 600)
        if not r or r.returncode:
            print("%s fails without a fault: left out\n%s" % (name, r.stdout.decode("utf-8", "replace")[-500:] if r else ""), flush=True)
            continue
        took[name] = time.time() - begin
        seen = glob.glob(DIR + "/**/*.gcda", recursive=True)
        r = subprocess.run(["gcov", "-t", "--json-format"] + seen, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for text in r.stdout.decode().splitlines():
            for f in json.loads(text)["files"]:
                source = os.path.normpath(f["file"]).replace("tests/../", "")
                if source.startswith("src/") and source.endswith(".c"):
                    for l in f["lines"]:
                        reached = reach.setdefault(source, {}).setdefault(str(l["line_number"]), set())
                        if l["count"]:
                            reached.add(name)
        print("%s: %.1f s" % (name, took[name]), flush=True)
    made = {s: {l: sorted(ts, key=lambda t: took[t]) for l, ts in by.items()} for s, by in reach.items()}
    json.dump(made, open(kept, "w"))
    json.dump(took, open(DIR + "/took.json", "w"))
    return made


def faults():
    """All there are: (source, line number, text, text with the fault)."""
    for s in SOURCES:
        if a.only not in s or (a.own and s not in OWN):
            continue
        text = open(s).read()
        plain = strip_comments(text).split("\n")
        lines = text.split("\n")
        for i, bare in enumerate(plain):
            if not bare.startswith(" ") or re.match(r"\s*(static|const|case|goto|TACO__FAIL|struct|enum)\b", bare):
                continue
            found = set()
            for pattern, new in RULES:
                for m in re.finditer(pattern, bare):
                    found.add(lines[i][:m.start()] + (new(m) if callable(new) else new) + lines[i][m.end():])
            m = re.match(r"(\s+)([a-z_][\w>.\[\]-]*\(.*\);|[a-z_*][\w>.\[\]-]* (?:[+|&-]=|=) [^;{]*;)\s*$", bare)
            if m and not re.match(r"\s*(return|if|for|while|else|do|switch)\b", bare):
                found.add(m.group(1) + ";")
            if re.match(r"\s+if \(.*\) \{ (return|continue|break|goto)\b.*\}\s*$", bare):
                found.add(re.match(r"\s+", bare).group() + ";")
            for f in sorted(found):
                yield s, i + 1, lines[i], f


def mutant(at, source, line, new):
    """The source with the fault, whose includes are found from where it is."""
    shutil.rmtree(at, ignore_errors=True)
    os.makedirs(at)
    lines = open(source).read().split("\n")
    lines[line - 1] = new
    text = re.sub(r'#include "(\.\./)?([\w./]+)"', lambda m: '#include "%s"' % os.path.abspath(
        os.path.join(os.path.dirname(source), (m.group(1) or "") + m.group(2))), "\n".join(lines))
    with open(at + "/mutant.c", "w") as f:
        f.write('#line 1 "%s"\n%s' % (source, text))
    return at + "/mutant.c"


def includes(at, test, source):
    """A copy of the test that includes the mutant: it sees static functions."""
    text = re.sub(r'#include "((?:\.\./)?[\w./]+)"', lambda m: '#include "%s"' % (
        os.path.abspath(at + "/mutant.c") if os.path.normpath("tests/" + m.group(1)) == source
        else os.path.abspath("tests/" + m.group(1))) if os.path.exists("tests/" + m.group(1)) else m.group(0), open(test).read())
    with open(at + "/test.c", "w") as f:
        f.write(text)
    return at + "/test.c"


def notices(kind, at, name, source, seconds):
    """Whether the test fails with the mutant."""
    test, out = "tests/%s.c" % name, at + "/" + name
    objects = [obj(test, kind), at + "/" + kind + ".o"]
    if source in included(test):
        objects = [at + "/test.o"]
        r = run(CC + FLAGS + KINDS[kind] + extra(test) + ["-c", includes(at, test, source), "-o", objects[0]])
        if r.returncode:
            return False
    r = link(kind, objects, out, test)
    if r.returncode:
        print("%s does not link: %s" % (name, r.stdout.decode("utf-8", "replace")[-300:]), flush=True)
        return False
    r = run([os.path.abspath(out)], seconds, cwd=clone())
    os.remove(out)
    return r is None or r.returncode != 0


def tests_of(source, line, new, reach):
    took = json.load(open(DIR + "/took.json"))
    by_line = reach.get(source, {})
    names = by_line.get(str(line))
    if names is None:  # of a table, or behind the first line of a statement: any test of the file, or of all, may notice
        names = sorted({t for ts in by_line.values() for t in ts} or took, key=lambda t: took[t])[:20]
    out, left = [], a.quick
    for n in sorted(names, key=lambda n: (source not in included("tests/%s.c" % n), took[n])):
        left -= took[n]
        if not out or left > 0:
            out.append((n, took[n]))
    return out


def place():
    """The directory of the mutant of this thread."""
    return "%s/mutant-%d" % (DIR, threading.get_ident())


def clone():
    """Where the tests of this thread run: all that is here but build/, in which they write files of fixed names."""
    at = place() + "-clone"
    if not os.path.exists(at):
        os.makedirs(at + "/build")
        for name in os.listdir("."):
            if name not in ("build", ".git"):
                os.symlink(os.path.abspath(name), at + "/" + name)
    return at


def try_own(source, line, new):
    """As try_fault, by the tests that include the source, with the library and the sanitizers of `make test`."""
    at = place()
    changed = mutant(at, source, line, new)
    if run(CC + FLAGS + ["-c", changed, "-o", at + "/mutant.o"]).returncode:
        return None, 0
    if run(CC + FLAGS + ["-c", source, "-o", at + "/sound.o"]).returncode == 0:
        code = [run(["objdump", "-drs", at + o]).stdout.split(b"\n", 3)[-1] for o in ("/mutant.o", "/sound.o")]
        if code[0] == code[1]:
            return None, 0
    for test in OWN[source]:
        r = run(CC + FLAGS[:-1] + ["-O0"] + SANITIZE + [includes(at, test, source), "build/san/libtaco.a", "-ldl", "-pthread", "-o", at + "/test"])
        if r.returncode:
            print("%s does not link: %s" % (test, r.stdout.decode("utf-8", "replace")[-300:]), flush=True)
            continue
        r = run([os.path.abspath(at + "/test")], 120, cwd=clone())
        if r is None or r.returncode:
            return os.path.basename(test)[:-2], len(OWN[source])
    return "", len(OWN[source])


def try_fault(source, line, new, reach, kind):
    """(the test that notices, or "" for none, None where it is no fault; how many ran)."""
    at = place()
    changed = mutant(at, source, line, new)
    if run(CC + FLAGS + KINDS[kind] + ["-c", changed, "-o", "%s/%s.o" % (at, kind)]).returncode:
        return None, 0
    if kind == "obj":
        dumped = [run(["objdump", "-drs", o]).stdout.split(b"\n", 3)[-1] for o in (at + "/obj.o", obj(source))]
        if dumped[0] == dumped[1]:
            return None, 0
    names = tests_of(source, line, new, reach)
    for name, seconds in names:
        if notices(kind, at, name, source, 20 + 20 * seconds):
            return name, len(names)
    return "", len(names)


os.makedirs(DIR, exist_ok=True)
OWN = {}
for t in TESTS:
    for s in included(t):
        OWN.setdefault(s, []).append(t)
if a.own:
    if subprocess.run(["make", "-s", "build/san/libtaco.a"]).returncode:
        sys.exit("build/san/libtaco.a cannot be built")
else:
    build("obj")
    build("cov")
    reach = lines_of_tests()
pool = sorted(faults())
shown = {"%s:%d: %s -> %s" % (f[0], f[1], f[2].strip(), f[3].strip()): f for f in pool}
# FILE: OLD -> NEW, and on the lines behind it, indented, why no test can notice
explained = {l.strip() for l in open("tests/mutate.txt") if re.match(r"src/", l)}
if a.again:
    chosen = [t for t in (re.sub(r"  \(no test reaches it\)$", "", l) for l in open(a.again).read().split("\n")) if t in shown]
else:
    chosen = sorted(shown)
    random.Random(a.seed).shuffle(chosen)
known = {}
if os.path.exists(DIR + "/log") and not a.again:
    for l in open(DIR + "/log"):
        what, text = l.rstrip("\n").split("  ", 1)
        known[text] = what
begin, log, one = time.time(), open(DIR + "/log", "a"), threading.Lock()
todo, faulty = iter(chosen), []  # those that are faults, or may be: never more than --count


def next_fault():
    """One more to try, or None."""
    with one:
        if time.time() - begin > a.seconds or len(faulty) >= a.count:
            return None
        text = next(todo, None)
        if text is not None:
            faulty.append(text)
        return text


def judge(text):
    source, line, old, new = shown[text]
    killer, ran = try_own(source, line, new) if a.own else try_fault(source, line, new, reach, "obj")
    if killer == "" and ran and not a.own:
        with one:
            build("san")
        killer = try_fault(source, line, new, reach, "san")[0]
    known[text] = "no fault" if killer is None else "noticed by %s" % killer if killer else "SURVIVES %d tests" % ran
    if killer != "" or not a.own:
        print("%s  %s" % (known[text], text), file=log, flush=True)


def work(_):
    text = next_fault()
    while text is not None:
        if text not in known:
            judge(text)
        if known[text] == "no fault":
            with one:
                faulty.remove(text)
        text = next_fault()


with concurrent.futures.ThreadPoolExecutor(a.jobs) as workers:
    list(workers.map(work, range(a.jobs)))
survivors, tried, noticed, same = [], len(faulty), 0, 0
for text in sorted(faulty):
    noticed += known[text].startswith("noticed")
    if known[text].startswith("SURVIVES"):
        if re.sub(r":\d+: ", ": ", text, count=1) in explained:
            same += 1
        else:
            survivors.append(text + ("  (no test reaches it)" if known[text] == "SURVIVES 0 tests" else ""))
with open(DIR + "/survivors", "w") as f:
    f.write("".join(s + "\n" for s in survivors))
print("".join("SURVIVES  %s\n" % s for s in survivors) + "%d faults planted of %d, %d noticed (%.1f %%), %d more explained, seed %d" % (
    tried, len(shown), noticed, 100.0 * noticed / max(tried, 1), same, a.seed))
sys.exit(tried == 0)
