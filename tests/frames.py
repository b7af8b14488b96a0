#!/usr/bin/env python3
"""frames.py DIR - how much stack a call takes, and whether calls that go round in circles end.

Every source of src/ and tool/ is compiled twice with gcc: with -O2 -fstack-usage, for the frame of each function, which has at most
8 KB and a size that is known when it is compiled; and with -O0 -fcallgraph-info, where each circle of calls must pass through a
function of tests/recursion.txt, beside which stands what ends it. Calls by pointer are not in that graph. CC names the compiler."""
import concurrent.futures, glob, os, re, subprocess, sys

LIMIT = 8192
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
DIR = sys.argv[1]
CC = os.environ.get("CC", "gcc").split()
FLAGS = ["-std=c99", "-w", "-D_POSIX_C_SOURCE=200809L", "-DWITH_THREADS"]
# these need GDAL and libcurl
SOURCES = [s for s in sorted(glob.glob("src/*/*.c") + glob.glob("tool/*.c")) if not s.startswith("src/gdal/") and s != "tool/remote.c"]


def compile_one(source):
    out = "%s/%s" % (DIR, source.replace("/", "-")[:-2])
    for flags in (["-O2", "-fstack-usage"], ["-O0", "-fcallgraph-info"]):
        # ccache keeps no call graphs
        r = subprocess.run(CC + FLAGS + flags + ["-c", source, "-o", out + ".o"], stderr=subprocess.PIPE, env=dict(os.environ, CCACHE_DISABLE="1"))
        if r.returncode:
            return "%s: %s" % (source, r.stderr.decode("utf-8", "replace")[-500:])
    os.remove(out + ".o")
    return ""


def circles(calls, without):
    """The strongly connected parts of the graph, of more than one function or of one that calls itself (Tarjan, without recursion)."""
    number, low, stack, found = {}, {}, [], []
    for root in calls:
        if root in number or root in without:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        work = [(root, iter(sorted(calls[root])))]
        while work:
            f, rest = work[-1]
            g = next((g for g in rest if g in calls and g not in without), None)
            if g is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[f])
                if low[f] == number[f]:
                    at = stack.index(f)
                    part, stack = stack[at:], stack[:at]
                    if len(part) > 1 or f in calls[f]:
                        found.append(sorted(part))
            elif g not in number:
                number[g] = low[g] = len(number)
                stack.append(g)
                work.append((g, iter(sorted(calls[g]))))
            elif g in stack:
                low[f] = min(low[f], number[g])
    return found


os.makedirs(DIR, exist_ok=True)
for f in glob.glob(DIR + "/*.su") + glob.glob(DIR + "/*.ci"):
    os.remove(f)
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    failed = [x for x in pool.map(compile_one, SOURCES) if x]
if failed:
    print("\n".join(failed))
    sys.exit(1)

frames = []
for name in glob.glob(DIR + "/*.su"):
    for line in open(name):
        place, size, kind = line.rstrip("\n").split("\t")
        frames.append((int(size), kind, place))
frames.sort(reverse=True)
# "dynamic,bounded" is what pushing arguments makes; of "dynamic" nobody knows the size
bad = ["%s: a frame of %d bytes, allowed are %d" % (place, size, LIMIT) for size, kind, place in frames if size > LIMIT]
bad += ["%s: a frame whose size is not known: alloca, or an array of variable length" % place for size, kind, place in frames if kind == "dynamic"]

calls, heads = {}, re.compile(r'^edge: \{ sourcename: "(?:[^":]*:)?(\w+)" targetname: "(?:[^":]*:)?(\w+)"', re.M)
for name in glob.glob(DIR + "/*.ci"):
    for f, g in heads.findall(open(name).read()):
        calls.setdefault(f, set()).add(g)
ends = {}
for number, line in enumerate(open("tests/recursion.txt"), 1):
    if line.strip() and not line.startswith("#"):
        why, _, functions = line.rpartition(": ")
        for f in functions.split():
            ends[f] = why.strip()
everywhere = circles(calls, ())
inside = {f for part in everywhere for f in part}
bad += ["tests/recursion.txt: %s calls itself in no way" % f for f in ends if f not in inside]
bad += ["tests/recursion.txt: %s has no reason" % f for f, why in ends.items() if not why]
bad += ["calls go in a circle, and tests/recursion.txt does not say what ends it: " + " ".join(part) for part in circles(calls, ends)]
for line in bad:
    print(line)
print("%d frames, the largest %d bytes (%s); %d circles of calls; %d faults" % (len(frames), frames[0][0], frames[0][2], len(everywhere), len(bad)))
# a compiler that prints nothing is no proof
sys.exit(bool(bad) or len(frames) < 2000 or len(everywhere) < 20)
