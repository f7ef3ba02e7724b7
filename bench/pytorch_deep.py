"""The deep networks of document 004 in PyTorch, as a competent user writes them.

    pytorch_deep.py      prints one JSON object: milliseconds per training step of ReLU and GaLU at figure 5's widths (batch 128,
                         Adam) and of the convolutions of experiments 6 and 7, seconds for the tangent kernel of 2000 inputs
                         (depth 6, width 100)
"""
import json
import statistics
import time

import torch

torch.set_num_threads(2)
WIDTHS = [784, 512, 512, 256, 256, 128, 64, 10]
x = torch.rand(60_000, 784)
y = torch.randint(0, 10, (60_000,))


def network():
    return torch.nn.ModuleList(torch.nn.Linear(a, b, bias=False) for a, b in zip(WIDTHS, WIDTHS[1:]))


def step_ms(gated, seconds=6.0):
    weights, gates = network(), network()
    optimiser = torch.optim.Adam(weights.parameters(), lr=3e-4)

    def step():
        rows = torch.randint(0, 60_000, (128,))
        z, g = x[rows], x[rows]
        for layer, gate in zip(weights[:-1], gates[:-1]):
            if gated:
                with torch.no_grad():
                    g = torch.relu(gate(g))
                    open_ = (g > 0).float()
                z = layer(z) * open_
            else:
                z = torch.relu(layer(z))
        loss = torch.nn.functional.cross_entropy(weights[-1](z), y[rows])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()

    for _ in range(5):
        step()
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 15:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times)


def convolution_ms(steps=7):
    """conv(3,3) of 64, 64, 128 and 128 channels on 3 × 32 × 32 pixels, zero padding, then 256, 256, 10; the faster memory layout."""
    images, labels = torch.rand(1000, 3, 32, 32), torch.randint(0, 10, (1000,))
    best = float("inf")
    for layout in (torch.contiguous_format, torch.channels_last):
        layers, before = [], 3
        for channels in (64, 64, 128, 128):
            layers += [torch.nn.Conv2d(before, channels, 3, padding=1, bias=False), torch.nn.ReLU()]
            before = channels
        layers += [torch.nn.Flatten()]
        before = 128 * 32 * 32
        for width in (256, 256):
            layers += [torch.nn.Linear(before, width, bias=False), torch.nn.ReLU()]
            before = width
        model = torch.nn.Sequential(*layers, torch.nn.Linear(before, 10, bias=False)).to(memory_format=layout)
        optimiser = torch.optim.Adam(model.parameters(), lr=3e-4)
        times = []
        for _ in range(steps + 1):
            start = time.perf_counter()
            rows = torch.randint(0, 1000, (128,))
            loss = torch.nn.functional.cross_entropy(model(images[rows].to(memory_format=layout)), labels[rows])
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            times.append(time.perf_counter() - start)
        best = min(best, 1e3 * statistics.median(times[1:]))
    return best


def kernel_s(n=2000, width=100, depth=6):
    """Gram matrix of per-sample gradients: functorch's vmap(grad) where it is there, else one backward pass per sample."""
    inputs = torch.rand(n, 784)
    sizes = [784] + [width] * (depth - 1) + [1]
    theta = [torch.randn(b, a) * (2 / width) ** 0.5 for a, b in zip(sizes, sizes[1:])]

    def output(layers, sample):
        z = sample
        for layer in layers[:-1]:
            z = torch.relu(layer @ z)
        return (layers[-1] @ z).squeeze()

    start = time.perf_counter()
    try:
        from functorch import grad, vmap
        parts = vmap(grad(output), in_dims=(None, 0))(theta, inputs)
        jacobian = torch.cat([part.flatten(1) for part in parts], 1)
        method = "functorch"
    except ImportError:
        leaves = [layer.requires_grad_() for layer in theta]
        jacobian = torch.empty(n, sum(layer.numel() for layer in leaves))
        for s in range(n):
            parts = torch.autograd.grad(output(leaves, inputs[s]), leaves)
            jacobian[s] = torch.cat([part.flatten() for part in parts])
        method = "autograd loop"
    gram = jacobian @ jacobian.T
    assert gram.shape == (n, n)
    return time.perf_counter() - start, method


seconds, method = kernel_s()
print(json.dumps({"relu_ms": step_ms(False), "galu_ms": step_ms(True), "convolution_ms": convolution_ms(), "kernel_s": seconds, "kernel_method": method}))
