"""The convolutional network of document 004's experiments 6 and 7 in PyTorch on a GPU, as a competent user writes it, against ours.

    pytorch_gpu.py GPU_BENCH      runs GPU_BENCH (build/release/bench/gpu_bench) and PyTorch in one go and prints both

channels-last, fused Adam, cuDNN's own choice of algorithms, samples on the device; eager and compiled, the faster counts.
"""
import json
import statistics
import subprocess
import sys
import time

import torch

torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
torch.backends.cudnn.benchmark = True
images = torch.rand(10_000, 3, 32, 32, device="cuda")
labels = torch.randint(0, 10, (10_000,), device="cuda")


def network():
    layers, before = [], 3
    for channels in (64, 64, 128, 128):
        layers += [torch.nn.Conv2d(before, channels, 3, padding=1, bias=False), torch.nn.ReLU()]
        before = channels
    layers.append(torch.nn.Flatten())
    before = 128 * 32 * 32
    for width in (256, 256):
        layers += [torch.nn.Linear(before, width, bias=False), torch.nn.ReLU()]
        before = width
    return torch.nn.Sequential(*layers, torch.nn.Linear(before, 10, bias=False)).cuda().to(memory_format=torch.channels_last)


def step_ms(compiled, bfloat16, steps=200):
    model = network()
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-4, fused=True)

    def loss_of(x, y):
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=bfloat16):
            return torch.nn.functional.cross_entropy(model(x), y)

    loss = torch.compile(loss_of) if compiled else loss_of

    def step():
        rows = torch.randint(0, 10_000, (128,), device="cuda")
        value = loss(images[rows].contiguous(memory_format=torch.channels_last), labels[rows])
        optimiser.zero_grad(set_to_none=True)
        value.backward()
        optimiser.step()

    for _ in range(20):
        step()
    torch.cuda.synchronize()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(steps):
            step()
        torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - start) / steps)
    return statistics.median(times)


ours = json.loads(subprocess.run([sys.argv[1]], stdout=subprocess.PIPE, check=True).stdout)
print(ours["device"], "PyTorch", torch.__version__)
for precision, bfloat16 in (("tf32", False), ("bfloat16", True)):
    theirs = min(step_ms(compiled, bfloat16) for compiled in (False, True))
    alone = ours[f"{precision}, 1"]
    most, together = min((ours[key], key) for key in ours if key.startswith(precision))
    print(f"{precision}: a step {alone:.2f} ms, PyTorch {theirs:.2f} ms, ratio {theirs / alone:.2f} (aim 1.2); "
          f"{together.split(', ')[1]} networks at once {most:.2f} ms each, ratio {theirs / most:.2f} (aim 3)")
print(f"float: a step {ours['single, 1']:.2f} ms")
