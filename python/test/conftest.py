"""pytest --program build/release/sluice: the package is the one that PYTHONPATH finds."""
import json
import pathlib
import struct
import subprocess
import zlib

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


def png(images):
    """A row of pixels for every image, RGB."""
    rows = images.reshape(len(images), -1).astype(np.uint8)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", rows.shape[1] // 3, len(rows), 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


@pytest.fixture(scope="session")
def photographs(tmp_path_factory):
    """Small sets that stand in for CIFAR-10: 200 to train on, 50 to test; the class is the height of a bright bar."""
    folder, rng = tmp_path_factory.mktemp("photographs"), np.random.default_rng(2)

    def images(count):
        pixels = rng.integers(0, 200, (count, 32, 32, 3))
        for r in range(count):
            pixels[r, 3 * (r % 10):3 * (r % 10) + 2, :, r % 3] = 250
        return pixels

    for batch in range(5):
        (folder / f"data_batch_{batch + 1}.png").write_bytes(png(images(40)))
    (folder / "test_batch.png").write_bytes(png(images(50)))
    for name, count in (("train", 200), ("test", 50)):
        (folder / f"{name}_lables.json").write_text(json.dumps([r % 10 for r in range(count)]))
    return folder
