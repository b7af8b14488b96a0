#!/usr/bin/env python3
"""coverage.py BUILD [--least N] - what the tests reach of the sources, after they ran in BUILD, which has objects of gcc --coverage.

Prints functions, lines and branches by header, then by file, the worst first, and the functions that nothing called; writes
BUILD/html with every source, where what no test reached is marked. A branch is one way out of a condition, as gcov counts at -O0; inline functions are
compiled as functions (TACO__CALLS), or theirs would count in every caller.
What cannot be reached says so in the source: a comment `/* unreachable: why */` on the line before leaves out the statement behind
it, up to the brace that closes it. With --least the exit status is 1 where a header has fewer percent of its branches than that,
or a function that no test calls, or a mark that leaves out what tests reach."""
import argparse, glob, html, json, os, re, subprocess, sys

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("build")
ap.add_argument("--least", type=float, default=0)
a = ap.parse_args()
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
HEADER = {}
for made_of in sorted(glob.glob("src/*.list")):
    for name in re.findall(r"^[a-z]\S*", open(made_of).read(), re.M):
        HEADER["src/" + name] = os.path.basename(made_of)[:-5] + ".h"


def unreachable(path):
    """Numbers of the lines that marks leave out."""
    out, lines = {}, open(path).read().split("\n")
    for i, text in enumerate(lines):
        if not re.match(r"\s*/\* unreachable: ", text):
            continue
        k = i
        while "*/" not in lines[k]:
            k += 1
        k += 1
        first, indent = k, re.match(r" *", lines[k]).group()
        while not re.search(r"[;}]\s*$", lines[k]) and not lines[k].endswith("{"):
            k += 1
        if lines[k].endswith("{"):
            while not re.match(indent + r"\}", lines[k]):
                k += 1
        for n in range(first, k + 1):
            out[n + 1] = i + 1
    return out


def reached():
    """{source: {function: [line, times]}}, {source: {line: times}}, {source: {(line, function, way): times}} of all programs."""
    functions, lines, ways = {}, {}, {}
    data = sorted(glob.glob(a.build + "/**/*.gcda", recursive=True))
    for at in range(0, len(data), 40):
        r = subprocess.run(["gcov", "-t", "-b", "--json-format"] + data[at:at + 40], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for text in r.stdout.decode().splitlines():
            made = json.loads(text)
            for f in made["files"]:
                path = os.path.relpath(os.path.normpath(os.path.join(made["current_working_directory"], f["file"])))
                if path not in HEADER:
                    continue
                fs, ls, ws = (d.setdefault(path, {}) for d in (functions, lines, ways))
                for x in f["functions"]:
                    fs.setdefault(x["name"], [x["start_line"], 0])[1] += x["execution_count"]
                for x in f["lines"]:
                    n = x["line_number"]
                    ls[n] = ls.get(n, 0) + x["count"]
                    for i, b in enumerate(x["branches"]):
                        key = (n, x.get("function_name", ""), i)
                        ws[key] = ws.get(key, 0) + b["count"]
    return functions, lines, ways


def share(part):
    hit, of = part
    return "%6.1f %%" % (100.0 * hit / of) if of else "      - "


def page(path, lines, ways, left_out):
    """A source with its counts."""
    missed, rows = {}, []
    for (n, _, _), times in ways.items():
        m = missed.setdefault(n, [0, 0])
        m[times == 0] += 1
    for n, text in enumerate(open(path).read().split("\n"), 1):
        color = ""
        if n in left_out:
            color = "#e8e8e8"
        elif n in lines:
            color = "#ffd0d0" if not lines[n] else "#fff2c0" if missed.get(n, [0, 0])[1] else "#e4f7e4"
        m = missed.get(n)
        rows.append('<tr id="%d" style="background:%s"><td>%d<td>%s<td>%s<td>%s' % (
            n, color or "none", n, lines.get(n, ""), "%d/%d" % (m[0], sum(m)) if m else "", html.escape(text) or " "))
    return "<!doctype html><meta charset=utf-8><title>%s</title><style>td{font:12px monospace;white-space:pre;padding:0 .6em}</style><h3>%s</h3><table>%s</table>" % (
        path, path, "\n".join(rows))


def main():
    functions, lines, ways = reached()
    total, rows, idle, wrong = {}, [], [], []
    os.makedirs(a.build + "/html", exist_ok=True)
    for path in sorted(functions):
        out = unreachable(path)
        for mark in sorted(set(out.values())):
            if any(lines[path].get(n, 0) for n, m in out.items() if m == mark):
                wrong.append("%s:%d: marked as unreachable, and reached" % (path, mark))
        fs = {f: x for f, x in functions[path].items() if x[0] not in out}
        ls = {n: x for n, x in lines[path].items() if n not in out}
        ws = {k: x for k, x in ways[path].items() if k[0] not in out}
        parts = [[sum(1 for x in d if x), len(d)] for d in ([x[1] for x in fs.values()], ls.values(), ws.values())]
        idle += ["%s:%d: %s is never called" % (path, x[0], f) for f, x in sorted(fs.items()) if not x[1]]
        rows.append((path, parts))
        sums = total.setdefault(HEADER[path], [[0, 0] for _ in parts])
        for s, p in zip(sums, parts):
            s[0] += p[0]
            s[1] += p[1]
        with open("%s/html/%s.html" % (a.build, path.replace("/", "_")), "w") as f:
            f.write(page(path, lines[path], ways[path], out))
    rows.sort(key=lambda r: r[1][2][0] - r[1][2][1])
    head = "%-36s %9s %9s %9s %10s" % ("", "functions", "lines", "branches", "not taken")
    table = lambda name, p: "%-36s %9s %9s %9s %10d" % (name, *map(share, p), p[2][1] - p[2][0])
    for path, p in rows:
        print(table(path, p))
    print("\n".join(idle))
    print(head)
    for name in sorted(total):
        print(table(name, total[name]))
    with open(a.build + "/html/index.html", "w") as f:
        f.write("<!doctype html><meta charset=utf-8><title>coverage</title><pre>%s\n%s\n\n%s</pre>" % (
            head, "\n".join(table(n, total[n]) for n in sorted(total)), "\n".join(
                '<a href="%s.html">%s</a>' % (p.replace("/", "_"), table(p, x)) for p, x in rows)))
    print("\n".join(wrong) + ("\n" if wrong else "") + a.build + "/html/index.html")
    low = [n for n, p in total.items() if p[2][0] * 100 < a.least * p[2][1]]
    for n in low:
        print("%s: fewer than %g %% of the branches" % (n, a.least))
    return 1 if not total or wrong or (a.least and (low or idle)) else 0


sys.exit(main())
