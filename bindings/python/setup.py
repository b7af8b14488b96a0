"""Builds taco_h: one C extension with all of src/, an object a folder, for the stable ABI of CPython 3.6, so that
one wheel works with that and every later version. libbrotlidec and libcurl are used if a program can be linked with them;
TACO_H_WITHOUT="brotli curl" leaves them out. Python's own flags would optimise more than helps, and write debug information
of 50 MB; CFLAGS chooses others."""
import glob
import os
import re
import shutil
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")
# in a source distribution the headers are beside this file
COPIED = os.path.join(HERE, "headers")
FILES = ["taco*.h", "extra/*.h", "src/*.list", "src/*/*.[ch]", "LICENSE", "examples/system_codecs.h", "tool/remote.c", "tool/remote.h"]
IN_TREE = os.path.exists(os.path.join(TOP, "taco_parquet.h"))
SOURCES = TOP if IN_TREE else COPIED
# Folders without hot loops: with -O1 they compile in half the time and run as fast.
COLD = "sql write legacy rasteret taco3 validate parquet_inspect publish tiff".split()
# name: header, libraries, macro
OPTIONAL = {
    "brotli": ("brotli/decode.h", ["brotlidec", "brotlicommon"], "SYSTEM_BROTLI"),
    "curl": ("curl/curl.h", ["curl"], "WITH_CURL"),
}


def version():
    with open(os.path.join(SOURCES, "taco_parquet.h"), encoding="utf-8") as f:
        return re.search(r'#define TACO_VERSION  *"(.*)"', f.read()).group(1)


def folders():
    """The sources of each folder of src/, the largest first; those of src/gdal are not part of the library."""
    parts = {}
    for path in sorted(glob.glob(os.path.join(SOURCES, "src", "*.list"))):
        with open(path, encoding="utf-8") as f:
            for name in re.findall(r"^([a-z].*\.c)$", f.read(), re.M):
                parts.setdefault(name.split("/")[0], []).append(os.path.abspath(os.path.join(SOURCES, "src", name)))
    parts.pop("gdal")
    return sorted(parts.items(), key=lambda part: -sum(map(os.path.getsize, part[1])))


class with_headers(sdist):
    """Copies the files outside this directory into the source distribution."""

    def run(self):
        if IN_TREE:
            for name in FILES:
                for path in glob.glob(os.path.join(TOP, name)):
                    to = os.path.join(COPIED, os.path.relpath(path, TOP))
                    os.makedirs(os.path.dirname(to), exist_ok=True)
                    shutil.copy(path, to)
        super().run()


class with_optional_parts(build_ext):
    def links(self, header, libraries):
        """Whether a program with this header and these libraries can be built."""
        with tempfile.TemporaryDirectory() as d:
            source = os.path.join(d, "try.c")
            with open(source, "w") as f:
                f.write("#include <stddef.h>\n#include <stdint.h>\n#include <%s>\n" % header)
                # the first version that signs S3 requests
                f.write("#ifdef CURLINC_CURL_H\n#if !CURL_AT_LEAST_VERSION(7, 75, 0)\n#error\n#endif\n#endif\n")
                f.write("int main(void) { return 0; }\n")
            try:
                made = self.compiler.compile([source], output_dir=d)
                self.compiler.link_executable(made, os.path.join(d, "try"), libraries=libraries)
            except Exception:  # distutils has a different class for each step
                return False
        return True

    def build_extension(self, ext):
        without = os.environ.get("TACO_H_WITHOUT", "").split()
        for name, (header, libraries, macro) in OPTIONAL.items():
            if name not in without and self.links(header, libraries):
                ext.libraries += libraries
                ext.define_macros.append((macro, None))
        if self.compiler.compiler_type == "unix":
            # do not export the public names: the process may have another libtaco_h
            ext.extra_compile_args += ["-std=c99", "-fvisibility=hidden"]
        units = {}
        os.makedirs(self.build_temp, exist_ok=True)
        for folder, names in folders():
            unit = os.path.join(self.build_temp, "src_%s.c" % folder)
            with open(unit, "w") as f:
                if folder == "parquet" and ("SYSTEM_BROTLI", None) in ext.define_macros:
                    f.write('#include "system_codecs.h"\n')
                f.writelines('#include "%s"\n' % name.replace(os.sep, "/") for name in names)
            units[unit] = folder
            ext.depends += names
        ext.sources = list(units) + ext.sources
        # pip shows this with -v, and nothing more
        print("taco_h: %d objects are compiled, which takes up to a minute" % len(ext.sources), flush=True)
        compile_some, begun = self.compiler.compile, time.time()

        def compile_one(source, kwargs):
            if self.compiler.compiler_type == "unix" and "CFLAGS" not in os.environ:
                level = "-O1" if units.get(source) in COLD else "-O2"
                kwargs = dict(kwargs, extra_postargs=(kwargs.get("extra_postargs") or []) + [level, "-g0"])
            return compile_some([source], **kwargs)

        def compile_at_once(sources, **kwargs):
            with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
                made = list(pool.map(lambda source: compile_one(source, kwargs), sources))
            return [name for names in made for name in names]

        self.compiler.compile = compile_at_once
        super().build_extension(ext)
        self.compiler.compile = compile_some
        print("taco_h: compiled in %.0f s" % (time.time() - begun), flush=True)


options = {"bdist_wheel": {"py_limited_api": "cp36"}}
setup(
    name="taco_h",
    version=version(),
    description="Open, filter and write TACO datasets",
    long_description=open(os.path.join(HERE, "README.md"), encoding="utf-8").read(),
    long_description_content_type="text/markdown",
    license="MIT",
    python_requires=">=3.6",
    packages=["taco_h"],
    package_data={"taco_h": ["py.typed", "_native.pyi"]},
    extras_require={"pyarrow": ["pyarrow"], "polars": ["polars"], "pandas": ["pandas", "pyarrow"]},
    ext_modules=[
        Extension(
            "taco_h._native",
            ["native/" + n for n in ("module.c", "rows.c", "arrays.c", "write.c", "loader.c", "curl.c")],
            depends=["native/native.h"] + glob.glob(os.path.join(SOURCES, "taco*.h")) + glob.glob(os.path.join(SOURCES, "extra", "*.h")),
            include_dirs=[os.path.join(SOURCES, d) for d in (".", "extra", "examples", "tool")],
            define_macros=[("Py_LIMITED_API", "0x03060000")],
            py_limited_api=True,
        )
    ],
    options=options,
    cmdclass={"build_ext": with_optional_parts, "sdist": with_headers},
    zip_safe=False,
)
