"""Builds taco_h: one C extension over the headers at the top of the repository, for the stable ABI of CPython 3.6, so that
one wheel works with that and every later version. libbrotlidec and libcurl are used if a program can be linked with them;
TACO_H_WITHOUT="brotli curl" leaves them out."""
import glob
import os
import re
import shutil
import subprocess
import tempfile

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")
# in a source distribution the headers are beside this file
COPIED = os.path.join(HERE, "headers")
FILES = ["taco*.h", "LICENSE", "examples/system_codecs.h", "tool/remote.c", "tool/remote.h"]
IN_TREE = os.path.exists(os.path.join(TOP, "taco_parquet.h"))
SOURCES = TOP if IN_TREE else COPIED
# name: header, libraries, macro
OPTIONAL = {
    "brotli": ("brotli/decode.h", ["brotlidec", "brotlicommon"], "SYSTEM_BROTLI"),
    "curl": ("curl/curl.h", ["curl"], "WITH_CURL"),
}


def version():
    with open(os.path.join(SOURCES, "taco_parquet.h"), encoding="utf-8") as f:
        return re.search(r'#define TACO_VERSION  *"(.*)"', f.read()).group(1)


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
        super().build_extension(ext)



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
            ["native/" + n for n in ("module.c", "rows.c", "arrays.c", "write.c", "loader.c", "library.c", "curl.c")],
            depends=["native/native.h"] + glob.glob(os.path.join(SOURCES, "taco*.h")),
            include_dirs=[os.path.join(SOURCES, d) for d in (".", "examples", "tool")],
            define_macros=[("Py_LIMITED_API", "0x03060000")],
            py_limited_api=True,
        )
    ],
    options=options,
    cmdclass={"build_ext": with_optional_parts, "sdist": with_headers},
    zip_safe=False,
)
