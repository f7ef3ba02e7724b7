// What the arrays of a record are called on the page.
const titles: Record<string, string> = {
  loss: "Loss",
  accuracy: "Accuracy",
  ipr: "IPR, mean and quartiles over units",
  norm: "Norm ‖w‖, mean and quartiles over units",
  bias: "Bias, mean and quartiles over units",
  readout: "Readout a, mean and quartiles over units",
  flow_distance: "Relative distance to the flow",
  offset: "Offset c of the output",
  error: "Error on the training set, ‖e(t)‖/‖e(0)‖",
  nu_tangent: "Alignment of the tangent kernel, ν(K/tr K)",
  nu_paths: "Alignment of the path kernel, ν(M/tr M)",
  nu_gates: "Alignment of the gates’ kernel, ν(Kᵃ/tr Kᵃ)",
  nu_gates_raw: "Alignment of the gates’ kernel, ν(Kᵃ)",
  tangent_trace: "Size of the tangent kernel, tr K/n",
  active_gates: "Active gates, share",
  sensitive_gates: "Sensitive gates, share",
  changed_gates: "Gates that left their first state, share",
  gate_overlap: "Overlap of active sub-networks",
  active_paths: "Active paths, log₁₀",
  sensitive_paths: "Sensitive paths, log₁₀",
};

/// "Weight sign changes" for an array that has no title of its own; `one`: of networks of one unit.
export function titleOf(key: string, on = "", one = false): string {
  if (key === "loss" || key === "accuracy") return on ? `${titles[key]}, ${on}` : titles[key];
  const words = key.replaceAll("_", " ");
  return titles[key]?.replace(one ? ", mean and quartiles over units" : "", "") ?? words[0].toUpperCase() + words.slice(1);
}
