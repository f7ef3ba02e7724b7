"""numpy_check.py verify FILE.npz | write FOLDER: the numpy side of numpy_test.cpp."""
import sys
import numpy as np


def texts(path):
    with np.load(path, allow_pickle=False) as archive:
        assert archive.files == ["n", "word", "none"], archive.files
        assert archive["word"].tolist() == ["relu", "", "‖e(t)‖ 𝒩", "a\ufffdb"], archive["word"]
        assert archive["none"].shape == (0,) and archive["n"].tolist() == [3]


def verify(path):
    with np.load(path, allow_pickle=False) as archive:
        expected = {
            "weights": (0.5 * np.arange(24) - 3).astype("<f4").reshape(2, 3, 4),
            "loss": np.array([0.1, 1e-300, np.inf]),
            "step": np.array([0, 1 << 40], dtype="<i8"),
            "scalar": np.array(7.25),
            "empty": np.zeros((0, 5), dtype="<f4"),
        }
        assert archive.files == list(expected), archive.files
        for name, want in expected.items():
            got = archive[name]
            assert got.dtype == want.dtype and got.shape == want.shape, (name, got.dtype, got.shape)
            assert np.array_equal(got, want), name


def write(folder):
    ramp = (0.5 * np.arange(24)).astype(np.float32).reshape(2, 3, 4)
    arrays = {
        "f4": ramp,
        "fortran": np.asfortranarray(ramp),
        "f8": np.array([0.1, -2.5, 1e300]),
        "i8": np.array([-1, 1 << 50], dtype=np.int64),
        "scalar": np.array(7.25),
        "empty": np.zeros((0, 5), dtype=np.float32),
        "i4": np.array([-7, 0, 7], dtype=np.int32),
        "flags": np.array([True, False]),
        "f2": np.array([1.5, -0.25, 65504, 5.9604645e-08], dtype=np.float16),
    }
    np.savez(f"{folder}/plain.npz", **arrays)
    np.savez_compressed(f"{folder}/compressed.npz", **arrays)
    np.save(f"{folder}/single.npy", ramp)


{"verify": verify, "texts": texts, "write": write}[sys.argv[1]](sys.argv[2])
