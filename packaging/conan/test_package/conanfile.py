"""Builds packaging/consumer with the package, and runs it on a dataset of examples/."""
import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class TacoHTest(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self, build_folder=os.environ.get("TACO_H_BUILD", "build"))

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False  # nothing is written into the sources
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            dataset = os.path.join(self.source_folder, "..", "..", "..", "examples", "data", "names.tacozip")
            self.run('%s "%s"' % (os.path.join(self.cpp.build.bindir, "consumer"), dataset), env="conanrun")
