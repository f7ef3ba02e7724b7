#!/usr/bin/env bash
# The figures of docs/gallery.md: docs/gallery.sh PROGRAM FOLDER. Runs what they show into a temporary folder, then draws one
# figure of each kind. About two minutes.
set -euo pipefail
program=$1 folder=$2
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
mkdir -p "$folder"

"$program" run localization --out "$runs/localization" --quiet >/dev/null
"$program" run flow-one-unit --out "$runs/flow-one-unit" --quiet >/dev/null
"$program" run sign-flipping --out "$runs/sign-flipping" --quiet >/dev/null
"$program" run populations --out "$runs/populations" --quiet >/dev/null
"$program" run who-localizes --out "$runs/who-localizes" --quiet >/dev/null
"$program" run gated-pair --out "$runs/gated-pair" --quiet >/dev/null
"$program" run gate-structure --out "$runs/gate-structure" --quiet >/dev/null
"$program" run torus --out "$runs/torus" --quiet >/dev/null
"$program" sweep localization --over task.gain=0.01,3,100 --out "$runs/gains" --quiet >/dev/null
"$program" sweep localization --over task.gain=0.01,1,3 --over seed=1,2,3,4,5 --set dynamics.steps=3000 --out "$runs/seeds" \
  --quiet >/dev/null
"$program" sweep localization --over task.gain=0.1,0.5,1,2,4 --over 'task.xi=[1.5,1],[2,1],[3,1],[4,1]' \
  --set dynamics.steps=3000 --set dynamics.batch=500 --set probe.every=500 --out "$runs/phases" --quiet >/dev/null
"$program" sweep localization --over task.gain=0.05,0.1,0.2,0.5,1,3 --over 'task.xi=[1.5,1],[2,1],[3,1]' --over seed=1,2,3 \
  --set network.hidden=1 --set dynamics.rate=0.05 --set dynamics.steps=10000 --set probe.every=5000 --set sweep.share_samples=true \
  --out "$runs/one-unit" --quiet >/dev/null
"$program" run depth-galu --set task.samples=100 --set network.beta=4 --set network.train=both --set dynamics.kind=adam \
  --set dynamics.rate=0.01 --set dynamics.rate_unit=one --set dynamics.steps=2000 --set probe.every=50 --set 'probe.watch=["nu_tangent",
  "nu_gates","nu_gates_raw","nu_paths","tangent_trace","tangent_spectrum","active_gates","sensitive_gates","changed_gates",
  "gate_overlap","weight_norms"]' --out "$runs/deep" --quiet >/dev/null

while read -r run figure name options; do  # options without blanks in them
  # shellcheck disable=SC2086
  "$program" figure "$runs/$run" "$figure" $options --out "$folder/${name:-$figure}.png" --dpi 130 --overwrite >/dev/null
done <<'FIGURES'
localization   receptive_fields
localization   evolution
localization   learning
localization   unit_map
localization   time_map
localization   spectra
torus          spectra            spectra-torus
localization   kinds
localization   gabor_fits
flow-one-unit  flow_comparison
sign-flipping  sign_flipping
populations    biases
who-localizes  unit_curves
gate-structure gate_structure
gated-pair     pair_covariance
seeds          curve
gains          comparison
seeds          seeds
phases         phase_diagram
one-unit       phase_diagram      phase_diagram-boundary --x task.gain --y task.xi --z ipr_mean_end --boundary flat
deep           error
deep           alignment
deep           alignment_raw
deep           tangent_trace
deep           gates
deep           gate_overlap
deep           gate_paths
deep           tangent_spectrum
deep           weight_norms
FIGURES
