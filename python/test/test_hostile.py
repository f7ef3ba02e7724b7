"""What others named, who else is there, and what is asked for while the module is at work."""
import os
import shutil
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import sluice
from test_run import SMALL

pytestmark = pytest.mark.filterwarnings("ignore::sluice.Remark")


def test_names_are_shown_and_not_obeyed(tmp_path):
    (tmp_path / "evil.toml").write_text('"\\u001b]0;owned\\u0007\\n\\u202e" = 1\ntask.kind = "nlgp"\nnetwork.kind = "two-layer"\ndynamics.kind = "sgd"\n')
    with pytest.raises(sluice.InputError) as refused:
        sluice.resolve(tmp_path / "evil.toml")
    assert r"\x1b]0;owned\x07\n\u202e" in str(refused.value) and str(refused.value).isprintable()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x\x1b]0;owned\x07").touch()
    with pytest.raises(sluice.InputError) as refused:
        sluice.run(SMALL, out=tmp_path / "out", overwrite=True)
    assert r"x\x1b]0;owned\x07" in str(refused.value) and str(refused.value).isprintable()
    assert str(sluice.InputError("said in Python: \x1b\u2028")) == r"said in Python: \x1b\u2028"
    assert str(sluice.IoError()) == "" and str(sluice.IoError(5, "no\x1b")) == r"[Errno 5] no\x1b"


def test_folders_whose_names_are_no_utf_8_are_listed(tmp_path):
    sluice.run(SMALL, out=tmp_path / "a", progress=False)
    os.mkdir(os.fsencode(tmp_path) + b"/caf\xe9")
    shutil.copytree(os.fsencode(tmp_path / "a"), os.fsencode(tmp_path) + b"/caf\xe9/r")
    for anew in (False, True):
        assert sorted(sluice.runs(tmp_path, columns=["path"], reindex=anew)["path"]) == ["a", "caf\ufffd/r"]


def test_a_watch_is_closed_by_many_at_once(tmp_path):
    sluice.run(SMALL, out=tmp_path / "a", progress=False)
    for _ in range(3):
        watch = sluice.watch(tmp_path / "a")
        closing = [threading.Thread(target=watch.close, daemon=True) for _ in range(4)]
        for thread in closing:
            thread.start()
        for thread in closing:
            thread.join(20)
        assert not any(thread.is_alive() for thread in closing)


def heard_after(call):
    """Seconds between Ctrl-C and the end of the call, in a process of its own."""
    script = f"""
        import os, signal, threading, time
        import sluice
        sent = []
        def interrupt():
            sent.append(time.time())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(1, interrupt).start()
        try:
            {call}
        except KeyboardInterrupt:
            print(time.time() - sent[0])
    """
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0 and ended.stdout, (ended.stdout, ended.stderr)
    return float(ended.stdout)


def test_a_sweep_that_is_planned_hears_ctrl_c():
    assert heard_after('sluice.sweep("localization", {"seed": range(1, 60000)}, dynamics__steps=1, progress=False, interrupt="raise")') < 5


def test_a_search_whose_library_has_no_room_is_refused_before_it_is_made():
    begun = time.process_time()
    with pytest.raises(sluice.InputError, match="for 2 GB of memory"):
        sluice.search("gated-pair", candidates=10**6, samples=10**6)
    assert time.process_time() - begun < 1


def test_a_process_that_a_listener_forked_ends():
    script = """
        import os, sys
        import sluice
        children = []
        def fork(done, of):
            if not children:
                children.append(os.fork())
                if children[0] == 0:
                    raise ValueError("the child")
        try:
            sluice.run("localization", dynamics__steps=3000, progress=fork)
        except ValueError:
            os._exit(7)
        print(os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]))
    """
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=120)
    assert ended.stdout == "7\n", ended.stderr
