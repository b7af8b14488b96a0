#!/usr/bin/env python3
"""mutate.py [--count N] [--seed S] [--only PATH] [--dir BUILD] [--seconds S] [--again FILE] - planted faults, and whether tests notice.

A fault is one change of one line of src/: a condition turned or its bound moved, a constant off by one, an operator in the place
of its kin, a check or a call dropped. Each is compiled into its object alone, which takes the place of the sound one in a copy of
the library; the tests that reach the line run one after the other until one fails. Which those are is measured once, by gcov. What
no test notices is listed at the end, and in BUILD/survivors; a mutant that does not compile is not counted, one that runs for long
is noticed. --again runs the faults listed in a file once more. Needs a C compiler with gcov; the sources are not touched."""
import argparse, glob, json, os, random, re, shutil, subprocess, sys, time

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--count", type=int, default=100)
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--only", default="", help="sources whose path has this")
ap.add_argument("--dir", default="build/mutate")
ap.add_argument("--seconds", type=float, default=1e9)
ap.add_argument("--again")
a = ap.parse_args()
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
CC = os.environ.get("CC", "cc").split()
FLAGS = ["-std=c99", "-w", "-O1"]
DIR = a.dir
SOURCES = [s for s in subprocess.run("sed -n 's,^[a-z].*,src/&,p' src/*.list", shell=True, capture_output=True, text=True).stdout.split()
           if s.endswith(".c")]
# those of the headers, of the tool and of threads are no tests of one source
TESTS = sorted(t for t in glob.glob("tests/test_*.c") if os.path.basename(t) not in ("test_codecs.c", "test_threads.c", "test_options.c"))
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


def obj(source):
    return "%s/obj/%s.o" % (DIR, source[4:-2])


def build():
    """Sound objects, a library of them, and the tests: twice, with gcov for the map of lines."""
    heads = glob.glob("src/*/*.h")
    for s in SOURCES:
        os.makedirs(os.path.dirname(obj(s)), exist_ok=True)
        os.makedirs(os.path.dirname(obj(s)).replace("/obj/", "/cov/"), exist_ok=True)
        if not newer(obj(s), s, *heads):
            subprocess.run(CC + FLAGS + ["-c", s, "-o", obj(s)], check=True)
            subprocess.run(CC + FLAGS + ["--coverage", "-O0", "-c", s, "-o", obj(s).replace("/obj/", "/cov/")], check=True)
    for kind in ("obj", "cov"):
        lib = "%s/lib%s.a" % (DIR, kind)
        if not newer(lib, *[obj(s).replace("/obj/", "/%s/" % kind) for s in SOURCES]):
            if os.path.exists(lib):
                os.remove(lib)
            subprocess.run(["ar", "rcs", lib] + [obj(s).replace("/obj/", "/%s/" % kind) for s in SOURCES], check=True)


def included(test):
    """Sources that a test includes: a mutant of those is compiled with the test."""
    return ["src/" + m for m in re.findall(r'#include "\.\./src/(\S+\.c)"', open(test).read())]


def link(test, lib, out, flags=(), objects=()):
    libs = ["-ldl", "-pthread"]
    return run(CC + FLAGS + list(flags) + [test] + list(objects) + [lib] + libs + ["-o", out])


def lines_of_tests():
    """{source: {line: [tests that reach it, the fastest first]}} - by gcov, kept in DIR/lines.json."""
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
        if link(t, DIR + "/libcov.a", out, ["--coverage", "-O0"]).returncode:
            print("%s: does not compile" % name)
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
                        if l["count"]:
                            reach.setdefault(source, {}).setdefault(str(l["line_number"]), set()).add(name)
        print("%s: %.1f s" % (name, took[name]), flush=True)
    made = {s: {l: sorted(ts, key=lambda t: took[t]) for l, ts in by.items()} for s, by in reach.items()}
    json.dump(made, open(kept, "w"))
    json.dump(took, open(DIR + "/took.json", "w"))
    return made


def faults():
    """All there are: (source, line number, text, text with the fault)."""
    for s in SOURCES:
        if a.only not in s:
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


def try_fault(number, source, line, new, reach):
    """(the test that notices, or "" for none, None where it does not compile; how many ran)."""
    at = "%s/mutant" % DIR
    shutil.rmtree(at, ignore_errors=True)
    os.makedirs(at + "/" + os.path.dirname(source))
    lines = open(source).read().split("\n")
    lines[line - 1] = new
    changed = "%s/%s" % (at, source)
    # relative includes are found beside the sound source
    with open(changed, "w") as f:
        f.write('#line 1 "%s"\n' % source + "\n".join(lines))
    here = ["-I", os.path.dirname(source)]
    fixed = open(changed).read()
    fixed = re.sub(r'#include "(\.\./)?([\w./]+)"', lambda m: '#include "%s"' % os.path.abspath(
        os.path.join(os.path.dirname(source), (m.group(1) or "") + m.group(2))), fixed)
    with open(changed, "w") as f:
        f.write(fixed)
    r = run(CC + FLAGS + here + ["-c", changed, "-o", at + "/m.o"])
    if r.returncode:
        return None, 0
    same = run(["cmp", "-s", at + "/m.o", obj(source)])
    took = json.load(open(DIR + "/took.json"))
    ran = 0
    by_line = reach.get(source, {})
    # lines of tables are no code that is run: any test of the file, or of all, may notice
    names = by_line.get(str(line)) or ([] if re.match(r"\s*[\w>(*!-].*[;{]", new) else sorted(
        {t for ts in by_line.values() for t in ts} or took, key=lambda t: took[t])[:12])
    for name in names:
        test = "tests/%s.c" % name
        out = at + "/" + name
        if source in included(test):  # static functions are seen: the test includes the mutant
            body = open(test).read()
            body = re.sub(r'#include "((?:\.\./)?[\w./]+)"', lambda m: '#include "%s"' % (
                os.path.abspath(changed) if os.path.normpath("tests/" + m.group(1)) == source
                else os.path.abspath("tests/" + m.group(1))) if os.path.exists("tests/" + m.group(1)) else m.group(0), body)
            with open(at + "/test.c", "w") as f:
                f.write(body)
            r = link(at + "/test.c", DIR + "/libobj.a", out)
        else:
            r = link(test, DIR + "/libobj.a", out, objects=[at + "/m.o"])
        if r.returncode:
            print("%s does not link: %s" % (name, r.stdout.decode("utf-8", "replace")[-300:]), flush=True)
            continue
        ran += 1
        r = run([out], 20 + 20 * took[name])
        if r is None or r.returncode:
            return name, ran
    return "", ran


os.makedirs(DIR, exist_ok=True)
build()
reach = lines_of_tests()
pool = sorted(faults())
if a.again:
    wanted = set(open(a.again).read().split("\n"))
    chosen = [f for f in pool if "%s:%d: %s -> %s" % (f[0], f[1], f[2].strip(), f[3].strip()) in wanted]
else:
    chosen = random.Random(a.seed).sample(pool, min(a.count, len(pool)))
begin, survivors, tried, noticed = time.time(), [], 0, 0
log = open(DIR + "/log", "a")
for i, (source, line, old, new) in enumerate(chosen):
    if time.time() - begin > a.seconds:
        break
    killer, ran = try_fault(i, source, line, new, reach)
    if killer is None:
        continue
    tried += 1
    noticed += killer != ""
    text = "%s:%d: %s -> %s" % (source, line, old.strip(), new.strip())
    if not killer:
        survivors.append(text + ("" if ran else "  (no test reaches it)"))
    print("%s  %s" % ("noticed by %s" % killer if killer else "SURVIVES %d tests" % ran, text), file=log, flush=True)
with open(DIR + "/survivors", "w") as f:
    f.write("".join(s + "\n" for s in survivors))
print("".join("SURVIVES  %s\n" % s for s in survivors) + "%d faults planted of %d, %d noticed (%.0f %%), seed %d" % (
    tried, len(pool), noticed, 100.0 * noticed / max(tried, 1), a.seed))
sys.exit(tried == 0)
