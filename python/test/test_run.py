"""sluice.run, Run, load: what they take, what they give, and how they stop."""
import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
import weakref

import numpy as np
import pytest

import sluice

SMALL = {"task": {"kind": "nlgp", "n": 10, "gain": 3.0}, "network": {"kind": "two-layer", "hidden": 4},
         "dynamics": {"kind": "sgd", "steps": 6, "batch": 100}, "probe": {"every": 2, "samples": 100}}
TOML = """
[task]
kind = "nlgp"
n = 10
gain = 3.0
[network]
kind = "two-layer"
hidden = 4
[dynamics]
kind = "sgd"
steps = 6
batch = 100
[probe]
every = 2
samples = 100
"""
pytestmark = pytest.mark.filterwarnings("ignore::sluice.Remark")


def small(**keys):
    return sluice.run(SMALL, progress=False, **keys)


def test_a_spec_is_a_dict_a_text_a_file_or_a_name(tmp_path):
    (tmp_path / "own.toml").write_text(TOML)
    runs = [small(), sluice.run(TOML, progress=False), sluice.run(tmp_path / "own.toml", progress=False),
            sluice.run(str(tmp_path / "own.toml"), progress=False)]
    assert len({run.toml for run in runs}) == 1
    assert len({run.weights.tobytes() for run in runs}) == 1
    assert [run.name for run in runs] == ["spec", "spec", "own", "own"]
    assert sluice.run(runs[0].toml, progress=False).toml == runs[0].toml


def test_keys_are_set_by_name_or_by_dict():
    a, b = small(task__gain=0.5, seed=3), small(set={"task.gain": 0.5, "seed": 3})
    assert a.toml == b.toml and a.spec["task"]["gain"] == 0.5 and a.spec["seed"] == 3
    assert a.weights.tobytes() != small().weights.tobytes()
    assert small(set={"task": {"gain": np.float32(0.5), "xi": np.array([2.0, 1.0])}}, seed=np.int64(3)).toml == a.toml


def test_arrays_are_views_that_keep_the_record():
    run = small()
    assert run.weights.shape == (4, 4, 10) and run.axes["weights"] == ["step", "unit", "site"]
    assert np.shares_memory(run.weights, run["weights"]) and run.weights.ctypes.data == run["weights"].ctypes.data
    assert not run.weights.flags.owndata and not run.weights.flags.writeable
    with pytest.raises(ValueError):
        run.weights[0] = 0
    with pytest.raises(ValueError):
        run.weights.setflags(write=True)
    weights, copy = run.weights, run.weights.copy()
    gone = weakref.ref(run)
    del run
    gc.collect()
    assert gone() is None
    small()  # something else may take the memory, if it was let go
    assert np.array_equal(weights, copy)


def test_nothing_else_is_held():
    """Arrays, pages and figures of many runs leave no memory behind."""
    import resource

    def memory():
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    large = dict(task__n=200, network__hidden=200, dynamics__steps=40, probe__every=1)  # 6.5 MB of weights each
    for _ in range(5):
        small(**large).weights.sum()
    before = memory()
    for _ in range(20):
        small(**large).weights.sum()
    assert memory() - before < 40


def test_what_a_run_is():
    run = small()
    assert run.status == "finished" and run.folder is None and len(run) == len(run.keys()) and "loss" in run and "weights" in dir(run)
    assert run.summary["loss"] == run.loss[-1] and run.summary["steps"] == 6
    assert list(run.frame()["step"]) == [0, 2, 4, 6]
    with pytest.raises(KeyError, match="nothing.*there are step"):
        run["nothing"]
    with pytest.raises(AttributeError, match="there are step"):
        run.nothing
    assert repr(run).startswith("<sluice.Run spec, finished, loss 0.")


def test_figures_and_pages(tmp_path):
    run = small()
    assert {"unit_map", "learning", "receptive_fields"} <= set(run.figures)
    figure = run.figure("unit_map")
    assert figure.caption and "unit_map" in repr(figure)
    printed, shown = (re.match(r'<svg [^>]*width="([\d.]+)(?:pt)?" height="([\d.]+)', svg) for svg in (figure.svg, figure._repr_svg_()))
    for pt, px in zip(printed.groups(), shown.groups()):
        assert abs(float(px) * 3 / 4 - float(pt) * 4 / 3) < 0.5  # larger in a notebook by a third; a pt is 4/3 px
    assert figure._repr_svg_().split(">", 1)[1] == figure.svg.split(">", 1)[1]  # and otherwise the same
    for ending, start in ((".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG")):
        assert figure.save(tmp_path / f"a{ending}", width=80).read_bytes().startswith(start)
    with pytest.raises(sluice.InputError, match="exists"):
        figure.save(tmp_path / "a.svg")
    figure.save(tmp_path / "a.svg", overwrite=True)
    with pytest.raises(sluice.InputError, match="no such figure"):
        run.figure("unit_mop")
    with pytest.raises(sluice.InputError, match="is a figure of sweeps"):
        run.figure("curve")
    shown = run._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "&lt;!doctype html&gt;" in shown.lower() and '"' not in shown.split('"')[1][:100]
    page = run.page(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page and "With the spec above" in page


def test_folders(tmp_path):
    run = small(out=f"{tmp_path}/r/", seed=2)
    again = sluice.load(tmp_path / "r")
    assert "spec.toml" in again.page() and again.page() == run.page()
    assert again.toml == run.toml and again.weights.tobytes() == run.weights.tobytes() and again.folder == tmp_path / "r"
    with pytest.raises(sluice.InputError, match="exists and is not empty|is not empty"):
        small(out=tmp_path / "r", seed=2)
    assert small(out=tmp_path / "r", seed=2, resume=True).weights.tobytes() == run.weights.tobytes()
    assert small(out=tmp_path / "r", seed=3, overwrite=True).weights.tobytes() != run.weights.tobytes()
    with pytest.raises(sluice.InputError, match="one of them"):
        small(out=tmp_path / "r", resume=True, overwrite=True)
    with pytest.raises(sluice.InputError):
        sluice.load(tmp_path / "nothing")


def test_errors_have_the_words_of_the_program(program, tmp_path):
    for words, call in ((["localization", "--set", "task.gian=3"], lambda: sluice.run("localization", task__gian=3)),
                        (["localisation"], lambda: sluice.run("localisation")),
                        (["localization", "--set", "gain=3"], lambda: sluice.run("localization", gain=3))):
        said = program("run", *words, cwd=tmp_path).stderr.strip().replace("sluice: --set", "set").replace("sluice: ", "")
        with pytest.raises(sluice.InputError) as caught:
            call()
        assert str(caught.value) == said
    assert issubclass(sluice.InputError, ValueError) and issubclass(sluice.IoError, OSError)


@pytest.mark.parametrize("call, words", [
    (lambda: sluice.run(3), "spec: expected a name of the catalog, a file, the text of one or a dict, found int"),
    (lambda: sluice.run({"task": {"gain": 1j}}), "task.gain: expected a number, .*found complex"),
    (lambda: sluice.run({"task": {"gain": None}}), "task.gain: expected a number, .*found NoneType"),
    (lambda: sluice.run({"task": {"n": 2**70}}), "expected an integer of 64 bits"),
    (lambda: sluice.run({3: 4}), "3: expected a key"),
    (lambda: sluice.run({"a b": 4}), "'a b': expected a key"),
    (lambda: sluice.run({"task": {}}), "spec: task.kind: missing key|task.kind"),
    (lambda: sluice.run("a\nb"), "spec:1: not valid TOML"),
    (lambda: sluice.run("\ud800"), "expected text that can be written as UTF-8"),
    (lambda: sluice.run("localization", task__gain="é" * 40), "task.gain = .é+…: expected"),  # cut between letters
    (lambda: sluice.run("localization", threads=1.5), "threads: expected an integer, found float"),
    (lambda: sluice.run("localization", out=""), "out: expected a path, found an empty text"),
    (lambda: sluice.run("localization", out=3), "out: expected a path, found int"),
    (lambda: sluice.run(""), "spec: expected a path, found an empty text"),
    (lambda: sluice.run("localization", threads=0), "threads = 0: expected an integer from 1 to 1024"),
    (lambda: sluice.run("localization", progress=3), "progress: expected True, False or a function"),
    (lambda: sluice.run("localization", interrupt="no"), "interrupt = 'no'"),
    (lambda: sluice.run("localization", out="/proc/none/x", progress=False), "/proc/none"),
])
def test_what_cannot_be_used_is_said_in_one_line(call, words):
    with pytest.raises((sluice.InputError, sluice.IoError), match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_progress_is_told_and_its_exceptions_stop_the_run():
    told = []
    run = sluice.run("localization", dynamics__steps=3000, progress=lambda done, of: told.append((done, of)))
    assert run.status == "finished" and told and all(of == 3000 for _, of in told) and told == sorted(told)
    assert len(told) <= 1 + run.seconds / 0.05

    def refuse(done, of):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        sluice.run("localization", dynamics__steps=10**6, progress=refuse)


def interrupt_once_it_runs():
    """A listener; when it was told a few times that something moves, Ctrl-C comes, from another thread and outside of its calls."""
    told, moved = [], threading.Event()

    def press():
        if moved.wait(60):
            time.sleep(0.02)
            os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    return lambda done, of: moved.set() if told.append(done) or len(told) > 3 else None


@pytest.mark.parametrize("how", ["return", "raise"])
def test_keyboard_interrupt_keeps_what_was_measured(how):
    began = time.monotonic()
    try:
        with pytest.warns(sluice.Remark, match="stopped at step") if how == "return" else warnings.catch_warnings():
            run = sluice.run("localization", dynamics__steps=10**6, probe__every=50, interrupt=how, progress=interrupt_once_it_runs())
        assert how == "return"
    except sluice.Interrupted as stop:
        assert how == "raise"
        run = stop.run
    assert time.monotonic() - began < 30  # and not 10⁹ steps
    assert run.status == "interrupted" and len(run.step) > 1 and np.isfinite(run.weights).all()


def test_keyboard_interrupt_is_seen_where_nobody_listens(tmp_path):
    """No code of Python runs meanwhile that could see it by itself."""
    def press():
        while not (tmp_path / "r/log.txt").exists():  # the run has begun
            time.sleep(0.01)
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    run = sluice.run("localization", dynamics__steps=10**6, probe__every=50, out=tmp_path / "r", progress=False)
    assert run.status == "interrupted" and len(run.step) > 0 and sluice.load(tmp_path / "r").step.tolist() == run.step.tolist()


def test_other_python_threads_go_on_meanwhile():
    ticks, over = [], threading.Event()

    def tick():
        while not over.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.01)

    ticker = threading.Thread(target=tick)
    ticker.start()
    began = time.monotonic()
    sluice.run("localization", dynamics__steps=3000, progress=False, threads=1)
    took = time.monotonic() - began
    over.set()
    ticker.join()
    assert len([each for each in ticks if began < each < began + took]) > 0.3 * took / 0.01


def test_runs_in_several_threads_have_their_own_bits():
    alone = {seed: small(seed=seed).weights.tobytes() for seed in range(8)}
    found = {}
    threads = [threading.Thread(target=lambda seed=seed: found.update({seed: small(seed=seed).weights.tobytes()})) for seed in alone]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


def test_the_interpreter_may_go_while_a_thread_waits():
    code = "import sluice, threading, time; threading.Thread(target=lambda: sluice.run('localization', dynamics__steps=10**6, progress=%s), " \
           "daemon=True).start(); time.sleep(0.5)"
    for progress in ("False", "lambda done, of: time.sleep(0.001)"):
        done = subprocess.run([sys.executable, "-c", code % progress], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_child_may_be_forked_meanwhile():
    code = """
import os, sys, threading, time, sluice
threading.Thread(target=lambda: sluice.run("localization", dynamics__steps=10**6, progress=False), daemon=True).start()
time.sleep(0.3)
if os.fork() == 0:
    run = sluice.run("localization", dynamics__steps=10, progress=False)
    sys.exit(0 if run.status == "finished" else 1)
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_import_is_quick_and_needs_numpy_alone():
    code = "import sys, time; import numpy; began = time.perf_counter(); import sluice; took = time.perf_counter() - began; " \
           "print(took, 'pandas' in sys.modules, 'IPython' in sys.modules)"
    took = min(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() for _ in range(3))
    assert float(took[0]) < 0.5 and took[1:] == ["False", "False"]


def test_a_run_that_memory_cannot_hold_is_refused_before_it_begins():
    """In memory as in a folder; a sweep whose records stay there, too."""
    code = """
import resource, sluice
resource.setrlimit(resource.RLIMIT_AS, (4_000_000_000, 4_000_000_000))
spec = {"task": {"kind": "nlgp", "n": 8}, "network": {"kind": "two-layer", "hidden": 4}, "dynamics": {"kind": "sgd", "steps": 10**9, "batch": 96}}
for call in (lambda: sluice.run(spec, name="mine", threads=1, progress=False), lambda: sluice.sweep(spec, {"seed": "1..40"}, dynamics__steps=10**8, threads=1, progress=False)):
    try:
        call()
    except sluice.InputError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    run, sweep = done.stdout.splitlines()
    assert run.startswith("mine: needs at least ") and sweep.startswith("sweep: needs at least ") and len(re.findall(r" of memory, and there are [\d.]+ GiB", run + sweep)) == 2, done
