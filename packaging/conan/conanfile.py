"""taco_h for Conan 2: `conan create packaging/conan` builds the checkout or release it lies in."""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class TacoH(ConanFile):
    name = "taco_h"
    license = "MIT"
    description = "Reads and writes TACO datasets and Parquet files, with nothing but libc"
    topics = ("taco", "parquet", "arrow", "geospatial")
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    package_type = "library"
    languages = "C"

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "..", "..", "taco_parquet.h"))
        self.version = re.search(r'#define TACO_VERSION  *"(.*)"', text).group(1)

    def export_sources(self):
        top = os.path.join(self.recipe_folder, "..", "..")
        for pattern in "taco*.h", "extra/*", "src/*.list", "src/*.c", "src/*.h", "CMakeLists.txt", "LICENSE", "packaging/*", "examples/system_codecs.h":
            copy(self, pattern, top, self.export_sources_folder, excludes=["build/*", "packaging/conan/*"])

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeToolchain(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["taco_h"]
        self.cpp_info.includedirs = [os.path.join("include", "taco_h")]
        self.cpp_info.set_property("cmake_file_name", "taco_h")
        self.cpp_info.set_property("cmake_target_name", "taco_h::taco_h")
        self.cpp_info.set_property("pkg_config_name", "taco_h")
