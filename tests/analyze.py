#!/usr/bin/env python3
"""analyze.py [--tool NAME]... [--sample N] [--seed S] - what analyzers say of the sources, less what tests/analyze.txt explains.

The tools are gcc (-fanalyzer), clang (--analyze), tidy (clang-tidy with .clang-tidy) and cppcheck; one that is not here is skipped,
and said to be. A sample of N sources is for a quick look. Findings are printed, one a line: exit status 1."""
import argparse, concurrent.futures, glob, os, random, re, shutil, subprocess, sys, time

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--tool", action="append", choices=["gcc", "clang", "tidy", "cppcheck"])
ap.add_argument("--sample", type=int, default=0)
ap.add_argument("--seed", type=int, default=1)
a = ap.parse_args()
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FLAGS = ["-std=c99", "-D_POSIX_C_SOURCE=200809L", "-DWITH_THREADS"]
# those of GDAL and libcurl include headers that are not everywhere
SOURCES = [s for s in sorted(glob.glob("src/*/*.c") + glob.glob("tool/*.c")) if not s.startswith("src/gdal/") and s not in ("tool/remote.c", "tool/gdal.c")]
COMMANDS = {
    "gcc": ["gcc", *FLAGS, "-O1", "-fanalyzer", "-fdiagnostics-path-format=none", "-fno-diagnostics-show-caret", "-c", "-o", "/dev/null"],
    "clang": ["clang", *FLAGS, "--analyze", "-Xclang", "-analyzer-output=text", "-o", "/dev/null"],
    "tidy": ["clang-tidy", "--quiet"],
    # one configuration: the switches are compiled by tests/switches.sh
    "cppcheck": ["cppcheck", "--std=c99", "--quiet", "--max-configs=1", "--enable=warning,portability",
                 "--suppress=toomanyconfigs", "--suppress=missingInclude", "--template={file}:{line}:{column}: warning: {message} [{id}]"],
}


def look(tool, source):
    """[(check, file, line, message)] of one source."""
    after = ["--", *FLAGS] if tool == "tidy" else []
    r = subprocess.run(COMMANDS[tool] + [source] + after, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = r.stdout.decode("utf-8", "replace")
    found = []
    for m in re.finditer(r"^([^\s:]+):(\d+):(?:\d+:)? (warning|error): (.*?)(?: \[CWE-\d+\])?(?: \[([\w.,-]+)\])?$", text, re.M):
        found.append((m.group(5) or m.group(3), os.path.relpath(m.group(1)), int(m.group(2)), m.group(4)))
    if r.returncode and not found:
        found.append(("failed", source, 1, text.strip()[-200:]))
    return found


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
shown = set()
for tool in tools:
    begin, wrong = time.time(), 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda s: look(tool, s), sources):
            for check, path, line, message in found:
                where = function_at(path, line) if os.path.exists(path) else ""
                known = False
                for e in explained:
                    t, c, f, g = e[1]
                    if t == tool and c in ("*", check) and f == path and g in ("*", where):
                        known = e[2] = True
                if not known and (tool, check, path, line) not in shown:
                    shown.add((tool, check, path, line))
                    wrong += 1
                    print("%s:%d: %s: %s %s: %s" % (path, line, where, tool, check, message), flush=True)
    print("%s: %d sources, %d findings, %.0f s" % (tool, len(sources), wrong, time.time() - begin), flush=True)
if not a.sample:
    for number, what, used in explained:
        if what[0] in tools and not used:
            shown.add(number)
            print("tests/analyze.txt:%d: hides nothing" % number)
print("%d tools, %d sources, %d findings" % (len(tools), len(sources), len(shown)))
sys.exit(bool(shown) or not tools)
