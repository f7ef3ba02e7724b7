"""pytest --program build/release/sluice: the package is the one that PYTHONPATH finds."""
import pathlib
import subprocess

import numpy as np
import pytest


def pytest_addoption(parser):
    parser.addoption("--program", help="the program, for tests that hold the two faces against each other")
    parser.addoption("--picture", help="where to write docs/images/notebook.png, as the test with a browser sees it")


@pytest.fixture
def program(request):
    """Runs the program in a folder: program("run", "localization", …)."""
    path = request.config.getoption("--program")
    if path is None:
        pytest.skip("no --program")
    path = pathlib.Path(path).resolve()

    def say(*words, cwd=None):
        return subprocess.run([path, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=300)

    return say


def idx(array):
    """IDX, as MNIST is written: unsigned bytes behind a header."""
    header = np.array([0x0800 + array.ndim, *array.shape], ">u4").tobytes()
    return header + array.astype(np.uint8).tobytes()


@pytest.fixture(scope="session")
def digits(tmp_path_factory):
    """Small sets that stand in for MNIST: 640 to train on, 160 to test; the digit is the height of a bright bar."""
    folder, rng = tmp_path_factory.mktemp("digits"), np.random.default_rng(1)
    for name, count in (("train", 640), ("t10k", 160)):
        labels = np.arange(count) % 10
        images = rng.integers(0, 64, (count, 28, 28))
        for image, label in zip(images, labels):
            image[2 * (2 + label):2 * (3 + label)] = 255
        (folder / f"{name}-images-idx3-ubyte").write_bytes(idx(images))
        (folder / f"{name}-labels-idx1-ubyte").write_bytes(idx(labels))
    return folder
