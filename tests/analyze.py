#!/usr/bin/env python3
"""analyze.py [--tool NAME]... [--sample N] [--seed S] [--jobs N] [--cache DIR] - what analyzers say of the sources, less what
tests/analyze.txt explains.

The tools are gcc (-fanalyzer), clang (--analyze), tidy (clang-tidy with .clang-tidy) and cppcheck; one that is not here is skipped,
and said to be. A sample of N sources is for a quick look. All sources take hours: what a tool said of a source is kept in DIR
(build/analyze) until the source or a header that it includes changes, so that a run that was broken off goes on where it was.
Findings are printed, one a line: exit status 1."""
import argparse, concurrent.futures, glob, hashlib, json, os, random, re, shutil, subprocess, sys, time

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--tool", action="append", choices=["gcc", "clang", "tidy", "cppcheck"])
ap.add_argument("--sample", type=int, default=0)
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--jobs", type=int, default=os.cpu_count())
ap.add_argument("--cache", default="build/analyze")
a = ap.parse_args()
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
LONGEST = 1800 # seconds
FLAGS = ["-std=c99", "-D_POSIX_C_SOURCE=200809L", "-DWITH_THREADS"]
# those of GDAL and libcurl include headers that are not everywhere
SOURCES = [s for s in sorted(glob.glob("src/*/*.c") + glob.glob("tool/*.c")) if not s.startswith("src/gdal/") and s not in ("tool/remote.c", "tool/gdal.c")]
COMMANDS = {
    "gcc": ["gcc", *FLAGS, "-O1", "-fanalyzer", "-fdiagnostics-path-format=none", "-fno-diagnostics-show-caret", "-c", "-o", "/dev/null"],
    "clang": ["clang", *FLAGS, "--analyze", "-Xclang", "-analyzer-output=text", "-Xclang", "-analyzer-checker=optin,security,valist",
              "-Xclang", "-analyzer-disable-checker=optin.performance,security.insecureAPI.DeprecatedOrUnsafeBufferHandling", "-o", "/dev/null"],
    "tidy": ["clang-tidy", "--quiet"],
    # one configuration: the switches are compiled by tests/switches.sh
    "cppcheck": ["cppcheck", "--std=c99", "--quiet", "--max-configs=1", "--enable=warning,portability",
                 "--suppress=toomanyconfigs", "--suppress=missingInclude", "--template={file}:{line}:{column}: warning: {message} [{id}]"],
}


def read(path):
    with open(path, "rb") as f:
        return f.read()


def key(tool, source):
    """Changes with the source, the headers of ours that it includes, the tool and how the tool is called."""
    r = subprocess.run(["cc", *FLAGS, "-MM", source], stdout=subprocess.PIPE, check=True)
    names = r.stdout.decode().replace("\\\n", " ").split(":", 1)[1].split()
    h = hashlib.sha256(repr((COMMANDS[tool], VERSIONS[tool])).encode())
    for name in sorted(names) + ([".clang-tidy"] if tool == "tidy" else []):
        h.update(name.encode() + b"\0" + read(name))
    return h.hexdigest()[:32]


def look(tool, source):
    """[(check, file, line, message)] of one source, and whether it was known."""
    kept = os.path.join(a.cache, tool + "-" + key(tool, source))
    if os.path.exists(kept):
        return json.loads(read(kept)), True
    found = run(tool, source)
    if not found or found[0][0] != "failed":
        with open("%s.%d" % (kept, os.getpid()), "w") as f:
            json.dump(found, f)
        os.replace(f.name, kept)
    return found, False


def run(tool, source):
    after = ["--", *FLAGS] if tool == "tidy" else []
    try:
        r = subprocess.run(COMMANDS[tool] + [source] + after, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return [("failed", source, 1, "not done after %d s" % LONGEST)]
    text = r.stdout.decode("utf-8", "replace")
    found = []
    for m in re.finditer(r"^([^\s:]+):(\d+):(?:\d+:)? (warning|error): (.*?)(?: \[CWE-\d+\])?(?: \[([\w.,-]+)\])?$", text, re.M):
        found.append((m.group(5) or m.group(3), os.path.relpath(m.group(1)), int(m.group(2)), m.group(4)))
    if r.returncode and not found:
        found.append(("failed", source, 1, text.strip()[-200:]))
    return found


def version(tool):
    return subprocess.run([COMMANDS[tool][0], "--version"], stdout=subprocess.PIPE).stdout.decode()


def function_at(path, line):
    """The name of the function around a line: of the last one that begins at the left edge before it."""
    name = ""
    for text in open(path).read().split("\n")[:line]:
        m = re.match(r"(?!#|typedef|/\*)[A-Za-z_].*?\b(\w+)\([^;]*$", text)
        name = m.group(1) if m else name
    return name


explained = []
for number, line in enumerate(open("tests/analyze.txt"), 1):
    if line.strip() and not line.startswith("#"):
        m = re.match(r"(\w+) (\S+) (\S+) (\S+): (\S.*)$", line.rstrip("\n"))
        if not m:
            sys.exit("tests/analyze.txt:%d: TOOL CHECK FILE FUNCTION: reason" % number)
        explained.append([number, m.groups()[:4], False])
sources = random.Random(a.seed).sample(SOURCES, a.sample) if a.sample else SOURCES
tools = []
for tool in a.tool or list(COMMANDS):
    if shutil.which(COMMANDS[tool][0]):
        tools.append(tool)
    else:
        print("SKIPPED %s: it is not installed" % COMMANDS[tool][0])
VERSIONS = {tool: version(tool) for tool in tools}
os.makedirs(a.cache, exist_ok=True)
shown = set()
for tool in tools:
    begin, wrong, again = time.time(), 0, 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for found, kept in pool.map(lambda s: look(tool, s), sources):
            again += kept
            for check, path, line, message in found:
                where = function_at(path, line) if os.path.exists(path) else ""
                known = False
                for e in explained:
                    t, c, f, g = e[1]
                    if t == tool and c in ("*", check) and f in ("*", path) and g in ("*", where):
                        known = e[2] = True
                if not known and (tool, check, path, line) not in shown:
                    shown.add((tool, check, path, line))
                    wrong += 1
                    print("%s:%d: %s: %s %s: %s" % (path, line, where, tool, check, message), flush=True)
    print("%s: %d sources (%d kept from before), %d findings, %.0f s" % (tool, len(sources), again, wrong, time.time() - begin), flush=True)
if not a.sample:
    for number, what, used in explained:
        if what[0] in tools and not used:
            shown.add(number)
            print("tests/analyze.txt:%d: hides nothing" % number)
print("%d tools, %d sources, %d findings" % (len(tools), len(sources), len(shown)))
sys.exit(bool(shown) or not tools)
