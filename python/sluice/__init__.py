"""sluice: a laboratory for the learning dynamics of gated neural networks, as arrays.

A task feeds a network, a dynamics moves its weights, probes watch. The library is the one that the program uses: the same spec and seed give the same bits.

>>> import sluice
>>> run = sluice.run("localization", dynamics__steps=20, probe__every=10)
>>> run.weights.shape                       # time, unit, site
(3, 100, 40)
>>> run.step.tolist(), run.status
([0, 10, 20], 'finished')
"""
from ._errors import InputError, Interrupted, IoError, Remark
from ._figure import Figure, Page
from ._functions import (Claims, Kernel, Prediction, Samples, Table, catalog, check, choices, fetch, kernel, predict, probe, record, resolve,
                         response, sample, show, theory)
from ._parts import Gate, Probe, Task
from ._run import Run, flow, load, run
from ._sluice import hardware_threads, version as __version__
from ._sweep import Sweep, sweep

__all__ = ["Claims", "Figure", "Gate", "InputError", "Interrupted", "IoError", "Kernel", "Page", "Prediction", "Probe", "Remark", "Run", "Samples", "Sweep",
           "Table", "Task", "catalog", "check", "choices", "fetch", "flow", "hardware_threads", "kernel", "load", "predict", "probe", "record", "resolve",
           "response", "run", "sample", "show", "sweep", "theory"]
