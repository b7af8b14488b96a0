#!/usr/bin/env python3
"""guides.py - the blocks of Python in README.md, docs/ and the package's README run, and print what the text block after them shows.

The blocks of a document are one program, and share a directory that has examples/ of the sources in it, whose path is shown as
/home/you/taco. Run by a Python that has taco_h, pyarrow, polars and duckdb. Shell and C: tests/test_guides.sh.
"""
import contextlib
import io
import os
import re
import sys
import tempfile
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\s*^```text\n(.*?)^```\n)?", re.S | re.M)


def blocks(document):
    """The line, the code and the shown output (None: not shown) of each block."""
    with open(document, encoding="utf-8") as f:
        text = f.read()
    for found in BLOCK.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found.group(1), found.group(2)


def run(document):
    """Counts passed and failed blocks."""
    passed = failed = 0
    names = {"__name__": "guide"}
    with tempfile.TemporaryDirectory() as here:
        os.symlink(os.path.join(ROOT, "examples"), os.path.join(here, "examples"))
        os.chdir(here)
        for line, code, shown in blocks(document):
            out = io.StringIO()
            try:
                with contextlib.redirect_stdout(out):
                    exec(compile("\n" * line + code, document, "exec"), names)
            except Exception:
                out.write(traceback.format_exc())
                shown = "no exception"
            found = out.getvalue().replace(os.path.realpath(here), "/home/you/taco").replace(ROOT, "/home/you/taco")
            if shown is None or shown == found:
                passed += 1
            else:
                failed += 1
                print("FAIL %s:%d\n--- shown\n%s--- found\n%s" % (document, line, shown, found))
        os.chdir(ROOT)
    return passed, failed


def main():
    guides = [os.path.join(ROOT, "docs", name) for name in sorted(os.listdir(os.path.join(ROOT, "docs"))) if name.endswith(".md")]
    results = [run(d) for d in [os.path.join(ROOT, "README.md"), os.path.join(ROOT, "bindings", "python", "README.md")] + guides]
    passed, failed = (sum(column) for column in zip(*results))
    print("guides: %d passed, %d failed" % (passed, failed))
    return failed > 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
