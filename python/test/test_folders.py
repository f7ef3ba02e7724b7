"""sluice.runs, remove, compare, watch, data_sets, keys, Run.go_on: folders of runs."""
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request

import numpy as np
import pytest

import sluice
from test_run import SMALL, small

pytestmark = pytest.mark.filterwarnings("ignore::sluice.Remark")


@pytest.fixture(scope="module")
def grid(tmp_path_factory):
    folder = tmp_path_factory.mktemp("grid")
    sluice.sweep(SMALL, {"task.gain": [0.1, 1, 3], "seed": [1, 2]}, out=folder / "s", progress=False)
    sluice.run(SMALL, network__activation="erf", out=folder / "alone", progress=False)
    return folder


def columns_of(table):
    return list(table.columns if hasattr(table, "columns") else table.dtype.names)


def test_tables_are_those_of_the_program(program, grid, tmp_path):
    said = program("runs", "export", grid, "--out", tmp_path / "t.npz")
    assert said.returncode == 0, said.stderr
    theirs, ours = np.load(tmp_path / "t.npz"), sluice.runs(grid)
    assert set(columns_of(ours)) == set(theirs.files) and len(ours) == 7
    for name in theirs.files:
        mine = np.asarray(ours[name].tolist())
        assert np.array_equal(mine, theirs[name], equal_nan=theirs[name].dtype.kind == "f"), name
    where = "gain > 0.5 and seed = 2"
    listed = json.loads(program("runs", grid, "--where", where, "--columns", "path,gain,loss", "--sort", "gain", "--reverse", "--json").stdout)
    table = sluice.runs(grid, where, columns=["path", "gain", "loss"], sort="gain", reverse=True)
    assert columns_of(table) == list(listed[0]) and [dict(zip(columns_of(table), row)) for row in zip(*(table[name].tolist() for name in columns_of(table)))] == listed
    assert sluice.load(grid / table["path"][0]).summary["loss"] == table["loss"][0]
    assert len(sluice.runs(grid, reindex=True)) == 7


def test_without_pandas_a_table_is_a_structured_array(grid, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    table = sluice.runs(grid, "activation = erf", columns=("path", "task.n"))
    assert isinstance(table, np.ndarray) and table.tolist() == [("alone", 10)]


def test_folders_without_runs_and_bad_questions(grid, tmp_path):
    assert len(sluice.runs(tmp_path)) == 0 and len(sluice.runs(grid, "gain > 1000")) == 0
    for wrong, words in ((lambda: sluice.runs(tmp_path / "nowhere"), "nowhere"), (lambda: sluice.runs(grid, "gain >"), "gain >"),
                         (lambda: sluice.runs(grid, columns=["gian"]), "did you mean 'gain'"), (lambda: sluice.runs(grid, sort="gian"), "gian"),
                         (lambda: sluice.runs(grid, columns="gain"), "columns: expected a list, found str"), (lambda: sluice.runs(grid, 3), "where: expected a text"),
                         (lambda: sluice.runs(3), "folder: expected a path")):
        with pytest.raises(sluice.InputError, match=words):
            wrong()


def test_removing_takes_all_or_nothing(tmp_path):
    a, b = small(out=tmp_path / "a"), small(out=tmp_path / "b")
    (b.folder / "mine.txt").write_text("mine")
    with pytest.raises(sluice.InputError, match="mine.txt"):
        sluice.remove(a.folder, b.folder, yes=True)
    planned = sluice.remove(a.folder)
    assert planned[0]["folder"] == str(a.folder) and planned[0]["files"] > 5 and not planned[0]["removed"] and a.folder.exists()
    assert sluice.remove(f"{a.folder}/", yes=True)[0]["bytes"] == planned[0]["bytes"] and not a.folder.exists() and b.folder.exists()
    with pytest.raises(sluice.InputError):
        sluice.remove(tmp_path / "nowhere", yes=True)


def test_what_is_above_a_link_is_where_it_leads(tmp_path, monkeypatch):
    (tmp_path / "far/away").mkdir(parents=True)
    (tmp_path / "link").symlink_to("far/away")
    for number, out in enumerate([tmp_path / "link/../a/", "link/../b", "link/./.././/c/x/.."]):
        monkeypatch.chdir(tmp_path)
        run = small(out=out)
        assert (tmp_path / "far" / "abc"[number] / "record.npz").exists() and run.folder.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["far", "link"]
    data = sluice.Data(np.eye(8), np.arange(8) % 2)
    assert data.save("link/../../set.npz") == tmp_path / "link/../../set.npz" and (tmp_path / "set.npz").exists()
    assert sluice.remove("link/../a/", yes=True)[0]["folder"] == "link/../a" and not (tmp_path / "far/a").exists()


def test_runs_are_compared_wherever_they_are(program, grid, tmp_path):
    memory = small(task__gain=7)
    both = sluice.compare(memory, grid / "alone", sluice.load(grid / "s"))
    assert len(both) == 8 and both[0].settings["gain"] == "7" and both[1].settings["activation"] == "erf"
    assert np.array_equal(both[0].weights, memory.weights) and list(both.frame()["gain"])[:2] == [7, 3]
    assert program("report", grid / "alone", grid / "s/gain=0.1,seed=1", "--out", tmp_path / "theirs.html").returncode == 0
    page = sluice.compare(grid / "alone", grid / "s/gain=0.1,seed=1").page(tmp_path / "ours.html")
    assert "activation" in page and (tmp_path / "ours.html").exists()
    for wrong, words in ((lambda: sluice.compare(), "at least one"), (lambda: sluice.compare(3), "runs: expected a path"),
                         (lambda: sluice.compare(memory, sluice.record(np.ones((2, 10)))), "weights without a spec")):
        with pytest.raises(sluice.InputError, match=words):
            wrong()


def test_figures_of_folders_are_those_of_the_program(program, grid, tmp_path):
    for name, words, given in (("curve", ["--x", "task.gain", "--y", "loss", "--where", "seed = 1", "--bars", "sd"], dict(x="task.gain", y="loss", where="seed = 1", bars="sd")),
                               ("phase_diagram", ["--x", "task.gain", "--y", "seed", "--z", "loss"], dict(x="task.gain", y="seed", z="loss"))):
        said = program("figure", grid, name, *words, "--out", tmp_path / f"{name}.svg")
        assert said.returncode == 0, said.stderr
        assert sluice.figure(grid, name, **given).render("svg") == (tmp_path / f"{name}.svg").read_bytes()
    sweep = sluice.load(grid / "s")
    assert sweep.phase_diagram("task.gain", "seed", "loss").svg.startswith("<svg") and sweep.curve("task.gain", boundary="flat").name == "curve"
    assert sluice.figure([grid / "alone", grid / "s/gain=3,seed=1"], "learning").svg.startswith("<svg")
    assert sluice.figure(grid / "s", "comparison", runs=["gain=3*"]).svg != sluice.figure(grid / "s", "comparison").svg
    for wrong, words in ((lambda: sluice.figure(grid, "curve", x="gian"), "gian"), (lambda: sluice.figure(grid / "alone", "unit_map", x="gain"), "x: of the figures curve"),
                         (lambda: sluice.figure(tmp_path / "x", "curve"), "x"), (lambda: sluice.figure(3, "curve"), "folders: expected a list"),
                         (lambda: sluice.figure(grid, "curve", bars="no"), "bars = "), (lambda: sluice.figure(grid, "nothing"), "nothing"),
                         (lambda: sluice.figure(grid / "alone", "unit_map", units="x"), "units: expected a list"), (lambda: sluice.figure(grid, "curve", boundary=3), "boundary"),
                         (lambda: sweep.curve(boundary="no"), "no"), (lambda: sweep.phase_diagram("task.gain", "seed", "nothing"), "nothing")):
        with pytest.raises(sluice.InputError, match=words):
            wrong()


def test_lists_of_nothing_are_refused(grid):
    for name in ("curve", "evolution", "phase_diagram"):
        with pytest.raises(sluice.InputError, match="^folders: expected at least one$"):
            sluice.figure([], name)
    with pytest.raises(sluice.InputError, match="^compare: expected at least one run$"):
        sluice.compare(sluice.load(grid / "s")[:0])


def test_a_run_goes_on_as_one_that_never_ended(program, tmp_path):
    begun, whole = small(out=tmp_path / "a"), small(dynamics__steps=12)
    for more in (begun.go_on(dynamics__steps=12), sluice.load(tmp_path / "a").go_on(set={"dynamics.steps": 12}, out=tmp_path / "b")):
        assert more.name == "a-continued" and more.step.tolist() == [6, 8, 10, 12] and more.weights[-1].tobytes() == whole.weights[-1].tobytes()
    said = program("run", "--continue", tmp_path / "a", "--set", "dynamics.steps=12", "--out", tmp_path / "c", "--quiet")
    assert said.returncode == 0 and (tmp_path / "b/record.npz").read_bytes() == (tmp_path / "c/record.npz").read_bytes()
    assert (tmp_path / "b/spec.toml").read_text() == (tmp_path / "c/spec.toml").read_text()
    for wrong, words in ((lambda: whole.go_on(), "expected a run in a folder"), (lambda: begun.go_on(out=tmp_path / "a"), "expected another folder"),
                         (lambda: begun.go_on(start__run="x"), "start.run: expected none"), (lambda: begun.go_on(interrupt="x"), "interrupt"),
                         (lambda: begun.go_on(set=3), "set: expected a dict"), (lambda: begun.go_on(dynamics__stepz=3), "dynamics.stepz")):
        with pytest.raises(sluice.InputError, match=words):
            wrong()


def test_a_run_does_not_go_on_into_itself_by_a_link(tmp_path):
    begun = small(out=tmp_path / "go")
    (tmp_path / "link").symlink_to("go")
    for run, out in ((begun, "link"), (sluice.load(tmp_path / "link"), "go")):
        with pytest.raises(sluice.InputError, match="expected another folder than that of the run that goes on"):
            run.go_on(out=tmp_path / out, overwrite=True, dynamics__steps=8)
    assert sluice.load(tmp_path / "go").step[-1] == 6


def test_flags_are_true_or_false(grid, tmp_path):
    run = small(out=tmp_path / "a")
    for wrong, name in ((lambda: sluice.remove(tmp_path / "a", yes="no"), "yes"), (lambda: small(out=tmp_path / "a", overwrite="False"), "overwrite"),
                        (lambda: small(out=tmp_path / "a", resume=np.ones(2)), "resume"), (lambda: sluice.runs(grid, reverse="x"), "reverse"),
                        (lambda: sluice.runs(grid, reindex=1), "reindex"), (lambda: sluice.data_sets("x"), "verify"), (lambda: run.go_on(overwrite=1), "overwrite"),
                        (lambda: sluice.sweep(SMALL, {"seed": "1..2"}, out=tmp_path / "a", overwrite="x"), "overwrite"), (lambda: run.page(tmp_path / "p.html", overwrite="x"), "overwrite"),
                        (lambda: run.figure("learning").save(tmp_path / "f.svg", overwrite="x"), "overwrite"), (lambda: sluice.predict("single-unit", train="x"), "train")):
        with pytest.raises(sluice.InputError, match=f"^{name}: expected True or False, found "):
            wrong()
    assert not sluice.remove(tmp_path / "a", yes=np.False_)[0]["removed"] and (tmp_path / "a/record.npz").exists()


def test_a_folder_that_is_gone_is_needed_by_relative_paths_alone():
    code = """
import os, sys, tempfile, sluice
gone = tempfile.mkdtemp()
os.chdir(gone)
os.rmdir(gone)
assert "[task]" in sluice.resolve("localization") and len(sluice.theory("spectrum").rows)
assert sluice.run("localization", dynamics__steps=2, progress=False).status == "finished"
for call in (lambda: sluice.Data([[1.0], [2.0]], [0, 1]).save("x.npz"), lambda: sluice.resolve("spec.toml")):
    try:
        call()
    except sluice.IoError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=60, env=os.environ)
    assert done.returncode == 0 and done.stdout.count("the current folder was removed") == 2, done


def get(url, host=None):
    return urllib.request.urlopen(urllib.request.Request(url, headers={"Host": host} if host else {}), timeout=20).read()


def test_a_page_is_served_while_python_is_busy(grid, tmp_path):
    with sluice.watch(grid / "s") as watch:
        assert watch.url.startswith("http://127.0.0.1:") and not watch.closed and watch.problem is None and watch.url in repr(watch)
        code = "import sys, urllib.request; sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1], timeout=20).read())"
        with open(tmp_path / "page.html", "wb") as answer:  # a pipe would be full before anybody reads it
            asking = subprocess.Popen([sys.executable, "-c", code, watch.url], stdout=answer)
            while asking.poll() is None:  # this thread keeps the interpreter; what answers needs none
                sum(range(10_000))
        page = (tmp_path / "page.html").read_bytes()
        assert b"<html" in page and json.loads(get(watch.url + "data.json"))
        for wrong in (dict(url=watch.url + "x"), dict(url=watch.url.rsplit("/", 2)[0] + "/"), dict(url=watch.url, host="elsewhere.org")):
            with pytest.raises(urllib.error.HTTPError):
                get(**wrong)
        assert "<iframe" in watch._repr_html_()
    assert watch.closed and "closed" in repr(watch) and watch._repr_html_() is None
    with pytest.raises(OSError):
        get(watch.url)
    watch.close()  # again, for nothing


def test_watches_that_cannot_be(grid, tmp_path):
    with sluice.watch(grid / "s") as watch:
        with pytest.raises(sluice.IoError, match="port"):
            sluice.watch(grid / "s", port=int(watch.url.split(":")[2].split("/")[0]))
    for wrong, words in ((lambda: sluice.watch(tmp_path), "expected"), (lambda: sluice.watch(tmp_path / "x"), "x"), (lambda: sluice.watch(grid / "s", port=70000), "port = 70000"),
                         (lambda: sluice.watch(grid / "s", port="x"), "port: expected an integer"), (lambda: sluice.watch(3), "folder: expected a path")):
        with pytest.raises((sluice.InputError, sluice.IoError), match=words):
            wrong()


@pytest.mark.parametrize("end", ["pass", "del watch; import gc; gc.collect()", "import os; pid = os.fork() or os._exit(0); os.waitpid(pid, 0)",
                                 "import os; pid = os.fork(); pid or sys.exit(0); assert os.waitpid(pid, 0)[1] == 0"])
def test_python_ends_with_a_watch_open(grid, end):
    code = f"import sys, sluice\nwatch = sluice.watch({str(grid / 's')!r})\n{end}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=os.environ)
    assert done.returncode == 0 and done.stderr == ""


def test_keys_and_data_sets_are_those_of_the_program(program):
    for part in ("", "network.init", "gain"):
        assert sluice.keys(part) == json.loads(program("keys", *([part] if part else []), "--json").stdout)
    assert sluice.data_sets() == json.loads(program("data", "list", "--json").stdout)
    assert all("problems" in each for each in sluice.data_sets(verify=True))
    with pytest.raises(sluice.InputError, match="keys gian: no such key"):
        sluice.keys("gian")
