"""docs/from-jax.md in both worlds: the script in NumPy and the spec in sluice agree within sampling error."""
import importlib.util
import pathlib

import numpy as np
import pytest

import sluice

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEEDS = 12


def spec_of_document():
    text = (ROOT / "docs/from-jax.md").read_text()
    return text.split("<<'EOF'\n")[1].split("EOF\n")[0]


def script():
    found = importlib.util.spec_from_file_location("localization", ROOT / "docs/examples/localization.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore::sluice.Remark")
def test_numbers_agree_within_sampling_error():
    theirs = np.array([script().train(seed) for seed in range(SEEDS)])
    sweep = sluice.sweep(spec_of_document(), {"seed": range(1, SEEDS + 1)}, progress=False)
    ours = np.array([sweep.column("loss"), sweep.column("ipr_mean_end"), sweep.column("ipr_mean_start")]).T * (2, 1, 1)  # no ½ in the script
    error = np.hypot(theirs.std(0, ddof=1), ours.std(0, ddof=1)) / SEEDS**0.5
    assert (np.abs(theirs.mean(0) - ours.mean(0)) < 4 * error).all()


def test_samples_are_of_one_law():
    """Mean, variance, neighbours and fourth moments of either class, in standard errors of both."""
    drawn = script().sample(np.random.default_rng(1), 20000)
    x, y, _ = sluice.sample(spec_of_document(), 20000)
    for label in (0, 1):
        numbers = [np.stack([z.mean(1), (z**2).mean(1), (z * np.roll(z, 1, 1)).mean(1), (z**4).mean(1)])
                   for z in (drawn[0][drawn[1] == label], x[y == label].astype(float))]
        mean, error = [each.mean(1) for each in numbers], [each.std(1) / each.shape[1] ** 0.5 for each in numbers]
        assert (np.abs(mean[0] - mean[1]) < 4.5 * np.hypot(*error)).all()
