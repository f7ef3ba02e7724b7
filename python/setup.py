"""The wheel: what our own CMake builds, packed. Debian 12 has no scikit-build, and this is all that is needed of it.

SLUICE_BUILD names a folder of CMake to build in (default: build/release of the repository, so that what is there already is used).
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
(ROOT / "build/wheel").mkdir(parents=True, exist_ok=True)


class Build(build_ext):
    def build_extension(self, extension):
        folder = pathlib.Path(os.environ.get("SLUICE_BUILD", ROOT / "build/release"))
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSLUICE_PYTHON=ON",
                        f"-DPython_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "sluice_python"], check=True)
        place = pathlib.Path(self.get_ext_fullpath(extension.name))
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "python/sluice" / place.name, place)
        module = folder / "libsluice_cuda.so"  # for machines with a GPU, where it was built
        if module.exists():
            shutil.copy(module, place.parent)


setup(version=re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text().split("project(sluice")[1])[1],
      packages=["sluice"], package_data={"sluice": ["py.typed", "*.pyi"]},
      ext_modules=[Extension("sluice._sluice", [])], cmdclass={"build_ext": Build})
