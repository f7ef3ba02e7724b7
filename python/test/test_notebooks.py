"""Notebooks run from top to bottom, each in a kernel of its own; on a notebook server, in a real browser, the page in a cell moves."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import pytest

import sluice

nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))
SKIPPED = 77  # of web/test/notebook.mjs


@pytest.fixture
def own_settings(tmp_path, monkeypatch):
    """Settings of whoever runs this must not help, and nothing be left among them."""
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # the kernel's debugger has a remark on Python 3.11
    return tmp_path


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_from_top_to_bottom(path, own_settings):
    book = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(own_settings)}}).execute()  # cells assert their numbers
    outputs = [output for cell in book.cells for output in cell.get("outputs", ())]
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []
    assert any("image/svg+xml" in output.get("data", ()) for output in outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_kept_without_what_it_printed(path):
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert cells and all(not cell.outputs and cell.execution_count is None for cell in cells)


@pytest.fixture
def server(own_settings):
    """A notebook server with the notebooks, for as long as a test takes: a function from a notebook to its address."""
    if pytest.importorskip("notebook").version_info[0] > 6:
        pytest.skip("a notebook server of version 7 or later, whose page web/test/notebook.mjs does not know")
    folder = shutil.copytree(ROOT / "python/notebooks", own_settings / "notebooks")
    command = [sys.executable, "-m", "notebook", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--notebook-dir={folder}"]
    with open(own_settings / "server.log", "w") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            known = pathlib.Path(os.environ["JUPYTER_RUNTIME_DIR"]) / f"nbserver-{process.pid}.json"
            written_after_it = known.with_name(f"{known.stem}-open.html")
            until = time.monotonic() + 60
            while not written_after_it.exists():
                assert process.poll() is None and time.monotonic() < until, (own_settings / "server.log").read_text()
                time.sleep(0.1)
            there = json.loads(known.read_text())
            yield lambda name: f"{there['url']}notebooks/{name}.ipynb?token={there['token']}"
        finally:
            process.terminate()
            process.wait(30)


@pytest.mark.filterwarnings("ignore::sluice.Remark")
def test_a_page_in_a_cell_moves(server, request):
    if not shutil.which("node") or not (ROOT / "web/node_modules/playwright-core").exists():
        pytest.skip("no node or no web/node_modules (npm ci --prefix web)")
    if '<div id="viewer">' not in sluice.run("localization", dynamics__steps=1).page():
        pytest.skip("a module built without the viewer of the page")
    picture = request.config.getoption("--picture")
    done = subprocess.run(["node", ROOT / "web/test/notebook.mjs", server("tutorial"), *([picture] if picture else [])],
                          capture_output=True, text=True, timeout=180)
    if done.returncode == SKIPPED:
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
