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
from ._folders import Watch, compare, data_sets, figure, remove, runs, watch
from ._functions import (Claims, Kernel, Prediction, Samples, Table, catalog, check, choices, fetch, kernel, keys, predict, probe, record, resolve,
                         response, sample, show, theory)
from ._parts import Data, Gate, Probe, Task
from ._run import Run, flow, load, run
from ._sluice import hardware_threads, version as __version__
from ._studies import Branches, Frozen, Race, Reduced, Search, Study, branch, freeze, race, reduce, search
from ._sweep import Sweep, sweep

__all__ = ["Branches", "Claims", "Data", "Figure", "Frozen", "Gate", "InputError", "Interrupted", "IoError", "Kernel", "Page", "Prediction", "Probe", "Race",
           "Reduced", "Remark", "Run", "Samples", "Search", "Study", "Sweep", "Table", "Task", "Watch", "branch", "catalog", "check", "choices", "compare",
           "data_sets", "fetch", "figure", "flow", "freeze", "hardware_threads", "kernel", "keys", "load", "predict", "probe", "race", "record", "reduce", "remove",
           "resolve", "response", "run", "runs", "sample", "search", "show", "sweep", "theory", "watch"]
